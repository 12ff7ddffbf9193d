/**
 * What the `Cargo.toml` files of a repository say: which crates there are, where their module trees begin, and what name each crate
 * gives another. A function of configuration files alone; layouts that cargo discovers by itself are told from a file's own path.
 */

import type { JsonObject } from '../../kernel/base/json.ts';
import { objectAt, objectsAt, textAt } from '../../kernel/base/json-access.ts';
import { parseToml } from '../../kernel/formats/toml.ts';
import { readConfigWith } from '../resolving/config-files.ts';
import type { ResolveWorld } from '../resolving/resolution.ts';
import { ancestorsOf, baseNameOf, below, directoryOf, joinInRoot } from '../resolving/root-paths.ts';

export type RustCrate = {
  readonly directory: string;
  /** As written in `use`: `acme_orders` for `acme-orders`. */
  readonly name: string;
  readonly libPath: string;
  /** Files that the manifest names as roots of a module tree. */
  readonly namedRoots: ReadonlySet<string>;
  /** By the name they have in `use`. */
  readonly dependencies: ReadonlyMap<string, RustDependency>;
};

/** `directory`: a path dependency within the root. `name`: the crate's own name, where it was renamed. */
type RustDependency = { readonly directory: string | null; readonly name: string };

export type RustCrates = {
  /** The crate whose manifest is nearest. */
  crateOf(path: string): RustCrate | null;
  inDirectory(directory: string): RustCrate | null;
  named(name: string): readonly RustCrate[];
};

export function readRustCrates(world: ResolveWorld): RustCrates {
  const manifests = new Map<string, JsonObject>();
  for (const path of world.configFilesNamed('Cargo.toml')) {
    manifests.set(directoryOf(path), readConfigWith(world, path, parseToml) ?? {});
  }
  const crates = new Map<string, RustCrate>();
  const byName = new Map<string, RustCrate[]>();
  for (const [directory, manifest] of manifests) {
    const crate = readCrate(directory, manifest, manifests);
    if (crate === null) continue;
    crates.set(directory, crate);
    const known = byName.get(crate.name);
    if (known === undefined) byName.set(crate.name, [crate]);
    else known.push(crate);
  }
  const nearest = new Map<string, RustCrate | null>();
  return {
    crateOf: (path) => {
      const directory = directoryOf(path);
      let crate = nearest.get(directory);
      if (crate === undefined) {
        crate = findNearest(directory, crates);
        nearest.set(directory, crate);
      }
      return crate;
    },
    inDirectory: (directory) => crates.get(directory) ?? null,
    named: (name) => byName.get(name) ?? [],
  };
}

function findNearest<T>(directory: string, places: ReadonlyMap<string, T>): T | null {
  for (const at of ancestorsOf(directory)) {
    const found = places.get(at);
    if (found !== undefined) return found;
  }
  return null;
}

function readCrate(
  directory: string,
  manifest: JsonObject,
  manifests: ReadonlyMap<string, JsonObject>,
): RustCrate | null {
  const packageName = textAt(manifest, 'package', 'name');
  if (packageName === null) return null;
  const libPath = joinInRoot(directory, textAt(manifest, 'lib', 'path') ?? 'src/lib.rs');
  const named = ['bin', 'test', 'example', 'bench'].flatMap((kind) =>
    objectsAt(manifest, kind).map((target) => textAt(target, 'path')),
  );
  named.push(textAt(manifest, 'lib', 'path'), textAt(manifest, 'package', 'build'));
  const namedRoots = named.flatMap((path) => (path === null ? [] : (joinInRoot(directory, path) ?? [])));
  return {
    directory,
    name: toCrateName(textAt(manifest, 'lib', 'name') ?? packageName),
    libPath: libPath ?? below(directory, 'src/lib.rs'),
    namedRoots: new Set(namedRoots),
    dependencies: readDependencies(directory, manifest, manifests),
  };
}

const dependencyTables = ['dependencies', 'dev-dependencies', 'build-dependencies'];

function readDependencies(
  directory: string,
  manifest: JsonObject,
  manifests: ReadonlyMap<string, JsonObject>,
): ReadonlyMap<string, RustDependency> {
  const dependencies = new Map<string, RustDependency>();
  const holders = [manifest, ...Object.values(objectAt(manifest, 'target')).map((target) => objectAt(target))];
  for (const holder of holders) {
    for (const table of dependencyTables) {
      for (const [key, value] of Object.entries(objectAt(holder, table))) {
        const isInherited = objectAt(value).workspace === true;
        const at = isInherited ? workspaceOf(directory, manifests) : directory;
        const inherited = manifests.get(at);
        const spec = isInherited ? objectAt(inherited, 'workspace', 'dependencies', key) : objectAt(value);
        const path = textAt(spec, 'path');
        dependencies.set(toCrateName(key), {
          directory: path === null ? null : joinInRoot(at, path),
          name: toCrateName(textAt(spec, 'package') ?? key),
        });
      }
    }
  }
  return dependencies;
}

function workspaceOf(directory: string, manifests: ReadonlyMap<string, JsonObject>): string {
  for (const at of ancestorsOf(directory)) if (manifests.get(at)?.workspace !== undefined) return at;
  return directory;
}

function toCrateName(name: string): string {
  return name.replaceAll('-', '_');
}

/** Where a file's children and the top of its crate are looked for. */
export type RustModule = {
  /** Directory of the modules that this file declares. */
  readonly children: string;
  readonly crateDirectory: string;
  /** Files that may be the crate's root, in order. */
  readonly crateRoots: readonly string[];
};

export function moduleOf(path: string, crate: RustCrate | null): RustModule {
  const directory = directoryOf(path);
  const stem = baseNameOf(path).replace(/\.rs$/, '');
  const local = crate === null || crate.directory === '' ? path : path.slice(crate.directory.length + 1);
  if (crate?.namedRoots.has(path) || isRootByLayout(local)) {
    return { children: directory, crateDirectory: directory, crateRoots: [path] };
  }
  const children = stem === 'mod' || stem === 'lib' || stem === 'main' ? directory : below(directory, stem);
  // `src/bin/tool/…`, `tests/suite/…`: a target of its own, whose root is the `main.rs` there.
  const target = /^(?:src\/bin|tests|examples|benches)\/[^/]+(?=\/)/.exec(local)?.[0];
  if (target !== undefined) {
    const crateDirectory = below(crate?.directory ?? '', target);
    return { children, crateDirectory, crateRoots: [below(crateDirectory, 'main.rs')] };
  }
  const crateDirectory = crate === null ? sourceDirectoryOf(directory) : directoryOf(crate.libPath);
  const libPath = crate?.libPath ?? below(crateDirectory, 'lib.rs');
  return { children, crateDirectory, crateRoots: [libPath, below(crateDirectory, 'main.rs')] };
}

function isRootByLayout(local: string): boolean {
  return /^(?:src\/(?:lib|main)\.rs|build\.rs|(?:src\/bin|tests|examples|benches)\/(?:[^/]+|[^/]+\/main)\.rs)$/.test(
    local,
  );
}

function sourceDirectoryOf(directory: string): string {
  for (const at of ancestorsOf(directory)) if (baseNameOf(at) === 'src') return at;
  return directory;
}
