import { expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import { scrambled, secretSamples } from '../../../test/support/secret-samples.ts';
import { textPattern as asking } from '../../../test/support/text-pattern.ts';
import { blake3Hex } from '../../kernel/base/hash.ts';
import { compilePattern } from './find-matches.ts';
import { indexQueryOf } from './search-text.ts';
import { createTextMemory } from './text-memory.ts';

function rememberedFile(path: string, text: string) {
  return { path, contentHash: blake3Hex(Buffer.from(text)) };
}

/** A memory that has read this file. */
function memoryOf(path: string, text: string) {
  const memory = createTextMemory();
  memory.open();
  memory.open()(rememberedFile(path, text), Buffer.from(text));
  return memory;
}

const samples = Object.values(secretSamples)
  .flat()
  .map(({ text }) => text);
const around = fc.array(fc.constantFrom('const ', 'needle', ' = ', '"', '\n', 'é', '\u212a', 'K', ';'), {
  maxLength: 4,
});
const part = fc.tuple(fc.nat(), fc.integer({ min: 1, max: 40 }));

test('T13: no text is ruled out in which the pattern is found, wherever it lies: in a secret, across its edge, beside it', () => {
  let decided = 0;
  fc.assert(
    fc.property(
      around,
      fc.constantFrom(...samples),
      around,
      part,
      fc.boolean(),
      fc.boolean(),
      (before, sample, after, [at, length], ignoreCase, wholeWord) => {
        const text = before.join('') + sample + after.join('');
        const chars = [...text];
        const from = at % chars.length;
        const asked = asking(chars.slice(from, from + length).join(''), { ignoreCase, wholeWord });
        const compiled = compilePattern(asked);
        if (compiled.kind === 'invalid') return;
        if (compiled.find(Buffer.from(text), { max: 1, from: 0 }).length === 0) return;
        decided += 1;
        const memory = memoryOf('a.ts', text);
        expect(memory.mayHold(rememberedFile('a.ts', text), indexQueryOf(asked))).toBe(true);
      },
    ),
    { numRuns: 1_000 },
  );
  expect(decided).toBeGreaterThan(300);
});

test('T13: a text that was read is ruled out where a trigram is missing, and only the very same text', () => {
  const text = 'const needle = 1;';
  const memory = memoryOf('a.ts', text);
  const file = rememberedFile('a.ts', text);
  const query = indexQueryOf(asking('qzxjvw'));
  expect(memory.mayHold(file, query)).toBe(false);
  expect(memory.mayHold(file, indexQueryOf(asking('qz')))).toBe(true);
  expect(memory.mayHold({ ...file, contentHash: 'of other bytes' }, query)).toBe(true);
  expect(memory.mayHold({ ...file, contentHash: null }, query)).toBe(true);
  expect(memory.mayHold({ ...file, path: 'b.ts' }, query)).toBe(true);
});

test('T13: a text that has the trigrams of a word and not the word is ruled out where words are asked for', () => {
  const text = 'const needles = 1;';
  const memory = memoryOf('a.ts', text);
  const file = rememberedFile('a.ts', text);
  expect(memory.mayHold(file, indexQueryOf(asking('needle')))).toBe(true);
  expect(memory.mayHold(file, indexQueryOf(asking('needle', { wholeWord: true })))).toBe(false);
  expect(memory.mayHold(file, indexQueryOf(asking('needles', { wholeWord: true })))).toBe(true);
});

test('what was read is remembered under its own hash, whatever the index knows of the file', () => {
  const memory = createTextMemory();
  memory.open();
  memory.open()(rememberedFile('a.ts', 'as it was'), Buffer.from('as it is'));
  const query = indexQueryOf(asking('qzxjvw'));
  expect(memory.mayHold(rememberedFile('a.ts', 'as it was'), query)).toBe(true);
  expect(memory.mayHold(rememberedFile('a.ts', 'as it is'), query)).toBe(false);
});

test('the first search learns nothing, and each later one a share', () => {
  const large = scrambled(3 * 1024 * 1024, 'abcdef \n', 1);
  const memory = createTextMemory();
  const query = indexQueryOf(asking('qzxjvw'));
  const isKnown = (path: string, text: string) => !memory.mayHold(rememberedFile(path, text), query);
  const learnBoth = () => {
    const remember = memory.open();
    remember(rememberedFile('a.ts', large), Buffer.from(large));
    remember(rememberedFile('b.ts', 'short'), Buffer.from('short'));
    return [isKnown('a.ts', large), isKnown('b.ts', 'short')];
  };
  expect(learnBoth()).toEqual([false, false]);
  expect(learnBoth()).toEqual([true, false]);
  expect(learnBoth()).toEqual([true, true]);
});

test('where secrets lie is kept for the very same bytes', () => {
  const memory = memoryOf('a.ts', 'one text');
  const known = memory.secretsOf('a.ts', Buffer.from('one text'));
  expect(memory.secretsOf('a.ts', Buffer.from('one text'))).toBe(known);
  expect(memory.secretsOf('a.ts', Buffer.from('another'))).not.toBe(known);
  expect(memory.secretsOf('b.ts', Buffer.from('one text'))).not.toBe(known);
});
