import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { silentLogger } from '../../kernel/base/log.ts';
import { rebrandStored } from '../publish/redact.ts';
import { type KeyParts, keyPartNames } from './cache-key.ts';
import { cacheSealKey, openCacheStore, prepareCacheDirectory } from './cache-store.ts';

const hour = 3_600_000;
const start = Date.parse('2026-01-01T00:00:00Z');
const parts = Object.fromEntries(keyPartNames.map((name) => [name, ''])) as KeyParts;
const bounds = { maxAgeDays: 30, maxMb: 1 };

let base: string;
let now: number;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'codegenie-cache-'));
  now = start;
  prepareCacheDirectory(base);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const store = () => join(base, 'cache/gather/v1');
const ownKey = Buffer.alloc(32, 1);
const open = (sealKey: Uint8Array = ownKey) =>
  openCacheStore({ cacheDir: base, sealKey, logger: silentLogger, nowMs: () => now });
const keyOf = (digit: string) => `sha256:${digit.repeat(64)}`;

function put(
  digit: string,
  of: { readonly slice?: string; readonly inputs?: string; readonly artifact?: string },
): void {
  const bytes = Buffer.from(of.artifact ?? '');
  const { slice, artifacts } = rebrandStored({
    slice: { text: of.slice ?? '' },
    findingsCount: 0,
    fingerprints: [],
    artifacts: of.artifact === undefined ? [] : [{ name: `${digit}.txt`, kind: 'text', bytes }],
  });
  const facts = { confidence: 'high', warnings: [], diagnostics: [], evidence: [], toolVersions: [] } as const;
  open().put({ key: keyOf(digit), parts, probe: 'p', version: '1', slice, facts, artifacts, inputs: of.inputs ?? '' });
}

/** As if everything so far had been written and last used then. */
function age(atMs: number): void {
  for (const kind of ['entries', 'blobs']) {
    for (const folder of readdirSync(join(store(), kind))) {
      for (const name of readdirSync(join(store(), kind, folder))) {
        utimesSync(join(store(), kind, folder, name), atMs / 1000, atMs / 1000);
      }
    }
  }
}
const useAt = (digit: string, atMs: number) =>
  utimesSync(join(store(), 'entries', digit.repeat(2), `${digit.repeat(64)}.json`), atMs / 1000, atMs / 1000);
const kept = (...digits: string[]) => digits.filter((digit) => open().findEntry(keyOf(digit)) !== undefined);
function storedBytes(): number {
  return ['entries', 'blobs']
    .flatMap((kind) => readdirSync(join(store(), kind)).map((folder) => join(store(), kind, folder)))
    .flatMap((folder) => readdirSync(folder).map((name) => lstatSync(join(folder, name)).size))
    .reduce((sum, size) => sum + size, 0);
}

describe('cache.max_mb bounds what lies on disk', () => {
  const big = (letter: string) => letter.repeat(700 * 1024);

  test.each(['slice', 'inputs', 'artifact'] as const)('the %s of an entry counts', (part) => {
    put('a', { [part]: big('a') });
    put('b', { [part]: big('b') });
    age(start - 2 * hour);
    useAt('b', start - hour);
    open().collectGarbage(bounds);
    expect(kept('a', 'b')).toEqual(['b']);
    expect(storedBytes()).toBeLessThan(1024 * 1024);
  });

  test('a blob that several entries share counts once', () => {
    for (const digit of ['a', 'b', 'c']) put(digit, { artifact: big('x') });
    age(start - 2 * hour);
    open().collectGarbage(bounds);
    expect(kept('a', 'b', 'c')).toEqual(['a', 'b', 'c']);
  });

  test('a shared blob goes with the last entry that names it, not with the first', () => {
    put('a', { artifact: big('x') });
    put('b', { artifact: big('x') });
    put('c', { artifact: big('y') });
    age(start - 4 * hour);
    useAt('b', start - 3 * hour);
    useAt('c', start - 2 * hour);
    open().collectGarbage(bounds);
    expect(kept('a', 'b', 'c')).toEqual(['c']);
    expect(open().get(keyOf('c'), 24).kind).toBe('hit');
    expect(storedBytes()).toBeLessThan(1024 * 1024);
  });
});

