import { expect, test } from 'vitest';
import { parseNameLog } from './gather-repo-notes.ts';

test('the newest commit that names a path wins; names are taken as they are', () => {
  const log =
    '\x01bbb\x022026-02-02T00:00:00+00:00\0\n.codegenie/notes/é b.md\0' +
    '\x01aaa\x022026-01-01T00:00:00+00:00\0\n.codegenie/notes/a\nb.md\0.codegenie/notes/é b.md\0';
  expect([...parseNameLog(log)]).toEqual([
    ['.codegenie/notes/é b.md', { sha: 'bbb', date: '2026-02-02T00:00:00+00:00' }],
    ['.codegenie/notes/a\nb.md', { sha: 'aaa', date: '2026-01-01T00:00:00+00:00' }],
  ]);
  expect(parseNameLog('').size).toBe(0);
});
