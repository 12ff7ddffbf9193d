/**
 * A tsconfig after its `extends` chain: a string, an array, or a package name; options are merged base → leaf and the leaf wins.
 * Promises: at most 32 levels and 256 files, cycles end, nothing outside the repository is asked for, and every file the answer
 * could depend on is in `wanted`, so that a probe can declare it before its key is made.
 * Reading is the caller's: the same walk serves `deriveInputs` (where undeclared files read as absent) and `run`.
 */

import { posix } from 'node:path';
import { isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';
import type { ParseFailure } from '../../kernel/formats/parse-outcome.ts';
import { type ConfigLayer, emptyLayer, finishLayer, layerOf, mergeLayers } from './tsconfig-layers.ts';

export type TsconfigRead =
  | { readonly kind: 'read'; readonly value: JsonObject }
  | { readonly kind: 'absent' }
  | { readonly kind: 'failed'; readonly failure: ParseFailure };

export type TsconfigSource = {
  /** Reads one root-relative JSON-with-comments file; a file that may not be read counts as absent. */
  readonly read: (path: string) => Promise<TsconfigRead>;
  /** Directory of the workspace package of that name, for configurations that live in the repository and are not installed. */
  readonly findPackage: (name: string) => Promise<string | undefined>;
};

export type TsconfigProblem =
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
  /** Root-relative; inherited where the leaf has none of its own; null where nobody has. */
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
