/**
 * What an indexer said of each file, kept in the store in the indexer's own format: one document a row, redacted, compressed. An index of the
 * repository is written from these, one document in memory at a time, and is the same whichever runs they came from.
 *
 * P5  The bytes of a document follow from the file, what it depends on and the tool alone; so those of clean files are what a new run says.
 * P8  Nothing is packed before it was redacted.
 */

import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { compareCodeUnits } from '../../kernel/base/json.ts';
import { createScipBytesReader } from '../../kernel/formats/read-scip.ts';
import { createPartRedactor, noteRedacted, type Redactors } from '../../kernel/formats/rewrite-scip.ts';
import { blankSymbol, type ScipDocument, type ScipMetadata } from '../../kernel/formats/scip.ts';
import { createScipFile, encodeScip } from '../../kernel/formats/write-scip.ts';
import type { FactsHandle } from '../store/read-session.ts';
import { findScipDocument, listScipDocuments } from '../store/stored-facts.ts';

/** `path`: how the store names the file, root-relative. */
export function createDocumentPacker(redactors: Redactors): (document: ScipDocument, path: string) => Uint8Array {
  const redact = createPartRedactor(redactors);
  return (document, path) => {
    const part = redact({ kind: 'document', document: { ...withoutRepeats(document), relativePath: path } });
    const bytes = encodeScip([part]);
    noteRedacted(bytes);
    return zstdCompressSync(bytes);
  };
}

/** An output of which every part is packed, written again: for what is kept of it. */
export function writePackedIndex(
  to: string,
  metadata: ScipMetadata,
  packed: Iterable<Uint8Array>,
  redactors: Redactors,
): void {
  const file = createScipFile(to);
  let isWhole = false;
  try {
    file.write(createPartRedactor(redactors)({ kind: 'metadata', metadata }));
    for (const document of packed) file.append(zstdDecompressSync(document));
    isWhole = true;
  } finally {
    if (!isWhole) file.discard();
  }
  file.close();
}

/** scip-typescript says some things twice, and so does `tsgo`, which speaks like it. */
function withoutRepeats(document: ScipDocument): ScipDocument {
  const seen = new Set<string>();
  const occurrences = document.occurrences.filter(({ range, symbol, roles }) => {
    const said = `${range.join(' ')} ${roles} ${symbol}`;
    return !seen.has(said) && seen.add(said);
  });
  return { ...document, occurrences };
}

type IndexAsk = {
  /** A file of several contexts has the document of the first that has one. */
  readonly contexts: readonly number[];
  readonly isWanted: (path: string, contextId: number) => boolean;
  readonly metadata: ScipMetadata;
  readonly to: string;
  readonly signal: AbortSignal;
  readonly onDocument: (document: ScipDocument) => void;
};

/** Gives how many documents it has. What they name and do not describe is described at the end as external, which the format asks for. */
export async function writeStoredIndex(read: FactsHandle['read'], ask: IndexAsk): Promise<number> {
  const described = new Set<string>();
  const named = new Set<string>();
  const note = (document: ScipDocument): void => {
    for (const { symbol, relationships } of document.symbols) {
      described.add(symbol);
      for (const related of relationships) named.add(related.symbol);
    }
    for (const { symbol } of document.occurrences) if (!symbol.startsWith('local ')) named.add(symbol);
    ask.onDocument(document);
  };
  const written = new Set<string>();
  const readDocument = createScipBytesReader();
  const file = createScipFile(ask.to);
  let isWhole = false;
  try {
    file.write({ kind: 'metadata', metadata: ask.metadata });
    for (const contextId of ask.contexts) {
      const found = read((session) => listScipDocuments(session, contextId));
      for (const { path, fileId } of [...found].sort((a, b) => compareCodeUnits(a.path, b.path))) {
        if (written.has(path) || !ask.isWanted(path, contextId)) continue;
        const packed = read((session) => findScipDocument(session, fileId, contextId));
        if (packed === undefined) continue;
        const bytes = zstdDecompressSync(packed);
        readDocument(bytes, (part) => part.kind === 'document' && note(part.document));
        file.append(bytes);
        written.add(path);
        if (written.size % documentsPerTurn === 0) await new Promise<void>((resolve) => setImmediate(resolve));
        ask.signal.throwIfAborted();
      }
    }
    const missing = [...named].filter((symbol) => symbol !== '' && !described.has(symbol)).sort(compareCodeUnits);
    for (const symbol of missing) file.write({ kind: 'external', symbol: { ...blankSymbol, symbol } });
    isWhole = true;
  } finally {
    if (!isWhole) file.discard();
  }
  file.close();
  return written.size;
}

/** Others wait for this thread. */
const documentsPerTurn = 16;
