/**
 * One declaration: its symbols and its interface record. Every function here begins and ends with the cursor on the declaration.
 */

import type { SymbolKind } from '../facts.ts';
import { appendPieces, endOfWord, isSpaceCode, type Piece, skipTrivia } from './js-lexing.ts';
import { readClass, readEnumBody, readObjectType, scanTypeBody } from './js-members.ts';
import { code, nameOf, pushSymbol, type Reader, type SymbolDraft, type Visibility } from './js-reader.ts';
import { type Observed, observeFunctionValue, observeSignature, readSignature } from './js-signature.ts';

/** What surrounds a declaration: the statement it is the heart of, and who sees it. */
export type Setting = {
  readonly parent: SymbolDraft | null | undefined;
  readonly visibility: Visibility;
  /** The statement with `export`, `declare` and decorators. */
  readonly start: number;
  readonly end: number;
  /** Set for `export default` of something without a name: where the word `default` is. */
  readonly defaultAt?: number;
};

export function readFunction(reader: Reader, setting: Setting): void {
  reader.seen.add(reader.cursor.startIndex);
  const signature = readSignature(reader);
  reader.seen.add(signature.nameStart);
  const symbol = pushNamed(reader, setting, 'function', signature.nameStart, signature.nameEnd);
  const observed = observeSignature(signature, setting.start, setting.end, { returns: true, withBody: false });
  pushRecord(reader, setting, symbol === undefined ? [] : [symbol.name], observed);
}

export function readClassDeclaration(reader: Reader, setting: Setting): void {
  reader.seen.add(reader.cursor.startIndex);
  const name = findChild(reader, code.identifier, code.classBody);
  reader.seen.add(name.start);
  const symbol = pushNamed(reader, setting, 'class', name.start, name.end);
  if (symbol === undefined) pushRecord(reader, setting, [], { pieces: [setting.start, setting.end], inferred: false });
  else pushRecord(reader, setting, [symbol.name], readClass(reader, symbol, setting.start));
}

/**
 * A type says all it has to say: its record is its text. Its name and kind are read from the text too, so that a type without members
 * costs no step in the tree; `keywordAt` is where `interface`, `type` or `enum` stands.
 */
export function readTypeDeclaration(
  reader: Reader,
  setting: Setting,
  kind: 'interface' | 'type' | 'enum',
  keywordAt: number,
): void {
  const { text } = reader;
  const nameStart = skipTrivia(text, keywordAt + kind.length, setting.end);
  const nameEnd = endOfWord(text, nameStart, setting.end);
  const symbol = pushNamed(reader, setting, kind, nameStart, nameEnd);
  const whole = { pieces: [setting.start, setting.end], inferred: false };
  pushRecord(reader, setting, symbol === undefined ? [] : [symbol.name], whole);
  if (symbol === undefined) return;
  if (kind === 'type' && !endsInBrace(text, setting.end)) return;
  const isPlain = kind !== 'enum' && !reader.isBroken;
  if (isPlain && scanTypeBody(reader, symbol, nameEnd, setting.end, kind === 'type')) return;
  readTypeBody(reader, symbol);
}

function endsInBrace(text: string, end: number): boolean {
  let last = end - 1;
  while (isSpaceCode(text.charCodeAt(last)) || text.charCodeAt(last) === 59) last -= 1;
  return text.charCodeAt(last) === 125;
}

/** From a type declaration, or the `export` or `declare` around it, to its members, if its last part is a list of them. */
export function readTypeBody(reader: Reader, symbol: SymbolDraft): void {
  const { cursor, codes } = reader;
  let depth = 0;
  while (depth < 4 && cursor.gotoLastChild()) {
    depth += 1;
    let kind = codes[cursor.nodeTypeId] ?? code.other;
    while ((kind === code.semicolon || kind === code.comment) && cursor.gotoPreviousSibling()) {
      kind = codes[cursor.nodeTypeId] ?? code.other;
    }
    if (kind === code.objectType) readObjectType(reader, symbol);
    else if (kind === code.enumBody) readEnumBody(reader, symbol);
    else if (kind === code.interface || kind === code.alias || kind === code.enum || kind === code.ambient) {
      if (kind === code.enum) reader.seen.add(cursor.startIndex);
      continue;
    }
    break;
  }
  for (; depth > 0; depth -= 1) cursor.gotoParent();
}

/** `const a = 1, { b, c } = d`: one record for each declarator. */
export function readVariables(reader: Reader, setting: Setting): void {
  const { cursor, codes, text } = reader;
  cursor.gotoFirstChild();
  const constant = text.startsWith('const', cursor.startIndex);
  let head: readonly [number, number] | undefined;
  let several = false;
  do {
    if ((codes[cursor.nodeTypeId] ?? code.other) !== code.declarator) continue;
    const start = cursor.startIndex;
    const end = cursor.endIndex;
    head ??= [setting.start, start];
    several ||= text.charCodeAt(skipTrivia(text, end, setting.end)) === 44;
    readDeclarator(reader, several ? { ...setting, start, end } : setting, head, constant);
    if (!several) break;
  } while (cursor.gotoNextSibling());
  cursor.gotoParent();
}

