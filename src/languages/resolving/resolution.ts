/**
 * From what a file asks for to the files that answer (code-plane.md §3.4). Invariant S4: every import gets targets or a reason, and
 * its candidates explain the choice. A resolution follows from paths, configuration files and provided names alone, so that creating
 * or deleting a candidate, changing a configuration file, or providing a name says exactly whom to ask again.
 */

import type { ImportKind } from '../facts.ts';
import { directoryOf } from './root-paths.ts';

export const importReasons = ['not_found', 'external', 'dynamic', 'outside_root', 'ambiguous'] as const;
export type ImportReason = (typeof importReasons)[number];

/** The paths in scope and nothing else of the disk. All paths are root-relative; the root itself is `''`. */
export interface ResolveWorld {
  hasFile(path: string): boolean;
  /** Does any file in scope lie below it? */
  hasDirectory(path: string): boolean;
  /** Files in scope directly in that directory, sorted by code unit. */
  listDirectory(path: string): readonly string[];
  /** Files that provide a name (`RawFacts.provides`), sorted. */
  filesProviding(name: string): readonly string[];
  /** Bytes of a configuration file in scope (`isConfigFile`), `undefined` where there is none. Read once per world. */
  readConfig(path: string): Uint8Array | undefined;
  /** All configuration files in scope with this base name (`package.json`, `go.mod`), sorted. */
  configFilesNamed(name: string): readonly string[];
  /** All files in scope, sorted: for the rare language that needs to see the whole (include roots, source roots). */
  allFiles(): readonly string[];
}

export type ImportRequest = {
  readonly specifier: string;
  readonly kind: ImportKind;
  readonly literal: boolean;
  /** Names asked for, where they can decide the file (Python's `from pkg import module`, PHP groups); else empty. */
  readonly names: readonly string[];
};

export type Resolution = {
  /** In the language's order; several where a package or a wildcard means several files. Empty iff there is a reason. */
  readonly targets: readonly string[];
  readonly reason: ImportReason | null;
  /** The package, module or header outside this repository. */
  readonly external: string | null;
  /**
   * What was or would have been tried, in order, up to and including the hit. A path; a directory with a trailing `/` where any file
   * directly in it counts; or a provided name. At most `maxCandidates`.
   */
  readonly candidates: readonly string[];
};

export const maxCandidates = 64;

/** One per language family. Made anew when the set of files or a configuration file changes, so it may remember what it read. */
export type Resolve = (from: string, request: ImportRequest) => Resolution;
export type CreateResolve = (world: ResolveWorld) => Resolve;

export const unresolved = (
  reason: ImportReason,
  candidates: readonly string[] = [],
  external: string | null = null,
): Resolution => ({
  targets: [],
  reason,
  external,
  candidates,
});
export const resolvedTo = (targets: readonly string[], candidates: readonly string[]): Resolution => ({
  targets,
  reason: null,
  external: null,
  candidates,
});

/** Longer than any path a file system allows: not worth a question. */
const longestSpecifier = 4096;

/**
 * Asks a world and records what was asked: the list of candidates is the record of a search, so it cannot disagree with it.
 *
 * Every answer of a resolver follows from configuration files and from what it asked here, and from nothing else (S4, R5): a file
 * that is no candidate, lies in no candidate directory and provides no candidate name can change neither the answer nor the
 * record. A search that has asked `maxCandidates` questions finds nothing more; it would otherwise depend on what it cannot
 * record.
 */
export type FileSearch = {
  /** The path, if there is such a file; `null` (a path outside the root) is no question. */
  file(path: string | null): string | null;
  firstFile(paths: Iterable<string | null>): string | null;
  /** Files directly in the directory with one of the endings, sorted. */
  filesIn(directory: string, accepts: (path: string) => boolean): readonly string[];
  /** Records the whole directory, so that questions about files directly in it cost no candidate of their own. */
  watch(directory: string): void;
  providing(name: string): readonly string[];
  found(targets: readonly string[]): Resolution;
  missed(reason: ImportReason, external?: string | null): Resolution;
};

export function createSearch(world: ResolveWorld): FileSearch {
  const asked = new Set<string>();
  const ask = (candidate: string): boolean => {
    if (asked.has(candidate)) return true;
    if (asked.size >= maxCandidates) return false;
    asked.add(candidate);
    return true;
  };
  const file = (path: string | null): string | null => {
    if (path === null || path === '') return null;
    return (asked.has(`${directoryOf(path)}/`) || ask(path)) && world.hasFile(path) ? path : null;
  };
  // What a candidate directory covers need not be named as well.
  const record = (): string[] => [...asked].filter((entry) => entry.endsWith('/') || !isCovered(entry));
  const isCovered = (entry: string): boolean => asked.has(`${directoryOf(entry)}/`) && !isProvidedName(entry);
  return {
    file,
    firstFile: (paths) => {
      for (const path of paths) {
        const hit = file(path);
        if (hit !== null) return hit;
      }
      return null;
    },
    filesIn: (directory, accepts) => (ask(`${directory}/`) ? world.listDirectory(directory).filter(accepts) : []),
    watch: (directory) => {
      ask(`${directory}/`);
    },
    providing: (name) => (ask(name) ? world.filesProviding(name) : []),
    found: (targets) => resolvedTo([...new Set(targets)], record()),
    missed: (reason, external = null) => unresolved(reason, record(), external),
  };
}

function isProvidedName(candidate: string): boolean {
  return /^[a-z]+:/.test(candidate);
}

/** The usual frame of a resolver: dynamic and absurd requests are answered here, and equal questions are asked once. */
export function remembering(
  scopeOf: (from: string) => string,
  resolve: (from: string, request: ImportRequest) => Resolution,
): Resolve {
  const known = new Map<string, Resolution>();
  return (from, request) => {
    if (!request.literal) return unresolved('dynamic');
    if (request.specifier === '' || request.specifier.length > longestSpecifier) return unresolved('not_found');
    const key = [scopeOf(from), request.kind, request.specifier, ...request.names].join('\0');
    const before = known.get(key);
    if (before !== undefined) return before;
    const resolution = resolve(from, request);
    known.set(key, resolution);
    return resolution;
  };
}

/** A package that asks for its own does not depend on itself; a file alone in it answers for itself. */
export function withoutSelf(files: readonly string[], from: string): readonly string[] {
  const others = files.filter((file) => file !== from);
  return others.length > 0 ? others : files;
}

/**
 * Of several files that declare the same type, those that share most of their directories with the asking file: two modules of a
 * build may each have a `com.acme.App`, and each means its own.
 */
export function nearestTo(from: string, files: readonly string[]): readonly string[] {
  if (files.length < 2) return files;
  const home = directoryOf(from).split('/');
  let nearest: string[] = [];
  let best = -1;
  for (const file of files) {
    const shared = countShared(home, directoryOf(file).split('/'));
    if (shared > best) [best, nearest] = [shared, []];
    if (shared === best) nearest.push(file);
  }
  return nearest;
}

function countShared(a: readonly string[], b: readonly string[]): number {
  let count = 0;
  while (count < a.length && a[count] === b[count]) count += 1;
  return count;
}
