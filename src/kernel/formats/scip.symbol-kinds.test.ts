import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { descriptorSuffixes, kindName, kindOfDescriptor } from './scip.ts';

type GeneratedSchema = {
  readonly scip: { readonly SymbolInformation: { readonly Kind: Record<string, string | number> } };
};

test('every number that the generated schema of scip-typescript knows has the same word here', () => {
  const require = createRequire(import.meta.url);
  const { scip } = require('@sourcegraph/scip-typescript/dist/src/scip.js') as GeneratedSchema;
  const numbers = Object.entries(scip.SymbolInformation.Kind).filter(([, value]) => typeof value === 'number');
  expect(numbers.length).toBeGreaterThan(60);
  for (const [name, number] of numbers) {
    const word = name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();
    expect([number, kindName(number as number)]).toEqual([number, number === 0 ? null : word]);
  }
});

test('numbers that only the current schema knows', () => {
  expect([66, 72, 73, 80, 82, 84, 85, 86].map(kindName)).toEqual([
    'abstract_method',
    'accessor',
    'delegate',
    'static_method',
    'static_variable',
    'extension',
    'mixin',
    'concept',
  ]);
});

test('unspecified and unknown numbers have no word', () => {
  expect([0, -1, 83, 87, 2 ** 31 - 1, 1.5].map(kindName)).toEqual([null, null, null, null, null, null]);
});

test('every suffix is answered', () => {
  expect(descriptorSuffixes.map((suffix) => kindOfDescriptor({ suffix }))).toHaveLength(descriptorSuffixes.length);
  expect(kindOfDescriptor({ suffix: 'meta' })).toBeNull();
});
