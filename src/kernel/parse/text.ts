/**
 * Bytes to text: the first step of every parser, and the whole of it for formats that are read line by line.
 *
 * Promise: any bytes within the cap give a string. A BOM is dropped, invalid UTF-8 becomes U+FFFD.
 */

import { decodeLenient } from '../base/text.ts';
import { failedParse, type ParseLimits, type ParseOutcome, parsed } from './outcome.ts';

export function parseText(bytes: Uint8Array, limits: Pick<ParseLimits, 'maxBytes'>): ParseOutcome<string> {
  if (bytes.length > limits.maxBytes) {
    return failedParse({ kind: 'size_cap_exceeded', bytes: bytes.length, cap: limits.maxBytes });
  }
  return parsed(decodeLenient(bytes));
}

/** One-based line of a UTF-16 offset; `\r\n` and `\n` end a line. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

/** Every line without its line end, with its one-based number. */
export function* linesOf(text: string): Generator<readonly [line: string, number: number]> {
  let start = 0;
  for (let number = 1; start <= text.length; number += 1) {
    let end = text.indexOf('\n', start);
    if (end === -1) end = text.length;
    const stop = end > start && text.charCodeAt(end - 1) === 13 ? end - 1 : end;
    yield [text.slice(start, stop), number];
    start = end + 1;
  }
}
