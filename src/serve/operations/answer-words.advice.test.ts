import { expect, test } from 'vitest';
import { whyRefused } from './answer-words.ts';

test.each([
  ['run/writer.db', 'cannot be written (database or disk is full)', /make room/],
  ['state/ledger.db', 'cannot be used (database or disk is full)', /make room/],
  ['state/context.json', 'cannot be written (ENOSPC)', /make room/],
  ['state/ledger.db', 'cannot be used (disk I/O error)', /is full or fails/],
  ['state/ledger.db', 'is damaged (file is not a database)', /copy it .* to a safe place/],
  ['state/ledger.db', 'it holds a trigger t that codegenie did not make', /copy it .* to a safe place/],
  ['state/ledger.db', 'written by a newer version of codegenie (step 9, known are 3)', /use that version/],
  ['state/ledger.db', 'cannot be created (EACCES)', /permissions/],
])('S15 %s that %s is never told to be removed', (path, why, advice) => {
  const said = whyRefused({ path: `/s/${path}`, why });
  expect(said).toMatch(advice);
  expect(said).not.toMatch(/remove|away|anew/);
});

test.each(['state/journal', 'state/undo', 'state', '', 'tree.json'])(
  'S15 %s holds what cannot be made again',
  (path) => {
    const said = whyRefused({ path: `/s/trees/a-1/${path}`, why: 'is a symbolic link' });
    expect(said).toMatch(/a safe place/);
    expect(said).not.toMatch(/remove|away|anew/);
  },
);

test('S15 what is derived may be made anew', () => {
  expect(whyRefused({ path: '/s/index', why: 'is a symbolic link' })).toBe(
    '/s/index: is a symbolic link; move it away, it is made anew',
  );
});
