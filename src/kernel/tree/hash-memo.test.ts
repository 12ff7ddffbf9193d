import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openHashMemo } from './hash-memo.ts';
import { type FileStat, lstatOf } from './safe-read.ts';

let place: string;
let file: string;
let memoFile: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'memo-'));
  file = join(place, 'a.txt');
  memoFile = join(place, 'cache/hashes');
  writeFileSync(file, 'one');
});
afterEach(() => rmSync(place, { recursive: true }));

const stat = (): FileStat => {
  const found = lstatOf(file);
  if (found === undefined) throw new Error('no file');
  return found.stat;
};
/** A clock far enough ahead that everything on disk has settled. */
const later = () => Date.now() + 60_000;
const all = () => true;

test('G8 an untouched file is remembered, across openings', () => {
  const memo = openHashMemo(memoFile);
  memo.remember('a.txt', stat(), 'h1', later());
  expect(memo.find('a.txt', stat())).toBe('h1');
  memo.save(all);
  expect(openHashMemo(memoFile).find('a.txt', stat())).toBe('h1');
  expect(openHashMemo(memoFile).find('b.txt', stat())).toBeUndefined();
});

test('G8 an edit of the same length is not taken for the old file', () => {
  const memo = openHashMemo(memoFile);
  utimesSync(file, 1000, 1000);
  memo.remember('a.txt', stat(), 'h1', later());
  writeFileSync(file, 'two');
  expect(memo.find('a.txt', stat())).toBeUndefined();
});

test('G8 nor is one whose mtime was put back: the change time cannot be', () => {
  const memo = openHashMemo(memoFile);
  utimesSync(file, 1000, 1000);
  const before = stat();
  memo.remember('a.txt', before, 'h1', later());
  // Clocks of file systems tick in milliseconds; the edit must not fall into the same tick.
  do {
    writeFileSync(file, 'two');
    utimesSync(file, 1000, 1000);
  } while (stat().ctimeNs === before.ctimeNs);
  expect(stat()).toMatchObject({ size: before.size, mtimeNs: before.mtimeNs, ino: before.ino });
  expect(memo.find('a.txt', stat())).toBeUndefined();
});

test('G8 a touch without an edit is hashed again, and then known', () => {
  const memo = openHashMemo(memoFile);
  memo.remember('a.txt', stat(), 'h1', later());
  utimesSync(file, 2000, 2000);
  expect(memo.find('a.txt', stat())).toBeUndefined();
  memo.remember('a.txt', stat(), 'h1', later());
  expect(memo.find('a.txt', stat())).toBe('h1');
});

test('G8 what changed within the racy window is not remembered, and what was known of it is forgotten', () => {
  const memo = openHashMemo(memoFile);
  memo.remember('a.txt', stat(), 'h1', later());
  memo.remember('a.txt', stat(), 'h1', Date.now());
  expect(memo.find('a.txt', stat())).toBeUndefined();
  // An old mtime alone does not settle a file.
  utimesSync(file, 1000, 1000);
  memo.remember('a.txt', stat(), 'h1', Date.now());
  expect(memo.find('a.txt', stat())).toBeUndefined();
});

test('paths of no interest are dropped, and nothing is written where nothing changed', () => {
  const memo = openHashMemo(memoFile);
  memo.save(all);
  expect(existsSync(memoFile)).toBe(false);
  memo.remember('a.txt', stat(), 'h1', later());
  memo.remember('b.txt', stat(), 'h2', later());
  memo.save((path) => path === 'b.txt');
  const again = openHashMemo(memoFile);
  expect([again.find('a.txt', stat()), again.find('b.txt', stat())]).toEqual([undefined, 'h2']);
  const { ino } = statSync(memoFile);
  again.save(all);
  expect(statSync(memoFile).ino).toBe(ino);
  expect(readdirSync(join(place, 'cache'))).toEqual(['hashes']);
});

test.each(['', '{', 'null', '[]', '{"version":2,"flat":[]}', '{"version":1,"flat":["a.txt",1,2,"b"]}', '\0\xff'])(
  'a broken memo %j is an empty one',
  (text) => {
    mkdirSync(join(place, 'cache'));
    writeFileSync(memoFile, text, 'latin1');
    const memo = openHashMemo(memoFile);
    expect(memo.find('a.txt', stat())).toBeUndefined();
    memo.remember('a.txt', stat(), 'h1', later());
    memo.save(all);
    expect(openHashMemo(memoFile).find('a.txt', stat())).toBe('h1');
  },
);

test('G2 G29 a memo that is a FIFO or a link is not read, and a planted link is not written through', () => {
  mkdirSync(join(place, 'cache'));
  execFileSync('mkfifo', [memoFile]);
  const memo = openHashMemo(memoFile);
  const victim = join(place, 'victim');
  writeFileSync(victim, 'mine');
  symlinkSync(victim, `${memoFile}.${process.pid}.tmp`);
  memo.remember('a.txt', stat(), 'h1', later());
  memo.save(all);
  expect(readFileSync(victim, 'utf8')).toBe('mine');
  expect(openHashMemo(memoFile).find('a.txt', stat())).toBe('h1');
  const link = join(place, 'cache/link');
  symlinkSync(memoFile, link);
  expect(openHashMemo(link).find('a.txt', stat())).toBeUndefined();
});
