/** Calls that import a module or reach for what no name in the code says: `require`, `import()`, `eval`, `Reflect`, `with`. */

import type { ImportedName } from '../facts.ts';
import type { Node } from '../parsing/syntax-node.ts';
import { isIdentifierCode, isSpaceCode, skipTrivia, stringValue } from './js-lexing.ts';
import { climb, endHere, here, type Locator, locateLeaf } from './js-locator.ts';
import { code, type Reader } from './js-reader.ts';

type CallWord = 'require' | 'import' | 'eval' | 'Function' | 'Reflect' | 'defineProperty' | 'with';

/** The word stands at `place`; the tree tells whether it means what it seems to. */
export function findCall(reader: Reader, locator: Locator, place: number, word: CallWord): void {
  if (!mayBeCall(reader.text, place, word)) return;
  const leaf = locateLeaf(locator, place);
  if (leaf === undefined) return;
  switch (word) {
    case 'require':
      if (leaf === code.identifier) findRequire(reader, locator, place);
      return;
    case 'import':
      findImport(reader, locator, place);
      return;
    case 'eval':
      if (leaf === code.identifier || leaf === code.propertyName) findEval(reader, locator, place, leaf);
      return;
    case 'Function':
      if (leaf === code.identifier) findFunctionConstructor(reader, locator, place);
      return;
    case 'Reflect':
      if (leaf === code.identifier) findReflection(reader, locator, place);
      return;
    case 'defineProperty':
      if (leaf === code.propertyName) findDefineProperty(reader, locator);
      return;
    case 'with':
      if (climb(locator) === code.with && beginsAt(locator, place)) pushSite(reader, locator, 'eval', null);
  }
}

/** `import.meta` and the `with` of prose are not calls. */
function mayBeCall(text: string, place: number, word: CallWord): boolean {
  if (word !== 'import' && word !== 'with') return true;
  return text.charCodeAt(skipTrivia(text, place + word.length, text.length)) === 40;
}

function findRequire(reader: Reader, locator: Locator, place: number): void {
  let kind = climb(locator);
  if (kind === code.member && beginsAt(locator, place)) {
    const isResolve = /^require\s*\??\.\s*resolve$/.test(reader.text.slice(place, endHere(locator)));
    if (!isResolve) return;
    kind = climb(locator);
  }
  if (kind === code.call && beginsAt(locator, place)) pushModuleCall(reader, locator, 'require');
}

/** `import(…)` of a value, or the type `import('x').Y`. */
function findImport(reader: Reader, locator: Locator, place: number): void {
  let kind = climb(locator);
  if (kind === code.importKeyword) kind = climb(locator);
  if (kind === code.call && beginsAt(locator, place)) pushModuleCall(reader, locator, 'dynamic');
}

/** We are on the call. */
function pushModuleCall(reader: Reader, locator: Locator, kind: 'require' | 'dynamic'): void {
  const { text } = reader;
  const call = here(locator);
  const start = call.startIndex;
  const end = endHere(locator);
  const argument = firstArgument(call);
  if (argument === null) return;
  const source = text.slice(argument.startIndex, argument.endIndex);
  const literal = literalKey(source);
  const { names, isType } = readUse(reader, locator);
  const typeOnly = isType && kind === 'dynamic';
  const specifier = literal ?? source;
  reader.imports.push({
    specifier,
    kind: typeOnly ? 'import' : kind,
    literal: literal !== null,
    typeOnly,
    names,
    start,
    end,
  });
  if (literal === null && !typeOnly) reader.sites.push({ start, end, kind: 'dynamic_import', name: null });
}

/** What becomes of a call's result, and whether it is a type: climbs from the call to the first node that tells. */
function readUse(reader: Reader, locator: Locator): { readonly names: ImportedName[]; readonly isType: boolean } {
  const { text } = reader;
  let end = endHere(locator);
  let kind = climb(locator);
  while (kind === code.await || kind === code.parentheses) {
    end = endHere(locator);
    kind = climb(locator);
  }
  let names: ImportedName[] = [];
  if (kind === code.declarator) names = boundNames(text, here(locator).childForFieldName('name'));
  else if (kind === code.member) {
    const property = here(locator).childForFieldName('property');
    if (property !== null && property.startIndex >= end) names = [nameOf(text, property, null)];
  }
  while (kind === code.member || kind === code.nestedName) {
    end = endHere(locator);
    kind = climb(locator);
  }
  // `x as import('y').Z`: the type is what ends where the whole ends.
  const isType =
    kind === code.type ||
    kind === code.typeAnnotation ||
    kind === code.alias ||
    kind === code.objectType ||
    (kind === code.as && endHere(locator) === end);
  return { names, isType };
}

