import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { appendRecord, type Begin, dropTornTail, encodeRecord, isDamaged, logPath, readJournal } from './journal.ts';

const begin: Begin = {
  kind: 'BEGIN',
  plan: 'p-1',
  op: 'commit',
  atMs: 0,
  entries: [
    {
      path: 'src/ä.ts',
      old: 'a',
      new: 'b',
      oldMode: 0o644,
      newMode: 0o644,
      owner: null,
      temp: 'src/.ä.ts.cg-0123456789abcdef.tmp',
    },
  ],
  makes: [],
  drops: [],
  trials: ['.cg-0123456789abcdef.trial.tmp'],
  notes: [],
  ledger: null,
};

let base: string;
let dir: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'journal-'));
  dir = join(base, 'p-1');
  mkdirSync(dir);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

test('the last whole record counts, whatever a crash left behind it', () => {
  appendRecord(dir, begin);
  appendRecord(dir, { kind: 'READY' });
  const done = encodeRecord({ kind: 'DONE', late: [] });
  for (let length = 1; length < done.length; length += 1) {
    const whole = readFileSync(logPath(dir));
    appendFileSync(logPath(dir), done.subarray(0, length));
    expect(readJournal(dir)).toEqual({ dir, begin, last: { kind: 'READY' } });
    truncateSync(logPath(dir), whole.length);
  }
});

test('a first record that is torn is no journal', () => {
  const line = encodeRecord(begin);
  for (const length of [0, 1, 5, 20, line.length - 1]) {
    writeFileSync(logPath(dir), line.subarray(0, length));
    expect(readJournal(dir)).toBeUndefined();
    expect(isDamaged(dir)).toBe(false);
  }
});

test('a record with a changed byte ends the reading', () => {
  appendRecord(dir, begin);
  const ready = encodeRecord({ kind: 'READY' });
  ready[ready.length - 3] = 0x58;
  appendFileSync(logPath(dir), ready);
  expect(readJournal(dir)?.last.kind).toBe('BEGIN');
});

test('a damaged first record with something behind it is told from one that was never finished', () => {
  const line = encodeRecord(begin);
  line[40] = 0x21;
  writeFileSync(logPath(dir), Buffer.concat([line, encodeRecord({ kind: 'READY' })]));
  expect(readJournal(dir)).toBeUndefined();
  expect(isDamaged(dir)).toBe(true);
});

test('what is added behind a torn tail is read', () => {
  appendRecord(dir, begin);
  appendFileSync(logPath(dir), encodeRecord({ kind: 'READY' }).subarray(0, 9));
  dropTornTail(dir);
  appendRecord(dir, { kind: 'END' });
  expect(readJournal(dir)?.last.kind).toBe('END');
});

test.each([
  '../outside.ts',
  '/etc/passwd',
  'a/../../b',
  '.git/hooks/pre-commit',
  'src/.GIT/config',
  '.codegenie/state/key',
  '',
])('a journal that names %j is not ours', (path) => {
  const [entry] = begin.entries;
  if (entry === undefined) throw new Error('no entry');
  appendRecord(dir, { ...begin, entries: [{ ...entry, path }] });
  expect(readJournal(dir)).toBeUndefined();
});

test('a temp is recognised by its name too', () => {
  const [entry] = begin.entries;
  if (entry === undefined) throw new Error('no entry');
  appendRecord(dir, { ...begin, entries: [{ ...entry, temp: 'src/precious.ts' }] });
  expect(readJournal(dir)).toBeUndefined();
});
