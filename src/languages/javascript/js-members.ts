/**
 * Bodies of classes, interfaces, object types and enums, one level deep: a symbol per named member, and of classes what another file
 * can observe. Every function here begins and ends with the cursor on the same node.
 */

import type { SymbolKind } from '../facts.ts';
import {
  appendPieces,
  endOfBlockComment,
  endOfLine,
  endOfString,
  endOfWord,
  isIdentifierCode,
  isSpaceCode,
  type Piece,
  skipTrivia,
} from './js-lexing.ts';
import { code, nameOf, pushSymbol, type Reader, type SymbolDraft } from './js-reader.ts';
import { type Observed, observeFunctionValue, observeSignature, readSignature } from './js-signature.ts';

/** The cursor is on a class whose declaration, with modifiers and decorators, begins at `start`. */
export function readClass(reader: Reader, parent: SymbolDraft, start: number): Observed {
  const { cursor, codes } = reader;
  const end = cursor.endIndex;
  if (!cursor.gotoLastChild()) return { pieces: [start, end], inferred: false };
  if ((codes[cursor.nodeTypeId] ?? code.other) !== code.classBody) {
    cursor.gotoParent();
    return { pieces: [start, end], inferred: false };
  }
  const body = cursor.startIndex;
  const members = readClassBody(reader, parent);
  cursor.gotoParent();
  const pieces: Piece[] = [start, body, '{'];
  appendPieces(pieces, members.pieces);
  pieces.push('}');
  return { pieces, inferred: members.inferred };
}

function readClassBody(reader: Reader, parent: SymbolDraft): Observed {
  const { cursor, codes } = reader;
  const pieces: Piece[] = [];
  let inferred = false;
  let decorators = -1;
  /** A field with neither type nor value has the type of what the constructor assigns. */
  let untypedField = false;
  let constructorBody: readonly [number, number] | undefined;
  cursor.gotoFirstChild();
  do {
    const kind = codes[cursor.nodeTypeId] ?? code.other;
    if (kind === code.token || kind === code.semicolon || kind === code.comment) continue;
    const start = decorators >= 0 ? decorators : cursor.startIndex;
    if (kind === code.decorator) {
      decorators = start;
      continue;
    }
    decorators = -1;
    const end = cursor.endIndex;
    if (kind === code.method || kind === code.methodSignature) {
      const method = readMethod(reader, parent, start, end);
      appendPieces(pieces, method.pieces);
      pieces.push(';');
      inferred ||= method.inferred;
      constructorBody ??= method.constructorBody;
    } else if (kind === code.field) {
      const field = readField(reader, parent, start, end);
      appendPieces(pieces, field.pieces);
      pieces.push(';');
      inferred ||= field.inferred;
      untypedField ||= field.untyped;
    } else if (kind !== code.staticBlock || reader.untyped) pieces.push(start, end, ';');
  } while (cursor.gotoNextSibling());
  cursor.gotoParent();
  if (constructorBody !== undefined && (untypedField || reader.untyped)) {
    pieces.push(...constructorBody);
    inferred = true;
  }
  return { pieces, inferred };
}

function readMethod(
  reader: Reader,
  parent: SymbolDraft,
  start: number,
  end: number,
): Observed & { readonly constructorBody?: readonly [number, number] } {
  const signature = readSignature(reader);
  const name = nameOf(reader.text, signature.nameStart, signature.nameEnd);
  const isConstructor = name === 'constructor' && !/\bstatic\b/.test(reader.text.slice(start, signature.nameStart));
  const kind: SymbolKind = isConstructor
    ? 'constructor'
    : signature.accessor === 'get'
      ? 'getter'
      : signature.accessor === 'set'
        ? 'setter'
        : 'method';
  pushMember(reader, parent, kind, signature.nameStart, signature.nameEnd, start, end, signature.isPrivate);
  for (const property of signature.properties) {
    const { nameStart, nameEnd } = property;
    pushMember(reader, parent, 'field', nameStart, nameEnd, property.start, property.end, property.isPrivate);
  }
  if (signature.isPrivate && !isConstructor) return { pieces: ['private ', kind, ' ', name], inferred: false };
  const returns = !isConstructor && signature.accessor !== 'set';
  const observed = observeSignature(signature, start, end, { returns, withBody: false });
  if (!isConstructor || signature.bodyStart < 0) return observed;
  return { ...observed, constructorBody: [signature.bodyStart, end] };
}

function readField(
  reader: Reader,
  parent: SymbolDraft,
  start: number,
  end: number,
): Observed & { readonly untyped: boolean } {
  const { cursor, codes, text } = reader;
  let nameStart = -1;
  let nameEnd = -1;
  let isPrivate = false;
  let hasType = false;
  let valueStart = -1;
  let value: Observed | undefined;
  cursor.gotoFirstChild();
  do {
    const kind = codes[cursor.nodeTypeId] ?? code.other;
    if (valueStart >= 0) {
      if (kind === code.comment) continue;
      if (kind === code.functionValue) value = observeFunctionValue(reader, start, end);
      break;
    }
    if (kind === code.access) isPrivate = text.startsWith('private', cursor.startIndex);
    else if (kind === code.typeAnnotation) hasType = true;
    else if (kind === code.equals) {
      valueStart = cursor.startIndex;
      if (hasType || isPrivate) break;
    } else if (nameStart < 0 && kind >= code.propertyName && kind <= code.computedName) {
      nameStart = cursor.startIndex;
      nameEnd = cursor.endIndex;
      if (kind === code.privateName) isPrivate = true;
    }
  } while (cursor.gotoNextSibling());
  cursor.gotoParent();
  if (nameStart < 0) return { pieces: [start, end], inferred: false, untyped: false };
  pushMember(reader, parent, 'field', nameStart, nameEnd, start, end, isPrivate);
  if (isPrivate) return { pieces: ['private field ', text.slice(nameStart, nameEnd)], inferred: false, untyped: false };
  if (valueStart < 0) return { pieces: [start, end], inferred: false, untyped: !hasType };
  if (hasType) return { pieces: [start, valueStart], inferred: false, untyped: false };
  return { ...(value ?? { pieces: [start, end], inferred: true }), untyped: false };
}

