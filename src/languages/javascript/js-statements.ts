/**
 * The statements of a file and of its namespaces: the one place that goes over them all. What can hold expressions or nested
 * declarations is only noted as a range; `js-nested.ts` looks into those. Every function but the first begins and ends with the cursor
 * on the same node.
 */

import { readCommonJs } from './js-commonjs.ts';
import {
  pushNamed,
  pushRecord,
  readClassDeclaration,
  readFunction,
  readTypeDeclaration,
  readVariables,
  type Setting,
} from './js-declarations.ts';
import { appendPieces, isIdentifierCode, type Piece, skipTrivia } from './js-lexing.ts';
import { readClass } from './js-members.ts';
import { readExportClause, readImport, wordAt } from './js-modules.ts';
import { code, pushExport, type Reader, type RecordDraft, type SymbolDraft, type Visibility } from './js-reader.ts';
import { observeFunctionValue } from './js-signature.ts';

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

/** Export statements of every form. Every function here begins and ends with the cursor on the statement. */
function readExport(reader: Reader, level: Level, start: number, end: number, declare: ReadDeclaration): void {
  const { text } = reader;
  if (level.depth === 0) reader.isModule = true;
  const at = text.charCodeAt(start) === 64 ? start : skipTrivia(text, start + 6, end);
  const unit = text.charCodeAt(at);
  const setting: Setting = { parent: level.parent, visibility: level.depth === 0 ? 'own' : 'inherit', start, end };
  // { or *, =, then words by their first letter: a slice for every export would be felt.
  if (unit === 123 || unit === 42) readClause(reader, level, start, end);
  else if (unit === 61) readExportEquals(reader, setting, at);
  else if (unit === 100 && isWordAt(text, at, 'default')) readDefault(reader, setting, at);
  else if (unit === 97 && isWordAt(text, at, 'as')) {
    pushRecord(reader, setting, [], { pieces: [start, end], inferred: false });
  } else if (unit === 116 && isWordAt(text, at, 'type')) {
    const next = text.charCodeAt(skipTrivia(text, at + 4, end));
    if (next === 123 || next === 42) readClause(reader, level, start, end);
    else readExportedType(reader, level, setting, 'type', at, declare);
  } else if (unit === 105 && isWordAt(text, at, 'interface')) {
    readExportedType(reader, level, setting, 'interface', at, declare);
  } else readExportedDeclaration(reader, level, setting, declare);
}

function isWordAt(text: string, at: number, word: string): boolean {
  return text.startsWith(word, at) && !isIdentifierCode(text.charCodeAt(at + word.length));
}

function readExportedType(
  reader: Reader,
  level: Level,
  setting: Setting,
  kind: 'type' | 'interface',
  at: number,
  declare: ReadDeclaration,
): void {
  if (reader.isBroken) {
    readExportedDeclaration(reader, level, setting, declare);
    return;
  }
  const before = reader.symbols.length;
  reader.typeRanges.push(setting.start, setting.end);
  readTypeDeclaration(reader, setting, kind, at);
  if (level.depth === 0) pushExportOf(reader, reader.symbols[before]);
}

function readExportedDeclaration(reader: Reader, level: Level, setting: Setting, declare: ReadDeclaration): void {
  const { cursor, text } = reader;
  const before = reader.symbols.length;
  const kind = enterLast(reader);
  const declared = kind !== undefined && declare(reader, level, kind, setting);
  if (kind !== undefined) cursor.gotoParent();
  if (declared) {
    for (let at = before; level.depth === 0 && at < reader.symbols.length; at += 1) {
      if (reader.symbols[at]?.container === null) pushExportOf(reader, reader.symbols[at]);
    }
    return;
  }
  // A decorator may stand before `export default`.
  const at = /\bexport\s+default\b/.exec(text.slice(setting.start, setting.end));
  if (at !== null) readDefault(reader, setting, setting.start + at.index + at[0].length - 7);
  else {
    reader.codeRanges.push(setting.start, setting.end);
    pushRecord(reader, setting, [], { pieces: [setting.start, setting.end], inferred: true });
  }
}

