/**
 * C and C++: one context per compilation database (code-plane.md §5). Members are its translation units and the headers of this repository
 * that they include, however indirectly.
 *
 * `config`: `database` (path), `writtenFor` (the root that its absolute paths begin with, on the machine that wrote it).
 */

import type { ContextSpec } from '../projects/context-spec.ts';
import { type DiscoveryWorld, hashFiles, sortDistinct } from '../projects/project-files.ts';
import { listTranslationUnits } from './compile-commands.ts';

const languages: ReadonlySet<string | null> = new Set(['c', 'cpp']);

export default function discoverC(world: DiscoveryWorld): readonly ContextSpec[] {
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
