/** How much may still be written to the file system that a path lies on; null where that cannot be told. */

import { statfs } from 'node:fs/promises';

export async function freeBytes(path: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  } catch {
    return null;
  }
}
