/**
 * What lies inside code: nested declarations, calls that import, and dynamic sites. A walk over every node would cost a third of
 * parsing; so a pattern first finds the few places in the text that could be of interest, wherever they are (strings and comments
 * included), and the tree is asked only there what they really are.
 */

import type { Node } from 'web-tree-sitter';
import { findCall } from './calls.ts';
import { codeHere, createLocator, type Locator, locateLeaf } from './locator.ts';
import { findNestedDeclaration, findNestedFunction, findNestedType, findNestedValue } from './nested-declarations.ts';
import { code } from './node-codes.ts';
import type { Reader } from './reader.ts';
import { findSubscript } from './subscripts.ts';

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
