import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hashDump, renderDump } from '../../../test/support/canonical-dump.ts';
import { createScratchStore, makeRecord, type ScratchStore } from '../../../test/support/store-records.ts';
import { createFacts, type FactsPlace, openFactsBeside, openFactsForRead, openFactsForWrite } from './facts-file.ts';
import { checkInvariants } from './invariants.ts';
import { openLedger } from './ledger/ledger.ts';
import { StoreFailed } from './store-failed.ts';
import { schemaVersion } from './store-schema.ts';
import { findFile } from './stored-files.ts';
import { listSymbolsOfFile } from './stored-symbols.ts';
import { listFilesMatchingName } from './stored-text.ts';

let store: ScratchStore;
let place: FactsPlace;
let index: string;
beforeEach(() => {
  store = createScratchStore();
  place = store.place;
  index = `${place.cacheDir}/index`;
});
afterEach(() => store.dispose());

const a = makeRecord('src/a.ts');
const b = makeRecord('src/b.ts');

function openForRead() {
  const opened = openFactsForRead(place);
  if (opened.kind !== 'open') throw new Error(JSON.stringify(opened));
  return opened.facts;
}
function openForWrite() {
  const opened = openFactsForWrite(place);
  if (opened.kind !== 'open') throw new Error(JSON.stringify(opened));
  return opened.facts;
}
function openBeside() {
  const opened = openFactsBeside(place);
  if (opened.kind !== 'open') throw new Error(JSON.stringify(opened));
  return opened.facts;
}
/** A child that has arrived in the middle of what it does. */
async function startChild(what: string): Promise<ChildProcess> {
  const file = fileURLToPath(new URL('../../../test/support/store-child.ts', import.meta.url));
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', file, what, place.cacheDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout as NodeJS.ReadableStream, 'data');
  return child;
}
async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

