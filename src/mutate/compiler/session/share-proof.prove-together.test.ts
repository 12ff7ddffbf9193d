import { expect, test } from 'vitest';
import type { CompilerFailure, CompilerJob, DiagnosticList, NotSmall, ProofQuestion, ProofReport } from './messages.ts';
import { beginTogether, isShareable } from './share-proof.ts';

const question: ProofQuestion = {
  kind: 'prove',
  oldName: 'a',
  newName: 'b',
  edits: [],
  moves: [],
  reach: 'repo',
  family: [],
  isMember: false,
};

const proven: ProofReport = { kind: 'proven', tokens: 0, files: 1, programs: 1, diagnostics: 0, ms: {} };
const names: ProofReport = { ...proven, tokens: 7 };
const otherNames: ProofReport = { kind: 'proven', tokens: 2, files: 1, programs: 1, diagnostics: 0, ms: {} };
const both: ProofReport = { ...proven, diagnostics: 3 };
const wrong: ProofReport = { kind: 'disproved', reason: 'bindings_change', places: [], more: 0 };
const gaps: ProofReport = { kind: 'gaps', places: [], more: 1 };
const failure: CompilerFailure = { kind: 'failed', detail: 'it died' };
const at = { path: 'a.ts', start: 0, end: 1 };
const list = (...keys: string[]): DiagnosticList => ({
  kind: 'listed',
  diagnostics: keys.map((key) => ({ key, at, says: key })),
  ms: {},
});

type Reply = ProofReport | NotSmall | DiagnosticList | CompilerFailure;
type Part = 'if small' | 'names' | 'before' | 'after' | 'diagnostics';

/** Who was asked what, and what was said in the end. `slow`: the first has something else to do before. */
async function share(
  first: Partial<Record<Part, Reply>>,
  other: Partial<Record<Part, Reply>> | 'unavailable',
  { most = 1, isSlow = false } = {},
) {
  const asked: string[] = [];
  const answering = (who: string, replies: Partial<Record<Part, Reply>>) =>
    (async ({ part, half }: { part: Part; half?: string }) => {
      asked.push([who, part, ...(half === undefined ? [] : [half])].join(' '));
      return replies[part] ?? failure;
    }) as unknown as CompilerJob['ask'];
  const start = () => {
    asked.push('started');
    return {
      open: async () =>
        other === 'unavailable'
          ? ({ kind: 'unavailable', reason: 'failed', detail: 'no room' } as const)
          : ({ kind: 'open', ask: answering('other', other), close: async () => {} } as const),
      close: async () => {
        asked.push('closed');
      },
    };
  };
  const ask = answering('first', { 'if small': { kind: 'not_small' }, ...first });
  const begun = beginTogether(question, ask, { start, most, fewFiles: 50 });
  if (isSlow) await new Promise(setImmediate);
  const said = await begun.finish();
  await begun.close();
  return { said, asked };
}

const sides = { before: list('x', 'x', 'y'), after: list('y', 'x', 'x') };
const all = { names: otherNames, ...sides };

test.each([1, 2])('M15 each part is answered by one process, and all must hold: %s beside the first', async (most) => {
  const { said, asked } = await share({ names, ...sides }, all, { most });
  expect(said).toMatchObject({ kind: 'proven', diagnostics: 3 });
  const parts = asked.map((line) => line.replace(/^(?:first|other) /, ''));
  expect(parts.filter((part) => part !== 'started' && part !== 'closed').sort()).toEqual([
    'after',
    'before',
    'if small',
    'names first',
    'names second',
  ]);
  expect(asked).toContain('first names first');
  expect(asked.filter((line) => line === 'started')).toHaveLength(most);
  expect(asked.slice(-most)).toEqual(Array(most).fill('closed'));
});

