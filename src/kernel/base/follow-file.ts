/**
 * A text file that another process is still writing, read line by line as it grows. Promises: memory is bounded whatever is
 * written; only a regular file is read, never through a link; characters are bytes (latin1), so nothing is lost at the edge of a
 * read. The last line counts only once it is ended: what a killed writer left of a line is no line.
 */

import { constants } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';

export type FileFollower = {
  /** Reads what is there by now, or about `maxBytes` of it; lines are delivered meanwhile. A file that is not there yet has no lines. */
  readOn(maxBytes?: number): Promise<void>;
  /** How large the file is now, read or not. */
  size(): Promise<number>;
  /** Bytes read so far. */
  readonly bytes: number;
  close(): Promise<void>;
  /** Closes it, and removes the file. */
  discard(): Promise<void>;
};

const chunkBytes = 1024 ** 2;
/** A longer line is dropped. */
const maxLineChars = 1024 ** 2;

export function followFile(path: string, onLine: (line: string) => void): FileFollower {
  const buffer = Buffer.allocUnsafe(chunkBytes);
  let handle: FileHandle | undefined;
  let bytes = 0;
  let rest = '';
  let isTooLong = false;

  const take = (text: string): void => {
    let from = 0;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', from)) {
      if (!isTooLong) onLine(rest + text.slice(from, at));
      rest = '';
      isTooLong = false;
      from = at + 1;
    }
    if (isTooLong) return;
    rest += text.slice(from);
    if (rest.length <= maxLineChars) return;
    rest = '';
    isTooLong = true;
  };

  const close = async (): Promise<void> => {
    await handle?.close();
    handle = undefined;
  };

  return {
    async readOn(maxBytes = Number.POSITIVE_INFINITY) {
      handle ??= await openRegular(path);
      if (handle === undefined) return;
      for (const end = bytes + maxBytes; bytes < end; ) {
        const { bytesRead } = await handle.read(buffer, 0, chunkBytes, bytes);
        if (bytesRead === 0) return;
        bytes += bytesRead;
        take(buffer.toString('latin1', 0, bytesRead));
      }
    },
    async size() {
      return handle === undefined ? 0 : (await handle.stat()).size;
    },
    get bytes() {
      return bytes;
    },
    close,
    async discard() {
      await close();
      await rm(path, { force: true });
    },
  };
}

/** An empty file that a process of any user may write, in a directory that only we enter. */
export async function makeSharedFile(path: string): Promise<void> {
  const handle = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  await handle.chmod(0o666);
  await handle.close();
}

async function openRegular(path: string): Promise<FileHandle | undefined> {
  let handle: FileHandle;
  try {
    handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  return undefined;
}
