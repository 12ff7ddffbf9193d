/**
 * From a name as written to the files that may be meant, in the compiler's order: a JavaScript extension stands for its TypeScript
 * twins first, and a name without extension is completed unless Node's rule for ES modules forbids it.
 */

import { extensionOf, kinds, type Search, tryFile } from './search.ts';

export function loadFile(search: Search, path: string): string | undefined {
  // Styles, images, components: the file is what is meant, even where a declaration describes it to the compiler.
  const asset = hasForeignExtension(search, path) ? tryFile(search, path) : undefined;
  const hit = asset ?? loadExplicitFile(search, path);
  if (hit !== undefined || search.explicitOnly) return hit;
  return tryTwins(search, path, 'script');
}

/** Only what the name's own extension stands for. */
export function loadExplicitFile(search: Search, path: string): string | undefined {
  const extension = extensionOf(path);
  if (extension !== '') return tryTwins(search, path.slice(0, path.length - extension.length), familyOf[extension]);
  if (!hasForeignExtension(search, path)) return undefined;
  const dot = path.lastIndexOf('.');
  return tryFile(search, `${path.slice(0, dot)}.d${path.slice(dot)}.ts`);
}

/** Declarations are looked for in one pass of each search, and so is this. */
function hasForeignExtension(search: Search, path: string): boolean {
  const isForeign = path.lastIndexOf('.') > path.lastIndexOf('/') && extensionOf(path) === '';
  return isForeign && (search.kinds & kinds.declaration) !== 0;
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

function tryTwins(search: Search, stem: string, family: Family | undefined): string | undefined {
  for (const [kind, extension] of family === undefined ? [] : twins[family]) {
    if ((search.kinds & kind) === 0) continue;
    const hit = tryFile(search, stem + extension);
    if (hit !== undefined) return hit;
  }
  return undefined;
}
