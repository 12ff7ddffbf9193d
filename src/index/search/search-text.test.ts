import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createMemorySource, type MemoryFiles } from '../../../test/support/memory-search.ts';
import fc from '../../../test/support/properties.ts';
import { scrambled } from '../../../test/support/secret-samples.ts';
import {
  createSearchReader,
  type SearchAnswer,
  type SearchAsk,
  type SearchSource,
  searchDefaults,
  searchText,
} from './search-text.ts';

const asking = (query: string, options: Partial<SearchAsk> = {}): SearchAsk => ({
  query,
  kind: 'literal',
  ignoreCase: false,
  wholeWord: false,
  pathGlobs: [],
  languages: [],
  continueToken: null,
  ...searchDefaults,
  ...options,
});

const tools = { now: () => 0 };

async function answerTo(ask: SearchAsk, source: SearchSource, now: () => number = tools.now): Promise<SearchAnswer> {
  const outcome = await searchText(ask, source, { now });
  if (outcome.kind !== 'answer') throw new Error(`no answer: ${JSON.stringify(outcome)}`);
  return outcome;
}

/** `path:line:column` */
const places = (answer: SearchAnswer) =>
  answer.files.flatMap(({ path, hits }) => hits.map(({ line, column }) => `${path}:${line}:${column}`));

test('hits come by path and place, and only files that can hold them are read', async () => {
  const source = createMemorySource({ 'b.ts': 'needle needle', 'a.ts': '\nneedle', 'c.ts': 'nothing here' });
  const answer = await answerTo(asking('needle'), source);
  expect(places(answer)).toEqual(['a.ts:2:1', 'b.ts:1:1', 'b.ts:1:8']);
  expect(answer).toMatchObject({
    count: { value: 3, relation: 'eq', unresolved: 0 },
    truncated: false,
    continue: null,
  });
  expect(source.reads).toEqual(['a.ts', 'b.ts']);
});

test('short queries and expressions without literals look into every file', async () => {
  const files = { 'a.ts': 'x = 1', 'b.ts': 'y = 2', 'c.ts': 'x' };
  expect(places(await answerTo(asking('x'), createMemorySource(files)))).toEqual(['a.ts:1:1', 'c.ts:1:1']);
  const regex = await answerTo(asking('[xy] = \\d', { kind: 'regex' }), createMemorySource(files));
  expect(places(regex)).toEqual(['a.ts:1:1', 'b.ts:1:1']);
});

test('paths and languages are filtered, also in what was not searched', async () => {
  const files = {
    'src/a.ts': 'foo',
    'src/b.py': 'foo',
    'test/a.ts': 'foo',
    'src/gen/c.ts': 'foo',
    'src/big.ts': 'f\0',
  };
  const globbed = await answerTo(asking('foo', { pathGlobs: ['src/**', '!**/gen/**'] }), createMemorySource(files));
  expect(places(globbed)).toEqual(['src/a.ts:1:1', 'src/b.py:1:1']);
  expect(globbed.notSearched).toEqual({ binary: 1 });
  const python = await answerTo(asking('foo', { languages: ['python'] }), createMemorySource(files));
  expect(places(python)).toEqual(['src/b.py:1:1']);
  expect(python.notSearched).toEqual({});
});

test('T13: files that changed since are searched as they are now, and those that are gone are dropped', async () => {
  const indexed = createMemorySource(
    { 'changed.ts': 'old text', 'gone.ts': 'needle', 'same.ts': 'needle' },
    { suspects: ['changed.ts', 'new.ts'] },
  );
  const now: MemoryFiles = { 'changed.ts': 'needle', 'same.ts': 'needle', 'new.ts': 'a needle' };
  const source: SearchSource = {
    ...indexed,
    readFile: (path) => (path in now ? { kind: 'read', bytes: Buffer.from(now[path] as string) } : { kind: 'absent' }),
  };
  const answer = await answerTo(asking('needle'), source);
  expect(places(answer)).toEqual(['changed.ts:1:1', 'new.ts:1:3', 'same.ts:1:1']);
});

