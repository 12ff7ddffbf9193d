/**
 * One search for one module: what may be looked at, and the trail of what was. A search has a budget of looks, so that no
 * configuration, however absurd, makes an import expensive.
 */

import type { ResolveWorld } from '../types.ts';
import type { BuildOutputs } from './build-outputs.ts';
import type { ModuleOptions } from './module-options.ts';
import type { Packages } from './package-info.ts';

/** Kinds of files a search is after, as bits: the compiler looks for types first and for JavaScript only then. */
export const kinds = {
  typescript: 1,
  javascript: 2,
  declaration: 4,
  json: 8,
  types: 1 | 4,
  code: 2 | 8,
  all: 15,
} as const;

export type Trail = {
  readonly paths: string[];
  looksLeft: number;
  /** A package outside the repository that an entry of `imports` named. */
  external: string | undefined;
};

export type Search = {
  readonly world: ResolveWorld;
  readonly packages: Packages;
  readonly outputs: BuildOutputs;
  readonly options: ModuleOptions;
  /** The directory of the importing file: files that are built themselves ask for built files. */
  readonly fromDirectory: string;
  readonly kinds: number;
  /** Node's rule for ES modules: names are complete, directories mean nothing. */
  readonly explicitOnly: boolean;
  readonly useExports: boolean;
  readonly conditions: ReadonlySet<string>;
  /** Every condition holds: the last resort for entries that no condition of the importer reaches. */
  readonly anyCondition: boolean;
  readonly trail: Trail;
};

const looksMax = 4_096;

export function createTrail(): Trail {
  return { paths: [], looksLeft: looksMax, external: undefined };
}

/** The path itself, or with the first of `moduleSuffixes` that exists before its extension. */
export function tryFile(search: Search, path: string): string | undefined {
  const { moduleSuffixes } = search.options;
  if (moduleSuffixes.length === 0) return look(search, path);
  const extension = extensionOf(path);
  const stem = path.slice(0, path.length - extension.length);
  for (const suffix of moduleSuffixes) {
    const hit = look(search, stem + suffix + extension);
    if (hit !== undefined) return hit;
  }
  return undefined;
}

export function look(search: Search, path: string): string | undefined {
  const { trail } = search;
  if (trail.looksLeft <= 0) return undefined;
  trail.looksLeft -= 1;
  trail.paths.push(path);
  return search.world.hasFile(path) ? path : undefined;
}

/** Spends without looking: for walks over what a configuration lists. False when nothing is left. */
export function spend(search: Search): boolean {
  search.trail.looksLeft -= 1;
  return search.trail.looksLeft > 0;
}

/** An extension modules are known by, `''` for any other. */
export function extensionOf(path: string): string {
  const dot = path.lastIndexOf('.');
  if (dot <= path.lastIndexOf('/')) return '';
  const extension = path.slice(dot);
  if (!moduleExtensions.has(extension)) return '';
  const isDeclaration = typescriptExtensions.has(extension) && path.startsWith('.d', dot - 2);
  return isDeclaration ? `.d${extension}` : extension;
}

const typescriptExtensions = new Set(['.ts', '.mts', '.cts']);
const moduleExtensions = new Set(['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.json']);