function firstArgument(call: Node): Node | null {
  const list = call.childForFieldName('arguments');
  if (list?.type !== 'arguments') return null;
  return list.namedChildren.find((child) => child.type !== 'comment') ?? null;
}

/** The names that `const { a, b: c } = …` takes out of a module. */
function boundNames(text: string, pattern: Node | null): ImportedName[] {
  if (pattern === null) return [];
  if (pattern.type === 'identifier') {
    return [{ name: '*', alias: text.slice(pattern.startIndex, pattern.endIndex), start: pattern.startIndex }];
  }
  if (pattern.type !== 'object_pattern') return [];
  return pattern.namedChildren.flatMap((part) => {
    if (part.type === 'shorthand_property_identifier_pattern') return [nameOf(text, part, null)];
    const key = part.childForFieldName(part.type === 'pair_pattern' ? 'key' : 'left');
    if (key === null || key.type === 'computed_property_name') return [];
    const bound = part.type === 'pair_pattern' ? part.childForFieldName('value') : null;
    const alias = bound?.type === 'assignment_pattern' ? bound.childForFieldName('left') : bound;
    return [nameOf(text, key, alias?.type === 'identifier' ? alias : null)];
  });
}

function nameOf(text: string, key: Node, alias: Node | null): ImportedName {
  const source = text.slice(key.startIndex, key.endIndex);
  return {
    name: literalKey(source) ?? source,
    alias: alias === null ? null : text.slice(alias.startIndex, alias.endIndex),
    start: key.startIndex,
  };
}

/** Any mention of `eval` counts: `(0, eval)(x)` runs code as well. As a member only of the global object. */
function findEval(reader: Reader, locator: Locator, place: number, leaf: number): void {
  const { text } = reader;
  const end = endHere(locator);
  let kind = climb(locator);
  if (leaf === code.propertyName) {
    if (
      kind !== code.member ||
      !/^(?:globalThis|window|self|global)\s*\??\.\s*$/.test(text.slice(here(locator).startIndex, place))
    ) {
      return;
    }
    kind = climb(locator);
    if (kind === code.call) pushSite(reader, locator, 'eval', null);
    return;
  }
  if (kind === code.call && beginsAt(locator, place)) pushSite(reader, locator, 'eval', null);
  else reader.sites.push({ start: place, end, kind: 'eval', name: null });
}

function findFunctionConstructor(reader: Reader, locator: Locator, place: number): void {
  const kind = climb(locator);
  if (kind === code.call && beginsAt(locator, place)) pushSite(reader, locator, 'eval', null);
  else if (kind === code.new && here(locator).childForFieldName('constructor')?.startIndex === place) {
    pushSite(reader, locator, 'eval', null);
  }
}

function findReflection(reader: Reader, locator: Locator, place: number): void {
  if (climb(locator) !== code.member || !beginsAt(locator, place)) return;
  if (climb(locator) !== code.call || !beginsAt(locator, place)) return;
  pushSite(reader, locator, 'reflection', secondLiteral(reader, locator));
}

function findDefineProperty(reader: Reader, locator: Locator): void {
  const { text } = reader;
  if (climb(locator) !== code.member) return;
  const start = here(locator).startIndex;
  if (!/^Object\s*\??\.\s*defineProperty$/.test(text.slice(start, endHere(locator)))) return;
  if (climb(locator) !== code.call || here(locator).startIndex !== start) return;
  pushSite(reader, locator, 'reflection', secondLiteral(reader, locator));
}

