/** A doubt at one place, and how many are told. */

import type * as ts from '../../../../kernel/compiler/typescript-api.ts';
import type { CompilerItem } from '../../types.ts';

export const sitesMax = 20;

export function site(kind: CompilerItem['kind'], path: string, node: ts.Node, detail: string): CompilerItem {
  return { path, start: node.getStart(), end: node.getEnd(), kind, detail, edits: {} };
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
