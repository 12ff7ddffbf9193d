/** What a file imports, with where each import leads and what was tried. */

import type { ImportRequest } from '../../resolve/types.ts';
import type { ReadSession } from '../facts-handle.ts';
import type { ImportRow, InterfaceCore, ResolvedImport } from '../rows.ts';
import { findFile } from './find-file.ts';

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

export type ImportRequests = {
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
