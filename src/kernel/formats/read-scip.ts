/**
 * Reads an index file part by part, one `Document` in memory at a time (code-plane.md §6.2). Promises: memory depends on the largest
 * document, not on the file; a field that is not known is stepped over; and a file that is absent, empty, cut off or not an index is a
 * failure, never an empty index.
 *
 * The format has no end mark. A cut exactly between two top-level fields leaves a shorter, well-formed index: nothing here can see that;
 * the import notices the missing documents. A failure may come after parts were handed out: their receiver drops them.
 */

import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { BinaryReader } from '@bufbuild/protobuf/wire';
import type {
  ScipDocument,
  ScipMetadata,
  ScipOccurrence,
  ScipPart,
  ScipReadOutcome,
  ScipRelationship,
  ScipSymbol,
} from './scip.ts';

type ScipReadOptions = {
  readonly maxBytes?: number;
  readonly maxDocumentBytes?: number;
  /** Some parts of an index, which need not be one by themselves. */
  readonly isPartial?: boolean;
  /** A document whose frame is whole and whose content is not: told here and left out. Without this it fails the file. */
  readonly onUndecodable?: (detail: string) => void;
};

const scipLimits = { maxBytes: 4 * 1024 ** 3, maxDocumentBytes: 128 * 1024 ** 2, maxParts: 4_000_000 } as const;

const CHUNK_BYTES = 1024 * 1024;
/** How much is decoded between two turns of the event loop: a few milliseconds. */
const TURN_BYTES = 256 * 1024;
/** A tag of at most 5 bytes and a length or number of at most 10. */
const MAX_HEAD_BYTES = 15;

export function readScip(
  path: string,
  onPart: (part: ScipPart) => void,
  options: ScipReadOptions = {},
): ScipReadOutcome {
  return drain(scanFile(path, options), onPart);
}

/** The same for bytes at hand. */
export function readScipBytes(
  bytes: Uint8Array,
  onPart: (part: ScipPart) => void,
  options: ScipReadOptions = {},
): ScipReadOutcome {
  return drain(scanParts(bytesSource(bytes), options), onPart);
}

/** For bytes of many small indexes: what their strings have in common is decoded once. */
export function createScipBytesReader(): typeof readScipBytes {
  const decoder = createPartDecoder();
  return (bytes, onPart, options = {}) => drain(scanParts(bytesSource(bytes), options, decoder), onPart);
}

/** Waits for each part to be taken, and lets the event loop turn between documents. */
export function readScipAsync(
  path: string,
  onPart: (part: ScipPart) => void | Promise<void>,
  options: ScipReadOptions = {},
): Promise<ScipReadOutcome> {
  return drainInTurns(scanFile(path, options), onPart);
}

/** The same in turns, as `readScipAsync` does it. */
export function createScipBytesReaderAsync() {
  const decoder = createPartDecoder();
  return (
    bytes: Uint8Array,
    onPart: (part: ScipPart) => void | Promise<void>,
    options: ScipReadOptions = {},
  ): Promise<ScipReadOutcome> => drainInTurns(scanParts(bytesSource(bytes), options, decoder), onPart);
}

/** Where documents stand in an index, tags and lengths included. False: the bytes are not made of fields. Nothing is decoded. */
export function eachScipDocument(bytes: Uint8Array, onDocument: (start: number, end: number) => void): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < buffer.length; ) {
    const field = readField(buffer.subarray(at, at + MAX_HEAD_BYTES));
    if (typeof field === 'string') return false;
    const end = at + field.headBytes + field.bodyBytes;
    if (end > buffer.length) return false;
    if (field.number === 2 && field.delimited) onDocument(at, end);
    at = end;
  }
  return true;
}

