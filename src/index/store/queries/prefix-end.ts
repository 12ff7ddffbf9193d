/** The upper end of a range over all texts that begin with a prefix, in the order of the store (UTF-8 bytes, which is code points). */

const lastCodePoint = 0x10ffff;

/** The smallest text above them all; where there is none, an empty blob, which SQLite sorts after every text. */
export function prefixEnd(prefix: string): string | Uint8Array {
  const points = Array.from(prefix, (character) => character.codePointAt(0) as number);
  while (points.at(-1) === lastCodePoint) points.pop();
  const last = points.pop();
  if (last === undefined) return new Uint8Array(0);
  // There are no texts with lone surrogates in a store.
  const next = last === 0xd7ff ? 0xe000 : last + 1;
  return String.fromCodePoint(...points, next);
}
