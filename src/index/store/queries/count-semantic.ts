/** How much the indexers said, for `status`. Members and indexed files are counted from small indexes; the rest is what it is. */

import type { ReadSession } from '../facts-handle.ts';
import { oncePerGeneration } from '../once-per-generation.ts';

export type SemanticCounts = {
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
  // Identities that nobody refers to any more are swept within a generation.
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
