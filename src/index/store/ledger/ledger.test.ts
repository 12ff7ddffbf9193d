import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Ledger, ledgerMigrations, type Migration, openLedger } from './ledger.ts';
import { readOrCreateKey } from './state-key.ts';

let directory: string;
let stateDir: string;
beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'ledger-')));
  stateDir = join(directory, '.codegenie');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function open(migrations?: readonly Migration[]): Ledger {
  const opened = openLedger(stateDir, migrations);
  if (opened.kind !== 'open') throw new Error(JSON.stringify(opened));
  return opened.ledger;
}
const next = ledgerMigrations.length + 1;
const added: Migration = { number: next, says: 'more', sql: 'CREATE TABLE more(id INTEGER PRIMARY KEY) STRICT' };

describe('the ledger', () => {
  test('a counter never gives a number twice, across openings and at least as high as asked', () => {
    const ledger = open();
    expect([ledger.advance('facts', 0), ledger.advance('facts', 0), ledger.advance('other', 0)]).toEqual([1, 2, 1]);
    ledger.close();
    const again = open();
    expect([again.advance('facts', 0), again.advance('facts', 10), again.advance('facts', 4)]).toEqual([3, 11, 12]);
    again.close();
  });

  test('S10 a ledger of an earlier program loses its table of events, and nothing else', () => {
    const earlier = open(ledgerMigrations.slice(0, 2));
    earlier.advance('facts', 6);
    earlier.close();
    const now = open();
    expect(now.advance('facts', 0)).toBe(8);
    now.close();
    const db = new DatabaseSync(`${stateDir}/state/ledger.db`, { readOnly: true });
    expect(db.prepare("SELECT name FROM sqlite_schema WHERE name = 'events'").all()).toEqual([]);
    db.close();
  });

  test('a later program adds its steps and keeps what was there', () => {
    const ledger = open();
    ledger.advance('facts', 6);
    ledger.close();
    const later = open([...ledgerMigrations, added]);
    expect(later.advance('facts', 0)).toBe(8);
    later.close();
    // The steps are done once.
    open([...ledgerMigrations, added]).close();
  });

  test('S9: a ledger of a newer program is left alone', () => {
    open([...ledgerMigrations, added]).close();
    const before = readFileSync(`${stateDir}/state/ledger.db`);
    expect(openLedger(stateDir)).toMatchObject({ kind: 'unusable', detail: expect.stringContaining('newer') });
    expect(readFileSync(`${stateDir}/state/ledger.db`).equals(before)).toBe(true);
  });

  test('a step that fails leaves the ledger at the step before', () => {
    open().close();
    const broken: Migration = {
      number: next,
      says: 'x',
      sql: 'CREATE TABLE more(id INTEGER); CREATE TABLE more(id INTEGER)',
    };
    expect(openLedger(stateDir, [...ledgerMigrations, broken]).kind).toBe('unusable');
    const db = new DatabaseSync(`${stateDir}/state/ledger.db`);
    expect(db.prepare('PRAGMA user_version').get()?.['user_version']).toBe(next - 1);
    expect(db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'more'").get()).toBeUndefined();
    db.close();
  });

  test('a damaged ledger is reported and never replaced', () => {
    mkdirSync(`${stateDir}/state`, { recursive: true });
    writeFileSync(`${stateDir}/state/ledger.db`, 'garbage'.repeat(1000));
    expect(openLedger(stateDir).kind).toBe('unusable');
    expect(readFileSync(`${stateDir}/state/ledger.db`, 'utf8')).toBe('garbage'.repeat(1000));
  });

  test.each(['', 'state', 'state/ledger.db'])('a link at .codegenie/%s is refused', (name) => {
    mkdirSync(`${stateDir}/state`, { recursive: true });
    const path = name === '' ? stateDir : `${stateDir}/${name}`;
    rmSync(path, { recursive: true, force: true });
    mkdirSync(`${directory}/outside`);
    symlinkSync(`${directory}/outside`, path);
    expect(openLedger(stateDir)).toMatchObject({ kind: 'refused', path });
  });

  test('its files are private', () => {
    const ledger = open();
    ledger.advance('facts', 0);
    for (const name of ['ledger.db', 'ledger.db-wal'])
      expect(statSync(`${stateDir}/state/${name}`).mode & 0o777).toBe(0o600);
    ledger.close();
  });
});

describe('the key', () => {
  test('is made once, has 32 bytes, and is private', () => {
    const first = readOrCreateKey(stateDir);
    if (first.kind !== 'key') throw new Error(first.why);
    expect(first.key).toHaveLength(32);
    expect(readOrCreateKey(stateDir)).toEqual(first);
    expect(statSync(`${stateDir}/state/key`).mode & 0o777).toBe(0o600);
    const other = readOrCreateKey(join(directory, 'other'));
    expect(other.kind === 'key' && Buffer.from(other.key).equals(Buffer.from(first.key))).toBe(false);
  });

  test('a link, a directory, or a key of another length is refused and left alone', () => {
    mkdirSync(`${stateDir}/state`, { recursive: true });
    const path = `${stateDir}/state/key`;
    writeFileSync(path, 'short');
    expect(readOrCreateKey(stateDir)).toMatchObject({ kind: 'refused', path });
    expect(readFileSync(path, 'utf8')).toBe('short');
    rmSync(path);
    writeFileSync(`${directory}/outside`, 'x'.repeat(32));
    symlinkSync(`${directory}/outside`, path);
    expect(readOrCreateKey(stateDir)).toMatchObject({ kind: 'refused', path });
    rmSync(path);
    mkdirSync(path);
    expect(readOrCreateKey(stateDir)).toMatchObject({ kind: 'refused', path });
  });
});
