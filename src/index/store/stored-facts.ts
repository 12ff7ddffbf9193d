/**
 * What indexers were told and what they left: which files were indexed at which bytes, what these depended on then, the interfaces that are
 * compared before and after a run, and the files that add to the declarations of others.
 */

import { compareCodeUnits } from '../../kernel/base/json.ts';
import type { DependencySnapshot } from './document-facts.ts';
import type { ReadSession } from './read-session.ts';

type StoredFileFacts = {
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

type StoredDependent = DependencySnapshot & { readonly contextId: number };

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
export const scipDocumentsSql = `
  SELECT f.path, f.id AS fileId FROM file_facts t JOIN files f ON f.id = t.file_id
    JOIN scip_documents d ON d.file_id = t.file_id AND d.context_id = t.context_id WHERE t.context_id = ?
`;
export const scipDocumentSql = 'SELECT bytes FROM scip_documents WHERE file_id = ? AND context_id = ?';
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

/** Files of a context whose document is stored, in no order. */
export function listScipDocuments(
  session: ReadSession,
  contextId: number,
): readonly { readonly path: string; readonly fileId: number }[] {
  const rows = session.statement(scipDocumentsSql).all(contextId);
  return rows.map(({ path, fileId }) => ({ path: String(path), fileId: Number(fileId) }));
}

export function findScipDocument(session: ReadSession, fileId: number, contextId: number): Uint8Array | undefined {
  return session.statement(scipDocumentSql).get(fileId, contextId)?.['bytes'] as Uint8Array | undefined;
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

// ---- bytes and syntactic interfaces of all files, as one moment: what a refresh job compares before and after its run

export type FileInterface = {
  readonly hash: string;
  readonly synIface: string | null;
  /** It may add to the declarations of files that do not import it. */
  readonly augments?: boolean;
};

export const interfacesSql = `
  SELECT path, content_hash AS hash, syn_iface AS synIface FROM files WHERE content_hash IS NOT NULL
`;

// Of what is not parsed nothing but the bytes can be observed.
export const interfaceClosedSql = 'SELECT parse IS NULL OR iface_closed AS closed FROM files WHERE path = ?';

/** True also where there is no such file: nothing leads on from there. */
export function isInterfaceClosed(session: ReadSession, path: string): boolean {
  return session.statement(interfaceClosedSql).get(path)?.['closed'] !== 0;
}

/** By path, of those files that have one. */
export function loadSyntacticInterfaces(session: ReadSession): ReadonlyMap<string, string> {
  const rows = session.statement(interfacesSql).all();
  return new Map(
    rows.flatMap((row) => (row['synIface'] === null ? [] : [[String(row['path']), String(row['synIface'])]])),
  );
}

export function loadInterfaces(session: ReadSession): ReadonlyMap<string, FileInterface> {
  const found = new Map<string, FileInterface>();
  for (const row of session.statement(interfacesSql).iterate()) {
    found.set(String(row['path']), { hash: String(row['hash']), synIface: row['synIface'] as string | null });
  }
  for (const path of listAugmentingFiles(session)) {
    const known = found.get(path);
    if (known !== undefined) found.set(path, { ...known, augments: true });
  }
  return found;
}

// ---- files of JavaScript and TypeScript that may add to what others declare without being imported: declaration files, files that hold
// `declare` together with `global` or `module`, and scripts, whose top level all files share. By the names in the text, so it is a superset

type AugmentingFile = {
  readonly path: string;
  /** Not only a script. */
  readonly declares: boolean;
};

const declares = `(f.path GLOB '*.d.*ts' OR f.path GLOB '*.d.ts'
    OR f.id IN (SELECT rowid FROM fts_ident WHERE fts_ident MATCH 'declare AND (global OR module)'))`;
// `export {}` leaves no row: such a file is taken for a script.
const augments = `f.kind = 'file' AND f.presence = 'present' AND f.language IN ('typescript', 'javascript') AND (${declares}
    OR NOT (EXISTS(SELECT 1 FROM imports i WHERE i.file_id = f.id) OR EXISTS(SELECT 1 FROM exports e WHERE e.file_id = f.id)))`;

export const augmentingMembersSql = `
  SELECT f.path, ${declares} AS declares FROM context_members m JOIN files f ON f.path = m.path
  WHERE m.context_id = ? AND ${augments}
`;
export const augmentingAmongSql = `
  SELECT f.path FROM json_each(?) j JOIN files f ON f.path = j.value WHERE ${augments}
`;

export const augmentingFilesSql = `SELECT f.path FROM files f WHERE ${augments}`;

/** In no order. */
function listAugmentingFiles(session: ReadSession): readonly string[] {
  return session.statement(augmentingFilesSql).all().map(pathOf);
}

const pathOf = (row: Readonly<Record<string, unknown>>): string => String(row['path']);

/** Members of a context, by path. */
export function listAugmentingMembers(session: ReadSession, contextId: number): readonly AugmentingFile[] {
  const rows = session.statement(augmentingMembersSql).all(contextId);
  return rows
    .map((row) => ({ path: pathOf(row), declares: row['declares'] === 1 }))
    .sort((a, b) => compareCodeUnits(a.path, b.path));
}

/** Which of these files. */
export function listAugmentingAmong(session: ReadSession, paths: readonly string[]): readonly string[] {
  if (paths.length === 0) return [];
  return session.statement(augmentingAmongSql).all(JSON.stringify(paths)).map(pathOf);
}
