/** What behaviour verdicts add up to: a table by class for a terminal and for `docs/conformance.md`. */

import { compareCodeUnits } from '../../src/kernel/base/json.ts';
import { renderTable } from '../reference/markdown-text.ts';
import { verdicts } from './behaviour-case.ts';
import { alignRows } from './report-renames.ts';
import type { BehaviourResult } from './run-behaviour.ts';

const head = ['class', 'cases', 'wrong', 'met', 'of these applied', 'asked in vain', 'failed', 'unusable'];

export type BehaviourReport = {
  readonly wrong: number;
  readonly summary: readonly string[];
  readonly markdown: string;
};

export function reportBehaviour(results: readonly BehaviourResult[]): BehaviourReport {
  const isSafe = ({ expect }: BehaviourResult) => expect === 'apply';
  const byClass = [...Map.groupBy(results, (one) => one.class)]
    .sort(([a], [b]) => compareCodeUnits(a, b))
    .map(([name, ones]) => rowOf(name, ones));
  const tied = results.filter((one) => !isSafe(one));
  const safe = results.filter(isSafe);
  const rows = [...byClass, rowOf('all that must not be applied as it is', tied), rowOf('all that is safe', safe)];
  const wrong = count(results, 'wrong');
  const says = [
    `${results.length} cases; wrong: ${wrong}`,
    `of ${tied.length} whose name is also data, ${tied.length - count(tied, 'wrong')} are asked, refused, or changed with the data`,
    `of ${safe.length} safe ones, ${count(safe, 'met')} are applied`,
  ];
  return {
    wrong,
    summary: [...says, '', ...alignRows([head, ...rows])],
    markdown: [...says.map((line) => `- ${line}`), '', renderTable(head, rows)].join('\n'),
  };
}

function rowOf(name: string, ones: readonly BehaviourResult[]): readonly string[] {
  const [wrong, met, ...others] = verdicts.map((verdict) => String(count(ones, verdict)));
  const applied = ones.filter(({ verdict, outcome }) => verdict === 'met' && outcome === 'applied').length;
  return [name, String(ones.length), wrong ?? '', met ?? '', String(applied), ...others];
}

function count(ones: readonly BehaviourResult[], verdict: BehaviourResult['verdict']): number {
  return ones.filter((one) => one.verdict === verdict).length;
}
