/** The files that a trace saw mapped or executed, asked from the side of whoever might own them. */

import type { Reach } from './package-types.ts';

export type TracedFiles = {
  /** Of an absolute path as a package manager recorded it. */
  has(path: string): boolean;
  /** Of the directory of an npm package: is one of them in it, and not in a package nested in it? */
  hasInPackage(directory: string): boolean;
};

export function tracedFiles(paths: readonly string[]): TracedFiles {
  const known = new Set(paths.flatMap((path) => [path, mergedPath(path), splitPath(path)]));
  const packages = new Set(paths.flatMap((path) => npmPackage.exec(path)?.[1] ?? []));
  return { has: (path) => known.has(path), hasInPackage: (directory) => packages.has(directory) };
}

/** Up to the innermost package. */
const npmPackage = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//;

/** Null files: nobody recorded what the package owns. */
export function reachOf(traced: TracedFiles | null, files: Iterable<string> | null): Reach {
  if (traced === null || files === null) return 'unknown';
  for (const file of files) if (traced.has(file)) return 'loaded';
  return 'present';
}

// A trace has the path behind the links. Where /lib is a link to /usr/lib, package managers may still have recorded /lib.
const merged = /^\/(?:bin|sbin|lib|lib32|lib64|libx32)\//;

function mergedPath(path: string): string {
  return merged.test(path) ? `/usr${path}` : path;
}

function splitPath(path: string): string {
  return path.startsWith('/usr/') && merged.test(path.slice('/usr'.length)) ? path.slice('/usr'.length) : path;
}
