import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ensureOwnDirectory, ensureParents, OutputRefused, writeAtomically } from './write-file.ts';

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'codegenie-write-'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const write = (path: string, text: string | Uint8Array = 'new') =>
  writeAtomically(join(base, path), text, { durable: true });

test('a file is replaced whole, private, and nothing is left beside it', () => {
  write('a', 'x'.repeat(100_000));
  write('a', new Uint8Array([1, 2, 3]));
  write('empty', '');
  expect([...readFileSync(join(base, 'a'))]).toEqual([1, 2, 3]);
  expect(lstatSync(join(base, 'a')).mode & 0o777).toBe(0o600);
  expect(readdirSync(base)).toEqual(['a', 'empty']);
});

test('nothing is written through a link, not even a broken one', () => {
  writeFileSync(join(base, 'victim'), 'mine');
  symlinkSync(join(base, 'victim'), join(base, 'link'));
  symlinkSync(join(base, 'nowhere'), join(base, 'broken'));
  for (const path of ['link', 'broken']) expect(() => write(path)).toThrow(OutputRefused);
  expect(readFileSync(join(base, 'victim'), 'utf8')).toBe('mine');
  expect(readdirSync(base)).toEqual(['broken', 'link', 'victim']);
});

test('a directory in the place of a file, and no directory to write in, are refused by name', () => {
  mkdirSync(join(base, 'd'));
  expect(() => write('d')).toThrow(/is not a regular file/);
  expect(() => write('missing/a')).toThrow(/cannot be written \(ENOENT\)/);
  expect(readdirSync(base)).toEqual(['d']);
});

test('a directory that we make is private, and a link or file in its place is refused', () => {
  ensureOwnDirectory(join(base, 'own'));
  chmodSync(join(base, 'own'), 0o755);
  ensureOwnDirectory(join(base, 'own'));
  expect(lstatSync(join(base, 'own')).mode & 0o777).toBe(0o700);
  symlinkSync(join(base, 'own'), join(base, 'link'));
  writeFileSync(join(base, 'file'), '');
  expect(() => ensureOwnDirectory(join(base, 'link'))).toThrow(/is a symbolic link/);
  expect(() => ensureOwnDirectory(join(base, 'file'))).toThrow(/is not a directory/);
  expect(() => ensureOwnDirectory(join(base, 'file/below'))).toThrow(OutputRefused);
  expect(() => ensureOwnDirectory(join(base, 'no/such'))).toThrow(OutputRefused);
});

test('the directories on the way are made one by one, none through a link', () => {
  ensureParents(base, join(base, 'a/b/c.txt'));
  expect(lstatSync(join(base, 'a/b')).isDirectory()).toBe(true);
  mkdirSync(join(base, 'elsewhere'));
  symlinkSync(join(base, 'elsewhere'), join(base, 'l'));
  expect(() => ensureParents(base, join(base, 'l/b/c.txt'))).toThrow(/is a symbolic link/);
  expect(readdirSync(join(base, 'elsewhere'))).toEqual([]);
});
