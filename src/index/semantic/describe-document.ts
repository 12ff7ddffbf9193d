/**
 * One document of an index against the bytes it claims to describe (code-plane.md §6.2, §6.3): ranges become bytes, texts are judged, and
 * what does not fit is dropped or refuses the document. What symbols are called in the store is decided later, when all documents have
 * been seen.
 *
 * R12  A document is refused if more than one text in 200 does not fit its symbol: it was made from other bytes.
 * R16  Columns in UTF-8, UTF-16 and UTF-32 units give the same bytes.
 */

import { assert } from '../../kernel/base/assert.ts';
import { countWhile } from '../../kernel/base/count-while.ts';
import { singleLine, truncate } from '../../kernel/base/text.ts';
import {
  kindName,
  kindOfDescriptor,
  roleBits,
  type ScipDocument,
  type ScipOccurrence,
  type ScipRelationship,
  type ScipSymbol,
  signatureOf,
} from '../../kernel/formats/scip.ts';
import { findSecrets } from '../../kernel/secrets/find-secrets.ts';
import { findingFor, placeholderFor, redactString } from '../../kernel/secrets/redact-string.ts';
import type { Family } from '../../languages/projects/context-spec.ts';
import { type RelationKind, occurrenceStride as stride } from '../store/document-facts.ts';
import { hashLines } from '../text/line-hashes.ts';
import { excusedForm, failedForm, judgeForms, type Ranges } from './judge-forms.ts';
import { createSourceText, type PositionEncoding, type SourceText } from './source-text.ts';
import {
  findRelativeModule,
  isLocalSymbol,
  localShape,
  type PythonModule,
  type ShapeOf,
  type SymbolShape,
} from './symbol-shape.ts';

export type DocumentDraft = {
  readonly path: string;
  readonly contentHash: string;
  readonly shapes: readonly SymbolShape[];
  /** Of each shape, as far as this document tells. */
  readonly names: readonly (string | null)[];
  /** As in `DocumentFacts`, symbols being positions in `shapes`. */
  readonly occurrences: Int32Array;
  readonly infos: readonly DraftInfo[];
  readonly relations: readonly { readonly from: number; readonly to: number; readonly kind: RelationKind }[];
  readonly gaps: readonly DraftGap[];
  readonly lineHashes: Uint8Array;
};

type DraftInfo = { readonly symbol: number; readonly kind: string | null; readonly signature: string | null };
type DraftGap = {
  readonly symbol: number | null;
  readonly name: string | null;
  readonly start: number;
  readonly end: number;
  readonly detail: string;
};

type Description =
  | { readonly kind: 'described'; readonly draft: DocumentDraft }
  | { readonly kind: 'rejected'; readonly why: string };

type DescribeOptions = {
  readonly path: string;
  readonly contentHash: string;
  /** Of these bytes `contentHash` is the hash. */
  readonly bytes: Uint8Array;
  readonly family: Family;
  /** Where the document does not say. */
  readonly encoding: PositionEncoding;
  readonly shapeOf: ShapeOf;
};

/** One failed text in so many refuses a document. */
const textsPerFailure = 200;
/** Of faults that are known to be the tool's own, one in so many, and more than a short file can have by chance. */
const textsPerExcuse = 4;
const excusesMin = 10;

