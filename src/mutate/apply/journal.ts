/**
 * What a writer was about to do, on disk before it does it (mutation.md §8): `<data dir>/state/journal/<plan>/log`, one record a
 * line as `<length> <crc32> <json>`. A record that is torn or not ours ends the reading; what stands before it counts. So whoever
 * starts next knows from the last record, and from the files themselves, what is left to do.
 */

import { closeSync, constants, fsyncSync, openSync, readdirSync, readFileSync, truncateSync, writeSync } from 'node:fs';
import { basename } from 'node:path';
import { crc32 } from 'node:zlib';
import { compareCodeUnits } from '../../kernel/base/json.ts';
import { lstatOwn } from '../../kernel/base/write-file.ts';
import type { DecisionRow } from '../plans/plan-store.ts';

/** One file and what becomes of it. A hash of null: no file is there. */
export type Entry = {
  readonly path: string;
  readonly old: string | null;
  readonly new: string | null;
  /** Of the file before; its copy is `backup/<position of the entry>`. */
  readonly oldMode: number | null;
  readonly newMode: number | null;
  readonly owner: { readonly uid: number; readonly gid: number } | null;
  /** Beside the target, a path below the root. A file of this name is ours only while this entry says so. */
  readonly temp: string;
};

/** What the ledger is told when the files are in place, so that a restart can tell it as well. */
export type LedgerNote = {
  readonly selections: readonly string[];
  readonly proofJson: string;
  readonly decision: DecisionRow | null;
};

export type Begin = {
  readonly kind: 'BEGIN';
  readonly plan: string;
  readonly op: 'commit' | 'undo';
  readonly atMs: number;
  readonly entries: readonly Entry[];
  /** Directories that are made for new files, outermost first; a way back removes them if they are empty. */
  readonly makes: readonly string[];
  /** Directories that an earlier change made and that go with its undo, if they are empty. */
  readonly drops: readonly string[];
  /** Files that only try out a volume. */
  readonly trials: readonly string[];
  readonly notes: readonly string[];
  readonly ledger: LedgerNote | null;
};

export type JournalRecord =
  | Begin
  /** From here on targets are replaced. */
  | { readonly kind: 'READY' }
  /** The way back has begun; `ends` is the status of the plan at its end. */
  | { readonly kind: 'ROLLBACK'; readonly ends: 'open' | 'undone' | 'committed' }
  /** Somebody decided that what can be finished of a conflict is finished. */
  | { readonly kind: 'FORWARD' }
  /** All targets are new: the commit point. `late`: files that were written through old handles until then. */
  | { readonly kind: 'DONE'; readonly late: readonly string[] }
  /** Back at the old files; only things of ours are left to remove. */
  | { readonly kind: 'END' };

export type Journal = { readonly dir: string; readonly begin: Begin; readonly last: JournalRecord };

export function journalRoot(dataDir: string): string {
  return `${dataDir}/state/journal`;
}

export function journalDir(dataDir: string, planId: string): string {
  return `${journalRoot(dataDir)}/${planId}`;
}

export function backupPath(dir: string, position: number): string {
  return `${dir}/backup/${position}`;
}

export function witnessPath(dir: string, position: number): string {
  return `${dir}/witness/${position}`;
}

export function logPath(dir: string): string {
  return `${dir}/log`;
}

/** Plans that have a journal, in the order of their ids. */
export function listJournals(dataDir: string): readonly string[] {
  const root = journalRoot(dataDir);
  // Through a link nothing is ours.
  const isOurs = [`${dataDir}/state`, root].every((path) => lstatOwn(path)?.isDirectory() === true);
  if (!isOurs) return [];
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort(compareCodeUnits);
}

/** Durable when it returns. */
export function appendRecord(dir: string, record: JournalRecord): void {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0);
  const descriptor = openSync(logPath(dir), flags, 0o600);
  try {
    const line = encodeRecord(record);
    for (let written = 0; written < line.length; ) written += writeSync(descriptor, line, written);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** `undefined`: nothing whole was written, so nothing was done. */
export function readJournal(dir: string): Journal | undefined {
  if (lstatOwn(logPath(dir))?.isFile() !== true) return undefined;
  const records = decodeRecords(readFileSync(logPath(dir)));
  const [begin] = records;
  const last = records.at(-1);
  if (begin?.kind !== 'BEGIN' || last === undefined || !isSound(begin) || basename(dir) !== begin.plan)
    return undefined;
  return { dir, begin, last };
}

/** Nothing can follow a first record that was never finished; where something does, it was whole once. */
export function isDamaged(dir: string): boolean {
  if (lstatOwn(logPath(dir))?.isFile() !== true) return false;
  const bytes = readFileSync(logPath(dir));
  const end = bytes.indexOf(0x0a);
  return decodeRecords(bytes).length === 0 && end >= 0 && end < bytes.length - 1;
}

/** What an undo goes by: the first record of the change whose copies these are. */
export function readManifest(path: string): Begin | undefined {
  if (lstatOwn(path)?.isFile() !== true) return undefined;
  const [begin] = decodeRecords(readFileSync(path));
  return begin?.kind === 'BEGIN' && isSound(begin) ? begin : undefined;
}

/** Also the form of `backup/manifest`. */
export function encodeRecord(record: JournalRecord): Buffer {
  const json = Buffer.from(JSON.stringify(record));
  return Buffer.concat([Buffer.from(`${json.length} ${crcOf(json)} `), json, Buffer.from('\n')]);
}

/** A record behind a torn one would never be read: what a crash left half written goes before anything is added. */
export function dropTornTail(dir: string): void {
  const bytes = readFileSync(logPath(dir));
  const { end } = scanRecords(bytes);
  if (end < bytes.length) truncateSync(logPath(dir), end);
}

/** Up to the first line that is not whole. */
export function decodeRecords(bytes: Buffer): readonly JournalRecord[] {
  return scanRecords(bytes).records;
}

function scanRecords(bytes: Buffer): { readonly records: readonly JournalRecord[]; readonly end: number } {
  const records: JournalRecord[] = [];
  let at = 0;
  while (at < bytes.length) {
    const head = /^(\d{1,10}) ([0-9a-f]{8}) /.exec(bytes.toString('latin1', at, at + 24));
    if (head === null) break;
    const start = at + head[0].length;
    const end = start + Number(head[1]);
    if (end >= bytes.length || bytes[end] !== 0x0a) break;
    const json = bytes.subarray(start, end);
    if (crcOf(json) !== head[2]) break;
    records.push(JSON.parse(json.toString('utf8')) as JournalRecord);
    at = end + 1;
  }
  return { records, end: at };
}

function crcOf(bytes: Uint8Array): string {
  return crc32(bytes).toString(16).padStart(8, '0');
}

const reserved = new Set(['', '.', '..', '.git', '.codegenie']);

/** Below the root and in nobody's private directory: a journal that says otherwise was not written by us. */
export function isPlainPath(path: string): boolean {
  return !path.includes('\0') && path.split('/').every((part) => !reserved.has(part.toLowerCase()));
}

function isSound(begin: Begin): boolean {
  const paths = [
    ...begin.entries.flatMap(({ path, temp }) => [path, temp]),
    ...begin.makes,
    ...begin.drops,
    ...begin.trials,
  ];
  const temps = [...begin.entries.map(({ temp }) => temp), ...begin.trials];
  return paths.every(isPlainPath) && temps.every((path) => /(?:^|\/)\.[^/]*cg-[0-9a-f]{16}[^/]*\.tmp$/.test(path));
}
