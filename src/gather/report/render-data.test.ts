import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderData } from './render-data.ts';

test('without volatile fields and within its size it is JSON of the same value', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'grapheme-ascii', maxDepth: 4 }), (value) => {
      const text = renderData(value, { maxChars: 1e6, volatile: 'kept' });
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('times are left out, a CI file’s jobs are not', () => {
  const slice = { scanned_at: 'now', n: [{ duration_ms: 3, x: 1 }] };
  expect(renderData(slice, { maxChars: 1000 })).toBe('{\n  "n": [\n    { "x": 1 }\n  ]\n}');
  expect(renderData({ jobs: [1] }, { maxChars: 1000 })).toContain('"jobs"');
});

test('it stops at its size and says so', () => {
  const text = renderData(
    Array.from({ length: 1000 }, (_, i) => ({ i, x: 'y'.repeat(99) })),
    { maxChars: 500 },
  );
  expect(text.length).toBeLessThan(520);
  expect(text.endsWith('… cut here')).toBe(true);
});
