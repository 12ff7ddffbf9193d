/**
 * The paths in scope, as import resolution sees them (`ResolveWorld`). Made anew when a file comes or goes; everything in it is
 * worked out when first asked for, because a saved file needs next to nothing of it.
 */

import { compareCodeUnits } from '../../kernel/base/json.ts';
import { textLimits } from '../../kernel/base/limits.ts';
import { createDirectoryGuard, readSource } from '../../kernel/tree/safe-read.ts';
import { isConfigFile } from '../../languages/resolving/config-files.ts';
import type { ResolveWorld } from '../../languages/resolving/resolution.ts';
import { directoryOf } from '../../languages/resolving/root-paths.ts';
import type { FileTable } from './file-table.ts';

const none: readonly string[] = [];

export function createTreeWorld(
  root: string,
  table: FileTable,
  filesProviding: (name: string) => readonly string[],
): ResolveWorld {
  let sorted: readonly string[] | undefined;
  let directories: Map<string, string[]> | undefined;
  let configs: Map<string, string[]> | undefined;
  const contents = new Map<string, Uint8Array | undefined>();
  const guard = createDirectoryGuard(root);

  const hasFile = (path: string) => {
    const state = table.get(path);
    return (
      state !== undefined && state.presence === 'present' && (state.kind === 'file' || state.canonicalPath !== null)
    );
  };
  const allFiles = () => {
    sorted ??= [...table.keys()].filter(hasFile).sort(compareCodeUnits);
    return sorted;
  };
  const listDirectories = () => {
    if (directories !== undefined) return directories;
    const found = new Map<string, string[]>([['', []]]);
    for (const path of allFiles()) {
      let directory = directoryOf(path);
      const files = found.get(directory);
      if (files !== undefined) {
        files.push(path);
        continue;
      }
      found.set(directory, [path]);
      while (directory !== '') {
        directory = directoryOf(directory);
        if (found.has(directory)) break;
        found.set(directory, []);
      }
    }
    directories = found;
    return found;
  };

  return {
    hasFile,
    hasDirectory: (path) => listDirectories().has(path),
    listDirectory: (path) => listDirectories().get(path) ?? none,
    filesProviding,
    readConfig(path) {
      if (!contents.has(path)) {
        // A larger one has no hash, so a change of it would go unnoticed.
        const read = hasFile(path) ? readSource(root, path, textLimits.textBytes, guard) : undefined;
        contents.set(path, read?.kind === 'read' ? read.bytes : undefined);
      }
      return contents.get(path);
    },
    configFilesNamed(name) {
      if (configs === undefined) {
        configs = new Map();
        for (const path of allFiles()) {
          if (!isConfigFile(path)) continue;
          const base = path.slice(path.lastIndexOf('/') + 1);
          const group = configs.get(base);
          if (group === undefined) configs.set(base, [path]);
          else group.push(path);
        }
      }
      return configs.get(name) ?? none;
    },
    allFiles,
  };
}

/** Which files provide which names (`RawFacts.provides`), kept equal to the store while files come, change and go. */
interface NameProviders {
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
