import { expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import { truncateToBudget } from './redact-artifact.ts';

const anyText = fc.array(
  fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('"', '\\', '\n', '\0', 'é', '€', '𝄞', '\ud800')),
  { maxLength: 60 },
);

test('G40 a truncated artifact is never longer than its budget, and its data is the longest prefix that fits', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 0, max: 400 }), (parts, budget) => {
      const text = parts.join('');
      const cut = truncateToBudget(text, 12_345, budget);
      if (cut === undefined) {
        expect(budget).toBeLessThan(100);
        return;
      }
      expect(cut.length).toBeLessThanOrEqual(budget);
      const { data } = JSON.parse(new TextDecoder().decode(cut)) as { data: string };
      expect(text.startsWith(data)).toBe(true);
      if (data.length < text.length) {
        const next = String.fromCodePoint(text.codePointAt(data.length) ?? 0);
        expect(cut.length + Buffer.byteLength(JSON.stringify(next)) - 2).toBeGreaterThan(budget);
      }
    }),
    { numRuns: 500 },
  );
});
