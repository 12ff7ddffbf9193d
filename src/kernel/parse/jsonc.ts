/**
 * JSON with comments and trailing commas: tsconfig files and `bun.lock`.
 *
 * A linear scanner blanks what JSON does not know, character for character, so that offsets and lines stay those of the file;
 * what remains is parsed as JSON with all its promises. Block comments do not nest, as in every reader of the format.
 */

import type { JsonObject } from '../base/json.ts';
import { parseJsonText, requireObject } from './json.ts';
import { findStringEnd } from './json-scan.ts';
import { malformed, type ParseLimits, type ParseOutcome } from './outcome.ts';
import { lineAt, parseText } from './text.ts';

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
