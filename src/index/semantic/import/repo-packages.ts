/**
 * The packages of this repository, as indexers name them: by manager and name, and by the nearest manifest above a file. A function of the
 * paths in scope and the manifests among them.
 */

import { isJsonObject } from '../../../kernel/base/json.ts';
import { parseGoMod } from '../../../kernel/formats/go-mod.ts';
import { parseJsonObject } from '../../../kernel/formats/parse-json.ts';
import { parseToml } from '../../../kernel/formats/toml.ts';
import { parseXml } from '../../../kernel/formats/xml.ts';
import type { Family } from '../../../languages/context-spec.ts';
import { createBuildOutputs } from '../../resolve/javascript/build-outputs.ts';
import { createReadConfigFile } from '../../resolve/javascript/config-file.ts';
import { createPackages } from '../../resolve/javascript/package-info.ts';
import { createFindPackagedConfig } from '../../resolve/javascript/packaged-config.ts';
import { createFindRepositoryPackage } from '../../resolve/javascript/repository-packages.ts';
import { readConfigWith, stringAt } from '../../resolve/shared/config-values.ts';
import { ancestorsOf, baseNameOf, directoryOf } from '../../resolve/shared/root-paths.ts';
import type { ResolveWorld } from '../../resolve/types.ts';

export type RepoPackages = {
  /** The directory of the nearest manifest of this family at or above a path; `''` where there is none. */
  rootOf(family: Family, path: string): string;
  /** Directories of the packages of this name, sorted; those without a name under `''`. */
  rootsNamed(family: Family, name: string): readonly string[];
  hasFile(path: string): boolean;
  /** Files in scope that a built file can come from, in order. */
  sourcesOf(path: string): readonly string[];
};

export function createRepoPackages(world: ResolveWorld): RepoPackages {
  const byFamily = new Map<Family, Manifests>();
  const manifestsOf = (family: Family): Manifests => {
    let manifests = byFamily.get(family);
    if (manifests === undefined) {
      manifests = listManifests(world, family);
      byFamily.set(family, manifests);
    }
    return manifests;
  };
  const nearest = new Map<string, string>();
  let sourcesOf: RepoPackages['sourcesOf'] | undefined;
  return {
    hasFile: (path) => world.hasFile(path),
    rootOf: (family, path) => {
      const directory = directoryOf(path);
      const asked = `${family} ${directory}`;
      let root = nearest.get(asked);
      if (root === undefined) {
        root = findNearest(directory, manifestsOf(family).roots);
        nearest.set(asked, root);
      }
      return root;
    },
    rootsNamed: (family, name) => manifestsOf(family).byName.get(normalName(family, name)) ?? [],
    sourcesOf: (path) => {
      sourcesOf ??= createSourcesOf(world);
      return sourcesOf(path);
    },
  };
}

function findNearest(directory: string, roots: ReadonlySet<string>): string {
  for (const at of ancestorsOf(directory)) if (roots.has(at)) return at;
  return '';
}

type Manifests = {
  readonly roots: ReadonlySet<string>;
  readonly byName: ReadonlyMap<string, readonly string[]>;
};

/** Without the parts that a name does not tell apart: PyPI's case and separators. */
function normalName(family: Family, name: string): string {
  return family === 'python' ? name.toLowerCase().replace(/[-_.]+/g, '-') : name;
}

function listManifests(world: ResolveWorld, family: Family): Manifests {
  const roots = new Set<string>();
  const byName = new Map<string, string[]>();
  for (const path of manifestPaths(world, family)) {
    const name = readName[family](world, path);
    if (name === 'not_a_package') continue;
    const root = directoryOf(path);
    const known = roots.has(root);
    roots.add(root);
    // A second manifest of the same directory adds its name and nothing else: `setup.py` beside `pyproject.toml`.
    if (known && name === null) continue;
    add(byName, name === null ? '' : normalName(family, name), root);
  }
  // What no manifest covers belongs to the root, which has no name then.
  if (!roots.has('')) add(byName, '', '');
  for (const places of byName.values()) places.sort();
  return { roots, byName };
}

function add(byName: Map<string, string[]>, name: string, root: string): void {
  const known = byName.get(name);
  if (known === undefined) byName.set(name, [root]);
  else if (!known.includes(root)) known.push(root);
}

const manifestNames: Readonly<Record<Family, readonly string[]>> = {
  typescript: ['package.json'],
  python: ['pyproject.toml', 'setup.cfg', 'setup.py'],
  go: ['go.mod'],
  rust: ['Cargo.toml'],
  java: ['pom.xml', 'build.gradle', 'build.gradle.kts', 'build.sbt'],
  csharp: [],
  c: ['compile_commands.json'],
};

/** What lies in `node_modules` is a copy of somebody else's. */
function manifestPaths(world: ResolveWorld, family: Family): readonly string[] {
  const named = manifestNames[family].flatMap((name) => world.configFilesNamed(name));
  const projects = family === 'csharp' ? world.allFiles().filter((path) => path.endsWith('.csproj')) : [];
  return [...named, ...projects].filter((path) => !/(?:^|\/)node_modules\//.test(path));
}

/** `null`: a package without a name. */
const readName: Readonly<Record<Family, (world: ResolveWorld, path: string) => string | null | 'not_a_package'>> = {
  typescript: (world, path) => stringAt(readConfigWith(world, path, parseJsonObject) ?? {}, 'name'),
  python: (world, path) => {
    if (!path.endsWith('.toml')) return null;
    const toml = readConfigWith(world, path, parseToml) ?? {};
    return stringAt(toml, 'project', 'name') ?? stringAt(toml, 'tool', 'poetry', 'name');
  },
  go: (world, path) => readConfigWith(world, path, parseGoMod)?.module ?? null,
  rust: (world, path) => {
    const toml = readConfigWith(world, path, parseToml) ?? {};
    return isJsonObject(toml['package']) ? stringAt(toml, 'package', 'name') : 'not_a_package';
  },
  java: (world, path) => {
    if (!path.endsWith('pom.xml')) return null;
    const project = readConfigWith(world, path, parseXml);
    const textOf = (name: string): string | undefined =>
      project?.children.find((child) => child.name === name)?.text.trim();
    const artifact = textOf('artifactId');
    const parent = project?.children.find((child) => child.name === 'parent');
    const group = textOf('groupId') ?? parent?.children.find((child) => child.name === 'groupId')?.text.trim();
    // As scip-java writes it.
    return artifact === undefined ? null : `maven/${group ?? ''}/${artifact}`;
  },
  csharp: (_, path) => baseNameOf(path).replace(/\.csproj$/, ''),
  c: () => null,
};

function createSourcesOf(world: ResolveWorld): RepoPackages['sourcesOf'] {
  const packages = createPackages(world);
  const findPackage = createFindRepositoryPackage(world, packages);
  const outputs = createBuildOutputs(
    world,
    createReadConfigFile(world, createFindPackagedConfig(world, packages, findPackage)),
  );
  // Asked from the root: no output directory is ever the root's own.
  return (path) => [...new Set(outputs.sourcesOf(path, ''))].filter((source) => world.hasFile(source));
}
