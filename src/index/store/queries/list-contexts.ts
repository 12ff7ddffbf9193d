/** The indexer projects, their members, and which of them cover a file. */

import type { SQLOutputValue } from 'node:sqlite';
import type { JsonObject } from '../../../kernel/base/json.ts';
import { compareCodeUnits } from '../../../kernel/base/json.ts';
import type { ContextSpec, Granularity, ProbeState } from '../../../languages/context-spec.ts';
import type { ReadSession } from '../facts-handle.ts';

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

const columns = `
  c.id, c.key, c.family, c.root, c.config_path AS configPath, c.indexer, c.granularity, c.config_json AS config,
  c.config_hash AS configHash, c.tool_path AS toolPath, c.tool_id AS toolId, c.env_hash AS envHash, c.probe,
  c.probe_detail AS probeDetail, c.enabled
`;

export const contextsSql = `SELECT ${columns} FROM contexts c ORDER BY c.key`;
export const contextByKeySql = `SELECT ${columns} FROM contexts c WHERE c.key = ?`;
export const contextByIdSql = `SELECT ${columns} FROM contexts c WHERE c.id = ?`;
export const contextsOfFileSql = `
  SELECT ${columns} FROM context_members m JOIN contexts c ON c.id = m.context_id WHERE m.path = ?
`;
export const triedSql = 'SELECT path, tried FROM context_members WHERE context_id = ? AND tried IS NOT NULL';
export const globalsSql = 'SELECT made_of AS madeOf, paths FROM context_globals WHERE context_id = ?';
export const membersSql = 'SELECT path FROM context_members WHERE context_id = ?';

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
