/**
 * One key for one symbol, whichever tool names it (code-plane.md §6.2): `family SP package SP descriptors`.
 *
 * R19  A package of this repository is the path of its root, so neither its version nor the tool's spelling of the package is in the key.
 *
 * TypeScript symbols begin with the path of a file, below the root of its package; which file that is decides everything. The tool looks
 * for `package.json` without stopping at the repository's root: a package found above it, or none up to `/`, makes the path longer by
 * directories that are not ours, and its unnamed packages are all spelled alike (`. .`). Other families' symbols begin with a name.
 *
 * A file of one of our packages that is not in scope was built from one that is, or was generated: `built` names the candidates, and the
 * import decides which of them defines the symbol.
 */

import { sha256Hex } from '../../kernel/base/hash.ts';
import { isJsonObject } from '../../kernel/base/json.ts';
import { textAt } from '../../kernel/base/json-access.ts';
import { parseGoMod } from '../../kernel/formats/go-mod.ts';
import { parseJsonObject } from '../../kernel/formats/parse-json.ts';
import { type Descriptor, type GlobalSymbol, parseScipSymbol, renderDescriptors } from '../../kernel/formats/scip.ts';
import { parseToml } from '../../kernel/formats/toml.ts';
import { parseXml } from '../../kernel/formats/xml.ts';
import type { Family } from '../../languages/projects/context-spec.ts';
import { readConfigWith } from '../../languages/resolving/config-files.ts';
import type { ResolveWorld } from '../../languages/resolving/resolution.ts';
import { ancestorsOf, baseNameOf, below, directoryOf } from '../../languages/resolving/root-paths.ts';
import { createBuildOutputs } from '../../languages/typescript/js-built-files.ts';
import {
  createFindPackagedConfig,
  createFindRepositoryPackage,
  createPackages,
} from '../../languages/typescript/js-packages.ts';
import { createReadConfigFile } from '../../languages/typescript/read-tsconfig.ts';
import type { SymbolShape } from './symbol-shape.ts';

export type SymbolKey = {
  readonly key: string;
  readonly package: string;
  readonly inRepo: boolean;
  /** The file the symbol's spelling names, where it names one of this repository. */
  readonly path: string | null;
  /** The named file is not in scope; the same symbol in files that it may come from. */
  readonly built: readonly SymbolKey[] | null;
  /** It is the file itself and not something in it. */
  readonly isFile: boolean;
};

type SymbolKeysOptions = {
  /** `metadata.project_root`: where the tool ran, a `file:` URL. */
  readonly projectRoot: string;
  /** The same place, root-relative. */
  readonly documentBase: string;
  readonly canonicalOf: (path: string) => string;
};

export type SymbolKeys = {
  /** Documents in scope define symbols of this package: it is ours, whatever it is called. */
  claim(shape: SymbolShape, documentPath: string): void;
  /** After all claims. Equal answers are the same object. `undefined` for locals and for what does not parse. */
  keyOf(shape: SymbolShape, documentPath: string): SymbolKey | undefined;
};

