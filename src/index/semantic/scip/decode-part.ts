/**
 * The messages of scip.proto inside one top-level field, from bytes to values. Field numbers are those of the schema; what is not listed here is
 * skipped, so an index of a newer tool still decodes. Nothing recurses with the input, no list grows past `MAX_ELEMENTS`, and whatever is not
 * a message throws: `read-index.ts` makes a value of that.
 *
 * This is the innermost loop of an import (a million occurrences a second): tags are compared as they stand in the file, number and wire
 * type in one, and every object is made by one literal.
 */

import { BinaryReader } from '@bufbuild/protobuf/wire';
import { createStringCache, decodeString, type StringCache } from './string-cache.ts';
import type { ScipDocument, ScipMetadata, ScipOccurrence, ScipRelationship, ScipSymbol } from './types.ts';

/** Occurrences, symbols, relationships and comments of one document. A file of 4 MiB cannot name more things than this. */
export const MAX_ELEMENTS = 2_000_000;

/** Well-formed, and more than anything real. */
export class PartTooLarge extends Error {
  override readonly name = 'PartTooLarge';
}

export type PartDecoder = {
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

/** Shared by every occurrence without one; nobody may write to a range. */
const noRange: readonly number[] = Object.freeze([]);

export function createPartDecoder(): PartDecoder {
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
