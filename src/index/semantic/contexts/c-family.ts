/**
 * C and C++: one context per compilation database (code-plane.md §5). Members are its translation units and the headers of this repository
 * that they include, however indirectly.
 *
 * `config`: `database` (path), `writtenFor` (the root that its absolute paths begin with, on the machine that wrote it).
 */

import type { ContextSpec } from '../../../languages/context-spec.ts';
import { listTranslationUnits } from '../../resolve/c-family/compile-commands.ts';
import { hashFiles, sortDistinct } from './build-files.ts';
import type { DiscoveryWorld } from './discover-contexts.ts';

const languages: ReadonlySet<string | null> = new Set(['c', 'cpp']);

export function discover(world: DiscoveryWorld): readonly ContextSpec[] {
  const { resolve } = world;
  return resolve.configFilesNamed('compile_commands.json').flatMap((path): readonly ContextSpec[] => {
    const units = listTranslationUnits(resolve, path);
    const members = listIncluded(world, units.sources);
    const problem = units.entries === 0 ? `${path} is not a compilation database that can be read` : null;
    if (members.length === 0 && problem === null) return [];
    return [
      {
        key: `c:${path}`,
        family: 'c',
        // A database lists files anywhere; it lies in a build directory that holds none of them.
        root: '',
        configPath: path,
        indexer: 'scip-clang',
        members,
        config: { database: path, writtenFor: units.root },
        configInputs: { database: hashFiles(resolve, [path]) },
        problem,
        enabled: true,
      },
    ];
  });
}

function listIncluded({ languageOf, targetsOf }: DiscoveryWorld, sources: readonly string[]): readonly string[] {
  const reached = new Set(sources.filter((path) => languages.has(languageOf(path))));
  // A set may grow while it is walked.
  for (const path of reached) {
    for (const target of targetsOf(path)) if (languages.has(languageOf(target))) reached.add(target);
  }
  return sortDistinct(reached);
}