export function createSymbolKeys(packages: RepoPackages, family: Family, options: SymbolKeysOptions): SymbolKeys {
  const keys = new Map<SymbolShape, SymbolKey>();
  /** Directories above the repository, nearest last. */
  const outside = outsideSegments(options);
  const claims = new Map<string, Set<string>>();
  /** First descriptors of what documents define. */
  const modules = new Set<string>();
  const places = new Map<string, readonly Place[]>();

  /** Of the roots of a package, seen from one directory: every symbol that is not found asks for it, and documents come by directory. */
  const orders = new Map<string, readonly string[]>();
  const nearestNamed = (name: string, documentPath: string): readonly string[] => {
    const asked = `${name}\0${documentPath.slice(0, documentPath.lastIndexOf('/') + 1)}`;
    let order = orders.get(asked);
    if (order === undefined) {
      order = nearestFirst(packages.rootsNamed(family, name), documentPath);
      if (orders.size >= ordersMax) orders.clear();
      orders.set(asked, order);
    }
    return order;
  };

  const placesOf = (symbol: GlobalSymbol): readonly Place[] => {
    const segments = leadingNamespaces(symbol.descriptors);
    const asked = `${symbol.package.name}\0${segments.join('/')}`;
    let found = places.get(asked);
    if (found === undefined) {
      found = findFiles(packages, family, symbol, segments, outside);
      places.set(asked, found);
    }
    return found;
  };

  const keyAt = (symbol: GlobalSymbol, place: Place): SymbolKey => {
    const path = options.canonicalOf(place.path);
    const root = packages.rootOf(family, path);
    const rest = symbol.descriptors.slice(place.depth);
    return makeKey(family, root, path, [...pathDescriptors(root, path), ...rest], rest.length === 0);
  };

  /** Symbols of one file follow each other, and are spelled alike up to the end of its path. */
  let last: { readonly prefix: string; readonly file: SymbolKey } | undefined;
  const findBeside = (raw: string): SymbolKey | undefined => {
    if (last === undefined || !raw.startsWith(last.prefix)) return undefined;
    const rest = raw.slice(last.prefix.length);
    // Anything in backticks may have another spelling.
    if (rest === '' || !plainText.test(rest)) return undefined;
    return { ...last.file, key: last.file.key + rest, isFile: false };
  };
  const remember = (raw: string, symbol: GlobalSymbol): void => {
    const [place, another] = placesOf(symbol);
    if (place === undefined || another !== undefined) return;
    const spelled = renderDescriptors(symbol.descriptors.slice(0, place.depth));
    const tail = renderDescriptors(symbol.descriptors.slice(place.depth));
    const prefix = raw.slice(0, raw.length - tail.length);
    if (!prefix.endsWith(` ${spelled}`) || prefix + tail !== raw) return;
    last = { prefix, file: keyAt({ ...symbol, descriptors: symbol.descriptors.slice(0, place.depth) }, place) };
  };

  /** Which of several equally spelled files is meant depends on the asking file: by place, one answer for each of the files. */
  const ambiguous = new Map<
    SymbolShape,
    { readonly hits: readonly Place[]; readonly keys: (SymbolKey | undefined)[] }
  >();
  let asking: { readonly path: string; readonly chosen: Map<readonly Place[], number> } | undefined;
  const choose = (hits: readonly Place[], documentPath: string): number => {
    if (asking?.path !== documentPath) asking = { path: documentPath, chosen: new Map() };
    let at = asking.chosen.get(hits);
    if (at === undefined) {
      at = hits.indexOf(choosePlace(hits, documentPath));
      asking.chosen.set(hits, at);
    }
    return at;
  };
  const findAmong = (shape: SymbolShape, documentPath: string): SymbolKey | undefined => {
    const several = ambiguous.get(shape);
    if (several === undefined) return undefined;
    const at = choose(several.hits, documentPath);
    const known = several.keys[at];
    const symbol = known === undefined ? parseScipSymbol(shape.raw) : undefined;
    if (symbol?.kind !== 'global') return known;
    const key = keyAt(symbol, several.hits[at] as Place);
    several.keys[at] = key;
    return key;
  };

  const findByPath = (symbol: GlobalSymbol, documentPath: string): SymbolKey | undefined => {
    const [place] = placesOf(symbol);
    if (place !== undefined) return keyAt(symbol, place);
    const segments = leadingNamespaces(symbol.descriptors);
    const depth = segments.findIndex((segment) => scriptName.test(segment)) + 1;
    const local = segments.slice(0, depth || segments.length).join('/');
    for (const root of nearestNamed(symbol.package.name, documentPath)) {
      const path = below(root, local);
      const sources = depth === 0 ? [] : packages.sourcesOf(path);
      // A package without a name is the repository's only if something of the repository is built there.
      if (symbol.package.name === '' && sources.length === 0) continue;
      const own = makeKey(family, root, path, symbol.descriptors, depth === symbol.descriptors.length);
      return { ...own, built: sources.map((source) => keyAt(symbol, { root, path: source, depth })) };
    }
    return undefined;
  };

  const findByName = (symbol: GlobalSymbol, documentPath: string): SymbolKey | undefined => {
    const { name } = symbol.package;
    const named = name === '' ? [] : packages.rootsNamed(family, name);
    const claimed = [...(claims.get(packageText(symbol)) ?? [])];
    const root =
      named.length === 1
        ? named[0]
        : (commonRoot(claimed) ?? (name === '' ? undefined : nearestNamed(name, documentPath)[0]));
    if (root === undefined || !isOurs(symbol, root)) return undefined;
    return makeKey(family, root, null, symbol.descriptors, false);
  };

  /** scip-python puts every module that it cannot place into the project: ours are those that a document or a file is. */
  const isOurs = (symbol: GlobalSymbol, root: string): boolean => {
    const module = symbol.descriptors[0]?.name ?? '';
    if (family !== 'python' || modules.has(module)) return true;
    const path = module.replaceAll('.', '/');
    const places = [root, below(root, 'src'), ''].map((directory) => below(directory, path));
    return places.some((place) => pythonEndings.some((ending) => packages.hasFile(place + ending)));
  };

  return {
    claim({ raw }, documentPath) {
      const symbol = parseScipSymbol(raw);
      if (symbol?.kind !== 'global') return;
      modules.add(symbol.descriptors[0]?.name ?? '');
      const text = packageText(symbol);
      const known = claims.get(text) ?? new Set();
      claims.set(text, known.add(packages.rootOf(family, documentPath)));
    },
    keyOf(shape, documentPath) {
      if (shape.suffix === null) return undefined;
      const known = keys.get(shape) ?? findAmong(shape, documentPath);
      if (known !== undefined) return known;
      const beside = findBeside(shape.raw);
      if (beside !== undefined) {
        keys.set(shape, beside);
        return beside;
      }
      const symbol = parseScipSymbol(shape.raw);
      if (symbol?.kind !== 'global') return undefined;
      if (family !== 'typescript') {
        const key = findByName(symbol, documentPath) ?? externalKey(family, symbol);
        keys.set(shape, key);
        return key;
      }
      const hits = placesOf(symbol);
      if (hits.length > 1) {
        ambiguous.set(shape, { hits, keys: new Array<SymbolKey | undefined>(hits.length).fill(undefined) });
        return findAmong(shape, documentPath);
      }
      const key = findByPath(symbol, documentPath) ?? externalKey(family, symbol);
      keys.set(shape, key);
      remember(shape.raw, symbol);
      return key;
    },
  };
}

