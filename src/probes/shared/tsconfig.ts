/** Configurations of TypeScript as probes need them: the one that speaks for a repository (at the root, else the shallowest), and its options after `extends`. */

import { posix } from 'node:path';
import type { ProbeRepo } from '../../gather/contract.ts';
import { compareCodeUnits, isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';
import type { ParseFailure } from '../../kernel/formats/parse-outcome.ts';
import { isVendoredPath } from '../../kernel/tree/file-roles.ts';
import { listPackageJson } from './node-packages.ts';
import { type ManifestContext, readManifest } from './probe-reading.ts';

/** Reads it with its `extends` chain. `deriveInputs` takes `wanted` from the same walk that `run` takes the answer from. */
export async function resolvePrimaryTsconfig(repo: ProbeRepo, ctx: ManifestContext): Promise<ResolvedTsconfig | null> {
  const source = tsconfigSource(repo, ctx);
  const primary = await findPrimaryTsconfig(repo.inputs.list(['**/tsconfig*.json']), source.read);
  return primary === null ? null : resolveTsconfig(primary, source);
}

/** Files that the given configurations extend and that are not among the inputs yet. */
export async function listWantedBases(
  repo: ProbeRepo,
  ctx: ManifestContext,
  configs: readonly string[],
): Promise<readonly string[]> {
  const source = tsconfigSource(repo, ctx);
  const wanted = new Set<string>();
  for (const path of configs) {
    const resolved = await resolveTsconfig(path, source);
    for (const base of resolved.wanted) wanted.add(base);
  }
  return [...wanted];
}

/**
 * The files to declare so that `wanted` can be read. What such a file extends in turn is known only once it has been read, which
 * is too late to declare it; configurations extend what lies beside them, so that is declared too: of the repository every JSON
 * file there, of an installed package, which no glob reaches, the usual names.
 */
export function withNeighbours(wanted: readonly string[]): readonly string[] {
  const declared = new Set(wanted);
  for (const path of wanted.filter((each) => posix.basename(each) !== 'package.json')) {
    const directory = posix.dirname(path);
    const within = (name: string) => posix.join(directory, name);
    if (!isVendoredPath(path)) declared.add(within('*.json'));
    else for (const name of ['tsconfig.json', 'tsconfig.base.json', 'base.json']) declared.add(within(name));
  }
  return [...declared].sort(compareCodeUnits);
}

/** Reading through a probe's inputs; packages of the repository itself are found by the name in their package.json. */
export function tsconfigSource(repo: ProbeRepo, ctx: ManifestContext): TsconfigSource {
  let byName: Map<string, string> | undefined;
  return {
    read: (id) => readManifest(repo, ctx, id),
    async findPackage(name) {
      byName ??= await mapPackageNames(repo, ctx);
      return byName.get(name);
    },
  };
}

async function mapPackageNames(repo: ProbeRepo, ctx: ManifestContext): Promise<Map<string, string>> {
  const byName = new Map<string, string>();
  for (const id of listPackageJson(repo)) {
    const manifest = id === 'package.json' ? null : await ctx.parsedManifest(id);
    const name = manifest?.['name'];
    if (typeof name === 'string' && !byName.has(name)) byName.set(name, id.slice(0, -'/package.json'.length));
  }
  return byName;
}

export async function findPrimaryTsconfig(
  paths: readonly string[],
  read: TsconfigSource['read'],
): Promise<string | null> {
  const [first] = paths.filter((path) => !isVendoredPath(path)).sort(byPrecedence);
  if (first === undefined) return null;
  const outcome = await read(first);
  if (outcome.kind !== 'read' || !isSolution(outcome.value)) return first;
  return referencesOf(outcome.value, posix.dirname(first)).find((path) => paths.includes(path)) ?? first;
}

/** A file that only lists projects has no options of its own; the first project that is there speaks for it. */
function isSolution(config: JsonObject): boolean {
  return config['compilerOptions'] === undefined && config['extends'] === undefined;
}

function referencesOf(config: JsonObject, directory: string): readonly string[] {
  const references = config['references'];
  if (!Array.isArray(references)) return [];
  return (references as readonly Json[]).slice(0, 256).flatMap((reference) => {
    const path = isJsonObject(reference) ? reference['path'] : undefined;
    if (typeof path !== 'string') return [];
    const target = posix.join(directory, path);
    return [target.endsWith('.json') ? target : posix.join(target, 'tsconfig.json')];
  });
}

function byPrecedence(a: string, b: string): number {
  return (
    a.split('/').length - b.split('/').length ||
    rank(posix.basename(a)) - rank(posix.basename(b)) ||
    compareCodeUnits(a, b)
  );
}

function rank(name: string): number {
  return name === 'tsconfig.json' ? 0 : name === 'tsconfig.base.json' ? 1 : 2;
}

// A tsconfig after its `extends` chain: a string, an array, or a package name; options are merged base → leaf and the leaf wins.
// Promises: at most 32 levels and 256 files, cycles end, nothing outside the repository is asked for, and every file the answer
// could depend on is in `wanted`, so that a probe can declare it before its key is made.
// Reading is the caller's: the same walk serves `deriveInputs` (where undeclared files read as absent) and `run`.

type TsconfigRead =
  | { readonly kind: 'read'; readonly value: JsonObject }
  | { readonly kind: 'absent' }
  | { readonly kind: 'failed'; readonly failure: ParseFailure };

export type TsconfigSource = {
  /** Reads one root-relative JSON-with-comments file; a file that may not be read counts as absent. */
  readonly read: (path: string) => Promise<TsconfigRead>;
  /** Directory of the workspace package of that name, for configurations that live in the repository and are not installed. */
  readonly findPackage: (name: string) => Promise<string | undefined>;
};

type TsconfigProblem =
  | {
      readonly kind: 'extends_cycle' | 'extends_depth_exceeded' | 'extends_unresolved';
      readonly path: string;
      readonly detail: string;
    }
  | { readonly kind: 'failed'; readonly path: string; readonly failure: ParseFailure };

export type ResolvedTsconfig = {
  readonly path: string;
  /** Merged `compilerOptions`; options that hold paths are root-relative. */
  readonly options: JsonObject;
  /** Root-relative; inherited where the leaf has none of its own; null where no file of the chain has any. */
  readonly files: readonly string[] | null;
  readonly include: readonly string[] | null;
  readonly exclude: readonly string[] | null;
  /** The configuration itself first, then every file that it extends, in the order they were met. */
  readonly chain: readonly string[];
  readonly problems: readonly TsconfigProblem[];
  /** Files that were looked for and not found: each could change the answer by appearing. */
  readonly wanted: readonly string[];
};

const maxDepth = 32;
const maxFiles = 256;
const maxExtends = 64;

export async function resolveTsconfig(path: string, source: TsconfigSource): Promise<ResolvedTsconfig> {
  const walk = createWalk(source);
  const layer = await walk.visit(path, []);
  return { path, ...finishLayer(layer, posix.dirname(path)), ...walk.findings() };
}

function createWalk(source: TsconfigSource) {
  const layers = new Map<string, ConfigLayer>();
  const chain = new Set<string>();
  const wanted = new Set<string>();
  const problems = new Map<string, TsconfigProblem>();
  const report = (problem: TsconfigProblem) => {
    const detail = problem.kind === 'failed' ? '' : problem.detail;
    problems.set(`${problem.kind}\0${problem.path}\0${detail}`, problem);
  };

  const read = async (path: string): Promise<TsconfigRead> => {
    const outcome = await source.read(path);
    if (outcome.kind === 'absent' && canBeDeclared(path)) wanted.add(path);
    return outcome;
  };

  /** `ancestors` are the files whose `extends` led here, leaf first. */
  const visit = async (path: string, ancestors: readonly string[]): Promise<ConfigLayer> => {
    if (ancestors.includes(path)) {
      report({ kind: 'extends_cycle', path, detail: `extended again by ${ancestors.at(-1)}` });
      return emptyLayer;
    }
    const known = layers.get(path);
    if (known !== undefined) return known;
    if (ancestors.length > maxDepth || chain.size >= maxFiles) {
      report({ kind: 'extends_depth_exceeded', path, detail: `more than ${maxDepth} levels or ${maxFiles} files` });
      return emptyLayer;
    }
    const layer = await readLayer(path, ancestors);
    layers.set(path, layer);
    return layer;
  };

  const readLayer = async (path: string, ancestors: readonly string[]): Promise<ConfigLayer> => {
    const outcome = await read(path);
    if (outcome.kind === 'failed') report({ kind: 'failed', path, failure: outcome.failure });
    if (outcome.kind !== 'read') return emptyLayer;
    chain.add(path);
    let base = emptyLayer;
    const specifiers = specifiersOf(outcome.value['extends']);
    if (specifiers.length > maxExtends) {
      report({ kind: 'extends_unresolved', path, detail: `only the first ${maxExtends} of its extends are read` });
    }
    for (const specifier of specifiers.slice(0, maxExtends)) {
      const found = await locate(specifier, path);
      if (found === undefined) continue;
      base = mergeLayers(base, await visit(found, [...ancestors, path]));
    }
    return mergeLayers(base, layerOf(outcome.value, posix.dirname(path)));
  };

  const locate = async (specifier: Json, from: string): Promise<string | undefined> => {
    const where = candidatesOf(specifier, from);
    if (typeof where === 'string') {
      report({ kind: 'extends_unresolved', path: from, detail: where });
      return undefined;
    }
    const found = where.kind === 'path' ? await firstThere(where.paths) : await locateInPackage(where, from);
    if (found === undefined) {
      report({ kind: 'extends_unresolved', path: from, detail: `nothing found for ${String(specifier)}` });
    }
    return found;
  };

  /** A file that is there but cannot be read is an answer too: `visit` reports why. */
  const firstThere = async (paths: readonly string[]): Promise<string | undefined> => {
    for (const path of paths) if ((await read(path)).kind !== 'absent') return path;
    return undefined;
  };

  const locateInPackage = async (wantedPackage: PackageTarget, from: string): Promise<string | undefined> => {
    const homes = ancestorsOf(posix.dirname(from)).map((dir) => inside(dir, `node_modules/${wantedPackage.name}`));
    const member = await source.findPackage(wantedPackage.name);
    for (const home of member === undefined ? homes : [...homes, member]) {
      const manifest = await read(`${home}/package.json`);
      const paths = pathsInPackage(home, wantedPackage.subpath, manifest.kind === 'read' ? manifest.value : null);
      for (const path of paths) {
        // Installers link packages into node_modules; a link is never followed, so the package is simply not found there.
        const outcome = await read(path);
        if (outcome.kind === 'read' || (outcome.kind === 'failed' && outcome.failure.kind !== 'symlink_refused'))
          return path;
      }
    }
    return undefined;
  };

  return {
    visit,
    findings: () => ({ chain: [...chain], problems: [...problems.values()], wanted: [...wanted] }),
  };
}

type PackageTarget = { readonly kind: 'package'; readonly name: string; readonly subpath: string };

function specifiersOf(field: Json | undefined): readonly Json[] {
  if (field === undefined) return [];
  return Array.isArray(field) ? (field as readonly Json[]) : [field as Json];
}

/** Where a specifier points, or a sentence that says why it points nowhere. */
function candidatesOf(
  given: Json,
  from: string,
): PackageTarget | { readonly kind: 'path'; readonly paths: readonly string[] } | string {
  if (typeof given !== 'string' || given === '' || given.includes('\0')) return 'extends is not a path';
  const specifier = given.replaceAll('\\', '/');
  if (specifier.startsWith('/') || /^[A-Za-z]:\//.test(specifier)) return 'extends leaves the repository';
  if (/^\.\.?(\/|$)/.test(specifier)) {
    const path = posix.join(posix.dirname(from), specifier);
    if (path === '..' || path.startsWith('../')) return 'extends leaves the repository';
    return { kind: 'path', paths: path.endsWith('.json') ? [path] : [path, `${path}.json`] };
  }
  const match = /^((?:@[^/]+\/)?[^/]+)(?:\/(.*))?$/.exec(specifier);
  const subpath = posix.normalize(match?.[2] ?? '.').replace(/\/$/, '');
  if (match?.[1] === undefined || subpath.startsWith('..') || match[1].split('/').includes('..')) {
    return 'extends leaves the repository';
  }
  return { kind: 'package', name: match[1], subpath: subpath === '.' ? '' : subpath };
}

/**
 * A tsconfig chooses these paths, and they become declared inputs: none may read as a glob, as an input of another kind
 * (`user:…`), or lead into git's or our own data.
 */
function canBeDeclared(path: string): boolean {
  return !/[*?[\]{}\\:!]/.test(path) && !/(^|\/)(\.git|\.codegenie|\.\.?)(\/|$)/.test(path) && !path.endsWith('/');
}

function pathsInPackage(home: string, subpath: string, manifest: JsonObject | null): readonly string[] {
  const within = (path: string) => {
    const joined = posix.join(home, path);
    return joined.startsWith(`${home}/`) ? joined : undefined;
  };
  const exported = exportTarget(manifest?.['exports'], subpath === '' ? '.' : `./${subpath}`);
  const named = subpath === '' && typeof manifest?.['tsconfig'] === 'string' ? manifest['tsconfig'] : undefined;
  const plain = subpath === '' ? ['tsconfig.json'] : [subpath, `${subpath}.json`, `${subpath}/tsconfig.json`];
  const order = [exported, named, ...(subpath.endsWith('.json') ? [subpath] : plain)];
  return order.flatMap((path) => (path === undefined ? [] : (within(path) ?? []))).filter(isJsonPath);
}

/** A directory is not a file, and a package's JavaScript is not a configuration. */
function isJsonPath(path: string): boolean {
  return !/\.[cm]?[jt]sx?$/.test(path);
}

/** `exports` as far as configurations use it: exact keys, one `*`, and the first usable condition. */
function exportTarget(exports: Json | undefined, subpath: string): string | undefined {
  if (!isJsonObject(exports)) return undefined;
  const exact = conditionTarget(exports[subpath]);
  if (exact !== undefined) return exact;
  for (const [pattern, target] of Object.entries(exports)) {
    const [head, tail, more] = pattern.split('*');
    if (head === undefined || tail === undefined || more !== undefined) continue;
    if (subpath.length < head.length + tail.length || !subpath.startsWith(head) || !subpath.endsWith(tail)) continue;
    return conditionTarget(target)?.replaceAll('*', () => subpath.slice(head.length, subpath.length - tail.length));
  }
  return undefined;
}

function conditionTarget(target: Json | undefined): string | undefined {
  if (typeof target === 'string') return target;
  if (!isJsonObject(target)) return undefined;
  return ['require', 'node', 'import', 'default'].map((name) => target[name]).find((each) => typeof each === 'string');
}

/** `a/b` → `a/b`, `a`, ``; directories that are themselves a node_modules hold no other one. */
function ancestorsOf(directory: string): readonly string[] {
  const found: string[] = [];
  for (let next = directory; next !== '.' && next !== ''; next = posix.dirname(next)) found.push(next);
  return [...found, ''].filter((each) => posix.basename(each) !== 'node_modules');
}

function inside(directory: string, path: string): string {
  return directory === '' ? path : `${directory}/${path}`;
}

// One tsconfig as a layer over another, the way the compiler merges them; paths become root-relative where they are declared.

type ConfigLayer = {
  readonly options: JsonObject;
  /** Directory of the file that declared `paths`: what its targets are relative to when there is no `baseUrl`. */
  readonly pathsFrom: string;
  readonly files: readonly string[] | null;
  readonly include: readonly string[] | null;
  readonly exclude: readonly string[] | null;
};

const emptyLayer: ConfigLayer = { options: {}, pathsFrom: '.', files: null, include: null, exclude: null };

/** Stands for the leaf's directory until the leaf is known. */
const configDir = `\${configDir}`;
const pathOptions: ReadonlySet<string> = new Set(
  'outDir outFile rootDir baseUrl declarationDir tsBuildInfoFile generateCpuProfile generateTrace'.split(' '),
);
const pathListOptions: ReadonlySet<string> = new Set(['rootDirs', 'typeRoots']);

function layerOf(config: JsonObject, directory: string): ConfigLayer {
  const declared = config['compilerOptions'];
  const own = isJsonObject(declared) ? declared : {};
  return {
    options: Object.fromEntries(
      Object.entries(own).map(([name, value]) => [name, rebaseOption(name, value, directory)]),
    ),
    pathsFrom: directory,
    files: rebaseList(config['files'], directory),
    include: rebaseList(config['include'], directory),
    exclude: rebaseList(config['exclude'], directory),
  };
}

/** The upper layer wins option by option and list by list. */
function mergeLayers(lower: ConfigLayer, upper: ConfigLayer): ConfigLayer {
  return {
    options: { ...lower.options, ...upper.options },
    pathsFrom: Object.hasOwn(upper.options, 'paths') ? upper.pathsFrom : lower.pathsFrom,
    files: upper.files ?? lower.files,
    include: upper.include ?? lower.include,
    exclude: upper.exclude ?? lower.exclude,
  };
}

/** What holds once the leaf is known: `${configDir}` is its directory, an option set to null is unset, `paths` has its base. */
function finishLayer(layer: ConfigLayer, leafDirectory: string): Omit<ConfigLayer, 'pathsFrom'> {
  const fill = (value: Json): Json => (typeof value === 'string' ? fillConfigDir(value, leafDirectory) : value);
  const options = Object.fromEntries(
    Object.entries(layer.options)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [name, Array.isArray(value) ? (value as readonly Json[]).map(fill) : fill(value)]),
  );
  if (isJsonObject(options['paths'])) {
    const base = typeof options['baseUrl'] === 'string' ? options['baseUrl'] : layer.pathsFrom;
    options['paths'] = Object.fromEntries(
      Object.entries(options['paths']).map(([pattern, targets]) => [
        pattern,
        (rebaseList(targets, base) ?? []).map((target) => fillConfigDir(target, leafDirectory)),
      ]),
    );
  }
  const fillList = (list: readonly string[] | null) => list?.map((item) => fillConfigDir(item, leafDirectory)) ?? null;
  return {
    options,
    files: fillList(layer.files),
    include: fillList(layer.include),
    exclude: fillList(layer.exclude),
  };
}

function rebaseOption(name: string, value: Json, directory: string): Json {
  if (pathOptions.has(name) && typeof value === 'string') return rebase(value, directory);
  if (pathListOptions.has(name)) return rebaseList(value, directory) ?? value;
  return value;
}

function rebaseList(value: Json | undefined, directory: string): readonly string[] | null {
  if (!Array.isArray(value)) return null;
  return (value as readonly Json[])
    .filter((item): item is string => typeof item === 'string')
    .map((item) => rebase(item, directory));
}

/** Absolute paths and `${configDir}` say where they are themselves. */
function rebase(path: string, directory: string): string {
  if (path.startsWith(configDir) || path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path)) return path;
  return posix.join(directory, path.replaceAll('\\', '/'));
}

function fillConfigDir(text: string, leafDirectory: string): string {
  return text.startsWith(configDir) ? posix.join(leafDirectory, `./${text.slice(configDir.length)}`) : text;
}
