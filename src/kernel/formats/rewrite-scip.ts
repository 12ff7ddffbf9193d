/**
 * An index without secrets: what is kept of an indexer's output and what a gather may publish (gather.md §7.3). Every string passes the
 * caller's redactor, except the text of documents, which is left out: positions stay true, and the source is on disk. Fields that we do not
 * know are not written, so nothing unread gets through. Equal strings stay equal, so occurrences still find their symbols. A document that
 * cannot be decoded is dropped and counted.
 */

import { renameSync } from 'node:fs';
import { blake3Hex } from '../base/hash.ts';
import { createScipBytesReaderAsync, eachScipDocument, readScip } from './read-scip.ts';
import {
  parseScipSymbol,
  renderScipSymbol,
  type ScipDocument,
  type ScipPart,
  type ScipReadOutcome,
  type ScipSymbol,
} from './scip.ts';
import { createScipFile, encodeScip } from './write-scip.ts';

type RedactText = (text: string) => string;

/** For a caller who knows more than a text shows: which words are secrets here, though they may be parts of names elsewhere. */
export type Redactors = {
  /** Comments. */
  readonly text: RedactText;
  /** A declaration as the tool writes it: `signature`, or the first documentation. */
  readonly signature: RedactText;
  /** One name in a symbol. */
  readonly name: RedactText;
  /** Paths, packages, whole symbols. */
  readonly path: RedactText;
};

type Failed = Extract<ScipReadOutcome, { kind: 'failed' }>;
type ScipRedaction =
  | { readonly kind: 'redacted'; readonly documents: number; readonly dropped: number; readonly bytes: number }
  | Failed;

/** The output appears whole or not at all. */
export function redactScip(inputPath: string, outputPath: string, redact: RedactText | Redactors): ScipRedaction {
  const partial = `${outputPath}.part`;
  const output = createScipFile(partial);
  let dropped = 0;
  let outcome: ScipReadOutcome | undefined;
  try {
    const redactPart = createPartRedactor(redact);
    outcome = readScip(inputPath, (part) => output.write(redactPart(part)), { onUndecodable: () => (dropped += 1) });
  } finally {
    if (outcome?.kind !== 'read') output.discard();
  }
  if (outcome.kind === 'failed') return outcome;
  const bytes = output.close();
  renameSync(partial, outputPath);
  return { kind: 'redacted', documents: outcome.documents, dropped, bytes };
}

/**
 * The same in memory, beside other work: a large index takes a second. `isClean` says of the bytes of a document, as they stand in the index,
 * that nothing would be replaced in them: it goes as it is.
 */
export async function redactScipBytes(
  bytes: Uint8Array,
  redact: RedactText | Redactors,
  isClean: (document: Uint8Array) => boolean = () => false,
): Promise<{ readonly kind: 'redacted'; readonly bytes: Uint8Array; readonly dropped: number } | Failed> {
  const blocks: Uint8Array[] = [];
  let dropped = 0;
  const redactPart = createPartRedactor(redact);
  const take = (part: ScipPart): void => {
    blocks.push(encodeScip([redactPart(part)]));
  };
  const stretches = listStretches(bytes, isClean);
  const isPartial = stretches.length > 1;
  const readBytes = createScipBytesReaderAsync();
  for (const stretch of stretches) {
    if (stretch.isClean) {
      blocks.push(stretch.bytes);
      continue;
    }
    const outcome = await readBytes(stretch.bytes, take, {
      isPartial,
      onUndecodable: () => (dropped += 1),
    });
    if (outcome.kind === 'failed') return outcome;
  }
  return { kind: 'redacted', bytes: Buffer.concat(blocks), dropped };
}

type Stretch = { readonly isClean: boolean; readonly bytes: Uint8Array };

/** The index cut before and behind documents that are clean. Where it is none, it is one stretch, which the reader refuses. */
function listStretches(bytes: Uint8Array, isClean: (document: Uint8Array) => boolean): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let from = 0;
  const close = (to: number): void => {
    if (to > from) stretches.push({ isClean: false, bytes: bytes.subarray(from, to) });
  };
  const isWhole = eachScipDocument(bytes, (start, end) => {
    const document = bytes.subarray(start, end);
    if (!isClean(document)) return;
    close(start);
    stretches.push({ isClean: true, bytes: document });
    from = end;
  });
  if (!isWhole) return [{ isClean: false, bytes }];
  close(bytes.length);
  // An index of nothing is refused by the reader, too.
  return stretches.length === 0 ? [{ isClean: false, bytes }] : stretches;
}

/**
 * Documents that this process has encoded after all their strings had been redacted, by a hash of their bytes: redacting them again by the
 * same rules changes nothing. More are not remembered.
 */
const redactedHere = new Set<string>();
const MAX_REDACTED = 200_000;

