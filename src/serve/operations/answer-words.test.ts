import { expect, test } from 'vitest';
import { noDifferences } from '../../index/sync/find-differences.ts';
import type { CodeView } from '../../index/view/code-view.ts';
import { whyMore, whyStale, whyUnverified } from './answer-words.ts';

const viewOf = (fields: object) =>
  ({ swept: true, differences: noDifferences, writer: null, scopeProblem: null, ...fields }) as unknown as CodeView;

test('P1: an unverified view says what keeps it from vouching for the disk', () => {
  expect(whyUnverified(viewOf({}))).toBeNull();
  expect(whyUnverified(viewOf({ swept: false }))).toBe('the files were not compared with the disk');
  expect(whyUnverified(viewOf({ swept: false, writer: { pid: 7 } }))).toBe(
    'the index is being updated by process 7; ask again',
  );
  expect(whyUnverified(viewOf({ scopeProblem: 'bad\u001b index' }))).toBe(
    'git could not list the files (bad index); untracked or ignored files may be missing',
  );
});

test('P2: files that differ are a reason besides', () => {
  const differences = { ...noDifferences, added: new Set(['a']), gone: new Set(['b']) };
  expect(whyStale(viewOf({ differences }))).toEqual(['2 files on disk differ from the index']);
  expect(whyStale(viewOf({ swept: false, differences }))).toHaveLength(2);
});

test('reasons that name files cannot steer the terminal', () => {
  expect(whyMore({ value: 0, relation: 'gte', unresolved: ['z\u001b[31m\nNEW.ts has changed'] })).toEqual([
    '  ≥ because z[31m NEW.ts has changed',
  ]);
});
