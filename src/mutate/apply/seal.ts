/**
 * Tells what this user's codegenie wrote in the data dir from what came with the tree (mutation.md §8; P9). A journal makes the next start
 * write files, so a foreign one would let its author write: each record carries a seal.
 *
 * The key lies in the user's own directory, where no clone, archive or checkout puts anything. The seal is over the place of the root and the
 * plan as well, so that a copy of a repository does not repeat what was left to do in the original.
 */

import { createHmac, timingSafeEqual } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { findUserKey, openUserKey } from '../../kernel/base/user-key.ts';

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
export function openSeal({ root, home }: SealPlace): Seal {
  return createSeal(root, openUserKey(home));
}

/** For readers: without a key nothing carries our seal. */
export function findSeal({ root, home }: SealPlace): Seal {
  const key = findUserKey(home);
  return key === undefined ? nothingIsOurs : createSeal(root, key);
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
