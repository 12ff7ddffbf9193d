import { expect, test } from 'vitest';
import { batchArguments, isMinified, reportedPath } from './scan-files.ts';

test('G28 a name that looks like an option is a file', () => {
  expect(batchArguments(['-x', '--config=/etc', '-'])).toEqual([['./-x', './--config=/etc', './-']]);
});

test('arguments are split before they are more than a program takes, and none is lost', () => {
  const paths = Array.from({ length: 1000 }, (_, at) => `src/${'ä'.repeat(50)}${at}.ts`);
  const batches = batchArguments(paths, 10_000);
  expect(batches.flat()).toEqual(paths.map((path) => `./${path}`));
  for (const batch of batches) {
    expect(batch.reduce((bytes, path) => bytes + Buffer.byteLength(path) + 9, 0)).toBeLessThanOrEqual(10_000);
  }
  expect(batches.length).toBeGreaterThan(10);
});

test('no batch has more arguments than the sandbox takes beside its own: bubblewrap ends at 9 000', () => {
  const paths = Array.from({ length: 20_001 }, (_, at) => `f${at}`);
  const batches = batchArguments(paths);
  expect(batches.flat()).toEqual(paths.map((path) => `./${path}`));
  expect(Math.max(...batches.map((batch) => batch.length))).toBeLessThanOrEqual(8_000);
});

test('a name longer than a batch still goes, alone', () => {
  expect(batchArguments(['a', 'b'.repeat(300), 'c'], 100).map((batch) => batch.length)).toEqual([1, 1, 1]);
});

test('no files, no batch', () => {
  expect(batchArguments([])).toEqual([]);
});

test('what a tool says of `./a` is said of `a`', () => {
  expect([reportedPath('./a/b'), reportedPath('a/b'), reportedPath('.github/x')]).toEqual(['a/b', 'a/b', '.github/x']);
});

test('minified is told by the length of lines', () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  expect(isMinified(bytes(`${'x'.repeat(5000)}\n${'y'.repeat(5000)}`))).toBe(true);
  expect(isMinified(bytes('const x = 1;\n'.repeat(800)))).toBe(false);
});
