import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTailBuffer, truncationMark } from './run-process.ts';

describe('createTailBuffer', () => {
  test('40: within the cap all bytes, over it mark and tail, together exactly the cap (property)', () => {
    const chunks = fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 40 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 200 }), chunks, (cap, pushed) => {
        const buffer = createTailBuffer(cap);
        for (const chunk of pushed) buffer.push(chunk);
        const all = Buffer.concat(pushed);
        const kept = buffer.finish();
        expect(buffer.seen).toBe(all.length);
        expect(buffer.truncated).toBe(all.length > cap);
        const mark = truncationMark.subarray(0, cap);
        const tail = all.subarray(all.length - (cap - mark.length));
        expect(kept.equals(all.length <= cap ? all : Buffer.concat([mark, tail]))).toBe(true);
        expect(kept.length).toBe(Math.min(all.length, cap));
      }),
      { numRuns: 2000 },
    );
  });

  test('32: chunks larger than the first allocation and than the cap', () => {
    const buffer = createTailBuffer(10_000);
    buffer.push(Buffer.alloc(6_000, 'a'));
    buffer.push(Buffer.alloc(50_000, 'b'));
    buffer.push(Buffer.from('the end'));
    const text = buffer.finish().toString();
    expect(text).toHaveLength(10_000);
    expect(text).toMatch(/^\.\.\.\[TRUNCATED\]\.\.\.b+the end$/);
  });
});
