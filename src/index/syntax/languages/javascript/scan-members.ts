/**
 * Members of interfaces and object types, read from their text: they are most of the nodes of typed code, and a step in the tree for
 * each would cost more than all else together. It reads only what is beyond doubt. A line end that might end a member, a template, a
 * modifier out of the ordinary: then it says so, and the tree is asked instead (`readTypeBody`).
 */

import type { SymbolKind } from '../../facts.ts';
import {
  endOfBlockComment,
  endOfLine,
  endOfString,
  endOfWord,
  isIdentifierCode,
  isSpaceCode,
  skipTrivia,
} from './lex.ts';
import { endOfName, pushMember } from './members.ts';
import type { Reader, SymbolDraft } from './reader.ts';

/** False if the text leaves a doubt; no symbol is added then. The range begins behind the name of an interface or alias. */
export function scanTypeBody(
  reader: Reader,
  symbol: SymbolDraft,
  from: number,
  end: number,
  isAlias: boolean,
): boolean {
  const { text } = reader;
  const open = findBody(text, from, end, isAlias);
  if (open === undefined) return false;
  if (open < 0) return true;
  const before = reader.symbols.length;
  const close = scanMembers(reader, symbol, open, end);
  // `{ … } & T` is no object type.
  const behind = close === undefined ? end : skipTrivia(text, close, end);
  const whole = behind >= end || (text.charCodeAt(behind) === 59 && skipTrivia(text, behind + 1, end) >= end);
  if (close !== undefined && whole) return true;
  reader.symbols.length = before;
  return close !== undefined;
}

/** The brace that opens the body; -1 if what is declared has none; `undefined` in doubt. */
function findBody(text: string, from: number, end: number, isAlias: boolean): number | undefined {
  const opener = isAlias ? 61 : 123;
  let depth = 0;
  for (let at = skipTrivia(text, from, end); at < end; at = skipTrivia(text, at + 1, end)) {
    const unit = text.charCodeAt(at);
    if (depth === 0 && unit === opener) {
      if (!isAlias) return at;
      const value = skipTrivia(text, at + 1, end);
      return text.charCodeAt(value) === 123 ? value : -1;
    }
    if (unit === 96) return undefined;
    if (unit === 34 || unit === 39) at = endOfString(text, at, end) - 1;
    else if (opens(unit)) depth += 1;
    else if (closes(text, at, unit)) depth -= 1;
  }
  return undefined;
}

function opens(unit: number): boolean {
  return unit === 40 || unit === 60 || unit === 91 || unit === 123;
}

function closes(text: string, at: number, unit: number): boolean {
  return unit === 41 || unit === 93 || unit === 125 || (unit === 62 && text.charCodeAt(at - 1) !== 61);
}

/** Behind the closing brace; `undefined` in doubt. */
function scanMembers(reader: Reader, parent: SymbolDraft, open: number, end: number): number | undefined {
  const { text } = reader;
  let at = open + 1;
  for (;;) {
    at = skipTrivia(text, at, end);
    if (at >= end) return undefined;
    const unit = text.charCodeAt(at);
    if (unit === 125) return at + 1;
    if (unit === 59 || unit === 44) {
      at += 1;
      continue;
    }
    const head = scanHead(text, at, end);
    if (head === undefined) return undefined;
    const memberEnd = endOfMember(text, head.at, end);
    if (memberEnd === undefined) return undefined;
    if (head.kind !== null) pushMember(reader, parent, head.kind, head.nameStart, head.nameEnd, at, memberEnd, false);
    at = memberEnd;
  }
}

type Head = {
  /** `null`: a signature without a name. */
  readonly kind: SymbolKind | null;
  readonly nameStart: number;
  readonly nameEnd: number;
  /** Where to look on for the end of the member. */
  readonly at: number;
};