function pushExportOf(reader: Reader, symbol: SymbolDraft | undefined): void {
  if (symbol === undefined) return;
  pushExport(reader, symbol.name, symbol.name, symbol.kind === 'interface' || symbol.kind === 'type');
}

function readClause(reader: Reader, level: Level, start: number, end: number): void {
  // Where everything is visible, only what comes from elsewhere matters.
  if (level.ambient && !/\bfrom\b/.test(reader.text.slice(start, end))) {
    reader.records.push({ names: [], isPublic: false, inferred: false, pieces: [start, end] });
    return;
  }
  const clause = readExportClause(reader.text, start, start + 6, end);
  if (clause.import !== null) reader.imports.push(clause.import);
  for (const found of clause.exports) {
    if (level.depth === 0) reader.exports.push(found);
    if (found.specifier === null && found.localName !== null) level.exported.add(found.localName);
  }
  // The order in which a clause lists its names is not observable.
  const rows = clause.exports.map(({ localName, publicName, typeOnly }) => {
    const what =
      localName === null
        ? `* as ${publicName}`
        : publicName === localName
          ? localName
          : `${localName} as ${publicName}`;
    return typeOnly ? `type ${what}` : what;
  });
  const from = clause.import === null ? '' : `from "${clause.import.specifier}"`;
  const text = `export{${rows.length > 1 ? rows.sort().join(',') : (rows[0] ?? '')}}${from}`;
  reader.records.push({ names: [], isPublic: level.depth === 0, inferred: false, pieces: [text] });
}

function readExportEquals(reader: Reader, setting: Setting, at: number): void {
  const { text } = reader;
  const start = skipTrivia(text, at + 1, setting.end);
  const name = wordAt(text, start, setting.end);
  const behind = skipTrivia(text, start + name.length, setting.end);
  const plain = name !== '' && (behind >= setting.end || text.charAt(behind) === ';');
  reader.codeRanges.push(setting.start, setting.end);
  if (setting.visibility === 'own') {
    pushExport(reader, '=', plain ? name : null);
    if (plain) reader.exportedLocals.add(name);
  }
  pushRecord(reader, setting, [], { pieces: [setting.start, setting.end], inferred: !plain });
}

// `export default …` in all its forms. What has no name of its own is the symbol `default`.

/** The cursor is on the export statement, and stays there; `defaultAt` is where the word is. */
function readDefault(reader: Reader, statement: Setting, defaultAt: number): void {
  const { cursor, text } = reader;
  const setting: Setting = { ...statement, defaultAt };
  // In a module that is only declared here, it is that module's default, not this file's.
  const isOwn = statement.visibility === 'own';
  const before = reader.symbols.length;
  reader.codeRanges.push(setting.start, setting.end);
  const kind = enterLast(reader);
  const start = kind === undefined ? setting.start : cursor.startIndex;
  const end = kind === undefined ? setting.end : cursor.endIndex;
  let localName: string | null = null;
  switch (kind) {
    case code.function:
      readFunction(reader, setting);
      break;
    case code.class:
      readClassDeclaration(reader, setting);
      break;
    case code.interface:
      readTypeDeclaration(reader, setting, 'interface', start);
      break;
    case code.functionValue:
      reader.seen.add(start);
      pushNamed(reader, setting, 'function', -1, -1);
      pushRecord(reader, setting, ['default'], observeFunctionValue(reader, setting.start, setting.end));
      break;
    case code.classValue: {
      reader.seen.add(start);
      const symbol = pushNamed(reader, setting, 'class', -1, -1);
      if (symbol !== undefined) pushRecord(reader, setting, ['default'], readClass(reader, symbol, setting.start));
      break;
    }
    case code.identifier:
      localName = text.slice(start, end);
      if (isOwn) reader.exportedLocals.add(localName);
      pushRecord(reader, setting, [], { pieces: ['export default ', localName], inferred: false });
      break;
    default:
      pushRecord(reader, setting, [], { pieces: [setting.start, setting.end], inferred: true });
  }
  if (kind !== undefined) cursor.gotoParent();
  const declared = reader.symbols[before];
  if (declared !== undefined && declared.nameStart !== defaultAt) localName = declared.name;
  if (isOwn) pushExport(reader, 'default', localName, declared?.kind === 'interface');
}

