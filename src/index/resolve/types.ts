/**
 * From what a file asks for to the files that answer (code-plane.md §3.4). Invariant S4: every import gets targets or a reason, and
 * its candidates explain the choice. A resolution follows from paths, configuration files and provided names alone, so that creating
 * or deleting a candidate, changing a configuration file, or providing a name says exactly whom to ask again.
 */

import type { ImportKind } from '../../languages/facts.ts';

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
