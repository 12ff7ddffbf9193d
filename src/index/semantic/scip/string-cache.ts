/**
 * Strings of an index file, decoded once each as far as possible. The same symbol is spelled at every reference to it, so most strings of an
 * index repeat ones just seen; giving back the same JavaScript string saves the decoding, the memory, and the hashing of whoever looks it up
 * in a map next. It is a cache and no promise: two equal strings may still be two objects.
 *
 * Bytes that are not UTF-8 become U+FFFD and set `bad` (R20: real indexes hold lone surrogates).
 */

import { isUtf8 } from 'node:buffer';

export type StringCache = {
  readonly slots: (string | undefined)[];
  /** Was anything decoded since this was last cleared that was not UTF-8? */
  bad: boolean;
};

/** A power of two; one string each, the newest wins, so hostile collisions cost a decode and nothing else. */
const SLOTS = 1 << 16;
/** Longer ones are documentation and text, which do not repeat, and would make the size of the cache the file's to choose. */
const MAX_CACHED_BYTES = 1024;

export function createStringCache(): StringCache {
  return { slots: new Array<string | undefined>(SLOTS).fill(undefined), bad: false };
}

export function decodeString(cache: StringCache, bytes: Buffer, start: number, end: number): string {
  const length = end - start;
  if (length === 0) return '';
  if (length > MAX_CACHED_BYTES) return decodeUtf8(cache, bytes, start, end);
  let hash = length;
  let seen = 0;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] as number;
    seen |= byte;
    hash = Math.imul(hash ^ byte, 0x01000193);
  }
  if (seen > 0x7f) return decodeUtf8(cache, bytes, start, end);
  const slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
  const cached = cache.slots[slot];
  if (cached !== undefined && cached.length === length && isSpelled(cached, bytes, start)) return cached;
  const decoded = bytes.toString('latin1', start, end);
  cache.slots[slot] = decoded;
  return decoded;
}

/** Only ASCII strings are in the cache: one byte per character. */
function isSpelled(text: string, bytes: Buffer, start: number): boolean {
  for (let at = 0; at < text.length; at += 1) {
    if (text.charCodeAt(at) !== bytes[start + at]) return false;
  }
  return true;
}

function decodeUtf8(cache: StringCache, bytes: Buffer, start: number, end: number): string {
  const text = bytes.toString('utf8', start, end);
  // A file may say U+FFFD itself, which is text like any other.
  if (text.includes('\ufffd') && !isUtf8(bytes.subarray(start, end))) cache.bad = true;
  return text;
}
