import { expect, test } from 'vitest';
import type { ScipDocument, ScipOccurrence } from '../../kernel/formats/scip.ts';
import { createSurroundings } from './rename-output.ts';

const prefix = 'scip-typescript npm p 1 `a.ts`/';
const at = (column: number, symbol: string, roles = 0): ScipOccurrence => {
  return { range: [0, column, column + 1], enclosingRange: [], symbol, roles };
};

/** `const x = make(); const y = lib(), z = (p) => p;`, of which `lib` is from outside. */
const occurrences = [
  at(1, `${prefix}x.`, 1),
  at(2, `${prefix}make().`),
  at(3, `${prefix}y.`, 1),
  at(4, 'scip-typescript npm lib 1 `lib.d.ts`/lib().'),
  at(5, `${prefix}z.`, 1),
  at(6, 'local 1', 1),
  at(7, 'local 1'),
];
const document: ScipDocument = {
  relativePath: 'a.ts',
  language: '',
  positionEncoding: 2,
  text: '',
  occurrences: occurrences.toReversed(),
  symbols: [],
  hadBadText: false,
};
const defined = new Set(['x.', 'y.', 'z.', 'make().'].map((name) => prefix + name));

test('E9 a type may be from outside where its declaration uses something from there', () => {
  const { mayMean } = createSurroundings(document, defined, () => false);
  expect(['x.', 'y.', 'z.'].map((name) => mayMean(prefix + name, 1))).toEqual([true, false, true]);
  expect([mayMean('local 1', 1), mayMean('local 2', 1)]).toEqual([true, false]);
});

test('what the declaration itself says is meant, as often as it says it', () => {
  const { mayMean } = createSurroundings(document, defined, ([, column]) => column === 4);
  expect([mayMean(`${prefix}y.`, 1), mayMean(`${prefix}y.`, 2)]).toEqual([true, false]);
});
