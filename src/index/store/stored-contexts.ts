/** The indexer projects ("contexts"), their members, which of them cover a file, and how they differ from what discovery found. */

import type { SQLOutputValue } from 'node:sqlite';
import { canonicalJson, compareCodeUnits, type JsonObject } from '../../kernel/base/json.ts';
import type { ContextSpec, Granularity, ProbeState } from '../../languages/projects/context-spec.ts';
import type { ReadSession } from './read-session.ts';

/** A context as the store has it. */
export type StoredContext = Omit<ContextSpec, 'members' | 'configInputs' | 'problem' | 'endless'> & {
  readonly id: number;
  readonly granularity: Granularity;
  readonly configHash: string;
  readonly toolPath: string | null;
  readonly toolId: string | null;
  readonly envHash: string;
  readonly probe: ProbeState;
  readonly probeDetail: string | null;
};

const contextColumns = `
  c.id, c.key, c.family, c.root, c.config_path AS configPath, c.indexer, c.granularity, c.config_json AS config,
  c.config_hash AS configHash, c.tool_path AS toolPath, c.tool_id AS toolId, c.env_hash AS envHash, c.probe,
  c.probe_detail AS probeDetail, c.enabled
`;

export const contextsSql = `SELECT ${contextColumns} FROM contexts c ORDER BY c.key`;
export const contextByKeySql = `SELECT ${contextColumns} FROM contexts c WHERE c.key = ?`;
export const contextByIdSql = `SELECT ${contextColumns} FROM contexts c WHERE c.id = ?`;
export const contextsOfFileSql = `
  SELECT ${contextColumns} FROM context_members m JOIN contexts c ON c.id = m.context_id WHERE m.path = ?
`;
export const triedSql = 'SELECT path, tried FROM context_members WHERE context_id = ? AND tried IS NOT NULL';
export const globalsSql = 'SELECT made_of AS madeOf, paths FROM context_globals WHERE context_id = ?';
export const membersSql = 'SELECT path FROM context_members WHERE context_id = ?';

/** Whether facts of a context can be had here at all. */
export function isLive(context: Pick<StoredContext, 'enabled' | 'probe'> | undefined): boolean {
  return context?.enabled === true && context.probe === 'ok';
}

/** By key. */
export function listContexts(session: ReadSession): readonly StoredContext[] {
  return sortByKey(session.statement(contextsSql).all().map(storedContext));
}

export function findContext(session: ReadSession, key: string): StoredContext | undefined {
  const row = session.statement(contextByKeySql).get(key);
  return row === undefined ? undefined : storedContext(row);
}

export function findContextById(session: ReadSession, id: number): StoredContext | undefined {
  const row = session.statement(contextByIdSql).get(id);
  return row === undefined ? undefined : storedContext(row);
}

/** Contexts that have this path as a member, by key. */
export function listContextsOfFile(session: ReadSession, path: string): readonly StoredContext[] {
  return sortByKey(session.statement(contextsOfFileSql).all(path).map(storedContext));
}

/** Paths by code unit. */
export function listMembers(session: ReadSession, contextId: number): readonly string[] {
  const rows = session.statement(membersSql).all(contextId);
  return rows.map((row) => String(row['path'])).sort(compareCodeUnits);
}

/** By member: the fingerprint of what a run read that did not settle it. */
export function listTried(session: ReadSession, contextId: number): ReadonlyMap<string, string> {
  const rows = session.statement(triedSql).all(contextId);
  return new Map(rows.map((row) => [String(row['path']), String(row['tried'])]));
}

/** What the last run of the whole program found to concern all members, and what it followed from; absolute paths. */
export function findGlobals(
  session: ReadSession,
  contextId: number,
): { readonly madeOf: string; readonly paths: readonly string[] } | undefined {
  const row = session.statement(globalsSql).get(contextId);
  if (row === undefined) return undefined;
  return { madeOf: String(row['madeOf']), paths: JSON.parse(String(row['paths'])) as readonly string[] };
}

function sortByKey(contexts: readonly StoredContext[]): readonly StoredContext[] {
  return [...contexts].sort((a, b) => compareCodeUnits(a.key, b.key));
}

function storedContext(row: Record<string, SQLOutputValue>): StoredContext {
  return {
    ...(row as unknown as StoredContext),
    config: JSON.parse(String(row['config'])) as JsonObject,
    enabled: row['enabled'] === 1,
  };
}

// ---- against those that discovery found, without writing anything: ten thousand members of which one is new are one row to write, and
// contexts that are as they were need no write transaction and no generation

/** A context without its row id, with the paths it covers. */
export type ContextRow = Omit<StoredContext, 'id'> & { readonly members: readonly string[] };

type PlannedContext = {
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

type ContextPlan = {
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
