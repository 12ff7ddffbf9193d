/**
 * Go: one context per `go.work` with the modules it uses, and one per `go.mod` that no workspace uses (code-plane.md §5).
 *
 * Members are the files that `./...` can mean: not those below `vendor`, `testdata`, or a name that begins with `.` or `_`. Which of them
 * a platform builds is the tool's business.
 *
 * `config` of a workspace: `work` (its path), `modules` with `dir` and module `path`; of a lone module: `work` null, as the tool must not look for
 * one above it, and `module` (its path).
 */

import { type GoMod, parseGoMod } from '../../kernel/formats/go-mod.ts';
import type { ContextSpec } from '../projects/context-spec.ts';
import {
  createNearest,
  type DiscoveryWorld,
  filesIn,
  groupByNearest,
  hashFiles,
  sortDistinct,
} from '../projects/project-files.ts';
import { readConfigWith } from '../resolving/config-files.ts';
import type { ResolveWorld } from '../resolving/resolution.ts';
import { below, directoryOf } from '../resolving/root-paths.ts';
import { type GoModules, readGoModules, readGoWorkspace } from './go-modules.ts';

export default function discoverGo({ resolve, languageOf }: DiscoveryWorld): readonly ContextSpec[] {
  const directories = resolve.configFilesNamed('go.mod').map(directoryOf);
  if (directories.length === 0) return [];
  const modules = new Map(
    directories.map((directory) => [directory, readConfigWith(resolve, below(directory, 'go.mod'), parseGoMod)]),
  );
  const sources = resolve.allFiles().filter((path) => path.endsWith('.go') && languageOf(path) === 'go');
  const byModule = groupByNearest(sources, new Set(directories));
  const membersOf = (directory: string): readonly string[] =>
    (byModule.get(directory) ?? []).filter((path) => isMeant(path, directory));
  const visible = readGoModules(resolve);
  const { byWorkspace, alone } = assignModules(resolve, directories);
  const contexts = [...byWorkspace].map(([work, used]) =>
    describeContext(resolve, { work, used, modules, visible, membersOf }),
  );
  const rest = alone.map((directory) =>
    describeContext(resolve, { work: null, used: [directory], modules, visible, membersOf }),
  );
  return [...contexts, ...rest].filter(({ members, problem }) => members.length > 0 || problem !== null);
}

/** A module belongs to the nearest workspace file above it that uses it, as `go` itself finds one from inside the module. */
function assignModules(
  world: ResolveWorld,
  directories: readonly string[],
): { readonly byWorkspace: ReadonlyMap<string, readonly string[]>; readonly alone: readonly string[] } {
  const uses = new Map<string, ReadonlySet<string>>();
  for (const path of world.configFilesNamed('go.work')) {
    uses.set(directoryOf(path), new Set(readGoWorkspace(world, path).uses));
  }
  const nearest = createNearest(new Set(uses.keys()));
  const byWorkspace = new Map<string, string[]>();
  const alone: string[] = [];
  for (const directory of directories) {
    // A workspace may use modules beside or above it; such a module has no workspace when one works inside of it.
    const place = nearest(directory) ?? [...uses].find(([, used]) => used.has(directory))?.[0] ?? null;
    if (place === null || !uses.get(place)?.has(directory)) {
      alone.push(directory);
      continue;
    }
    const work = below(place, 'go.work');
    const group = byWorkspace.get(work);
    if (group === undefined) byWorkspace.set(work, [directory]);
    else group.push(directory);
  }
  return { byWorkspace, alone };
}

type Found = {
  readonly work: string | null;
  readonly used: readonly string[];
  readonly modules: ReadonlyMap<string, GoMod | null>;
  readonly visible: GoModules;
  readonly membersOf: (directory: string) => readonly string[];
};

function describeContext(world: ResolveWorld, { work, used, modules, visible, membersOf }: Found): ContextSpec {
  const configPath = work ?? below(used[0] ?? '', 'go.mod');
  const pathOf = (directory: string): string => modules.get(directory)?.module ?? '';
  const unreadable = used.filter((directory) => pathOf(directory) === '');
  // Replacements with a directory of this repository are part of the program's configuration wherever they lie.
  // All modules of a workspace see the same ones.
  const seen = visible.visibleFrom(used[0] ?? '').flatMap(({ directory }) => directory ?? []);
  const places = new Set([...used, ...seen]);
  const files = [...places].flatMap((directory) => filesIn(world, directory, ['go.mod', 'go.sum']));
  const workFiles = work === null ? [] : filesIn(world, directoryOf(work), ['go.work', 'go.work.sum']);
  return {
    key: `go:${configPath}`,
    family: 'go',
    root: directoryOf(configPath),
    configPath,
    indexer: 'scip-go',
    members: sortDistinct(used.flatMap(membersOf)),
    config:
      work === null
        ? { work, module: pathOf(used[0] ?? '') }
        : { work, modules: used.map((dir) => ({ dir, path: pathOf(dir) })) },
    configInputs: { files: hashFiles(world, [...workFiles, ...files]) },
    problem:
      unreadable.length === 0
        ? null
        : `${unreadable.map((directory) => below(directory, 'go.mod')).join(', ')} cannot be read as a go.mod with a module path`,
    enabled: true,
  };
}

function isMeant(path: string, module: string): boolean {
  const local = module === '' ? path : path.slice(module.length + 1);
  return !local.split('/').some((name) => name === 'vendor' || name === 'testdata' || /^[._]/.test(name));
}
