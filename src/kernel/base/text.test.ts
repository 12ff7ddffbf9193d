import { expect, test } from 'vitest';
import { visibleJson } from '../secrets/outgoing.ts';
import { quotedPath } from './text.ts';

test('G28 JSON shows what would hide or reorder, and reads back the same', () => {
  const value = { 'a\u202eb': ['\u200b', '\u009b31m', '\u2028', '\ufeff', 'plain é 漢 🙂', '\n'] };
  const text = visibleJson(value);
  expect(text).not.toMatch(/[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/);
  expect(text).toContain('a\\u202eb');
  expect(text).toContain('plain é 漢 🙂');
  expect(JSON.parse(text)).toEqual(value);
  expect(visibleJson(undefined)).toBe('');
});

test('G28 a path is one word that tells it from every other path', () => {
  expect(quotedPath('src/a b.ts')).toBe('src/a b.ts');
  expect(quotedPath('src/a\nb.ts')).toBe('"src/a\\nb.ts"');
  expect(quotedPath('src/a\u202eb.ts')).toBe('"src/a\\u202eb.ts"');
  expect(quotedPath('src/a\tb.ts')).toBe('"src/a\\tb.ts"');
});
