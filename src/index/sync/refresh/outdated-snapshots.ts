/**
 * Files whose dependencies were written down with interfaces that are not today's although nobody's bytes changed since: another
 * context was indexed in between, or an import leads elsewhere. Importing the same output again makes them right, so a job with the
 * fingerprint of the last one is not idle for them.
 */

import { compared, type StateColumns } from '../../store/queries/load-state-columns.ts';

export function findOutdatedSnapshots(columns: StateColumns, contextId: number): ReadonlySet<string> {
  const { facts, edges, files, contexts } = columns;
  const context = contexts.findIndex(({ id }) => id === contextId);
  const found = new Set<string>();
  for (let row = 0; row < facts.count; row += 1) {
    if (facts.context[row] !== context || facts.hashEqual[row] !== 1 || facts.configEqual[row] !== 1) continue;
    const end = facts.edgeStart[row + 1] ?? edges.count;
    for (let edge = facts.edgeStart[row] ?? end; edge < end; edge += 1) {
      if (!isOutdated(columns, edge)) continue;
      found.add(files.path[facts.file[row] ?? -1] ?? '');
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
