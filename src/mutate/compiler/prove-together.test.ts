import { expect, test } from 'vitest';
import type { CompilerFailure, CompilerJob } from './open-compiler.ts';
import { isShareable, proveTogether } from './prove-together.ts';
import type { DiagnosticList, NotSmall, ProofQuestion, ProofReport } from './types.ts';

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

/** Each part as it is asked of each of the two, and what was said in the end. */
async function share(
  first: Partial<Record<Part, Reply>>,
  second: Reply | 'unavailable',
  third?: Reply,
  theirs: Reply = otherNames,
) {
  const asked: string[] = [];
  const answering = (who: string, reply: (part: Part) => Reply) =>
    (async ({ part, half }: { part: Part; half?: string }) => {
      asked.push([who, part, ...(half === undefined ? [] : [half])].join(' '));
      return reply(part);
    }) as unknown as CompilerJob['ask'];
  const said = await proveTogether(
    question,
    answering('first', (part) => first[part] ?? (part === 'if small' ? { kind: 'not_small' } : failure)),
    {
      most: third === undefined ? 1 : 2,
      start: () => {
        asked.push('started');
        return {
          open: async () =>
            second === 'unavailable'
              ? { kind: 'unavailable', reason: 'failed', detail: 'no room' }
              : {
                  kind: 'open',
                  ask: answering('other', (part) =>
                    part === 'before' ? (third ?? failure) : part === 'names' ? theirs : second,
                  ),
                  close: async () => {},
                },
          close: async () => {
            asked.push('closed');
          },
        };
      },
    },
  );
  return { said, asked };
}

test('M15 each of two processes answers for its part, and all must hold', async () => {
  const { said, asked } = await share({ names, before: list('x', 'x', 'y') }, list('y', 'x', 'x'));
  expect(said).toMatchObject({ kind: 'proven', tokens: 9, diagnostics: 3 });
  expect(asked.filter((line) => line.startsWith('first'))).toEqual([
    'first if small',
    'first names first',
    'first before',
  ]);
  expect(asked.filter((line) => line.startsWith('other'))).toEqual(['other after', 'other names second']);
  expect(asked.at(-1)).toBe('closed');
});

test('M15 three share it where there is room, and all must hold', async () => {
  const { said, asked } = await share({ names }, list('x'), list('x'));
  expect(said).toMatchObject({ kind: 'proven', tokens: 7, diagnostics: 1 });
  expect(asked.filter((line) => line.startsWith('first'))).toEqual(['first if small', 'first names']);
  expect(asked.slice(-2)).toEqual(['closed', 'closed']);
  const differs = await share({ names, diagnostics: { ...wrong, reason: 'new_diagnostics' } }, list('x'), list());
  expect(differs.said).toMatchObject({ kind: 'disproved', reason: 'new_diagnostics' });
  expect((await share({ names, diagnostics: both }, list('x'), failure)).said).toMatchObject({ diagnostics: 3 });
});

test('M15 a proof that asks little is not shared', async () => {
  const { said, asked } = await share({ 'if small': both }, list());
  expect(said).toBe(both);
  expect(asked).toEqual(['first if small']);
});

test.each([
  ['one more', list('x'), list('x', 'x')],
  ['one less', list('x', 'x'), list('x')],
  ['another', list('x'), list('y')],
])('M15 where the sides differ, what one process says of both holds: %s', async (_, before, after) => {
  const broken: ProofReport = { ...wrong, reason: 'new_diagnostics' };
  expect((await share({ names, before, diagnostics: broken }, after)).said).toEqual(broken);
  const { said, asked } = await share({ names, before, diagnostics: both }, after);
  expect(said).toMatchObject({ kind: 'proven', tokens: 9, diagnostics: 3 });
  expect(asked).toContain('first diagnostics');
});

test('M15 what names disprove is disproved, whatever the other says', async () => {
  const { said, asked } = await share({ names: wrong }, list());
  expect(said).toBe(wrong);
  expect(asked).toContain('closed');
});

test('M18 names that could not be compared stay a gap, and no excuse for what is disproved', async () => {
  expect((await share({ names: gaps, before: list('x') }, list('x'))).said).toBe(gaps);
  const broken: ProofReport = { ...wrong, reason: 'new_diagnostics' };
  expect((await share({ names: gaps, before: list(), diagnostics: broken }, list('x'))).said).toEqual(broken);
});

test.each([
  ['it cannot be opened', 'unavailable' as const],
  ['it fails', failure],
])('M14 without the second the first answers for all: %s', async (_, second) => {
  const { said, asked } = await share({ names, before: list(), diagnostics: both }, second, undefined, failure);
  expect(said).toMatchObject({ kind: 'proven', tokens: 14, diagnostics: 3 });
  expect(asked).toContain('first names second');
  expect(asked).toContain('first diagnostics');
});

test.each([
  ['disproves', wrong],
  ['could not compare', gaps],
])('M15 what the other half %s, the first process says itself', async (_, theirs) => {
  const { said, asked } = await share({ names, before: list() }, list(), undefined, theirs);
  expect(said).toMatchObject({ kind: 'proven', tokens: 14 });
  expect(asked).toContain('first names second');
});

test('M18 a part that nobody could answer is a failure', async () => {
  expect((await share({ names }, failure)).said).toBe(failure);
});

test('only proofs beyond one file are shared, and halves are not halved again', () => {
  expect(isShareable(question)).toBe(true);
  expect(isShareable({ ...question, reach: 'file' })).toBe(false);
  expect(isShareable({ ...question, part: 'names' })).toBe(false);
});