export function describeDocument(document: ScipDocument, options: DescribeOptions): Description {
  const { family, bytes } = options;
  const source = createSourceText(bytes);
  const converted = convertRanges(document, source, options);
  if (typeof converted === 'string') return { kind: 'rejected', why: converted };
  const { ranges, roles, table } = converted;
  const own = ownModule(ranges);
  if (family === 'python' && own !== undefined) {
    redirectModules(source.text, converted, { name: own.modulePath ?? '', isPackage: isPackageFile(options.path) });
  }
  const { forms, names, failed, excused } = judgeForms(source, family, ranges);
  const texts = countTexts(ranges);
  const quotes = createSourceQuotes(source.text);
  if (failed * textsPerFailure > texts || (excused > excusesMin && excused * textsPerExcuse > texts)) {
    return { kind: 'rejected', why: describeMismatch(source, quotes, ranges, forms, names, failed + excused, texts) };
  }
  const rows = new Int32Array(forms.length * stride);
  const gaps: DraftGap[] = [];
  let count = 0;
  for (let at = 0; at < forms.length; at += 1) {
    writePlace(rows, count * stride, source, converted, at);
    const symbol = ranges.symbols[at] as number;
    const form = forms[at] as number;
    if (form < 0) {
      const [start, end] = [rows[count * stride] as number, rows[count * stride + 1] as number];
      const [from, to] = [ranges.starts[at] as number, ranges.ends[at] as number];
      const written = quotes.isSecret(from, to) ? null : source.text.slice(from, to);
      const said = describeGap(quotes.quote(from, to, 80), names[symbol] ?? null);
      const gap = { symbol, name: nameIn(written), start, end, detail: said };
      // A word at fault casts doubt on that word, not on what it was mistaken for.
      gaps.push(form === excusedForm ? { ...gap, symbol: null } : gap);
      continue;
    }
    rows[count * stride + 2] = symbol;
    rows[count * stride + 3] = roles[at] as number;
    rows[count * stride + 4] = form;
    count += 1;
  }
  const { sorted, crossing } = sortOccurrences(count === forms.length ? rows : rows.slice(0, count * stride));
  for (const [start, end, symbol] of crossing) {
    gaps.push({ symbol, name: names[symbol] ?? null, start, end, detail: 'crosses another occurrence' });
  }
  const { infos, relations } = describeSymbols(document.symbols, table);
  return {
    kind: 'described',
    draft: {
      path: options.path,
      contentHash: options.contentHash,
      shapes: table.shapes,
      // Those that only informations name have come later.
      names: table.shapes.map((shape, at) => names[at] ?? shape.name),
      occurrences: sorted,
      infos,
      relations,
      gaps,
      lineHashes: hashLines(bytes),
    },
  };
}

/** Symbols of one document by position. */
type SymbolTable = {
  readonly shapes: SymbolShape[];
  indexOf(raw: string): number;
};

function createSymbolTable(shapeOf: ShapeOf): SymbolTable {
  const shapes: SymbolShape[] = [];
  const positions = new Map<string, number>();
  return {
    shapes,
    indexOf(raw) {
      let at = positions.get(raw);
      if (at === undefined) {
        at = shapes.length;
        positions.set(raw, at);
        // Nothing about a local is shared with other documents.
        shapes.push(isLocalSymbol(raw) ? localShape(raw) : shapeOf(raw));
      }
      return at;
    },
  };
}

type Converted = {
  readonly ranges: Ranges;
  readonly roles: Int32Array;
  /** On which lines the ranges begin and end. */
  readonly lines: Int32Array;
  readonly endLines: Int32Array;
  readonly table: SymbolTable;
};

function convertRanges(document: ScipDocument, source: SourceText, options: DescribeOptions): Converted | string {
  const encoding = (document.positionEncoding || options.encoding) as PositionEncoding;
  if (encoding < 1 || encoding > 3) return `position encoding ${encoding} is not known`;
  const named = document.occurrences.filter(({ symbol }) => symbol !== '');
  const column = (): Int32Array => new Int32Array(named.length);
  const [starts, ends, symbols, roles, lines, endLines] = [column(), column(), column(), column(), column(), column()];
  const table = createSymbolTable(options.shapeOf);
  const bomCounts = source.hasBom && countsBom(document, source, encoding, options.shapeOf);
  for (let at = 0; at < named.length; at += 1) {
    const { range, symbol, roles: bits } = named[at] as ScipOccurrence;
    if (range.length !== 3 && range.length !== 4) return `a range of ${range.length} numbers`;
    const line = range[0] as number;
    const endLine = range.length === 3 ? line : (range[2] as number);
    symbols[at] = table.indexOf(symbol);
    roles[at] = bits;
    // The tool gives the file's own symbol an empty range at the very beginning, whether or not it counts the BOM.
    if (line === 0 && range[1] === 0 && range[2] === 0 && range.length === 3) continue;
    const start = source.indexAt(line, range[1] as number, encoding, bomCounts);
    const end = source.indexAt(endLine, range[range.length - 1] as number, encoding, bomCounts);
    if (start < 0 || end < 0) return `the range ${range.join(':')} is outside of the text`;
    if (end < start) return `the range ${range.join(':')} ends before it begins`;
    starts[at] = start;
    ends[at] = end;
    lines[at] = line;
    endLines[at] = endLine;
  }
  const displayNames = new Map<string, string>();
  for (const { symbol, displayName } of document.symbols) if (displayName !== '') displayNames.set(symbol, displayName);
  return {
    table,
    roles,
    lines,
    endLines,
    ranges: {
      starts,
      ends,
      symbols,
      shapes: table.shapes,
      isDefinition: (at) => ((roles[at] as number) & roleBits.definition) !== 0,
      displayName: (symbol) => displayNames.get(table.shapes[symbol]?.raw ?? ''),
    },
  };
}

