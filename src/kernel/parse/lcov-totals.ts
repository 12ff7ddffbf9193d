/**
 * Totals of an LCOV report, counted from its data: each file once, even when several tests report it, and hit when any of them
 * hit it. What a record declares (`LF`, `LH` and their kin) is used only where it has no data of its own.
 */

import type { LcovFile } from './lcov.ts';

export type LcovTotal = { readonly found: number; readonly hit: number };
export type LcovTotals = { readonly lines: LcovTotal; readonly functions: LcovTotal; readonly branches: LcovTotal };

export function countTotals(
  files: readonly LcovFile[],
  declaredBy: (index: number) => ReadonlyMap<string, number> | undefined,
): LcovTotals {
  const reports = new Map<string, number>();
  for (const { path } of files) reports.set(path, (reports.get(path) ?? 0) + 1);

  function count<T extends { readonly hits: number }>(
    itemsOf: (file: LcovFile) => readonly T[],
    keyOf: (item: T) => string,
    [foundKey, hitKey]: readonly [string, string],
  ): LcovTotal {
    const united = new Map<string, Map<string, boolean>>();
    let found = 0;
    let hit = 0;
    for (const [index, file] of files.entries()) {
      const items = itemsOf(file);
      if (items.length === 0) {
        found += declaredBy(index)?.get(foundKey) ?? 0;
        hit += declaredBy(index)?.get(hitKey) ?? 0;
      } else if (reports.get(file.path) === 1) {
        found += items.length;
        for (const item of items) if (item.hits > 0) hit += 1;
      } else {
        const seen = united.get(file.path) ?? new Map<string, boolean>();
        united.set(file.path, seen);
        for (const item of items) seen.set(keyOf(item), item.hits > 0 || seen.get(keyOf(item)) === true);
      }
    }
    for (const seen of united.values()) {
      found += seen.size;
      for (const isHit of seen.values()) if (isHit) hit += 1;
    }
    return { found, hit };
  }

  return {
    lines: count(
      (file) => file.lines,
      (each) => String(each.line),
      ['LF', 'LH'],
    ),
    functions: count(
      (file) => file.functions,
      (each) => `${each.line} ${each.name}`,
      ['FNF', 'FNH'],
    ),
    branches: count(
      (file) => file.branches,
      (each) => `${each.line} ${each.block} ${each.branch}`,
      ['BRF', 'BRH'],
    ),
  };
}