test('T14: a count is exact only after a sweep, without an unsearched text and without a cut', async () => {
  const relation = async (source: SearchSource, options: Partial<SearchAsk> = {}) =>
    (await answerTo(asking('foo', options), source)).count.relation;
  expect(await relation(createMemorySource({ 'a.ts': 'foo foo' }))).toBe('eq');
  expect(await relation(createMemorySource({ 'a.ts': 'foo foo' }, { swept: false }))).toBe('gte');
  expect(await relation(createMemorySource({ 'a.ts': 'foo foo' }), { limit: 1 })).toBe('gte');
  expect(await relation(createMemorySource({ 'a.ts': 'foo foo' }), { limit: 2 })).toBe('eq');
  expect(await relation(createMemorySource({ 'a.ts': 'foo', 'b.png': 'f\0' }))).toBe('eq');
  const encoded = createMemorySource({ 'a.ts': 'foo', 'b.ts': Buffer.from([0x66, 0xff, 0x6f]) });
  expect((await answerTo(asking('foo'), encoded)).count).toEqual({ value: 1, relation: 'gte', unresolved: 1 });
  const large = createMemorySource({ 'a.ts': 'foo' }, { readFile: () => ({ kind: 'skipped', reason: 'large' }) });
  expect(await answerTo(asking('foo'), large)).toMatchObject({
    count: { value: 0, relation: 'gte' },
    notSearched: { large: 1 },
  });
});

test('T15: an answer that is cut says so, and reading stops there', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 50 }, (_, n) => [`f${String(n).padStart(2, '0')}.ts`, 'foo foo foo']),
  );
  const source = createMemorySource(files);
  const answer = await answerTo(asking('foo', { limit: 4 }), source);
  expect(answer).toMatchObject({ truncated: true, timedOut: false, count: { value: 4, relation: 'gte' } });
  expect(source.reads).toEqual(['f00.ts', 'f01.ts']);
});

test('T15: when the time is up the answer says so and can be continued', async () => {
  const source = createMemorySource({ 'a.ts': 'foo', 'b.ts': 'foo', 'c.ts': 'foo' });
  let time = 0;
  const slow = () => (time += 400);
  const first = await answerTo(asking('foo', { deadlineMs: 1_500 }), source, slow);
  expect(first).toMatchObject({ truncated: true, timedOut: true, count: { relation: 'gte' } });
  const rest = await answerTo(asking('foo', { continueToken: first.continue }), source);
  expect([...places(first), ...places(rest)]).toEqual(['a.ts:1:1', 'b.ts:1:1', 'c.ts:1:1']);
});

test('T15: an expression that would take for ever ends with the time', async () => {
  const source = createMemorySource({ 'a.ts': 'b', 'b.ts': `${'a'.repeat(40)}!` });
  const answer = await answerTo(asking('(a+)+$', { kind: 'regex', deadlineMs: 100 }), source, () => performance.now());
  expect(answer).toMatchObject({ truncated: true, timedOut: true, count: { value: 0, relation: 'gte' } });
});

test('pages put together are the whole answer', async () => {
  const file = fc.array(fc.constantFrom('foo', 'x', '\n', 'é'), { maxLength: 8 }).map((parts) => parts.join(''));
  await fc.assert(
    fc.asyncProperty(
      fc.array(file, { maxLength: 6 }),
      fc.integer({ min: 1, max: 5 }),
      fc.constantFrom('literal', 'folded'),
      async (texts, limit, how) => {
        const source = createMemorySource(Object.fromEntries(texts.map((text, n) => [`${n}.ts`, text])));
        const ask = asking('foo', { ignoreCase: how === 'folded' });
        const whole = await answerTo(ask, source);
        const pages: string[] = [];
        let token: string | null = null;
        let counted = 0;
        do {
          const page: SearchAnswer = await answerTo({ ...ask, limit, continueToken: token }, source);
          pages.push(...places(page));
          counted = page.count.value;
          token = page.continue;
        } while (token !== null);
        expect(pages).toEqual(places(whole));
        expect(counted).toBe(whole.count.value);
      },
    ),
    { numRuns: 60 },
  );
});

test('a token of another question or generation is refused, and so is one that is none', async () => {
  const files = { 'a.ts': 'foo foo' };
  const { continue: token } = await answerTo(asking('foo', { limit: 1 }), createMemorySource(files));
  const ask = (query: string, continueToken: string | null, generation = 1) =>
    searchText(asking(query, { continueToken }), createMemorySource(files, { generation }), tools);
  expect(await ask('foo', token)).toMatchObject({ kind: 'answer' });
  expect(await ask('foo', token, 2)).toEqual({ kind: 'stale_continue' });
  expect(await ask('fo', token)).toEqual({ kind: 'stale_continue' });
  for (const none of ['', 'x', 'W10', '"']) expect(await ask('foo', none)).toEqual({ kind: 'stale_continue' });
});