describe('opening', () => {
  test('without an index, a rebuild is asked for and a reader is told', () => {
    expect(openFactsForWrite(place)).toMatchObject({ kind: 'rebuild', reason: 'absent' });
    expect(openFactsForRead(place)).toMatchObject({ kind: 'unavailable', reason: 'absent' });
  });

  test('a published store is opened again with what was put in, by a writer and by a reader beside it', () => {
    store.fill([a]).close();
    const writing = openForWrite();
    const reading = openForRead();
    expect(reading.read((session) => findFile(session, 'src/a.ts'))).toMatchObject(a.record.file);
    writing.writer.transaction(() => writing.writer.putFile(b.record, b.resolutions));
    expect(reading.read((session) => findFile(session, 'src/b.ts')?.path)).toBe('src/b.ts');
    reading.close();
    writing.close();
  });

  test('R10 two connections of the writer take turns, and the first goes on from where the second ended', () => {
    store.fill([a]).close();
    const first = openForWrite();
    first.writer.transaction(() => first.writer.setConflicted('src/a.ts', true));
    const second = openBeside();
    const before = second.writer.generation;
    expect(before).toBe(first.writer.generation);
    second.writer.transaction(() => second.writer.putFile(b.record, b.resolutions));
    // No other reader sees what is not committed, and none sees what was undone.
    expect(() =>
      second.writer.transaction(() => {
        second.writer.deleteFile('src/a.ts');
        expect(first.read((session) => findFile(session, 'src/a.ts'))).toBeDefined();
        throw new Error('undone');
      }),
    ).toThrow('undone');
    second.close();
    first.catchUp();
    expect(first.writer.generation).toBe(before + 1);
    first.writer.transaction(() => first.writer.putFile(a.record, a.resolutions));
    expect(first.read((session) => [session.generation, checkInvariants(session)])).toEqual([before + 2, []]);
    expect(first.read((session) => findFile(session, 'src/b.ts')?.path)).toBe('src/b.ts');
    first.close();
  });

  test('whether the last writer closed in peace is not for the second connection to say', () => {
    store.fill([a]).close();
    const first = openForWrite();
    first.writer.transaction(() => first.writer.setConflicted('src/a.ts', true));
    openBeside().close();
    const isClean = () => {
      const db = new DatabaseSync(`${index}/facts-1.db`, { readOnly: true });
      const found = db.prepare("SELECT value FROM meta WHERE key = 'clean'").get()?.['value'];
      db.close();
      return found;
    };
    expect(isClean()).toBe('0');
    first.close();
    expect(isClean()).toBe('1');
  });

  test('a second connection is to the store that is live, and there is none without one', () => {
    expect(openFactsBeside(place)).toMatchObject({ kind: 'rebuild', reason: 'absent' });
    store.fill([a]).close();
    expect(openFactsBeside({ ...place, extractor: 'another' })).toMatchObject({ kind: 'rebuild', reason: 'extractor' });
  });

  test.each([
    ['root', { rootHash: 'another' }],
    ['extractor', { extractor: 'another' }],
  ])('S9: another %s is never read as current', (reason, change) => {
    store.fill([a]).close();
    expect(openFactsForWrite({ ...place, ...change })).toMatchObject({ kind: 'rebuild', reason });
    expect(openFactsForRead({ ...place, ...change })).toMatchObject({ kind: 'unavailable', reason });
  });

  test.each([schemaVersion - 1, schemaVersion + 1])('S9: schema version %i is never read as current', (version) => {
    store.fill([a]).close();
    const db = new DatabaseSync(`${index}/facts-1.db`);
    db.exec(`PRAGMA user_version = ${version}`);
    db.close();
    expect(openFactsForWrite(place)).toMatchObject({ kind: 'rebuild', reason: 'schema' });
    expect(openFactsForRead(place)).toMatchObject({ kind: 'unavailable', reason: 'schema' });
  });

  test('S9: a facts file under the name of another is not the one CURRENT names', () => {
    store.fill([a]).close();
    const kept = readFileSync(`${index}/facts-1.db`);
    store.fill([b]).close();
    writeFileSync(`${index}/facts-2.db`, kept);
    expect(openFactsForRead(place)).toMatchObject({ kind: 'unavailable', reason: 'damaged' });
  });

  test.each(['', 'facts-1.db\n', '../../etc/passwd 00', 'facts-1.db '.padEnd(500, '0')])(
    'a CURRENT that says %j is none',
    (text) => {
      store.fill([a]).close();
      writeFileSync(`${index}/CURRENT`, text);
      expect(openFactsForRead(place)).toMatchObject({ kind: 'unavailable', reason: 'absent' });
    },
  );

  test('garbage in place of the facts file leads to a rebuild', () => {
    store.fill([a]).close();
    writeFileSync(`${index}/facts-1.db`, 'garbage'.repeat(2000));
    expect(openFactsForWrite(place)).toMatchObject({ kind: 'rebuild', reason: 'damaged' });
  });

  test('a file that was not closed in peace is checked from end to end, one that was is not', () => {
    store.fill(Array.from({ length: 300 }, (_, at) => makeRecord(`src/${at}.ts`))).close();
    const path = `${index}/facts-1.db`;
    // The last pages are those of secondary indexes: neither the schema nor meta shows the damage.
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0x55, bytes.length - 16_384));
    const opened = openFactsForWrite(place);
    expect(opened.kind).toBe('open');
    if (opened.kind === 'open') opened.facts.close();
    const db = new DatabaseSync(path);
    db.exec("UPDATE meta SET value = '0' WHERE key = 'clean'");
    db.close();
    expect(openFactsForWrite(place)).toMatchObject({ kind: 'rebuild', reason: 'damaged' });
  });

  test('damage that shows while reading is a StoreFailed, not a wrong answer', () => {
    store.fill(Array.from({ length: 300 }, (_, at) => makeRecord(`src/${at}.ts`))).close();
    const path = `${index}/facts-1.db`;
    const bytes = readFileSync(path);
    // The schema lies at both ends: tables were made first, indexes last.
    writeFileSync(path, bytes.fill(0x55, 200 * 1024, bytes.length - 200 * 1024));
    const facts = openForRead();
    expect(() => facts.read(hashDump)).toThrow(StoreFailed);
    facts.close();
  });
});

