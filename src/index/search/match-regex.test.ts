import { afterEach, expect, test } from 'vitest';
import { createRegexMatcher, type RegexMatcher } from './match-regex.ts';

let matcher: RegexMatcher | undefined;
afterEach(() => matcher?.close());

const regex = (query: string) => ({ kind: 'regex', query, ignoreCase: false, wholeWord: false }) as const;
const text = (content: string) => ({ bytes: Buffer.from(content), from: 0 });

test('C8 an expression that would take for ever is ended, and the next one is answered', async () => {
  matcher = createRegexMatcher();
  const hostile = await matcher.match(regex('(a+)+$'), [text(`${'a'.repeat(40)}!`)], { max: 10, timeoutMs: 50 });
  expect(hostile).toEqual({ kind: 'timed_out' });
  const next = await matcher.match(regex('a+'), [text('xaa'), text('b'), text('a a')], { max: 10, timeoutMs: 60_000 });
  expect(next).toMatchObject({
    kind: 'found',
    matches: [[{ column: 2, endColumn: 4 }], [], [{ column: 1 }, { column: 3 }]],
  });
});

test('no more matches than there is room for', async () => {
  matcher = createRegexMatcher();
  const found = await matcher.match(regex('a'), [text('aa'), text('aa'), text('aa')], { max: 3, timeoutMs: 60_000 });
  expect(found.kind === 'found' && found.matches.map((list) => list.length)).toEqual([2, 1]);
});
