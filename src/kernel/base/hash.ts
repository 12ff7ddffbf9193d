/** BLAKE3 names content, SHA-256 names identities. */

import { createHash } from 'node:crypto';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { Blake3Hasher, blake3 } from '@napi-rs/blake-hash';

/** 64 hex digits over the raw bytes. */
export function blake3Hex(content: string | Uint8Array): string {
  return blake3(content).toString('hex');
}

/** How content hashes are written in fingerprints: `blake3:<64 hex>`. */
export function contentHash(content: Uint8Array): string {
  return `blake3:${blake3Hex(content)}`;
}

export function sha256Hex(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** `blake3Hex` of a file, however long, in bounded memory; a link is not followed. Throws what opening and reading throw. */
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
