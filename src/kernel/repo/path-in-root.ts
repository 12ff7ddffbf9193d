/** What a person or a tool calls a file, as a root-relative path. Names only: whether there is such a file is not looked at. */

import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

/** `undefined`: it lies outside the root. `''` is the root itself. */
export function pathInRoot(root: string, from: string, given: string): string | undefined {
  const written = resolve(from, given);
  return below(root, written) ?? below(root, realParent(written));
}

function below(root: string, path: string): string | undefined {
  const inside = relative(root, path);
  if (isAbsolute(inside) || inside === '..' || inside.startsWith(`..${sep}`)) return undefined;
  return inside.split(sep).join('/');
}

/** The root is a real path; what was given may go through a link to it. The last part stays: it may be a link that has a row. */
function realParent(path: string): string {
  try {
    return join(realpathSync(dirname(path)), basename(path));
  } catch {
    return path;
  }
}
