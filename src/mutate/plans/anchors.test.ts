import { describe, expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import { sha256Hex } from '../../kernel/base/hash.ts';
import { anchorsOf, createLines, type TextSpan } from './anchors.ts';

function at(text: string, word: string, occurrence = 0): TextSpan {
  let start = text.indexOf(word);
  for (let left = occurrence; left > 0; left -= 1) start = text.indexOf(word, start + 1);
  return { start, end: start + word.length };
}

describe('an anchor', () => {
  test('has the text, at most 16 units on each side of its line, the line’s hash and its ordinal', () => {
    const text = 'first line\nconst something = old + somethingElse;\r\nlast';
    const [anchor] = anchorsOf(text, [at(text, 'old')]);
    expect(anchor).toEqual({
      before: 'nst something = ',
      text: 'old',
      after: ' + somethingElse',
      lineHash: sha256Hex('const something = old + somethingElse;').slice(0, 16),
      ordinal: 0,
    });
  });

  test('ends with its line, whatever the line ends with', () => {
    expect(anchorsOf('a\nold\nb', [{ start: 2, end: 5 }])).toMatchObject([{ before: '', after: '' }]);
    expect(anchorsOf('a\r\nold\r\nb', [{ start: 3, end: 6 }])).toMatchObject([{ before: '', after: '' }]);
    const long = `old${'x'.repeat(15)}\r\nnext`;
    expect(anchorsOf(long, [{ start: 0, end: 3 }])).toMatchObject([{ after: 'x'.repeat(15) }]);
  });

  test('counts equal places of the file, not of the question', () => {
    const text = '  old;\n  old;\n\told;\n  old;\n';
    const spans = [0, 1, 2, 3].map((n) => at(text, 'old', n));
    expect(anchorsOf(text, spans).map(({ ordinal }) => ordinal)).toEqual([0, 1, 0, 2]);
    expect(anchorsOf(text, spans.slice(3)).map(({ ordinal }) => ordinal)).toEqual([2]);
  });

  test('has no half of a character', () => {
    const text = `${'😀'.repeat(9)}.old.${'😀'.repeat(9)}`;
    const [anchor] = anchorsOf(text, [at(text, 'old')]);
    expect([anchor?.before, anchor?.after]).toEqual([`${'😀'.repeat(7)}.`, `.${'😀'.repeat(7)}`]);
  });

  test('of any place says whether a text is the one it was made from', () => {
    const words = fc.array(fc.constantFrom('old', 'a', ' ', '\n', '\r\n', '😀', '"', 'xold'), { maxLength: 60 });
    fc.assert(
      fc.property(words, fc.nat(), (parts, pick) => {
        const text = parts.join('');
        const places = [...text.matchAll(/old/g)].map(({ index }) => ({ start: index, end: index + 3 }));
        const anchors = anchorsOf(text, places);
        const names = anchors.map((anchor) => JSON.stringify(anchor));
        expect(new Set(names).size).toBe(names.length);
        for (const [n, anchor] of anchors.entries()) {
          expect(anchorsOf(text, [places[n] as TextSpan])).toEqual([anchor]);
          expect(anchor.before.length <= 16 && anchor.after.length <= 16).toBe(true);
          expect(/\n/.test(anchor.before + anchor.after)).toBe(false);
        }
        const other = places[pick % Math.max(1, places.length)];
        const [first] = anchors;
        if (first !== undefined && other !== undefined && other !== places[0])
          expect(anchorsOf(text, [other])).not.toEqual([first]);
      }),
    );
  });
});

test('a line is found and addressed as people count it, without its end', () => {
  const lines = createLines('a\r\nbc\n\nd');
  expect([0, 1, 2, 3, 4].map((index) => lines.line(index))).toEqual(['a', 'bc', '', 'd', undefined]);
  expect([lines.offsetOf(1, 2), lines.offsetOf(1, 3), lines.offsetOf(9, 0)]).toEqual([5, undefined, undefined]);
});
