/** The configurations that `scip.extra_projects` names. */

import { posix } from 'node:path';

/** Root-relative; undefined for what is outside of the repository, or would read as a pattern where inputs are declared. */
export function configPathOf(project: string): string | undefined {
  const path = posix.normalize(project.replaceAll('\\', '/')).replace(/\/+$/, '');
  if (path === '..' || path.startsWith('../') || path.startsWith('/') || /[*?[\]{}:!]/.test(path)) return undefined;
  return path.endsWith('.json') ? path : posix.join(path, 'tsconfig.json');
}