/** The cursor is on the body of an interface or on an object type. */
export function readObjectType(reader: Reader, parent: SymbolDraft): void {
  const { cursor, codes } = reader;
  if (!cursor.gotoFirstChild()) return;
  do {
    const kind = codes[cursor.nodeTypeId];
    if (kind === code.propertySignature || kind === code.methodSignature) readTypeMember(reader, parent, kind);
  } while (cursor.gotoNextSibling());
  cursor.gotoParent();
}

function readTypeMember(reader: Reader, parent: SymbolDraft, kind: number): void {
  const { text, cursor } = reader;
  const start = cursor.startIndex;
  const end = cursor.endIndex;
  let symbolKind: SymbolKind = kind === code.methodSignature ? 'method' : 'property';
  let nameStart = start;
  let nameEnd = endOfName(text, start, end);
  // A word is a modifier only if another name follows it: `readonly: boolean` is a member named so.
  while (isModifier(text.slice(nameStart, nameEnd))) {
    const next = skipTrivia(text, nameEnd, end);
    const behind = endOfName(text, next, end);
    if (behind === next) break;
    if (text.startsWith('get', nameStart)) symbolKind = 'getter';
    else if (text.startsWith('set', nameStart)) symbolKind = 'setter';
    nameStart = next;
    nameEnd = behind;
  }
  if (nameEnd > nameStart) pushMember(reader, parent, symbolKind, nameStart, nameEnd, start, end, false);
}

const modifiers = new Set(
  'readonly get set static public private protected abstract override async declare'.split(' '),
);

function isModifier(word: string): boolean {
  return word.length <= 9 && modifiers.has(word);
}

/** Behind the name that begins at `at`; `at` itself where none does. */
function endOfName(text: string, at: number, end: number): number {
  const unit = text.charCodeAt(at);
  if (isIdentifierCode(unit)) return endOfWord(text, at, end);
  if (unit === 34 || unit === 39) return endOfString(text, at, end);
  return unit === 91 ? endOfBracket(text, at, end) : at;
}

/** Behind the bracket that closes the one at `at`; brackets within strings do not count. */
function endOfBracket(text: string, at: number, end: number): number {
  let depth = 0;
  for (let next = at; next < end; next += 1) {
    const unit = text.charCodeAt(next);
    if (unit === 91) depth += 1;
    else if (unit === 93 && --depth === 0) return next + 1;
    else if (unit === 34 || unit === 39) next = endOfString(text, next, end) - 1;
  }
  return end;
}

/** The cursor is on the body of an enum. */
export function readEnumBody(reader: Reader, parent: SymbolDraft): void {
  const { cursor, codes } = reader;
  if (!cursor.gotoFirstChild()) return;
  do {
    const kind = codes[cursor.nodeTypeId] ?? code.other;
    const start = cursor.startIndex;
    if (kind === code.enumAssignment) {
      const end = cursor.endIndex;
      cursor.gotoFirstChild();
      pushMember(reader, parent, 'enum_member', cursor.startIndex, cursor.endIndex, start, end, false);
      cursor.gotoParent();
    } else if (kind >= code.propertyName && kind <= code.computedName) {
      const end = cursor.endIndex;
      pushMember(reader, parent, 'enum_member', start, end, start, end, false);
    }
  } while (cursor.gotoNextSibling());
  cursor.gotoParent();
}

function pushMember(
  reader: Reader,
  parent: SymbolDraft,
  kind: SymbolKind,
  nameStart: number,
  nameEnd: number,
  start: number,
  end: number,
  isPrivate: boolean,
): void {
  if (nameStart < 0 || nameEnd <= nameStart) return;
  const unit = reader.text.charCodeAt(nameStart);
  // The span of a quoted name lies within its quotes, so that it can be replaced like any other.
  const quoted = (unit === 34 || unit === 39) && nameEnd - nameStart > 2 ? 1 : 0;
  const name = nameOf(reader.text, nameStart, nameEnd);
  const visibility = isPrivate ? 'never' : 'inherit';
  pushSymbol(reader, parent, kind, name, nameStart + quoted, nameEnd - quoted, start, end, visibility);
}

// Members of interfaces and object types, read from their text: they are most of the nodes of typed code, and a step in the tree for
// each would cost more than all else together. It reads only what is beyond doubt. A line end that might end a member, a template, a
// modifier out of the ordinary: then it says so, and the tree is asked instead (`readTypeBody`).

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
