/** A run in words: one line per rename, then what they add up to by kind and outcome. */

import { compareCodeUnits } from '../../src/kernel/base/json.ts';
import type { FuzzRun } from './run-fuzz.ts';
import type { Tried } from './try-rename.ts';

export function sayTried(tried: Tried, number: number): string {
  const { picked, outcome, reason, back, edits, failures, remarks, ms } = tried;
  const { path, line, col, kind, oldName, newName, aliasPolicy } = picked;
  const said = [outcome, reason.slice(0, 300), back].filter((text) => text !== '').join(' · ');
  const head = `${number} ${kind} ${path}:${line}:${col} ${oldName} → ${newName} (${aliasPolicy}) ${edits.length} edits, ${ms} ms: ${said}`;
  return [
    head,
    ...failures.slice(0, 8).map((one) => `    FAILURE ${one}`),
    ...remarks.slice(0, 6).map((one) => `    ${one}`),
  ].join('\n');
}

export function reportFuzz({ tried, together }: FuzzRun): {
  readonly failed: boolean;
  readonly lines: readonly string[];
} {
  const failing = tried.filter(({ failures }) => failures.length > 0);
  const byKind = Map.groupBy(tried, ({ picked }) => picked.kind);
  const kinds = [...byKind].sort(([a], [b]) => compareCodeUnits(a, b));
  return {
    failed: failing.length > 0 || together.length > 0,
    lines: [
      '',
      ...kinds.map(([kind, ones]) => `${kind}: ${countBy(ones, outcomeOf)}`),
      `all ${tried.length}: ${countBy(tried, outcomeOf)}`,
      `back: ${countBy(
        tried.filter(({ back }) => back !== ''),
        ({ back }) => back.split(':')[0] ?? '',
      )}`,
      `failing: ${failing.length}`,
      ...together,
    ],
  };
}

function outcomeOf({ outcome, reason }: Tried): string {
  return outcome === 'refused' || outcome === 'blocked' ? `${outcome} ${reason.split(':')[0]}` : outcome;
}

function countBy<T>(ones: readonly T[], key: (one: T) => string): string {
  const counts = [...Map.groupBy(ones, key)].map(([name, same]) => [name, same.length] as const);
  return counts
    .sort(([a, m], [b, n]) => n - m || compareCodeUnits(a, b))
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}
