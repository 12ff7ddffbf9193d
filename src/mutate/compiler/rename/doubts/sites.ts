/** A doubt at one place, and how many are told. */

import type * as ts from '../../../../kernel/compiler/typescript-api.ts';
import type { CompilerItem } from '../../types.ts';

export const sitesMax = 20;

export function site(kind: CompilerItem['kind'], path: string, node: ts.Node, detail: string): CompilerItem {
  return { path, start: node.getStart(), end: node.getEnd(), kind, detail, edits: {} };
}

/** A place that is one of many of its kind. */
export type Site = { readonly path: string; readonly node: ts.Node };

/** Asked once, at the first of them. */
export function tellFirst(
  kind: CompilerItem['kind'],
  [first, ...others]: readonly Site[],
  says: string,
): readonly CompilerItem[] {
  if (first === undefined) return [];
  const count = others.length === 0 ? '' : ` (${others.length + 1} places)`;
  return [site(kind, first.path, first.node, `${says}${count}.`)];
}

/** The first of many; the last one that is told says how many are not. */
export function countCut(items: readonly CompilerItem[]): readonly CompilerItem[] {
  if (items.length <= sitesMax) return items;
  const told = items.slice(0, sitesMax);
  const last = told.at(-1);
  if (last === undefined) return told;
  return [
    ...told.slice(0, -1),
    { ...last, detail: `${last.detail} ${items.length - sitesMax} more places like this.` },
  ];
}
