/** Looks at files that may be gone or closed to the user: no answer instead of an exception. For paths of the program's own choosing. */

import { readdirSync, readFileSync, realpathSync } from 'node:fs';

export function readTextIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
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