/** Each may name every package of the repository. */
const ordersMax = 64;

const pythonEndings = ['.py', '.pyi', '/__init__.py', '/__init__.pyi'];

/** ASCII without a backtick: spelled in one way only. */
const plainText = /^[\x20-\x5f\x61-\x7e]*$/;

/**
 * What the keys of a document's locals begin with: its path, its bytes, and the context, because each numbers the locals of a file as it
 * comes upon them. Their number follows.
 */
export function localPrefix(documentPath: string, contentHash: string, context: string): string {
  return `local ${documentPath} ${contentHash.slice(0, 16)} ${sha256Hex(context).slice(0, 8)} `;
}

function makeKey(
  family: Family,
  root: string,
  path: string | null,
  descriptors: readonly Descriptor[],
  isFile: boolean,
): SymbolKey {
  const owner = `@${root}`;
  const key = `${family} ${owner.replaceAll(' ', '  ')} ${renderDescriptors(descriptors)}`;
  return { key, package: owner, inRepo: true, path, built: null, isFile };
}

function externalKey(family: Family, symbol: GlobalSymbol): SymbolKey {
  const owner = packageText(symbol);
  const key = `${family} ${owner} ${renderDescriptors(symbol.descriptors)}`;
  return { key, package: owner, inRepo: false, path: null, built: null, isFile: false };
}

function packageText({ manager, package: { name, version } }: GlobalSymbol): string {
  return [manager, name, version].map((field) => (field === '' ? '.' : field.replaceAll(' ', '  '))).join(' ');
}

/** `depth`: how many descriptors spell the path. */
type Place = { readonly root: string; readonly path: string; readonly depth: number };

const scriptName = /\.(?:[cm]?[jt]sx?|json)$/i;

function leadingNamespaces(descriptors: readonly Descriptor[]): readonly string[] {
  const segments: string[] = [];
  for (const { name, suffix } of descriptors) {
    if (suffix !== 'namespace') break;
    segments.push(name);
  }
  return segments;
}

function findFiles(
  packages: RepoPackages,
  family: Family,
  { package: { name } }: GlobalSymbol,
  segments: readonly string[],
  outside: readonly string[],
): readonly Place[] {
  const found: Place[] = [];
  for (const root of packages.rootsNamed(family, name)) {
    const place = findFile(packages, root, segments, 0);
    // The tool asked for the nearest manifest: another one on the way is another package.
    if (place !== undefined && packages.rootOf(family, place.path) === root) found.push(place);
  }
  if (found.length > 0) return found;
  // The package lies above the repository: its path begins with the last directories of where that lies.
  for (let above = 1; above <= outside.length && above < segments.length; above += 1) {
    const prefix = outside.slice(outside.length - above);
    if (!prefix.every((segment, at) => segment === segments[at])) continue;
    const place = findFile(packages, '', segments, above);
    if (place !== undefined && packages.rootOf(family, place.path) === '') found.push(place);
  }
  return found;
}

