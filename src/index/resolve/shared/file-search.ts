/**
 * Asking a world while writing down what was asked: the list of candidates is the record of a search, so it cannot disagree with it.
 *
 * Every answer of a resolver follows from configuration files and from what it asked here, and from nothing else (S4, R5): a file that
 * is no candidate, lies in no candidate directory and provides no candidate name can change neither the answer nor the record.
 * A search that has asked `maxCandidates` questions finds nothing more; it would otherwise depend on what it cannot record.
 */

import {
  type ImportReason,
  type ImportRequest,
  maxCandidates,
  type Resolution,
  type Resolve,
  type ResolveWorld,
  resolvedTo,
  unresolved,
} from '../types.ts';
import { directoryOf } from './root-paths.ts';

/** Longer than any path a file system allows: not worth a question. */
const longestSpecifier = 4096;

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
