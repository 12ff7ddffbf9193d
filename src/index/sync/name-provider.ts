/** Which files provide which names (`RawFacts.provides`), kept equal to the store while files come, change and go. */

import { compareCodeUnits } from '../../kernel/base/json.ts';

export interface NameProviders {
  filesProviding(name: string): readonly string[];
  provides(path: string, name: string): boolean;
  /** The names whose providers changed. */
  replace(path: string, names: readonly string[]): readonly string[];
}

export function createNameProviders(
  initial: Iterable<{ readonly name: string; readonly path: string }>,
): NameProviders {
  const filesByName = new Map<string, Set<string>>();
  const namesByFile = new Map<string, readonly string[]>();
  const add = (name: string, path: string) => {
    const files = filesByName.get(name);
    if (files === undefined) filesByName.set(name, new Set([path]));
    else files.add(path);
  };
  for (const { name, path } of initial) {
    add(name, path);
    namesByFile.set(path, [...(namesByFile.get(path) ?? []), name]);
  }
  return {
    filesProviding: (name) => [...(filesByName.get(name) ?? [])].sort(compareCodeUnits),
    provides: (path, name) => filesByName.get(name)?.has(path) ?? false,
    replace(path, names) {
      const before = namesByFile.get(path) ?? [];
      if (before.length === 0 && names.length === 0) return [];
      const now = new Set(names);
      const lost = before.filter((name) => !now.has(name));
      const had = new Set(before);
      const gained = names.filter((name) => !had.has(name));
      for (const name of lost) filesByName.get(name)?.delete(path);
      for (const name of gained) add(name, path);
      if (names.length === 0) namesByFile.delete(path);
      else namesByFile.set(path, names);
      return [...lost, ...gained];
    },
  };
}