/** `document`: as it stands in an index. Every string of it came out of a redactor that replaces at least what looks like a secret by itself. */
export function noteRedacted(document: Uint8Array): void {
  if (redactedHere.size >= MAX_REDACTED) redactedHere.clear();
  redactedHere.add(blake3Hex(document));
}

export function isRedactedHere(hash: string): boolean {
  return redactedHere.has(hash);
}

/** A symbol is written at each of its occurrences; what a redactor said of one is remembered, within bounds. */
const MAX_REMEMBERED = 50_000;

type Remembered = {
  /** By symbol. */
  readonly symbols: Map<string, string>;
  /** In which there is nothing to replace: a redactor that counts what it finds is called for all others each time. */
  readonly cleanNames: Set<string>;
  readonly cleanSignatures: Set<string>;
};

/** By redactor: the same output is kept as a whole and document by document, one after the other. */
const rememberedBy = new WeakMap<RedactText | Redactors, Remembered>();

function unlessClean(clean: Set<string>, text: string, redact: RedactText): string {
  if (clean.has(text)) return text;
  const redacted = redact(text);
  if (redacted === text) {
    if (clean.size >= MAX_REMEMBERED) clean.clear();
    clean.add(text);
  }
  return redacted;
}

export function createPartRedactor(redact: RedactText | Redactors): (part: ScipPart) => ScipPart {
  const { text, signature, name, path } =
    typeof redact === 'function' ? { text: redact, signature: redact, name: redact, path: redact } : redact;
  const remembered = rememberedBy.get(redact) ?? {
    symbols: new Map(),
    cleanNames: new Set(),
    cleanSignatures: new Set(),
  };
  rememberedBy.set(redact, remembered);
  const { symbols, cleanNames, cleanSignatures } = remembered;
  const redactName = (said: string): string => unlessClean(cleanNames, said, name);
  const redactSignature = (said: string): string => unlessClean(cleanSignatures, said, signature);
  const redactSymbol = (symbol: string): string => {
    let redacted = symbols.get(symbol);
    if (redacted === undefined) {
      redacted = redactSymbolText(symbol, redactName, path);
      if (symbols.size >= MAX_REMEMBERED) symbols.clear();
      symbols.set(symbol, redacted);
    }
    return redacted;
  };
  const redactInfo = (info: ScipSymbol): ScipSymbol => ({
    symbol: redactSymbol(info.symbol),
    documentation: info.documentation.map((said, at) => (at === 0 ? redactSignature(said) : text(said))),
    relationships: info.relationships.map((related) => ({ ...related, symbol: redactSymbol(related.symbol) })),
    kind: info.kind,
    displayName: redactName(info.displayName),
    signature: redactSignature(info.signature),
    enclosingSymbol: redactSymbol(info.enclosingSymbol),
  });
  const redactDocument = (document: ScipDocument): ScipDocument => ({
    relativePath: path(document.relativePath),
    language: path(document.language),
    positionEncoding: document.positionEncoding,
    text: '',
    occurrences: document.occurrences.map((occurrence) => ({ ...occurrence, symbol: redactSymbol(occurrence.symbol) })),
    symbols: document.symbols.map(redactInfo),
    hadBadText: document.hadBadText,
  });
  return (part) => {
    switch (part.kind) {
      case 'metadata': {
        const { toolName, toolVersion, projectRoot } = part.metadata;
        return {
          kind: 'metadata',
          metadata: {
            toolName: path(toolName),
            toolVersion: path(toolVersion),
            projectRoot: path(projectRoot),
          },
        };
      }
      case 'document':
        return { kind: 'document', document: redactDocument(part.document) };
      case 'external':
        return { kind: 'external', symbol: redactInfo(part.symbol) };
    }
  };
}

/**
 * A placeholder is not a plain name. Where a secret lies inside the names of a symbol, the names are redacted one by one, so that the
 * result is still a symbol; where that leaves something, as when a secret spans two names, the text counts more than the grammar.
 */
function redactSymbolText(symbol: string, redactName: RedactText, redactPath: RedactText): string {
  const asText = redactPath(symbol);
  const parsed = parseScipSymbol(symbol);
  if (parsed?.kind !== 'global') return asText;
  const descriptors = parsed.descriptors.map(({ name, suffix, disambiguator }) => ({
    name: redactName(name),
    suffix,
    disambiguator: redactPath(disambiguator),
  }));
  const isSame = descriptors.every(({ name }, at) => name === parsed.descriptors[at]?.name);
  if (isSame && asText === symbol) return symbol;
  const redacted = renderScipSymbol({
    kind: 'global',
    scheme: redactPath(parsed.scheme),
    manager: redactPath(parsed.manager),
    package: { name: redactPath(parsed.package.name), version: redactPath(parsed.package.version) },
    descriptors,
  });
  return redactPath(redacted) === redacted ? redacted : asText;
}
