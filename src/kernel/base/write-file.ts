/**
 * How codegenie writes in its own data dir: a temporary beside the target, flushed, renamed over it. A reader sees the old file or
 * the new one, never half of either. Nothing is written through a link.
 */

import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  writeSync,
} from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

export class OutputRefused extends Error {
  override readonly name = 'OutputRefused';
  readonly path: string;
  readonly why: string;
  constructor(path: string, why: string) {
    super(`${path}: ${why}`);
    this.path = path;
    this.why = why;
  }
}

/** What is there, `undefined` for nothing; a path that cannot be looked at is refused. */
export function lstatOwn(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw new OutputRefused(path, `cannot be looked at (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`);
  }
}

/** Makes a directory that only the user enters (0700); refuses a link or anything that is not a directory in its place. */
export function ensureOwnDirectory(path: string): void {
  const found = lstatOwn(path);
  if (found === undefined) {
    try {
      mkdirSync(path, { mode: 0o700 });
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === 'EEXIST') {
        ensureOwnDirectory(path);
        return;
      }
      throw new OutputRefused(path, `cannot be created (${code ?? 'unknown'})`);
    }
    return;
  }
  if (found.isSymbolicLink()) throw new OutputRefused(path, 'is a symbolic link');
  if (!found.isDirectory()) throw new OutputRefused(path, 'is not a directory');
  // Restored CI caches flatten modes.
  if ((found.mode & 0o777) !== 0o700) chmodQuietly(path);
}

export function writeAtomically(
  path: string,
  bytes: string | Uint8Array,
  options: { readonly durable: boolean },
): void {
  const found = lstatOwn(path);
  if (found?.isSymbolicLink() === true) throw new OutputRefused(path, 'is a symbolic link');
  if (found !== undefined && !found.isFile()) throw new OutputRefused(path, 'is not a regular file');
  const temporary = `${path}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`;
  let descriptor: number | undefined;
  try {
    descriptor = openSync(temporary, 'wx', 0o600);
    const data = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
    for (let written = 0; written < data.length; ) written += writeSync(descriptor, data, written);
    if (options.durable) fsyncSync(descriptor);
    closeSync(descriptor);
    descriptor = undefined;
    renameSync(temporary, path);
  } catch (error) {
    if (descriptor !== undefined) closeSync(descriptor);
    rmSync(temporary, { force: true });
    throw new OutputRefused(
      path,
      `cannot be written (${(error as NodeJS.ErrnoException).code ?? (error as Error).message})`,
    );
  }
}

/** Makes renames in a directory survive a power cut. */
export function flushDirectory(path: string): void {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, 'r');
    fsyncSync(descriptor);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Some network file systems do not know how; there is nothing better to do on them.
    if (code !== 'EINVAL') throw new OutputRefused(path, `cannot be flushed (${code ?? 'unknown'})`);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

export function ensureParents(base: string, path: string): void {
  for (const parent of parentsBelow(base, path)) ensureOwnDirectory(parent);
}

/** The directories between `base` and `path`, outermost first, without `base` itself. */
export function parentsBelow(base: string, path: string): string[] {
  const parent = dirname(path);
  return parent.length <= base.length ? [] : [...parentsBelow(base, parent), parent];
}

/** The look without the making: what would refuse a directory here, before anything is written. */
export function refuseForeignDirectory(path: string): void {
  const found = lstatOwn(path);
  if (found?.isSymbolicLink() === true) throw new OutputRefused(path, 'is a symbolic link');
  if (found !== undefined && !found.isDirectory()) throw new OutputRefused(path, 'is not a directory');
}

function chmodQuietly(path: string): void {
  try {
    chmodSync(path, 0o700);
  } catch {
    // Another user's directory that we may still use; the modes are a courtesy, the checks above are the guard.
  }
}

export const keyBytes = 32;

/**
 * Random bytes in a file that only the user reads. It appears whole and once: of two processes that start together, one finds the
 * other's key. The directory must be there.
 */
export function createKeyFile(path: string): void {
  const temporary = `${path}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    const descriptor = openSync(temporary, 'wx', 0o600);
    try {
      writeSync(descriptor, randomBytes(keyBytes));
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    linkSync(temporary, path);
    flushDirectory(dirname(path));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST') throw new OutputRefused(path, `cannot be created (${code ?? 'unknown'})`);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** How much may still be written to the file system that a path lies on; null where that cannot be told. */
export async function freeBytes(path: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  } catch {
    return null;
  }
}
