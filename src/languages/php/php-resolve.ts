/**
 * PHP: a class is where Composer's PSR-4 rules say, else where it is declared: `php:Ns\Class` (code-plane.md §3.4). A name that is a
 * namespace means the classes directly in its directory. `include` and `require` take a path, from the file's directory or the root.
 *
 * A name below a PSR-4 prefix of this repository that no file declares is `not_found`; all others are external.
 */

import { objectAt, textsAt } from '../../kernel/base/json-access.ts';
import { parseJsonObject } from '../../kernel/formats/parse-json.ts';
import { readConfigWith } from '../resolving/config-files.ts';
import {
  type CreateResolve,
  createSearch,
  type FileSearch,
  type ImportRequest,
  nearestTo,
  type Resolution,
  type ResolveWorld,
  remembering,
  unresolved,
} from '../resolving/resolution.ts';
import { below, directoryOf, isWithin, joinInRoot } from '../resolving/root-paths.ts';

const mostNames = 16;
/** `Symfony\Component`: vendor and product. */
const namespaceParts = 2;
const pathKinds: ReadonlySet<string> = new Set(['include', 'require', 'require_relative', 'dynamic']);

const createPhpResolve: CreateResolve = (world) => {
  let places: PsrPlaces | null = null;
  return remembering(
    (from) => from,
    (from, request) => {
      if (pathKinds.has(request.kind)) return resolvePath(world, from, request.specifier);
      places ??= readPsrPlaces(world);
      return resolveNames(world, places, from, request);
    },
  );
};

export default createPhpResolve;

/** `__DIR__ . '/x.php'` is written with a slash in front and means the file's directory. */
function resolvePath(world: ResolveWorld, from: string, specifier: string): Resolution {
  const relative = specifier.replaceAll('\\', '/').replace(/^\/+/, '');
  const search = createSearch(world);
  const places = [joinInRoot(directoryOf(from), relative), joinInRoot('', relative)];
  if (places.every((place) => place === null)) return unresolved('outside_root');
  const hit = search.firstFile(places);
  return hit === null ? search.missed('not_found') : search.found([hit]);
}

function resolveNames(world: ResolveWorld, places: PsrPlaces, from: string, request: ImportRequest): Resolution {
  const search = createSearch(world);
  const names = namesOf(request);
  const targets = names.flatMap((name) => findName(search, places, from, name));
  if (targets.length > 0) return search.found(targets);
  const first = names[0] ?? '';
  if (names.some((name) => places.filesOf(from, name).length > 0)) return search.missed('not_found');
  return search.missed('external', first.split('\\').slice(0, namespaceParts).join('\\'));
}

/** A group `Ns\{A, B}` asks for each of its names; a lone name that the path already ends with asks for nothing more. */
function namesOf({ specifier, names }: ImportRequest): readonly string[] {
  const path = specifier.replace(/^(?:function|const)\s+/, '').replace(/^\\+|\\+$/g, '');
  const last = path.slice(path.lastIndexOf('\\') + 1);
  const asked = names
    .slice(0, mostNames)
    .filter((name) => name !== '*' && name !== path && (name !== last || names.length > 1));
  return asked.length === 0 ? [path] : asked.map((name) => `${path}\\${name.replace(/^\\+/, '')}`);
}

function findName(search: FileSearch, places: PsrPlaces, from: string, name: string): readonly string[] {
  const files = places.filesOf(from, name);
  const hit = search.firstFile(files);
  if (hit !== null) return [hit];
  const declaring = search.providing(`php:${name}`);
  if (declaring.length > 0) return nearestTo(from, declaring);
  for (const file of files) {
    const classes = search.filesIn(file.replace(/\.php$/, ''), (path) => path.endsWith('.php'));
    if (classes.length > 0) return classes;
  }
  return [];
}

const mostFiles = 12;

/** Composer's PSR-4 rules, `autoload` and `autoload-dev` of every `composer.json`. A function of configuration files alone. */
type PsrPlaces = {
  /** Where the class may be: longest prefix first, then the package that holds the asking file, then in the order written. */
  filesOf(from: string, name: string): readonly string[];
};

/** `home` is the directory of the `composer.json`. */
type Rule = { readonly prefix: string; readonly home: string; readonly directory: string };

function readPsrPlaces(world: ResolveWorld): PsrPlaces {
  const rules = new Map<string, Rule[]>();
  for (const path of world.configFilesNamed('composer.json')) {
    const home = directoryOf(path);
    const manifest = readConfigWith(world, path, parseJsonObject) ?? {};
    for (const section of ['autoload', 'autoload-dev']) {
      const table = objectAt(manifest, section, 'psr-4');
      for (const written of Object.keys(table)) {
        const prefix = written.replace(/^\\+|\\+$/g, '');
        const known = rules.get(prefix) ?? [];
        rules.set(prefix, known);
        for (const relative of textsAt(table, written)) {
          const directory = joinInRoot(home, relative);
          if (directory !== null) known.push({ prefix, home, directory });
        }
      }
    }
  }
  return {
    filesOf: (from, name) => {
      const parts = name.split('\\');
      const files = new Set<string>();
      for (let length = parts.length - 1; length >= 0; length -= 1) {
        const matching = rules.get(parts.slice(0, length).join('\\')) ?? [];
        const own = matching.filter(({ home }) => isWithin(from, home)).sort((a, b) => b.home.length - a.home.length);
        for (const { directory } of [...own, ...matching]) {
          files.add(`${below(directory, parts.slice(length).join('/'))}.php`);
          if (files.size >= mostFiles) return [...files];
        }
      }
      return [...files];
    },
  };
}
