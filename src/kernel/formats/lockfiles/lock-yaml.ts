/**
 * YAML lockfiles as objects of strings: by the line reader where the file is what its tool writes, by the library otherwise.
 *
 * The line reader is hand-written for speed: the library needs a quarter of a second per megabyte, and pnpm and yarn berry write lockfiles
 * of several. They write a small, regular part of YAML: mappings by indentation, lists of scalars, one-line flow collections, quoted or
 * plain scalars, `|-` texts and `? long key`. The line reader knows exactly that part and answers undefined at the first line that could
 * mean anything else. Where it does answer, it equals `parseYamlStrings` (a property test compares them): every scalar is the string that
 * was written.
 */

import { type Json, type JsonObject, setOwn } from '../../base/json.ts';
import { type ParseLimits, type ParseOutcome, parsed, parseText } from '../parse-outcome.ts';
import { parseYamlStrings } from '../yaml.ts';

export function parseLockYaml(bytes: Uint8Array, limits: ParseLimits): ParseOutcome<JsonObject> {
  const text = parseText(bytes, limits);
  if (!text.ok) return text;
  const regular = readBlockYaml(text.value, limits.maxDepth);
  return regular === undefined ? parseYamlStrings(bytes, limits) : parsed(regular);
}

type Frame =
  | { readonly kind: 'map'; readonly indent: number; readonly value: Record<string, Json> }
  | { readonly kind: 'list'; readonly indent: number; readonly value: Json[] };

type Line = { readonly start: number; readonly end: number; readonly indent: number };

// YAML allows 1024 characters for a key without `?`; a little less keeps us clear of how they are counted.
const maxKeyLength = 1000;

export function readBlockYaml(text: string, maxDepth: number): JsonObject | undefined {
  const root: Record<string, Json> = {};
  const frames: Frame[] = [{ kind: 'map', indent: 0, value: root }];
  const lines = lineReader(text);
  /** A key whose value, if it has one, begins on a deeper line. */
  let pendingKey: string | undefined;
  /** A key after `?`, whose `:` must be the next line. */
  let explicitKey: string | undefined;

  for (let line = lines.next(); line !== undefined; line = lines.next()) {
    let top = frames.at(-1) as Frame;
    const isItem = startsWithIndicator(text, line, 0x2d);
    if (explicitKey !== undefined && line.indent !== top.indent) return undefined;
    if (line.indent > top.indent) {
      if (pendingKey === undefined || top.kind !== 'map' || frames.length > maxDepth) return undefined;
      const opened: Frame = isItem
        ? { kind: 'list', indent: line.indent, value: [] }
        : { kind: 'map', indent: line.indent, value: {} };
      setOwn(top.value, pendingKey, opened.value);
      pendingKey = undefined;
      frames.push(opened);
      top = opened;
    } else {
      pendingKey = undefined;
      while (line.indent < top.indent) {
        frames.pop();
        top = frames.at(-1) as Frame;
      }
      if (line.indent !== top.indent) return undefined;
    }

    if (top.kind === 'list') {
      if (!isItem) return undefined;
      const item = readValue(text, line.start + 2, line.end, maxDepth - frames.length);
      if (item === undefined) return undefined;
      top.value.push(item);
      continue;
    }
    if (isItem) return undefined;

    let key: string;
    let valueStart: number;
    if (explicitKey !== undefined) {
      if (!startsWithIndicator(text, line, 0x3a)) return undefined;
      key = explicitKey;
      explicitKey = undefined;
      valueStart = line.start + 1;
    } else if (startsWithIndicator(text, line, 0x3f)) {
      const read = readScalar(text, line.start + 2, line.end);
      if (read === undefined || read === '<<') return undefined;
      explicitKey = read;
      continue;
    } else {
      const keyEnd = findKeyEnd(text, line);
      const read = keyEnd === -1 ? undefined : readScalar(text, line.start, keyEnd);
      if (read === undefined || read === '<<' || keyEnd - line.start > maxKeyLength) return undefined;
      key = read;
      valueStart = keyEnd + 1;
    }
    if (Object.hasOwn(top.value, key)) return undefined;

    if (valueStart === line.end) {
      // Empty unless a deeper line follows.
      setOwn(top.value, key, '');
      pendingKey = key;
    } else if (text.charCodeAt(valueStart + 1) === 0x7c) {
      if (text.slice(valueStart + 1, line.end) !== '|-') return undefined;
      const literal = lines.literal(top.indent);
      if (literal === undefined) return undefined;
      setOwn(top.value, key, literal);
    } else {
      const value = readValue(text, valueStart + 1, line.end, maxDepth - frames.length);
      if (value === undefined) return undefined;
      setOwn(top.value, key, value);
    }
  }
  return explicitKey === undefined && !lines.refused() && Object.keys(root).length > 0 ? root : undefined;
}

