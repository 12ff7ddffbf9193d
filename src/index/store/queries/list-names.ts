/** Distinct symbol names. No index finds the middle of a word, so whoever asks for parts of names looks through all of them. */

import type { ReadSession } from '../facts-handle.ts';

// As one text: a row for each would take longer than all else.
export const distinctNamesSql = `
  SELECT json_group_array(name) AS names FROM (SELECT name FROM syn_symbols GROUP BY name_fold, name ORDER BY name_fold, name)
`;

/** By folded name, then by name, in the order of the store. */
export function listNames({ statement }: ReadSession): readonly string[] {
  return JSON.parse(String(statement(distinctNamesSql).get()?.['names'])) as readonly string[];
}
