/**
 * C and C++: `#include "x"` is looked for beside the file and then along the include paths that `compile_commands.json` gives for it;
 * `#include <x>` along the include paths only (code-plane.md §3.4). A header has no command of its own and takes the paths of all.
 *
 * Include paths outside the root are not searched: what no path inside has is external with angle brackets and `not_found` with quotes.
 */

import { type CreateResolve, createSearch, remembering, unresolved } from '../resolving/resolution.ts';
import { directoryOf, joinInRoot } from '../resolving/root-paths.ts';
import { type CompileCommands, readCompileCommands } from './compile-commands.ts';

const createCFamilyResolve: CreateResolve = (world) => {
  let commands: CompileCommands | null = null;
  return remembering(
    (from) => from,
    (from, { specifier, kind }) => {
      // C++20 modules are found by a build's own map, which no file here states.
      if (kind === 'import') return unresolved('external', [], specifier);
      commands ??= readCompileCommands(world);
      const path = specifier.replaceAll('\\', '/');
      const isSystem = kind === 'include_system';
      const { quote, system } = commands.pathsOf(from);
      const directories = isSystem ? system : [directoryOf(from), ...quote, ...system];
      const places = directories.map((directory) => joinInRoot(directory, path));
      if (!isSystem && places.every((place) => place === null)) return unresolved('outside_root', [], specifier);
      const search = createSearch(world);
      const hit = search.firstFile(places);
      if (hit !== null) return search.found([hit]);
      return isSystem ? search.missed('external', specifier) : search.missed('not_found');
    },
  );
};

export default createCFamilyResolve;
