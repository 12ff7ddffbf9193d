/** Writes what was shown, and only that: whole, with the mode the file has, after a copy of what was there. */

import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { flushDirectory, OutputRefused } from '../../kernel/base/write-file.ts';
import { hashOf, readRecord, removeRecord, type SetupAsk, type SetupPlan, writeRecord } from './plan-setup.ts';

export type AppliedSetup =
  | { readonly kind: 'written'; readonly backup: string | null }
  | { readonly kind: 'refused'; readonly why: string };

type Planned = Extract<SetupPlan, { kind: 'planned' }>;

export function applySetup({ client, remove, machine: { home } }: SetupAsk, plan: Planned): AppliedSetup {
  const { target, before, after, mode } = plan;
  // Clients write these files themselves while they run.
  if (hashOf(readNow(target)) !== hashOf(before))
    return { kind: 'refused', why: 'has changed meanwhile; run it again' };
  try {
    let backup: string | null = null;
    if (!remove) {
      const known = readRecord(home, client);
      // An entry that is written anew does not make what we wrote the original.
      const isOurs = known !== undefined && known.path === target && known.afterHash === hashOf(before);
      backup = writeRecord(home, client, {
        path: target,
        before: isOurs ? known.before : before,
        afterHash: hashOf(after),
      });
    }
    if (after === null) rmSync(target);
    else replaceFile(target, after, mode);
    if (remove) removeRecord(home, client);
    return { kind: 'written', backup };
  } catch (error) {
    if (error instanceof OutputRefused) return { kind: 'refused', why: `${error.path} ${error.why}` };
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return { kind: 'refused', why: `cannot be written (${code})` };
  }
}

function replaceFile(target: string, bytes: Buffer, mode: number): void {
  const directory = dirname(target);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const temporary = `${target}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`;
  const descriptor = openSync(temporary, 'wx', mode);
  try {
    try {
      // Whatever the umask takes away.
      fchmodSync(descriptor, mode);
      for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  flushDirectory(directory);
}

function readNow(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}
