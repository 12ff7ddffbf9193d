/** That files were indexed, at which bytes, and what they depended on then. */

import { compareCodeUnits } from '../../../kernel/base/json.ts';
import type { DependencySnapshot } from '../document-facts.ts';
import type { ReadSession } from '../facts-handle.ts';

export type StoredFileFacts = {
  readonly contextId: number;
  readonly contextKey: string;
  readonly hashAtIndex: string;
  /** Empty: the environment of the context has changed since. */
  readonly configHash: string;
  readonly toolId: string;
  readonly semIface: string | null;
  readonly ownIface: string | null;
  readonly origin: 'indexer' | 'patched';
  readonly jobId: number | null;
};

export type StoredDependent = DependencySnapshot & { readonly contextId: number };

export const factsOfFileSql = `
  SELECT t.context_id AS contextId, c.key AS contextKey, t.hash_at_index AS hashAtIndex, t.config_hash AS configHash,
    t.tool_id AS toolId, t.sem_iface AS semIface, t.own_iface AS ownIface, t.origin, t.job_id AS jobId
  FROM files f JOIN file_facts t ON t.file_id = f.id JOIN contexts c ON c.id = t.context_id WHERE f.path = ?
`;
export const ownInterfacesSql = `
  SELECT f.path, t.hash_at_index AS hashAtIndex, t.own_iface AS ownIface, t.sem_iface AS semIface
  FROM file_facts t JOIN files f ON f.id = t.file_id WHERE t.context_id = ?
`;
export const patchedSql = `
  SELECT f.path FROM file_facts t JOIN files f ON f.id = t.file_id WHERE t.context_id = ? AND t.origin = 'patched'
`;
export const lineHashesSql = `
  SELECT t.line_hashes AS hashes FROM files f JOIN file_facts t ON t.file_id = f.id WHERE f.path = ? AND t.context_id = ?
`;
const snapshot = 'LEFT JOIN dep_texts a ON a.id = d.syn_id LEFT JOIN dep_texts b ON b.id = d.sem_id';
export const dependenciesSql = `
  SELECT p.text AS path, a.text AS syn, b.text AS sem
  FROM files f JOIN file_deps d ON d.file_id = f.id JOIN dep_texts p ON p.id = d.path_id ${snapshot}
  WHERE f.path = ? AND d.context_id = ?
`;
export const dependentsSql = `
  SELECT f.path, d.context_id AS contextId, a.text AS syn, b.text AS sem
  FROM dep_texts p JOIN file_deps d ON d.path_id = p.id JOIN files f ON f.id = d.file_id ${snapshot} WHERE p.text = ?
`;

/** By context key. */
export function listFactsOfFile(session: ReadSession, path: string): readonly StoredFileFacts[] {
  const rows = session.statement(factsOfFileSql).all(path);
  return rows
    .map((row) => ({ ...(row as unknown as StoredFileFacts) }))
    .sort((a, b) => compareCodeUnits(a.contextKey, b.contextKey));
}

export type OwnInterface = Pick<StoredFileFacts, 'hashAtIndex' | 'ownIface' | 'semIface'>;

/** What a context says of the interfaces of its files before those of others are part of them, by path. */
export function loadOwnInterfaces(session: ReadSession, contextId: number): ReadonlyMap<string, OwnInterface> {
  const rows = session.statement(ownInterfacesSql).all(contextId) as unknown as (OwnInterface & { path: string })[];
  return new Map(rows.map((row) => [row.path, row]));
}

/** Files of a context whose facts no indexer has said yet, in no order. */
export function listPatched(session: ReadSession, contextId: number): readonly string[] {
  return session
    .statement(patchedSql)
    .all(contextId)
    .map((row) => String(row['path']));
}

/** 8 bytes per line of the text at `hashAtIndex`. */
export function findLineHashes(session: ReadSession, path: string, contextId: number): Uint8Array | undefined {
  return session.statement(lineHashesSql).get(path, contextId)?.['hashes'] as Uint8Array | undefined;
}

/** What a file depended on when it was indexed, by path. */
export function listDependencies(session: ReadSession, path: string, contextId: number): readonly DependencySnapshot[] {
  const rows = session.statement(dependenciesSql).all(path, contextId);
  return rows
    .map((row) => ({ ...(row as unknown as DependencySnapshot) }))
    .sort((a, b) => compareCodeUnits(a.path, b.path));
}

/** Files that depended on this path when they were indexed, by path and context. The path need not be there any more. */
export function listDependents(session: ReadSession, path: string): readonly StoredDependent[] {
  const rows = session.statement(dependentsSql).all(path);
  return rows
    .map((row) => ({ ...(row as unknown as StoredDependent) }))
    .sort((a, b) => compareCodeUnits(a.path, b.path) || a.contextId - b.contextId);
}
