import { expect, test } from 'vitest';
import { createRandom } from './random.ts';
import { writeProgram } from './write-program.ts';

test('a seed decides the program, and another seed writes another', () => {
  expect(writeProgram(createRandom(3))).toEqual(writeProgram(createRandom(3)));
  expect(writeProgram(createRandom(3)).files).not.toEqual(writeProgram(createRandom(4)).files);
});

test('every place that may be renamed is the name it says, outside of strings', () => {
  for (let seed = 0; seed < 20; seed += 1) {
    const { files, places } = writeProgram(createRandom(seed));
    expect(places.length).toBeGreaterThan(50);
    for (const { path, line, col, name } of places) {
      const text = files.find((file) => file.path === path)?.text.split('\n')[line - 1] ?? '';
      expect(text.slice(col - 1)).toMatch(new RegExp(`^${name}\\b`));
      expect(text.slice(0, col - 1).split("'").length % 2).toBe(1);
    }
  }
});
