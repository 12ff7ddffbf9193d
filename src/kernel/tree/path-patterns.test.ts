import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import {
  compileGlob,
  compileGlobs,
  expandBraces,
  type IgnoreRule,
  judgeEntry,
  judgeIgnore,
  parseIgnoreFile,
} from './path-patterns.ts';

const globCases: [glob: string, path: string, matches: boolean][] = [
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

test.each(globCases)('glob %s on %s is %s', (glob, path, matches) => {
  expect(compileGlobs([glob])(path)).toBe(matches);
});

test('braces nest, and too many alternatives are taken literally', () => {
  expect(expandBraces('a.{ts,{m,c}ts}').sort()).toEqual(['a.cts', 'a.mts', 'a.ts']);
  expect(expandBraces('{a}')).toEqual(['{a}']);
  expect(expandBraces('{a,b}'.repeat(12))).toHaveLength(1);
});

test('G40 any text compiles, and text without glob characters matches exactly itself', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (glob, path) => {
      expect(typeof compileGlobs([glob])(path)).toBe('boolean');
      const plain = glob.replace(/[*?[\]{}\\]/g, '');
      expect(compileGlobs([plain])(plain)).toBe(true);
    }),
  );
});

test('G16 repeated wildcards finish', () => {
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

test('G16 matches what a regular expression of the same meaning matches', () => {
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
])('G16 %s answers on the longest names and the deepest paths', (glob) => {
  const matches = compileGlobs([glob]);
  expect(matches('a'.repeat(255))).toBe(false);
  expect(matches(`${'a'.repeat(200)}/`.repeat(20))).toBe(false);
  expect(matches('a/'.repeat(2000))).toBe(false);
});

const ignoreCases: [lines: string, path: string, verdict: string][] = [
  ['*.log', 'a/b.log', 'ignored'],
  ['*.log\n!keep.log', 'a/keep.log', 'included'],
  ['dist', 'dist/a/b', 'ignored'],
  ['dist/', 'dist', 'neutral'],
  ['dist/', 'dist/', 'ignored'],
  ['dist/', 'dist/a', 'ignored'],
  ['/dist', 'a/dist', 'neutral'],
  ['a/b', 'x/a/b', 'neutral'],
  ['a/**', 'a/', 'neutral'],
  ['a/**', 'a/b/c', 'ignored'],
  ['**/x/y', 'a/x/y/z', 'ignored'],
  ['dist/\n!dist/types/**', 'dist/types/a.d.ts', 'included'],
  ['# x\n\\#x', '#x', 'ignored'],
  ['\\!x', '!x', 'ignored'],
  ['x\\ ', 'x ', 'ignored'],
  ['x  ', 'x', 'ignored'],
  ['x\r', 'x', 'ignored'],
  ['/', 'x', 'neutral'],
  ['[a', '[a', 'neutral'],
  [`${'a'.repeat(5000)}\nx`, 'x', 'ignored'],
];

test.each(ignoreCases)('F3: %j on %s is %s', (lines, path, verdict) => {
  expect(judgeIgnore(parseIgnoreFile(lines, ''), path)).toBe(verdict);
});

test('F3: rules of a nested file speak only for what is below it', () => {
  const rules = parseIgnoreFile('*.log\n/only\nx/y', 'a.b/c');
  expect(judgeIgnore(rules, 'a.b/c/d/e.log')).toBe('ignored');
  expect(judgeIgnore(rules, 'a.b/e.log')).toBe('neutral');
  expect(judgeIgnore(rules, 'aXb/c/e.log')).toBe('neutral');
  expect(judgeIgnore(rules, 'a.b/c/only')).toBe('ignored');
  expect(judgeIgnore(rules, 'a.b/c/d/only')).toBe('neutral');
  expect(judgeIgnore(rules, 'a.b/c/')).toBe('neutral');
});

test.each([
  ['!dist/types/**', '', 'dist/types'],
  ['!dist/types', '', 'dist'],
  ['!dist/ty*/x', '', 'dist'],
  ['!*.gen.ts', '', ''],
  ['!/x/*', 'sub', 'sub/x'],
])('F3: %s in "%s" reaches into %s', (line, directory, literal) => {
  expect(parseIgnoreFile(line, directory).map((rule) => rule.literalDirectory)).toEqual([literal]);
});

test('G16 hostile lines answer', () => {
  const rules = parseIgnoreFile(
    [`${'*a'.repeat(500)}b`, `${'**/a/'.repeat(300)}b`, '['.repeat(4000), `*[${'[:'.repeat(1000)}x]b`].join('\n'),
    '',
  );
  expect(judgeIgnore(rules, 'a'.repeat(255))).toBe('neutral');
  expect(judgeIgnore(rules, `${'a/'.repeat(2000)}a`)).toBe('neutral');
});

const name = fc.constantFrom('a', 'b', 'ab', 'c.x', '.d', 'b-', '[a]', 'a b');
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
const tokens = [
  'a',
  'b',
  'ab',
  'c.x',
  '.',
  '/',
  '/',
  '/',
  '*',
  '*',
  '**',
  '**/',
  '/**',
  '?',
  '[ab]',
  '[!a]',
  '[^b]',
  '[a-c]',
];
const oddTokens = ['[[:alpha:]]', '[]a]', '[z-a]', '[a', '\\a', '\\*', '\\[', '\\', ' ', '\\ ', '#', '!', '-'];
const line = fc
  .tuple(
    fc.constantFrom('', '', '', '!', '/'),
    fc.array(fc.constantFrom(...tokens, ...oddTokens), { minLength: 1, maxLength: 5 }),
    fc.constantFrom('', '', '/', ' '),
  )
  // Git 2.39 takes `a**/b` for `a` and `**/b`, against its own manual; only whole names of stars are compared.
  .map(([head, body, tail]) => `${head}${body.join('').replace(/(?<!^|\/)\*\*+|\*\*+(?!$|\/)/g, '*')}${tail}`);

/** Git's way down the tree: the first ignored directory decides for all below it. */
function isIgnored(rules: readonly IgnoreRule[], names: readonly string[], isDirectory: boolean): boolean {
  return names.some((_, index) => {
    const below = names.slice(0, index + 1).join('/');
    const isLast = index === names.length - 1;
    return judgeEntry(rules, isLast && !isDirectory ? below : `${below}/`) === 'ignored';
  });
}

test('F9: without git, random ignore files give the verdict that git gives', () => {
  const place = mkdtempSync(join(tmpdir(), 'ignore-'));
  try {
    const env = { PATH: process.env['PATH'], HOME: place, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
    const git = (root: string, args: readonly string[], input = '') =>
      spawnSync('git', [...args], { cwd: root, env, input, encoding: 'utf8' });
    let run = 0;
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 12 }),
        fc.array(line, { maxLength: 4 }),
        fc.uniqueArray(path, { minLength: 5, maxLength: 40 }),
        (lines, nestedLines, paths) => {
          run += 1;
          const root = join(place, String(run));
          mkdirSync(join(root, 'a'), { recursive: true });
          expect(git(root, ['init', '-q']).status).toBe(0);
          writeFileSync(join(root, '.gitignore'), lines.join('\n'));
          writeFileSync(join(root, 'a/.gitignore'), nestedLines.join('\n'));
          // A path that is also a directory of another one stays a directory.
          const files = paths.filter((one) => one !== 'a' && !paths.some((other) => other.startsWith(`${one}/`)));
          for (const file of files) {
            mkdirSync(dirname(join(root, file)), { recursive: true });
            writeFileSync(join(root, file), '');
          }
          const rules = [...parseIgnoreFile(lines.join('\n'), ''), ...parseIgnoreFile(nestedLines.join('\n'), 'a')];
          const asked = git(root, ['check-ignore', '-z', '--stdin'], files.map((file) => `${file}\0`).join(''));
          expect([0, 1]).toContain(asked.status);
          const byGit = new Set(asked.stdout.split('\0'));
          for (const file of files) {
            expect({ file, ignored: isIgnored(rules, file.split('/'), false) }).toEqual({
              file,
              ignored: byGit.has(file),
            });
          }
        },
      ),
      { numRuns: 30 },
    );
  } finally {
    rmSync(place, { recursive: true });
  }
});
