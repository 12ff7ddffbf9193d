/** Which file leads to which, of all files at once: what a program can reach from its members. */

import type { ReadSession } from '../facts-handle.ts';

export const importEdgesSql = `
  SELECT f.path AS source, i.resolved_path AS target FROM imports i JOIN files f ON f.id = i.file_id
  WHERE i.resolved_path IS NOT NULL
`;
export const importTargetEdgesSql = `
  SELECT f.path AS source, t.path AS target FROM import_targets t JOIN files f ON f.id = t.file_id WHERE t.rank > 0
`;

export type ImportGraph = Map<string, readonly string[]>;

/** Files without a target have no entry; targets are distinct, in no particular order. */
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
