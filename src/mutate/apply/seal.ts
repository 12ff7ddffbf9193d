/**
 * Tells what this user's codegenie wrote in the data dir from what came with the tree (mutation.md §8; P9). A journal makes the next start
 * write files, so a foreign one would let its author write: each record carries a seal.
 *
 * The key lies in the user's own directory, where no clone, archive or checkout puts anything. The seal is over the place of the root and the
 * plan as well, so that a copy of a repository does not repeat what was left to do in the original.
 */

import { createHmac, timingSafeEqual } from 'node:crypto';
import { mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { createKeyFile, keyBytes, lstatOwn, OutputRefused } from '../../kernel/base/write-file.ts';

export type Seal = {
  /** Of something that concerns this plan. */
  readonly make: (about: string, bytes: Uint8Array) => string;
  readonly isOurs: (about: string, bytes: Uint8Array, seal: string) => boolean;
};

export type SealPlace = {
  readonly root: string;
  /** Of the user; where it is not said, that of the process. */
  readonly home?: string | undefined;
};

/** Where there is no key. */
export const nothingIsOurs: Seal = { make: () => '', isOurs: () => false };

/** For writers: makes the key the first time. Throws `OutputRefused` where there can be none. */
export function openSeal(place: SealPlace): Seal {
  const path = keyPath(place);
  if (lstatOwn(path) === undefined) createKey(path);
  return createSeal(place.root, readKey(path));
}

/** For readers: without a key nothing carries our seal. */
export function findSeal(place: SealPlace): Seal {
  const path = keyPath(place);
  try {
    return createSeal(place.root, readKey(path));
  } catch (error) {
    if (!(error instanceof OutputRefused)) throw error;
    return nothingIsOurs;
  }
}

function keyPath({ home }: SealPlace): string {
  return `${home === undefined || home === '' ? homedir() : home}/.codegenie/state/seal.key`;
}

function createSeal(root: string, key: Uint8Array): Seal {
  const place = realpathSync(root);
  const make = (about: string, bytes: Uint8Array) =>
    createHmac('sha256', key)
      .update(JSON.stringify(['change', place, about]))
      .update('\n')
      .update(bytes)
      .digest('hex');
  return {
    make,
    isOurs: (about, bytes, seal) =>
      /^[0-9a-f]{64}$/.test(seal) && timingSafeEqual(Buffer.from(seal, 'hex'), Buffer.from(make(about, bytes), 'hex')),
  };
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

/** What others may read or write, or another user owns, is no secret of this user: a checkout makes such files. */
function readKey(path: string): Uint8Array {
  const found = lstatOwn(path);
  if (found?.isFile() !== true) throw new OutputRefused(path, 'is not a regular file');
  const isPrivate = process.platform === 'win32' || ((found.mode & 0o077) === 0 && found.uid === process.geteuid?.());
  if (!isPrivate) throw new OutputRefused(path, 'is not private to this user; remove it, and a new one is made');
  if (found.size !== keyBytes)
    throw new OutputRefused(path, `does not have ${keyBytes} bytes; remove it, and a new one is made`);
  try {
    return new Uint8Array(readFileSync(path));
  } catch (error) {
    throw new OutputRefused(path, `cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`);
  }
}
