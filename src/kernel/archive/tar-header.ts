/**
 * One block of a tar header: ustar, GNU and the older form before both. Total: a block that is no header says why, and every number
 * in a header that is believed is a safe integer.
 */

import { decodeLenient } from '../base/text.ts';

export const blockBytes = 512;

export type TarHeader = {
  readonly name: string;
  readonly linkName: string;
  /** As the block says; extended headers may overrule it. */
  readonly size: number;
  /** The type byte as a character; `\0` for the oldest form. */
  readonly type: string;
  /** An old GNU sparse file whose map goes on in further blocks. */
  readonly mapContinues: boolean;
};
export type HeaderBlock =
  | { readonly kind: 'header'; readonly header: TarHeader }
  | { readonly kind: 'zero' }
  | { readonly kind: 'bad'; readonly reason: 'bad_checksum' | 'bad_number' };

export function parseTarHeader(block: Uint8Array): HeaderBlock {
  if (block.every((byte) => byte === 0)) return { kind: 'zero' };
  if (!hasValidChecksum(block)) return { kind: 'bad', reason: 'bad_checksum' };
  const size = parseNumber(block.subarray(124, 136));
  if (size === null) return { kind: 'bad', reason: 'bad_number' };
  const name = textOf(block.subarray(0, 100));
  const type = String.fromCharCode(block[156] ?? 0);
  // GNU's form has other fields where POSIX keeps the prefix.
  const isPosix = decodeLenient(block.subarray(257, 263)) === 'ustar\0';
  const prefix = isPosix ? textOf(block.subarray(345, 500)) : '';
  return {
    kind: 'header',
    header: {
      name: prefix === '' ? name : `${prefix}/${name}`,
      linkName: textOf(block.subarray(157, 257)),
      size,
      type,
      mapContinues: type === 'S' && block[482] !== 0,
    },
  };
}

/** Bytes up to the first NUL. */
export function textOf(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return decodeLenient(end < 0 ? bytes : bytes.subarray(0, end));
}

/** Octal digits, or base 256 with the top bit set; null for what is neither, is negative, or is larger than a safe integer. */
function parseNumber(field: Uint8Array): number | null {
  const first = field[0] ?? 0;
  if ((first & 0x80) === 0) {
    const digits = /^[ \0]*([0-7]*)[ \0]*$/.exec(Buffer.from(field).toString('latin1'))?.[1];
    return digits === undefined ? null : Number.parseInt(digits === '' ? '0' : digits, 8);
  }
  let value = first & 0x7f;
  for (const byte of field.subarray(1)) {
    value = value * 256 + byte;
    if (value > Number.MAX_SAFE_INTEGER) return null;
  }
  return value;
}

/** Sum of all bytes with the checksum's own as spaces; some old programs added signed bytes. */
function hasValidChecksum(block: Uint8Array): boolean {
  const stated = parseNumber(block.subarray(148, 156));
  let unsigned = 0;
  let signed = 0;
  for (const [at, byte] of block.entries()) {
    const counted = at >= 148 && at < 156 ? 32 : byte;
    unsigned += counted;
    signed += counted > 127 ? counted - 256 : counted;
  }
  return stated === unsigned || stated === signed;
}
