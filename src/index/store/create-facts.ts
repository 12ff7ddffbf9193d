/**
 * Builds a new facts file beside the live one and puts it in its place in one step (code-plane.md §4.3).
 *
 * Until `publish`, nobody else sees the file: it is filled in one transaction without journal, syncs or foreign keys, secondary
 * indexes come last, and the full-text tables gather far larger batches than they would live. A crash, or `abandon`, leaves the old
 * store live and a file that the next writer removes.
 */

import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { assert } from '../../kernel/base/assert.ts';
import { ensureOwnDirectory } from '../../kernel/base/write-file.ts';
import { type Current, factsPath, highestNumber, readCurrent, removeOthers, writeCurrent } from './current-file.ts';
import { createReader, type FactsHandle } from './facts-handle.ts';
import type { Ledger } from './ledger.ts';
import { openDatabase, orRefused, type Refused } from './open-database.ts';
import { type FactsPlace, openFactsForWrite, placeOf, type WritableFacts } from './open-facts.ts';
import { findSchemaDifference, readSchema, schemaVersion } from './schema.ts';
import { guardSqlite, StoreFailed } from './store-failed.ts';
import { createFactsWriter, type FactsWriter, generationsPerFile } from './write-record.ts';

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
  const { dataDir, ledger } = place;
  return orRefused((): CreateOutcome => {
    ensureOwnDirectory(dataDir);
    ensureOwnDirectory(`${dataDir}/index`);
    removeOthers(dataDir, readCurrent(dataDir)?.number);
    const number = ledger.advance('facts', highestNumber(dataDir));
    const db = guardSqlite(() => openDatabase(factsPath(dataDir, number), 'create'));
    const nonce = randomBytes(16).toString('hex');
    guardSqlite(() => beginFill(db, place, nonce, number));
    return { kind: 'created', build: createBuild(db, place, { number, nonce }) };
  });
}

function createBuild(db: DatabaseSync, place: FactsPlace, current: Current): FactsBuild {
  const { dataDir } = place;
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
        // Closed before it is flushed through a descriptor of ours: on POSIX systems, closing that would take away every lock that
        // an open connection of this process has on the file.
        db.close();
      });
      flushFile(factsPath(dataDir, current.number));
      writeCurrent(dataDir, current);
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
      removeOthers(dataDir, readCurrent(dataDir)?.number);
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
  meta.run('place', placeOf(place.dataDir));
  meta.run('extractor', place.extractor);
  meta.run('nonce', nonce);
  meta.run('generation', String(number * generationsPerFile));
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