function readDeclarator(reader: Reader, setting: Setting, head: readonly [number, number], constant: boolean): void {
  const { cursor, codes } = reader;
  const start = cursor.startIndex;
  const end = cursor.endIndex;
  let nameStart = -1;
  let nameEnd = -1;
  let isPattern = false;
  let hasType = false;
  let valueStart = -1;
  let kind: SymbolKind = constant ? 'constant' : 'variable';
  let observed: Observed | undefined;
  let symbol: SymbolDraft | undefined;
  const names: string[] = [];
  cursor.gotoFirstChild();
  do {
    const child = codes[cursor.nodeTypeId] ?? code.other;
    if (valueStart >= 0) {
      if (child === code.comment) continue;
      if (child === code.functionValue || child === code.classValue) {
        kind = child === code.classValue ? 'class' : 'function';
        reader.seen.add(cursor.startIndex);
      }
      symbol = isPattern ? undefined : pushNamed(reader, setting, kind, nameStart, nameEnd);
      if (child === code.functionValue) observed = observeFunctionValue(reader, nameStart, end);
      else if (child === code.classValue && symbol !== undefined) observed = readClass(reader, symbol, nameStart);
      break;
    }
    if (child === code.identifier) {
      nameStart = cursor.startIndex;
      nameEnd = cursor.endIndex;
    } else if (child === code.pattern) {
      isPattern = true;
      pushPattern(reader, setting, kind, names);
    } else if (child === code.typeAnnotation) hasType = true;
    else if (child === code.equals) valueStart = cursor.endIndex;
  } while (cursor.gotoNextSibling());
  cursor.gotoParent();
  if (!isPattern) symbol ??= pushNamed(reader, setting, kind, nameStart, nameEnd);
  if (symbol !== undefined) names.push(symbol.name);
  const pieces: Piece[] = [head[0], head[1], ' '];
  if (hasType && valueStart >= 0) pieces.push(start, valueStart);
  else appendPieces(pieces, observed?.pieces ?? [start, end]);
  const inferred = hasType ? false : (observed?.inferred ?? valueStart >= 0);
  pushRecord(reader, setting, names, { pieces, inferred });
}

/** All names that a pattern binds. The cursor is on the pattern. */
function pushPattern(reader: Reader, setting: Setting, kind: SymbolKind, names: string[]): void {
  for (const [start, end] of listBound(reader)) {
    // The parser puts an empty name where it misses one.
    if (end === start) continue;
    const name = nameOf(reader.text, start, end);
    names.push(name);
    const { parent, visibility } = setting;
    pushSymbol(reader, parent, kind, name, start, end, setting.start, setting.end, visibility).encloses = false;
  }
}

/** Spans of the identifiers bound by a pattern: not its keys, not what stands in default values. */
function listBound(reader: Reader): (readonly [number, number])[] {
  const { cursor, codes } = reader;
  const found: (readonly [number, number])[] = [];
  let depth = 0;
  for (;;) {
    const kind = codes[cursor.nodeTypeId] ?? code.other;
    const field = cursor.currentFieldName;
    const skipped = depth > 0 && (field === 'right' || field === 'key');
    if (!skipped && kind === code.identifier) found.push([cursor.startIndex, cursor.endIndex]);
    if (!skipped && kind !== code.identifier && kind !== code.comment && cursor.gotoFirstChild()) {
      depth += 1;
      continue;
    }
    for (;;) {
      if (depth === 0) return found;
      if (cursor.gotoNextSibling()) break;
      cursor.gotoParent();
      depth -= 1;
    }
  }
}

/** The first child with that code, looked for up to one of the code `stop`. */
function findChild(reader: Reader, wanted: number, stop: number): { readonly start: number; readonly end: number } {
  const { cursor, codes } = reader;
  let found = { start: -1, end: -1 };
  if (!cursor.gotoFirstChild()) return found;
  do {
    const kind = codes[cursor.nodeTypeId] ?? code.other;
    if (kind === wanted) {
      found = { start: cursor.startIndex, end: cursor.endIndex };
      break;
    }
    if (kind === stop) break;
  } while (cursor.gotoNextSibling());
  cursor.gotoParent();
  return found;
}

/** A symbol for the name, or for `default` where there is none. */
export function pushNamed(
  reader: Reader,
  setting: Setting,
  kind: SymbolKind,
  nameStart: number,
  nameEnd: number,
): SymbolDraft | undefined {
  const isNamed = nameStart >= 0 && nameEnd > nameStart;
  const { defaultAt = -1 } = setting;
  if (!isNamed && defaultAt < 0) return undefined;
  const name = isNamed ? nameOf(reader.text, nameStart, nameEnd) : 'default';
  const [at, behind] = isNamed ? [nameStart, nameEnd] : [defaultAt, defaultAt + 7];
  return pushSymbol(reader, setting.parent, kind, name, at, behind, setting.start, setting.end, setting.visibility);
}

export function pushRecord(reader: Reader, setting: Setting, names: readonly string[], observed: Observed): void {
  const { pieces, inferred } = observed;
  reader.records.push({ names, isPublic: setting.visibility === 'own', inferred, pieces });
}