async function drainInTurns(parts: Scan, onPart: (part: ScipPart) => void | Promise<void>): Promise<ScipReadOutcome> {
  let sinceTurn = 0;
  try {
    for (let next = parts.next(); ; next = parts.next()) {
      if (next.done === true) return next.value;
      const { part, bytes } = next.value;
      const taken = onPart(part);
      if (taken !== undefined) await taken;
      sinceTurn += bytes;
      if (sinceTurn < TURN_BYTES) continue;
      sinceTurn = 0;
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  } finally {
    parts.return(stopped);
  }
}

type Scan = Generator<{ readonly part: ScipPart; readonly bytes: number }, ScipReadOutcome, undefined>;
type FailureReason = Extract<ScipReadOutcome, { kind: 'failed' }>['reason'];

/** Never read: it closes the file when a receiver throws. */
const stopped = fail('undecodable', 'stopped');

function fail(reason: FailureReason, detail: string): ScipReadOutcome {
  return { kind: 'failed', reason, detail };
}

function drain(parts: Scan, onPart: (part: ScipPart) => void): ScipReadOutcome {
  try {
    for (let next = parts.next(); ; next = parts.next()) {
      if (next.done === true) return next.value;
      onPart(next.value.part);
    }
  } finally {
    parts.return(stopped);
  }
}

function* scanFile(path: string, options: ScipReadOptions): Scan {
  let descriptor: number;
  try {
    // Not blocking, so that a pipe under this name cannot hold us up.
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    return fail('absent', `cannot be opened: ${(error as NodeJS.ErrnoException).code}`);
  }
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) return fail('absent', 'not a regular file');
    return yield* scanParts({ size: stat.size, read: (into, at) => readFully(descriptor, into, at) }, options);
  } finally {
    closeSync(descriptor);
  }
}

/** Where the bytes come from. `read` fills `into` from an offset, or says that it could not. */
type ByteSource = { readonly size: number; read(into: Buffer, at: number): boolean };

function readFully(descriptor: number, into: Buffer, at: number): boolean {
  let filled = 0;
  while (filled < into.length) {
    const got = readSync(descriptor, into, filled, into.length - filled, at + filled);
    if (got === 0) return false;
    filled += got;
  }
  return true;
}

function bytesSource(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.length,
    read(into, at) {
      into.set(bytes.subarray(at, at + into.length));
      return true;
    },
  };
}

function* scanParts(source: ByteSource, options: ScipReadOptions, decoder = createPartDecoder()): Scan {
  const { maxBytes = scipLimits.maxBytes, maxDocumentBytes = scipLimits.maxDocumentBytes, onUndecodable } = options;
  const { size } = source;
  if (size === 0) return fail('empty', 'the file has no bytes');
  if (size > maxBytes) return fail('too_large', `${size} bytes, at most ${maxBytes} are read`);
  const window = createWindow(source);
  let [metadata, documents, externals] = [0, 0, 0];
  let at = 0;
  while (at < size) {
    const head = window.view(at, Math.min(MAX_HEAD_BYTES, size - at));
    if (head === undefined) return fail('truncated', `the file became shorter than ${size} bytes`);
    const field = readField(head);
    if (typeof field === 'string') return fail(field, `no field at byte ${at} of ${size}`);
    const start = at + field.headBytes;
    at = start + field.bodyBytes;
    if (at > size) return fail('truncated', `a field at byte ${start} ends ${at - size} bytes after the file`);
    if (field.number > 3) continue;
    if (!field.delimited) return fail('undecodable', `field ${field.number} before byte ${start} is not a message`);
    if (field.bodyBytes > maxDocumentBytes) {
      return fail('too_large', `a part of ${field.bodyBytes} bytes, at most ${maxDocumentBytes} are read`);
    }
    const body = window.view(start, field.bodyBytes);
    if (body === undefined) return fail('truncated', `the file became shorter than ${size} bytes`);
    const decoded = decodePart(decoder, field.number, body);
    if (decoded.kind === 'failed') {
      const detail = `the part at byte ${start}: ${decoded.detail}`;
      if (decoded.reason === 'too_large' || onUndecodable === undefined) return fail(decoded.reason, detail);
      onUndecodable(detail);
      continue;
    }
    if (decoded.kind === 'document') documents += 1;
    else if (decoded.kind === 'external') externals += 1;
    else metadata += 1;
    if (metadata + documents + externals > scipLimits.maxParts) {
      return fail('too_large', `more than ${scipLimits.maxParts} parts`);
    }
    yield { part: decoded, bytes: field.bodyBytes };
  }
  if (metadata + documents === 0 && options.isPartial !== true)
    return fail('undecodable', 'no metadata and no document: not an index');
  return { kind: 'read', documents, externals, bytes: size };
}

