import { expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import {
  coversScope,
  isEmptyScope,
  makeScope,
  parseScope,
  type RefreshScope,
  renderScope,
  unionScopes,
} from './stored-jobs.ts';

const names = fc.array(fc.constantFrom('a', 'b', 'c', 'ä', '𝒳', ''), { maxLength: 4 });
const scopes: fc.Arbitrary<RefreshScope> = fc.oneof(
  fc.constant(null),
  fc.tuple(names, names).map(([files, packages]) => makeScope(files, packages)),
);

test('R23: a union covers both sides, null absorbs, and nothing is covered by less', () => {
  fc.assert(
    fc.property(scopes, scopes, scopes, (a, b, c) => {
      const union = unionScopes(a, b);
      expect(coversScope(union, a) && coversScope(union, b)).toBe(true);
      expect(unionScopes(a, null)).toBe(null);
      expect(renderScope(union)).toBe(renderScope(unionScopes(b, a)));
      expect(renderScope(unionScopes(union, c))).toBe(renderScope(unionScopes(a, unionScopes(b, c))));
      // The smallest one that covers both.
      if (coversScope(c, a) && coversScope(c, b)) expect(coversScope(c, union)).toBe(true);
      if (coversScope(a, b) && coversScope(b, a)) expect(renderScope(a)).toBe(renderScope(b));
    }),
  );
});

test('a scope survives its text', () => {
  fc.assert(
    fc.property(scopes, (scope) => {
      expect(parseScope(renderScope(scope))).toEqual(scope);
    }),
  );
  expect(renderScope(makeScope(['b', 'a', 'b'], ['p']))).toBe('{"files":["a","b"],"packages":["p"]}');
  expect(renderScope({ files: ['b', 'a'], packages: [] })).toBe('{"files":["a","b"],"packages":[]}');
});

test('R23: a text that is no scope is read as everything', () => {
  for (const text of ['', '[]', '{}', '{"files":["a"]}', '{"files":[1],"packages":[]}', 'null']) {
    expect(parseScope(text)).toBe(null);
  }
});

test('a scope of nothing is told from one of everything', () => {
  expect(isEmptyScope(makeScope([]))).toBe(true);
  expect(isEmptyScope(null)).toBe(false);
  expect(coversScope(makeScope([]), null)).toBe(false);
  expect(coversScope(makeScope([], ['src']), makeScope(['src/a.ts']))).toBe(false);
});
