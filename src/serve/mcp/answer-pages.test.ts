import { expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import { markOf, readToken, writeToken } from '../operations/page.ts';
import { cutPiece, shrinkTo, sizeOf } from './answer-pages.ts';

const lists = ['files[].hits', 'inside.plain'];

const arbitraryAnswer = fc.record({
  head: fc.string({ maxLength: 40 }),
  files: fc.array(
    fc.record({
      path: fc.string({ maxLength: 20 }),
      hits: fc.array(fc.record({ line: fc.nat(), text: fc.string({ maxLength: 120 }) }), {
        minLength: 1,
        maxLength: 8,
      }),
    }),
    { maxLength: 8 },
  ),
  inside: fc.record({ plain: fc.array(fc.string({ maxLength: 60 }), { maxLength: 20 }), count: fc.nat() }),
});

type Answer = typeof arbitraryAnswer extends fc.Arbitrary<infer T> ? T : never;

function unitsOf(answer: Answer): unknown[] {
  return [...answer.files.flatMap(({ path, hits }) => hits.map((hit) => [path, hit])), ...answer.inside.plain];
}

test('the pieces of an answer are all of its units, each once and in order, and each piece fits', () => {
  fc.assert(
    fc.property(arbitraryAnswer, fc.integer({ min: 700, max: 3_000 }), (answer, maxBytes) => {
      const seen: unknown[] = [];
      let offset: number | null = 0;
      while (offset !== null) {
        const piece = cutPiece(answer, lists, offset, maxBytes);
        expect(sizeOf(piece.fields)).toBeLessThanOrEqual(maxBytes);
        expect(piece.shortened).toBe(false);
        expect(piece.fields['head']).toBe(answer.head);
        seen.push(...unitsOf(piece.fields as Answer));
        if (piece.end !== null) expect(piece.end).toBeGreaterThan(offset);
        offset = piece.end;
      }
      expect(seen).toEqual(unitsOf(answer));
    }),
    { numRuns: 300 },
  );
});

test('a unit larger than an answer is shown in part, and the list goes on behind it', () => {
  const answer = { list: ['a', { text: 'x'.repeat(5_000), more: ['y'.repeat(5_000)] }, 'b'] };
  const second = cutPiece(answer, ['list'], 1, 1_000);
  expect(second.shortened).toBe(true);
  expect(sizeOf(second.fields)).toBeLessThanOrEqual(1_000);
  expect(JSON.stringify(second.fields)).toContain('xxx');
  expect(second.end).toBe(2);
  expect(cutPiece(answer, ['list'], 2, 1_000)).toEqual({ fields: { list: ['b'] }, end: null, shortened: false });
});

test('an offset behind the end shows nothing and ends', () => {
  expect(cutPiece({ list: [1] }, ['list'], 99, 1_000)).toEqual({ fields: { list: [] }, end: null, shortened: false });
});

test('tokens carry the token of the operation, whatever it is made of', () => {
  fc.assert(
    fc.property(fc.option(fc.string(), { nil: undefined }), fc.nat({ max: 999_999_999 }), (inner, offset) => {
      const mark = markOf(['search', { query: 'x' }], 7);
      expect(readToken(writeToken(mark, { inner, offset }))).toEqual({ mark, inner, offset });
    }),
  );
});

test.each(['', 'x', '1.2', 'zzzzzzzzzzzz.1', `${'a'.repeat(12)}.-1`, `${'a'.repeat(12)}.9999999999`])(
  'no token: %j',
  (token) => expect(readToken(token)).toBeUndefined(),
);

test('the mark is of the question and of the generation', () => {
  const marks = [markOf(['a', 1], 1), markOf(['a', 2], 1), markOf(['a', 1], 2), markOf(['a', 1], null)];
  expect(new Set(marks).size).toBe(4);
});

test('any JSON is made to fit, or given up', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.integer({ min: 20, max: 400 }), (value, maxBytes) => {
      const shrunk = shrinkTo(value, maxBytes);
      if (shrunk.value !== null) expect(sizeOf(shrunk.value)).toBeLessThanOrEqual(maxBytes);
      expect(shrunk.isCut).toBe(sizeOf(value) > maxBytes);
    }),
  );
});