/** A stretch of the source in one buffer, which is as large as the largest stretch asked for. A view is good until the next one. */
function createWindow(source: ByteSource): { view(at: number, length: number): Buffer | undefined } {
  let buffer = Buffer.allocUnsafeSlow(Math.min(CHUNK_BYTES, source.size));
  let [from, to] = [0, 0];
  return {
    view(at, length) {
      if (at < from || at + length > to) {
        const wanted = Math.min(Math.max(length, CHUNK_BYTES), source.size - at);
        if (wanted > buffer.length) buffer = Buffer.allocUnsafeSlow(wanted);
        if (!source.read(buffer.subarray(0, wanted), at)) return undefined;
        [from, to] = [at, at + wanted];
      }
      return buffer.subarray(at - from, at - from + length);
    },
  };
}

type Field = {
  readonly number: number;
  readonly delimited: boolean;
  readonly headBytes: number;
  readonly bodyBytes: number;
};

/** The field that begins here; its body may lie outside of the bytes given. */
function readField(head: Buffer): Field | 'truncated' | 'undecodable' {
  const tag = readVarint(head, 0);
  if (typeof tag === 'string') return tag;
  const number = Math.floor(tag.value / 8);
  if (number < 1 || number >= 2 ** 29) return 'undecodable';
  const fixed = (bodyBytes: number): Field => ({ number, delimited: false, headBytes: tag.next, bodyBytes });
  switch (tag.value % 8) {
    case 0: {
      const value = readVarint(head, tag.next);
      return typeof value === 'string' ? value : fixed(value.next - tag.next);
    }
    case 1:
      return fixed(8);
    case 2: {
      const length = readVarint(head, tag.next);
      if (typeof length === 'string') return length;
      return { number, delimited: true, headBytes: length.next, bodyBytes: length.value };
    }
    case 5:
      return fixed(4);
    default:
      // Groups: no version of the schema has had one.
      return 'undecodable';
  }
}

/** Numbers past 2^53 lose digits, and are too large for anything before they do. */
function readVarint(
  bytes: Buffer,
  start: number,
): { readonly value: number; readonly next: number } | 'truncated' | 'undecodable' {
  let value = 0;
  for (let at = start; at < start + 10; at += 1) {
    const byte = bytes[at];
    if (byte === undefined) return 'truncated';
    value += (byte & 0x7f) * 2 ** (7 * (at - start));
    if (byte < 0x80) return { value, next: at + 1 };
  }
  return 'undecodable';
}

type DecodedPart = ScipPart | Extract<ScipReadOutcome, { kind: 'failed' }>;

function decodePart(decoder: PartDecoder, field: number, body: Buffer): DecodedPart {
  try {
    if (field === 1) return { kind: 'metadata', metadata: decoder.metadata(body) };
    if (field === 2) return { kind: 'document', document: decoder.document(body) };
    return { kind: 'external', symbol: decoder.symbol(body) };
  } catch (error) {
    // The wire reader throws what it finds; here it becomes a value.
    const { message: detail } = error as Error;
    return { kind: 'failed', reason: error instanceof PartTooLarge ? 'too_large' : 'undecodable', detail };
  }
}

// Decoding: the messages of scip.proto inside one top-level field, from bytes to values. Field numbers are those of the schema; what is
// not listed here is skipped, so an index of a newer tool still decodes. Nothing recurses with the input, no list grows past
// `MAX_ELEMENTS`, and whatever is not a message throws, and the scan above makes a value of that.
//
// Hand-written: this is the innermost loop of an import (a million occurrences a second), so tags are compared as they stand in the file,
// number and wire type in one, and every object is made by one literal.

/** Occurrences, symbols, relationships and comments of one document. A file of 4 MiB cannot name more things than this. */
const MAX_ELEMENTS = 2_000_000;

/** Well-formed, and more than anything real. */
class PartTooLarge extends Error {
  override readonly name = 'PartTooLarge';
}

type PartDecoder = {
  readonly metadata: (bytes: Buffer) => ScipMetadata;
  readonly document: (bytes: Buffer) => ScipDocument;
  readonly symbol: (bytes: Buffer) => ScipSymbol;
};

type Decoding = {
  readonly bytes: Buffer;
  readonly reader: BinaryReader;
  readonly strings: StringCache;
  /** How many more elements this part may have. */
  left: number;
};

/** Shared by every occurrence without one; ranges are never written to. */
const noRange: readonly number[] = Object.freeze([]);

function createPartDecoder(): PartDecoder {
  const strings = createStringCache();
  const begin = (bytes: Buffer): Decoding => ({ bytes, reader: new BinaryReader(bytes), strings, left: MAX_ELEMENTS });
  return {
    metadata: (bytes) => decodeMetadata(begin(bytes)),
    document: (bytes) => decodeDocument(begin(bytes)),
    symbol: (bytes) => decodeSymbol(begin(bytes), bytes.length),
  };
}

