/** An archive on disk, of our own making: its bytes in order without reading what is passed over, and any range as a stream. */

import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { type ByteSource, faultOf, readExactly } from './byte-source.ts';

export type ArchiveFile = {
  readonly size: number;
  /** From the start, each time. */
  source(): ByteSource;
  range(start: number, length: number): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
};
export type OpenedArchive =
  | { readonly kind: 'opened'; readonly file: ArchiveFile }
  | { readonly kind: 'failed'; readonly fault: string };

const chunkBytes = 256 * 1024;

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
