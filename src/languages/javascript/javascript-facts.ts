/**
 * TypeScript, TSX, JavaScript and JSX: what one file declares, asks for, offers, and reaches for by other means than a name.
 *
 * Speed is part of the promise: reading a tree costs about as much per node as building it, so this looks at few nodes. Statements and
 * members are visited one level deep; inside code only places that a text pattern points at are looked up (`js-nested.ts`).
 * Nothing recurses with the nesting of the source, and no input makes it throw.
 */

import { countWhile } from '../../kernel/base/count-while.ts';
import type { InterfaceRecord, RawFacts, RawSymbol, SourceTree, TextSpan } from '../facts.ts';
import type { Node } from '../parsing/syntax-node.ts';
import { squeezeTokens } from './js-lexing.ts';
import { readNested } from './js-nested.ts';
import { codesOf, createReader, type Reader, type RecordDraft, type SymbolDraft } from './js-reader.ts';
import { readProgram } from './js-statements.ts';

export default function extractJavaScript(source: SourceTree): RawFacts {
  const { root, text, path, hasErrors } = source;
  const cursor = root.walk();
  try {
    const untyped = /\.[cm]?jsx?$/i.test(path);
    const jsx = (untyped || /\.tsx$/i.test(path)) && (text.includes('</') || text.includes('/>'));
    const reader = createReader({ cursor, text, codes: codesOf(root.tree.language), untyped, hasErrors, jsx });
    readProgram(reader);
    readNested(reader, root);
    return {
      symbols: finishSymbols(reader),
      imports: inOrder(reader.imports),
      exports: reader.exports,
      dynamicSites: inOrder(reader.sites),
      interfaceRecords: finishRecords(reader, hasErrors ? mendRecords(root, reader) : reader.records),
      canClose: true,
      provides: reader.provides,
    };
  } finally {
    cursor.delete();
  }
}

/** They mostly are already. */
function inOrder<T extends TextSpan>(spans: T[]): T[] {
  for (let at = 1; at < spans.length; at += 1) {
    if ((spans[at - 1]?.start ?? 0) > (spans[at]?.start ?? 0))
      return spans.sort((a, b) => a.start - b.start || a.end - b.end);
  }
  return spans;
}

/** Puts nested declarations where they belong and decides who is seen from outside. */
function finishSymbols({ symbols, hasNested, exportedLocals }: Reader): RawSymbol[] {
  if (hasNested) symbols.sort((a, b) => a.start - b.start || b.end - a.end || a.nameStart - b.nameStart);
  const open: SymbolDraft[] = [];
  for (let position = 0; position < symbols.length; position += 1) {
    const symbol = symbols[position] as SymbolDraft;
    symbol.position = position;
    let { container } = symbol;
    if (hasNested) {
      while (open.length > 0 && (open.at(-1)?.end ?? 0) <= symbol.start) open.pop();
      container ??= container === undefined ? (open.at(-1) ?? null) : null;
      if (symbol.encloses) open.push(symbol);
    }
    symbol.parent = container?.position ?? -1;
    if (symbol.visibility === 'own') symbol.exported = true;
    else if (symbol.visibility === 'inherit') symbol.exported = container?.exported ?? exportedLocals.has(symbol.name);
  }
  return symbols;
}

/** A file without imports and exports is a script: everything it declares is there for all others. */
function finishRecords(reader: Reader, drafts: readonly RecordDraft[] | null): InterfaceRecord[] | null {
  if (drafts === null) return null;
  const { text, exportedLocals, notComments } = reader;
  const isScript = !reader.isModule && reader.imports.length === 0 && reader.exports.length === 0;
  const finish = ({ names, isPublic, inferred, pieces }: RecordDraft): InterfaceRecord => ({
    names,
    isPublic: isPublic || isScript || names.some((name) => exportedLocals.has(name)),
    inferred,
    text: () => squeezeTokens(text, pieces, notComments),
  });
  const records = drafts.map(finish);
  if (reader.hasEffects) records.push({ names: [], isPublic: true, inferred: false, text: () => 'has effects' });
  return records;
}

// Files with syntax errors: what of their interface can still be known (S3). Only called for such files, so it may take its time.

/** The records of a file with errors, `null` if an error could lie in what other files see. */
function mendRecords(root: Node, reader: Reader): RecordDraft[] | null {
  if (root.type !== 'program') return null;
  const { broken, text } = reader;
  if (broken.some(({ start, end, isError }) => isError || /\bexports?\b/.test(text.slice(start, end)))) return null;
  const mended: RecordDraft[] = [];
  for (const record of reader.records) {
    const span = findSpan(broken, record.pieces[0]);
    if (span === undefined) mended.push(record);
    else if (record.isPublic || record.names.some((name) => reader.exportedLocals.has(name))) return null;
    // If something public mentions it, every token of it counts.
    else mended.push({ ...record, inferred: true, pieces: [span.start, span.end] });
  }
  return mended;
}

/** The span, of a list in order, that holds the place. */
function findSpan<T extends TextSpan>(spans: readonly T[], place: string | number | undefined): T | undefined {
  if (typeof place !== 'number') return undefined;
  const span = spans[countWhile(spans, ({ end }) => end <= place)];
  return span !== undefined && span.start <= place ? span : undefined;
}
