/** Random bytes in a file of the user's own. It appears whole and once: of two that start together, one finds the other's key. */

import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { flushDirectory, OutputRefused } from './write-file.ts';

export const keyBytes = 32;

/** The directory must be there. */
export function createKeyFile(path: string): void {
  const temporary = `${path}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    const descriptor = openSync(temporary, 'wx', 0o600);
    try {
      writeSync(descriptor, randomBytes(keyBytes));
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    linkSync(temporary, path);
    flushDirectory(dirname(path));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST') throw new OutputRefused(path, `cannot be created (${code ?? 'unknown'})`);
  } finally {
    rmSync(temporary, { force: true });
  }
}
