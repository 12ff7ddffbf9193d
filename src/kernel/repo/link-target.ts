/** Where a symbolic link ends, asked without opening anything. */

import { lstatSync, realpathSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';

/** Does the link at `root/path` lead, through however many links, to a regular file below the root and outside `.git`? */
export function linkStaysInside(root: string, path: string): boolean {
  try {
    const target = realpathSync(`${root}/${path}`);
    // Both sides are real paths, so what `relative` says is where the file is.
    const inside = relative(root, target);
    const [first] = inside.split(sep);
    if (inside === '' || isAbsolute(inside) || first === '..' || first === '.git' || first === '.codegenie')
      return false;
    return lstatSync(target).isFile();
  } catch (error) {
    // Dangling, looping or unreadable: it leads nowhere we know of.
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return false;
  }
}
