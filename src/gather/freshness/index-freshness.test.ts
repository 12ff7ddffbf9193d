import { afterEach, expect, test } from 'vitest';
import { parseTimestamp, renderUtc } from './index-freshness.ts';

const zone = process.env['TZ'];
afterEach(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

const moments: readonly (readonly [string, string])[] = [
  ['2026-05-17T08:00:00Z', '2026-05-17T08:00:00Z'],
  ['2026-05-17T08:00:00.987654Z', '2026-05-17T08:00:00Z'],
  ['2026-05-17T08:00:00+02:00', '2026-05-17T06:00:00Z'],
  ['2024-02-29T23:30:00-01:00', '2024-03-01T00:30:00Z'],
  ['0004-02-29T00:00:00Z', '0004-02-29T00:00:00Z'],
];

test.each(['UTC', 'Pacific/Auckland', 'America/St_Johns'])('G37 a moment is read the same in %s', (name) => {
  process.env['TZ'] = name;
  for (const [text, utc] of moments) expect(renderUtc(parseTimestamp(text) ?? Number.NaN)).toBe(utc);
});

test.each([
  '2026-05-17T08:00:00',
  '2026-05-17',
  '2026-02-30T00:00:00Z',
  '2023-02-29T00:00:00Z',
  '1900-02-29T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-05-17T25:00:00Z',
  '2026-05-17T08:00:00+99:00',
  ' 2026-05-17T08:00:00Z',
  '2026-05-17T08:00:00Z\n',
  '17 May 2026',
  '1779004800',
  '',
])('%j names no moment', (text) => {
  expect(parseTimestamp(text)).toBeNull();
});
