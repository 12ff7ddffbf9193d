/** The BLAKE3 of a file of our own, however long, in bounded memory. A link is not followed. */

import { closeSync, constants, openSync, readSync } from 'node:fs';
import { Blake3Hasher } from '@napi-rs/blake-hash';

/** 64 hex digits over the raw bytes. Throws what opening and reading throw. */
export function hashFile(path: string): string {
  const hasher = new Blake3Hasher();
  const chunk = Buffer.allocUnsafeSlow(1024 * 1024);
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    for (let read = readSync(descriptor, chunk); read > 0; read = readSync(descriptor, chunk)) {
      hasher.update(chunk.subarray(0, read));
    }
  } finally {
    closeSync(descriptor);
  }
  return hasher.digest('hex');
}
