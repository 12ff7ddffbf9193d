import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import {
  appendRecord,
  type Begin,
  dropTornTail,
  encodeRecord,
  type JournalRecord,
  logPath,
  readJournal,
  readLog,
} from './journal.ts';
import { openSeal, type Seal } from './seal.ts';

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
let seal: Seal;
const encode = (record: JournalRecord) => encodeRecord(seal, 'p-1', record);
const append = (record: JournalRecord) => appendRecord({ dir, seal }, record);
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'journal-'));
  dir = join(base, 'p-1');
  mkdirSync(dir);
  seal = openSeal({ root: base, home: join(base, 'home') });
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

test('the last whole record counts, whatever a crash left behind it', () => {
  append(begin);
  append({ kind: 'READY' });
  const done = encode({ kind: 'DONE', late: [] });
  for (let length = 1; length < done.length; length += 1) {
    const whole = readFileSync(logPath(dir));
    appendFileSync(logPath(dir), done.subarray(0, length));
    expect(readJournal(seal, dir)).toEqual({ dir, begin, last: { kind: 'READY' }, seal });
    truncateSync(logPath(dir), whole.length);
  }
});

test('a first record that is torn is no journal', () => {
  const line = encode(begin);
  for (const length of [0, 1, 5, 20, line.length - 1]) {
    writeFileSync(logPath(dir), line.subarray(0, length));
    expect(readJournal(seal, dir)).toBeUndefined();
    expect(readLog(seal, dir).kind).toBe('nothing');
  }
});

test('a record with a changed byte ends the reading', () => {
  append(begin);
  const ready = encode({ kind: 'READY' });
  ready[ready.length - 3] = 0x58;
  appendFileSync(logPath(dir), ready);
  expect(readJournal(seal, dir)?.last.kind).toBe('BEGIN');
});

test('a damaged first record with something behind it is told from one that was never finished', () => {
  const line = encode(begin);
  line[40] = 0x21;
  writeFileSync(logPath(dir), Buffer.concat([line, encode({ kind: 'READY' })]));
  expect(readJournal(seal, dir)).toBeUndefined();
  expect(readLog(seal, dir).kind).toBe('damaged');
});

test('what is added behind a torn tail is read', () => {
  append(begin);
  appendFileSync(logPath(dir), encode({ kind: 'READY' }).subarray(0, 9));
  dropTornTail({ dir, seal });
  append({ kind: 'END' });
  expect(readJournal(seal, dir)?.last.kind).toBe('END');
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
  append({ ...begin, entries: [{ ...entry, path }] });
  expect(readJournal(seal, dir)).toBeUndefined();
});

test('a temp is recognised by its name too', () => {
  const [entry] = begin.entries;
  if (entry === undefined) throw new Error('no entry');
  append({ ...begin, entries: [{ ...entry, temp: 'src/precious.ts' }] });
  expect(readJournal(seal, dir)).toBeUndefined();
});

test('a temp lies beside its target', () => {
  const [entry] = begin.entries;
  if (entry === undefined) throw new Error('no entry');
  append({ ...begin, entries: [{ ...entry, temp: 'lib/.a.ts.cg-0123456789abcdef.tmp' }] });
  expect(readLog(seal, dir).kind).toBe('damaged');
});

test('P9 without the seal of this user, for this root and this plan, nothing is believed', () => {
  append(begin);
  append({ kind: 'READY' });
  const other = (place: { root: string; home: string }) => readLog(openSeal(place), dir).kind;
  expect(other({ root: base, home: join(base, 'home') })).toBe('journal');
  expect(other({ root: base, home: join(base, 'somebody') })).toBe('foreign');
  expect(other({ root: dir, home: join(base, 'home') })).toBe('foreign');
  const copied = join(base, 'p-2');
  mkdirSync(copied);
  writeFileSync(logPath(copied), readFileSync(logPath(dir)));
  expect(readLog(seal, copied).kind).toBe('foreign');
});

test('P9 a record that another user added ends the reading, and goes before anything is added', () => {
  append(begin);
  append({ kind: 'READY' });
  const theirs = openSeal({ root: base, home: join(base, 'somebody') });
  appendFileSync(logPath(dir), encodeRecord(theirs, 'p-1', { kind: 'ROLLBACK', ends: 'open' }));
  expect(readJournal(seal, dir)?.last.kind).toBe('READY');
  dropTornTail({ dir, seal });
  append({ kind: 'DONE', late: [] });
  expect(readJournal(seal, dir)?.last.kind).toBe('DONE');
});

test('no bytes make a reader throw, and a record of another shape counts as damaged', () => {
  const asRecord = (value: unknown) => encode(value as JournalRecord);
  const line = fc.oneof(
    fc.jsonValue().map(asRecord),
    fc
      .record(
        { kind: fc.constantFrom('BEGIN', 'READY', 'ROLLBACK', 'DONE'), plan: fc.jsonValue(), entries: fc.jsonValue() },
        { requiredKeys: [] },
      )
      .map((odd) => asRecord({ ...begin, ...odd, surplus: 1 })),
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    fc.constant(encode({ kind: 'READY' })),
    fc.constant(Buffer.from('99999 00000000 \n')),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 5 }), (lines) => {
      writeFileSync(logPath(dir), Buffer.concat(lines));
      expect(['nothing', 'damaged', 'foreign']).toContain(readLog(seal, dir).kind);
      writeFileSync(logPath(dir), Buffer.concat([encode(begin), ...lines]));
      expect(readLog(seal, dir).kind).toBe('journal');
    }),
  );
});
