/**
 * All distinct symbol names, once per generation. No index finds the middle of a word, so whoever asks for parts of names looks through
 * all of them: 50,000 take 15 ms to fetch, and 1 ms to look through from then on. The caller fetches symbols by exact name.
 */

import type { ReadSession } from '../facts-handle.ts';
import { oncePerGeneration } from '../once-per-generation.ts';

/** By folded name, then by name, in the order of the store. */
export type NameList = {
  readonly names: readonly string[];
  /** Each of `names` in lower case. */
  readonly folds: readonly string[];
};

// As one text: a row for each would take longer than all else.
export const distinctNamesSql = `
  SELECT json_group_array(name) AS names FROM (SELECT name FROM syn_symbols GROUP BY name_fold, name ORDER BY name_fold, name)
`;

export function listNames(session: ReadSession): NameList {
  return oncePerGeneration(session, 'names', ({ statement }) => {
    const names = JSON.parse(String(statement(distinctNamesSql).get()?.['names'])) as readonly string[];
    return { names, folds: names.map((name) => name.toLowerCase()) };
  });
}
