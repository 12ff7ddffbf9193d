/**
 * `~/.codegenie/state/seal.key`: 32 random bytes of this user, made once. Seals made with it tell what this user's codegenie wrote from what
 * came along: no clone, archive, checkout or restored cache puts anything into the user's own directory.
 */

import { mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { createKeyFile, keyBytes, lstatOwn, OutputRefused } from './write-file.ts';

/** For writers: makes the key the first time. Throws `OutputRefused` where there can be none. `home`: where not said, that of the process. */
export function openUserKey(home: string | undefined): Uint8Array {
  const path = keyPath(home);
  if (lstatOwn(path) === undefined) createKey(path);
  return readKey(path);
}

/** For readers: undefined where there is none that can be used. */
export function findUserKey(home: string | undefined): Uint8Array | undefined {
  try {
    return readKey(keyPath(home));
  } catch (error) {
    if (!(error instanceof OutputRefused)) throw error;
    return undefined;
  }
}

function keyPath(home: string | undefined): string {
  return `${home === undefined || home === '' ? homedir() : home}/.codegenie/state/seal.key`;
}

/** The user may keep their directory elsewhere and have a link to it here. */
function createKey(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new OutputRefused(path, `cannot be created (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`);
  }
  createKeyFile(path);
}

/** It seals journals, undo copies and open plans (decision 0021). */
const ifMadeAnew = 'with a new key nothing that is open can be committed, finished or undone';

/** What others may read or write, or another user owns, is no secret of this user: a checkout makes such files. */
function readKey(path: string): Uint8Array {
  const found = lstatOwn(path);
  if (found?.isFile() !== true) throw new OutputRefused(path, 'is not a regular file');
  const isPrivate = process.platform === 'win32' || ((found.mode & 0o077) === 0 && found.uid === process.geteuid?.());
  if (!isPrivate) throw new OutputRefused(path, `is not private to this user; make it so (chmod 600): ${ifMadeAnew}`);
  if (found.size !== keyBytes)
    throw new OutputRefused(path, `does not have ${keyBytes} bytes; put it back from a copy: ${ifMadeAnew}`);
  try {
    return new Uint8Array(readFileSync(path));
  } catch (error) {
    throw new OutputRefused(path, `cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`);
  }
}
