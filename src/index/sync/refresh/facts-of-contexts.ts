/**
 * What of the stored facts decides whether a job with the fingerprint of the last one would be idle, for all contexts in one pass over
 * the columns: every question asks it of every context that is not settled, and reading the columns costs as much as the repository is
 * large.
 */

import { compared, type StateColumns } from '../../store/queries/load-state-columns.ts';

export type FactsOfContext = {
  /** Files with facts of their present bytes. */
  readonly current: ReadonlySet<string>;
  /**
   * Those of them whose dependencies were written down with interfaces that are not today's although nobody's bytes changed since:
   * another context was indexed in between, or an import leads elsewhere. Importing the same output again makes them right.
   */
  readonly outdated: ReadonlySet<string>;
};

/** By context id; a context without facts of present bytes is not there. */
export function findFactsOfContexts(columns: StateColumns): ReadonlyMap<number, FactsOfContext> {
  const { facts, edges, files, contexts } = columns;
  const found = new Map<number, { readonly current: Set<string>; readonly outdated: Set<string> }>();
  for (let row = 0; row < facts.count; row += 1) {
    if (facts.hashEqual[row] !== 1 || facts.configEqual[row] !== 1) continue;
    const id = contexts[facts.context[row] ?? -1]?.id ?? -1;
    const path = files.path[facts.file[row] ?? -1] ?? '';
    const known = found.get(id) ?? { current: new Set(), outdated: new Set() };
    found.set(id, known);
    known.current.add(path);
    const end = facts.edgeStart[row + 1] ?? edges.count;
    for (let edge = facts.edgeStart[row] ?? end; edge < end; edge += 1) {
      if (!isOutdated(columns, edge)) continue;
      known.outdated.add(path);
      break;
    }
  }
  return found;
}

function isOutdated({ edges, facts }: StateColumns, edge: number): boolean {
  if (edges.syn[edge] === compared.different) return true;
  const target = edges.targetFacts[edge] ?? -1;
  const isIndexed = target >= 0 && facts.hashEqual[target] === 1 && facts.configEqual[target] === 1;
  return isIndexed && edges.sem[edge] === compared.different;
}
