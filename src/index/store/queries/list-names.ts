/**
 * Distinct symbol names by a part of them. No index finds the middle of a word, so these scan `syn_by_name` from end to end, which
 * holds nothing but names: 280,000 symbols take some 15 ms. The caller ranks the names and then fetches symbols by exact name.
 */

import type { ReadSession } from '../facts-handle.ts';
import type { SymbolName } from './list-symbols.ts';

export type CountedName = SymbolName & {
  /** How many symbols bear it. */
  readonly count: number;
};

const names = 'SELECT name, name_fold AS nameFold, count(*) AS count FROM syn_symbols';

export const namesContainingSql = `
  ${names} WHERE instr(name_fold, ?) > 0 GROUP BY name_fold, name ORDER BY name_fold, name LIMIT ?
`;
export const namesMatchingSql = `
  ${names} WHERE name GLOB ? GROUP BY name_fold, name ORDER BY name_fold, name LIMIT ?
`;

export function listNamesContaining(session: ReadSession, foldedPart: string, limit: number): readonly CountedName[] {
  return session.statement(namesContainingSql).all(foldedPart, limit).map(countedName);
}

/** `glob` in SQLite's syntax, case-sensitive, over the whole name: `g*U*N*` for the word parts of `getUserName`. */
export function listNamesMatching(session: ReadSession, glob: string, limit: number): readonly CountedName[] {
  return session.statement(namesMatchingSql).all(glob, limit).map(countedName);
}

function countedName(row: object): CountedName {
  return { ...(row as CountedName) };
}