describe('replacing', () => {
  test('S14: a reader notices that its file was replaced, and the replaced file is gone', () => {
    store.fill([a]).close();
    const reading = openForRead();
    expect(reading.isCurrent()).toBe(true);
    const next = store.fill([b]);
    expect(reading.isCurrent()).toBe(false);
    // Until it closes, it still sees a whole store.
    expect(reading.read((session) => findFile(session, 'src/a.ts')?.path)).toBe('src/a.ts');
    reading.close();
    const again = openForRead();
    expect(again.isCurrent()).toBe(true);
    expect(again.read((session) => findFile(session, 'src/a.ts'))).toBeUndefined();
    again.close();
    next.close();
    expect(readdirSync(index).filter((name) => name.startsWith('facts-1'))).toEqual([]);
  });

  test.each(['CURRENT', 'facts-1.db', ''])('S14: a reader notices that index/%s was removed', (name) => {
    store.fill([a]).close();
    const reading = openForRead();
    rmSync(`${index}/${name}`, { recursive: true });
    expect(reading.isCurrent()).toBe(false);
    reading.close();
  });

  test('S14: a write is not a replacement', () => {
    const facts = store.fill([a]);
    const reading = openForRead();
    facts.writer.transaction(() => facts.writer.putFile(b.record, b.resolutions));
    expect(reading.isCurrent()).toBe(true);
    reading.close();
    facts.close();
  });

  test('generations never go back: not by a rebuild, not when index/ is deleted, not when the ledger is', () => {
    const seen: number[] = [];
    const see = (): void => {
      const facts = store.fill([a]);
      facts.writer.transaction(() => facts.writer.putFile(b.record, b.resolutions));
      seen.push(facts.read((session) => session.generation));
      facts.close();
    };
    see();
    see();
    rmSync(index, { recursive: true });
    see();
    rmSync(`${place.cacheDir}/state`, { recursive: true });
    see();
    expect(seen).toEqual([...seen].sort((x, y) => x - y));
    expect(new Set(seen).size).toBe(4);
  });

  test('S10: deleting index/ and cache/ loses nothing of the ledger', () => {
    store.fill([a]).close();
    const opened = openLedger(place.cacheDir);
    if (opened.kind !== 'open') throw new Error(opened.kind);
    opened.ledger.advance('other', 6);
    opened.ledger.close();
    for (const name of ['index', 'cache']) rmSync(`${place.cacheDir}/${name}`, { recursive: true, force: true });
    const again = openLedger(place.cacheDir);
    if (again.kind !== 'open') throw new Error(again.kind);
    expect(again.ledger.advance('other', 0)).toBe(8);
    expect(again.ledger.advance('facts', 0)).toBe(2);
    again.ledger.close();
  });

  test('an abandoned build leaves the live store and no file', () => {
    store.fill([a]).close();
    const build = store.begin();
    build.writer.transaction(() => build.writer.putFile(b.record, b.resolutions));
    build.abandon();
    expect(readdirSync(index)).toEqual(['CURRENT', 'facts-1.db']);
    const facts = openForWrite();
    expect(facts.read((session) => findFile(session, 'src/a.ts')?.path)).toBe('src/a.ts');
    facts.close();
  });

  test('a build can be read, and files in it replaced and deleted, before it is published', () => {
    const build = store.begin();
    const other = makeRecord('src/a.ts', 'Other');
    build.writer.transaction(() => {
      build.writer.putFile(a.record, a.resolutions);
      build.writer.putFile(b.record, b.resolutions);
    });
    expect(build.read((session) => listSymbolsOfFile(session, 'src/b.ts'))).toHaveLength(3);
    build.writer.transaction(() => {
      build.writer.putFile(other.record, other.resolutions);
      build.writer.deleteFile('src/b.ts');
    });
    const facts = build.publish();
    const fresh = createScratchStore();
    const expected = fresh.fill([other]);
    expect(facts.read(renderDump)).toBe(expected.read(renderDump));
    expect(facts.read(checkInvariants)).toEqual([]);
    expected.close();
    fresh.dispose();
    facts.close();
  });

  test('a build in which something threw cannot be published', () => {
    const build = store.begin();
    const fail = (): never => {
      throw new Error('halfway');
    };
    expect(() => build.writer.transaction(fail)).toThrow('halfway');
    expect(() => build.publish()).toThrow('without failure');
    build.abandon();
  });

  test('S7: a build killed before it is published leaves the live store, and the next writer removes the rest', async () => {
    store.fill([a]).close();
    const child = await startChild('build');
    expect(readdirSync(index)).toContain('facts-2.db');
    await kill(child);
    const facts = openForWrite();
    expect(facts.read((session) => findFile(session, 'src/a.ts')?.contentHash)).toBe(a.record.file.contentHash);
    facts.close();
    expect(readdirSync(index)).toEqual(['CURRENT', 'facts-1.db']);
  });

  test('S7: a writer killed inside a transaction leaves nothing of it: no facts, text or hash', async () => {
    const facts = store.fill([a, b]);
    const before = facts.read(hashDump);
    facts.close();
    const child = await startChild('write');
    await kill(child);
    const again = openForWrite();
    expect(again.read(hashDump)).toBe(before);
    expect(again.read((session) => listFilesMatchingName(session, 'OuterNew'))).toEqual([]);
    expect(again.read(checkInvariants)).toEqual([]);
    again.close();
  });
});

