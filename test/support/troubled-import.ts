/**
 * The thread that imports, with something in its way: `?at=<moment>&does=<what>&place=<directory>`. It is the real thread otherwise.
 *
 * Moments: `start`, before it does anything; `prepare`, when it has opened the store and is about to read it; `begin`, when it has the store; `commit`, when nothing is left but to commit.
 * What it does there: `hold` makes `reached` in the directory and waits until there is `go`; the others are ways to die or to fail.
 */

import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const about = new URL(import.meta.url).searchParams;
const place = about.get('place') ?? '';
const pause = new Int32Array(new SharedArrayBuffer(4));

const deeds: Readonly<Record<string, (db: DatabaseSync | undefined) => void>> = {
  hold() {
    writeFileSync(join(place, 'reached'), '');
    while (!existsSync(join(place, 'go'))) Atomics.wait(pause, 0, 0, 5);
  },
  exit: () => process.exit(7),
  throw() {
    throw new Error('a bug');
  },
  memory() {
    throw Object.assign(new Error('no memory left'), { code: 'ERR_WORKER_OUT_OF_MEMORY' });
  },
  full(db) {
    const pages = Number(db?.prepare('PRAGMA page_count').get()?.['page_count']);
    exec.call(db as DatabaseSync, `PRAGMA max_page_count = ${pages}`);
  },
};

function reach(moment: string, db?: DatabaseSync): void {
  if (about.get('at') === moment) deeds[about.get('does') ?? '']?.(db);
}

const { exec } = DatabaseSync.prototype;
let isWriting = false;
let hasRead = false;
DatabaseSync.prototype.exec = function (sql: string): void {
  if (sql === 'BEGIN' && !hasRead) {
    hasRead = true;
    reach('prepare', this);
  }
  if (sql === 'COMMIT' && isWriting) reach('commit', this);
  if (sql === 'COMMIT' || sql === 'ROLLBACK') isWriting = false;
  exec.call(this, sql);
  if (!sql.startsWith('BEGIN IMMEDIATE')) return;
  isWriting = true;
  reach('begin', this);
};

reach('start');
await import('../../src/index/refresh/import-worker.ts');
