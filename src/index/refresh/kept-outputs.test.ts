import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readOrCreateKey } from '../store/ledger/state-key.ts';
import { createKeptOutputs } from './kept-outputs.ts';

const fingerprint = 'f'.repeat(32);
let place: string;
let stateDir: string;

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'kept-')));
  stateDir = join(place, 'data');
  readOrCreateKey(stateDir);
});
afterEach(() => rmSync(place, { recursive: true }));

async function keep(text: string, context = 'ts:a', at = stateDir): Promise<void> {
  await createKeptOutputs({ stateDir: at, cacheDir: at }).keep(context, fingerprint, (path) => {
    writeFileSync(path, text);
    return true;
  });
}
const find = (context = 'ts:a', at = stateDir, of = fingerprint) =>
  createKeptOutputs({ stateDir: at, cacheDir: at }).find(context, of);
const directory = (at = stateDir) => join(at, 'cache/scip');
const names = (at = stateDir) => readdirSync(directory(at));

test('what was kept here is found again, also when the index was deleted', async () => {
  mkdirSync(join(stateDir, 'index'));
  await keep('output');
  rmSync(join(stateDir, 'index'), { recursive: true });
  expect(readFileSync(find() ?? '', 'utf8')).toBe('output');
  expect([find('ts:b'), find('ts:a', stateDir, '0'.repeat(32))]).toEqual([undefined, undefined]);
  await keep('another');
  expect(readFileSync(find() ?? '', 'utf8')).toBe('another');
  expect(names()).toHaveLength(1);
});

test('P9 an output that came with the tree is not believed, whatever key came with it', async () => {
  await keep('output');
  const copy = join(place, 'copy');
  cpSync(stateDir, copy, { recursive: true });
  expect(names(copy)).toEqual(names());
  expect(find('ts:a', copy)).toBeUndefined();
  // A name that only says what it was made from is no seal.
  writeFileSync(join(directory(), `${names()[0]?.slice(0, 17)}${fingerprint}.scip`), 'forged');
  expect(readFileSync(find() ?? '', 'utf8')).toBe('output');
  rmSync(directory(), { recursive: true });
  mkdirSync(directory());
  writeFileSync(join(directory(), `${names(copy)[0]?.slice(0, 17)}${fingerprint}.scip`), 'forged');
  expect(find()).toBeUndefined();
});

test('P9 another content, another context or another key is another seal', async () => {
  await keep('output');
  const [name = ''] = names();
  writeFileSync(join(directory(), name), 'changed');
  expect(find()).toBeUndefined();
  writeFileSync(join(directory(), name), 'output');
  expect(find()).toBeDefined();
  rmSync(join(stateDir, 'state/key'));
  expect(find()).toBeUndefined();
  readOrCreateKey(stateDir);
  expect(find()).toBeUndefined();
});

test('P9 nothing is read, and nothing removed, through a link', async () => {
  await keep('output');
  const [name = ''] = names();
  const elsewhere = join(place, 'elsewhere');
  cpSync(directory(), elsewhere, { recursive: true });
  rmSync(directory(), { recursive: true });
  symlinkSync(elsewhere, directory());
  const kept = createKeptOutputs({ stateDir, cacheDir: stateDir });
  expect(kept.find('ts:a', fingerprint)).toBeUndefined();
  kept.prune([]);
  kept.drop('ts:a');
  expect(readdirSync(elsewhere)).toEqual([name]);
});
