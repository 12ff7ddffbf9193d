/**
 * One lookup for one module: what it may look at, the trail of what it has looked at, and the files that a name can stand for. A
 * lookup has a budget of looks, so that no configuration, however absurd, makes an import expensive.
 */

import type { ResolveWorld } from '../resolving/resolution.ts';
import type { ModuleOptions } from './js-options.ts';
import type { Packages } from './js-packages.ts';

/** Kinds of files a lookup is after, as bits: the compiler looks for types first and for JavaScript only then. */
export const kinds = {
  typescript: 1,
  javascript: 2,
  declaration: 4,
  json: 8,
  types: 1 | 4,
  code: 2 | 8,
  all: 15,
} as const;

type Trail = {
  readonly paths: string[];
  looksLeft: number;
  /** A package outside the repository that an entry of `imports` named. */
  external: string | undefined;
};

export type Lookup = {
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
export function tryFile(lookup: Lookup, path: string): string | undefined {
  const { moduleSuffixes } = lookup.options;
  if (moduleSuffixes.length === 0) return look(lookup, path);
  const extension = extensionOf(path);
  const stem = path.slice(0, path.length - extension.length);
  for (const suffix of moduleSuffixes) {
    const hit = look(lookup, stem + suffix + extension);
    if (hit !== undefined) return hit;
  }
  return undefined;
}

export function look(lookup: Lookup, path: string): string | undefined {
  const { trail } = lookup;
  if (trail.looksLeft <= 0) return undefined;
  trail.looksLeft -= 1;
  trail.paths.push(path);
  return lookup.world.hasFile(path) ? path : undefined;
}

/** Spends without looking: for walks over what a configuration lists. False when nothing is left. */
export function spend(lookup: Lookup): boolean {
  lookup.trail.looksLeft -= 1;
  return lookup.trail.looksLeft > 0;
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

export type BuildOutputs = {
  /** Where the sources of a built file may lie, in order. Empty for what no configuration builds, or for one built file asking for another. */
  sourcesOf(path: string, fromDirectory: string): readonly string[];
  /** The output directories that hold this directory. Equal answers are the same object. */
  rootsAt(directory: string): readonly OutputRoot[];
};

export type OutputRoot = { readonly directory: string; readonly sourceRoots: readonly string[] };

/**
 * The files that a name as written may mean, in the compiler's order: a JavaScript extension stands for its TypeScript twins
 * first, and a name without extension is completed unless Node's rule for ES modules forbids it.
 */
export function loadFile(lookup: Lookup, path: string): string | undefined {
  // Styles, images, components: the file is what is meant, even where a declaration describes it to the compiler.
  const asset = hasForeignExtension(lookup, path) ? tryFile(lookup, path) : undefined;
  const hit = asset ?? loadExplicitFile(lookup, path);
  if (hit !== undefined || lookup.explicitOnly) return hit;
  return tryTwins(lookup, path, 'script');
}

/** Only what the name's own extension stands for. */
export function loadExplicitFile(lookup: Lookup, path: string): string | undefined {
  const extension = extensionOf(path);
  if (extension !== '') return tryTwins(lookup, path.slice(0, path.length - extension.length), familyOf[extension]);
  if (!hasForeignExtension(lookup, path)) return undefined;
  const dot = path.lastIndexOf('.');
  return tryFile(lookup, `${path.slice(0, dot)}.d${path.slice(dot)}.ts`);
}

/** Declarations are looked for in one pass of each lookup, and so is this. */
function hasForeignExtension(lookup: Lookup, path: string): boolean {
  const isForeign = path.lastIndexOf('.') > path.lastIndexOf('/') && extensionOf(path) === '';
  return isForeign && (lookup.kinds & kinds.declaration) !== 0;
}

type Family = 'script' | 'jsx' | 'module' | 'commonjs' | 'json';

const familyOf: Readonly<Record<string, Family>> = {
  '.ts': 'script',
  '.d.ts': 'script',
  '.js': 'script',
  '.tsx': 'jsx',
  '.jsx': 'jsx',
  '.mts': 'module',
  '.d.mts': 'module',
  '.mjs': 'module',
  '.cts': 'commonjs',
  '.d.cts': 'commonjs',
  '.cjs': 'commonjs',
  '.json': 'json',
};

const twins: Readonly<Record<Family, readonly (readonly [number, string])[]>> = {
  script: [
    [kinds.typescript, '.ts'],
    [kinds.typescript, '.tsx'],
    [kinds.declaration, '.d.ts'],
    [kinds.javascript, '.js'],
    [kinds.javascript, '.jsx'],
  ],
  jsx: [
    [kinds.typescript, '.tsx'],
    [kinds.typescript, '.ts'],
    [kinds.declaration, '.d.ts'],
    [kinds.javascript, '.jsx'],
    [kinds.javascript, '.js'],
  ],
  module: [
    [kinds.typescript, '.mts'],
    [kinds.declaration, '.d.mts'],
    [kinds.javascript, '.mjs'],
  ],
  commonjs: [
    [kinds.typescript, '.cts'],
    [kinds.declaration, '.d.cts'],
    [kinds.javascript, '.cjs'],
  ],
  json: [
    [kinds.declaration, '.d.json.ts'],
    [kinds.json, '.json'],
  ],
};

function tryTwins(lookup: Lookup, stem: string, family: Family | undefined): string | undefined {
  for (const [kind, extension] of family === undefined ? [] : twins[family]) {
    if ((lookup.kinds & kind) === 0) continue;
    const hit = tryFile(lookup, stem + extension);
    if (hit !== undefined) return hit;
  }
  return undefined;
}
