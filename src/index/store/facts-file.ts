/**
 * Opens the live facts file, or says why a new one must be built. Invariants: S9 (another schema, extractor or root is never read
 * as current), S14 (a handle knows when its file was replaced).
 *
 * A full `quick_check` of a 100 MB file takes longer than most questions. It is done only when the last writer did not close in
 * peace (`meta.clean`); otherwise the schema, the identity and the nonce are compared, which reads a handful of pages. Damage that
 * shows later throws `StoreFailed`, and `doctor` checks everything.
 */

import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, lstatSync, openSync } from 'node:fs';
import { backup, type DatabaseSync } from 'node:sqlite';
import { assert } from '../../kernel/base/assert.ts';
import { ensureOwnDirectory, lstatOwn, refuseForeignDirectory } from '../../kernel/base/write-file.ts';
import {
  type Current,
  factsPath,
  highestNumber,
  isStillCurrent,
  type LiveCurrent,
  readCurrent,
  removeOthers,
  writeCurrent,
} from './current-file.ts';
import type { Ledger } from './ledger/ledger.ts';
import { openDatabase, orRefused, type Refused } from './open-database.ts';
import { createReader, type FactsHandle, type ReadSession } from './read-session.ts';
import { guardSqlite, isSqliteError, StoreFailed } from './store-failed.ts';
import { findSchemaDifference, readSchema, schemaVersion } from './store-schema.ts';
import { createJobWriter, type JobWriter } from './stored-jobs.ts';
import { createFactsWriter, type FactsWriter, generationsPerFile } from './write-files.ts';
import { createSemanticWriter, type SemanticWriter } from './write-semantic.ts';

type FactsIdentity = {
  /** Names the root by its real path. */
  readonly rootHash: string;
  /** Names the extractor with its grammars and queries. */
  readonly extractor: string;
};
export type FactsPlace = FactsIdentity & { readonly cacheDir: string };

export const rebuildReasons = [
  'absent',
  'schema',
  'root',
  'extractor',
  'damaged',
  'generations',
  'moved',
  'tracked',
] as const;
export type RebuildReason = (typeof rebuildReasons)[number];
type Unusable = { readonly reason: RebuildReason; readonly detail: string };

export type WritableFacts = FactsHandle & {
  readonly writer: FactsWriter;
  readonly semantic: SemanticWriter;
  readonly jobs: JobWriter;
  /** What follows from the rows of files, their imports and their text alone, worked out once until one of these is written. */
  ofFiles<T>(name: string, compute: (session: ReadSession) => T): T;
  /** To be called where another connection of this process may have written (`openFactsBeside`), before anything is written here. */
  catchUp(): void;
};

export type OpenForWrite =
  | { readonly kind: 'open'; readonly facts: WritableFacts }
  | ({ readonly kind: 'rebuild' } & Unusable)
  | Refused;
export type OpenForRead =
  | { readonly kind: 'open'; readonly facts: FactsHandle }
  | ({ readonly kind: 'unavailable' } & Unusable)
  | Refused;

/** Only for the holder of the writer lock. Removes what replaced and unfinished stores left behind. */
export function openFactsForWrite(place: FactsPlace): OpenForWrite {
  return orRefused((): OpenForWrite => {
    ensureOwnDirectory(place.cacheDir);
    ensureOwnDirectory(`${place.cacheDir}/index`);
    const opened = openLive(place, 'write');
    removeOthers(place.cacheDir, readCurrent(place.cacheDir)?.number);
    if (!('db' in opened)) return { kind: 'rebuild', ...opened };
    try {
      return { kind: 'open', facts: createWritable(opened.db, place.cacheDir, opened.live) };
    } catch (error) {
      opened.db.close();
      if (!isSqliteError(error)) throw error;
      return { kind: 'rebuild', reason: 'damaged', detail: error.message };
    }
  });
}

/**
 * A second connection that writes, for another thread of the process that holds the writer lock and has the store open. Only one of the two
 * may be in a transaction, and the other catches up afterwards. No process writes to a store that was not looked through, so it is not
 * looked through again; and whether its last writer closed in peace is for the first one to say.
 */
