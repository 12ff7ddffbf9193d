/** What the semantic index rests on: the sources, what says how they are compiled, and what is left out. */

import { posix } from 'node:path';

export const scipSourceGlobs: readonly string[] = ['**/*.{ts,tsx,mts,cts}'];
export const scipConfigGlobs: readonly string[] = ['**/tsconfig*.json', '**/package.json'];
export const scipInputs: readonly string[] = [...scipSourceGlobs, ...scipConfigGlobs, '.codegenie/exclude.txt'];

// The configurations that `scip.extra_projects` names.

/** Root-relative; undefined for what is outside of the repository, or would read as a pattern where inputs are declared. */
export function configPathOf(project: string): string | undefined {
  const path = posix.normalize(project.replaceAll('\\', '/')).replace(/\/+$/, '');
  if (path === '..' || path.startsWith('../') || path.startsWith('/') || /[*?[\]{}:!]/.test(path)) return undefined;
  return path.endsWith('.json') ? path : posix.join(path, 'tsconfig.json');
}
