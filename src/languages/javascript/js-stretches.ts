/**
 * Which stretches of a TypeScript or JavaScript text are comments, strings, templates and regular expressions, found in one pass over its
 * characters: a parser takes a hundred times as long. Where a parser alone can tell (is that slash a division? is that JSX?) nothing is
 * said. Promise: what is said is what the parser says of the same text, if that text has no errors.
 */

import { countWhile } from '../../kernel/base/count-while.ts';
import type { TextSpan } from '../facts.ts';
import type { TokenClass } from '../tokens.ts';

export type Stretch = TextSpan & { readonly class: TokenClass };

/** In order, and apart from each other; undefined where only a parser can tell. `hasJsx`: the text may hold elements. */
export function scanScript(text: string, hasJsx: boolean): readonly Stretch[] | undefined {
  if (text.includes('<!--') || text.includes('-->')) return undefined;
  if (hasJsx && /<\/|\/>/.test(text)) return undefined;
  const stretches: Stretch[] = [];
  /** Of each template that is open around here, how many braces are open inside its insertion. */
  const insertions: number[] = [];
  let last: Last = { kind: 'operator' };
  let at = 0;

  const add = (end: number, kind: TokenClass): void => {
    stretches.push({ start: at, end, class: kind });
    at = end;
  };
  if (text.startsWith('#!')) add(lineEnd(text, 0), 'comment');
  while (at < text.length) {
    const unit = text.charCodeAt(at);
    if (isSpace(unit)) {
      at += 1;
      continue;
    }
    if (isWordUnit(unit)) {
      const end = wordEnd(text, at);
      last = { kind: 'word', start: at, end, isMember: last.kind === 'dot' };
      at = end;
      continue;
    }
    switch (unit) {
      case slash: {
        const next = text.charCodeAt(at + 1);
        if (next === slash) add(lineEnd(text, at), 'comment');
        else if (next === star) {
          const end = text.indexOf('*/', at + 2);
          if (end < 0) return undefined;
          add(end + 2, 'comment');
        } else {
          const end = regexEnd(text, at);
          const meant = whatFollows(text, at, last);
          if (end === undefined ? meant === 'regex' : meant === undefined) return undefined;
          if (end === undefined || meant === 'division') {
            at += 1;
            last = { kind: 'operator' };
          } else {
            add(wordEnd(text, end), 'regex');
            last = { kind: 'operand' };
          }
        }
        break;
      }
      case singleQuote:
      case doubleQuote: {
        const end = stringEnd(text, at);
        if (end === undefined) return undefined;
        add(end, 'string');
        last = { kind: 'operand' };
        break;
      }
      case backtick:
      case closeBrace: {
        const depth = insertions.at(-1);
        if (unit === closeBrace && depth !== 0) {
          if (depth !== undefined) insertions[insertions.length - 1] = depth - 1;
          at += 1;
          last = { kind: 'closed' };
          break;
        }
        // The insertion ends, and the template goes on behind it.
        if (unit === closeBrace) {
          insertions.pop();
          at += 1;
        }
        const part = templatePart(text, unit === closeBrace ? at : at + 1);
        if (part === undefined) return undefined;
        add(part.end, 'string');
        if (part.isOpen) {
          insertions.push(0);
          at += 2;
        }
        last = { kind: part.isOpen ? 'operator' : 'operand' };
        break;
      }
      case openBrace: {
        const depth = insertions.at(-1);
        if (depth !== undefined) insertions[insertions.length - 1] = depth + 1;
        at += 1;
        last = { kind: 'operator' };
        break;
      }
      default: {
        last = after(text, at, unit, last);
        at += 1;
      }
    }
  }
  return insertions.length === 0 ? stretches : undefined;
}

/** The class of the text at an index. */
export function classIn(stretches: readonly Stretch[], index: number): TokenClass {
  const found = stretches[countWhile(stretches, ({ end }) => end <= index)];
  return found !== undefined && found.start <= index ? found.class : 'code';
}

/** What stands before; `closed`: a parenthesis, a brace or a sign that may end a value or begin a statement. */
type Last =
  | { readonly kind: 'operator' | 'operand' | 'closed' | 'dot' }
  | { readonly kind: 'word'; readonly start: number; readonly end: number; readonly isMember: boolean };

