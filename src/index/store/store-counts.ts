/** The numbers of `status`: files and how they came through the parser, and how much the indexers said. */

import { compareCodeUnits } from '../../kernel/base/json.ts';
import type { FileRow } from './file-rows.ts';
import { oncePerGeneration, type ReadSession } from './read-session.ts';

type Counts = Readonly<Record<string, number>>;

type FileCounts = {
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
    byLanguage: countBy(present, (group) => group.language ?? 'none'),
    byParse: countBy(present, (group) => group.parse),
    bySkipReason: countBy(groups, (group) => group.skipReason),
  };
}

function countBy(groups: readonly Group[], keyOf: (group: Group) => string | null): Counts {
  const counts = new Map<string, number>();
  for (const group of groups) {
    const key = keyOf(group);
    if (key !== null) counts.set(key, (counts.get(key) ?? 0) + group.count);
  }
  return Object.fromEntries([...counts].sort(([a], [b]) => compareCodeUnits(a, b)));
}

// ---- by language, how files came through the parser

export type ParseCount = Pick<FileRow, 'language' | 'parse' | 'skipReason'> & { readonly count: number };

export const parseCountsSql = `
  SELECT language, parse, skip_reason AS skipReason, count(*) AS count FROM files
  WHERE kind = 'file' AND presence = 'present' GROUP BY language, parse, skip_reason
`;

/** Of present files; links and absent files have no content to speak of. */
export function countParses(session: ReadSession): readonly ParseCount[] {
  return oncePerGeneration(session, 'parses', ({ statement }) =>
    statement(parseCountsSql)
      .all()
      .map((row) => ({ ...(row as unknown as ParseCount) })),
  );
}

/** Of present files, sorted. */
export function listLanguages(session: ReadSession): readonly string[] {
  const languages = countParses(session).flatMap(({ language }) => (language === null ? [] : [language]));
  return [...new Set(languages)].sort(compareCodeUnits);
}

// ---- what indexers said: members and indexed files are counted from small indexes

type SemanticCounts = {
  /** Identities, locals and what is no longer referred to included. */
  readonly symbols: number;
  readonly occurrences: number;
  /** By context id. */
  readonly contexts: ReadonlyMap<number, { readonly members: number; readonly indexed: number }>;
};

export const semanticSymbolCountSql = 'SELECT count(*) AS n FROM symbols';
export const occurrenceCountSql = 'SELECT count(*) AS n FROM occurrences';
export const contextCountsSql = `
  SELECT c.id, (SELECT count(*) FROM context_members m WHERE m.context_id = c.id) AS members,
    (SELECT count(*) FROM file_facts t WHERE t.context_id = c.id) AS indexed
  FROM contexts c
`;

export function countSemantic(session: ReadSession): SemanticCounts {
  // Identities without a reference are swept within a generation.
  const symbols = count(session, semanticSymbolCountSql);
  return { symbols, ...oncePerGeneration(session, 'semantic', countFacts) };
}

function countFacts(session: ReadSession): Omit<SemanticCounts, 'symbols'> {
  const rows = session.statement(contextCountsSql).all();
  return {
    occurrences: count(session, occurrenceCountSql),
    contexts: new Map(
      rows.map((row) => [Number(row['id']), { members: Number(row['members']), indexed: Number(row['indexed']) }]),
    ),
  };
}

function count(session: ReadSession, sql: string): number {
  return Number(session.statement(sql).get()?.['n']);
}
