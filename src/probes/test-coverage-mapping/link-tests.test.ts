import { expect, test } from 'vitest';
import { createFileFinder, linkTests } from './link-tests.ts';

const nothing = {
  testFiles: [],
  smokeFiles: [],
  covered: new Set<string>(),
  coveredByFile: new Map<string, Set<string>>(),
  symbolsByTestName: new Map<string, Set<string>>(),
  names: null,
  referencesOf: () => [],
  imports: null,
};

test('a test name means a file if it is its path, its base name or either in plain letters, and means one file only', () => {
  const find = createFileFinder(['src/cart.test.ts', 'src/a/price.spec.ts', 'src/b/price.spec.ts', 'tests/test_x.py']);
  expect(['src/cart.test.ts', 'cart.test.ts', 'cart', 'src_cart_test_ts', 'test_x'].map(find)).toEqual([
    ...['src/cart.test.ts', 'src/cart.test.ts', 'src/cart.test.ts', 'src/cart.test.ts'],
    'tests/test_x.py',
  ]);
  expect([find('price'), find('src/b/price.spec.ts'), find('unit')]).toEqual([null, 'src/b/price.spec.ts', null]);
});

test('nothing is known of a test that no report, index or import speaks of', () => {
  expect(linkTests({ ...nothing, testFiles: ['a.test.ts'], smokeFiles: ['smoke.sh'] })).toEqual(
    ['a.test.ts', 'smoke.sh'].map((file) => ({
      test_id: file,
      test_file: file,
      exercises: [],
      exercises_unknown: true,
      via: null,
    })),
  );
});

test('a test that asks for what was not found may exercise more than is seen', () => {
  const world = {
    ...nothing,
    testFiles: ['a.test.ts'],
    coveredByFile: new Map([['a.ts', new Set(['a.ts#f'])]]),
    imports: { loads: () => new Set(['a.ts']), isOpen: () => true },
  };
  expect(linkTests(world)).toMatchObject([{ exercises: ['a.ts#f'], exercises_unknown: true, via: 'import_reach' }]);
});

test('an imported file that the index knows contributes what the index says, and no more', () => {
  const document = { definitions: new Map(), references: [{ line: 1, symbol: 'a.ts#used' }] };
  const world = {
    ...nothing,
    testFiles: ['a.test.ts'],
    covered: new Set(['a.ts#used', 'a.ts#helper', 'a.ts#other']),
    coveredByFile: new Map([['a.ts', new Set(['a.ts#used', 'a.ts#helper', 'a.ts#other'])]]),
    names: new Map([
      ['a.test.ts', document],
      ['a.ts', { definitions: new Map(), references: [] }],
    ]),
    referencesOf: (symbol: string) => (symbol === 'a.ts#used' ? ['a.ts#helper', 'b.ts#never_ran'] : []),
    imports: { loads: () => new Set(['a.ts']), isOpen: () => false },
  };
  expect(linkTests(world).map(({ via, exercises }) => [via, ...exercises])).toEqual([
    ['import_reach', 'a.ts#helper'],
    ['scip_reference', 'a.ts#used'],
  ]);
});
