/**
 * Reads an index file part by part, one `Document` in memory at a time (code-plane.md §6.2). Promises: memory depends on the largest document,
 * not on the file; a field that is not known is stepped over; and a file that is absent, empty, cut off or not an index is a failure,
 * never an empty index.
 *
 * The format has no end mark. A cut exactly between two top-level fields leaves a shorter, well-formed index: nothing here can see that; the
 * import notices the missing documents. A failure may come after parts were handed out: their receiver drops them.
 */

import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { createPartDecoder, type PartDecoder, PartTooLarge } from './decode-part.ts';
import type { ScipPart, ScipReadOutcome } from './types.ts';

export type ScipReadOptions = {
  readonly maxBytes?: number;
  readonly maxDocumentBytes?: number;
  /** A document whose frame is whole and whose content is not: told here and left out. Without this it fails the file. */
  readonly onUndecodable?: (detail: string) => void;
};

export const scipLimits = { maxBytes: 4 * 1024 ** 3, maxDocumentBytes: 128 * 1024 ** 2, maxParts: 4_000_000 } as const;

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

/** Waits for each part to be taken, and lets the event loop turn between documents. */
export async function readScipAsync(
  path: string,
  onPart: (part: ScipPart) => void | Promise<void>,
  options: ScipReadOptions = {},
): Promise<ScipReadOutcome> {
  const parts = scanFile(path, options);
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

/** Nobody reads it: it closes the file when a receiver throws. */
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

function* scanParts(source: ByteSource, options: ScipReadOptions): Scan {
  const { maxBytes = scipLimits.maxBytes, maxDocumentBytes = scipLimits.maxDocumentBytes, onUndecodable } = options;
  const { size } = source;
  if (size === 0) return fail('empty', 'the file has no bytes');
  if (size > maxBytes) return fail('too_large', `${size} bytes, at most ${maxBytes} are read`);
  const window = createWindow(source);
  const decoder = createPartDecoder();
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
  if (metadata + documents === 0) return fail('undecodable', 'no metadata and no document: not an index');
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
