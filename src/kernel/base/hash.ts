/** BLAKE3 names content, SHA-256 names identities. */

import { createHash } from 'node:crypto';
import { blake3 } from '@napi-rs/blake-hash';

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
