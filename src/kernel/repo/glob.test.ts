import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileGlobs, expandBraces } from './glob.ts';

const cases: [glob: string, path: string, matches: boolean][] = [
  ['**/*.ts', 'a.ts', true],
  ['**/*.ts', 'a/b/c.ts', true],
  ['**/*.ts', '.hidden/c.ts', true],
  ['**/*.ts', 'a/b/c.tsx', false],
  ['*.ts', 'a/b.ts', false],
  ['**/package.json', 'package.json', true],
  ['**/package.json', 'x/package.json', true],
  ['**/package.json', 'x/apackage.json', false],
  ['{deploy,k8s}/**/*.{yaml,yml}', 'k8s/a/b.yml', true],
  ['{deploy,k8s}/**/*.{yaml,yml}', 'k8s.yml', false],
  ['docs/**', 'docs/a/b', true],
  ['docs/**', 'docs', false],
  ['a/**/b', 'a/b', true],
  ['a/**/b', 'a/x/y/b', true],
  ['a?c', 'abc', true],
  ['a?c', 'a/c', false],
  ['[ab].js', 'b.js', true],
  ['[!ab].js', 'b.js', false],
  ['[z', '[z', true],
  ['[z-a]', '[z-a]', true],
  ['a.b', 'axb', false],
  ['\\*.ts', '*.ts', true],
];

test.each(cases)('glob %s on %s is %s', (glob, path, matches) => {
  expect(compileGlobs([glob])(path)).toBe(matches);
});

test('braces nest, and too many alternatives are taken literally', () => {
  expect(expandBraces('a.{ts,{m,c}ts}').sort()).toEqual(['a.cts', 'a.mts', 'a.ts']);
  expect(expandBraces('{a}')).toEqual(['{a}']);
  expect(expandBraces('{a,b}'.repeat(12))).toHaveLength(1);
});

test('40: any text compiles, and text without glob characters matches exactly itself', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (glob, path) => {
      expect(typeof compileGlobs([glob])(path)).toBe('boolean');
      const plain = glob.replace(/[*?[\]{}\\]/g, '');
      expect(compileGlobs([plain])(plain)).toBe(true);
    }),
  );
});

test('16: repeated wildcards finish', () => {
  const matches = compileGlobs([`${'**/'.repeat(50)}x`, `${'*a'.repeat(30)}b`]);
  expect(matches(`${'a/'.repeat(2000)}y`)).toBe(false);
});
