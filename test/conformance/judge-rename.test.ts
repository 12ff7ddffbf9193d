/** Verdicts decide whether the corpus passes: each row of its table, with what would make it a lie. */

import { describe, expect, test } from 'vitest';
import { judge, type Observed } from '../../scripts/conformance/judge-rename.ts';
import { freshName, type RenameCase, type ResultEdit } from '../../scripts/conformance/rename-case.ts';

const files = [{ path: 'a.ts', text: 'const a = 1;\nexport { a };\n' }];
const asked: RenameCase = {
  id: 'x#0',
  test: 'x',
  at: { path: 'a.ts', line: 1, col: 7 },
  old: 'a',
  useAliases: true,
  expect: 'edits',
  edits: [
    { path: 'a.ts', line: 1, col: 7, len: 1, prefix: '', suffix: '' },
    { path: 'a.ts', line: 2, col: 10, len: 1, prefix: '', suffix: ' as a' },
  ],
  files,
  flags: [],
};
const edit = (line: number, col: number, text: string): ResultEdit => ({ path: 'a.ts', line, col, len: 1, text });
const golden = [edit(1, 7, 'b'), edit(2, 10, 'b as a')];
const observed: Observed = {
  newName: 'b',
  outcome: 'ok',
  reason: null,
  edits: golden,
  proven: true,
  foreign: [],
  questions: [],
};
const verdictOf = (of: Partial<Observed>, about: Partial<RenameCase> = {}) =>
  judge({ ...asked, ...about }, { ...observed, ...of });

describe('rename', () => {
  test('exact: spans and alias text are the golden ones, in any order', () => {
    expect(verdictOf({ edits: [...golden].reverse() })).toMatchObject({
      verdict: 'exact',
      edits: [...golden].reverse(),
    });
  });

  test('different: other edits, only where the compiler compared all bindings', () => {
    const edits = [edit(1, 7, 'b'), edit(2, 10, 'b')];
    expect(verdictOf({ edits })).toMatchObject({ verdict: 'different', note: expect.stringMatching(/^other text/) });
    expect(verdictOf({ edits, proven: false }).verdict).toBe('wrong');
  });

  test('wrong: an edit on a token that the compiler does not call a reference', () => {
    const edits = [...golden, edit(1, 1, 'b')];
    expect(verdictOf({ edits }).verdict).toBe('different');
    expect(verdictOf({ edits, foreign: [{ path: 'a.ts', line: 1, col: 1 }] }).verdict).toBe('wrong');
  });

  test('wrong: ok where a refusal is expected', () => {
    expect(verdictOf({}, { expect: 'refuse', edits: [] }).verdict).toBe('wrong');
    expect(verdictOf({ outcome: 'refused', edits: [] }, { expect: 'refuse', edits: [] }).verdict).toBe('refused');
  });

  test('asked: says whether one selection of options gives the golden edits', () => {
    const [first, second] = golden as [ResultEdit, ResultEdit];
    const can = { outcome: 'needs_decision', edits: [first], questions: [[[], [second]]] };
    expect(verdictOf(can)).toMatchObject({ verdict: 'asked', note: 'one selection gives the golden edits' });
    const notes = [
      { ...can, questions: [[[], [edit(3, 1, 'b')]]] },
      { ...can, edits: [edit(3, 1, 'b')] },
      { ...can, questions: [[[second]], [[edit(3, 1, 'b')]]] },
    ].map((of) => verdictOf(of).note);
    expect(new Set(notes)).toEqual(new Set(['no selection gives the golden edits']));
  });

  test.each(['refused', 'blocked', 'unsupported'])('refused: %s', (outcome) => {
    expect(verdictOf({ outcome, reason: 'r' })).toMatchObject({ verdict: 'refused', outcome, reason: 'r' });
  });
});

describe('capture', () => {
  test.each([
    ['ok', 'preserving', 'exact'],
    ['ok_syntactic', 'preserving', 'exact'],
    ['ok', 'capturing', 'wrong'],
    ['ok_syntactic', 'capturing', 'wrong'],
    ['needs_decision', 'capturing', 'asked'],
    ['refused', 'capturing', 'refused'],
    ['blocked', 'preserving', 'refused'],
  ] as const)('%s on a %s rename is %s', (outcome, label, verdict) => {
    expect(verdictOf({ outcome, edits: [] }, { label, newName: 'b' }).verdict).toBe(verdict);
  });
});

test('a fresh name stands nowhere, and is of the same kind', () => {
  expect(freshName({ old: 'a', files })).toBe('renamed1');
  expect(freshName({ old: '#a', files })).toBe('#renamed1');
  expect(freshName({ old: 'Box', files: [{ path: 'b.ts', text: 'Renamed1' }] })).toBe('Renamed2');
});
