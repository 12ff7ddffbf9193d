/** The symbols of one file: all of them (an outline), or those around a position. */

import type { ReadSession } from '../facts-handle.ts';
import type { SymbolRow } from '../rows.ts';
import { symbolColumns, symbolRows } from './symbol-rows.ts';

const symbols = `
  SELECT s.id, s.parent_id AS parentId, ${symbolColumns} FROM files f JOIN syn_symbols s ON s.file_id = f.id WHERE f.path = ?
`;

export const symbolsOfFileSql = `${symbols} ORDER BY s.start_byte, s.id`;
export const symbolsAroundSql = `${symbols} AND s.start_byte <= ? AND s.end_byte > ? ORDER BY s.start_byte, s.id`;

/** By their beginning, outer ones before inner ones that begin at the same byte. `parent` is a position in this list. */
export function listSymbolsOfFile(session: ReadSession, path: string): readonly SymbolRow[] {
  return symbolRows(session.statement(symbolsOfFileSql).all(path));
}

/** Outermost first; the last is the innermost. */
export function listSymbolsAround(session: ReadSession, path: string, byte: number): readonly SymbolRow[] {
  return symbolRows(session.statement(symbolsAroundSql).all(path, byte, byte));
}
