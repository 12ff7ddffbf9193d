/** Declarations inside code: named functions and classes, constants that hold one, local types. Their container follows from spans. */

import type { SymbolKind } from '../../facts.ts';
import { readTypeBody } from './declarations.ts';
import { endOfWord, isIdentifierCode, isSpaceCode, skipTrivia } from './lex.ts';
import { climb, endHere, here, type Locator, locateLeaf } from './locator.ts';
import { readClass } from './members.ts';
import { code } from './node-codes.ts';
import { nameOf, pushSymbol, type Reader, type SymbolDraft } from './reader.ts';

/** `function` or `function*` at `place`, if a name follows. */
export function findNestedFunction(reader: Reader, locator: Locator, place: number): void {
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
export function findNestedDeclaration(reader: Reader, locator: Locator, place: number): void {
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

export function findNestedType(
  reader: Reader,
  locator: Locator,
  place: number,
  kind: 'interface' | 'type' | 'enum',
): void {
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
export function findNestedValue(reader: Reader, locator: Locator, place: number): void {
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
