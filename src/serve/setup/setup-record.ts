/**
 * What a file was before it was set up: its bytes and what was made of them, in `~/.codegenie/setup/`, for the user alone. While the file
 * is what was made of it, taking the entry out gives back exactly those bytes.
 */

import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Hex } from '../../kernel/base/hash.ts';
import { ensureParents, writeAtomically } from '../../kernel/base/write-file.ts';
import type { ClientName } from './clients.ts';

export type SetupRecord = {
  readonly path: string;
  /** Null: there was no file. */
  readonly before: Buffer | null;
  readonly afterHash: string;
};

export function readRecord(home: string, client: ClientName): SetupRecord | undefined {
  const files = filesOf(home, client);
  try {
    const { path, existed, after } = JSON.parse(readFileSync(files.record, 'utf8')) as Record<string, unknown>;
    if (typeof path !== 'string' || typeof after !== 'string') return undefined;
    return { path, before: existed === true ? readFileSync(files.backup) : null, afterHash: after };
  } catch {
    // Nothing that can be relied on: the entry is taken out by itself.
    return undefined;
  }
}

/** Where the copy lies; null where there was nothing to copy. */
export function writeRecord(home: string, client: ClientName, { path, before, afterHash }: SetupRecord): string | null {
  const files = filesOf(home, client);
  ensureParents(home, files.record);
  if (before !== null) writeAtomically(files.backup, before, { durable: true });
  const record = { path, existed: before !== null, after: afterHash };
  writeAtomically(files.record, `${JSON.stringify(record)}\n`, { durable: true });
  return before === null ? null : files.backup;
}

export function removeRecord(home: string, client: ClientName): void {
  const files = filesOf(home, client);
  for (const file of [files.record, files.backup]) rmSync(file, { force: true });
}

export function hashOf(bytes: Buffer | null): string {
  return bytes === null ? '' : sha256Hex(bytes);
}

function filesOf(home: string, client: ClientName) {
  const folder = join(home, '.codegenie', 'setup');
  return { record: join(folder, `${client}.json`), backup: join(folder, `${client}.before`) };
}
