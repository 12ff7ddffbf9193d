/**
 * Tokens of a C-like language as one string: equal for texts that differ in white space and comments alone, different for texts whose
 * tokens differ. What sets it apart from `normaliseTokens` is that each language says where its literals end (raw and verbatim
 * strings, text blocks, lifetimes, digit separators, nested comments). One pass over character codes, no backtracking.
 */

import { isAsciiWord } from '../../kernel/base/text.ts';
import type { TextSpan } from '../facts.ts';
import type { Node } from '../parsing/syntax-node.ts';

export type TokenRules = {
  /** Where the literal ends whose quote stands at `at`; `at + 1` if that quote begins no literal. */
  readonly literalEnd: (text: string, at: number) => number;
  readonly nestedComments: boolean;
  /** Lines that begin with `#` are tokens apart: where they end matters. */
  readonly directives: boolean;
};

const lineFeed = 10;
const quote = 34;
const hash = 35;
const apostrophe = 39;
const star = 42;
const slash = 47;
const backslash = 92;

export function normaliseSource(text: string, rules: TokenRules): string {
  const { length } = text;
  const out: string[] = [];
  let inDirective = false;
  let last = 0;
  /** Something was left out since `last`. */
  let spaced = false;
  for (let at = 0; at < length; ) {
    const code = text.charCodeAt(at);
    const next = text.charCodeAt(at + 1);
    if (isSpace(code) || (code === backslash && isSpace(next))) {
      const end = spaceEnd(text, at);
      const begins = rules.directives && text.charCodeAt(end) === hash && hasLineEnd(text, at, end);
      if (begins || (inDirective && hasLineEnd(text, at, end))) {
        out.push('\n');
        last = lineFeed;
        spaced = false;
        inDirective = begins;
      } else spaced = true;
      at = end;
    } else if (code === slash && (next === slash || next === star)) {
      at = next === slash ? lineEnd(text, at) : commentEnd(text, at, rules.nestedComments);
      spaced = true;
    } else {
      const end = code === quote || code === apostrophe ? rules.literalEnd(text, at) : plainEnd(text, at);
      if (spaced && needsSpace(last, code)) out.push(' ');
      out.push(text.slice(at, end));
      last = text.charCodeAt(end - 1);
      spaced = false;
      at = end;
    }
  }
  return out.join('');
}

/** Up to what is no part of a plain token: space, a quote, a comment, a backslash. */
function plainEnd(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code <= 32 || code === quote || code === apostrophe || code === slash || code === backslash || code >= 128) {
      if (code < 128 || isSpace(code)) return at;
    }
  }
  return text.length;
}

function isSpace(code: number): boolean {
  if (code === 32 || (code >= 9 && code <= 13)) return true;
  return code >= 128 && /\s/.test(String.fromCharCode(code));
}

/** A backslash at the end of a line makes one line of two. */
function spaceEnd(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (isSpace(code)) at += 1;
    else if (code === backslash && /^\\[ \t\r]*\n/.test(text.slice(at, at + 16))) at = text.indexOf('\n', at) + 1;
    else return at === from ? from + 1 : at;
  }
}

/** A line end that no backslash takes back. */
function hasLineEnd(text: string, from: number, end: number): boolean {
  const line = text.indexOf('\n', from);
  return line >= 0 && line < end && !text.slice(from, end).includes('\\');
}

const doubled = new Set([...'-+&|<=!?*/.:#%^~"'].map((sign) => sign.charCodeAt(0)));

/** Between words, between a word and a quote (a prefix would join it), and between two signs that would become one. */
function needsSpace(left: number, right: number): boolean {
  if (isWordCode(left)) return isWordCode(right) || right === quote || right === apostrophe;
  return left === right && doubled.has(left);
}

function isWordCode(code: number): boolean {
  return isAsciiWord(code) || code === 36 || code >= 128;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

function commentEnd(text: string, at: number, nested: boolean): number {
  const mark = nested ? /\/\*|\*\//g : /\*\//g;
  mark.lastIndex = at + 2;
  let depth = 1;
  for (let match = mark.exec(text); match !== null; match = mark.exec(text)) {
    depth += match[0] === '/*' ? 1 : -1;
    if (depth === 0) return mark.lastIndex;
  }
  return text.length;
}

// Where literals end, for the languages that quote like C. Unclosed ones end where their language would stop looking.

/** `"…"` or `'…'` with backslash escapes, on one line unless `multiline`. */
export function quotedEnd(text: string, at: number, multiline = false): number {
  const quote = text[at];
  for (let index = at + 1; index < text.length; index += 1) {
    const character = text[index];
    if (character === '\\') index += 1;
    else if (character === quote) return index + 1;
    else if (character === '\n' && !multiline) return index;
  }
  return text.length;
}

/** Up to and including the next `closing`. */
export function closedBy(text: string, from: number, closing: string): number {
  const end = text.indexOf(closing, from);
  return end < 0 ? text.length : end + closing.length;
}

/** How often `character` is repeated from `at` on. */
export function runLength(text: string, at: number, character: string): number {
  let end = at;
  while (text[end] === character) end += 1;
  return end - at;
}

// Tokens of a node for languages whose comments cannot be told from code by looking at characters alone (`#` in Ruby's patterns and
// interpolations, `#[` in PHP): the tree says where the comments are, so they are cut out before the text is joined.

/** What of `node` lies before `end` and in no comment. */
export function spansWithoutComments(node: Node, text: string, end = node.endIndex): TextSpan[] {
  const { startIndex } = node;
  if (!/[#/]/.test(text.slice(startIndex, end))) return [{ start: startIndex, end }];
  const spans: TextSpan[] = [];
  let start = startIndex;
  for (const comment of node.descendantsOfType('comment')) {
    if (comment.startIndex >= end) break;
    spans.push({ start, end: comment.startIndex });
    start = comment.endIndex;
  }
  spans.push({ start, end: Math.max(start, end) });
  return spans;
}

const stringOrSpace = /("(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*')|\s+/g;

/** Code without comments in one line, a gap only between two words and between two signs that could become one. */
export function joinCode(code: string): string {
  const spaced = code.replace(stringOrSpace, (_, kept: string | undefined) => kept ?? ' ');
  return spaced.replace(/ (?=(\S?))/g, (_, after: string, at: number) => {
    const before = spaced.charAt(at - 1);
    return (isWordCharacter(before) && isWordCharacter(after)) || (before === after && /[-+&|<>=!?*/.:$@]/.test(before))
      ? ' '
      : '';
  });
}

function isWordCharacter(character: string): boolean {
  return /[\p{L}\p{N}_$@]/u.test(character);
}
