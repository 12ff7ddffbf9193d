/**
 * An index without secrets: what is kept of an indexer's output and what a gather may publish (gather.md §7.3). Every string passes the
 * caller's redactor, except the text of documents, which is left out: positions stay true, and the source is on disk. Fields that we do not
 * know are not written, so nothing unread gets through. Equal strings stay equal, so occurrences still find their symbols. A document that
 * cannot be decoded is dropped and counted.
 */

import { renameSync } from 'node:fs';
import { parseScipSymbol, renderScipSymbol } from './parse-symbol.ts';
import { readScip, readScipBytes } from './read-index.ts';
import type { ScipDocument, ScipPart, ScipReadOutcome, ScipSymbol } from './types.ts';
import { createScipFile, encodeScip } from './write-index.ts';

export type RedactText = (text: string) => string;

type Failed = Extract<ScipReadOutcome, { kind: 'failed' }>;
export type ScipRedaction =
  | { readonly kind: 'redacted'; readonly documents: number; readonly dropped: number; readonly bytes: number }
  | Failed;

/** The output appears whole or not at all. */
export function redactScip(inputPath: string, outputPath: string, redactText: RedactText): ScipRedaction {
  const partial = `${outputPath}.part`;
  const output = createScipFile(partial);
  let dropped = 0;
  let outcome: ScipReadOutcome | undefined;
  try {
    const redactPart = createPartRedactor(redactText);
    outcome = readScip(inputPath, (part) => output.write(redactPart(part)), { onUndecodable: () => (dropped += 1) });
  } finally {
    if (outcome?.kind !== 'read') output.discard();
  }
  if (outcome.kind === 'failed') return outcome;
  const bytes = output.close();
  renameSync(partial, outputPath);
  return { kind: 'redacted', documents: outcome.documents, dropped, bytes };
}

/** The same in memory. */
export function redactScipBytes(
  bytes: Uint8Array,
  redactText: RedactText,
): { readonly kind: 'redacted'; readonly bytes: Uint8Array; readonly dropped: number } | Failed {
  const blocks: Uint8Array[] = [];
  let dropped = 0;
  const redactPart = createPartRedactor(redactText);
  const outcome = readScipBytes(bytes, (part) => blocks.push(encodeScip([redactPart(part)])), {
    onUndecodable: () => (dropped += 1),
  });
  if (outcome.kind === 'failed') return outcome;
  return { kind: 'redacted', bytes: Buffer.concat(blocks), dropped };
}

/** A symbol is written at each of its occurrences; what a redactor said of one is remembered, within bounds. */
const MAX_REMEMBERED = 50_000;

function createPartRedactor(redactText: RedactText): (part: ScipPart) => ScipPart {
  const remembered = new Map<string, string>();
  const redactSymbol = (symbol: string): string => {
    let redacted = remembered.get(symbol);
    if (redacted === undefined) {
      redacted = redactSymbolText(symbol, redactText);
      if (remembered.size >= MAX_REMEMBERED) remembered.clear();
      remembered.set(symbol, redacted);
    }
    return redacted;
  };
  const redactInfo = (info: ScipSymbol): ScipSymbol => ({
    symbol: redactSymbol(info.symbol),
    documentation: info.documentation.map(redactText),
    relationships: info.relationships.map((related) => ({ ...related, symbol: redactSymbol(related.symbol) })),
    kind: info.kind,
    displayName: redactText(info.displayName),
    signature: redactText(info.signature),
    enclosingSymbol: redactSymbol(info.enclosingSymbol),
  });
  const redactDocument = (document: ScipDocument): ScipDocument => ({
    relativePath: redactText(document.relativePath),
    language: redactText(document.language),
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
            toolName: redactText(toolName),
            toolVersion: redactText(toolVersion),
            projectRoot: redactText(projectRoot),
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
 * A placeholder is not a plain name. Where a secret lies inside the names of a symbol, the names are redacted one by one, so that the result is
 * still a symbol; where that leaves something, as when a secret spans two names, the text counts more than the grammar.
 */
function redactSymbolText(symbol: string, redactText: RedactText): string {
  const asText = redactText(symbol);
  if (asText === symbol) return symbol;
  const parsed = parseScipSymbol(symbol);
  if (parsed?.kind !== 'global') return asText;
  const redacted = renderScipSymbol({
    kind: 'global',
    scheme: redactText(parsed.scheme),
    manager: redactText(parsed.manager),
    package: { name: redactText(parsed.package.name), version: redactText(parsed.package.version) },
    descriptors: parsed.descriptors.map(({ name, suffix, disambiguator }) => ({
      name: redactText(name),
      suffix,
      disambiguator: redactText(disambiguator),
    })),
  });
  return redactText(redacted) === redacted ? redacted : asText;
}
