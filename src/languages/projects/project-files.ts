/** What the discovery of build-based families shares: which directory a file belongs to, and the build files that decide a program. */

import { blake3Hex } from '../../kernel/base/hash.ts';
import { compareCodeUnits, type Json } from '../../kernel/base/json.ts';
import type { ResolveWorld } from '../resolving/resolution.ts';
import { ancestorsOf, below, directoryOf } from '../resolving/root-paths.ts';
import type { TypeScriptIndexer } from './context-spec.ts';

/** `places` that lie above a directory or are it, nearest first: the first is where it belongs. Remembers what it was asked. */
export function createNearest(places: ReadonlySet<string>): (directory: string) => string | null {
  const known = new Map<string, string | null>();
  return (directory) => {
    let nearest = known.get(directory);
    if (nearest === undefined) {
      nearest = null;
      for (const at of ancestorsOf(directory)) {
        if (!places.has(at)) continue;
        nearest = at;
        break;
      }
      known.set(directory, nearest);
    }
    return nearest;
  };
}

/** Files by the nearest of the places above them; those below none of them under `null`. Order is kept. */
export function groupByNearest(
  files: readonly string[],
  places: ReadonlySet<string>,
): ReadonlyMap<string | null, readonly string[]> {
  const nearest = createNearest(places);
  const groups = new Map<string | null, string[]>();
  for (const file of files) {
    const place = nearest(directoryOf(file));
    const group = groups.get(place);
    if (group === undefined) groups.set(place, [file]);
    else group.push(file);
  }
  return groups;
}

/** The files of these names in a directory. */
export function filesIn(world: ResolveWorld, directory: string, names: readonly string[]): readonly string[] {
  return names.map((name) => below(directory, name)).filter((path) => world.hasFile(path));
}

/** The files of these names in the nearest directory that has one: how tools look for lockfiles. */
export function nearestFiles(world: ResolveWorld, directory: string, names: readonly string[]): readonly string[] {
  for (const at of ancestorsOf(directory)) {
    const found = filesIn(world, at, names);
    if (found.length > 0) return found;
  }
  return [];
}

/** The files of these names in a directory and everywhere above it. */
export function filesAbove(world: ResolveWorld, directory: string, names: readonly string[]): readonly string[] {
  return [...ancestorsOf(directory)].flatMap((at) => filesIn(world, at, names));
}

/** Each path with the hash of its content; null for a file that is too large to be read, which then counts by its presence. */
export function hashFiles(world: ResolveWorld, paths: Iterable<string>): readonly Json[] {
  return sortDistinct(paths).map((path) => {
    const bytes = world.readConfig(path);
    return [path, bytes === undefined ? null : blake3Hex(bytes)];
  });
}

export function sortDistinct(paths: Iterable<string>): readonly string[] {
  return [...new Set(paths)].sort(compareCodeUnits);
}

/** How a directory is written in a key: the root has a name there too. */
export function nameOf(directory: string): string {
  return directory === '' ? '.' : directory;
}

export type DiscoveryWorld = {
  readonly resolve: ResolveWorld;
  /** Of a file in scope; null where it is not code. */
  languageOf(path: string): string | null;
  /** The files in scope that its imports mean. */
  targetsOf(path: string): readonly string[];
  /** Bytes of `.codegenie/contexts.json`. */
  readonly pinned: Uint8Array | undefined;
  /** `scip.indexer`; without it the first there is. `pinned` may say otherwise of single contexts. */
  readonly typeScriptIndexer?: TypeScriptIndexer | undefined;
  /** `scip.extra_projects`: TypeScript projects whose configuration has a name of its own. */
  readonly extraProjects?: readonly string[] | undefined;
};
