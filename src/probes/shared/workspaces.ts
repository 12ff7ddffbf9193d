/**
 * Workspace members from the globs a repository declares: `packages/*`, `./apps/**`, `!packages/legacy`.
 * Only directories with an in-scope package.json count; the root and anything below node_modules never do.
 */

import { compareCodeUnits, isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';
import { compileGlobs } from '../../kernel/tree/path-patterns.ts';

const maxGlobs = 256;
const maxGlobChars = 512;

/** `package.json#workspaces` in both of its forms; null when there is none. */
export function workspaceGlobsOf(manifest: JsonObject | null): readonly string[] | null {
  const field = manifest?.['workspaces'];
  return stringsOf(isJsonObject(field) ? field['packages'] : field);
}

/** `packages` of pnpm-workspace.yaml or lerna.json; null when there is none. */
export function packageGlobsOf(document: JsonObject | null): readonly string[] | null {
  return stringsOf(document?.['packages']);
}

/** Member directories, sorted. A negation removes wherever it stands in the list, as pnpm and yarn read it. */
export function expandWorkspaces(globs: readonly string[], packageJsonPaths: readonly string[]): readonly string[] {
  const usable = globs.slice(0, maxGlobs);
  const includes = compileGlobs(usable.filter((glob) => !glob.startsWith('!')).flatMap(directoryGlobs));
  const excludes = compileGlobs(
    usable.filter((glob) => glob.startsWith('!')).flatMap((glob) => directoryGlobs(glob.slice(1))),
  );
  return packageJsonPaths
    .filter((path) => path.endsWith('/package.json'))
    .map((path) => path.slice(0, -'/package.json'.length))
    .filter((directory) => !`/${directory}/`.includes('/node_modules/'))
    .filter((directory) => includes(directory) && !excludes(directory))
    .sort(compareCodeUnits);
}

// A leading `./` and a trailing slash mean nothing; a trailing `/**` also means the directory itself.
function directoryGlobs(glob: string): readonly string[] {
  const clean = glob.replace(/^(\.?\/)+/, '').replace(/(\/package\.json)?\/*$/, '');
  if (clean === '' || clean === '.') return [];
  return clean.endsWith('/**') ? [clean, clean.slice(0, -'/**'.length)] : [clean];
}

function stringsOf(value: Json | undefined): readonly string[] | null {
  if (!Array.isArray(value)) return null;
  return (value as readonly Json[]).filter(
    (item): item is string => typeof item === 'string' && item.length <= maxGlobChars,
  );
}
