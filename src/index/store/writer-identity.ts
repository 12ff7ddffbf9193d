/** Which process says that it holds the writer lock. Apart from the lock, because to ask must not load a database. */

import { readFileSync } from 'node:fs';
import { lstatOwn } from '../../kernel/base/write-file.ts';

export type WriterIdentity = {
  readonly pid: number;
  /** Together with the pid it names one process for ever. */
  readonly started: string;
  readonly nonce: string;
  /** Where the holder answers, if it does. */
  readonly socket: string | null;
};

const maxIdentityBytes = 4096;

/** What the present or last holder said of itself. Only a hint: who holds the lock is known to the operating system. */
export function readWriterIdentity(stateDir: string): WriterIdentity | null {
  try {
    const path = `${stateDir}/run/writer.json`;
    const found = lstatOwn(path);
    if (found?.isFile() !== true || found.size > maxIdentityBytes) return null;
    const { pid, started, nonce, socket } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
    const isWhole = Number.isSafeInteger(pid) && typeof started === 'string' && typeof nonce === 'string';
    if (!isWhole || (socket !== null && typeof socket !== 'string')) return null;
    return { pid: pid as number, started, nonce, socket };
  } catch {
    return null;
  }
}
