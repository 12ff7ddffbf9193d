import { expect, test } from 'vitest';
import { readAdr } from './gather-adrs.ts';

function status(...lines: string[]) {
  return readAdr('0001-x.md', {}, ['# T', '', ...lines].join('\n'))?.status;
}

test.each([
  [['Status: accepted'], 'accepted'],
  [['**Status:** Accepted (2024-01-01)'], 'accepted'],
  [['**Status**: rejected'], 'rejected'],
  [['* Status: [proposed](x.md)'], 'proposed'],
  [['- **Status**: deprecated'], 'deprecated'],
  [['| Status | Accepted |', '|---|---|'], 'accepted'],
  [['| Date | Status |', '|:--|--:|', '| 2024-01-01 | Rejected |'], 'rejected'],
  [['## Status', '', '> note', '', 'Accepted'], 'unknown'],
  [['## Status', '', '*Accepted*', '', '## Context'], 'accepted'],
  [['Status', '------', 'Superseded by ADR-2'], 'superseded'],
  [['## Status', '', '## Context', 'Accepted'], 'unknown'],
  [['```', 'Status: accepted', '```'], 'unknown'],
  [['Status: in limbo'], 'unknown'],
])('status in %j is %s', (lines, expected) => {
  expect(status(...lines)).toBe(expected);
});

test('front matter wins over the text and can bring the title', () => {
  expect(
    readAdr('a.md', { status: 'Accepted', date: '2024-01-02', title: 'From front matter' }, 'Status: rejected'),
  ).toEqual({
    id: null,
    title: 'From front matter',
    status: 'accepted',
    date: '2024-01-02',
    supersedes: [],
    superseded_by: [],
  });
});

test('the id comes from the digits of the name, else from the title; a date is no id', () => {
  expect(readAdr('adr_012_use.md', {}, '# T')?.id).toBe('ADR-012');
  expect(readAdr('use.md', {}, '# ADR 7: T')?.id).toBe('ADR-7');
  expect(readAdr('use.md', {}, '# 3. T')?.id).toBe('ADR-3');
  expect(readAdr('2024-05-06-use.md', {}, '# T')).toMatchObject({ id: null, date: '2024-05-06' });
  expect(readAdr('20240506-12-use.md', {}, '# T')?.id).toBe('ADR-12');
});

test('what supersedes what, in both directions', () => {
  expect(
    readAdr('9.md', {}, '# T\n\n## Status\n\nAccepted\n\nSupersedes [ADR-0003](0003-x.md) and ADR-4\n')?.supersedes,
  ).toEqual(['ADR-0003', 'ADR-4']);
  expect(readAdr('9.md', { superseded_by: '0012', supersedes: [3, 'ADR-4'] }, '# T\nStatus: superseded')).toMatchObject(
    {
      supersedes: ['ADR-3', 'ADR-4'],
      superseded_by: ['ADR-0012'],
    },
  );
  expect(readAdr('9.md', {}, '# T\n* Status: superseded by [0011](0011-next.md)')?.superseded_by).toEqual(['ADR-0011']);
});

test('prose that replaces something is no relation between records', () => {
  expect(readAdr('9.md', {}, '# T\n\nThe queue was replaced by what ADR-2 asks for.')?.superseded_by).toEqual([]);
  expect(readAdr('9.md', {}, '# T\n\n## Status\n\nReplaced by ADR-2')?.superseded_by).toEqual(['ADR-2']);
});

test('no heading of level 1: no record', () => {
  expect(readAdr('1.md', {}, '## Only\n\nStatus: accepted')).toBeUndefined();
});

test('G16 five thousand repetitions of hostile pieces end at once', () => {
  for (const piece of ['|', '| status ', 'Status:', 'supersedes ', 'ADR-', '12-a', '**', '2024-']) {
    expect(readAdr('1.md', {}, `# T\n${piece.repeat(5000)}\n${`${piece}\n`.repeat(5000)}`)?.title).toBe('T');
  }
});
