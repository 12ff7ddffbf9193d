import { expect, test } from 'vitest';
import { visibleJson } from './text.ts';

test('G28 JSON shows what would hide or reorder, and reads back the same', () => {
  const value = { 'a\u202eb': ['\u200b', '\u009b31m', '\u2028', '\ufeff', 'plain é 漢 🙂', '\n'] };
  const text = visibleJson(value);
  expect(text).not.toMatch(/[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/);
  expect(text).toContain('a\\u202eb');
  expect(text).toContain('plain é 漢 🙂');
  expect(JSON.parse(text)).toEqual(value);
  expect(visibleJson(undefined)).toBe('');
});
