/**
 * One read of a file → everything that is stored about it (code-plane.md §1.4, §3). Invariants R3 (hash, decode, parse and index use
 * the same buffer), S1 (the result follows from bytes, path, language and this code), S6 (broken code is a row with a reason).
 * Runs in an index worker; touches no store.
 */

import { blake3Hex } from '../../kernel/base/hash.ts';
import { textLimits } from '../../kernel/base/limits.ts';
import { decodeText, hasGeneratedHeader, languageOfShebang } from '../../kernel/tree/content-kind.ts';
import { createTextOffsets, type TextOffsets } from '../../kernel/tree/positions.ts';
import type { RawFacts, RawSymbol, TextSpan } from '../../languages/facts.ts';
import type { Language } from '../../languages/language.ts';
import { findLanguage, grammarOf } from '../../languages/languages.ts';
import { withParsedSource } from '../../languages/parsing/parse-source.ts';
import { extractFacts } from '../../languages/readers.ts';
import type { FileRecord, StatSignature, SymbolRow } from '../store/file-rows.ts';
import { compilerOptionsName, type FileIdentity, joinNamePath, skippedRecord } from './file-record.ts';
import { describeInterface } from './interface-hash.ts';
import { scanSource } from './scan-text.ts';

type FileBytes = { readonly bytes: Buffer; readonly stat: StatSignature; readonly hashedUs: number };

export async function describeFile(
  identity: FileIdentity,
  read: FileBytes,
  options: { readonly key: Buffer; readonly hash?: string; readonly parse: 'full' | 'none' },
): Promise<FileRecord> {
  const { bytes } = read;
  const contentHash = options.hash ?? blake3Hex(bytes);
  const decoded = decodeText(bytes);
  if (decoded.kind === 'skip') return skippedRecord(identity, decoded.reason, { ...read, contentHash });
  const language = identity.language ?? languageOfShebang(decoded.text);
  const scanned = scanSource(bytes, decoded.text, language, options.key);
  const parsable = language === null ? undefined : findLanguage(language);
  const tooLarge = bytes.length > textLimits.parseBytes;
  const parsed =
    parsable === undefined || tooLarge || options.parse === 'none'
      ? undefined
      : await parse(parsable, identity.path, decoded.text, scanned.text);
  const offsets = createTextOffsets(decoded.text, { isAscii: decoded.isAscii, bom: decoded.bom });
  const described = parsed === undefined ? null : describeInterface(parsed.facts);
  return {
    file: {
      ...identity,
      kind: 'file',
      canonicalPath: null,
      language,
      presence: 'present',
      contentHash,
      stat: read.stat,
      hashedUs: read.hashedUs,
      eol: scanned.eol,
      bom: decoded.bom,
      lines: scanned.lines,
      generated: identity.generated || hasGeneratedHeader(decoded.text),
      redacted: scanned.redacted,
      skipReason: null,
      parse: parsable === undefined ? null : parsed === undefined ? (tooLarge ? 'skipped' : 'failed') : parsed.result,
      // Completed when the imports are resolved.
      synIface: null,
      ifaceClosed: described?.closed ?? false,
      ifaceCore: described?.core ?? null,
    },
    facts: parsed === undefined ? configFacts(language, scanned.names) : toRows(parsed.facts, offsets),
    text: { names: scanned.names, trigrams: scanned.trigrams },
  };
}

function configFacts(language: string | null, names: string): FileRecord['facts'] {
  if (language !== 'json' || !` ${names} `.includes(' compilerOptions ')) return null;
  return { symbols: [], imports: [], exports: [], sites: [], provides: [compilerOptionsName] };
}

type Parsed = {
  readonly facts: RawFacts;
  readonly result: 'ok' | 'errors';
};

/** Positions come from the text as it is; every string that is kept comes from the redacted one, which has the same length. */
function parse(language: Language, path: string, text: string, redactedText: string): Promise<Parsed> {
  return withParsedSource(grammarOf(language, path), text, ({ root, hasErrors }): Parsed => {
    const facts = extractFacts({ root, text: redactedText, path, hasErrors }, language.name);
    return { facts, result: hasErrors ? 'errors' : 'ok' };
  });
}

function toRows(facts: RawFacts, offsets: TextOffsets): NonNullable<FileRecord['facts']> {
  const span = ({ start, end }: TextSpan) => ({ start: offsets.toByte(start), end: offsets.toByte(end) });
  return {
    symbols: nameSymbols(facts.symbols, offsets),
    imports: facts.imports.map((entry) => ({
      ...entry,
      ...span(entry),
      names: entry.names.map((name) => ({ ...name, start: offsets.toByte(name.start) })),
    })),
    exports: facts.exports,
    sites: distinctSites(facts.dynamicSites.map((site) => ({ ...site, ...span(site) }))),
    provides: [...new Set(facts.provides)],
  };
}

/** Name paths (`A/b`) and, for equal ones, their number in order of position. */
function nameSymbols(symbols: readonly RawSymbol[], offsets: TextOffsets): SymbolRow[] {
  const rows: SymbolRow[] = [];
  const seen = new Map<string, number>();
  for (const symbol of symbols) {
    const above = symbol.parent < 0 ? undefined : rows[symbol.parent];
    const namePath = above === undefined ? symbol.name : joinNamePath(above.namePath, symbol.name);
    const overload = seen.get(namePath) ?? 0;
    seen.set(namePath, overload + 1);
    const { line, column } = offsets.toLineColumn(symbol.nameStart);
    rows.push({
      parent: symbol.parent,
      name: symbol.name,
      nameFold: symbol.name.toLowerCase(),
      namePath,
      overload,
      kind: symbol.kind,
      exported: symbol.exported,
      nameStart: offsets.toByte(symbol.nameStart),
      nameEnd: offsets.toByte(symbol.nameEnd),
      start: offsets.toByte(symbol.start),
      end: offsets.toByte(symbol.end),
      line,
      column,
    });
  }
  return rows;
}

function distinctSites<T extends { readonly start: number; readonly kind: string }>(sites: readonly T[]): T[] {
  const byKey = new Map<string, T>();
  for (const site of sites) {
    const key = `${site.start} ${site.kind}`;
    if (!byKey.has(key)) byKey.set(key, site);
  }
  return [...byKey.values()];
}