/** Compilers read past a BOM, scip-python counts it. Whichever makes more names of the first line fit is right. */
function countsBom(document: ScipDocument, source: SourceText, encoding: PositionEncoding, shapeOf: ShapeOf): boolean {
  const fitting = (bomCounts: boolean): number => {
    let count = 0;
    for (const { range, symbol } of document.occurrences) {
      const [line, column = 0, end = 0] = range;
      if (line !== 0 || range.length !== 3 || symbol === '' || isLocalSymbol(symbol)) continue;
      const { name } = shapeOf(symbol);
      const [from, to] = [source.indexAt(0, column, encoding, bomCounts), source.indexAt(0, end, encoding, bomCounts)];
      if (from >= 0 && to > from && source.text.slice(from, to) === name) count += 1;
    }
    return count;
  };
  return fitting(true) > fitting(false);
}

/** The module that the document itself is: what it defines at its very beginning. */
function ownModule({ starts, ends, symbols, shapes, isDefinition }: Ranges): SymbolShape | undefined {
  for (let at = 0; at < starts.length; at += 1) {
    const shape = shapes[symbols[at] as number];
    if (starts[at] === 0 && ends[at] === 0 && isDefinition(at) && shape?.role === 'module') return shape;
  }
  return undefined;
}

function isPackageFile(path: string): boolean {
  return /(?:^|\/)__init__\.pyi?$/.test(path);
}

function redirectModules(text: string, { ranges, table }: Converted, own: PythonModule): void {
  const { starts, ends, symbols } = ranges;
  for (let at = 0; at < starts.length; at += 1) {
    const shape = table.shapes[symbols[at] as number] as SymbolShape;
    const raw = findRelativeModule(shape, text, starts[at] as number, ends[at] as number, own);
    if (raw !== undefined) symbols[at] = table.indexOf(raw);
  }
}

function countTexts({ starts, ends }: Ranges): number {
  let count = 0;
  for (let at = 0; at < starts.length; at += 1) if (starts[at] !== ends[at]) count += 1;
  return count;
}

function describeMismatch(
  source: SourceText,
  quotes: SourceQuotes,
  { starts, ends, symbols }: Ranges,
  forms: Int8Array,
  names: readonly (string | null)[],
  count: number,
  texts: number,
): string {
  const at = forms.findIndex((form) => form <= failedForm);
  const line = source.lineOf(starts[at] as number) + 1;
  const written = quotes.quote(starts[at] as number, ends[at] as number, 40);
  // Before it is cut: half a secret is not recognised as one.
  const hidden = redactString(names[symbols[at] as number] ?? '', { entropy: true }).text;
  const name = truncate(singleLine(hidden), 40);
  return `${count} of ${texts} texts are not what the index says: line ${line} has "${written}" for "${name}"`;
}

function describeGap(quoted: string, name: string | null): string {
  const hidden = name === null ? 'a name' : redactString(name, { entropy: true }).text;
  return truncate(singleLine(`the text ${quoted} is not ${hidden}`), 200);
}

function nameIn(written: string | null): string | null {
  return written !== null && /^[\p{ID_Continue}$]+$/u.test(written) ? written : null;
}

function writePlace(rows: Int32Array, to: number, source: SourceText, converted: Converted, at: number): void {
  const start = converted.ranges.starts[at] as number;
  const end = converted.ranges.ends[at] as number;
  let line = converted.lines[at] as number;
  let endLine = converted.endLines[at] as number;
  // A range over several lines may have been narrowed.
  if (line !== endLine) [line, endLine] = [source.lineOf(start), source.lineOf(end)];
  const from = source.byteAt(line, start);
  rows[to] = from;
  rows[to + 1] = start === end ? from : source.byteAt(endLine, end);
  rows[to + 5] = line;
  rows[to + 6] = start - source.lineStart(line);
  rows[to + 7] = endLine;
  rows[to + 8] = end - source.lineStart(endLine);
}

