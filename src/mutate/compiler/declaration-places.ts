/**
 * The places where a symbol is declared. Of unions, intersections, mapped types and instantiations the checker makes symbols of its
 * own; they carry the declarations of what they come from, and those are listed.
 */

import type { NodeHandle, Symbol as TsSymbol } from '../../kernel/compiler/typescript-api.ts';
import { declarationStart } from './declaration-name.ts';
import type { OpenProgram } from './in-job.ts';
import { placeFile } from './place-file.ts';
import type { DeclarationPlace } from './types.ts';

/** Sorted as the symbol has them, each once. Empty for what the compiler brings along without a declaration, such as `undefined`. */
export type FindPlaces = (symbol: TsSymbol) => readonly DeclarationPlace[];

export function createPlaces(program: OpenProgram): FindPlaces {
  const { root } = program;
  const bySymbol = new WeakMap<TsSymbol, readonly DeclarationPlace[]>();
  const byHandle = new Map<string, DeclarationPlace>();

  const locate = (handle: NodeHandle): DeclarationPlace => {
    const key = `${handle.index}.${handle.path}`;
    const known = byHandle.get(key);
    if (known !== undefined) return known;
    const node = handle.resolve(program.project) ?? handle.resolve();
    const place =
      node === undefined
        ? // The file is in no program that can be asked; its number still tells declarations apart.
          { path: handle.path, outside: true, start: -1 - handle.index }
        : { ...placeFile(root, node.getSourceFile().fileName), start: declarationStart(node) };
    byHandle.set(key, place);
    return place;
  };

  return (symbol) => {
    const known = bySymbol.get(symbol);
    if (known !== undefined) return known;
    const [only, ...more] = symbol.declarations;
    if (only !== undefined && more.length === 0) {
      const alone = [locate(only)];
      bySymbol.set(symbol, alone);
      return alone;
    }
    const places = [...new Set(symbol.declarations.map(locate))];
    const seen = new Set<string>();
    const distinct = places.filter(({ path, start }) => {
      const key = `${path}\0${start}`;
      return seen.has(key) ? false : seen.add(key);
    });
    bySymbol.set(symbol, distinct);
    return distinct;
  };
}
