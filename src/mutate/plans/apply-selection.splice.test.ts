import { describe, expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import { type Splice, splice } from './apply-selection.ts';

function edit(startByte: number, oldText: string, newText: string): Splice {
  return { startByte, endByte: startByte + Buffer.byteLength(oldText), oldText, newText };
}

function spliced(text: string, ...edits: Splice[]): string {
  const outcome = splice(Buffer.from(text), edits);
  return outcome.kind === 'spliced' ? outcome.bytes.toString() : outcome.kind;
}

describe('E1 exactly the given spans change', () => {
  test('E1 offsets are of the hashed bytes, whatever the order and however the lengths differ', () => {
    expect(spliced('a + a + a', edit(8, 'a', 'third'), edit(0, 'a', ''), edit(4, 'a', 'x'))).toBe(' + x + third');
  });

  test('E1 bytes are counted, also behind an emoji and a BOM', () => {
    expect(spliced('\ufeff"🙂" + a\r\n', edit(12, 'a', 'b'))).toBe('\ufeff"🙂" + b\r\n');
  });

  const short = { unit: 'binary', maxLength: 12 } as const;
  const text = fc.string(short);

  test('E1 every byte outside of the spans stays, for any bytes and any spans', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(text, fc.string({ ...short, minLength: 1 }), text), { maxLength: 8 }),
        text,
        (parts, tail) => {
          const edits: Splice[] = [];
          let before = '';
          let after = '';
          for (const [kept, old, now] of parts) {
            before += kept;
            edits.push(edit(Buffer.byteLength(before), old, now));
            before += old;
            after += kept + now;
          }
          expect(spliced(before + tail, ...edits.toReversed())).toBe(after + tail);
        },
      ),
    );
  });

  test('E1 an edit that was made for other bytes is refused', () => {
    expect(spliced('abc', edit(1, 'x', 'y'))).toBe('mismatch');
    expect(spliced('abc', edit(2, 'cd', 'y'))).toBe('mismatch');
  });
});

describe('E7 overlapping edits', () => {
  test('E7 equal edits of two groups are applied once', () => {
    expect(spliced('a = a', edit(0, 'a', 'b'), edit(0, 'a', 'b'))).toBe('b = a');
  });

  test.each([
    ['the same span with another text', edit(0, 'a', 'b'), edit(0, 'a', 'c')],
    ['one inside the other', edit(0, 'a = a', 'b'), edit(4, 'a', 'c')],
    ['an insertion and a change at one place', edit(0, '', 'x'), edit(0, 'a', 'b')],
    ['two insertions at one place', edit(2, '', 'x'), edit(2, '', 'y')],
  ])('E7 refused: %s', (_, first, second) => {
    expect(spliced('a = a', first, second)).toBe('overlap');
    expect(spliced('a = a', second, first)).toBe('overlap');
  });

  test('E7 neighbours do not overlap', () => {
    expect(spliced('ab', edit(0, 'a', 'x'), edit(1, 'b', 'y'))).toBe('xy');
  });
});
