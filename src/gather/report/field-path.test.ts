import fc from 'fast-check';
import { expect, test } from 'vitest';
import { listFieldPaths, parseFieldPath, readFieldPath, renderFieldPath } from './field-path.ts';

test('paths as people type them', () => {
  expect(parseFieldPath('a.b[3].c')).toEqual(['a', 'b', 3, 'c']);
  expect(parseFieldPath('a["x.y"]["q\\"uote"].z')).toEqual(['a', 'x.y', 'q"uote', 'z']);
  for (const bad of ['', '.a', 'a.', 'a..b', 'a[b]', 'a[1', 'a["x]', 'a[1]b'])
    expect(parseFieldPath(bad)).toBeUndefined();
});

test('what is rendered parses back to the same steps', () => {
  const step = fc.oneof(
    fc.nat(1000),
    fc.string({ minLength: 1 }).filter((text) => !text.includes('\n')),
  );
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.array(step), (first, rest) => {
      const steps = [first, ...rest];
      expect(parseFieldPath(renderFieldPath(steps))).toEqual(steps);
    }),
  );
});

test('a list is read by number and a member by name; nothing inherited is a field', () => {
  const document = { list: [{ x: 1 }], '3': 'member' };
  expect(readFieldPath(document, ['list', 0, 'x'])).toEqual({ found: true, value: 1 });
  expect(readFieldPath(document, ['list', 'length']).found).toBe(false);
  expect(readFieldPath(document, [3]).found).toBe(false);
  expect(readFieldPath(document, ['constructor']).found).toBe(false);
  expect(readFieldPath(document, ['__proto__', 'toString']).found).toBe(false);
});

test('every listed path exists, and a bound holds', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (document) => {
      for (const path of listFieldPaths(document, 200)) {
        expect(readFieldPath(document, parseFieldPath(path) ?? []).found).toBe(true);
      }
    }),
  );
  expect(
    listFieldPaths(
      Array.from({ length: 9 }, () => ({ a: [1, 2, 3] })),
      5,
    ),
  ).toHaveLength(5);
});
