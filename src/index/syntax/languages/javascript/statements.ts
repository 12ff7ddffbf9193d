/**
 * The statements of a file and of its namespaces: the one place that goes over them all. What can hold expressions or nested
 * declarations is only noted as a range; `nested.ts` looks into those. Every function but the first begins and ends with the cursor
 * on the same node.
 */

import { readCommonJs } from './commonjs.ts';
import {
  pushNamed,
  pushRecord,
  readClassDeclaration,
  readFunction,
  readTypeDeclaration,
  readVariables,
  type Setting,
} from './declarations.ts';
import { enterLast } from './enter-last.ts';
import { readExport } from './exports.ts';
import { type Level, unexported } from './level.ts';
import { skipTrivia } from './lex.ts';
import { readImport, wordAt } from './module-clauses.ts';
import { mergeRecords, namespaceName, pushNamespace } from './namespaces.ts';
import { code } from './node-codes.ts';
import type { Reader } from './reader.ts';
import { appendPieces, type Piece } from './squeeze-tokens.ts';

/** Namespaces deeper than this are code like any other: nothing may recurse as deep as a hostile file pleases. */
const maxNamespaceDepth = 32;

/** The cursor is on the program. */
export function readProgram(reader: Reader): void {
  readStatements(reader, { parent: null, depth: 0, ambient: false, exported: reader.exportedLocals });
}

function readStatements(reader: Reader, level: Level): void {
  const { cursor } = reader;
  if (!cursor.gotoFirstChild()) return;
  let leading = level.depth === 0;
  do {
    const start = cursor.startIndex;
    if (reader.hasErrors) noteErrors(reader, level, start);
    const kind = kindAt(reader, start);
    if (kind === code.token || kind === code.semicolon) continue;
    if (kind === code.comment) {
      if (leading) readReference(reader, start);
      continue;
    }
    leading = false;
    readStatement(reader, level, kind, start, cursor.endIndex);
  } while (cursor.gotoNextSibling());
  cursor.gotoParent();
}

function noteErrors(reader: Reader, level: Level, start: number): void {
  const node = reader.cursor.currentNode;
  reader.isBroken = node.hasError;
  if (reader.isBroken && level.depth === 0) {
    reader.broken.push({ start, end: node.endIndex, isError: node.isError });
  }
}

/** The code of the statement at the cursor. Most begin in a way that needs no question to the tree. */
function kindAt({ text, cursor, codes, isBroken }: Reader, start: number): number {
  const unit = text.charCodeAt(start);
  if (unit === 47) {
    const next = text.charCodeAt(start + 1);
    if (next === 47 || next === 42) return code.comment;
  } else if (unit === 101 && !isBroken && text.startsWith('export ', start)) return code.export;
  return codes[cursor.nodeTypeId] ?? code.other;
}

function readStatement(reader: Reader, level: Level, kind: number, start: number, end: number): void {
  switch (kind) {
    case code.import:
      readImportStatement(reader, start, end);
      return;
    case code.export:
      readExport(reader, level, start, end, readDeclaration);
      return;
    case code.empty:
      return;
    case code.expression:
      if (readAsNamespace(reader, level, start, end)) return;
      reader.codeRanges.push(start, end);
      if (level.depth > 0 || (reader.untyped && readCommonJs(reader, start, end))) return;
      if (!isDirective(reader.text, start)) reader.hasEffects = true;
      return;
    default:
      if (readDeclaration(reader, level, kind, { parent: level.parent, visibility: unexported(level), start, end }))
        return;
      reader.codeRanges.push(start, end);
      reader.hasEffects ||= level.depth === 0;
  }
}

function readDeclaration(reader: Reader, level: Level, kind: number, setting: Setting): boolean {
  switch (kind) {
    case code.function:
      reader.codeRanges.push(setting.start, setting.end);
      readFunction(reader, setting);
      return true;
    case code.class:
      reader.codeRanges.push(setting.start, setting.end);
      readClassDeclaration(reader, setting);
      return true;
    case code.variables:
      reader.codeRanges.push(setting.start, setting.end);
      readVariables(reader, setting);
      return true;
    case code.interface:
      reader.typeRanges.push(setting.start, setting.end);
      readTypeDeclaration(reader, setting, 'interface', reader.cursor.startIndex);
      return true;
    case code.alias:
      reader.typeRanges.push(setting.start, setting.end);
      readTypeDeclaration(reader, setting, 'type', reader.cursor.startIndex);
      return true;
    case code.enum:
      reader.codeRanges.push(setting.start, setting.end);
      readEnum(reader, setting);
      return true;
    case code.namespace:
      readNamespace(reader, level, setting, level.ambient);
      return true;
    case code.ambient:
      readAmbient(reader, level, setting);
      return true;
    case code.importAlias:
      readImportAlias(reader, setting);
      return true;
    default:
      return false;
  }
}

function readImportStatement(reader: Reader, start: number, end: number): void {
  const found = readImport(reader.text, start, end);
  reader.isModule = true;
  if (found === undefined) return;
  reader.imports.push(found);
  if (found.kind === 'side_effect') reader.hasEffects = true;
}

