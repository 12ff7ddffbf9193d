import { expect, test } from 'vitest';
import type { CompilerFailure, CompilerJob } from './open-compiler.ts';
import { isShareable, proveTogether } from './prove-together.ts';
import type { ProofQuestion, ProofReport } from './types.ts';

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
const diagnostics: ProofReport = { ...proven, diagnostics: 3 };
const wrong: ProofReport = { kind: 'disproved', reason: 'bindings_change', places: [], more: 0 };
const failure: CompilerFailure = { kind: 'failed', detail: 'it died' };

type Reply = ProofReport | CompilerFailure;

/** Each half as it is asked of each of the two, and what it answered. */
function share(first: (part: string) => Reply, second: (() => Reply) | 'unavailable') {
  const asked: string[] = [];
  const job = {
    kind: 'open',
    ask: async ({ part }: ProofQuestion) => {
      asked.push(`second ${part}`);
      return second === 'unavailable' ? failure : second();
    },
    close: async () => {},
  } as unknown as CompilerJob;
  const report = proveTogether(
    question,
    async ({ part }) => {
      asked.push(`first ${part}`);
      return first(part ?? '');
    },
    {
      open: async () => (second === 'unavailable' ? { kind: 'unavailable', reason: 'failed', detail: 'no room' } : job),
      close: async () => {
        asked.push('closed');
      },
    },
  );
  return report.then((said) => ({ said, asked }));
}

test('M15 each of two processes answers for its half, and both must hold', async () => {
  const { said, asked } = await share(
    () => names,
    () => diagnostics,
  );
  expect(said).toMatchObject({ kind: 'proven', tokens: 7, diagnostics: 3 });
  expect(asked).toEqual(['first names', 'second diagnostics', 'closed']);
  const broken = await share(
    () => names,
    () => ({ ...wrong, reason: 'new_diagnostics' }) as ProofReport,
  );
  expect(broken.said).toMatchObject({ kind: 'disproved', reason: 'new_diagnostics' });
});

test('M15 what names disprove is disproved, whatever the other says', async () => {
  const { said, asked } = await share(
    () => wrong,
    () => diagnostics,
  );
  expect(said).toBe(wrong);
  expect(asked.at(-1)).toBe('closed');
});

test.each([
  ['it cannot be opened', 'unavailable' as const],
  ['it fails', () => failure],
])('M14 without the second the first answers for both: %s', async (_, second) => {
  const { said, asked } = await share((part) => (part === 'names' ? names : diagnostics), second);
  expect(said).toMatchObject({ kind: 'proven', tokens: 7, diagnostics: 3 });
  expect(asked).toContain('first diagnostics');
});

test('M18 a half that nobody could answer is a failure', async () => {
  const { said } = await share(
    (part) => (part === 'names' ? names : failure),
    () => failure,
  );
  expect(said).toBe(failure);
});

test('only proofs beyond one file are shared, and halves are not halved again', () => {
  expect(isShareable(question)).toBe(true);
  expect(isShareable({ ...question, reach: 'file' })).toBe(false);
  expect(isShareable({ ...question, part: 'names' })).toBe(false);
});
