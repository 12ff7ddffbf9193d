/**
 * Bodies of classes, interfaces, object types and enums, one level deep: a symbol per named member, and of classes what another file
 * can observe. Every function here begins and ends with the cursor on the same node.
 */

import type { SymbolKind } from '../../facts.ts';
import { endOfString, endOfWord, isIdentifierCode, skipTrivia } from './lex.ts';
import { code } from './node-codes.ts';
import { nameOf, pushSymbol, type Reader, type SymbolDraft } from './reader.ts';
import { type Observed, observeFunctionValue, observeSignature, readSignature } from './signature.ts';
import { appendPieces, type Piece } from './squeeze-tokens.ts';

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
export function endOfName(text: string, at: number, end: number): number {
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

export function pushMember(
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