function describeSymbols(
  symbols: readonly ScipSymbol[],
  table: SymbolTable,
): Pick<DocumentDraft, 'infos' | 'relations'> {
  const infos: DraftInfo[] = [];
  const relations: { from: number; to: number; kind: RelationKind }[] = [];
  for (const said of symbols) {
    if (said.symbol === '') continue;
    const symbol = table.indexOf(said.symbol);
    const { suffix } = table.shapes[symbol] as SymbolShape;
    const kind = kindName(said.kind) ?? (suffix === null ? null : kindOfDescriptor({ suffix }));
    infos.push({ symbol, kind, signature: signatureOf(said) });
    for (const relationship of said.relationships) {
      if (relationship.symbol === '') continue;
      const to = table.indexOf(relationship.symbol);
      for (const kindOf of kindsOf(relationship)) relations.push({ from: symbol, to, kind: kindOf });
    }
  }
  return { infos, relations };
}

function kindsOf(relationship: ScipRelationship): readonly RelationKind[] {
  const kinds: RelationKind[] = [];
  if (relationship.isImplementation) kinds.push('implements');
  if (relationship.isReference) kinds.push('reference');
  if (relationship.isTypeDefinition) kinds.push('type_definition');
  if (relationship.isDefinition) kinds.push('definition');
  return kinds;
}

/**
 * Quotes a file in what is said about it (S12): a place that touches a secret is quoted as the placeholder of the whole secret. Looked for
 * in the file and not in the quotation, because what is cut out of a secret, or out of what stands around it, does not look like one.
 */
type SourceQuotes = {
  /** One line of at most so many characters. Positions are UTF-16. */
  quote(start: number, end: number, limit: number): string;
  isSecret(start: number, end: number): boolean;
};

/** Nothing is looked for until something is asked. */
function createSourceQuotes(text: string): SourceQuotes {
  let spans: ReturnType<typeof findSecrets> | undefined;
  const spanAt = (start: number, end: number) => {
    spans ??= findSecrets(text, { entropy: true });
    // They are in order and do not overlap: the first that ends behind the start.
    const found = spans[countWhile(spans, (span) => span.end <= start)];
    return found !== undefined && found.start < end ? found : undefined;
  };
  return {
    isSecret: (start, end) => spanAt(start, end) !== undefined,
    quote(start, end, limit) {
      const secret = spanAt(start, end);
      if (secret !== undefined) {
        return placeholderFor(findingFor(text.slice(secret.start, secret.end), secret.class).fingerprint);
      }
      // More would not be shown, however long the range is; one character over tells that there is more.
      return truncate(singleLine(text.slice(start, Math.min(end, start + limit * 4 + 1))), limit);
    },
  };
}

/**
 * Two documents of one file: an indexer that was led through a link, or a header that several translation units include. Both were checked
 * against the same bytes, so what either says is true of them. Locals of one are not those of the other.
 */
export function mergeDrafts(first: DocumentDraft, second: DocumentDraft): DocumentDraft {
  assert(first.path === second.path && first.contentHash === second.contentHash, 'one file at one moment');
  const shapes: SymbolShape[] = [...first.shapes];
  const names: (string | null)[] = [...first.names];
  const byRaw = new Map(first.shapes.map((shape, at) => [shape.raw, at]));
  const prefix = localPrefix(first.shapes);
  const positions = second.shapes.map((shape, at) => {
    const raw = shape.isLocal ? `local ${prefix}${shape.raw.slice('local '.length)}` : shape.raw;
    const known = byRaw.get(raw);
    if (known !== undefined) return known;
    shapes.push(shape.isLocal ? { ...shape, raw } : shape);
    names.push(second.names[at] ?? null);
    byRaw.set(raw, shapes.length - 1);
    return shapes.length - 1;
  });
  const moved = (symbol: number): number => positions[symbol] as number;
  const occurrences = new Int32Array(first.occurrences.length + second.occurrences.length);
  occurrences.set(first.occurrences);
  occurrences.set(second.occurrences, first.occurrences.length);
  for (let at = first.occurrences.length; at < occurrences.length; at += stride) {
    occurrences[at + 2] = moved(occurrences[at + 2] as number);
  }
  const { sorted, crossing } = sortOccurrences(occurrences);
  const known = new Set(first.infos.map(({ symbol }) => symbol));
  return {
    ...first,
    shapes,
    names,
    occurrences: sorted,
    infos: [
      ...first.infos,
      ...second.infos
        .map((info) => ({ ...info, symbol: moved(info.symbol) }))
        .filter(({ symbol }) => !known.has(symbol)),
    ],
    relations: [
      ...first.relations,
      ...second.relations.map(({ from, to, kind }) => ({ from: moved(from), to: moved(to), kind })),
    ],
    gaps: [
      ...first.gaps,
      ...second.gaps.map((gap) => ({ ...gap, symbol: gap.symbol === null ? null : moved(gap.symbol) })),
      ...crossing.map(([start, end, symbol]) => ({
        symbol,
        name: names[symbol] ?? null,
        start,
        end,
        detail: 'crosses another occurrence',
      })),
    ],
  };
}