// The names of namespaces, and how what is in them becomes part of them.

type NamespaceName = { readonly start: number; readonly end: number; readonly isQuoted: boolean };

/** The cursor is on the namespace, or on the block of a `declare global` that begins at `start`. */
function namespaceName(reader: Reader, isGlobal: boolean, start: number): NamespaceName {
  const { text, cursor, codes } = reader;
  if (isGlobal) {
    const at = text.slice(start, cursor.startIndex).lastIndexOf('global');
    return { start: at < 0 ? -1 : start + at, end: at < 0 ? -1 : start + at + 6, isQuoted: false };
  }
  let found: NamespaceName = { start: -1, end: -1, isQuoted: false };
  if (!cursor.gotoFirstChild()) return found;
  do {
    const kind = codes[cursor.nodeTypeId] ?? code.other;
    if (kind === code.identifier || kind === code.nestedName || kind === code.stringName) {
      found = { start: cursor.startIndex, end: cursor.endIndex, isQuoted: kind === code.stringName };
      break;
    }
  } while (cursor.gotoNextSibling());
  cursor.gotoParent();
  return found;
}

/** `namespace A.B` is `B` in `A`. Answers the outermost; the innermost is the last symbol then. */
function pushNamespace(reader: Reader, setting: Setting, name: NamespaceName): SymbolDraft | undefined {
  if (name.start < 0) return undefined;
  if (name.isQuoted) {
    return pushNamed(reader, setting, 'namespace', name.start + 1, name.end - 1);
  }
  if (!reader.text.slice(name.start, name.end).includes('.')) {
    return pushNamed(reader, setting, 'namespace', name.start, name.end);
  }
  let top: SymbolDraft | undefined;
  let inner = setting;
  for (const part of reader.text.slice(name.start, name.end).matchAll(/[^\s.]+/g)) {
    const start = name.start + part.index;
    const symbol = pushNamed(reader, inner, 'namespace', start, start + part[0].length);
    top ??= symbol;
    inner = { ...setting, parent: symbol, visibility: 'inherit' };
  }
  return top;
}

/** A namespace is observed as one thing: its members are part of its record. */
function mergeRecords(records: readonly RecordDraft[]): {
  readonly pieces: Piece[];
  readonly inferred: boolean;
} {
  const pieces: Piece[] = [];
  let inferred = false;
  for (const record of records) {
    appendPieces(pieces, record.pieces);
    pieces.push(';');
    inferred ||= record.inferred;
  }
  return { pieces, inferred };
}

// Where statements stand: in the file itself or in a namespace.

type Level = {
  readonly parent: SymbolDraft | null;
  /** 0 for the file. */
  readonly depth: number;
  /** Within `declare`, everything is visible with or without `export`. */
  readonly ambient: boolean;
  /** Names that a clause within a namespace exports. */
  readonly exported: Set<string>;
};

/** Reads the declaration at the cursor if its code is that of one, else answers false. */
type ReadDeclaration = (reader: Reader, level: Level, kind: number, setting: Setting) => boolean;

/** Who sees a declaration without `export`: at the top level a clause elsewhere may still say so. */
function unexported(level: Level): Visibility {
  return level.ambient || level.depth === 0 ? 'inherit' : 'never';
}

// Into the heart of a statement: exports and `declare` end with what they are about.

/** Moves to the last child that is more than a sign or a comment, and answers its code; `undefined` if there is none. */
function enterLast(reader: Reader): number | undefined {
  const { cursor, codes } = reader;
  if (!cursor.gotoLastChild()) return undefined;
  for (;;) {
    const kind = codes[cursor.nodeTypeId] ?? code.other;
    if (kind !== code.token && kind !== code.semicolon && kind !== code.comment) return kind;
    if (!cursor.gotoPreviousSibling()) {
      cursor.gotoParent();
      return undefined;
    }
  }
}