/** Content lines only: blank lines and comments are passed over. A document marker refuses the text. */
function lineReader(text: string) {
  let at = 0;
  let refused = false;

  function measure(): Line {
    let end = text.indexOf('\n', at);
    if (end === -1) end = text.length;
    let start = at;
    while (start < end && text.charCodeAt(start) === 0x20) start += 1;
    const indent = start - at;
    at = end + 1;
    return { start, end: end > start && text.charCodeAt(end - 1) === 0x0d ? end - 1 : end, indent };
  }

  return {
    refused: () => refused,
    next(): Line | undefined {
      while (at < text.length) {
        const line = measure();
        if (line.start === line.end || text.charCodeAt(line.start) === 0x23) continue;
        const marker = line.indent === 0 && (text.startsWith('---', line.start) || text.startsWith('...', line.start));
        if (!marker) return line;
        refused = true;
        return undefined;
      }
      return undefined;
    },
    /** The lines of a `|-` text below a key at `parentIndent`. */
    literal(parentIndent: number): string | undefined {
      const content: string[] = [];
      let indent = -1;
      while (at < text.length) {
        const before = at;
        const line = measure();
        const isBlank = line.start === line.end;
        if (isBlank && line.indent > 0) return undefined;
        if (isBlank) {
          if (indent === -1) return undefined;
          content.push('');
          continue;
        }
        if (indent === -1) indent = line.indent;
        if (line.indent < indent || indent <= parentIndent) {
          at = before;
          if (indent <= parentIndent || line.indent > parentIndent) return undefined;
          break;
        }
        const shown = text.slice(line.start - (line.indent - indent), line.end);
        if (!isPrintable(shown)) return undefined;
        content.push(shown);
      }
      while (content.at(-1) === '') content.pop();
      return indent === -1 ? undefined : content.join('\n');
    },
  };
}

/** `- `, `? ` or `: ` at the start of a line, or the indicator alone. */
function startsWithIndicator(text: string, line: Line, code: number): boolean {
  if (text.charCodeAt(line.start) !== code) return false;
  return line.start + 1 === line.end || text.charCodeAt(line.start + 1) === 0x20;
}

/** Offset of the colon that ends the key; -1 when the line has none. */
function findKeyEnd(text: string, line: Line): number {
  const first = text.charCodeAt(line.start);
  let at = line.start;
  if (first === 0x22 || first === 0x27) {
    at = findQuoteEnd(text, line.start, line.end) + 1;
    if (at === 0 || text.charCodeAt(at) !== 0x3a) return -1;
  }
  for (; at < line.end; at += 1) {
    if (text.charCodeAt(at) !== 0x3a) continue;
    if (at + 1 === line.end || text.charCodeAt(at + 1) === 0x20) return at;
    if (first === 0x22 || first === 0x27) return -1;
  }
  return -1;
}

function readValue(text: string, start: number, end: number, depthLeft: number): Json | undefined {
  const first = text.charCodeAt(start);
  if (first !== 0x7b && first !== 0x5b) return readScalar(text, start, end);
  const flow = readFlow(text, start, end, depthLeft);
  return flow?.end === end ? flow.value : undefined;
}

type Flow = { readonly value: Json; readonly end: number };

