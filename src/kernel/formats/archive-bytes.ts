/**
 * The bytes of an archive in order, as the tar reader takes them: read exactly, or passed over; from a stream, from a file, unpacked.
 * What goes wrong below is a value here.
 */

import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';

export type ByteSource = {
  /** Exactly `count` bytes; fewer only at the end. */
  read(count: number): Promise<Uint8Array>;
  /** The next bytes, at most `count` and at least one; empty at the end. */
  next(count: number): Promise<Uint8Array>;
  /** False: the end came first. */
  skip(count: number): Promise<boolean>;
  /** How many bytes have been read or passed over. */
  position(): number;
  /** Why the end came early, where something failed below: an error's code or name. */
  fault(): string | null;
};

const nothing = new Uint8Array();

/** Of a stream. An abort of `signal` is thrown on, everything else that the stream throws becomes its fault. */
export function streamSource(chunks: AsyncIterable<Uint8Array>, signal: AbortSignal): ByteSource {
  const iterator = chunks[Symbol.asyncIterator]();
  let held: Uint8Array = nothing;
  let position = 0;
  let fault: string | null = null;
  let ended = false;

  async function fill(): Promise<void> {
    while (held.length === 0 && !ended) {
      signal.throwIfAborted();
      try {
        const step = await iterator.next();
        if (step.done === true) ended = true;
        else held = step.value;
      } catch (error) {
        signal.throwIfAborted();
        ended = true;
        fault = faultOf(error);
      }
    }
  }
  async function next(count: number): Promise<Uint8Array> {
    await fill();
    const taken = held.subarray(0, count);
    held = held.subarray(taken.length);
    position += taken.length;
    return taken;
  }
  async function skip(count: number): Promise<boolean> {
    for (let left = count; left > 0; ) {
      const taken = await next(left);
      if (taken.length === 0) return false;
      left -= taken.length;
    }
    return true;
  }
  return { read: (count) => readExactly(next, count), next, skip, position: () => position, fault: () => fault };
}

/** Nothing is set aside for a length that is only claimed: memory grows with the bytes that come. */
export async function readExactly(next: (count: number) => Promise<Uint8Array>, count: number): Promise<Uint8Array> {
  const first = await next(count);
  if (first.length === count || first.length === 0) return first;
  const parts = [first];
  let have = first.length;
  while (have < count) {
    const part = await next(count - have);
    if (part.length === 0) break;
    parts.push(part);
    have += part.length;
  }
  return Buffer.concat(parts);
}

function faultOf(error: unknown): string {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'unknown';
}

export type ArchiveFile = {
  readonly size: number;
  /** From the start, each time. */
  source(): ByteSource;
  range(start: number, length: number): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
};
type OpenedArchive =
  | { readonly kind: 'opened'; readonly file: ArchiveFile }
  | { readonly kind: 'failed'; readonly fault: string };

const chunkBytes = 256 * 1024;

/** An archive on disk that this program wrote: its bytes in order without reading what is passed over, and any range as a stream. */
export async function openArchiveFile(path: string): Promise<OpenedArchive> {
  let handle: FileHandle;
  try {
    handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  } catch (error) {
    return { kind: 'failed', fault: faultOf(error) };
  }
  const stat = await handle.stat();
  if (!stat.isFile()) {
    await handle.close();
    return { kind: 'failed', fault: 'not_regular' };
  }
  const { size } = stat;
  return {
    kind: 'opened',
    file: {
      size,
      source: () => fileSource(handle, size),
      range: (start, length) => readRange(handle, start, length),
      close: () => handle.close(),
    },
  };
}

function fileSource(handle: FileHandle, size: number): ByteSource {
  let position = 0;
  let fault: string | null = null;
  async function next(count: number): Promise<Uint8Array> {
    const wanted = Math.min(count, chunkBytes, size - position);
    if (wanted <= 0) return new Uint8Array();
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(wanted), 0, wanted, position);
      position += bytesRead;
      return buffer.subarray(0, bytesRead);
    } catch (error) {
      fault = faultOf(error);
      return new Uint8Array();
    }
  }
  return {
    read: (count) => readExactly(next, count),
    next,
    async skip(count) {
      const fits = count <= size - position;
      position = fits ? position + count : size;
      return fits;
    },
    position: () => position,
    fault: () => fault,
  };
}

async function* readRange(handle: FileHandle, start: number, length: number): AsyncIterable<Uint8Array> {
  for (let at = start; at < start + length; ) {
    const wanted = Math.min(chunkBytes, start + length - at);
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(wanted), 0, wanted, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** A stream as it was before it was packed: gzip and zstd are told by their first bytes, anything else is taken as it is. */
export async function* decompress(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  while (head.length < 4) {
    const step = await iterator.next();
    if (step.done === true) break;
    head = Buffer.concat([head, step.value]);
  }
  const all = joined(head, iterator);
  const unpacker = unpackerFor(head);
  if (unpacker === null) {
    yield* all;
    return;
  }
  const packed = Readable.from(all);
  // `pipe` hands on no error of the source, and an unread pipe would hold it open.
  packed.on('error', (error) => unpacker.destroy(error));
  try {
    for await (const chunk of packed.pipe(unpacker)) yield chunk as Uint8Array;
  } finally {
    packed.destroy();
    unpacker.destroy();
  }
}

function unpackerFor(head: Buffer) {
  if (head.length >= 2 && head.readUInt16BE(0) === 0x1f8b) return createGunzip();
  return head.length >= 4 && head.readUInt32BE(0) === 0x28b52ffd ? createZstdDecompress() : null;
}

async function* joined(head: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncIterable<Uint8Array> {
  if (head.length > 0) yield head;
  for (let step = await rest.next(); step.done !== true; step = await rest.next()) yield step.value;
}
