/**
 * Certainty belongs to a file and a symbol (code-plane.md §8): `certain` and `ambiguous` need a clean file, and only an item that
 * touches that symbol makes it ambiguous (T10). A file's own badge is the worst over the symbols it defines.
 */

import type { ReadSession } from '../store/facts-handle.ts';
import { listAmbiguousFiles } from '../store/queries/list-ambiguous-files.ts';
import { listItemsOfFile, listItemsOfName, listItemsOfSymbol, type StoredItem } from '../store/queries/list-items.ts';
import type { FileStates } from './file-states.ts';
import type { Freshness } from './freshness.ts';

export const certainties = ['certain', 'ambiguous', 'unknown'] as const;
export type Certainty = (typeof certainties)[number];

export function certaintyOf(freshness: Freshness, isTouched: boolean): Certainty {
  if (freshness !== 'clean') return 'unknown';
  return isTouched ? 'ambiguous' : 'certain';
}

/** By path and position. An item that names no symbol reaches every symbol of its name; one without a name, all of its file. */
export function listItemsTouching(
  session: ReadSession,
  path: string,
  symbol: { readonly symbolId: number; readonly name: string },
): readonly StoredItem[] {
  return [
    ...listItemsOfSymbol(session, symbol.symbolId),
    ...listItemsOfName(session, symbol.name).filter((item) => item.symbolId === null),
    ...listItemsOfFile(session, path).filter((item) => item.symbolId === null && item.name === null),
  ];
}

/** How many files have which badge. */
export function countCertainty(session: ReadSession, states: FileStates): Readonly<Record<Certainty, number>> {
  const { clean, ...others } = states.counts();
  const ambiguous = listAmbiguousFiles(session).filter((path) => states.of(path).freshness === 'clean').length;
  const unknown = Object.values(others).reduce((sum, count) => sum + count, 0);
  return { certain: clean - ambiguous, ambiguous, unknown };
}
