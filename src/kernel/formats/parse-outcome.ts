/**
 * What every parser answers, and its first step from bytes to text. A parser never throws for what a file may contain: failures are values.
 */

import { decodeLenient } from '../base/text.ts';

export type ParseFailure =
  | { readonly kind: 'size_cap_exceeded'; readonly bytes: number; readonly cap: number }
  | { readonly kind: 'depth_cap_exceeded'; readonly cap: number }
  | { readonly kind: 'expansion_cap_exceeded'; readonly cap: number }
  | { readonly kind: 'malformed'; readonly line?: number; readonly detail: string }
  | { readonly kind: 'symlink_refused' }
  | { readonly kind: 'not_regular' }
  | { readonly kind: 'io'; readonly errno: string };

/** Worth telling, not worth failing: a duplicate key, an unknown section. */
export type ParseNote = { readonly id: string; readonly line?: number; readonly detail: string };

export type ParseOutcome<T> =
  | { readonly ok: true; readonly value: T; readonly notes: readonly ParseNote[] }
  | { readonly ok: false; readonly failure: ParseFailure };

export type ParseLimits = { readonly maxBytes: number; readonly maxDepth: number };

export function parsed<T>(value: T, notes: readonly ParseNote[] = []): ParseOutcome<T> {
  return { ok: true, value, notes };
}

export function failedParse(failure: ParseFailure): { readonly ok: false; readonly failure: ParseFailure } {
  return { ok: false, failure };
}

/** The commonest failure. Details name what is wrong and never quote the file: it may hold anything. */
export function malformed(detail: string, line?: number): { readonly ok: false; readonly failure: ParseFailure } {
  return failedParse(line === undefined ? { kind: 'malformed', detail } : { kind: 'malformed', line, detail });
}

/** Any bytes within the cap give a string: a BOM is dropped, invalid UTF-8 becomes U+FFFD. */
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