const reference = /^\/\/\/\s*<reference\s+(path|types|lib)\s*=\s*(["'])([^"'\n]*)\2/;

/** `/// <reference …/>` counts before the first statement. The cursor is on a comment. */
function readReference(reader: Reader, start: number): void {
  const { text, cursor } = reader;
  if (text.charCodeAt(start + 2) !== 47 || text.charCodeAt(start + 1) !== 47) return;
  const end = cursor.endIndex;
  const match = reference.exec(text.slice(start, end));
  const specifier = match?.[3];
  if (specifier === undefined || match?.[1] === 'lib') return;
  const typeOnly = match?.[1] === 'types';
  reader.imports.push({ specifier, kind: 'reference', literal: true, typeOnly, names: [], start, end });
}

function readEnum(reader: Reader, setting: Setting): void {
  const { text, cursor } = reader;
  const start = cursor.startIndex;
  reader.seen.add(start);
  const at = text.startsWith('const', start) ? skipTrivia(text, start + 5, setting.end) : start;
  readTypeDeclaration(reader, setting, 'enum', at);
}

/** `import a = b.c`. */
function readImportAlias(reader: Reader, setting: Setting): void {
  const { text, cursor } = reader;
  const end = cursor.endIndex;
  let at = skipTrivia(text, cursor.startIndex + 6, end);
  if (wordAt(text, at, end) === 'type') {
    const after = skipTrivia(text, at + 4, end);
    if (wordAt(text, after, end) !== '') at = after;
  }
  const name = wordAt(text, at, end);
  pushNamed(reader, setting, 'variable', at, at + name.length);
  pushRecord(reader, setting, [name], { pieces: [setting.start, setting.end], inferred: false });
}

/** `namespace A {}` without `export` is an expression to the grammar. */
function readAsNamespace(reader: Reader, level: Level, start: number, end: number): boolean {
  const { text, cursor, codes } = reader;
  const word = wordAt(text, start, end);
  if ((word !== 'namespace' && word !== 'module') || !cursor.gotoFirstChild()) return false;
  const found = (codes[cursor.nodeTypeId] ?? code.other) === code.namespace;
  if (found) {
    const setting = { parent: level.parent, visibility: unexported(level), start, end };
    readNamespace(reader, level, setting, level.ambient);
  }
  cursor.gotoParent();
  return found;
}

/** `declare …`: its last named part is what is declared. */
function readAmbient(reader: Reader, level: Level, setting: Setting): void {
  const whole = { pieces: [setting.start, setting.end], inferred: false };
  const kind = enterLast(reader);
  if (kind === code.namespace || kind === code.block) readNamespace(reader, level, setting, true);
  else if (kind === undefined || !readDeclaration(reader, level, kind, setting)) pushRecord(reader, setting, [], whole);
  if (kind !== undefined) reader.cursor.gotoParent();
}

/** The cursor is on a namespace or module, or on the block of `declare global`. */
function readNamespace(reader: Reader, level: Level, setting: Setting, ambient: boolean): void {
  const { cursor, codes } = reader;
  if (level.depth >= maxNamespaceDepth) {
    reader.codeRanges.push(setting.start, setting.end);
    pushRecord(reader, setting, [], { pieces: [setting.start, setting.end], inferred: true });
    return;
  }
  const isGlobal = codes[cursor.nodeTypeId] === code.block;
  const name = namespaceName(reader, isGlobal, setting.start);
  // What a file adds to other modules or to the global scope is seen without being exported.
  const augments = ambient && (isGlobal || name.isQuoted);
  const own: Setting = augments ? { ...setting, visibility: 'own' } : setting;
  const top = pushNamespace(reader, own, name);
  if (name.isQuoted && top !== undefined) reader.provides.push(`ts:${top.name}`);
  const parent = top === undefined ? level.parent : (reader.symbols.at(-1) ?? null);
  const inner: Level = { parent, depth: level.depth + 1, ambient, exported: new Set() };
  const firstRecord = reader.records.length;
  const firstSymbol = reader.symbols.length;
  const bodyStart = readNamespaceBody(reader, isGlobal, inner);
  for (let at = firstSymbol; inner.exported.size > 0 && at < reader.symbols.length; at += 1) {
    const symbol = reader.symbols[at];
    if (symbol?.container === parent && inner.exported.has(symbol.name)) symbol.visibility = 'inherit';
  }
  const merged = mergeRecords(reader.records.splice(firstRecord));
  const pieces: Piece[] = [setting.start, bodyStart < 0 ? setting.end : bodyStart];
  if (bodyStart >= 0) {
    pieces.push('{');
    appendPieces(pieces, merged.pieces);
    pieces.push('}');
  }
  pushRecord(reader, own, top === undefined || augments ? [] : [top.name], { pieces, inferred: merged.inferred });
}

/** Where the block begins; -1 without one (`declare module "x";`). */
function readNamespaceBody(reader: Reader, isBlock: boolean, level: Level): number {
  const { cursor, codes } = reader;
  if (isBlock) {
    const start = cursor.startIndex;
    readStatements(reader, level);
    return start;
  }
  if (!cursor.gotoLastChild()) return -1;
  const isBody = codes[cursor.nodeTypeId] === code.block;
  const start = isBody ? cursor.startIndex : -1;
  if (isBody) readStatements(reader, level);
  cursor.gotoParent();
  return start;
}

function isDirective(text: string, start: number): boolean {
  return /^(?:"use [^"\n]*"|'use [^'\n]*')\s*(?:;|$)/m.test(text.slice(start, start + 40));
}
