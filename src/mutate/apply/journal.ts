/**
 * What a writer was about to do, on disk before it does it (mutation.md §8): `<data dir>/state/journal/<plan>/log`, one record a
 * line as `<length> <crc32> <seal> <json>`. A record that is torn or not ours ends the reading; what stands before it counts. So the next
 * start knows from the last record, and from the files themselves, what is left to do. P9: what does not carry this user's seal for
 * this root is never acted upon, and no bytes in a log make a reader throw.
 */

import { closeSync, constants, fsyncSync, openSync, readdirSync, readFileSync, truncateSync, writeSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { compareCodeUnits } from '../../kernel/base/json.ts';
import { z } from '../../kernel/base/schema.ts';
import { lstatOwn, OutputRefused } from '../../kernel/base/write-file.ts';
import type { DecisionRow } from '../plans/plan-store.ts';
import type { RefusedReason } from '../vocabulary.ts';
import type { Seal } from './seal.ts';

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
  /** The user decided that what can be finished of a conflict is finished. */
  | { readonly kind: 'FORWARD' }
  /** All targets are new: the commit point. `late`: files that were written through old handles until then. */
  | { readonly kind: 'DONE'; readonly late: readonly string[] }
  /** Back at the old files; only what the writer made is left to remove. */
  | { readonly kind: 'END' };

export type Journal = {
  readonly dir: string;
  readonly begin: Begin;
  readonly last: JournalRecord;
  readonly seal: Seal;
};

export function journalRoot(stateDir: string): string {
  return `${stateDir}/state/journal`;
}

export function journalDir(stateDir: string, planId: string): string {
  return `${journalRoot(stateDir)}/${planId}`;
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
export function listJournals(stateDir: string): readonly string[] {
  const root = journalRoot(stateDir);
  // Through a link nothing is ours.
  const isOurs = [stateDir, `${stateDir}/state`, root].every((path) => lstatOwn(path)?.isDirectory() === true);
  if (!isOurs) return [];
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort(compareCodeUnits);
}

/** Durable when it returns. */
export function appendRecord({ dir, seal }: Pick<Journal, 'dir' | 'seal'>, record: JournalRecord): void {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0);
  const descriptor = openSync(logPath(dir), flags, 0o600);
  try {
    const line = encodeRecord(seal, basename(dir), record);
    for (let written = 0; written < line.length; ) written += writeSync(descriptor, line, written);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

type ReadLog =
  | { readonly kind: 'journal'; readonly journal: Journal }
  /** Nothing whole was written, so nothing was done. */
  | { readonly kind: 'nothing' }
  /** Ours, and no longer readable from its start. */
  | { readonly kind: 'damaged' }
  /** Written by another user, in another place, or with a key that is gone: nothing follows from it. */
  | { readonly kind: 'foreign' };

export function readLog(seal: Seal, dir: string): ReadLog {
  const bytes = readOwn(logPath(dir));
  if (typeof bytes === 'string') return { kind: bytes };
  const plan = basename(dir);
  const records = decodeRecords(seal, plan, bytes);
  const [begin] = records;
  const last = records.at(-1);
  if (begin?.kind === 'BEGIN' && last !== undefined && begin.plan === plan)
    return { kind: 'journal', journal: { dir, begin, last, seal } };
  return { kind: judgeUnreadable(seal, plan, bytes) };
}

/** Nothing can follow a first record that was never finished; where something does, it was whole once. */
function judgeUnreadable(seal: Seal, plan: string, bytes: Buffer): 'nothing' | 'damaged' | 'foreign' {
  const end = bytes.indexOf(0x0a);
  const isTorn = end < 0 || (end === bytes.length - 1 && lineAt(bytes, 0) === undefined);
  if (isTorn) return 'nothing';
  for (let at = 0; at < bytes.length; at = nextLine(bytes, at)) {
    const line = lineAt(bytes, at);
    if (line !== undefined && seal.isOurs(plan, line.json, line.seal)) return 'damaged';
  }
  return 'foreign';
}

export function readJournal(seal: Seal, dir: string): Journal | undefined {
  const read = readLog(seal, dir);
  return read.kind === 'journal' ? read.journal : undefined;
}

/** What an undo goes by: the first record of the change whose copies these are. */
export function readManifest(seal: Seal, plan: string, path: string): Begin | undefined {
  const bytes = readOwn(path);
  const [begin] = typeof bytes === 'string' ? [] : decodeRecords(seal, plan, bytes);
  return begin?.kind === 'BEGIN' && begin.plan === plan ? begin : undefined;
}

const maxLogBytes = 512 * 1024 * 1024;

function readOwn(path: string): Buffer | 'nothing' | 'damaged' | 'foreign' {
  try {
    const found = lstatOwn(path);
    if (found?.isFile() !== true) return 'nothing';
    return found.size > maxLogBytes ? 'foreign' : readFileSync(path);
  } catch (error) {
    const code = errnoOf(error);
    if (code === undefined) throw error;
    // What we wrote we may read.
    return code === 'EACCES' || code === 'EPERM' ? 'foreign' : 'damaged';
  }
}

/** Also the form of `backup/manifest`. */
export function encodeRecord(seal: Seal, plan: string, record: JournalRecord): Buffer {
  const json = Buffer.from(JSON.stringify(record));
  const head = `${json.length} ${crcOf(json)} ${seal.make(plan, json)} `;
  return Buffer.concat([Buffer.from(head), json, Buffer.from('\n')]);
}

/** A record behind a torn one would never be read: what a crash left half written goes before anything is added. */
export function dropTornTail({ dir, seal }: Pick<Journal, 'dir' | 'seal'>): void {
  const bytes = readFileSync(logPath(dir));
  const { end } = scanRecords(seal, basename(dir), bytes);
  if (end < bytes.length) truncateSync(logPath(dir), end);
}

/** Up to the first line that is not whole, not ours or not sound. */
function decodeRecords(seal: Seal, plan: string, bytes: Buffer): readonly JournalRecord[] {
  return scanRecords(seal, plan, bytes).records;
}

function scanRecords(
  seal: Seal,
  plan: string,
  bytes: Buffer,
): { readonly records: readonly JournalRecord[]; readonly end: number } {
  const records: JournalRecord[] = [];
  let at = 0;
  while (at < bytes.length) {
    const line = lineAt(bytes, at);
    if (line === undefined || !seal.isOurs(plan, line.json, line.seal)) break;
    const record = readRecord(line.json.toString('utf8'));
    if (record === undefined) break;
    records.push(record);
    at = line.end;
  }
  return { records, end: at };
}

/** A line that is whole, sealed or not. */
function lineAt(
  bytes: Buffer,
  at: number,
): { readonly json: Buffer; readonly seal: string; readonly end: number } | undefined {
  const head = /^(\d{1,10}) ([0-9a-f]{8}) ([0-9a-f]{64}) /.exec(bytes.toString('latin1', at, at + 86));
  const [whole = '', length, crc, seal = ''] = head ?? [];
  if (head === null) return undefined;
  const start = at + whole.length;
  const end = start + Number(length);
  // No record holds a line end, so a length that leads past one is wrong.
  if (bytes.indexOf(0x0a, start) !== end) return undefined;
  const json = bytes.subarray(start, end);
  return crcOf(json) === crc ? { json, seal, end: end + 1 } : undefined;
}

function nextLine(bytes: Buffer, at: number): number {
  const end = bytes.indexOf(0x0a, at);
  return end < 0 ? bytes.length : end + 1;
}

function crcOf(bytes: Uint8Array): string {
  return crc32(bytes).toString(16).padStart(8, '0');
}

// The shape of what a journal says. A record of another shape was not written by us, or is no longer what was written: it counts as damaged.
// Paths are below the root and in no private directory; temps are known by their names, and lie beside their targets.

const reserved = new Set(['', '.', '..', '.git', 'git~1', '.codegenie']);

/** Without regard to what some volumes do not see in a name: case, dots and spaces at its end, characters of no width. */
export function isPlainPath(path: string): boolean {
  if (path.includes('\0')) return false;
  return path.split('/').every((part) => {
    const seen = part.replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, '').toLowerCase();
    return !reserved.has(seen) && !reserved.has(seen.replace(/[. ]+$|:.*$/g, ''));
  });
}

const tempName = /(?:^|\/)\.[^/]*cg-[0-9a-f]{16}[^/]*\.tmp$/;

const Path = z.string().min(1).refine(isPlainPath);
const Temp = Path.refine((path) => tempName.test(path));
const Mode = z.int().min(0).max(0o7777).nullable();
const Id = z.int().min(0).max(0xffff_ffff);

const EntryShape = z
  .strictObject({
    path: Path,
    old: z.string().nullable(),
    new: z.string().nullable(),
    oldMode: Mode,
    newMode: Mode,
    owner: z.strictObject({ uid: Id, gid: Id }).nullable(),
    temp: Temp,
  })
  .refine(({ path, temp }) => dirname(path) === dirname(temp));

const DecisionShape = z.strictObject({
  key: z.string(),
  op: z.string(),
  symbolKey: z.string(),
  chosen: z.record(z.string(), z.string()),
  fileHashes: z.record(z.string(), z.string()),
  planId: z.string(),
  createdMs: z.number(),
});

const BeginShape = z.strictObject({
  kind: z.literal('BEGIN'),
  plan: z.string().regex(/^[\w-]{1,128}$/),
  op: z.enum(['commit', 'undo']),
  atMs: z.number(),
  entries: z.array(EntryShape),
  makes: z.array(Path),
  drops: z.array(Path),
  trials: z.array(Temp),
  notes: z.array(z.string()),
  ledger: z
    .strictObject({ selections: z.array(z.string()), proofJson: z.string(), decision: DecisionShape.nullable() })
    .nullable(),
});

const RecordShape = z.discriminatedUnion('kind', [
  BeginShape,
  z.strictObject({ kind: z.literal('READY') }),
  z.strictObject({ kind: z.literal('ROLLBACK'), ends: z.enum(['open', 'undone', 'committed']) }),
  z.strictObject({ kind: z.literal('FORWARD') }),
  z.strictObject({ kind: z.literal('DONE'), late: z.array(z.string()) }),
  z.strictObject({ kind: z.literal('END') }),
]);

function readRecord(json: string): JournalRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  const read = RecordShape.safeParse(value);
  return read.success ? read.data : undefined;
}

/** The code of an I/O error, which becomes a refusal; undefined for any other error. */
export function errnoOf(error: unknown): string | undefined {
  if (error instanceof OutputRefused) return /\((E[A-Z]+)\)/.exec(error.why)?.[1] ?? 'EIO';
  const { code, syscall } = error as NodeJS.ErrnoException;
  return syscall === undefined ? undefined : code;
}

export function reasonOf(errno: string): RefusedReason {
  if (errno === 'ENOSPC' || errno === 'EDQUOT') return 'no_space';
  return errno === 'EROFS' || errno === 'EACCES' || errno === 'EPERM' ? 'read_only' : 'unsafe_volume';
}
