import { expect, test } from 'vitest';
import { cutText } from './probe-reading.ts';

test('short text stays, long text ends at a word', () => {
  expect(cutText('one two', 7)).toBe('one two');
  expect(cutText('one two three', 9)).toBe('one two …');
  expect(cutText('one two three', 8)).toBe('one two …');
});

test('P8 no part of a word is left, whatever the limit', () => {
  const word = 'x7Qm2Lr9Zt4Vb8Nc1Ks6Wd3Fh5Jy0Pa7Ge2U';
  const text = `a ${word} b`;
  for (let limit = 0; limit < text.length; limit += 1) {
    const cut = cutText(text, limit);
    expect(cut.includes('x7') && !cut.includes(word), cut).toBe(false);
  }
  expect(cutText(word, 10)).toBe('…');
});

test('G16 a long run of one kind of character is cut at once', () => {
  expect(cutText(' '.repeat(100_000), 50_000)).toBe('…');
  expect(cutText('x'.repeat(100_000), 50_000)).toBe('…');
});
