import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileGlob, compileGlobs, expandBraces } from './path-patterns.ts';

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

const moreCases: [glob: string, path: string, matches: boolean][] = [
  ['**/package.json', 'package.json/x', false],
  ['**/*', 'a/b', true],
  ['**', 'a/b', true],
  ['a/**/**/b', 'a/b', true],
  ['**/a/**/b/*.ts', 'x/a/a/y/b/b/c.ts', true],
  ['**/a/**/b/*.ts', 'x/a/a/y/b/b/c/c.ts', false],
  ['*a*b', 'aab', true],
  ['a*a', 'a', false],
  ['src/**', 'src/', false],
  ['[[:digit:]x].js', '7.js', true],
  ['[[:digit:]x].js', 'y.js', false],
  ['[\\]a]', ']', true],
  ['a[/]b', 'a/b', false],
  ['[z/[', '[z/[', true],
  ['a\\', 'a\\', true],
  ['a**b', 'axxb', true],
  ['a**b', 'ax/xb', false],
];

test.each(moreCases)('glob %s on %s is %s', (glob, path, matches) => {
  expect(compileGlobs([glob])(path)).toBe(matches);
});

/** The grammar as one anchored expression: easy to read, and slow where a star is followed by stars. */
function referenceMatch(glob: string, path: string): boolean {
  const source = glob.replace(
    /(?<=^|\/)\*\*+(\/|$)|\*+|\?|\[[^\]]+\]|\\.|./gs,
    (token: string, wholeName: string | undefined) => {
      if (wholeName !== undefined) return wholeName === '/' ? '(?:[^/]+/)*' : '.+';
      if (token.startsWith('*')) return '[^/]*';
      if (token === '?') return '[^/]';
      if (token.startsWith('[')) return `(?!/)${token.replace('[!', '[^')}`;
      return (token.length === 2 ? token.slice(1) : token).replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
    },
  );
  return new RegExp(`^${source}$`, 's').test(path);
}

test('16: matches what a regular expression of the same meaning matches', () => {
  const glob = fc
    .array(
      fc.constantFrom('a', 'b', 'ab', '.', '/', '/', '*', '**', '**/', '/**', '?', '[ab]', '[!a]', '[a-b]', '\\*'),
      {
        maxLength: 8,
      },
    )
    // An empty name is in no path.
    .map((tokens) => tokens.join('').replace(/\/+/g, '/'));
  const path = fc
    .array(fc.constantFrom('a', 'b', 'ab', 'ba', '.a', '*', 'aab', 'a.b'), { minLength: 1, maxLength: 5 })
    .map((names) => names.join('/'));
  fc.assert(
    fc.property(glob, path, (pattern, candidate) => {
      expect({ pattern, candidate, matches: compileGlob(pattern)(candidate) }).toEqual({
        pattern,
        candidate,
        matches: referenceMatch(pattern, candidate),
      });
    }),
    { numRuns: 5000 },
  );
});

test.each([
  '*a*a*a*a*a*a*a*a*b',
  '**/*a*a*a*a*a*a*b',
  '**/a/**/a/**/a/**/a/**/b',
  '**/*a*/**/*a*/**/*a*/**/b',
  `*${'[ab]*'.repeat(40)}c`,
  '['.repeat(4000),
  `${'{'.repeat(2000)}{a,b}{c,d}`,
])('16: %s answers on the longest names and the deepest paths', (glob) => {
  const matches = compileGlobs([glob]);
  expect(matches('a'.repeat(255))).toBe(false);
  expect(matches(`${'a'.repeat(200)}/`.repeat(20))).toBe(false);
  expect(matches('a/'.repeat(2000))).toBe(false);
});
