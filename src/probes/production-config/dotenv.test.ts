import { expect, test } from 'vitest';
import { parseDotenv } from './dotenv.ts';

const valuesOf = (text: string) => parseDotenv(text).entries.map(({ name, value }) => [name, value]);

test('names, quotes, comments, exports and the last assignment', () => {
  const text = [
    '# comment',
    'A=1 # one',
    'export B = two words ',
    "C='a # b'",
    'D="x\\"y" # rest',
    'E=a#b',
    'F: yaml-like',
    'G=',
    'A=2',
    'URL=https://example.com/?a=b#c',
    'H=`a\'b"c`',
  ].join('\r\n');
  expect(valuesOf(text)).toEqual([
    ['A', '2'],
    ['B', 'two words'],
    ['C', 'a # b'],
    ['D', 'x\\"y'],
    ['E', 'a#b'],
    ['F', 'yaml-like'],
    ['G', ''],
    ['URL', 'https://example.com/?a=b#c'],
    ['H', 'a\'b"c'],
  ]);
});

test('a quoted value spans lines, and what comes after it is on the right line', () => {
  const parsed = parseDotenv('KEY="a\nb\nc"\nbad line\nB=1\n');
  expect(parsed.entries.map(({ value }) => value)).toEqual(['a\nb\nc', '1']);
  expect(parsed.badLines).toEqual([4]);
});

test('an unclosed quote is part of a value that ends with its line', () => {
  expect(valuesOf('A="open\nB=1\n')).toEqual([
    ['A', '"open'],
    ['B', '1'],
  ]);
});

test('an assignment without a value does not swallow the next line', () => {
  expect(valuesOf('A=\nB=1\nC:\nD=2')).toEqual([
    ['A', ''],
    ['B', '1'],
    ['C', ''],
    ['D', '2'],
  ]);
});

test.each([
  ['open quotes', (n: number) => `A${n}='\\\n`],
  ['escaped quotes', (n: number) => `A${n}=\\"x\n`],
  ['spaces before nothing', () => `A${' '.repeat(200)}\n`],
  ['equals', () => `=${'='.repeat(100)}\n`],
  ['backslashes', () => '\\'.repeat(100)],
])('G16 5 000 times %s', (_, line) => {
  const text = Array.from({ length: 5_000 }, (__, n) => line(n)).join('');
  expect(parseDotenv(text).entries.length).toBeLessThanOrEqual(5_000);
});