/** `2.`, `3.`, …: which document a local comes from. */
function localPrefix(shapes: readonly SymbolShape[]): string {
  let last = 1;
  for (const { raw, isLocal } of shapes) {
    const seen = isLocal ? /^local (\d+)\./.exec(raw) : null;
    if (seen !== null) last = Math.max(last, Number(seen[1]));
  }
  return `${last + 1}.`;
}

// ---- occurrences in the order of the store, each once: by start, end, symbol. Said twice they are one with the roles of both. D8: no two
// cross; of two that do, the later one is taken out and given back.

type SortedOccurrences = {
  readonly sorted: Int32Array;
  readonly crossing: readonly (readonly [start: number, end: number, symbol: number])[];
};

export function sortOccurrences(rows: Int32Array): SortedOccurrences {
  const count = rows.length / stride;
  const order = new Uint32Array(count);
  let isSorted = true;
  for (let at = 0; at < count; at += 1) {
    order[at] = at;
    if (at > 0 && compare(rows, at - 1, at) >= 0) isSorted = false;
  }
  if (!isSorted) order.sort((a, b) => compare(rows, a, b) || a - b);
  const kept = isSorted ? rows : mergeEqual(rows, order);
  return mayCross(kept) ? withoutCrossing(kept) : { sorted: kept, crossing: [] };
}

function compare(rows: Int32Array, a: number, b: number): number {
  const [left, right] = [a * stride, b * stride];
  return (
    (rows[left] as number) - (rows[right] as number) ||
    (rows[left + 1] as number) - (rows[right + 1] as number) ||
    (rows[left + 2] as number) - (rows[right + 2] as number)
  );
}

function mergeEqual(rows: Int32Array, order: Uint32Array): Int32Array {
  const merged = new Int32Array(rows.length);
  let end = 0;
  for (let place = 0; place < order.length; place += 1) {
    const at = order[place] as number;
    if (place > 0 && compare(rows, order[place - 1] as number, at) === 0) {
      merged[end - stride + 3] = (merged[end - stride + 3] as number) | (rows[at * stride + 3] as number);
      continue;
    }
    for (let column = 0; column < stride; column += 1) merged[end + column] = rows[at * stride + column] as number;
    end += stride;
  }
  return end === merged.length ? merged : merged.slice(0, end);
}

/** Anything inside of anything else: rare, so that the exact question is rarely asked. */
function mayCross(rows: Int32Array): boolean {
  let furthest = -1;
  for (let at = 0; at < rows.length; at += stride) {
    const [start, end] = [rows[at] as number, rows[at + 1] as number];
    if (start < furthest && !(at > 0 && start === rows[at - stride] && end === rows[at - stride + 1])) return true;
    if (end > furthest) furthest = end;
  }
  return false;
}

function withoutCrossing(rows: Int32Array): SortedOccurrences {
  const count = rows.length / stride;
  // The wider one first, so that what is open is nested.
  const order = Uint32Array.from({ length: count }, (_, at) => at).sort(
    (a, b) =>
      (rows[a * stride] as number) - (rows[b * stride] as number) ||
      (rows[b * stride + 1] as number) - (rows[a * stride + 1] as number) ||
      a - b,
  );
  const open: { readonly start: number; readonly end: number }[] = [];
  const dropped = new Set<number>();
  const crossing: [number, number, number][] = [];
  for (const at of order) {
    const [start, end] = [rows[at * stride] as number, rows[at * stride + 1] as number];
    while (open.length > 0 && (open.at(-1)?.end as number) <= start) open.pop();
    const around = open.at(-1);
    if (around !== undefined && around.start < start && around.end < end) {
      dropped.add(at);
      crossing.push([start, end, rows[at * stride + 2] as number]);
    } else if (end > start) open.push({ start, end });
  }
  if (dropped.size === 0) return { sorted: rows, crossing };
  const sorted = new Int32Array(rows.length - dropped.size * stride);
  let to = 0;
  for (let at = 0; at < count; at += 1) {
    if (dropped.has(at)) continue;
    sorted.set(rows.subarray(at * stride, (at + 1) * stride), to);
    to += stride;
  }
  return { sorted, crossing };
}