/** A flow collection that begins at `start` and closes before `end`. */
function readFlow(text: string, start: number, end: number, depthLeft: number): Flow | undefined {
  if (depthLeft < 0) return undefined;
  const isMap = text.charCodeAt(start) === 0x7b;
  const close = isMap ? 0x7d : 0x5d;
  const list: Json[] = [];
  const map: Record<string, Json> = {};
  let at = start + 1;
  if (text.charCodeAt(at) === close) return { value: isMap ? map : list, end: at + 1 };
  while (at < end) {
    let key = '';
    if (isMap) {
      const keyEnd = findFlowScalarEnd(text, at, end);
      const read = readScalar(text, at, keyEnd);
      if (read === undefined || read === '<<' || Object.hasOwn(map, read)) return undefined;
      if (text.charCodeAt(keyEnd) !== 0x3a || text.charCodeAt(keyEnd + 1) !== 0x20) return undefined;
      key = read;
      at = keyEnd + 2;
    }
    const first = text.charCodeAt(at);
    let item: Json | undefined;
    if (first === 0x7b || first === 0x5b) {
      const inner = readFlow(text, at, end, depthLeft - 1);
      item = inner?.value;
      at = inner?.end ?? end;
    } else {
      const itemEnd = findFlowScalarEnd(text, at, end);
      item = readScalar(text, at, itemEnd);
      at = itemEnd;
    }
    if (item === undefined || at >= end) return undefined;
    if (isMap) setOwn(map, key, item);
    else list.push(item);
    const next = text.charCodeAt(at);
    if (next === close) return { value: isMap ? map : list, end: at + 1 };
    if (next !== 0x2c || text.charCodeAt(at + 1) !== 0x20) return undefined;
    at += 2;
  }
  return undefined;
}

/** Where a scalar inside a flow collection ends: at a flow indicator, at `: `, or behind its closing quote. */
function findFlowScalarEnd(text: string, start: number, end: number): number {
  const first = text.charCodeAt(start);
  if (first === 0x22 || first === 0x27) {
    const close = findQuoteEnd(text, start, end);
    return close === -1 ? end : close + 1;
  }
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x2c || code === 0x5b || code === 0x5d || code === 0x7b || code === 0x7d) return at;
    if (code === 0x3a && isFlowKeyEnd(text.charCodeAt(at + 1))) return at;
  }
  return end;
}

function isFlowKeyEnd(next: number): boolean {
  return next === 0x20 || next === 0x2c || next === 0x5b || next === 0x5d || next === 0x7b || next === 0x7d;
}

/** The closing quote of the quoted scalar at `start`; -1 when it does not close before `end`. */
function findQuoteEnd(text: string, start: number, end: number): number {
  const quote = text.charCodeAt(start);
  for (let at = start + 1; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x5c && quote === 0x22) at += 1;
    else if (code === quote) {
      if (quote === 0x22 || text.charCodeAt(at + 1) !== quote) return at;
      at += 1;
    }
  }
  return -1;
}

/** Exactly the text from `start` to `end` as one scalar. */
function readScalar(text: string, start: number, end: number): string | undefined {
  const first = text.charCodeAt(start);
  if (first === 0x22 || first === 0x27) {
    if (findQuoteEnd(text, start, end) !== end - 1) return undefined;
    const inner = text.slice(start + 1, end - 1);
    if (!isPrintable(inner)) return undefined;
    if (first === 0x27) return inner.includes("''") ? inner.replaceAll("''", "'") : inner;
    return inner.includes('\\') ? readEscapes(inner) : inner;
  }
  return isPlain(text, start, end) ? text.slice(start, end) : undefined;
}

/** The escapes that JSON shares with YAML. */
function readEscapes(inner: string): string | undefined {
  try {
    return JSON.parse(`"${inner}"`) as string;
  } catch {
    return undefined;
  }
}

/** Stricter than YAML: what might be an indicator, a comment or a key is left to the library. */
function isPlain(text: string, start: number, end: number): boolean {
  if (start >= end) return false;
  const first = text.charCodeAt(start);
  if (refusedFirst.has(first) || text.charCodeAt(end - 1) === 0x20) return false;
  if (first === 0x2d && (start + 1 === end || text.charCodeAt(start + 1) === 0x20)) return false;
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || (code >= 0x7f && code < 0xa0) || code === 0xfeff) return false;
    if (code === 0x3a && (at + 1 === end || text.charCodeAt(at + 1) === 0x20)) return false;
    if (code === 0x23 && text.charCodeAt(at - 1) === 0x20) return false;
  }
  return true;
}

const refusedFirst = new Set([...' \t,[]{}#&*!|>\'"%@`?:'].map((character) => character.charCodeAt(0)));

function isPrintable(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || (code >= 0x7f && code < 0xa0) || code === 0xfeff) return false;
  }
  return true;
}
