/**
 * Ruby: `require_relative` is a path from the file; `require` goes through load paths, which a repository does not state
 * (code-plane.md §3.4). Taken as load paths are, in this order: of every project around the file (a directory with a gemspec or a
 * Gemfile, and the root) its `lib/`, its `spec/` or `test/` for files below it, and the directories of `app/` that Rails knows; then
 * `lib/` of the other gems here. Which directories exist is not asked: the list follows from configuration files and the file's path.
 *
 * `autoload` binds a constant that is looked up by name when it is used, hence `dynamic`.
 */

import {
  type CreateResolve,
  createSearch,
  type Resolution,
  type ResolveWorld,
  remembering,
  unresolved,
} from '../resolving/resolution.ts';
import { ancestorsOf, baseNameOf, below, directoryOf, isWithin, joinInRoot } from '../resolving/root-paths.ts';

const mostGems = 16;
const mostLoadPaths = 48;
const appDirectories = [
  'models',
  'controllers',
  'helpers',
  'jobs',
  'mailers',
  'services',
  'channels',
  'policies',
  'serializers',
  'workers',
  'lib',
].map((name) => `app/${name}`);

const createRubyResolve: CreateResolve = (world) => {
  let projects: Projects | null = null;
  return remembering(
    (from) => from,
    (from, { specifier, kind }) => {
      if (kind === 'autoload') return unresolved('dynamic');
      if (kind === 'require_relative') return resolveAt(world, [joinInRoot(directoryOf(from), specifier)], null);
      projects ??= readProjects(world);
      if (specifier.startsWith('/')) return unresolved('outside_root');
      const homes = homesOf(projects, from);
      // Relative to the working directory, which is a project's directory more often than not.
      if (/^\.\.?\//.test(specifier))
        return resolveAt(
          world,
          homes.map((home) => joinInRoot(home, specifier)),
          null,
        );
      const places = loadPathsOf(projects, homes, from).map((place) => joinInRoot(place, specifier));
      return resolveAt(world, places, specifier.replace(/\.rb$/, '').split('/')[0] ?? specifier);
    },
  );
};

export default createRubyResolve;

/** `external`: what it is called when it is not here; `null` where it can only be here. */
function resolveAt(world: ResolveWorld, places: readonly (string | null)[], external: string | null): Resolution {
  if (places.every((place) => place === null)) return unresolved('outside_root');
  const search = createSearch(world);
  const hit = search.firstFile(
    places.map((place) => (place === null || place === '' || place.endsWith('.rb') ? place : `${place}.rb`)),
  );
  if (hit !== null) return search.found([hit]);
  return external === null ? search.missed('not_found') : search.missed('external', external);
}

type Projects = {
  /** With a gemspec or a Gemfile. */
  readonly homes: ReadonlySet<string>;
  readonly gems: readonly string[];
  readonly apps: ReadonlySet<string>;
};

function readProjects(world: ResolveWorld): Projects {
  const gems = new Set<string>();
  const apps = new Set<string>();
  for (const path of world.allFiles()) {
    const name = baseNameOf(path);
    if (name.endsWith('.gemspec')) gems.add(directoryOf(path));
    else if (name === 'Gemfile' || name === 'gems.rb') apps.add(directoryOf(path));
  }
  return { homes: new Set([...gems, ...apps]), gems: [...gems].slice(0, mostGems), apps };
}

function homesOf({ homes }: Projects, from: string): readonly string[] {
  return [...ancestorsOf(directoryOf(from))].filter((directory) => directory === '' || homes.has(directory));
}

function loadPathsOf({ gems, apps }: Projects, homes: readonly string[], from: string): readonly string[] {
  const paths = new Set<string>();
  for (const home of homes) {
    paths.add(below(home, 'lib'));
    for (const tests of ['spec', 'test']) if (isWithin(from, below(home, tests))) paths.add(below(home, tests));
    if (apps.has(home)) for (const directory of appDirectories) paths.add(below(home, directory));
  }
  for (const gem of gems) paths.add(below(gem, 'lib'));
  return [...paths].slice(0, mostLoadPaths);
}
