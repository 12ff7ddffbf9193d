/**
 * What tells the stored contexts from those that discovery found, without writing anything. Ten thousand members of which one is new
 * are one row to write, and contexts that are as they were need no write transaction and no generation.
 */

import { canonicalJson, compareCodeUnits } from '../../../kernel/base/json.ts';
import type { ReadSession } from '../facts-handle.ts';
import { listContexts, membersSql, type StoredContext } from './list-contexts.ts';

/** A context without its row id, with the paths it covers. */
export type ContextRow = Omit<StoredContext, 'id'> & { readonly members: readonly string[] };

export type PlannedContext = {
  /** Undefined: it is new. */
  readonly stored: StoredContext | undefined;
  readonly row: ContextRow;
  /** Any column differs. */
  readonly differs: boolean;
  /** What an answer could notice: configuration, tool, environment, probe, `enabled`, members. */
  readonly isChanged: boolean;
  /** Paths to add; all of them have a row in `files` (D7). */
  readonly joins: readonly string[];
  readonly leaves: readonly string[];
};

export type ContextPlan = {
  readonly contexts: readonly PlannedContext[];
  readonly removed: readonly StoredContext[];
};

export const fileExistsSql = 'SELECT 1 FROM files WHERE path = ?';

export function planContexts(session: ReadSession, rows: readonly ContextRow[]): ContextPlan {
  const stored = new Map(listContexts(session).map((context) => [context.key, context]));
  const contexts = [...rows]
    .sort((a, b) => compareCodeUnits(a.key, b.key))
    .map((row): PlannedContext => {
      const known = stored.get(row.key);
      stored.delete(row.key);
      const { joins, leaves } = compareMembers(session, known?.id, row.members);
      const isChanged =
        known !== undefined &&
        (joins.length > 0 || leaves.length > 0 || noticed.some((name) => known[name] !== row[name]));
      return { stored: known, row, differs: known === undefined || !isSame(known, row), isChanged, joins, leaves };
    });
  return { contexts, removed: [...stored.values()] };
}

export function isEmptyPlan({ contexts, removed }: ContextPlan): boolean {
  return removed.length === 0 && contexts.every(({ differs, isChanged }) => !differs && !isChanged);
}

const noticed = ['configHash', 'toolId', 'envHash', 'probe', 'enabled'] as const;
const plain = [
  ...noticed,
  'family',
  'root',
  'configPath',
  'indexer',
  'granularity',
  'toolPath',
  'probeDetail',
] as const;

function isSame(stored: StoredContext, row: ContextRow): boolean {
  return (
    plain.every((name) => stored[name] === row[name]) && canonicalJson(stored.config) === canonicalJson(row.config)
  );
}

function compareMembers(
  session: ReadSession,
  contextId: number | undefined,
  members: readonly string[],
): Pick<PlannedContext, 'joins' | 'leaves'> {
  const left = new Set(
    contextId === undefined
      ? []
      : session
          .statement(membersSql)
          .all(contextId)
          .map((row) => String(row['path'])),
  );
  const exists = session.statement(fileExistsSql);
  const joins: string[] = [];
  for (const path of new Set(members)) if (!left.delete(path) && exists.get(path) !== undefined) joins.push(path);
  return { joins, leaves: [...left] };
}