/** Field number and wire type as one number, as they stand in the file. */
const varint = (field: number): number => field << 3;
const delimited = (field: number): number => (field << 3) | 2;

const METADATA = { toolInfo: delimited(2), projectRoot: delimited(3) } as const;
const TOOL_INFO = { name: delimited(1), version: delimited(2) } as const;

function decodeMetadata(decoding: Decoding): ScipMetadata {
  const { reader, bytes } = decoding;
  let toolName = '';
  let toolVersion = '';
  let projectRoot = '';
  while (reader.pos < bytes.length) {
    const tag = reader.uint32();
    if (tag === METADATA.projectRoot) projectRoot = readString(decoding);
    else if (tag === METADATA.toolInfo) {
      const end = readEnd(decoding);
      while (reader.pos < end) {
        const inner = reader.uint32();
        if (inner === TOOL_INFO.name) toolName = readString(decoding);
        else if (inner === TOOL_INFO.version) toolVersion = readString(decoding);
        else skip(decoding, inner);
      }
      checkEnd(decoding, end);
    } else skip(decoding, tag);
  }
  return { toolName, toolVersion, projectRoot };
}

const DOCUMENT_PATH = delimited(1);
const DOCUMENT_OCCURRENCES = delimited(2);
const DOCUMENT_SYMBOLS = delimited(3);
const DOCUMENT_LANGUAGE = delimited(4);
const DOCUMENT_TEXT = delimited(5);
const DOCUMENT_ENCODING = varint(6);

function decodeDocument(decoding: Decoding): ScipDocument {
  const { reader, bytes, strings } = decoding;
  strings.bad = false;
  let relativePath = '';
  let language = '';
  let text = '';
  let positionEncoding = 0;
  const occurrences: ScipOccurrence[] = [];
  const symbols: ScipSymbol[] = [];
  while (reader.pos < bytes.length) {
    const tag = reader.uint32();
    if (tag === DOCUMENT_OCCURRENCES) {
      count(decoding);
      occurrences.push(decodeOccurrence(decoding, readEnd(decoding)));
    } else if (tag === DOCUMENT_SYMBOLS) {
      count(decoding);
      symbols.push(decodeSymbol(decoding, readEnd(decoding)));
    } else if (tag === DOCUMENT_PATH) relativePath = readString(decoding);
    else if (tag === DOCUMENT_LANGUAGE) language = readString(decoding);
    else if (tag === DOCUMENT_TEXT) text = readString(decoding);
    else if (tag === DOCUMENT_ENCODING) positionEncoding = reader.int32();
    else skip(decoding, tag);
  }
  return { relativePath, language, positionEncoding, text, occurrences, symbols, hadBadText: strings.bad };
}

const OCCURRENCE_RANGE = delimited(1);
const OCCURRENCE_RANGE_UNPACKED = varint(1);
const OCCURRENCE_SYMBOL = delimited(2);
const OCCURRENCE_ROLES = varint(3);
const OCCURRENCE_ENCLOSING = delimited(7);
const OCCURRENCE_ENCLOSING_UNPACKED = varint(7);
const OCCURRENCE_SINGLE_LINE = delimited(8);
const OCCURRENCE_MULTI_LINE = delimited(9);
const OCCURRENCE_ENCLOSING_SINGLE_LINE = delimited(10);
const OCCURRENCE_ENCLOSING_MULTI_LINE = delimited(11);