test('a query that is none is refused with the reason', async () => {
  const source = createMemorySource({});
  expect(await searchText(asking(''), source, tools)).toMatchObject({ kind: 'invalid_query' });
  expect(await searchText(asking('(', { kind: 'regex' }), source, tools)).toMatchObject({ kind: 'invalid_query' });
});

test('lines are shown without secrets, without control characters, and cut around the match', async () => {
  const pem = ['-----BEGIN ', 'PRIVATE KEY-----'].join('');
  const body = scrambled(20, 'abcdefghij', 3);
  const secret = ['hun', 'ter2-hun', 'ter2'].join('');
  const source = createMemorySource(
    {
      'key.ts': `${pem}\nneedle ${body}\n${pem.replace('BEGIN', 'END')}\n`,
      'long.ts': `${'👍'.repeat(400)}needle${'é'.repeat(400)}`,
      'pass.ts': `const pass${'word'} = '${secret}'; // needle\u001b[31m\u202e red\r\n`,
    },
    { suspects: ['key.ts'] },
  );
  const answer = await answerTo(asking('needle'), source);
  const shown = answer.files.map(({ hits }) => hits[0]?.lineText ?? '');
  expect(shown[0]).not.toContain(body);
  expect(shown[1]).toContain('needle');
  expect(shown[1]?.length).toBeLessThanOrEqual(300);
  expect(shown[1]?.isWellFormed()).toBe(true);
  expect(shown[2]).not.toContain(secret);
  expect(shown[2]).toMatch(/needle\[31m red$/);
});

test('a line is shown the same way whether or not its file may hold secrets', async () => {
  const line = fc.array(fc.constantFrom('needle', 'é', '👍', 'word ', '\t', 'x'.repeat(100), '\u2028'), {
    maxLength: 12,
  });
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 4 }), async (lines) => {
      const files = { 'a.ts': lines.map((parts) => parts.join('')).join('\n') };
      const [clean, unknown] = await Promise.all(
        [true, false].map((known) =>
          answerTo(asking('needle'), createMemorySource(files, { suspects: known ? [] : ['a.ts'] })),
        ),
      );
      expect(clean).toEqual(unknown);
    }),
  );
});

test('F5: the reader of the disk follows no link and says what it does not search', () => {
  const root = mkdtempSync(join(tmpdir(), 'search-read-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, 'src'));
  writeFileSync(join(root, 'src/a.ts'), 'foo');
  writeFileSync(join(root, 'src/b.bin'), 'f\0o');
  writeFileSync(join(root, 'src/c.txt'), Buffer.from([0xff, 0x66]));
  writeFileSync(join(root, 'src/large.txt'), Buffer.alloc(4 * 1024 * 1024 + 1, 0x61));
  symlinkSync('a.ts', join(root, 'src/link.ts'));
  const read = createSearchReader(root);
  expect(read('src/a.ts')).toEqual({ kind: 'read', bytes: Buffer.from('foo') });
  expect(read('src/b.bin')).toEqual({ kind: 'skipped', reason: 'binary' });
  expect(read('src/c.txt')).toEqual({ kind: 'skipped', reason: 'encoding' });
  expect(read('src/large.txt')).toEqual({ kind: 'skipped', reason: 'large' });
  expect(read('src/link.ts').kind).toBe('absent');
  expect(read('src/none.ts').kind).toBe('absent');
});

test('R3: a reader that uses its memory again reads what one that does not reads, one file at a time', () => {
  const root = mkdtempSync(join(tmpdir(), 'search-read-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const sizes = [0, 1, 5, 256 * 1024 - 1, 256 * 1024, 256 * 1024 + 1, 3];
  for (const size of sizes) writeFileSync(join(root, `f${size}`), String(size % 7).repeat(size));
  const fresh = createSearchReader(root);
  const reusing = createSearchReader(root, { reuse: true });
  for (const size of sizes) expect(reusing(`f${size}`)).toEqual(fresh(`f${size}`));
});