function after(text: string, at: number, unit: number, last: Last): Last {
  switch (unit) {
    case closeBracket:
      return { kind: 'operand' };
    case closeParenthesis:
      return { kind: 'closed' };
    case greaterThan:
      return { kind: text.charCodeAt(at - 1) === equals ? 'operator' : 'closed' };
    case dot:
      // `...typeof a`
      return { kind: text.charCodeAt(at - 1) === dot ? 'operator' : 'dot' };
    case exclamation:
      // `x! / y` and `!/x/`.
      return { kind: last.kind === 'operator' ? 'operator' : 'closed' };
    case plus:
    case minus:
      return { kind: text.charCodeAt(at - 1) === unit ? 'closed' : 'operator' };
    default:
      return { kind: 'operator' };
  }
}

/** A slash that begins no comment: undefined where only a parser can tell. */
function whatFollows(text: string, at: number, last: Last): 'division' | 'regex' | undefined {
  // At the beginning of a line, what stands above may have ended.
  const begins = /(?:^|[\n\r\u2028\u2029])[^\S\n\r\u2028\u2029]*$/.test(text.slice(Math.max(0, at - 200), at));
  switch (last.kind) {
    case 'operator':
      return 'regex';
    case 'operand':
      return begins ? undefined : 'division';
    case 'closed':
    case 'dot':
      return undefined;
    case 'word': {
      const word = text.slice(last.start, last.end);
      if (!last.isMember && beforeValues.has(word)) return 'regex';
      return begins || (!last.isMember && mayPrecede.has(word)) ? undefined : 'division';
    }
  }
}

const beforeValues: ReadonlySet<string> = new Set(
  'return typeof case in do else void delete throw new instanceof default extends'.split(' '),
);
/** Words of the language in some places, and names in others. */
const mayPrecede: ReadonlySet<string> = new Set('of yield await'.split(' '));

/** Behind the closing slash; undefined where no expression ends in this line. */
function regexEnd(text: string, start: number): number | undefined {
  let inClass = false;
  for (let at = start + 1; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (isLineEnd(unit)) return undefined;
    if (unit === backslash) {
      at += 1;
      if (isLineEnd(text.charCodeAt(at))) return undefined;
    } else if (unit === openBracket) inClass = true;
    else if (unit === closeBracket) inClass = false;
    else if (unit === slash && !inClass) return at + 1;
  }
  return undefined;
}

function stringEnd(text: string, start: number): number | undefined {
  const quote = text.charCodeAt(start);
  for (let at = start + 1; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === quote) return at + 1;
    if (unit === lineFeed || unit === carriageReturn) return undefined;
    if (unit !== backslash) continue;
    at += 1;
    if (text.charCodeAt(at) === carriageReturn && text.charCodeAt(at + 1) === lineFeed) at += 1;
  }
  return undefined;
}

/** From inside a template to its end, or to where something is inserted. */
function templatePart(text: string, start: number): { readonly end: number; readonly isOpen: boolean } | undefined {
  for (let at = start; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === backtick) return { end: at + 1, isOpen: false };
    if (unit === dollar && text.charCodeAt(at + 1) === openBrace) return { end: at, isOpen: true };
    if (unit === backslash) at += 1;
  }
  return undefined;
}

/** Numbers too, with their points: `1./2` is a division. */
function wordEnd(text: string, start: number): number {
  const isNumber = isDigit(text.charCodeAt(start));
  let at = start;
  for (; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (isSpace(unit) || !(isWordUnit(unit) || (isNumber && unit === dot))) break;
  }
  return at;
}

function lineEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && !isLineEnd(text.charCodeAt(at))) at += 1;
  return at;
}

function isWordUnit(unit: number): boolean {
  return (
    (unit >= 0x61 && unit <= 0x7a) ||
    (unit >= 0x41 && unit <= 0x5a) ||
    isDigit(unit) ||
    unit === underscore ||
    unit === dollar ||
    unit === hash ||
    unit >= 0x80
  );
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

function isSpace(unit: number): boolean {
  if (unit <= 0x20) return true;
  return unit >= 0x80 && /\s/.test(String.fromCharCode(unit));
}

function isLineEnd(unit: number): boolean {
  return unit === lineFeed || unit === carriageReturn || unit === 0x2028 || unit === 0x2029;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const exclamation = 0x21;
const doubleQuote = 0x22;
const hash = 0x23;
const dollar = 0x24;
const singleQuote = 0x27;
const closeParenthesis = 0x29;
const star = 0x2a;
const plus = 0x2b;
const minus = 0x2d;
const dot = 0x2e;
const slash = 0x2f;
const equals = 0x3d;
const greaterThan = 0x3e;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const underscore = 0x5f;
const backtick = 0x60;
const openBrace = 0x7b;
const closeBrace = 0x7d;
