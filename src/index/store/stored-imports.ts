/** Imports and exports: what a file imports, where that leads and what was tried, who imports a file, what files export and provide. */

import type { SQLOutputValue } from 'node:sqlite';
import { compareCodeUnits } from '../../kernel/base/json.ts';
import type { ImportReason, ImportRequest } from '../../languages/resolving/resolution.ts';
import type { ExportRow, ImportRow, InterfaceCore, ResolvedImport } from './file-rows.ts';
import type { ReadSession } from './read-session.ts';
import { findFile } from './stored-files.ts';

export type StoredImport = ImportRow & ResolvedImport;

export const importsOfFileSql = `
  SELECT i.specifier, i.kind, i.literal, i.type_only, i.names, i.resolved_path, i.external, i.reason, i.start_byte, i.end_byte
  FROM files f JOIN imports i ON i.file_id = f.id WHERE f.path = ? ORDER BY i.ordinal
`;
export const targetsOfFileSql = `
  SELECT t.ordinal, t.path FROM files f JOIN import_targets t ON t.file_id = f.id WHERE f.path = ? ORDER BY t.ordinal, t.rank
`;
export const candidatesOfFileSql = `
  SELECT c.ordinal, c.path FROM files f JOIN import_candidates c ON c.file_id = f.id WHERE f.path = ? ORDER BY c.ordinal, c.rank
`;

export const firstTargetsSql = `
  SELECT i.resolved_path AS path FROM files f JOIN imports i ON i.file_id = f.id WHERE f.path = ? AND i.resolved_path IS NOT NULL
`;
export const firstTargetsOfFilesSql = `
  SELECT i.resolved_path AS path FROM json_each(?) j CROSS JOIN files f ON f.path = j.value
  JOIN imports i ON i.file_id = f.id WHERE i.resolved_path IS NOT NULL
`;
export const targetsOfFilesSql = `
  SELECT t.path FROM json_each(?) j CROSS JOIN files f ON f.path = j.value JOIN import_targets t ON t.file_id = f.id
`;

/** All files that a file's imports lead to, without the rest of what is known about them. */
export function listTargetsOfFile(session: ReadSession, path: string): ReadonlySet<string> {
  const targets = new Set<string>();
  for (const row of session.statement(firstTargetsSql).all(path)) targets.add(String(row['path']));
  if (targets.size === 0) return targets;
  for (const row of session.statement(targetsOfFileSql).all(path)) targets.add(String(row['path']));
  return targets;
}

/** The same of many files at once. */
export function listTargetsOfFiles(session: ReadSession, paths: Iterable<string>): ReadonlySet<string> {
  const wanted = JSON.stringify([...paths]);
  const targets = new Set<string>();
  for (const sql of [firstTargetsOfFilesSql, targetsOfFilesSql]) {
    const statement = session.statement(sql);
    statement.setReturnArrays(true);
    for (const [path] of statement.all(wanted) as unknown as [string][]) targets.add(path);
  }
  return targets;
}

/** In the order of the text; the position in the list is the import's ordinal. */
export function listImportsOfFile(session: ReadSession, path: string): readonly StoredImport[] {
  const rows = session.statement(importsOfFileSql).all(path);
  if (rows.length === 0) return [];
  const targets = groupPaths(session.statement(targetsOfFileSql).all(path));
  const candidates = groupPaths(session.statement(candidatesOfFileSql).all(path));
  return rows.map((row, ordinal) => {
    const first = row['resolved_path'] as string | null;
    return {
      specifier: String(row['specifier']),
      kind: row['kind'] as ImportRow['kind'],
      literal: row['literal'] === 1,
      typeOnly: row['type_only'] === 1,
      names: JSON.parse(String(row['names'])) as ImportRow['names'],
      start: Number(row['start_byte']),
      end: Number(row['end_byte']),
      targets: first === null ? [] : (targets.get(ordinal) ?? [first]),
      external: row['external'] as string | null,
      reason: row['reason'] as ResolvedImport['reason'],
      candidates: candidates.get(ordinal) ?? [],
    };
  });
}

type ImportRequests = {
  readonly requests: readonly ImportRequest[];
  readonly resolutions: readonly ResolvedImport[];
  readonly ifaceCore: InterfaceCore | null;
  readonly synIface: string | null;
};

/** All that is needed to resolve a file's imports again without parsing it, and to see whether anything changed. */
export function loadImportRequests(session: ReadSession, path: string): ImportRequests | undefined {
  const file = findFile(session, path);
  if (file === undefined) return undefined;
  const imports = listImportsOfFile(session, path);
  return {
    requests: imports.map(({ specifier, kind, literal, names }) => ({
      specifier,
      kind,
      literal,
      names: names.map(({ name }) => name),
    })),
    resolutions: imports.map(({ targets, reason, external, candidates }) => ({
      targets,
      reason,
      external,
      candidates,
    })),
    ifaceCore: file.ifaceCore,
    synIface: file.synIface,
  };
}

function groupPaths(rows: readonly object[]): ReadonlyMap<number, readonly string[]> {
  const groups = new Map<number, string[]>();
  for (const { ordinal, path } of rows as readonly { ordinal: number; path: string }[]) {
    const group = groups.get(ordinal);
    if (group === undefined) groups.set(ordinal, [path]);
    else group.push(path);
  }
  return groups;
}

// ---- importers of a file, and those to resolve again when a path or a name appears or goes

