import { expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import { encodeTrigrams, requiredTrigrams } from './trigrams.ts';

/** Characters that are the same when case is ignored, by the folding that ripgrep and JavaScript's `iu` share. */
const families = [
  'kK\u212a',
  'sS\u017f',
  'aA',
  'éÉ',
  'σΣς',
  'ßẞ',
  'ǆǅǄ',
  '𐐨𐐀',
  'zZ',
  '1',
  '_',
  '(',
  ' ',
  '\t',
  '漢',
  '👍',
];
const family = fc.constantFrom(...families).map((chars) => [...chars]);

function wordsOf(text: string): Set<string> {
  return new Set(encodeTrigrams(Buffer.from(text)).split(' '));
}

test('T13: a text has all trigrams that a literal it contains requires', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'binary' }),
      (before, literal, after) => {
        fc.pre([before, literal, after].every((part) => part.isWellFormed()));
        const words = wordsOf(before + literal + after);
        for (const word of requiredTrigrams(literal, { ignoreCase: false })) expect(words).toContain(word);
      },
    ),
  );
});

test('T13: and those of any literal that is equal to a part of it when case is ignored', () => {
  const spelled = fc.array(fc.tuple(family, fc.nat(9), fc.nat(9)), { minLength: 3, maxLength: 12 });
  fc.assert(
    fc.property(spelled, fc.string(), (chars, around) => {
      const spell = (which: 1 | 2) =>
        chars.map(([same, ...at]) => same[(at[which - 1] as number) % same.length]).join('');
      const text = around + spell(1) + around;
      const literal = spell(2);
      expect(new RegExp(literal.replace(/[()]/g, '\\$&'), 'iu').test(text)).toBe(true);
      const words = wordsOf(text);
      for (const word of requiredTrigrams(literal, { ignoreCase: true })) expect(words).toContain(word);
    }),
  );
});

test('a word is four letters, and trigrams with white space are none', () => {
  expect(encodeTrigrams(Buffer.from('abc'))).toMatch(/^[a-z2-7]{4}$/);
  expect(encodeTrigrams(Buffer.from('ab cd\tef\ngh\r\nij'))).toBe('');
  expect(encodeTrigrams(Buffer.from(''))).toBe('');
  expect(requiredTrigrams('a b c', { ignoreCase: false })).toEqual([]);
  expect(requiredTrigrams('ab', { ignoreCase: false })).toEqual([]);
});

test('letters of both cases are one, other characters are kept apart', () => {
  expect(encodeTrigrams(Buffer.from('ABC'))).toBe(encodeTrigrams(Buffer.from('abc')));
  const printable = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index));
  const words = new Set(printable.map((char) => encodeTrigrams(Buffer.from(`x${char}x`))));
  expect(words.size).toBe(94 - 26);
});

test('a text leaves nothing behind for the next', () => {
  encodeTrigrams(Buffer.from('leftover'));
  expect(encodeTrigrams(Buffer.from('left')).split(' ')).toHaveLength(2);
});

test('outside ASCII a search that ignores case requires nothing', () => {
  expect(requiredTrigrams('éÉé', { ignoreCase: true })).toEqual([]);
  expect(requiredTrigrams('\u212aey', { ignoreCase: true })).toEqual(requiredTrigrams('key', { ignoreCase: true }));
});
