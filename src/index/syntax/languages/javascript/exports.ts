/** Export statements of every form. Every function here begins and ends with the cursor on the statement. */

import { pushRecord, readTypeDeclaration, type Setting } from './declarations.ts';
import { readDefault } from './default-export.ts';
import { enterLast } from './enter-last.ts';
import type { Level, ReadDeclaration } from './level.ts';
import { isIdentifierCode, skipTrivia } from './lex.ts';
import { readExportClause, wordAt } from './module-clauses.ts';
import { pushExport, type Reader, type SymbolDraft } from './reader.ts';

export function readExport(reader: Reader, level: Level, start: number, end: number, declare: ReadDeclaration): void {
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
  // Where everything is visible anyway, only what comes from elsewhere matters.
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
