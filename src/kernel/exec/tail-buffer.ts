/**
 * A stream's memory: at most `cap` bytes however much arrives (gather.md §5, rule 6).
 * Up to the cap everything is kept. Over it the tail is, after a mark, and the total is exactly the cap.
 */

export const truncationMark = Buffer.from('...[TRUNCATED]...');

export type TailBuffer = {
  push(chunk: Uint8Array): void;
  /** Bytes seen so far, kept or not. */
  readonly seen: number;
  readonly truncated: boolean;
  /** A cap shorter than the mark holds the beginning of the mark. */
  finish(): Buffer;
};

const firstAllocation = 4096;

export function createTailBuffer(cap: number): TailBuffer {
  let seen = 0;
  // A ring of `ring.length` bytes; it grows by doubling until it has reached the cap, and only then wraps.
  let ring = Buffer.alloc(0);

  const push = (chunk: Uint8Array): void => {
    const before = seen;
    seen += chunk.length;
    if (ring.length < cap && seen > ring.length) grow(seen, before);
    if (ring.length === 0) return;
    const kept = chunk.length > ring.length ? chunk.subarray(chunk.length - ring.length) : chunk;
    const at = (seen - kept.length) % ring.length;
    const beforeWrap = Math.min(kept.length, ring.length - at);
    ring.set(kept.subarray(0, beforeWrap), at);
    ring.set(kept.subarray(beforeWrap), 0);
  };

  const grow = (wanted: number, used: number): void => {
    const grown = Buffer.allocUnsafe(Math.min(cap, Math.max(wanted, ring.length * 2, firstAllocation)));
    ring.copy(grown, 0, 0, used);
    ring = grown;
  };

  const finish = (): Buffer => {
    if (seen <= cap) return ring.subarray(0, seen);
    const mark = truncationMark.subarray(0, cap);
    const start = seen % cap;
    const inOrder = Buffer.concat([ring.subarray(start), ring.subarray(0, start)]);
    return Buffer.concat([mark, inOrder.subarray(mark.length)]);
  };

  return {
    push,
    finish,
    get seen() {
      return seen;
    },
    get truncated() {
      return seen > cap;
    },
  };
}
