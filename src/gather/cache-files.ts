/** How the cache looks at its own files: never through a link, and whatever cannot be looked at is not there. */

import { chmodSync, lstatSync, readdirSync, readFileSync, rmSync, type Stats, utimesSync } from 'node:fs';

/** What is there, undefined also where something on the way to it is no directory. */
export function lstatQuietly(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

export function isRealDirectory(path: string): boolean {
  return lstatQuietly(path)?.isDirectory() === true;
}

/** Our own file, never through a link; undefined when it is not there or not a plain file. */
export function readOwn(path: string): Buffer | undefined {
  try {
    return lstatSync(path).isFile() ? readFileSync(path) : undefined;
  } catch {
    return undefined;
  }
}

/** `<directory>/<folder>/<name>`, the shape of both stores. */
export function listTwoLevels(directory: string): string[] {
  const list = (path: string) => {
    try {
      return readdirSync(path);
    } catch {
      return [];
    }
  };
  return list(directory).flatMap((folder) =>
    list(`${directory}/${folder}`).map((name) => `${directory}/${folder}/${name}`),
  );
}

/** What cannot be removed stays a miss. */
export function removeQuietly(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // A read-only cache: the next gather will find the same broken entry and say the same.
  }
}

/** The modification time of an entry is when it was last of use. */
export function touch(path: string, nowMs: number): void {
  try {
    utimesSync(path, nowMs / 1000, nowMs / 1000);
  } catch {
    // A read-only cache still serves hits; it merely forgets which were used last.
  }
}

export function makePrivate(file: string): void {
  try {
    chmodSync(file, 0o600);
  } catch {
    // Gone meanwhile, or not ours: the directory above it is private.
  }
}
