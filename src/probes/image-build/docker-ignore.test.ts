import { expect, test } from 'vitest';
import { compileDockerIgnore } from './docker-ignore.ts';

const cases: readonly (readonly [file: string, ignored: string, kept: string])[] = [
  ['node_modules', 'node_modules/a/b.js', 'src/node_modules/a.js'],
  ['/dist/', 'dist/a.js', 'src/dist'],
  ['*.md', 'README.md', 'docs/a.md'],
  ['**/*.md', 'docs/deep/a.md', 'docs/a.mdx'],
  ['**/*.md', 'a.md', 'md'],
  ['docs/**', 'docs/a/b', 'docs2/a'],
  ['a/**/z', 'a/z', 'az'],
  ['a/**/z', 'a/b/c/z/file', 'a/b/c/y'],
  ['*/temp*', 'some/temporary.txt', 'temporary.txt'],
  ['temp?', 'tempa', 'temp'],
  ['a[0-9].txt', 'a5.txt', 'ab.txt'],
  ['a[^0-9].txt', 'ab.txt', 'a5.txt'],
  ['a\\*b', 'a*b', 'axb'],
  ['*\n!README.md', 'LICENSE', 'README.md'],
  ['*.md\n!README*.md\nREADME-secret.md', 'README-secret.md', 'README-public.md'],
  ['src\n!src/keep', 'src/other', 'src/keep/a'],
  ['  build  \n', 'build/x', ' build  '],
  ['./out/../lib', 'lib/a', 'out/a'],
  ['\ufefflogs', 'logs/a', 'log'],
  ['**', 'anything/at/all', ''],
  ['[', '[', 'x'],
];

test.each(cases)('%j leaves out %s and keeps %s', (file, ignored, kept) => {
  const isIgnored = compileDockerIgnore(file);
  expect(isIgnored(ignored)).toBe(true);
  if (kept !== '') expect(isIgnored(kept)).toBe(false);
});

test('a comment and an empty line leave out nothing', () => {
  const isIgnored = compileDockerIgnore('# src\n\n!\n   \n');
  expect(['src', '# src', '!', ''].map(isIgnored)).toEqual([false, false, false, false]);
});

test('G16 patterns made to backtrack cost their length', () => {
  const isIgnored = compileDockerIgnore(`${'**/a*'.repeat(40)}x\n${'*a'.repeat(60)}b`);
  expect(isIgnored(`${'a/'.repeat(300)}${'a'.repeat(250)}`)).toBe(false);
});
