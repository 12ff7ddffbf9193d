import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { FileIdentity } from '../text/file-record.ts';
import { type IndexPool, openIndexPool } from './index-pool.ts';
import type { DescribeAnswer, DescribeRequest } from './index-worker.ts';

let root: string;
const pools: IndexPool[] = [];
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'codegenie-test-')));
});
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
  rmSync(root, { recursive: true });
});

function open(options: { readonly timeoutMs?: number; readonly signal?: AbortSignal; readonly workers?: number } = {}) {
  const pool = openIndexPool({ signal: new AbortController().signal, ...options });
  pools.push(pool);
  return pool;
}

const tree = () => ({ root, key: new Uint8Array(32) });

function ask(path: string, language: string | null, knownHash: string | null = null): DescribeRequest {
  const identity: FileIdentity = {
    path,
    pathKey: path,
    language,
    generated: false,
    vendored: false,
    test: false,
    conflicted: false,
  };
  return { identity, knownHash, parse: 'full' };
}

async function answers(pool: IndexPool, requests: readonly DescribeRequest[]): Promise<Map<string, DescribeAnswer>> {
  const found = new Map<string, DescribeAnswer>();
  await pool.run(tree(), requests, (request, answer) => {
    expect(found.has(request.identity.path)).toBe(false);
    found.set(request.identity.path, answer);
  });
  return found;
}

const parseOf = (answer: DescribeAnswer | undefined) =>
  answer?.kind === 'described' ? answer.packed.file.parse : undefined;

test('R3 every file is answered once: described, the same, or gone', async () => {
  const paths = Array.from({ length: 100 }, (_, index) => `f${index}.py`);
  for (const path of paths) writeFileSync(join(root, path), `def ${path.slice(0, -3)}(): pass\n`);
  const pool = open({ workers: 2 });
  const first = await answers(
    pool,
    [...paths, 'missing.py'].map((path) => ask(path, 'python')),
  );
  expect(first.size).toBe(101);
  expect(first.get('missing.py')).toEqual({ kind: 'gone' });
  const known = first.get('f7.py');
  const hash = known?.kind === 'described' ? known.packed.file.contentHash : null;
  expect(known?.kind === 'described' && known.packed.names).toBe('f7');
  const again = await answers(pool, [ask('f7.py', 'python', hash)]);
  expect(again.get('f7.py')?.kind).toBe('same');
});

test('S6 a file that takes too long becomes a row without facts, and harms no other file', async () => {
  writeFileSync(join(root, 'slow.cpp'), 'a<'.repeat(500_000));
  const others = Array.from({ length: 20 }, (_, index) => `ok${index}.py`);
  for (const path of others) writeFileSync(join(root, path), 'x = 1\n');
  const found = await answers(open({ timeoutMs: 3_000, workers: 1 }), [
    ...others.slice(0, 5).map((path) => ask(path, 'python')),
    ask('slow.cpp', 'cpp'),
    ...others.slice(5).map((path) => ask(path, 'python')),
  ]);
  expect(found.size).toBe(21);
  expect(parseOf(found.get('slow.cpp'))).toBe('failed');
  expect(others.map((path) => parseOf(found.get(path)))).toEqual(others.map(() => 'ok'));
});

test('G33 when the signal fires the run rejects with its reason and no thread is left', async () => {
  writeFileSync(join(root, 'slow.cpp'), 'a<'.repeat(150_000));
  const controller = new AbortController();
  const pool = open({ signal: controller.signal });
  const run = pool.run(tree(), [ask('slow.cpp', 'cpp')], () => {});
  setImmediate(() => controller.abort(new Error('enough')));
  await expect(run).rejects.toThrow('enough');
  expect(pool.threads).toBe(0);
});

test('a rested pool works again', async () => {
  writeFileSync(join(root, 'a.py'), 'x = 1\n');
  const pool = open();
  await answers(pool, [ask('a.py', 'python')]);
  await pool.rest();
  expect(pool.threads).toBe(0);
  expect(parseOf((await answers(pool, [ask('a.py', 'python')])).get('a.py'))).toBe('ok');
});

test('S1 a thread that is slow to begin because the process was held up loses no file', async () => {
  writeFileSync(join(root, 'a.py'), 'x = 1\n');
  const pool = open({ timeoutMs: 2_000 });
  await answers(pool, [ask('a.py', 'python')]);
  const run = answers(pool, [ask('a.py', 'python')]);
  // As a debugger, a stopped process or a long write would: this thread does not run for longer than the limit.
  const until = Date.now() + 3_000;
  while (Date.now() < until);
  expect(parseOf((await run).get('a.py'))).toBe('ok');
});

test('a thread that was started ahead is the one that works, and is none too many', async () => {
  writeFileSync(join(root, 'a.py'), 'a = 1\n');
  const pool = open();
  pool.warm();
  pool.warm();
  expect(pool.threads).toBe(1);
  const found = await answers(pool, [ask('a.py', 'python')]);
  expect(parseOf(found.get('a.py'))).toBe('ok');
  expect(pool.threads).toBe(1);
});

test('a thread that was started ahead and is not needed ends with the pool', async () => {
  const pool = open();
  pool.warm();
  await pool.close();
  expect(pool.threads).toBe(0);
  pool.warm();
  expect(pool.threads).toBe(0);
});
