/**
 * The text of a `tsconfig.json` as the compiler takes it: JSON with comments; and where that is broken, whatever can still be made out,
 * because the compiler goes on with that too. Never fails and never loops: a file that means nothing is an empty object.
 */

import type { Json, JsonObject } from '../../../kernel/base/json.ts';
import { limits } from '../../../kernel/base/limits.ts';
import { parseJsonc } from '../../../kernel/formats/parse-json.ts';
import { type ParseFailure, parseText } from '../../../kernel/formats/parse-outcome.ts';

export type ParsedConfig = { readonly value: JsonObject; readonly failure: ParseFailure | null };

const caps = { maxBytes: limits.manifestBytes, maxDepth: limits.parseDepth };

export function parseConfig(bytes: Uint8Array): ParsedConfig {
  const outcome = parseJsonc(bytes, caps);
  if (outcome.ok) return { value: outcome.value, failure: null };
  const text = parseText(bytes, caps);
  if (!text.ok || outcome.failure.kind !== 'malformed') return { value: {}, failure: outcome.failure };
  const { tokens, isBlank } = listTokens(text.value);
  // A file with nothing in it is a valid way to say "all defaults".
  return isBlank ? { value: {}, failure: null } : { value: recoverRoot(tokens), failure: outcome.failure };
}

type Token = { readonly kind: string; readonly text: string };

// One alternative per token and none that overlaps another's start, so scanning is linear. Of a conflict the first side counts.
const tokenPattern = new RegExp(
  [
    /\s+/,
    /^[<>]{7} [^\n\r]*/,
    /^[=|]{7}[\s\S]*?(?=^>{7} |(?![\s\S]))/,
    /\/\/[^\n\r\u2028\u2029]*/,
    /\/\*[\s\S]*?(?:\*\/|(?![\s\S]))/,
    /"[^"\\\n\r]*(?:\\[\s\S][^"\\\n\r]*)*"?/,
    /'[^'\\\n\r]*(?:\\[\s\S][^'\\\n\r]*)*'?/,
    /[{}[\],:;]/,
    /[^\s{}[\],:;"'/]+/,
    /\//,
  ]
    .map((alternative) => alternative.source)
    .join('|'),
  'gmu',
);

function listTokens(text: string): { readonly tokens: readonly Token[]; readonly isBlank: boolean } {
  const tokens: Token[] = [];
  let isBlank = true;
  for (const [token] of text.matchAll(tokenPattern)) {
    if (/^(?:\s|\/\/)/.test(token) || (token.startsWith('/*') && token.length > 3 && token.endsWith('*/'))) continue;
    isBlank = false;
    if (/^(?:\/\*|[<>]{7} |[=|]{7})/.test(token)) continue;
    if (token.startsWith('"') || token.startsWith("'")) tokens.push({ kind: 'string', text: unquote(token) });
    else tokens.push({ kind: /^[{}[\],:;]$/.test(token) ? token : 'word', text: token });
  }
  return { tokens, isBlank };
}

function unquote(token: string): string {
  const quote = token.slice(0, 1);
  const body = token.length > 1 && token.endsWith(quote) ? token.slice(1, -1) : token.slice(1);
  return body.replace(/\\(?:u([0-9a-fA-F]{4})|([\s\S]))/g, (_, hex: string | undefined, letter: string | undefined) =>
    hex === undefined ? (escapes[letter ?? ''] ?? letter ?? '') : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** Several values stand for an array of them, and of an array the first object is meant. */
function recoverRoot(tokens: readonly Token[]): JsonObject {
  const cursor: Cursor = { tokens, at: 0 };
  const opening = tokens[0]?.kind;
  if (opening === '{') return recoverObject(advance(cursor), 0);
  if (opening === '[') return firstObject(recoverArray(advance(cursor), 0));
  return tokens[1]?.kind === ':' ? recoverObject(cursor, 0) : firstObject(recoverArray(cursor, 0));
}

type Cursor = { readonly tokens: readonly Token[]; at: number };

function advance(cursor: Cursor): Cursor {
  cursor.at += 1;
  return cursor;
}

function firstObject(values: readonly Json[]): JsonObject {
  const found = values.find((value) => typeof value === 'object' && value !== null && !Array.isArray(value));
  return (found as JsonObject | undefined) ?? {};
}

function recoverObject(cursor: Cursor, depth: number): JsonObject {
  const members: [string, Json][] = [];
  for (let token = cursor.tokens[cursor.at]; token !== undefined; token = cursor.tokens[cursor.at]) {
    cursor.at += 1;
    if (token.kind === '}') break;
    if (token.kind !== 'string' && token.kind !== 'word') continue;
    const hasColon = cursor.tokens[cursor.at]?.kind === ':';
    if (hasColon) cursor.at += 1;
    else if (token.kind === 'word') continue;
    const value = recoverValue(cursor, depth);
    if (value !== undefined) members.push([token.text, value]);
  }
  return Object.fromEntries(members);
}

function recoverArray(cursor: Cursor, depth: number): readonly Json[] {
  const values: Json[] = [];
  for (let token = cursor.tokens[cursor.at]; token !== undefined; token = cursor.tokens[cursor.at]) {
    // A brace closes the object around an array that was left open.
    if (token.kind === '}') break;
    if (token.kind === ']') {
      cursor.at += 1;
      break;
    }
    const value = recoverValue(cursor, depth);
    if (value === undefined) cursor.at += 1;
    else values.push(value);
  }
  return values;
}

/** `undefined`, and nothing consumed, where no value begins. */
function recoverValue(cursor: Cursor, depth: number): Json | undefined {
  const token = cursor.tokens[cursor.at];
  if (token === undefined || depth > limits.parseDepth) return undefined;
  if (token.kind === '{') return recoverObject(advance(cursor), depth + 1);
  if (token.kind === '[') return recoverArray(advance(cursor), depth + 1);
  if (token.kind !== 'string' && token.kind !== 'word') return undefined;
  cursor.at += 1;
  if (token.kind === 'string') return token.text;
  if (token.text === 'true' || token.text === 'false') return token.text === 'true';
  const number = Number(token.text);
  return Number.isFinite(number) ? number : null;
}
