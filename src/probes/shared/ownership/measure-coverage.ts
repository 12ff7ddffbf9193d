/**
 * How much of a repository has an owner. In each section the last pattern that matches decides, and a pattern without owners
 * takes them away; a file is owned if any section gives it owners.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { compareCodeUnits } from '../../../kernel/base/json.ts';
import type { OwnershipEntry } from './parse-codeowners.ts';
import { literalPath, matchesPath } from './path-pattern.ts';

export type Coverage = {
  readonly files: number;
  readonly owned: number;
  /** Directories at the root in which no file has an owner. */
  readonly unowned_top_dirs: readonly string[];
};

/** How long the event loop may wait for us. */
const turnMs = 15;

export async function measureCoverage(
  entries: readonly OwnershipEntry[],
  paths: readonly string[],
  signal: AbortSignal,
): Promise<Coverage> {
  const bySection = new Map<string | null, OwnershipEntry[]>();
  for (const entry of entries) {
    const known = bySection.get(entry.section);
    if (known === undefined) bySection.set(entry.section, [entry]);
    else known.push(entry);
  }
  const sections = [...bySection.values()].map(indexSection);
  const ownedByTop = new Map<string, boolean>();
  let owned = 0;
  let turnStarted = performance.now();
  for (const path of paths) {
    const names = path.split('/');
    const isOwned = sections.some((section) => section.owns(names));
    if (isOwned) owned += 1;
    const [top] = names;
    if (top !== undefined && names.length > 1) ownedByTop.set(top, isOwned || (ownedByTop.get(top) ?? false));
    if (performance.now() - turnStarted > turnMs) {
      await nextTurn();
      signal.throwIfAborted();
      turnStarted = performance.now();
    }
  }
  const unowned = [...ownedByTop].filter(([, isOwned]) => !isOwned).map(([name]) => name);
  return { files: paths.length, owned, unowned_top_dirs: unowned.sort(compareCodeUnits) };
}

type SectionIndex = { owns(names: readonly string[]): boolean };

/**
 * Most lines of a large CODEOWNERS name one directory: those are looked up. Only the others are tried one by one, from the last,
 * and only while they come after what the lookup found.
 */
function indexSection(entries: readonly OwnershipEntry[]): SectionIndex {
  const atPath = new Map<string, number>();
  const belowPath = new Map<string, number>();
  const others: number[] = [];
  const excluding: number[] = [];
  for (const [index, entry] of entries.entries()) {
    const literal = literalPath(entry.match);
    if (entry.excludes) excluding.push(index);
    else if (literal === undefined) others.push(index);
    else {
      belowPath.set(literal.path, index);
      if (literal.itself) atPath.set(literal.path, index);
    }
  }
  others.reverse();
  const matches = (index: number, names: readonly string[]): boolean => {
    const entry = entries[index];
    return entry !== undefined && matchesPath(entry.match, names);
  };
  return {
    owns(names) {
      let best = atPath.get(names.join('/')) ?? -1;
      let directory = '';
      for (const name of names.slice(0, -1)) {
        directory = directory === '' ? name : `${directory}/${name}`;
        best = Math.max(best, belowPath.get(directory) ?? -1);
      }
      for (const index of others) {
        if (index < best) break;
        if (matches(index, names)) best = index;
      }
      const owners = entries[best]?.owners.length ?? 0;
      return owners > 0 && !excluding.some((index) => matches(index, names));
    },
  };
}
