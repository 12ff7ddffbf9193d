/**
 * Eight bytes for each line of a text, line end excluded: what a store keeps of a text to find its lines again in a later one
 * (code-plane.md §8, "Stale reads re-align"). Lines are those of `createPositions`: a text that ends in `\n` has an empty last line,
 * a BOM is no part of the first. Two lanes of 32 bits, because a line's hash is compared with those of one other text only and is
 * made for every line of every indexed file; it names nothing and protects nothing.
 */

export const lineHashBytes = 8;

export function hashLines(bytes: Uint8Array): Uint8Array {
  const hashes = new Uint8Array(lineHashBytes * countLines(bytes));
  const view = new DataView(hashes.buffer);
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  for (let line = 0; line < hashes.length; line += lineHashBytes) {
    const found = bytes.indexOf(lineFeed, at);
    const end = found < 0 ? bytes.length : found;
    hashLine(bytes, at, found > at && bytes[end - 1] === carriageReturn ? end - 1 : end, view, line);
    at = end + 1;
  }
  return hashes;
}

const lineFeed = 10;
const carriageReturn = 13;

function countLines(bytes: Uint8Array): number {
  let count = 1;
  for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) count += 1;
  return count;
}

/** Two differently multiplied rounds over the bytes, each mixed at the end as MurmurHash3 does. */
function hashLine(bytes: Uint8Array, from: number, to: number, view: DataView, at: number): void {
  let a = 0x811c9dc5;
  let b = 0x9747b28c;
  for (let index = from; index < to; index += 1) {
    const byte = bytes[index] as number;
    a = Math.imul(a ^ byte, 0x01000193);
    b = Math.imul((b << 5) ^ (b >>> 27) ^ byte, 0xcc9e2d51);
  }
  view.setUint32(at, finish(a ^ (to - from)));
  view.setUint32(at + 4, finish(b ^ (to - from)));
}

function finish(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
