/** A `ResolveWorld` made of nothing but paths and texts: resolvers are tested without a disk. */

import { compareCodeUnits } from '../../src/kernel/base/json.ts';
import type { ImportRequest, ResolveWorld } from '../../src/languages/resolving/resolution.ts';

/** `provides` maps a provided name (`java:com.acme.Order`) to the files that provide it. Every file may be read as configuration. */
export function worldOf(
  files: Readonly<Record<string, string>>,
  provides: Readonly<Record<string, readonly string[]>> = {},
): ResolveWorld {
  const all = Object.keys(files).sort(compareCodeUnits);
  const byDirectory = new Map<string, string[]>();
  const byBaseName = new Map<string, string[]>();
  for (const path of all) {
    const slash = path.lastIndexOf('/');
    listOf(byBaseName, path.slice(slash + 1)).push(path);
    listOf(byDirectory, path.slice(0, Math.max(0, slash))).push(path);
    for (let at = slash; at > 0; at = path.lastIndexOf('/', at - 1)) listOf(byDirectory, path.slice(0, at));
    listOf(byDirectory, '');
  }
  const providing = new Map(Object.entries(provides).map(([name, paths]) => [name, [...paths].sort(compareCodeUnits)]));
  return {
    hasFile: (path) => Object.hasOwn(files, path),
    hasDirectory: (path) => byDirectory.has(path),
    listDirectory: (path) => byDirectory.get(path) ?? [],
    filesProviding: (name) => providing.get(name) ?? [],
    readConfig: (path) => (Object.hasOwn(files, path) ? new TextEncoder().encode(files[path]) : undefined),
    configFilesNamed: (name) => byBaseName.get(name) ?? [],
    allFiles: () => all,
  };
}

/** A literal import of `specifier` unless told otherwise. */
export function requestOf(specifier: string, more: Partial<ImportRequest> = {}): ImportRequest {
  return { specifier, kind: 'import', literal: true, names: [], ...more };
}

function listOf(map: Map<string, string[]>, key: string): string[] {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made: string[] = [];
  map.set(key, made);
  return made;
}
