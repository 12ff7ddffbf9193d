/** The numbers of `status`. */

import { compareCodeUnits } from '../../../kernel/base/json.ts';
import type { ReadSession } from '../facts-handle.ts';
import { oncePerGeneration } from '../once-per-generation.ts';

export type Counts = Readonly<Record<string, number>>;

export type FileCounts = {
  readonly files: number;
  readonly aliases: number;
  /** Tracked, not on disk. */
  readonly absent: number;
  readonly symbols: number;
  readonly imports: number;
  readonly generated: number;
  readonly vendored: number;
  readonly test: number;
  readonly conflicted: number;
  readonly redacted: number;
  /** Of present files; text without a language counts as `none`. Keys sorted. */
  readonly byLanguage: Counts;
  readonly byParse: Counts;
  readonly bySkipReason: Counts;
};

export const fileCountsSql = `
  SELECT kind, presence, language, parse, skip_reason AS skipReason, count(*) AS count, sum(generated) AS generated,
    sum(vendored) AS vendored, sum(test) AS test, sum(conflicted) AS conflicted, sum(redacted) AS redacted
  FROM files GROUP BY kind, presence, language, parse, skip_reason
`;
// Counted over the smallest index that has a row for each.
export const symbolCountSql = 'SELECT count(*) AS count FROM syn_symbols';
export const importCountSql = 'SELECT count(*) AS count FROM imports';

type Group = {
  readonly kind: 'file' | 'alias';
  readonly presence: 'present' | 'absent';
  readonly language: string | null;
  readonly parse: string | null;
  readonly skipReason: string | null;
} & Readonly<Record<'count' | 'generated' | 'vendored' | 'test' | 'conflicted' | 'redacted', number>>;

export function countFiles(session: ReadSession): FileCounts {
  return oncePerGeneration(session, 'files', countNow);
}

export const fileRowsSql = 'SELECT count(*) AS count FROM files';

/** Of files and links, on disk or not. */
export function countRows(session: ReadSession): number {
  return Number(session.statement(fileRowsSql).get()?.['count']);
}

function countNow(session: ReadSession): FileCounts {
  const groups = session.statement(fileCountsSql).all() as unknown as readonly Group[];
  const present = groups.filter((group) => group.kind === 'file' && group.presence === 'present');
  const sum = (of: readonly Group[], key: keyof Group): number =>
    of.reduce((total, group) => total + Number(group[key]), 0);
  const countOf = (sql: string): number => Number(session.statement(sql).get()?.['count']);
  return {
    files: sum(present, 'count'),
    aliases: sum(
      groups.filter((group) => group.kind === 'alias'),
      'count',
    ),
    absent: sum(
      groups.filter((group) => group.kind === 'file' && group.presence === 'absent'),
      'count',
    ),
    symbols: countOf(symbolCountSql),
    imports: countOf(importCountSql),
    generated: sum(groups, 'generated'),
    vendored: sum(groups, 'vendored'),
    test: sum(groups, 'test'),
    conflicted: sum(groups, 'conflicted'),
    redacted: sum(groups, 'redacted'),
    byLanguage: tally(present, (group) => group.language ?? 'none'),
    byParse: tally(present, (group) => group.parse),
    bySkipReason: tally(groups, (group) => group.skipReason),
  };
}

function tally(groups: readonly Group[], keyOf: (group: Group) => string | null): Counts {
  const counts = new Map<string, number>();
  for (const group of groups) {
    const key = keyOf(group);
    if (key !== null) counts.set(key, (counts.get(key) ?? 0) + group.count);
  }
  return Object.fromEntries([...counts].sort(([a], [b]) => compareCodeUnits(a, b)));
}
