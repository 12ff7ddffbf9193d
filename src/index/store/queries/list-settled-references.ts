/**
 * References that led nowhere when their file was indexed and that lead somewhere by now: another context was indexed since. What such
 * a file says of them is not what it would say today.
 */

import { compareCodeUnits } from '../../../kernel/base/json.ts';
import type { ReadSession } from '../facts-handle.ts';

export const settledReferencesSql = `
  SELECT DISTINCT a.context_id AS contextId, f.path FROM ambiguities a JOIN files f ON f.id = a.file_id
  WHERE a.symbol_id IS NOT NULL AND a.kind = 'unresolved_reference'
    AND EXISTS(SELECT 1 FROM occurrences o WHERE o.symbol_id = a.symbol_id AND (o.roles & 1) = 1)
`;

/** By context id, paths sorted. */
export function listSettledReferences(session: ReadSession): ReadonlyMap<number, readonly string[]> {
  const found = new Map<number, string[]>();
  for (const row of session.statement(settledReferencesSql).iterate()) {
    const contextId = Number(row['contextId']);
    const paths = found.get(contextId);
    if (paths === undefined) found.set(contextId, [String(row['path'])]);
    else paths.push(String(row['path']));
  }
  for (const paths of found.values()) paths.sort(compareCodeUnits);
  return found;
}