/** Newer tools write ranges as messages, older ones as packed ints; where both are given the message counts. */
function decodeOccurrence(decoding: Decoding, end: number): ScipOccurrence {
  const { reader } = decoding;
  let range = noRange;
  let enclosingRange = noRange;
  let typedRange: readonly number[] | undefined;
  let typedEnclosing: readonly number[] | undefined;
  let symbol = '';
  let roles = 0;
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag === OCCURRENCE_RANGE) range = joinRanges(range, readPackedRange(decoding));
    else if (tag === OCCURRENCE_SYMBOL) symbol = readString(decoding);
    else if (tag === OCCURRENCE_ROLES) roles = reader.int32();
    else if (tag === OCCURRENCE_ENCLOSING) enclosingRange = joinRanges(enclosingRange, readPackedRange(decoding));
    else if (tag === OCCURRENCE_SINGLE_LINE) typedRange = readTypedRange(decoding, 3);
    else if (tag === OCCURRENCE_MULTI_LINE) typedRange = readTypedRange(decoding, 4);
    else if (tag === OCCURRENCE_ENCLOSING_SINGLE_LINE) typedEnclosing = readTypedRange(decoding, 3);
    else if (tag === OCCURRENCE_ENCLOSING_MULTI_LINE) typedEnclosing = readTypedRange(decoding, 4);
    else if (tag === OCCURRENCE_RANGE_UNPACKED) range = joinRanges(range, [reader.int32()]);
    else if (tag === OCCURRENCE_ENCLOSING_UNPACKED) enclosingRange = joinRanges(enclosingRange, [reader.int32()]);
    else skip(decoding, tag);
  }
  checkEnd(decoding, end);
  if (typedRange !== undefined) range = typedRange;
  if (typedEnclosing !== undefined) enclosingRange = typedEnclosing;
  return { range, enclosingRange, symbol, roles };
}

/** A range is wrong from its fifth int on, whatever follows. */
function readPackedRange(decoding: Decoding): readonly number[] {
  const { reader } = decoding;
  const end = readEnd(decoding);
  const range: number[] = [];
  while (reader.pos < end) {
    const value = reader.int32();
    if (range.length < 5) range.push(value);
  }
  checkEnd(decoding, end);
  return range;
}

/** A repeated field may come in pieces. */
function joinRanges(range: readonly number[], more: readonly number[]): readonly number[] {
  return range.length === 0 ? more : [...range, ...more].slice(0, 5);
}

function readTypedRange(decoding: Decoding, ints: 3 | 4): readonly number[] {
  const { reader } = decoding;
  const end = readEnd(decoding);
  const range = ints === 3 ? [0, 0, 0] : [0, 0, 0, 0];
  while (reader.pos < end) {
    const tag = reader.uint32();
    const field = tag >>> 3;
    if ((tag & 7) === 0 && field >= 1 && field <= ints) range[field - 1] = reader.int32();
    else skip(decoding, tag);
  }
  checkEnd(decoding, end);
  return range;
}

const SYMBOL_SYMBOL = delimited(1);
const SYMBOL_DOCUMENTATION = delimited(3);
const SYMBOL_RELATIONSHIPS = delimited(4);
const SYMBOL_KIND = varint(5);
const SYMBOL_DISPLAY_NAME = delimited(6);
const SYMBOL_SIGNATURE = delimited(7);
const SYMBOL_ENCLOSING = delimited(8);

function decodeSymbol(decoding: Decoding, end: number): ScipSymbol {
  const { reader } = decoding;
  let symbol = '';
  let kind = 0;
  let displayName = '';
  let signature = '';
  let enclosingSymbol = '';
  const documentation: string[] = [];
  const relationships: ScipRelationship[] = [];
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag === SYMBOL_SYMBOL) symbol = readString(decoding);
    else if (tag === SYMBOL_DOCUMENTATION) {
      count(decoding);
      documentation.push(readString(decoding));
    } else if (tag === SYMBOL_RELATIONSHIPS) {
      count(decoding);
      relationships.push(decodeRelationship(decoding, readEnd(decoding)));
    } else if (tag === SYMBOL_KIND) kind = reader.int32();
    else if (tag === SYMBOL_DISPLAY_NAME) displayName = readString(decoding);
    else if (tag === SYMBOL_SIGNATURE) signature = readSignature(decoding);
    else if (tag === SYMBOL_ENCLOSING) enclosingSymbol = readString(decoding);
    else skip(decoding, tag);
  }
  checkEnd(decoding, end);
  return { symbol, documentation, relationships, kind, displayName, signature, enclosingSymbol };
}

/** Once a `Document`, now a `Signature`: the text has the same number in both. */
function readSignature(decoding: Decoding): string {
  const { reader } = decoding;
  const end = readEnd(decoding);
  let text = '';
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag === DOCUMENT_TEXT) text = readString(decoding);
    else skip(decoding, tag);
  }
  checkEnd(decoding, end);
  return text;
}

const RELATIONSHIP_SYMBOL = delimited(1);
const RELATIONSHIP_REFERENCE = varint(2);
const RELATIONSHIP_IMPLEMENTATION = varint(3);
const RELATIONSHIP_TYPE_DEFINITION = varint(4);
const RELATIONSHIP_DEFINITION = varint(5);

