import { appendFileSync, existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FileFollower, followFile } from './follow-file.ts';

let directory: string;
let file: string;
let lines: string[];
let follower: FileFollower;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'follow-'));
  file = join(directory, 'log');
  lines = [];
  follower = followFile(file, (line) => void lines.push(line));
});
afterEach(async () => {
  await follower.close();
  rmSync(directory, { recursive: true, force: true });
});

test('lines are delivered as they are ended, each once', async () => {
  await follower.readOn();
  expect(lines).toEqual([]);
  writeFileSync(file, 'one\ntw');
  await follower.readOn();
  expect(lines).toEqual(['one']);
  appendFileSync(file, 'o\n\nthree');
  await follower.readOn();
  expect(lines).toEqual(['one', 'two', '']);
  expect(follower.bytes).toBe(14);
});

test('many reads make the lines that one would, bytes kept', async () => {
  const text = Array.from({ length: 40_000 }, (_, at) => `${at} ${'é'.repeat(at % 50)}`);
  writeFileSync(file, `${text.join('\n')}\n`);
  await follower.readOn();
  expect(lines.map((line) => Buffer.from(line, 'latin1').toString('utf8'))).toEqual(text);
});

test('a line without end costs bounded memory and nothing but itself', async () => {
  writeFileSync(file, `a\n${'x'.repeat(3 * 1024 ** 2)}\nb\n`);
  await follower.readOn();
  expect(lines).toEqual(['a', 'b']);
});

test('what is no longer needed is removed', async () => {
  writeFileSync(file, 'a\n');
  await follower.readOn();
  expect(await follower.size()).toBe(2);
  await follower.discard();
  expect(existsSync(file)).toBe(false);
});

test('nothing is read through a link', async () => {
  writeFileSync(join(directory, 'elsewhere'), 'secret\n');
  symlinkSync(join(directory, 'elsewhere'), file);
  await follower.readOn();
  expect(lines).toEqual([]);
});