function scanHead(text: string, start: number, end: number): Head | undefined {
  const first = text.charCodeAt(start);
  const unnamed: Head = { kind: null, nameStart: start, nameEnd: start, at: start };
  if (first === 40 || first === 60) return unnamed;
  let nameStart = start;
  let accessor: SymbolKind | undefined;
  if (isIdentifierCode(first)) {
    // A word is a modifier only if a name follows it.
    const behind = endOfWord(text, start, end);
    const next = skipTrivia(text, behind, end);
    const unit = text.charCodeAt(next);
    if (unit === 58) return { kind: 'property', nameStart, nameEnd: behind, at: next };
    if (next > behind && (unit === 34 || unit === 39 || unit === 91 || isIdentifierCode(unit))) {
      const word = text.slice(start, behind);
      if (word !== 'readonly' && word !== 'get' && word !== 'set') return undefined;
      nameStart = next;
      if (word !== 'readonly') accessor = word === 'get' ? 'getter' : 'setter';
    }
  }
  const nameEnd = endOfName(text, nameStart, end);
  if (nameEnd === nameStart) return undefined;
  const isBracket = text.charCodeAt(nameStart) === 91;
  if (isBracket && /^\[\s*[\w$]+\s*(?::|in\b)/.test(text.slice(nameStart, nameEnd))) return unnamed;
  if (isBracket && text.slice(nameStart, nameEnd).includes('/')) return undefined;
  let at = skipTrivia(text, nameEnd, end);
  let unit = text.charCodeAt(at);
  const isConstructor = (unit === 40 || unit === 60) && text.slice(nameStart, nameEnd) === 'new';
  if (isConstructor) return accessor === undefined && nameStart === start ? unnamed : undefined;
  if (unit === 63) {
    at = skipTrivia(text, at + 1, end);
    unit = text.charCodeAt(at);
  }
  if (unit === 40 || unit === 60) return { kind: accessor ?? 'method', nameStart, nameEnd, at };
  if (accessor !== undefined) return undefined;
  const isProperty = unit === 58 || unit === 59 || unit === 44 || unit === 125;
  return isProperty ? { kind: 'property', nameStart, nameEnd, at } : undefined;
}

/** Behind the last token of the member whose rest begins at `at`; `undefined` in doubt. */
function endOfMember(text: string, at: number, end: number): number | undefined {
  let depth = 0;
  let last = at;
  let newLine = false;
  while (at < end) {
    const unit = text.charCodeAt(at);
    if (unit <= 32 || (unit > 127 && isSpaceCode(unit))) {
      newLine ||= unit === 10;
      at += 1;
      continue;
    }
    if (unit === 47) {
      const next = text.charCodeAt(at + 1);
      if (next === 47) at = endOfLine(text, at, end);
      else if (next === 42) {
        const behind = endOfBlockComment(text, at, end);
        newLine ||= text.slice(at, behind).includes('\n');
        at = behind;
      } else return undefined;
      continue;
    }
    if (depth === 0) {
      if (unit === 59 || unit === 44 || unit === 125) return last;
      if (newLine && endsOperand(text, last - 1) && beginsOperand(unit)) {
        return isIdentifierCode(unit) && !mayGoOn(text, last, at, end) ? last : undefined;
      }
    }
    newLine = false;
    if (unit === 96) return undefined;
    if (unit === 34 || unit === 39) at = endOfString(text, at, end);
    else {
      if (opens(unit)) depth += 1;
      else if (closes(text, at, unit)) {
        depth -= 1;
        if (depth < 0) return undefined;
      }
      at += 1;
    }
    last = at;
  }
  return undefined;
}

const operators = new Set('keyof typeof readonly unique infer asserts is extends new abstract in as'.split(' '));

/** A name behind a line end begins a new member, unless a word on one side of it could join the lines. */
function mayGoOn(text: string, last: number, at: number, end: number): boolean {
  let start = last;
  while (last - start <= 9 && start > 0 && isIdentifierCode(text.charCodeAt(start - 1))) start -= 1;
  return operators.has(text.slice(start, last)) || operators.has(text.slice(at, endOfWord(text, at, end)));
}

function endsOperand(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return isIdentifierCode(unit) || unit === 34 || unit === 39 || closes(text, at, unit);
}

function beginsOperand(unit: number): boolean {
  return isIdentifierCode(unit) || unit === 34 || unit === 39 || unit === 43 || unit === 45 || opens(unit);
}