test('M15 while the first has something else to do, the others do what is left', async () => {
  const { said, asked } = await share({ names }, all, { isSlow: true });
  expect(said).toMatchObject({ kind: 'proven', tokens: 9, diagnostics: 3 });
  expect(asked).toEqual([
    'first if small',
    'started',
    'other after',
    'other before',
    'other names second',
    'first names first',
    'closed',
  ]);
});

test('M15 a proof that asks little is not shared', async () => {
  const { said, asked } = await share({ 'if small': both }, all);
  expect(said).toBe(both);
  expect(asked).toEqual(['first if small']);
});

test('a proof that is not asked for in the end is given up', async () => {
  const asked: string[] = [];
  const ask = (async () => ({ kind: 'not_small' })) as unknown as CompilerJob['ask'];
  const never = new Promise<never>(() => {});
  const start = () => ({
    open: () => never,
    close: async () => {
      asked.push('closed');
    },
  });
  await beginTogether(question, ask, { start, most: 2, fewFiles: 50 }).close();
  const begun = beginTogether(question, ask, { start, most: 2, fewFiles: 50 });
  await new Promise(setImmediate);
  expect(asked).toEqual([]);
  await begun.close();
  expect(asked).toEqual(['closed', 'closed']);
});

test.each([
  ['one more', list('x'), list('x', 'x')],
  ['one less', list('x', 'x'), list('x')],
  ['another', list('x'), list('y')],
])('M15 where the sides differ, what one process says of both holds: %s', async (_, before, after) => {
  const broken: ProofReport = { ...wrong, reason: 'new_diagnostics' };
  const others = { names: otherNames, before, after };
  expect((await share({ names, before, after, diagnostics: broken }, others)).said).toEqual(broken);
  const { said, asked } = await share({ names, before, after, diagnostics: both }, others);
  expect(said).toMatchObject({ kind: 'proven', diagnostics: 3 });
  expect(asked).toContain('first diagnostics');
});

test('M15 what names disprove is disproved, whatever the other says', async () => {
  const { said, asked } = await share({ names: wrong }, all, { isSlow: true });
  expect(said).toBe(wrong);
  expect(asked).toContain('closed');
});

test('M18 names that could not be compared stay a gap, and no excuse for what is disproved', async () => {
  expect((await share({ names: gaps }, all, { isSlow: true })).said).toBe(gaps);
  const broken: ProofReport = { ...wrong, reason: 'new_diagnostics' };
  const others = { ...all, before: list() };
  expect((await share({ names: gaps, diagnostics: broken }, others, { isSlow: true })).said).toEqual(broken);
});

test('M14 without the others the first answers for all', async () => {
  const { said, asked } = await share({ names, ...sides }, 'unavailable');
  expect(said).toMatchObject({ kind: 'proven', tokens: 14, diagnostics: 3 });
  expect(asked.filter((line) => line.startsWith('other'))).toEqual([]);
});

test('M14 what another process fails at, the first answers for', async () => {
  const { said, asked } = await share({ names, diagnostics: both }, {}, { isSlow: true });
  expect(said).toMatchObject({ kind: 'proven', tokens: 14, diagnostics: 3 });
  expect(asked).toContain('first names second');
  expect(asked).toContain('first diagnostics');
});

test.each([
  ['disproves', wrong],
  ['could not compare', gaps],
])('M15 what the other half %s, the first process says itself', async (_, theirs) => {
  const { said, asked } = await share({ names }, { ...all, names: theirs }, { isSlow: true });
  expect(said).toMatchObject({ kind: 'proven', tokens: 14 });
  expect(asked).toContain('first names second');
});

test('M18 an unanswered part is a failure', async () => {
  expect((await share({ names }, {}, { isSlow: true })).said).toBe(failure);
});

test('only proofs beyond one file are shared, and halves are not halved again', () => {
  expect(isShareable(question)).toBe(true);
  expect(isShareable({ ...question, reach: 'file' })).toBe(false);
  expect(isShareable({ ...question, part: 'names' })).toBe(false);
});
