import { expect, test } from 'vitest';
import { dropNothing, slimHeads } from './tool-wording.ts';

test('what is zero, unknown or empty is left out, at any depth; what is false or a text stays', () => {
  const given = { a: 0, b: null, c: [], d: { e: 0, f: {} }, g: false, h: '', i: [{ j: 0, k: 1 }], l: 2 };
  expect(dropNothing(given)).toEqual({ g: false, h: '', i: [{ k: 1 }], l: 2 });
});

test('heads: a worktree that is the root is not named twice, clean files are not listed; anything else is', () => {
  const repo = { root: '/r', root_hash: 'x', worktree: '/r', head: null, generation: 1 };
  const clean = { state: 'clean', watch: 'ok', files: [], more: 0 };
  expect(slimHeads({ outcome: 'ok', next: '', repo, freshness: clean })).toEqual({
    ...{ outcome: 'ok', next: '', freshness: { state: 'clean' } },
    repo: { root: '/r', root_hash: 'x', head: null, generation: 1 },
  });
  const other = { repo: { ...repo, worktree: '/w' }, freshness: { ...clean, state: 'dirty' } };
  expect(slimHeads({ outcome: 'ok', next: '', ...other })).toEqual({ outcome: 'ok', next: '', ...other });
});
