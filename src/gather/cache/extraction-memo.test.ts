import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { blake3Hex } from '../../kernel/base/hash.ts';
import { openExtractionMemo } from './extraction-memo.ts';

let directory: string;
beforeEach(() => {
  directory = join(mkdtempSync(join(tmpdir(), 'memo-')), 'extracted');
});
afterEach(() => rmSync(join(directory, '..'), { recursive: true, force: true }));

const sealKey = Buffer.from('a key of thirty-two characters!!');
const open = (key: Uint8Array = sealKey) => openExtractionMemo(directory, key);
const [a, b] = [blake3Hex('a'), blake3Hex('b')];

test('P5 what was extracted is found by the bytes and the version of the code, and by nothing else', () => {
  const memo = open();
  memo.remember('imports', '1', a, { facts: [1, null, 'x\ny'], hasErrors: false });
  memo.save();
  expect(open().find('imports', '1', a)).toEqual({ facts: [1, null, 'x\ny'], hasErrors: false });
  expect(open().find('imports', '2', a)).toBe(undefined);
  expect(open().find('imports', '1', b)).toBe(undefined);
  expect(open().find('typing', '1', a)).toBe(undefined);
});

test('P5 what would not be the same after it was read again is not kept', () => {
  const memo = open();
  memo.remember('imports', '1', a, { facts: new Map([['x', 1]]) });
  memo.remember('imports', '1', b, { facts: undefined });
  expect([memo.find('imports', '1', a), memo.find('imports', '1', b)]).toEqual([undefined, undefined]);
});

test('P8 facts with a secret in them never reach the disk', () => {
  const secret = `ghp_${'a1B2c3D4e5F6g7H8i9J0'}k1L2m3N4o5P6q7R8`;
  const memo = open();
  memo.remember('imports', '1', a, { facts: [`https://x:${secret}@y`] });
  memo.remember('imports', '1', b, { facts: ['plain'] });
  memo.save();
  const written = readdirSync(directory).map((name) => readFileSync(join(directory, name), 'utf8'));
  expect(written.join('')).toContain('plain');
  expect(written.join('')).not.toContain(secret.slice(4, 20));
});

test('P9 a memo that was written by others is not believed', () => {
  const memo = open();
  memo.remember('imports', '1', a, { facts: ['./b'] });
  memo.save();
  expect(open(Buffer.from('another key of thirty-two chars!')).find('imports', '1', a)).toBe(undefined);
  const path = join(directory, 'imports');
  writeFileSync(path, readFileSync(path, 'utf8').replace('./b', './c'));
  expect(open().find('imports', '1', a)).toBe(undefined);
});

test('what no gather asks for any more goes in the end', () => {
  const many = Array.from({ length: 500 }, (_, at) => blake3Hex(`many ${at}`));
  const memo = open();
  for (const key of many) memo.remember('imports', '1', key, { facts: key.length });
  memo.save();
  const later = open();
  later.remember('imports', '1', a, { facts: 1 });
  later.save();
  const left = open();
  expect(many.filter((key) => left.find('imports', '1', key) !== undefined).length).toBe(201);
  expect(left.find('imports', '1', a)).toEqual({ facts: 1 });
});
