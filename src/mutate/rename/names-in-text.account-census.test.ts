import { expect, test } from 'vitest';
import type { Question } from '../../index/navigate/question.ts';
import { accountCensus, type NameSpans } from './names-in-text.ts';

const [first, second] = [
  { path: 'a.ts', start: 4, end: 7 },
  { path: 'a.ts', start: 20, end: 23 },
];
const spans: NameSpans = {
  kin: [first, second] as NameSpans['kin'],
  holders: [{ path: 'b.vue', start: 1, end: 4 }],
  foreign: 2,
  prose: 3,
  texts: [],
  sources: new Map(),
  scanned: 2,
  notScanned: [],
  unreadable: [],
  truncated: false,
};
/** Of a tree in which no file can be read. */
const question = { file: () => undefined, source: () => undefined } as unknown as Question;
const given = { accounts: [], home: 'a.ts', newName: 'sum' };

test('M7 what a doubt is already about is not asked once more, and still counts as open', async () => {
  const census = await accountCensus(question, spans, { ...given, reach: 'repo' });
  const told = (asked: Parameters<typeof census.items>[0]) =>
    census.items(asked).map(({ path, start, detail }) => `${path}:${start} ${/once|\d times/.exec(detail)?.[0]}`);
  expect(told([])).toEqual(['a.ts:4 2 times', 'b.vue:1 once']);
  expect(told([first as (typeof spans.kin)[number]])).toEqual(['a.ts:20 once', 'b.vue:1 once']);
  expect(told(spans.kin)).toEqual(['b.vue:1 once']);
  expect(census.counts).toEqual({ planned: 0, other_symbol: 2, string: 3, comment: 0, unaccounted: 3 });
});

test('M6 a name that is confined to its file is another one everywhere else', async () => {
  const census = await accountCensus(question, spans, { ...given, home: 'c.ts', reach: 'file' });
  expect(census.items([])).toEqual([]);
  expect(census.counts).toEqual({ planned: 0, other_symbol: 5, string: 3, comment: 0, unaccounted: 0 });
});

test('M6 what the compiler says of comments and strings is not read again', async () => {
  const accounts = [
    { ...first, account: 'no_name', detail: null, inside: 'comment' },
    { ...second, account: 'no_name', detail: null, inside: 'string' },
  ] as Parameters<typeof accountCensus>[2]['accounts'];
  const census = await accountCensus(question, spans, { ...given, accounts, reach: 'repo' });
  expect(census.counts).toEqual({ planned: 0, other_symbol: 2, string: 4, comment: 1, unaccounted: 1 });
  expect(census.commentsAt).toEqual([first]);
});
