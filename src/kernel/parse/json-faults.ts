/**
 * Where JSON text is wrong, and which keys it repeats: the slow, exact second look that runs only after `JSON.parse` has
 * failed or a member is missing.
 *
 * Strict RFC 8259 grammar, iterative, linear. Promise: `fault` is null exactly when `JSON.parse` accepts the text (a property
 * test compares them). The engine's own messages are not used: they differ between versions and quote the file.
 */

import { findStringEnd } from './json-scan.ts';

export type JsonFault = { readonly offset: number; readonly detail: string };
export type DuplicateKey = { readonly offset: number; readonly key: string };
export type JsonFaults = { readonly fault: JsonFault | null; readonly duplicates: readonly DuplicateKey[] };

/** What the grammar allows next. */
type Expect = 'value' | 'value_or_end' | 'key' | 'key_or_end' | 'colon' | 'comma_or_end' | 'nothing';

export function findJsonFaults(text: string, maxDuplicates: number): JsonFaults {
  const duplicates: DuplicateKey[] = [];
  // The keys of each open object; null for an open array.
  const open: (Set<string> | null)[] = [];
  let expect: Expect = 'value';
  const faultAt = (offset: number, detail: string): JsonFaults => ({ fault: { offset, detail }, duplicates });
  const afterValue = (): Expect => (open.length === 0 ? 'nothing' : 'comma_or_end');

  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) {
      at += 1;
      continue;
    }
    const wantsValue = expect === 'value' || expect === 'value_or_end';
    const wantsKey = expect === 'key' || expect === 'key_or_end';
    if (code === 0x22 && (wantsValue || wantsKey)) {
      const close = findStringEnd(text, at);
      const wrong = findStringFault(text, at, close);
      if (wrong !== null) return { fault: wrong, duplicates };
      if (wantsKey) {
        const key = JSON.parse(text.slice(at, close + 1)) as string;
        const keys = open.at(-1);
        if (keys?.has(key) && duplicates.length < maxDuplicates) duplicates.push({ offset: at, key });
        keys?.add(key);
        expect = 'colon';
      } else {
        expect = afterValue();
      }
      at = close + 1;
    } else if ((code === 0x7b || code === 0x5b) && wantsValue) {
      open.push(code === 0x7b ? new Set() : null);
      expect = code === 0x7b ? 'key_or_end' : 'value_or_end';
      at += 1;
    } else if (code === 0x7d || code === 0x5d) {
      const mayClose =
        code === 0x7d
          ? expect === 'key_or_end' || (expect === 'comma_or_end' && open.at(-1) !== null)
          : expect === 'value_or_end' || (expect === 'comma_or_end' && open.at(-1) === null);
      if (!mayClose) return faultAt(at, 'unexpected closing bracket');
      open.pop();
      expect = afterValue();
      at += 1;
    } else if (code === 0x2c && expect === 'comma_or_end') {
      expect = open.at(-1) === null ? 'value' : 'key';
      at += 1;
    } else if (code === 0x3a && expect === 'colon') {
      expect = 'value';
      at += 1;
    } else if (wantsValue) {
      const end = findLiteralEnd(text, at);
      if (end === -1) return faultAt(at, 'not a JSON value');
      expect = afterValue();
      at = end;
    } else {
      return faultAt(at, unexpected[expect]);
    }
  }
  if (expect === 'nothing') return { fault: null, duplicates };
  return faultAt(text.length, open.length === 0 ? 'no value' : 'unexpected end of the text');
}

const unexpected = {
  value: 'not a JSON value',
  value_or_end: 'not a JSON value',
  key: 'expected a key in double quotes',
  key_or_end: 'expected a key in double quotes',
  colon: 'expected a colon after a key',
  comma_or_end: 'expected a comma or the end of the container',
  nothing: 'text after the end of the value',
} as const satisfies Record<Expect, string>;

function findStringFault(text: string, open: number, close: number): JsonFault | null {
  // A line end cannot stand in a string, so an unterminated one is reported where its line ends, not at the end of the file.
  for (let at = open + 1; at < close; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x20) {
      return {
        offset: at,
        detail: code === 0x0a || code === 0x0d ? 'unterminated string' : 'control character in a string',
      };
    }
    if (code !== 0x5c) continue;
    const escaped = text.charCodeAt(at + 1);
    if (escaped === 0x75) {
      for (let digit = at + 2; digit < at + 6; digit += 1) {
        if (!isHexDigit(text.charCodeAt(digit))) return { offset: at, detail: 'bad escape in a string' };
      }
      at += 5;
    } else if (simpleEscapes.has(escaped)) {
      at += 1;
    } else {
      return { offset: at, detail: 'bad escape in a string' };
    }
  }
  return close === text.length ? { offset: open, detail: 'unterminated string' } : null;
}

const simpleEscapes = new Set([...'"\\/bfnrt'].map((letter) => letter.charCodeAt(0)));

/** Past the end of `true`, `false`, `null` or a number at `at`; -1 when there is none. */
function findLiteralEnd(text: string, at: number): number {
  for (const word of ['true', 'false', 'null']) if (text.startsWith(word, at)) return at + word.length;
  let end = text.charCodeAt(at) === 0x2d ? at + 1 : at;
  const first = text.charCodeAt(end);
  if (!isDigit(first)) return -1;
  end = first === 0x30 ? end + 1 : skipDigits(text, end);
  if (text.charCodeAt(end) === 0x2e) {
    if (!isDigit(text.charCodeAt(end + 1))) return -1;
    end = skipDigits(text, end + 1);
  }
  const exponent = text.charCodeAt(end);
  if (exponent === 0x65 || exponent === 0x45) {
    const sign = text.charCodeAt(end + 1);
    const digits = sign === 0x2b || sign === 0x2d ? end + 2 : end + 1;
    if (!isDigit(text.charCodeAt(digits))) return -1;
    end = skipDigits(text, digits);
  }
  return end;
}

function skipDigits(text: string, at: number): number {
  let end = at;
  while (isDigit(text.charCodeAt(end))) end += 1;
  return end;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isHexDigit(code: number): boolean {
  return isDigit(code) || (code >= 0x41 && code <= 0x46) || (code >= 0x61 && code <= 0x66);
}
