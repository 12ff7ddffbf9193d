/**
 * Quick looks at bytes for shapes of secrets that have no letters of their own: long random runs, and digits before a colon.
 * Promise: no is only said where the finders of kernel/secrets find nothing.
 * A run counts if it has at least 32 characters of base64, three kinds of characters, and 4.5 bits each.
 */

const MIN_CHARS = 32;
/** The finder asks for 4.5, but may leave out the letter of an escape: of 33 characters, 32 with 4.5 bits make 4.5 × 32 ÷ 33. */
const MIN_BITS = 4.36;

const UPPER = 1;
const LOWER = 2;
const DIGIT = 4;
const SYMBOL = 8;

/** The kind of a character that a candidate can hold; 0 for all others. */
const kinds = new Uint8Array(256);
for (const char of 'ABCDEFGHIJKLMNOPQRSTUVWXYZ') kinds[char.charCodeAt(0)] = UPPER;
for (const char of 'abcdefghijklmnopqrstuvwxyz') kinds[char.charCodeAt(0)] = LOWER;
for (const char of '0123456789') kinds[char.charCodeAt(0)] = DIGIT;
for (const char of '+/_-') kinds[char.charCodeAt(0)] = SYMBOL;

const hasThreeKinds = Uint8Array.from({ length: 16 }, (_, set) =>
  set.toString(2).replaceAll('0', '').length >= 3 ? 1 : 0,
);

export function mayHoldRandomToken(bytes: Uint8Array): boolean {
  // Every run of 32 covers one of the probed places, so most of the text is never looked at.
  let probe = MIN_CHARS - 1;
  while (probe < bytes.length) {
    if (kinds[bytes[probe] as number] === 0) {
      probe += MIN_CHARS;
      continue;
    }
    const floor = probe - MIN_CHARS + 1;
    let start = probe;
    while (start > floor && kinds[bytes[start - 1] as number] !== 0) start -= 1;
    if (start > floor) {
      probe = start + MIN_CHARS - 1;
      continue;
    }
    while (start > 0 && kinds[bytes[start - 1] as number] !== 0) start -= 1;
    let end = probe + 1;
    while (end < bytes.length && kinds[bytes[end] as number] !== 0) end += 1;
    if (isRandom(bytes, start, end)) return true;
    probe = end + MIN_CHARS;
  }
  return false;
}

const counts = new Int32Array(256);

function isRandom(bytes: Uint8Array, start: number, end: number): boolean {
  counts.fill(0);
  let set = 0;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] as number;
    counts[byte] = (counts[byte] as number) + 1;
    set |= kinds[byte] as number;
  }
  if (hasThreeKinds[set] !== 1) return false;
  let bits = 0;
  for (const count of counts) if (count > 0) bits -= (count / (end - start)) * Math.log2(count / (end - start));
  return bits >= MIN_BITS;
}

const DIGITS_BEFORE_COLON = 8;

/** `[0-9]{8}:` somewhere, which an expression would look for ten times as long: nothing literal begins it. */
export function hasDigitsBeforeColon(bytes: Uint8Array): boolean {
  let digits = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (byte >= 0x30 && byte <= 0x39) digits += 1;
    else {
      if (byte === 0x3a && digits >= DIGITS_BEFORE_COLON) return true;
      digits = 0;
    }
  }
  return false;
}
