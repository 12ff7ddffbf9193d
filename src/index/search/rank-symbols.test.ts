import { expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import { parseSymbolQuery, rankSymbols, type SymbolCandidate, splitWords } from './rank-symbols.ts';

const symbol = (namePath: string, rest: Partial<SymbolCandidate> = {}): SymbolCandidate => ({
  name: namePath.slice(namePath.lastIndexOf('/') + 1),
  namePath,
  overload: 0,
  kind: 'function',
  exported: true,
  path: 'src/a.ts',
  line: 0,
  column: 0,
  test: false,
  generated: false,
  ...rest,
});

const ranked = (query: string, candidates: readonly SymbolCandidate[]) =>
  rankSymbols(parseSymbolQuery(query), candidates).map(({ symbol: { namePath }, tier }) => `${namePath} ${tier}`);

test('the ways to mean a name, from best to worst', () => {
  const names = [
    'getUserName',
    'GetUserNames',
    'forgetUserNames',
    'getUserNames',
    'A/getUserName',
    'getUserNameOf',
    'unrelated',
  ];
  expect(
    ranked(
      'getUserName',
      names.map((name) => symbol(name)),
    ),
  ).toEqual([
    'getUserName exact_path',
    'A/getUserName exact_name',
    'getUserNameOf prefix',
    'getUserNames prefix',
    'GetUserNames folded_prefix',
    'forgetUserNames substring',
  ]);
});

test.each([
  ['gUN', 'getUserName', 'word_parts'],
  ['gN', 'getUserName', 'word_parts'],
  ['geUsNa', 'getUserName', 'word_parts'],
  ['g_u_n', 'get_user_name', 'word_parts'],
  ['pHF', 'parseHTMLFile', 'word_parts'],
  ['pHTML', 'parseHTMLFile', 'word_parts'],
  ['UN', 'getUserName', undefined],
  ['NU', 'getUserName', undefined],
  ['user', 'getUserName', 'substring'],
  ['GET', 'getUserName', 'folded_prefix'],
])('%s means %s by %s', (query, name, tier) => {
  expect(rankSymbols(parseSymbolQuery(query), [symbol(name)])[0]?.tier).toBe(tier);
});

test('name paths', () => {
  const symbols = ['A/b', 'X/A/b', 'A/bc', 'b', 'AA/b', 'A/b/c'].map((path) => symbol(path));
  expect(ranked('A/b', symbols)).toEqual(['A/b exact_path', 'X/A/b exact_name', 'A/bc prefix']);
  expect(ranked('/A/b', symbols)).toEqual(['A/b exact_path', 'A/bc prefix']);
  expect(ranked('/b', symbols)).toEqual(['b exact_path']);
  const overloads = [0, 1, 2].map((overload) => symbol('A/b', { overload, line: overload }));
  expect(rankSymbols(parseSymbolQuery('A/b[1]'), overloads).map(({ symbol: { overload } }) => overload)).toEqual([1]);
  expect(rankSymbols(parseSymbolQuery('A/b'), overloads)).toHaveLength(3);
});

test('exported, then production, then written by hand, then by place', () => {
  const rows = [
    symbol('f', { exported: false, path: 'a.ts' }),
    symbol('f', { test: true, path: 'a.ts' }),
    symbol('f', { generated: true, path: 'a.ts' }),
    symbol('f', { path: 'c.ts' }),
    symbol('f', { path: 'b.ts', line: 7 }),
    symbol('f', { path: 'b.ts', line: 3 }),
  ];
  const order = rankSymbols(parseSymbolQuery('f'), rows).map(({ symbol: row }) => rows.indexOf(row));
  expect(order).toEqual([5, 4, 3, 2, 1, 0]);
});

test('the order is total and does not depend on the order of the rows', () => {
  const row = fc.record<SymbolCandidate>({
    name: fc.constant(''),
    namePath: fc.constantFrom('get', 'getUser', 'A/get', 'GET', 'forget', 'A/getUser'),
    overload: fc.nat(2),
    kind: fc.constantFrom('function', 'class'),
    exported: fc.boolean(),
    path: fc.constantFrom('a.ts', 'b.ts'),
    line: fc.nat(3),
    column: fc.nat(2),
    test: fc.boolean(),
    generated: fc.boolean(),
  });
  const rows = fc
    .uniqueArray(row, { selector: (made) => JSON.stringify(made), maxLength: 20 })
    .map((made) =>
      made.map((each) =>
        symbol(each.namePath, { ...each, name: each.namePath.slice(each.namePath.lastIndexOf('/') + 1) }),
      ),
    );
  fc.assert(
    fc.property(rows, fc.constantFrom('get', 'A/get', 'gU', '/get', 'get[1]'), fc.nat(), (made, query, seed) => {
      const asked = parseSymbolQuery(query);
      const shuffled = made
        .map((each, at) => ({ each, key: Math.imul(at + 1, seed + 7919) }))
        .sort((a, b) => a.key - b.key)
        .map(({ each }) => each);
      expect(rankSymbols(asked, shuffled)).toEqual(rankSymbols(asked, made));
    }),
  );
});

test('words of names', () => {
  expect(splitWords('getHTMLFile2_of$größeÄnderung')).toEqual(['get', 'html', 'file', '2', 'of', 'größe', 'änderung']);
});
