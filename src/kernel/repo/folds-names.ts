/** Does this volume take two spellings for one name? Asked once, by looking for a name that exists in another case. */

import { lstatSync } from 'node:fs';

export function foldsNames(root: string): boolean {
  const swapped = root.replace(/[^/]+$/, (name) =>
    name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase(),
  );
  if (swapped === root) return false;
  try {
    const [here, there] = [lstatSync(root), lstatSync(swapped, { throwIfNoEntry: false })];
    return there !== undefined && here.ino === there.ino && here.dev === there.dev;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return false;
  }
}
