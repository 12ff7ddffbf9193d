import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type ExtractionMemo, openExtractionMemo } from '../../gather/cache/extraction-memo.ts';
import { probes } from '../registry.gen.ts';
import type { ExtractorName } from '../source-worker.ts';
import { openParsePool, type ParsePool, parseLimits } from './parse-pool.ts';

const pools: ParsePool[] = [];
afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.close())));

function open(
  options: { signal?: AbortSignal; workers?: number; timeoutMs?: number; memo?: ExtractionMemo } = {},
): ParsePool {
  const pool = openParsePool({ signal: new AbortController().signal, ...options });
  pools.push(pool);
  return pool;
}

const bytes = (text: string) => new TextEncoder().encode(text);
const cases = (text: string) => ({ grammar: 'typescript', bytes: bytes(text), extract: ['test-cases'] }) as const;

test('facts of several extractors come from one parse, and a syntax error does not lose them', async () => {
  const pool = open();
  const source = bytes(`it('x', () => fetch('https://a.example.com'));\nconst = ;`);
  const outcome = await pool.run({ grammar: 'typescript', bytes: source, extract: ['test-cases', 'http-clients'] });
  expect(outcome).toEqual({
    kind: 'extracted',
    hasErrors: true,
    facts: {
      'test-cases': { cases: 1, exact: false, libraries: [] },
      'http-clients': [{ kind: 'http', line: 1, library: 'fetch', base_url: 'https://a.example.com', literal: true }],
    },
  });
  expect(source.byteLength).toBeGreaterThan(0);
});

test('few files cost one thread, many files no more than asked for', async () => {
  const pool = open({ workers: 2 });
  await Promise.all([1, 2, 3].map((n) => pool.run(cases(`it('${n}', f)`))));
  expect(pool.threads).toBe(1);
  const many = await Promise.all(Array.from({ length: 60 }, (_, n) => pool.run(cases(`it('${n}', f);`.repeat(n)))));
  expect(many.map((outcome) => (outcome.kind === 'extracted' ? outcome.facts['test-cases'].cases : -1))).toEqual(
    Array.from({ length: 60 }, (_, n) => n),
  );
  expect(pool.threads).toBe(2);
});

test('G33 when the signal fires every open request rejects with its reason and no thread is left', async () => {
  const controller = new AbortController();
  const pool = open({ signal: controller.signal });
  await pool.run(cases(`it('warm', f)`));
  const open20 = Array.from({ length: 20 }, () => pool.run(cases(`it('x', f);\n`.repeat(20_000))));
  const settled = Promise.allSettled(open20);
  controller.abort(new Error('probe timed out'));
  for (const outcome of await settled) {
    expect(outcome.status === 'rejected' && (outcome.reason as Error).message).toBe('probe timed out');
  }
  expect(pool.threads).toBe(0);
  await expect(pool.run(cases(''))).rejects.toThrow('probe timed out');
});

test('a pool opened with a fired signal starts nothing', async () => {
  const pool = open({ signal: AbortSignal.abort(new Error('too late')) });
  await expect(pool.run(cases(''))).rejects.toThrow('too late');
  expect(pool.threads).toBe(0);
});

test('a file over the cap and a file over the time limit are failed values', async () => {
  const pool = open();
  const large = new Uint8Array(parseLimits.parseBytes + 1);
  expect(await pool.run({ grammar: 'python', bytes: large, extract: ['test-cases'] })).toEqual({
    kind: 'failed',
    reason: 'too_large',
  });
  const hasty = open({ timeoutMs: 1 });
  const slow = cases(`it('x', f);\n`.repeat(80_000));
  expect(await hasty.run(slow)).toEqual({ kind: 'failed', reason: 'timeout' });
});

test('files that were sent along with one that takes too long are answered by another thread', async () => {
  const pool = open({ workers: 1, timeoutMs: 100 });
  await pool.run(cases(`it('warm', f)`));
  const slow = cases(`it('x', f);\n`.repeat(85_000));
  const quick = Array.from({ length: 10 }, (_, n) => cases(`it('${n}', f);`.repeat(n)));
  const [first, second, ...others] = await Promise.all([slow, slow, ...quick].map((task) => pool.run(task)));
  expect([first, second]).toEqual(Array(2).fill({ kind: 'failed', reason: 'timeout' }));
  expect(others.map((outcome) => (outcome.kind === 'extracted' ? outcome.facts['test-cases'].cases : -1))).toEqual(
    quick.map((_, n) => n),
  );
});

test('P5 a file is parsed once for all that is expected to be asked of it, and answers as if each had been asked alone', async () => {
  const place = mkdtempSync(join(tmpdir(), 'memo-'));
  try {
    const memo = openExtractionMemo(place, Buffer.from('a key of thirty-two characters!!'));
    memo.expect(['imports', 'typing', 'reflection']);
    const source = bytes(`import { a } from './a';\nexport const b: any = a[eval('1')];\n`);
    const asked = [['imports'], ['reflection', 'typing']] as const;
    const alone = open();
    const expected = await Promise.all(
      asked.map((extract) => alone.run({ grammar: 'typescript', bytes: source, extract })),
    );
    // At once, of pools of their own, as probes ask: who comes second waits.
    const pools = asked.map(() => open({ memo }));
    const answers = await Promise.all(
      asked.map((extract, at) => (pools[at] as ParsePool).run({ grammar: 'typescript', bytes: source, extract })),
    );
    expect(pools.map((pool) => pool.threads)).toEqual([1, 0]);
    expect(answers).toMatchObject(expected);
    expect(memo.underWay.size).toBe(0);
  } finally {
    rmSync(place, { recursive: true });
  }
});

test('P7 what fails of what others ask costs them their answer and not this one', async () => {
  const place = mkdtempSync(join(tmpdir(), 'memo-'));
  try {
    const memo = openExtractionMemo(place, Buffer.from('a key of thirty-two characters!!'));
    memo.expect(['there is no such extractor']);
    const pool = open({ memo });
    const outcome = await pool.run(cases(`it('x', f)`));
    expect(outcome).toMatchObject({ kind: 'extracted', facts: { 'test-cases': { cases: 1 } } });
  } finally {
    rmSync(place, { recursive: true });
  }
});

test('what probes say they have extracted of sources can be extracted', async () => {
  const pool = open();
  const names = [...new Set(probes.flatMap(({ extracts }) => extracts))] as ExtractorName[];
  expect(names.length).toBeGreaterThan(3);
  const outcome = await pool.run({ grammar: 'typescript', bytes: bytes('export {};'), extract: names });
  expect(outcome.kind === 'extracted' && Object.keys(outcome.facts)).toEqual(names);
});
