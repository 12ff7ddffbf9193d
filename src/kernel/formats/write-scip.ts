/**
 * Writes index parts as SCIP: the reverse of `read-scip.ts`. What a part can say is written and nothing else, so reading and writing an
 * index leaves out fields that we do not know. Reading what was written gives equal parts.
 */

import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import type { ScipDocument, ScipMetadata, ScipOccurrence, ScipPart, ScipRelationship, ScipSymbol } from './scip.ts';

export function encodeScip(parts: Iterable<ScipPart>): Uint8Array {
  const writer = new BinaryWriter();
  for (const part of parts) writePart(writer, part);
  return writer.finish();
}

type ScipFile = {
  write(part: ScipPart): void;
  /** Parts that `encodeScip` encoded. */
  append(encoded: Uint8Array): void;
  /** Flushes; gives the length of the file. */
  close(): number;
  /** Closes and removes it. */
  discard(): void;
};

const FLUSH_BYTES = 1024 * 1024;

/** A new file, readable by its owner alone: indexes hold documentation and signatures. A file of that name is replaced. */
export function createScipFile(path: string): ScipFile {
  rmSync(path, { force: true });
  const descriptor = openSync(path, 'wx', 0o600);
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let bytes = 0;
  const flush = (): void => {
    const block = Buffer.concat(waiting);
    for (let at = 0; at < block.length; ) at += writeSync(descriptor, block, at);
    bytes += block.length;
    waiting = [];
    waitingBytes = 0;
  };
  const append = (encoded: Uint8Array): void => {
    waiting.push(encoded);
    waitingBytes += encoded.length;
    if (waitingBytes >= FLUSH_BYTES) flush();
  };
  return {
    write: (part) => append(encodeScip([part])),
    append,
    close() {
      try {
        flush();
      } finally {
        closeSync(descriptor);
      }
      return bytes;
    },
    discard() {
      closeSync(descriptor);
      rmSync(path, { force: true });
    },
  };
}

function writePart(writer: BinaryWriter, part: ScipPart): void {
  switch (part.kind) {
    case 'metadata':
      writer.tag(1, WireType.LengthDelimited).fork();
      writeMetadata(writer, part.metadata);
      break;
    case 'document':
      writer.tag(2, WireType.LengthDelimited).fork();
      writeDocument(writer, part.document);
      break;
    case 'external':
      writer.tag(3, WireType.LengthDelimited).fork();
      writeSymbol(writer, part.symbol);
      break;
  }
  writer.join();
}

function writeMetadata(writer: BinaryWriter, { toolName, toolVersion, projectRoot }: ScipMetadata): void {
  writer.tag(2, WireType.LengthDelimited).fork();
  writeString(writer, 1, toolName);
  writeString(writer, 2, toolVersion);
  writer.join();
  writeString(writer, 3, projectRoot);
  // Files on disk are UTF-8, or they are not indexed.
  writeInt(writer, 4, 1);
}

function writeDocument(writer: BinaryWriter, document: ScipDocument): void {
  writeString(writer, 1, document.relativePath);
  writeEach(writer, 2, document.occurrences, writeOccurrence);
  writeEach(writer, 3, document.symbols, writeSymbol);
  writeString(writer, 4, document.language);
  writeString(writer, 5, document.text);
  writeInt(writer, 6, document.positionEncoding);
}

function writeOccurrence(writer: BinaryWriter, { range, enclosingRange, symbol, roles }: ScipOccurrence): void {
  writeRange(writer, 1, range);
  writeString(writer, 2, symbol);
  writeInt(writer, 3, roles);
  writeRange(writer, 7, enclosingRange);
}

function writeSymbol(writer: BinaryWriter, symbol: ScipSymbol): void {
  writeString(writer, 1, symbol.symbol);
  for (const text of symbol.documentation) writer.tag(3, WireType.LengthDelimited).string(text);
  writeEach(writer, 4, symbol.relationships, writeRelationship);
  writeInt(writer, 5, symbol.kind);
  writeString(writer, 6, symbol.displayName);
  if (symbol.signature !== '') {
    writer.tag(7, WireType.LengthDelimited).fork();
    writeString(writer, 5, symbol.signature);
    writer.join();
  }
  writeString(writer, 8, symbol.enclosingSymbol);
}

function writeRelationship(writer: BinaryWriter, relationship: ScipRelationship): void {
  writeString(writer, 1, relationship.symbol);
  writeInt(writer, 2, relationship.isReference ? 1 : 0);
  writeInt(writer, 3, relationship.isImplementation ? 1 : 0);
  writeInt(writer, 4, relationship.isTypeDefinition ? 1 : 0);
  writeInt(writer, 5, relationship.isDefinition ? 1 : 0);
}

function writeEach<T>(
  writer: BinaryWriter,
  field: number,
  messages: readonly T[],
  write: (writer: BinaryWriter, message: T) => void,
): void {
  for (const message of messages) {
    writer.tag(field, WireType.LengthDelimited).fork();
    write(writer, message);
    writer.join();
  }
}

function writeString(writer: BinaryWriter, field: number, value: string): void {
  if (value !== '') writer.tag(field, WireType.LengthDelimited).string(value);
}

function writeInt(writer: BinaryWriter, field: number, value: number): void {
  if (value !== 0) writer.tag(field, WireType.Varint).int32(value);
}

function writeRange(writer: BinaryWriter, field: number, range: readonly number[]): void {
  if (range.length === 0) return;
  writer.tag(field, WireType.LengthDelimited).fork();
  for (const value of range) writer.int32(value);
  writer.join();
}
