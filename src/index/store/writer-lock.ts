/**
 * At most one process writes a root's stores, and killing it leaves no lock behind (R10). The lock is the operating system's: an
 * exclusive transaction on `run/writer.db`, held for the writer's life. `run/writer.json` only says who holds it.
 *
 * Nothing here blocks: who must wait asks again after a pause. No other code opens `writer.db`, because on POSIX systems closing
 * any descriptor of a file gives up all locks that the process has on it.
 */

import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { beginWork, processStart } from '../../kernel/base/processes.ts';
import { ensureOwnDirectory, lstatOwn, OutputRefused, writeAtomically } from '../../kernel/base/write-file.ts';
import { openDatabase, type Refused } from './open-database.ts';
import { isBusy, isDamage, isSqliteError } from './store-failed.ts';
import { readWriterIdentity, type WriterIdentity } from './writer-identity.ts';

export type { WriterIdentity } from './writer-identity.ts';
export { readWriterIdentity } from './writer-identity.ts';

export type WriterLock = {
  readonly kind: 'taken';
  readonly nonce: string;
  /** Says where the holder can be reached from now on. */
  announce(socket: string | null): void;
  release(): void;
};

export type WriterLockOutcome =
  | WriterLock
  /** `holder` is null where it did not say who it is, or has just let go. */
  | { readonly kind: 'busy'; readonly holder: WriterIdentity | null }
  | Refused;

const pauseMs = 25;

export async function takeWriterLock(of: {
  readonly stateDir: string;
  readonly waitMs: number;
  readonly signal: AbortSignal;
  readonly socket?: string | null;
}): Promise<WriterLockOutcome> {
  const run = `${of.stateDir}/run`;
  const deadline = performance.now() + of.waitMs;
  beginWork();
  try {
    ensureOwnDirectory(of.stateDir);
    ensureOwnDirectory(run);
    for (;;) {
      of.signal.throwIfAborted();
      const db = tryLock(`${run}/writer.db`);
      if (db !== undefined) return createLock(db, of.stateDir, of.socket ?? null);
      if (performance.now() >= deadline) return { kind: 'busy', holder: readWriterIdentity(of.stateDir) };
      await delay(pauseMs, undefined, { signal: of.signal });
    }
  } catch (error) {
    if (error instanceof OutputRefused) return { kind: 'refused', path: error.path, why: error.why };
    throw error;
  }
}

/** `undefined`: another process holds it. */
function tryLock(path: string): DatabaseSync | undefined {
  let db: DatabaseSync | undefined;
  try {
    db = openDatabase(path, 'create', 0);
    const opened = lstatOwn(path)?.ino;
    db.exec('BEGIN EXCLUSIVE');
    // A lock on a file that was removed or replaced meanwhile keeps no process out.
    if (opened !== undefined && lstatOwn(path)?.ino === opened) return db;
    db.close();
    return undefined;
  } catch (error) {
    db?.close();
    if (isBusy(error)) return undefined;
    if (!isSqliteError(error)) throw error;
    if (!isDamage(error)) throw new OutputRefused(path, `cannot be written (${error.message})`);
    // Removing it here could take the lock from under a process that has just made it anew.
    const advice = 'nothing is kept in it: move it away when no other codegenie runs';
    throw new OutputRefused(path, `is not a writer lock (${error.message}); ${advice}`);
  }
}

function createLock(db: DatabaseSync, stateDir: string, socket: string | null): WriterLock {
  const path = `${stateDir}/run/writer.json`;
  const nonce = randomBytes(16).toString('hex');
  const announce = (at: string | null): void => {
    const own: WriterIdentity = { pid: process.pid, started: processStart(process.pid), nonce, socket: at };
    writeAtomically(path, `${JSON.stringify(own)}\n`, { durable: false });
  };
  try {
    announce(socket);
  } catch (error) {
    db.close();
    throw error;
  }
  let isHeld = true;
  return {
    kind: 'taken',
    nonce,
    announce,
    release() {
      if (!isHeld) return;
      isHeld = false;
      try {
        // Before the lock goes: afterwards the file may already be the next holder's.
        if (readWriterIdentity(stateDir)?.nonce === nonce) rmSync(path, { force: true });
      } finally {
        db.close();
      }
    },
  };
}