export type Importer = {
  readonly path: string;
  readonly ordinal: number;
  readonly specifier: string;
  readonly kind: ImportRow['kind'];
  readonly typeOnly: boolean;
};

const importerColumns = 'f.path, i.ordinal, i.specifier, i.kind, i.type_only AS typeOnly';

export const importersSql = `
  SELECT ${importerColumns} FROM imports i JOIN files f ON f.id = i.file_id WHERE i.resolved_path = ?
`;
// The first of several targets is found by the other statement.
export const importersAmongSeveralSql = `
  SELECT ${importerColumns} FROM import_targets t JOIN imports i ON i.file_id = t.file_id AND i.ordinal = t.ordinal
  JOIN files f ON f.id = t.file_id WHERE t.path = ? AND t.rank > 0
`;
export const waitingSql = `
  SELECT f.path FROM import_candidates c JOIN files f ON f.id = c.file_id WHERE c.path = ?
`;

/** By path, then by the order in the file. */
export function listImportersOf(session: ReadSession, path: string): readonly Importer[] {
  const rows = [importersSql, importersAmongSeveralSql].flatMap((sql) => session.statement(sql).all(path));
  return rows
    .map((row) => ({ ...(row as unknown as Importer), typeOnly: row['typeOnly'] === 1 }))
    .sort((a, b) => compareCodeUnits(a.path, b.path) || a.ordinal - b.ordinal);
}

/** Files whose imports name one of these as a candidate: a path, `dir/`, or a provided name. Sorted, each once (R5). */
export function listImportersWaitingFor(session: ReadSession, tokens: Iterable<string>): readonly string[] {
  const statement = session.statement(waitingSql);
  const paths = new Set<string>();
  for (const token of new Set(tokens)) for (const row of statement.all(token)) paths.add(String(row['path']));
  return [...paths].sort(compareCodeUnits);
}

// ---- exports

const exportColumns =
  'e.public_name AS publicName, e.local_name AS localName, e.specifier, e.star, e.type_only AS typeOnly';

export const exportsOfFileSql = `
  SELECT ${exportColumns} FROM files f JOIN exports e ON e.file_id = f.id WHERE f.path = ? ORDER BY e.ordinal
`;

export function listExportsOfFile(session: ReadSession, path: string): readonly ExportRow[] {
  return session.statement(exportsOfFileSql).all(path).map(exportRow);
}

function exportRow(row: Record<string, SQLOutputValue>): ExportRow {
  return { ...(row as unknown as ExportRow), star: row['star'] === 1, typeOnly: row['typeOnly'] === 1 };
}

// ---- names under which files may be asked for where paths do not say it

type Provided = { readonly name: string; readonly path: string };

export const allProvidesSql = 'SELECT p.name, f.path FROM provides p JOIN files f ON f.id = p.file_id';

/** Sorted by name, then by path. */
export function allProvides(session: ReadSession): readonly Provided[] {
  const rows = session.statement(allProvidesSql).all() as unknown as Provided[];
  return rows
    .map(({ name, path }) => ({ name, path }))
    .sort((a, b) => compareCodeUnits(a.name, b.name) || compareCodeUnits(a.path, b.path));
}

// ---- imports of the whole repository

export const externalImportsSql = `
  SELECT DISTINCT specifier FROM imports WHERE resolved_path IS NULL AND specifier NOT GLOB '.*'
`;

/** Packages that files import: every specifier once, in no order that means anything. */
export function listExternalImports(session: ReadSession): readonly string[] {
  return session
    .statement(externalImportsSql)
    .all()
    .map((row) => String(row['specifier']));
}

export type UnresolvedImport = {
  readonly path: string;
  readonly language: string | null;
  readonly specifier: string;
  readonly reason: ImportReason;
};

// What is external or outside the root is resolved: it is not here.
export const unresolvedImportsSql = `
  SELECT f.path, f.language, i.specifier, i.reason FROM imports i JOIN files f ON f.id = i.file_id
  WHERE i.reason IN ('dynamic', 'ambiguous', 'not_found')
`;

/** Imports that lead to no file and yet may mean one: a count of importers cannot rule them out (P2). */
export function listUnresolvedImports(session: ReadSession): readonly UnresolvedImport[] {
  return session
    .statement(unresolvedImportsSql)
    .all()
    .map((row) => ({ ...(row as unknown as UnresolvedImport) }));
}

export const importEdgesSql = `
  SELECT f.path AS source, i.resolved_path AS target FROM imports i JOIN files f ON f.id = i.file_id
  WHERE i.resolved_path IS NOT NULL
`;
export const importTargetEdgesSql = `
  SELECT f.path AS source, t.path AS target FROM import_targets t JOIN files f ON f.id = t.file_id WHERE t.rank > 0
`;

export type ImportGraph = Map<string, readonly string[]>;

/** Which file leads to which, of all files at once. Files without a target have no entry; targets are distinct, in no particular order. */
export function loadImportGraph(session: ReadSession): ImportGraph {
  const found = new Map<string, Set<string>>();
  for (const sql of [importEdgesSql, importTargetEdgesSql]) {
    for (const row of session.statement(sql).iterate()) {
      const source = String(row['source']);
      const targets = found.get(source);
      if (targets === undefined) found.set(source, new Set([String(row['target'])]));
      else targets.add(String(row['target']));
    }
  }
  const graph: ImportGraph = new Map();
  for (const [source, targets] of found) graph.set(source, [...targets]);
  return graph;
}