/** The name that a call `f(target, 'name', …)` reaches for. */
function secondLiteral({ text }: Reader, locator: Locator): string | null {
  const list = here(locator).childForFieldName('arguments');
  const second = list?.namedChildren.filter((child) => child.type !== 'comment')[1];
  return second === undefined ? null : literalKey(text.slice(second.startIndex, second.endIndex));
}

function pushSite(reader: Reader, locator: Locator, kind: 'eval' | 'reflection', name: string | null): void {
  reader.sites.push({ start: here(locator).startIndex, end: endHere(locator), kind, name });
}

function beginsAt(locator: Locator, place: number): boolean {
  return here(locator).startIndex === place;
}

// `x[key]` with a key that is not a plain number: a member reached by a name that is not written as one.

const numberKey = /^[-+~!]?\s*(?:0[xob][\da-f_]+|[\d_]*\.?[\d_]+(?:e[+-]?\d+)?|\d[\d_]*\.)n?$/i;

/** `[` at `place`. */
export function findSubscript(reader: Reader, locator: Locator, place: number): void {
  const { text } = reader;
  if (!couldSubscript(text, place)) return;
  if (locateLeaf(locator, place) !== code.bracket || climb(locator) !== code.subscript) return;
  const end = endHere(locator);
  const key = keyOf(text, place, end, locator);
  if (numberKey.test(key) || isInTypeQuery(text, locator)) return;
  reader.sites.push({ start: place, end, kind: 'computed_member', name: literalKey(key) });
}

/** The text between the brackets without what surrounds the key; the tree is asked if a comment seems to follow it. */
function keyOf(text: string, open: number, end: number, locator: Locator): string {
  const inside = text.slice(skipTrivia(text, open + 1, end - 1), end - 1);
  const key = inside.trimEnd();
  if (!key.endsWith('*/') && !inside.includes('\n', key.length)) return key;
  const index = here(locator).childForFieldName('index');
  return index === null ? key : text.slice(index.startIndex, index.endIndex);
}

/** A chain of members longer than this after `typeof` is taken for an expression. */
const longestQuery = 32;

/** `typeof x['y']` as a type names a member like any indexed type does; nothing is reached for. */
function isInTypeQuery(text: string, locator: Locator): boolean {
  let before = here(locator).startIndex - 1;
  while (isSpaceCode(text.charCodeAt(before))) before -= 1;
  if (!text.endsWith('typeof', before + 1)) return false;
  let kind: number = code.subscript;
  for (let step = 0; step < longestQuery && (kind === code.subscript || kind === code.member); step += 1) {
    kind = climb(locator);
  }
  return kind === code.type;
}

/** What a string or a template without substitutions says; `null` for any other expression. */
export function literalKey(source: string): string | null {
  if (/^(?:'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*")$/.test(source)) return stringValue(source);
  return /^`(?:[^`\\$]|\\[\s\S]|\$(?!\{))*`$/.test(source) ? stringValue(source) : null;
}

const wordsBeforeArray = new Set('return const var in case typeof default else new'.split(' '));

/** Most brackets begin an array or end a type (`T[]`), as what stands before or behind them tells. */
function couldSubscript(text: string, place: number): boolean {
  const next = text.charCodeAt(place + 1);
  if (next === 93) return false;
  if (next >= 48 && next <= 57 && text.charCodeAt(place + 2) === 93) return false;
  let at = place - 1;
  let newLine = false;
  while (at >= 0 && isSpaceCode(text.charCodeAt(at))) {
    newLine ||= text.charCodeAt(at) === 10;
    at -= 1;
  }
  const before = text.charCodeAt(at);
  // A line comment hides what really stands before.
  if (newLine && text.slice(text.lastIndexOf('\n', at) + 1, at + 1).includes('//')) return true;
  if (isIdentifierCode(before)) {
    let start = at;
    while (start > 0 && at - start < 8 && isIdentifierCode(text.charCodeAt(start - 1))) start -= 1;
    return !wordsBeforeArray.has(text.slice(start, at + 1));
  }
  // ) ] . ! " ' ` } > /
  return (
    before === 41 ||
    before === 93 ||
    before === 46 ||
    before === 33 ||
    before === 34 ||
    before === 39 ||
    before === 96 ||
    before === 125 ||
    before === 62 ||
    before === 47
  );
}
