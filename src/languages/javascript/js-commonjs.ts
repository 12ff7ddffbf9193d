/**
 * CommonJS exports at the top level of a JavaScript file: `module.exports = …`, `exports.x = …`, and what compilers write instead
 * of `export *` and getters. Exports made elsewhere (in functions, in loops) are not seen; they are effects.
 */

import type { Node } from '../parsing/syntax-node.ts';
import { literalKey } from './js-calls.ts';
import { pushNamed, pushRecord, type Setting } from './js-declarations.ts';
import { readClass } from './js-members.ts';
import { pushExport, type Reader } from './js-reader.ts';
import { observeFunctionValue } from './js-signature.ts';

const mayExport = /^(?:module\b|exports\b|this\b|Object\b|(?:[\w$]+\.)?__(?:exportStar|export)\b|__reExport\b)/;
const target = /^(?:module\s*\.\s*exports|exports|this)(?:\s*\.\s*([\w$]+)|\s*\[\s*(?:'([^'\\]+)'|"([^"\\]+)")\s*\])?$/;

/** The cursor is on an expression statement. False if it exports nothing. */
export function readCommonJs(reader: Reader, start: number, end: number): boolean {
  const { text, cursor } = reader;
  if (!mayExport.test(text.slice(start, Math.min(end, start + 60)))) return false;
  const expression = cursor.currentNode.namedChildren.find((child) => child.type !== 'comment');
  if (expression === undefined) return false;
  if (expression.type === 'call_expression') return readCall(reader, expression);
  const names: string[] = [];
  let value = expression;
  let depth = 0;
  while (value.type === 'assignment_expression') {
    const left = value.childForFieldName('left');
    const right = value.childForFieldName('right');
    if (left === null || right === null) return false;
    const match = target.exec(text.slice(left.startIndex, left.endIndex));
    if (match === null) break;
    const name = match[1] ?? match[2] ?? match[3];
    if (name !== undefined) names.push(name);
    else if (match[0].startsWith('module')) names.push('=');
    value = right;
    depth += 1;
  }
  if (names.length === 0) return false;
  readValue(reader, { parent: null, visibility: 'own', start, end }, names, value, depth);
  return true;
}

function readValue(reader: Reader, setting: Setting, names: readonly string[], value: Node, depth: number): void {
  const { text } = reader;
  const source = text.slice(value.startIndex, value.endIndex);
  const whole = { pieces: [setting.start, setting.end], inferred: value.type !== 'identifier' };
  const required = requiredModule(text, value);
  // Compilers first set every name to `void 0`; the assignment that counts comes later.
  for (const name of /^void\s+0$/.test(source) ? [] : names) {
    if (value.type === 'identifier') {
      reader.exportedLocals.add(source);
      pushExport(reader, name, source);
    } else if (required !== null) {
      reader.exports.push({ publicName: name, localName: null, specifier: required, star: false, typeOnly: false });
    } else if (name === '=' && value.type === 'object') readObject(reader, value);
    else pushExport(reader, name, null);
  }
  const callable = /^(?:function_expression|generator_function|arrow_function|class)$/.test(value.type);
  if (callable) readCallable(reader, setting, names, value, depth);
  else pushRecord(reader, setting, [], whole);
}

/** A function or class that is exported as it is made: named by itself, else by the export. */
function readCallable(reader: Reader, setting: Setting, names: readonly string[], value: Node, depth: number): void {
  const { cursor } = reader;
  const own = value.childForFieldName('name');
  const isClass = value.type === 'class';
  const kind = isClass ? 'class' : 'function';
  let nameStart = own?.startIndex ?? -1;
  let nameEnd = own?.endIndex ?? -1;
  const first = names.find((name) => name !== '=');
  if (own === null && first !== undefined) {
    nameStart = reader.text.indexOf(first, setting.start);
    nameEnd = nameStart + first.length;
  }
  cursor.gotoFirstChild();
  for (let step = 0; step < depth; step += 1) cursor.gotoLastChild();
  if (cursor.startIndex === value.startIndex) {
    reader.seen.add(value.startIndex);
    const symbol = pushNamed(reader, setting, kind, nameStart, nameEnd);
    if (!isClass) pushRecord(reader, setting, [], observeFunctionValue(reader, setting.start, setting.end));
    else if (symbol !== undefined) pushRecord(reader, setting, [], readClass(reader, symbol, setting.start));
    else pushRecord(reader, setting, [], { pieces: [setting.start, setting.end], inferred: true });
  }
  for (let step = 0; step <= depth; step += 1) cursor.gotoParent();
}

function readObject(reader: Reader, object: Node): void {
  const { text } = reader;
  for (const part of object.namedChildren) {
    if (part.type === 'shorthand_property_identifier') {
      const name = text.slice(part.startIndex, part.endIndex);
      reader.exportedLocals.add(name);
      pushExport(reader, name, name);
    } else if (part.type === 'spread_element') {
      const from = requiredModule(text, part.namedChildren[0]);
      if (from !== null) {
        reader.exports.push({ publicName: '*', localName: null, specifier: from, star: true, typeOnly: false });
      }
    } else {
      const key = part.childForFieldName(part.type === 'pair' ? 'key' : 'name');
      if (key === null || key.type === 'computed_property_name') continue;
      const written = text.slice(key.startIndex, key.endIndex);
      const value = part.type === 'pair' ? part.childForFieldName('value') : null;
      const local = value?.type === 'identifier' ? text.slice(value.startIndex, value.endIndex) : null;
      if (local !== null) reader.exportedLocals.add(local);
      pushExport(reader, literalKey(written) ?? written, local);
    }
  }
}

/** `__exportStar(require("./x"), exports)` and `Object.defineProperty(exports, "x", …)`. */
function readCall(reader: Reader, call: Node): boolean {
  const { text } = reader;
  const callee = call.childForFieldName('function');
  const parts = call.childForFieldName('arguments')?.namedChildren ?? [];
  const [first, second] = parts;
  if (callee === null || first === undefined || second === undefined) return false;
  const called = text.slice(callee.startIndex, callee.endIndex);
  const setting: Setting = { parent: null, visibility: 'own', start: call.startIndex, end: call.endIndex };
  if (/(?:^|\.)__exportStar$|^__reExport$/.test(called)) {
    const from = requiredModule(text, first) ?? requiredModule(text, second);
    if (from === null) return false;
    reader.exports.push({ publicName: '*', localName: null, specifier: from, star: true, typeOnly: false });
  } else if (called === 'Object.defineProperty') {
    const name = literalKey(text.slice(second.startIndex, second.endIndex));
    if (!target.test(text.slice(first.startIndex, first.endIndex)) || name === null) return false;
    if (name !== '__esModule') pushExport(reader, name, null);
  } else return false;
  pushRecord(reader, setting, [], { pieces: [setting.start, setting.end], inferred: true });
  return true;
}

function requiredModule(text: string, value: Node | undefined): string | null {
  if (value?.type !== 'call_expression') return null;
  const callee = value.childForFieldName('function');
  if (callee === null || text.slice(callee.startIndex, callee.endIndex) !== 'require') return null;
  const argument = value.childForFieldName('arguments')?.namedChildren[0];
  return argument === undefined ? null : literalKey(text.slice(argument.startIndex, argument.endIndex));
}