function decodeRelationship(decoding: Decoding, end: number): ScipRelationship {
  const { reader } = decoding;
  let symbol = '';
  let isReference = false;
  let isImplementation = false;
  let isTypeDefinition = false;
  let isDefinition = false;
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag === RELATIONSHIP_SYMBOL) symbol = readString(decoding);
    else if (tag === RELATIONSHIP_REFERENCE) isReference = reader.bool();
    else if (tag === RELATIONSHIP_IMPLEMENTATION) isImplementation = reader.bool();
    else if (tag === RELATIONSHIP_TYPE_DEFINITION) isTypeDefinition = reader.bool();
    else if (tag === RELATIONSHIP_DEFINITION) isDefinition = reader.bool();
    else skip(decoding, tag);
  }
  checkEnd(decoding, end);
  return { symbol, isReference, isImplementation, isTypeDefinition, isDefinition };
}

function readString(decoding: Decoding): string {
  const { reader, bytes, strings } = decoding;
  const length = reader.uint32();
  const start = reader.pos;
  const end = start + length;
  if (end > bytes.length) throw new RangeError('a string reaches past its document');
  reader.pos = end;
  return decodeString(strings, bytes, start, end);
}

/** Where the message that begins here ends. */
function readEnd({ reader, bytes }: Decoding): number {
  const length = reader.uint32();
  const end = reader.pos + length;
  if (end > bytes.length) throw new RangeError('a message reaches past its document');
  return end;
}

/** Fields lie inside their message. */
function checkEnd({ reader }: Decoding, end: number): void {
  if (reader.pos !== end) throw new RangeError('a field reaches past its message');
}

function count(decoding: Decoding): void {
  decoding.left -= 1;
  if (decoding.left < 0) throw new PartTooLarge(`more than ${MAX_ELEMENTS} elements in one document`);
}

/** The reader checks wire types and bounds, and how deep groups are nested. */
function skip({ reader }: Decoding, tag: number): void {
  if (tag >>> 3 === 0) throw new RangeError('field number 0');
  reader.skip(tag & 7, tag >>> 3);
}

// Strings: decoded once each as far as possible. The same symbol is spelled at every reference to it, so most strings of an
// index repeat ones just seen; giving back the same JavaScript string saves the decoding, the memory, and the hashing of the next
// look-up in a map. It is a cache and no promise: two equal strings may still be two objects.
//
// Bytes that are not UTF-8 become U+FFFD and set `bad` (R20: real indexes hold lone surrogates).

type StringCache = {
  readonly slots: (string | undefined)[];
  /** Was anything decoded since this was last cleared that was not UTF-8? */
  bad: boolean;
};

/** A power of two; one string each, the newest wins, so hostile collisions cost a decode and nothing else. */
const SLOTS = 1 << 16;
/** Longer ones are documentation and text, which do not repeat, and would make the size of the cache the file's to choose. */
const MAX_CACHED_BYTES = 1024;

function createStringCache(): StringCache {
  return { slots: new Array<string | undefined>(SLOTS).fill(undefined), bad: false };
}

function decodeString(cache: StringCache, bytes: Buffer, start: number, end: number): string {
  const length = end - start;
  if (length === 0) return '';
  if (length > MAX_CACHED_BYTES) return decodeUtf8(cache, bytes, start, end);
  let hash = length;
  let seen = 0;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] as number;
    seen |= byte;
    hash = Math.imul(hash ^ byte, 0x01000193);
  }
  if (seen > 0x7f) return decodeUtf8(cache, bytes, start, end);
  const slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
  const cached = cache.slots[slot];
  if (cached !== undefined && cached.length === length && isSpelled(cached, bytes, start)) return cached;
  const decoded = bytes.toString('latin1', start, end);
  cache.slots[slot] = decoded;
  return decoded;
}

/** Only ASCII strings are in the cache: one byte per character. */
function isSpelled(text: string, bytes: Buffer, start: number): boolean {
  for (let at = 0; at < text.length; at += 1) {
    if (text.charCodeAt(at) !== bytes[start + at]) return false;
  }
  return true;
}

function decodeUtf8(cache: StringCache, bytes: Buffer, start: number, end: number): string {
  const text = bytes.toString('utf8', start, end);
  // A file may say U+FFFD itself, which is text like any other.
  if (text.includes('\ufffd') && !isUtf8(bytes.subarray(start, end))) cache.bad = true;
  return text;
}