describe('P9 an entry counts with the seal of this key alone', () => {
  const entryPath = () => join(store(), 'entries/aa', `${'a'.repeat(64)}.json`);
  const edit = (change: (entry: Record<string, unknown>) => Record<string, unknown>) =>
    writeFileSync(entryPath(), JSON.stringify(change(JSON.parse(readFileSync(entryPath(), 'utf8')))));

  test('as it was written it is a hit; with another key it is not, and stays for the key it was made with', () => {
    put('a', { slice: 'x', artifact: 'y' });
    expect(open().get(keyOf('a'), 24).kind).toBe('hit');
    expect(open(Buffer.alloc(32, 2)).get(keyOf('a'), 24).kind).toBe('unsealed');
    expect(open(Buffer.alloc(32, 2)).findEntry(keyOf('a'))).toBeUndefined();
    expect(open(Buffer.alloc(32, 2)).readInputs(keyOf('a'))).toBeUndefined();
    expect(open().get(keyOf('a'), 24).kind).toBe('hit');
  });

  const members = ['probe', 'version', 'created_at', 'output', 'output_sha256', 'inputs'] as const;
  test.each(members)('nothing of it can be edited: %s', (name) => {
    put('a', { slice: 'x' });
    put('b', { slice: 'planted', inputs: 'planted' });
    now += hour;
    const other = {
      ...open().findEntry(keyOf('b')),
      probe: 'q',
      version: '2',
      created_at: new Date(now).toISOString(),
    };
    edit((entry) => ({ ...entry, [name]: other[name] }));
    expect(open().get(keyOf('a'), 24).kind).toBe('unsealed');
  });

  test.each([
    ['no seal', (entry: Record<string, unknown>) => ({ ...entry, seal: undefined }), 'unsealed'],
    ['parts', (entry: Record<string, unknown>) => ({ ...entry, parts: { ...parts, inputs: 'x' } }), 'unsealed'],
    ['an artifact more', (entry: Record<string, unknown>) => ({ ...entry, artifacts: [planted()] }), 'unsealed'],
    ['a seal that is none', (entry: Record<string, unknown>) => ({ ...entry, seal: 'x' }), 'miss'],
    ['another key', (entry: Record<string, unknown>) => ({ ...entry, key: keyOf('b') }), 'miss'],
  ])('nor this: %s', (_, change, kind) => {
    put('a', {});
    edit(change);
    expect(open().get(keyOf('a'), 24).kind).toBe(kind);
  });
  const planted = () => ({ name: 'x', kind: 'text', blake3: '0'.repeat(64), sha256: '0'.repeat(64), size: 1 });

  test("the key is that of the environment, else the user's own; a short one is refused, an empty one is none", () => {
    const shared = 'shared between machines, 32 or more';
    const of = (key?: string, home = base) => ({ home, environment: { CODEGENIE_CACHE_KEY: key } });
    expect(Buffer.from(cacheSealKey(of(shared), 'make')).toString()).toBe(shared);
    expect(existsSync(join(base, '.codegenie'))).toBe(false);
    expect(() => cacheSealKey(of('x'.repeat(31)), 'find')).toThrow(/fewer than 32/);
    expect(cacheSealKey(of(), 'find')).not.toEqual(cacheSealKey(of(), 'find'));
    expect(existsSync(join(base, '.codegenie'))).toBe(false);
    const own = cacheSealKey(of(''), 'make');
    expect(own).toEqual(new Uint8Array(readFileSync(join(base, '.codegenie/state/seal.key'))));
    expect(cacheSealKey(of(), 'find')).toEqual(own);
    writeFileSync(join(base, 'file'), '');
    // A home in which nothing can be kept: a key for this run alone.
    expect(cacheSealKey(of('', join(base, 'file')), 'make')).toHaveLength(32);
  });
});

describe('gc.lock', () => {
  const lock = () => join(store(), 'gc.lock');
  const expire = () => {
    put('a', {});
    age(start - 31 * 24 * hour);
  };

  test.each([
    ['a minute ago', -60],
    ['an instant after we looked at the clock', 1],
  ])('a collector that began %s is left alone', (_, seconds) => {
    expire();
    writeFileSync(lock(), '');
    utimesSync(lock(), start / 1000 + seconds, start / 1000 + seconds);
    open().collectGarbage(bounds);
    expect(kept('a')).toEqual(['a']);
    expect(existsSync(lock())).toBe(true);
    rmSync(lock());
    open().collectGarbage(bounds);
    expect(kept('a')).toEqual([]);
    expect(existsSync(lock())).toBe(false);
  });

  test.each<readonly [string, () => void]>([
    ['a lock', () => writeFileSync(lock(), '')],
    ['a folder', () => mkdirSync(join(lock(), 'deeper'), { recursive: true })],
  ])('%s that was left an hour ago is taken over', (_, plant) => {
    expire();
    plant();
    utimesSync(lock(), start / 1000 - 3601, start / 1000 - 3601);
    open().collectGarbage(bounds);
    expect(kept('a')).toEqual([]);
    expect(readdirSync(store()).sort()).toEqual(['blobs', 'entries', 'gc.stamp']);
  });

  test('nothing is written through a link in its place', () => {
    expire();
    symlinkSync(join(base, 'elsewhere'), lock());
    open().collectGarbage(bounds);
    expect(existsSync(join(base, 'elsewhere'))).toBe(false);
  });

  test('once in 24 hours, also after a clock that was ahead', () => {
    open().collectGarbage(bounds);
    expire();
    now = start + 23 * hour;
    open().collectGarbage(bounds);
    expect(kept('a')).toEqual(['a']);
    now = start + 24 * hour;
    open().collectGarbage(bounds);
    expect(kept('a')).toEqual([]);
    now = start - 1;
    expire();
    open().collectGarbage(bounds);
    expect(kept('a')).toEqual([]);
  });
});

test('a folder in the place of an entry or a blob does not stop the collection', () => {
  put('a', {});
  mkdirSync(join(store(), 'entries/00/x.json/deeper'), { recursive: true });
  mkdirSync(join(store(), 'blobs/00/x/deeper'), { recursive: true });
  age(start - 31 * 24 * hour);
  open().collectGarbage(bounds);
  expect(kept('a')).toEqual([]);
  expect(readdirSync(join(store(), 'entries/00'))).toEqual([]);
  expect(readdirSync(join(store(), 'blobs/00'))).toEqual([]);
});

test('temporaries of the dead are removed when the cache is prepared, those of the living stay', () => {
  const dead = ['cache/hashes.999999999.tmp', 'cache/gather/v1/gc.stamp.999999999.0a1b2c3d.tmp'];
  const living = [`cache/hashes.${process.pid}.tmp`, `cache/gather/v1/gc.stamp.${process.pid}.0a1b2c3d.tmp`];
  const others = ['cache/hashes', 'cache/notes.tmp'];
  for (const path of [...dead, ...living, ...others]) writeFileSync(join(base, path), '');
  prepareCacheDirectory(base);
  expect([...dead, ...living, ...others].filter((path) => existsSync(join(base, path)))).toEqual([
    ...living,
    ...others,
  ]);
});
