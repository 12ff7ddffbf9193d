/**
 * What lies inside code: nested declarations, calls that import, and dynamic sites. A walk over every node would cost a third of
 * parsing; so a pattern first finds the few places in the text that could be of interest, wherever they are (strings and comments
 * included), and the tree is asked only there what they really are.
 */

import type { SymbolKind } from '../facts.ts';
import type { Node } from '../parsing/syntax-node.ts';
import { findCall, findSubscript } from './js-calls.ts';
import { readTypeBody } from './js-declarations.ts';
import { endOfWord, isIdentifierCode, isSpaceCode, skipTrivia } from './js-lexing.ts';
import { climb, codeHere, createLocator, endHere, here, type Locator, locateLeaf } from './js-locator.ts';
import { readClass } from './js-members.ts';
import { code, nameOf, pushSymbol, type Reader, type SymbolDraft } from './js-reader.ts';

const name = '[\\w$\\\\\\u0080-\\uffff]';
// Plain words behind one word boundary: the engine makes one search of them. What must follow each is for its finder to see.
const words = 'Function|Reflect|class|defineProperty|enum|eval|function|import|interface|require|type|with';
const value = `=(?=\\s*(?:async\\b|function\\b|class\\b|[(<]|${name}+\\s*=>|/[/*]))`;
const interesting = `\\b(?:${words})\\b|${value}|\\[`;
const inCode = new RegExp(interesting, 'g');
/** Where there is JSX, what looks like a comment may be text. */
const inJsxCode = new RegExp(`${interesting}|/[/*]`, 'g');
const inTypes = /\bimport(?=\s*[(/])/g;

/** Uses the cursor as it pleases. */
export function readNested(reader: Reader, root: Node): void {
  const locator = createLocator(root, reader.codes, reader.hasErrors);
  const places = placesIn(reader.text, reader.codeRanges, reader.jsx ? inJsxCode : inCode);
  const types = placesIn(reader.text, reader.typeRanges, inTypes);
  // Both lists are in order; the locator wants their places in one order.
  let atType = 0;
  for (const place of places) {
    for (; atType < types.length && (types[atType] ?? 0) < place; atType += 1) {
      findCall(reader, locator, types[atType] ?? 0, 'import');
    }
    findAt(reader, locator, place);
  }
  for (; atType < types.length; atType += 1) findCall(reader, locator, types[atType] ?? 0, 'import');
}

function findAt(reader: Reader, locator: Locator, place: number): void {
  const { text } = reader;
  if (text.charCodeAt(place) === 47) {
    locateLeaf(locator, place);
    if (codeHere(locator) === code.jsxText) reader.notComments.add(place);
    return;
  }
  if (place < locator.leafEnd) return;
  switch (text.charCodeAt(place)) {
    case 91: // [
      findSubscript(reader, locator, place);
      return;
    case 61: // =
      findNestedValue(reader, locator, place);
      return;
    case 102: // function
      findNestedFunction(reader, locator, place);
      return;
    case 99: // class
      findNestedDeclaration(reader, locator, place);
      return;
    case 105: // import, interface
      if (text.charCodeAt(place + 1) === 109) findCall(reader, locator, place, 'import');
      else findNestedType(reader, locator, place, 'interface');
      return;
    case 116: // type
      findNestedType(reader, locator, place, 'type');
      return;
    case 101: // eval, enum
      if (text.charCodeAt(place + 1) === 110) findNestedType(reader, locator, place, 'enum');
      else findCall(reader, locator, place, 'eval');
      return;
    case 114: // require
      findCall(reader, locator, place, 'require');
      return;
    case 70: // Function
      findCall(reader, locator, place, 'Function');
      return;
    case 82: // Reflect
      findCall(reader, locator, place, 'Reflect');
      return;
    case 100: // defineProperty
      findCall(reader, locator, place, 'defineProperty');
      return;
    default:
      findCall(reader, locator, place, 'with');
  }
}

/** Where the pattern matches within the ranges. Each is cut out (which copies nothing), so that no search runs past its end. */
function placesIn(text: string, ranges: readonly number[], pattern: RegExp): number[] {
  const places: number[] = [];
  for (let at = 0; at < ranges.length; at += 2) {
    const start = ranges[at] ?? 0;
    const range = text.slice(start, ranges[at + 1]);
    pattern.lastIndex = 0;
    for (let found = pattern.exec(range); found !== null; found = pattern.exec(range)) places.push(start + found.index);
  }
  return places;
}

// Declarations inside code: named functions and classes, constants that hold one, local types. Their container follows from spans.

/** `function` or `function*` at `place`, if a name follows. */
function findNestedFunction(reader: Reader, locator: Locator, place: number): void {
  const { text } = reader;
  let at = skipTrivia(text, place + 8, text.length);
  if (text.charCodeAt(at) === 42) at = skipTrivia(text, at + 1, text.length);
  if (!isIdentifierCode(text.charCodeAt(at)) || reader.seen.has(at)) return;
  if (locateLeaf(locator, at) !== code.identifier) return;
  const nameEnd = endHere(locator);
  const kind = climb(locator);
  if (kind !== code.function && kind !== code.functionValue) return;
  const start = here(locator).startIndex;
  // `x => …` has an identifier too, but behind no `function`.
  if (start > place || reader.seen.has(start)) return;
  pushNested(reader, 'function', at, nameEnd, start, endHere(locator));
}

/** `class` at `place`, if a name follows. */
function findNestedDeclaration(reader: Reader, locator: Locator, place: number): void {
  const { text } = reader;
  const at = skipTrivia(text, place + 5, text.length);
  if (!isIdentifierCode(text.charCodeAt(at)) || reader.seen.has(at)) return;
  if (locateLeaf(locator, at) !== code.identifier) return;
  const nameEnd = endHere(locator);
  const kind = climb(locator);
  if (kind !== code.class && kind !== code.classValue) return;
  const start = here(locator).startIndex;
  if (reader.seen.has(start)) return;
  const symbol = pushNested(reader, 'class', at, nameEnd, start, endHere(locator));
  reader.cursor.reset(here(locator));
  readClass(reader, symbol, start);
}

const behindTypeName = { interface: '{<e/', type: '=</', enum: '{/' } as const;

function findNestedType(reader: Reader, locator: Locator, place: number, kind: 'interface' | 'type' | 'enum'): void {
  const { text } = reader;
  // A property named `type` is met far more often than a type.
  const next = text.charCodeAt(place + kind.length);
  if (next !== 47 && !isSpaceCode(next)) return;
  const at = skipTrivia(text, place + kind.length, text.length);
  const behind = endOfWord(text, at, text.length);
  // Prose and properties are full of these words; what must come behind the name of a declaration is not.
  if (behind === at || !behindTypeName[kind].includes(text.charAt(skipTrivia(text, behind, text.length)) || ' '))
    return;
  if (locateLeaf(locator, at) !== code.identifier) return;
  const found = climb(locator);
  if (found !== code.interface && found !== code.alias && found !== code.enum) return;
  const start = here(locator).startIndex;
  if (reader.seen.has(start)) return;
  const symbol = pushNested(reader, kind, at, behind, start, endHere(locator));
  reader.cursor.reset(here(locator));
  readTypeBody(reader, symbol);
}

/** `= …` at `place`, if it gives a function or a class to a variable. */
function findNestedValue(reader: Reader, locator: Locator, place: number): void {
  const { text } = reader;
  const before = text.charCodeAt(place - 1);
  if (!isSpaceCode(before) && !isIdentifierCode(before) && !isTypeEnd(before)) return;
  const at = skipTrivia(text, place + 1, text.length);
  if (reader.seen.has(at)) return;
  const value = locateValue(locator, at);
  if (value === undefined) return;
  const node = here(locator);
  if (climb(locator) !== code.declarator) return;
  const declarator = { start: here(locator).startIndex, end: endHere(locator) };
  const name = here(locator).childForFieldName('name');
  if (name === null || (reader.codes[name.typeId] ?? code.other) !== code.identifier) return;
  climb(locator);
  const statement = here(locator);
  const first = skipTrivia(text, endOfWord(text, statement.startIndex, declarator.start), declarator.start);
  const several = first < declarator.start || text.charCodeAt(skipTrivia(text, declarator.end, text.length)) === 44;
  const span = several ? declarator : { start: statement.startIndex, end: endHere(locator) };
  reader.seen.add(at);
  const kind = value === code.classValue ? 'class' : 'function';
  const symbol = pushNested(reader, kind, name.startIndex, name.endIndex, span.start, span.end);
  if (value !== code.classValue) return;
  reader.cursor.reset(node);
  readClass(reader, symbol, at);
}

/** `x: T= …`: a type may end in one of these without a space behind it. */
function isTypeEnd(unit: number): boolean {
  return (
    unit === 93 ||
    unit === 125 ||
    unit === 41 ||
    unit === 62 ||
    unit === 34 ||
    unit === 39 ||
    unit === 47 ||
    unit === 96
  );
}

/** Moves to the function or class that begins at `at`. Behind a sign there are at most three nodes that begin where it does. */
function locateValue(locator: Locator, at: number): number | undefined {
  if (locateLeaf(locator, at) === undefined) return undefined;
  for (let step = 0; step < 3; step += 1) {
    const kind = climb(locator);
    if (here(locator).startIndex !== at) return undefined;
    if (kind === code.functionValue || kind === code.classValue) return kind;
  }
  return undefined;
}

function pushNested(
  reader: Reader,
  kind: SymbolKind,
  nameStart: number,
  nameEnd: number,
  start: number,
  end: number,
): SymbolDraft {
  const name = nameOf(reader.text, nameStart, nameEnd);
  return pushSymbol(reader, undefined, kind, name, nameStart, nameEnd, start, end, 'never');
}
