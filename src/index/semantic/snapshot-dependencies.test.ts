import { describe, expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import { closeInterfaces, type OpenFile } from './snapshot-dependencies.ts';

type Files = Readonly<Record<string, OpenFile | string>>;

/** A text is a closed interface. */
function close(files: Files, order = Object.keys(files)): Readonly<Record<string, string>> {
  const find = (path: string) => (typeof files[path] === 'object' ? files[path] : undefined);
  const leafOf = (path: string) => (typeof files[path] === 'string' ? files[path] : 'missing');
  return Object.fromEntries([...closeInterfaces(order, { find, leafOf })].sort());
}

const open = (own: string, ...dependencies: string[]): OpenFile => ({ own, stored: null, dependencies });

/** Paths whose interface is another one. */
function differing(before: Files, after: Files): readonly string[] {
  const [a, b] = [close(before), close(after)];
  return Object.keys(b).filter((path) => a[path] !== b[path]);
}

describe('T2 T5', () => {
  const files = {
    a: open('a', 'b'),
    b: open('b', 'c', 'd'),
    c: open('c'),
    d: 'closed',
    e: open('e', 'f'),
    f: open('f'),
  };

  test('a change reaches all that depend on it over files that are not closed', () => {
    expect(differing(files, { ...files, c: open('other') })).toEqual(['a', 'b', 'c']);
    expect(differing(files, { ...files, d: 'other' })).toEqual(['a', 'b']);
  });

  test('what a closed file depends on reaches no other file', () => {
    expect(close(files)).not.toHaveProperty('d');
  });

  test('a file that is gone is another one', () => {
    const { d: _, ...rest } = files;
    expect(differing(files, rest)).toEqual(['a', 'b']);
  });

  test('a stored one counts as it is stored, whatever it depends on', () => {
    const stored = (sem: string, ...dependencies: string[]): OpenFile => ({
      own: 'records',
      stored: sem,
      dependencies,
    });
    const before = { a: open('a', 's'), s: stored('sem', 'c'), c: open('c') };
    expect(differing(before, { ...before, c: open('other') })).toEqual(['c']);
    expect(differing(before, { ...before, s: stored('other', 'c') })).toEqual(['a', 's']);
  });

  test('T6 a stored one that leads back counts by its records', () => {
    const stored = (sem: string): OpenFile => ({ own: 'records', stored: sem, dependencies: ['a'] });
    const before = { a: open('a', 's'), s: stored('sem') };
    expect(differing(before, { ...before, s: stored('other') })).toEqual([]);
  });
});

const names = ['a', 'b', 'c', 'd', 'e', 'f'];
const file = fc.record({
  own: fc.constantFrom('x', 'y'),
  stored: fc.constant(null),
  dependencies: fc.subarray(names),
});

test('T6 no order of files or dependencies matters, and every change reaches exactly those that can reach it', () => {
  fc.assert(
    fc.property(
      fc.tuple(...names.map(() => file)),
      fc.shuffledSubarray(names, { minLength: names.length }),
      fc.constantFrom(...names),
      (all, order, changed) => {
        const files: Record<string, OpenFile> = Object.fromEntries(
          names.map((name, at) => [name, all[at] as OpenFile]),
        );
        const turned = Object.fromEntries(
          names.map((name) => {
            const of = files[name] as OpenFile;
            return [name, { ...of, dependencies: [...of.dependencies].reverse() }];
          }),
        );
        expect(close(turned, order)).toEqual(close(files));
        const after = { ...files, [changed]: { ...(files[changed] as OpenFile), own: 'z' } };
        expect(differing(files, after)).toEqual(names.filter((name) => reaches(files, name, changed)));
      },
    ),
    { numRuns: 500 },
  );
});

function reaches(files: Readonly<Record<string, OpenFile>>, from: string, to: string): boolean {
  const seen = new Set([from]);
  for (const name of seen) for (const next of files[name]?.dependencies ?? []) seen.add(next);
  return seen.has(to);
}

test('T12 a chain and a ring of 100,000 files need no recursion', () => {
  const count = 100_000;
  const chain: Record<string, OpenFile> = {};
  for (let at = 0; at < count; at += 1) chain[`f${at}`] = open('own', `f${at + 1}`);
  expect(Object.keys(close(chain))).toHaveLength(count);
  chain[`f${count - 1}`] = open('own', 'f0');
  expect(Object.keys(close(chain))).toHaveLength(count);
});
