/**
 * JSON within caps, for manifests, lockfiles and tool output; with comments and trailing commas, for tsconfig files and `bun.lock`.
 *
 * `JSON.parse` reads it. Hand-written is only what that cannot tell: depth before anything is built, repeated keys, and where a fault is in
 * words that do not quote the file.
 *
 * Promises: never throws; depth is known before anything is built; `__proto__` is an own property like any other; every number
 * is finite; of duplicate keys the last one wins and each is noted as `duplicate_key`. Empty text is malformed. A BOM is allowed.
 */

import { isJsonObject, type Json, type JsonObject } from '../base/json.ts';
import { limits as programLimits } from '../base/limits.ts';
import { singleLine, truncate } from '../base/text.ts';
import {
  failedParse,
  lineAt,
  malformed,
  type ParseLimits,
  type ParseNote,
  type ParseOutcome,
  parsed,
  parseText,
} from './parse-outcome.ts';

export function parseJson(bytes: Uint8Array, limits: ParseLimits): ParseOutcome<Json> {
  const text = parseText(bytes, limits);
  return text.ok ? parseJsonText(text.value, limits.maxDepth) : text;
}

export function parseJsonObject(bytes: Uint8Array, limits: ParseLimits): ParseOutcome<JsonObject> {
  return requireObject(parseJson(bytes, limits));
}

export function parseJsonText(text: string, maxDepth: number): ParseOutcome<Json> {
  const scan = scanJson(text, maxDepth);
  if (scan.kind === 'too_deep') return failedParse({ kind: 'depth_cap_exceeded', cap: maxDepth });
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    const { fault } = findJsonFaults(text, 0);
    return fault === null ? malformed('not JSON') : malformed(fault.detail, lineAt(text, fault.offset));
  }
  const kept = countMembers(value);
  if (kept === 'not_finite') return malformed('a number is out of range');
  return parsed(value, kept === scan.members ? [] : noteDuplicates(text));
}

export function requireObject(outcome: ParseOutcome<Json>): ParseOutcome<JsonObject> {
  if (!outcome.ok) return outcome;
  return isJsonObject(outcome.value)
    ? parsed(outcome.value, outcome.notes)
    : malformed('the top level is not an object', 1);
}

/** Members that survived parsing: fewer than were written means that a key was repeated. */
function countMembers(root: Json): number | 'not_finite' {
  let members = 0;
  const pending: Json[] = [root];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === 'number') {
      if (!Number.isFinite(next)) return 'not_finite';
    } else if (typeof next === 'object' && next !== null) {
      const children = Array.isArray(next) ? (next as readonly Json[]) : Object.values(next);
      if (children !== next) members += children.length;
      for (const child of children) if (typeof child !== 'string') pending.push(child);
    }
  }
  return members;
}

function noteDuplicates(text: string): ParseNote[] {
  const { duplicates } = findJsonFaults(text, programLimits.diagnosticsPerProbe);
  return duplicates.map(({ offset, key }) => ({
    id: 'duplicate_key',
    line: lineAt(text, offset),
    detail: truncate(singleLine(key), programLimits.diagnosticDetailChars),
  }));
}

/**
 * JSON with comments and trailing commas. A linear scanner blanks what JSON does not know, character for character, so that offsets and
 * lines stay those of the file; what remains is parsed as JSON with all its promises. Block comments do not nest, as in every reader of
 * the format.
 */
export function parseJsonc(bytes: Uint8Array, limits: ParseLimits): ParseOutcome<JsonObject> {
  const text = parseText(bytes, limits);
  if (!text.ok) return text;
  const blanked = blankJsonc(text.value);
  if (blanked.kind === 'unterminated_comment') {
    return malformed('unterminated comment', lineAt(text.value, blanked.offset));
  }
  return requireObject(parseJsonText(blanked.text, limits.maxDepth));
}

type Blanked =
  | { readonly kind: 'blanked'; readonly text: string }
  | { readonly kind: 'unterminated_comment'; readonly offset: number };

