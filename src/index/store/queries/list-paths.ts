/** Every path of the store. For a question whose path is not known as it is written: no index finds the end of a path. */

import type { ReadSession } from '../facts-handle.ts';

export const allPathsSql = 'SELECT path FROM files ORDER BY path';

export function listAllPaths(session: ReadSession): readonly string[] {
  return session
    .statement(allPathsSql)
    .all()
    .map((row) => String(row['path']));
}