function findFile(packages: RepoPackages, root: string, segments: readonly string[], from: number): Place | undefined {
  let path = root;
  for (let at = from; at < segments.length; at += 1) {
    path = below(path, segments[at] as string);
    if (packages.hasFile(path)) return { root, path, depth: at + 1 };
  }
  return undefined;
}

/** The asking file itself, else the nearest in the tree. */
function choosePlace(places: readonly Place[], documentPath: string): Place {
  const own = places.find(({ path }) => path === documentPath);
  if (own !== undefined || places.length === 1) return own ?? (places[0] as Place);
  const [root] = nearestFirst(
    places.map((place) => place.root),
    documentPath,
  );
  return places.find((place) => place.root === root) as Place;
}

/** By the number of directories that a root shares with a path, then the shorter, then by name. */
function nearestFirst(roots: readonly string[], path: string): readonly string[] {
  const above = new Set(ancestorsOf(path));
  const measured = roots.map((root) => {
    const steps = [...ancestorsOf(root)].findIndex((ancestor) => above.has(ancestor));
    return { root, steps: steps < 0 ? Number.MAX_SAFE_INTEGER : steps };
  });
  measured.sort((a, b) => a.steps - b.steps || b.root.length - a.root.length || (a.root < b.root ? -1 : 1));
  return measured.map(({ root }) => root);
}

/** The lowest directory that holds all of them, as one package is spelled for all of its documents. */
function commonRoot(roots: readonly string[]): string | undefined {
  const [first] = roots;
  if (first === undefined || roots.length === 1) return first;
  for (const at of ancestorsOf(first)) {
    if (roots.every((root) => at === '' || root === at || root.startsWith(`${at}/`))) return at;
  }
  return '';
}

function pathDescriptors(root: string, path: string): readonly Descriptor[] {
  const local = root === '' ? path : path.slice(root.length + 1);
  return local.split('/').map((name) => ({ name, suffix: 'namespace' as const, disambiguator: '' }));
}

function outsideSegments({ projectRoot, documentBase }: SymbolKeysOptions): readonly string[] {
  if (!projectRoot.startsWith('file://')) return [];
  let path: string;
  try {
    path = decodeURIComponent(projectRoot.slice('file://'.length));
  } catch {
    path = projectRoot.slice('file://'.length);
  }
  const segments = path.split('/').filter((segment) => segment !== '');
  const inside = documentBase === '' ? 0 : documentBase.split('/').length;
  return segments.slice(0, segments.length - inside);
}

// ---- the packages of this repository, as indexers name them: by manager and name, and by the nearest manifest above a file. A function of
// the paths in scope and the manifests among them.

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

/** What lies in `node_modules` is a copy of another package. */
function manifestPaths(world: ResolveWorld, family: Family): readonly string[] {
  const named = manifestNames[family].flatMap((name) => world.configFilesNamed(name));
  const projects = family === 'csharp' ? world.allFiles().filter((path) => path.endsWith('.csproj')) : [];
  return [...named, ...projects].filter((path) => !/(?:^|\/)node_modules\//.test(path));
}

/** `null`: a package without a name. */
const readName: Readonly<Record<Family, (world: ResolveWorld, path: string) => string | null | 'not_a_package'>> = {
  typescript: (world, path) => textAt(readConfigWith(world, path, parseJsonObject) ?? {}, 'name'),
  python: (world, path) => {
    if (!path.endsWith('.toml')) return null;
    const toml = readConfigWith(world, path, parseToml) ?? {};
    return textAt(toml, 'project', 'name') ?? textAt(toml, 'tool', 'poetry', 'name');
  },
  go: (world, path) => readConfigWith(world, path, parseGoMod)?.module ?? null,
  rust: (world, path) => {
    const toml = readConfigWith(world, path, parseToml) ?? {};
    return isJsonObject(toml['package']) ? textAt(toml, 'package', 'name') : 'not_a_package';
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