function blankJsonc(text: string): Blanked {
  const pieces: string[] = [];
  let copied = 0;
  // A comma behind a value is a piece of its own, so that the bracket that makes it a trailing one can still blank it.
  // `[,]` has no value before its comma and stays as wrong as it is.
  let comma = -1;
  let previous = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d) continue;
    if (code === 0x2f) {
      const end = findCommentEnd(text, at);
      if (end === -1) return { kind: 'unterminated_comment', offset: at };
      if (end > at) {
        pieces.push(text.slice(copied, at), blankLines(text, at, end));
        copied = end;
        at = end - 1;
        continue;
      }
    } else if (code === 0x2c) {
      comma = -1;
      if (!opensOrSeparates.has(previous)) {
        comma = pieces.push(text.slice(copied, at), ',') - 1;
        copied = at + 1;
      }
    } else if ((code === 0x7d || code === 0x5d) && previous === 0x2c && comma !== -1) {
      pieces[comma] = ' ';
    } else if (code === 0x22) {
      at = findStringEnd(text, at);
    }
    previous = code;
  }
  pieces.push(text.slice(copied));
  return { kind: 'blanked', text: pieces.join('') };
}

// Nothing yet (0), `{`, `[`, `,`, `:`.
const opensOrSeparates = new Set([0, 0x7b, 0x5b, 0x2c, 0x3a]);

/** Past the comment at `at`; `at` itself when the slash begins none, -1 when it does not end. */
function findCommentEnd(text: string, at: number): number {
  const kind = text.charCodeAt(at + 1);
  if (kind === 0x2f) {
    let end = at + 2;
    while (end < text.length && !lineEnds.has(text.charCodeAt(end))) end += 1;
    return end;
  }
  if (kind !== 0x2a) return at;
  const close = text.indexOf('*/', at + 2);
  return close === -1 ? -1 : close + 2;
}

const lineEnds = new Set([0x0a, 0x0d, 0x2028, 0x2029]);

/** As many characters as the text has from `start` to `end`: line ends kept, everything else a space. */
function blankLines(text: string, start: number, end: number): string {
  const lines = text.slice(start, end).split('\n');
  return lines.map((line) => ' '.repeat(line.length)).join('\n');
}

export type JsonScan =
  | { readonly kind: 'too_deep' }
  /** `members` is exact for valid JSON: every colon outside strings belongs to one. */
  | { readonly kind: 'scanned'; readonly members: number };

/**
 * One linear pass that knows strings from structure and nothing else: how deep the text nests, before anything is built from it, and how
 * many members were written, so that the caller can see that a duplicate key swallowed one. The root container has depth 0; scalars do not
 * count. Not a validator: on text that is not JSON it still ends.
 */
export function scanJson(text: string, maxDepth: number): JsonScan {
  let depth = -1;
  let members = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      at = findStringEnd(text, at);
    } else if (code === 0x3a) {
      members += 1;
    } else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > maxDepth) return { kind: 'too_deep' };
    } else if (code === 0x7d || code === 0x5d) {
      depth -= 1;
    }
  }
  return { kind: 'scanned', members };
}

/** Offset of the quote that closes the string opened at `open`; the end of the text when there is none. */
export function findStringEnd(text: string, open: number): number {
  let close = text.indexOf('"', open + 1);
  while (close !== -1 && isEscaped(text, close, open)) close = text.indexOf('"', close + 1);
  return close === -1 ? text.length : close;
}

// Each run of backslashes ends at one quote, so counting backwards stays linear over the whole text.
function isEscaped(text: string, quote: number, open: number): boolean {
  let at = quote - 1;
  while (at > open && text.charCodeAt(at) === 0x5c) at -= 1;
  return (quote - 1 - at) % 2 === 1;
}

export type JsonFault = { readonly offset: number; readonly detail: string };
export type DuplicateKey = { readonly offset: number; readonly key: string };
export type JsonFaults = { readonly fault: JsonFault | null; readonly duplicates: readonly DuplicateKey[] };

/** What the grammar allows next. */
type Expect = 'value' | 'value_or_end' | 'key' | 'key_or_end' | 'colon' | 'comma_or_end' | 'nothing';

/**
 * Where JSON text is wrong, and which keys it repeats: the slow, exact second look that runs only after `JSON.parse` has failed or a
 * member is missing. Strict RFC 8259 grammar, iterative, linear. Promise: `fault` is null exactly when `JSON.parse` accepts the text (a
 * property test compares them). The engine's own messages are not used: they differ between versions and quote the file.
 */
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
