/**
 * The compiler opens whatever has the right name, and at a pipe it waits for somebody who writes to it. A reader that refuses what is no
 * regular file makes such a name one that leads nowhere, and remembers it, so that it can be said.
 */

import { statSync } from 'node:fs';

export type PipeGuard = {
  /** For the compiler: null is "not there", undefined "read it yourself". */
  readFile(path: string): null | undefined;
  /** What was refused so far, absolute, sorted. */
  list(): readonly string[];
};

export function createPipeGuard(): PipeGuard {
  const refused = new Set<string>();
  return {
    readFile(path) {
      if (!isPipe(path)) return undefined;
      refused.add(path);
      return null;
    },
    list: () => [...refused].sort(),
  };
}

/** Something is there, after all links, that is no regular file and no directory: a pipe, a socket, a device. */
export function isPipe(path: string): boolean {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found !== undefined && !found.isFile() && !found.isDirectory();
  } catch {
    return false;
  }
}
