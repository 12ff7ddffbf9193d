import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import { hasTool } from '../../../test/support/tools.ts';
import { compareAlpineVersions, compareDebianVersions, isAlpineVersion } from './package-versions.ts';

type Compare = (a: string, b: string) => number;

const debianLike = fc.stringMatching(/^(?:[0-9]:)?[0-9a-z.+~]{0,6}(?:-[0-9a-z.+~]{0,3})?$/);
const alpineLike = fc.stringMatching(
  /^[0-9]{1,2}(?:\.[0-9]{1,2}){0,2}[a-c]?(?:_(?:alpha|beta|pre|rc|cvs|svn|git|hg|p)[0-9]?){0,2}(?:~[0-9a-f]{1,2})?(?:-r[0-9]{1,2})?$/,
);

describe.each<[string, Compare, fc.Arbitrary<string>]>([
  ['Debian', compareDebianVersions, fc.oneof(debianLike, fc.string({ maxLength: 6 }))],
  ['Alpine', compareAlpineVersions, fc.oneof(alpineLike, fc.string({ maxLength: 6 }))],
])('G40 the order of %s is total', (_name, compare, version) => {
  test('antisymmetric and reflexive', () => {
    fc.assert(
      fc.property(version, version, (a, b) => {
        expect(compare(a, b) + compare(b, a)).toBe(0);
        expect(compare(a, a)).toBe(0);
      }),
      { numRuns: 2000 },
    );
  });

  test('transitive, also where two are equal', () => {
    fc.assert(
      fc.property(version, version, version, (a, b, c) => {
        const [low = '', mid = '', high = ''] = [a, b, c].sort(compare);
        expect(compare(low, mid)).toBeLessThanOrEqual(0);
        expect(compare(mid, high)).toBeLessThanOrEqual(0);
        expect(compare(low, high)).toBeLessThanOrEqual(0);
        if (compare(a, b) === 0) expect(compare(a, c)).toBe(compare(b, c));
      }),
      { numRuns: 3000 },
    );
  });
});

function checkChain(compare: Compare, chain: readonly string[]): void {
  for (const [i, a] of chain.entries()) {
    for (const [j, b] of chain.entries()) expect([a, b, compare(a, b)]).toEqual([a, b, Math.sign(i - j)]);
  }
}

test('Debian: known rows', () => {
  checkChain(compareDebianVersions, [
    '1.0~~',
    '1.0~~a',
    '1.0~',
    '1.0',
    '1.0a',
    '1.0+b1',
    '1.0.1',
    '1.00.2',
    '1.0.10',
    '1:0.1',
    '2:0~rc1',
  ]);
  checkChain(compareDebianVersions, [
    '2.36-9+deb12u1',
    '2.36-9+deb12u3',
    '2.36-9+deb12u10',
    '2.36-10',
    '2.37-1~exp1',
    '2.37-1',
  ]);
  checkChain(compareDebianVersions, [
    '7.6p2-4',
    '7.6p2-5',
    '7.6.1',
    '20230311',
    '20230311+deb12u1',
    '99999999999999999999998',
    '99999999999999999999999',
  ]);
  for (const [a, b] of [
    ['1.0', '1.0-0'],
    ['0:1', '1'],
    ['1.01', '1.1'],
    ['a', 'a-'],
  ] as const) {
    expect([a, b, compareDebianVersions(a, b)]).toEqual([a, b, 0]);
  }
});

test('Alpine: known rows', () => {
  checkChain(compareAlpineVersions, [
    '1.0_alpha',
    '1.0_alpha2',
    '1.0_beta',
    '1.0_pre1',
    '1.0_rc1',
    '1.0_rc2',
    '1.0',
    '1.0-r1',
    '1.0-r10',
    '1.0_git20230101',
    '1.0_p1',
    '1.0_p1-r1',
    '1.0_p2',
    '1.0a',
    '1.0b',
    '1.0.0',
    '1.0.1',
    '1.1',
    '1.10',
    '2',
  ]);
  checkChain(compareAlpineVersions, ['2.0', '2.00', '2.01', '2.010', '2.1', '2.9', '2.10', '10.0']);
  checkChain(compareAlpineVersions, [
    'not a version',
    '0',
    '1.36.1-r0',
    '1.36.1-r5',
    '1.36.1-r15',
    '3.1.4-r5',
    '3.1.4-r6',
  ]);
  checkChain(compareAlpineVersions, ['6.0_pre1', '6.0', '6.0_p1', '6.1_pre3', '6.1']);
  expect(isAlpineVersion('1.2.4_git20230717-r4')).toBe(true);
  expect(isAlpineVersion('1.2-beta')).toBe(false);
});

test.skipIf(!hasTool('dpkg'))('dpkg: agrees on what it is asked', () => {
  const relation = (a: string, b: string): number => {
    for (const [word, sign] of [
      ['lt', -1],
      ['eq', 0],
      ['gt', 1],
    ] as const) {
      try {
        execFileSync('dpkg', ['--compare-versions', a, word, b], { stdio: 'ignore' });
        return sign;
      } catch {
        // Exit code 1 says no.
      }
    }
    throw new Error(`${a} ? ${b}`);
  };
  const valid = fc.stringMatching(/^(?:[0-2]:)?[0-9][0-9a-c.+~]{0,5}(?:-[0-9a-c.+~]{1,3})?$/);
  fc.assert(
    fc.property(valid, valid, (a, b) => {
      expect([a, b, compareDebianVersions(a, b)]).toEqual([a, b, relation(a, b)]);
    }),
    { numRuns: 60 },
  );
});
