import { expect, test } from 'vitest';
import { formatAge, formatBytes, formatCount, formatDuration } from './quantities.ts';

test('counts, sizes and times as people write them', () => {
  expect([0, 12, 999, 1000, 6521, 1234567].map(formatCount)).toEqual(['0', '12', '999', '1,000', '6,521', '1,234,567']);
  expect([0, 999, 1000, 1500, 99_949, 4_000_000, 2.5e9, -1].map(formatBytes)).toEqual([
    ...['0 B', '999 B', '1.0 kB', '1.5 kB', '100 kB', '4.0 MB', '2.5 GB', '?'],
  ]);
  expect([12, 999.6, 59_000, 59_960, 125_000, 3_599_600, 3_725_000].map(formatDuration)).toEqual([
    ...['12 ms', '1.0 s', '59.0 s', '1 min 00 s', '2 min 05 s', '1 h 00 min', '1 h 02 min'],
  ]);
});

test('an age is said in one unit, and what is far away or ahead by its date', () => {
  const now = Date.parse('2026-03-10T12:00:00Z');
  const ago = (seconds: number) => formatAge(now - seconds * 1000, now);
  expect([0, 59, 60, 3599, 3600, 86_399, 86_400, 172_800].map(ago)).toEqual([
    ...[
      'just now',
      'just now',
      '1 minute ago',
      '59 minutes ago',
      '1 hour ago',
      '23 hours ago',
      '1 day ago',
      '2 days ago',
    ],
  ]);
  expect([ago(40 * 86_400), ago(-3600), ago(Number.NaN)]).toEqual(['2026-01-29', '2026-03-10', '?']);
});
