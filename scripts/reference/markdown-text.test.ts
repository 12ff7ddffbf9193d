import { expect, test } from 'vitest';
import { codeBlock, codeSpan, renderTable } from './markdown-text.ts';

test('a cell cannot end its row or open another', () => {
  expect(renderTable(['a', 'b'], [['x | y', 'one\ntwo']])).toBe('| a | b |\n|---|---|\n| x \\| y | one two |\n');
});

test('a fence outnumbers the backticks it holds', () => {
  expect(codeBlock('text', 'a\n```\nb')).toBe('````text\na\n```\nb\n````\n');
  expect(codeSpan('a``b')).toBe('```a``b```');
  expect(codeSpan('`a')).toBe('`` `a ``');
});