describe('a hostile data dir', () => {
  test('everything is private, whatever the umask', () => {
    const before = process.umask(0);
    try {
      const facts = store.fill([a]);
      facts.writer.transaction(() => facts.writer.putFile(b.record, b.resolutions));
      for (const name of readdirSync(index))
        expect([name, statSync(`${index}/${name}`).mode & 0o777]).toEqual([name, 0o600]);
      expect(readdirSync(index)).toContain('facts-1.db-wal');
      for (const path of [place.cacheDir, index, `${place.cacheDir}/state`])
        expect(statSync(path).mode & 0o777).toBe(0o700);
      facts.close();
    } finally {
      process.umask(before);
    }
  });

  test.each(['', 'index', 'index/facts-1.db', 'index/facts-1.db-wal', 'index/facts-1.db-shm'])(
    'a link at .codegenie/%s is refused, for reading and for writing',
    (name) => {
      store.fill([a]).close();
      const path = name === '' ? place.cacheDir : `${place.cacheDir}/${name}`;
      const outside = `${place.cacheDir}/../outside`;
      if (lstatSync(path, { throwIfNoEntry: false }) === undefined) writeFileSync(outside, '');
      else renameSync(path, outside);
      symlinkSync(outside, path);
      expect(openFactsForRead(place)).toMatchObject({ kind: 'refused', path });
      expect(openFactsForWrite(place)).toMatchObject({ kind: 'refused', path });
    },
  );

  test('a link where the new file would go is refused and nothing is written through it', () => {
    mkdirSync(index, { recursive: true });
    const outside = `${place.cacheDir}/../outside`;
    writeFileSync(outside, 'precious');
    symlinkSync(outside, `${index}/facts-1.db-journal`);
    const created = createFacts({ ...place, ledger: { advance: () => 1 } });
    // What other stores left is swept first, so there is nothing to refuse any more.
    expect(created.kind).toBe('created');
    if (created.kind === 'created') created.build.abandon();
    expect(readFileSync(outside, 'utf8')).toBe('precious');
  });

  test('a directory in place of the facts file is refused', () => {
    store.fill([a]).close();
    rmSync(`${index}/facts-1.db`);
    mkdirSync(`${index}/facts-1.db`);
    expect(openFactsForRead(place)).toMatchObject({ kind: 'refused', why: 'is not a regular file' });
  });

  test('flattened modes are restored by the next writer', () => {
    store.fill([a]).close();
    chmodSync(index, 0o755);
    openForWrite().close();
    expect(statSync(index).mode & 0o777).toBe(0o700);
  });
});
