/** What the verdicts add up to: tables for a terminal and for `docs/conformance.md`, by verdict, by flag and by test. */

import { compareCodeUnits } from '../../src/kernel/base/json.ts';
import { codeSpan, renderTable } from '../reference/markdown-text.ts';
import { verdicts } from './rename-case.ts';
import type { Judged } from './run-renames.ts';

/** Fewer than this share may differ. */
const mayDiffer = 0.03;

export type RenameReport = {
  readonly wrong: number;
  /** For a terminal. */
  readonly summary: readonly string[];
  /** One line per case that is not exact. */
  readonly details: readonly string[];
  /** For the document. */
  readonly markdown: string;
};

export function reportRenames(suite: 'rename' | 'capture', done: readonly Judged[]): RenameReport {
  const wrong = count(done, 'wrong');
  const different = count(done, 'different');
  const kinds = Map.groupBy(done, ({ asked }) => asked.expect ?? asked.label ?? 'edits');
  const head = ['', 'cases', ...verdicts];
  const byKind = [...kinds].sort(([a], [b]) => compareCodeUnits(a, b)).map(([kind, ones]) => rowOf(kind, ones));
  const total = rowOf('all', done);
  const byFlag = [
    ...Map.groupBy(
      done.flatMap((one) => one.asked.flags.map((flag) => ({ flag, one }))),
      ({ flag }) => flag,
    ),
  ]
    .sort(([a], [b]) => compareCodeUnits(a, b))
    .map(([flag, ones]) =>
      rowOf(
        flag,
        ones.map(({ one }) => one),
      ),
    );
  const tests = Map.groupBy(done, ({ asked }) => asked.test);
  const isRight = ({ asked, result }: Judged) =>
    result.verdict === 'exact' ||
    (result.verdict === 'refused' && (asked.expect === 'refuse' || asked.label === 'capturing'));
  const whole = [...tests.values()].filter((ones) => ones.every(isRight)).length;
  const answered = done.filter(({ result }) => result.note === 'one selection gives the golden edits').length;
  const coverable = done.filter(({ asked }) => asked.expect !== 'refuse' && asked.label !== 'capturing');
  const exact = count(coverable, 'exact');
  const says = [
    `${done.length} cases of ${tests.size} tests; wrong: ${wrong}`,
    `coverage: ${exact} of ${coverable.length} (${percent(exact, coverable.length)}) ${suite === 'rename' ? 'with exactly the golden edits' : 'preserving renames planned'}; ${whole} of ${tests.size} tests right in all their cases`,
    ...(suite === 'rename'
      ? [
          `asked: ${count(done, 'asked')}, of which one selection gives the golden edits: ${answered}`,
          `different: ${different} (${percent(different, done.length)}; must stay below ${100 * mayDiffer} %)`,
        ]
      : []),
  ];
  const others = done.filter((one) => !isRight(one));
  const reasons = [...Map.groupBy(others, ({ result }) => reasonOf(result))]
    .sort(([a, m], [b, n]) => n.length - m.length || compareCodeUnits(a, b))
    .map(([reason, ones]) => [reason, String(ones.length), listIds(ones)]);
  const rows = [...byKind, total];
  const markdown = [
    ...says.map((line) => `- ${line}`),
    '',
    renderTable(head, rows),
    'By flag:\n',
    renderTable(head, byFlag),
    'Tests with a case that is neither exact nor rightly refused:\n',
    renderTable(
      head,
      [...tests]
        .filter(([, ones]) => !ones.every(isRight))
        .sort(([a], [b]) => compareCodeUnits(a, b))
        .map(([test, ones]) => rowOf(codeSpan(test), ones)),
    ),
    'Why, by outcome:\n',
    renderTable(['outcome', 'cases', 'which'], reasons),
  ].join('\n');
  return {
    wrong,
    summary: [...says, '', ...alignRows([head, ...rows]), '', ...alignRows([head, ...byFlag])],
    details: others.map(({ asked, result }) => {
      const why = [result.reason, result.note].filter((text) => text != null).join(' · ');
      return `${result.verdict === 'wrong' ? 'WRONG' : result.verdict} ${asked.id} → ${result.newName} [${asked.flags.join(' ')}] ${result.outcome}${why === '' ? '' : `: ${why}`}`;
    }),
    markdown,
  };
}

function listIds(ones: readonly Judged[]): string {
  const ids = ones.map(({ asked }) => asked.id);
  return ids.length <= 12 ? ids.join(', ') : `${ids.slice(0, 12).join(', ')} and ${ids.length - 12} more`;
}

function rowOf(name: string, ones: readonly Judged[]): readonly string[] {
  return [name, String(ones.length), ...verdicts.map((verdict) => String(count(ones, verdict)))];
}

function count(ones: readonly Judged[], verdict: (typeof verdicts)[number]): number {
  return ones.filter(({ result }) => result.verdict === verdict).length;
}

/** Without names and places: what many cases have in common. */
function reasonOf({ verdict, outcome, reason, note }: Judged['result']): string {
  const what = (verdict === 'different' ? note : reason) ?? '';
  return `${verdict}: ${outcome}${what === '' ? '' : ` (${what.split(':')[0]})`}`;
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`;
}

export function alignRows(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows.map((row) =>
    row.map((cell, at) => (at === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  '),
  );
}