export function openFactsBeside(place: FactsPlace): OpenForWrite {
  return orRefused((): OpenForWrite => {
    refuseForeignDirectory(place.cacheDir);
    refuseForeignDirectory(`${place.cacheDir}/index`);
    const opened = openLive(place, 'beside');
    if (!('db' in opened)) return { kind: 'rebuild', ...opened };
    const { db, live } = opened;
    try {
      // The first connection has mapped the file already.
      db.exec('PRAGMA mmap_size = 0');
      const facts = guardSqlite(() => createWritable(db, place.cacheDir, live));
      return { kind: 'open', facts: { ...facts, close: () => db.close() } };
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

/** `keeper`: where handles that only read keep together what they work out about a generation. */
export function openFactsForRead(place: FactsPlace, keeper?: object): OpenForRead {
  return orRefused((): OpenForRead => {
    refuseForeignDirectory(place.cacheDir);
    refuseForeignDirectory(`${place.cacheDir}/index`);
    const opened = openLive(place, 'read');
    if (!('db' in opened)) return { kind: 'unavailable', ...opened };
    if (keeper !== undefined) opened.db.exec(sharingPragmas);
    return { kind: 'open', facts: createHandle(opened.db, place.cacheDir, opened.live, keeper) };
  });
}

/**
 * Which directory of which device holds the stores. A clone, an archive or a copy cannot carry it, so that a store that came with a
 * tree is not taken for one that was made here.
 */
export function placeOf(cacheDir: string): string {
  const found = lstatSync(`${cacheDir}/index`, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? 'none' : `${found.dev}:${found.ino}`;
}

/** A handle over a live file that has been checked. */
function createWritable(db: DatabaseSync, cacheDir: string, live: LiveCurrent): WritableFacts {
  const handle = createHandle(db, cacheDir, live);
  const writer = createFactsWriter(db, 'live');
  const jobs = createJobWriter(db, writer);
  const known = new Map<string, { readonly version: number; readonly value: unknown }>();
  return {
    ...handle,
    writer,
    semantic: createSemanticWriter(db, writer, handle.read),
    jobs,
    ofFiles<T>(name: string, compute: (session: ReadSession) => T): T {
      const version = writer.filesVersion();
      const found = known.get(name);
      if (found?.version === version) return found.value as T;
      const value = handle.read(compute);
      known.set(name, { version, value });
      return value;
    },
    catchUp() {
      writer.catchUp();
      jobs.catchUp();
    },
    close() {
      markClean(db);
      handle.close();
    },
  };
}

// An import of a whole project leaves a log of hundreds of megabytes; the next write cuts it to the limit.
const livePragmas = `
  PRAGMA busy_timeout = 5000; PRAGMA cache_size = -65536; PRAGMA mmap_size = 268435456;
  PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA journal_size_limit = 16777216;
`;

// One of several handles of a process: each would map the whole file once more. Questions take as long without.
const sharingPragmas = 'PRAGMA cache_size = -16384; PRAGMA mmap_size = 0;';

/** `beside`: writes, and is not the first of its process to do so. */
type Access = 'read' | 'write' | 'beside';

type Opened = { readonly db: DatabaseSync; readonly live: LiveCurrent } | Unusable;

/** Once more where CURRENT was replaced, and the file it named removed, while we were about to open that. */
function openLive(place: FactsPlace, access: Access): Opened {
  for (;;) {
    const live = readCurrent(place.cacheDir);
    if (live === undefined) return { reason: 'absent', detail: 'no index has been built' };
    const opened = openNamed(place, live, access);
    if ('db' in opened || isStillCurrent(place.cacheDir, live)) return opened;
  }
}

function openNamed(place: FactsPlace, live: LiveCurrent, access: Access): Opened {
  let db: DatabaseSync | undefined;
  try {
    db = openDatabase(factsPath(place.cacheDir, live.number), access === 'read' ? 'read' : 'write');
    db.exec(livePragmas);
    const wrong = findFault(db, place, live.nonce, access);
    if (wrong === undefined) return { db, live };
    db.close();
    return wrong;
  } catch (error) {
    db?.close();
    if (!isSqliteError(error)) throw error;
    return { reason: 'damaged', detail: error.message };
  }
}

function findFault(db: DatabaseSync, expected: FactsPlace, nonce: string, access: Access): Unusable | undefined {
  const schema = findSchemaDifference(db);
  if (schema !== undefined) return { reason: 'schema', detail: schema };
  const rows = db.prepare('SELECT key, value FROM meta').all();
  const meta = new Map(rows.map((row) => [String(row['key']), String(row['value'])]));
  if (meta.get('root_hash') !== expected.rootHash) return { reason: 'root', detail: 'the index is of another root' };
  if (meta.get('place') !== placeOf(expected.cacheDir)) {
    return { reason: 'moved', detail: 'the index was made in another place' };
  }
  if (meta.get('extractor') !== expected.extractor) {
    return { reason: 'extractor', detail: 'the index was made by another version of the extractors' };
  }
  if (meta.get('nonce') !== nonce) return { reason: 'damaged', detail: 'CURRENT names another file than this one' };
  const generation = Number(meta.get('generation') ?? Number.NaN);
  if (!Number.isSafeInteger(generation)) return { reason: 'damaged', detail: 'no generation' };
  if (generation % generationsPerFile > generationsPerFile * 0.99) {
    return { reason: 'generations', detail: 'the numbers of this file are used up' };
  }
  // A writer has looked through it before its first write; a reader beside a living writer need not.
  return access !== 'write' || meta.get('clean') === '1' ? undefined : quickCheck(db);
}

function quickCheck(db: DatabaseSync): Unusable | undefined {
  const found = db.prepare('PRAGMA quick_check(1)').all();
  const verdict = String(found[0]?.['quick_check']);
  return verdict === 'ok' ? undefined : { reason: 'damaged', detail: verdict };
}

function createHandle(db: DatabaseSync, cacheDir: string, live: LiveCurrent, keeper?: object): FactsHandle {
  const path = factsPath(cacheDir, live.number);
  const ino = lstatOwn(path)?.ino;
  const read = createReader(db, keeper);
  return {
    read,
    pin() {
      assert(!db.isTransaction, 'a handle is pinned once');
      guardSqlite(() => db.exec('BEGIN'));
      // The transaction has its moment with the first thing it reads.
      read((session) => session.generation);
    },
    unpin() {
      assert(db.isTransaction, 'only what is pinned can be let go');
      guardSqlite(() => db.exec('COMMIT'));
    },
    isCurrent: () => isStillCurrent(cacheDir, live) && ino !== undefined && lstatOwn(path)?.ino === ino,
    close: () => db.close(),
  };
}

/** A file that cannot be marked any more is one that the next opening checks. */
function markClean(db: DatabaseSync): void {
  try {
    guardSqlite(() => db.exec("UPDATE meta SET value = '1' WHERE key = 'clean' AND value <> '1'"));
  } catch (error) {
    if (!(error instanceof StoreFailed)) throw error;
  }
}

// ---- a new file, built beside the live one and put in its place in one step (code-plane.md §4.3)
//
// Until `publish`, no other connection sees it: it is filled in one transaction without journal, syncs or foreign keys, secondary
// indexes come last, and the full-text tables gather far larger batches than they would live. A crash, or `abandon`, leaves the old
// store live and a file that the next writer removes.

export type FactsBuild = {
  readonly writer: FactsWriter;
  readonly read: FactsHandle['read'];
  /** Finishes, checks and flushes the file, makes it the live one and gives a handle to it. */
  publish(): WritableFacts;
  abandon(): void;
};

export type CreateOutcome = { readonly kind: 'created'; readonly build: FactsBuild } | Refused;

/** Only for the holder of the writer lock. The ledger numbers the files, so that generations never go back. */
export function createFacts(place: FactsPlace & { readonly ledger: Pick<Ledger, 'advance'> }): CreateOutcome {
  const { cacheDir, ledger } = place;
  return orRefused((): CreateOutcome => {
    ensureOwnDirectory(cacheDir);
    ensureOwnDirectory(`${cacheDir}/index`);
    removeOthers(cacheDir, readCurrent(cacheDir)?.number);
    const number = ledger.advance('facts', highestNumber(cacheDir));
    const db = guardSqlite(() => openDatabase(factsPath(cacheDir, number), 'create'));
    const nonce = randomBytes(16).toString('hex');
    guardSqlite(() => beginFill(db, place, nonce, number));
    return { kind: 'created', build: createBuild(db, place, { number, nonce }) };
  });
}

function createBuild(db: DatabaseSync, place: FactsPlace, current: Current): FactsBuild {
  const { cacheDir } = place;
  const writer = createFactsWriter(db, 'bulk');
  const read = createReader(db);
  let state: 'filling' | 'spoiled' | 'done' = 'filling';
  return {
    writer: {
      ...writer,
      get generation() {
        return writer.generation;
      },
      transaction(change) {
        assert(state === 'filling', 'a build that failed is not filled further');
        // There is no way back without a journal: what threw halfway is never published.
        state = 'spoiled';
        const result = writer.transaction(change);
        state = 'filling';
        return result;
      },
    },
    read(ask) {
      writer.settle();
      return read(ask);
    },
    publish() {
      assert(state === 'filling', 'only a build without failure is published');
      state = 'done';
      guardSqlite(() => {
        writer.finish();
        finishFill(db);
        // Closed before it is flushed through another descriptor: on POSIX systems, closing that would take away every lock that
        // an open connection of this process has on the file.
        db.close();
      });
      flushFile(factsPath(cacheDir, current.number));
      writeCurrent(cacheDir, current);
      // Also removes what was live until now.
      const opened = openFactsForWrite(place);
      if (opened.kind === 'refused') throw new StoreFailed(`${opened.path} ${opened.why}`);
      if (opened.kind === 'rebuild') throw new StoreFailed(opened.detail);
      return opened.facts;
    },
    abandon() {
      if (state === 'done') return;
      state = 'done';
      db.close();
      removeOthers(cacheDir, readCurrent(cacheDir)?.number);
    },
  };
}

// A full-text table writes a segment whenever this much is waiting; with few and large ones there is little to merge.
const bulkHashBytes = 8 * 1024 * 1024;
const liveHashBytes = 1024 * 1024;
const setHashSize = (bytes: number): string =>
  ['fts_ident', 'fts_text']
    .map((table) => `INSERT INTO ${table}(${table}, rank) VALUES ('hashsize', ${bytes});`)
    .join('');

function beginFill(db: DatabaseSync, place: FactsPlace, nonce: string, number: number): void {
  db.exec(
    'PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; PRAGMA cache_size = -65536;',
  );
  db.exec(
    `BEGIN; ${readSchema().tables.join(';\n')}; PRAGMA user_version = ${schemaVersion}; ${setHashSize(bulkHashBytes)}`,
  );
  const meta = db.prepare('INSERT INTO meta(key, value) VALUES (?, ?)');
  meta.run('root_hash', place.rootHash);
  meta.run('place', placeOf(place.cacheDir));
  meta.run('extractor', place.extractor);
  meta.run('nonce', nonce);
  meta.run('generation', String(number * generationsPerFile));
  meta.run('structure', String(number * generationsPerFile));
  meta.run('clean', '1');
}

function finishFill(db: DatabaseSync): void {
  db.exec(`${readSchema().indexes.join(';\n')}; ${setHashSize(liveHashBytes)} COMMIT;`);
  const mode = db.prepare('PRAGMA journal_mode = WAL').get()?.['journal_mode'];
  if (mode !== 'wal') throw new StoreFailed('the file system does not allow a write-ahead log');
  const difference = findSchemaDifference(db);
  assert(difference === undefined, `a new store has another schema: ${difference}`);
}

function flushFile(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * A copy of the live store for another place, to be written there without this one: for texts that are not on disk. False where there is none
 * that this program reads.
 */
export async function copyFacts(from: FactsPlace, toCacheDir: string): Promise<boolean> {
  const opened = openLive(from, 'read');
  if (!('db' in opened)) return false;
  const { number } = opened.live;
  try {
    ensureOwnDirectory(toCacheDir);
    ensureOwnDirectory(`${toCacheDir}/index`);
    const path = factsPath(toCacheDir, number);
    // Made first, so that nobody else may read it.
    openDatabase(path, 'create').close();
    await backup(opened.db, path, { rate: copiedPages });
    const copy = openDatabase(path, 'write');
    const nonce = randomBytes(16).toString('hex');
    try {
      const set = copy.prepare('UPDATE meta SET value = ? WHERE key = ?');
      set.run(placeOf(toCacheDir), 'place');
      set.run(nonce, 'nonce');
    } finally {
      copy.close();
    }
    writeCurrent(toCacheDir, { number, nonce });
    return true;
  } catch (error) {
    // A disk that is full: there is nothing to begin with, and all is read anew.
    if (!isSqliteError(error)) throw error;
    return false;
  } finally {
    opened.db.close();
  }
}

/** 64 MB at a time; a writer beside it makes it begin again. */
const copiedPages = 16_384;
