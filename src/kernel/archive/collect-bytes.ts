/** A sink that keeps an entry's bytes up to a cap: cut there, or thrown away where a part of them would mislead. */

import type { EntrySink } from './read-tar.ts';

/** `onBytes` gets the whole entry, or null if it is longer than `maxBytes`. */
export function collectWhole(maxBytes: number, onBytes: (bytes: Uint8Array | null) => void): EntrySink {
  const parts: Uint8Array[] = [];
  let have = 0;
  return {
    push(chunk) {
      have += chunk.length;
      if (have <= maxBytes) parts.push(Buffer.from(chunk));
      else parts.length = 0;
      return have <= maxBytes;
    },
    end: () => onBytes(have <= maxBytes ? Buffer.concat(parts) : null),
  };
}

/** `onBytes` gets the first `maxBytes`. */
export function collectHead(maxBytes: number, onBytes: (bytes: Uint8Array) => void): EntrySink {
  const parts: Uint8Array[] = [];
  let have = 0;
  return {
    push(chunk) {
      const part = chunk.subarray(0, maxBytes - have);
      have += part.length;
      parts.push(Buffer.from(part));
      return have < maxBytes;
    },
    end: () => onBytes(Buffer.concat(parts)),
  };
}
