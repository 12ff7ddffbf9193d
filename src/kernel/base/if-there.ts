/** Looks at files that may be gone or closed to the user: no answer instead of an exception. For paths of the program's own choosing. */

import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync, realpathSync } from 'node:fs';

export function readTextIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

const ownFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * G29  The text of a note that this program wrote, where it is a regular file: a link in its place is not followed, and no read waits for
 *      the other end of a pipe.
 */
export function readOwnTextIfThere(path: string): string | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, ownFlags);
    return fstatSync(file).isFile() ? readFileSync(file, 'utf8') : undefined;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

export function realPathIfThere(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

export function listNamesIfThere(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
