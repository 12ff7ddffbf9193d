/**
 * What a build is declared to write: the compiler's output directories, and the entry points and published folders of a manifest
 * that lie in an output directory. Directories end in `/`. Nothing is looked up on disk: outputs are usually not there.
 */

import { posix } from 'node:path';
import { compareCodeUnits, isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';
import { shown } from './manifest-facts.ts';

const outputFolders: ReadonlySet<string> = new Set(['dist', 'build', 'out', '.next', '.nuxt', '.output']);
const maxArtifacts = 200;

export function listOutputArtifacts(
  packages: readonly { readonly directory: string; readonly manifest: JsonObject }[],
  compilerOptions: JsonObject,
): readonly string[] {
  const folders = ['outDir', 'declarationDir']
    .map((name) => compilerOptions[name])
    .flatMap((value) => (typeof value === 'string' ? (insideRoot(value) ?? []) : []))
    .map((folder) => folder.replace(/\/$/, ''));
  const outFile = typeof compilerOptions['outFile'] === 'string' ? insideRoot(compilerOptions['outFile']) : null;
  const found = new Set(folders.map((folder) => `${folder}/`));
  if (outFile !== null) found.add(outFile);
  for (const { directory, manifest } of packages) {
    for (const declared of declaredPaths(manifest)) {
      const path = insideRoot(posix.join(directory, declared));
      if (path !== null && isOutput(path, directory, folders)) found.add(path);
    }
  }
  return [...found].map(shown).sort(compareCodeUnits).slice(0, maxArtifacts);
}

function isOutput(path: string, directory: string, folders: readonly string[]): boolean {
  if (folders.some((folder) => path.startsWith(`${folder}/`))) return true;
  if (directory !== '.' && !path.startsWith(`${directory}/`)) return false;
  const below = directory === '.' ? path : path.slice(directory.length + 1);
  return outputFolders.has(below.split('/')[0] as string);
}

function declaredPaths(manifest: JsonObject): readonly string[] {
  const entries = ['main', 'module', 'browser', 'types', 'typings'].flatMap((key) => leaves(manifest[key]));
  const published = leaves(manifest['files'])
    .map(asPublished)
    .filter((path) => path !== null);
  return [...entries, ...leaves(manifest['bin']), ...leaves(manifest['exports']), ...published];
}

/** `dist`, `dist/` and `dist/**` publish the folder; other patterns are no paths. */
function asPublished(pattern: string): string | null {
  const clean = pattern.replace(/^\.?\//, '').replace(/(\/\*\*?(\/\*)?)?\/?$/, '');
  if (clean === '' || /[*?[\]{}!]/.test(clean)) return null;
  return /\.[A-Za-z0-9]+$/.test(clean) && !outputFolders.has(clean) ? clean : `${clean}/`;
}

/** The strings in a value of any shape; order does not matter, the caller sorts. */
function leaves(value: Json | undefined): readonly string[] {
  const found: string[] = [];
  const pending: (Json | undefined)[] = [value];
  while (pending.length > 0 && found.length < maxArtifacts) {
    const next = pending.pop();
    if (typeof next === 'string') found.push(next);
    const children = Array.isArray(next) ? (next as readonly Json[]) : isJsonObject(next) ? Object.values(next) : [];
    for (const child of children.slice(0, maxArtifacts)) pending.push(child);
  }
  return found.filter((text) => text !== '');
}

function insideRoot(path: string): string | null {
  const normal = posix.normalize(path.replaceAll('\\', '/'));
  return normal === '.' || normal === './' || normal.startsWith('..') || normal.startsWith('/') || normal.includes('*')
    ? null
    : normal;
}
