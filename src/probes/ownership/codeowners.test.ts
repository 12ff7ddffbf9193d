import { expect, test } from 'vitest';
import { matchesPath, measureCoverage, parseCodeowners, parsePathPattern } from './codeowners.ts';

function matched(pattern: string, paths: readonly string[]): string[] {
  const parsed = parsePathPattern(pattern);
  return parsed === undefined ? ['invalid'] : paths.filter((path) => matchesPath(parsed, path.split('/')));
}

const tree = ['README.md', 'apps/a.js', 'docs/a.md', 'docs/sub/b.md', 'src/apps/c.js', 'src/docs/d.md', 'src/x y/e.ts'];

test.each<readonly [string, readonly string[]]>([
  ['*', tree],
  ['*.js', ['apps/a.js', 'src/apps/c.js']],
  ['apps/', ['apps/a.js', 'src/apps/c.js']],
  ['/apps/', ['apps/a.js']],
  ['apps', ['apps/a.js', 'src/apps/c.js']],
  ['docs/*', ['docs/a.md']],
  ['/docs/', ['docs/a.md', 'docs/sub/b.md']],
  ['docs/sub', ['docs/sub/b.md']],
  ['**/docs', ['docs/a.md', 'docs/sub/b.md', 'src/docs/d.md']],
  ['src/**/d.md', ['src/docs/d.md']],
  ['src/**', ['src/apps/c.js', 'src/docs/d.md', 'src/x y/e.ts']],
  ['src/**/docs/**/d.md', ['src/docs/d.md']],
  ['/src/x\\ y/', ['src/x y/e.ts']],
  ['READM?.md', ['README.md']],
  ['/a.md', []],
  ['!docs', ['invalid']],
  ['docs/[a-z].md', ['invalid']],
  ['/', tree],
])('the pattern %s', (pattern, expected) => {
  expect(matched(pattern, tree)).toEqual(expected);
});

test('G16 stars cannot make matching explode, within a name or between them', () => {
  const name = 'a'.repeat(255);
  expect(matched(`${'*a'.repeat(5_000)}*b`, [name])).toEqual([]);
  const deep = `${'a/'.repeat(5_000)}c`;
  expect(matched(`${'**/a/'.repeat(500)}b`, [deep])).toEqual([]);
});

test('sections have default owners, and one name is one section; comments and escapes end where they should', () => {
  const { entries, problems } = parseCodeowners(
    '* @all # everyone\n\n[Docs][2] @docs\ndocs/\n/a\\ b @x me@example.com\n^[DOCS]\nREADME.md\n# end\n[ab]c @x\n/d nobody @y\n',
    'either',
  );
  expect(entries.map(({ pattern, owners, line, section }) => [pattern, owners, line, section])).toEqual([
    ['*', ['@all'], 1, null],
    ['docs/', ['@docs'], 4, 'Docs'],
    ['/a\\ b', ['@x', 'me@example.com'], 5, 'Docs'],
    ['README.md', [], 7, 'Docs'],
    ['/d', ['@y'], 10, 'Docs'],
  ]);
  expect(problems).toEqual([
    { kind: 'invalid_pattern', line: 9 },
    { kind: 'invalid_owner', line: 10 },
  ]);
});

test('on GitHub a section is an invalid pattern', () => {
  expect(parseCodeowners('[Docs]\n', 'github').problems).toEqual([{ kind: 'invalid_pattern', line: 1 }]);
});

async function covered(text: string, paths: readonly string[], forge: 'either' | 'gitlab' = 'either') {
  return measureCoverage(parseCodeowners(text, forge).entries, paths, new AbortController().signal);
}

test('the last matching pattern wins, with owners or without', async () => {
  const paths = ['a.ts', 'docs/a.md', 'docs/open/b.md', 'src/a.ts'];
  expect(await covered('* @a\n/docs/\n/docs/open @b\n', paths)).toEqual({
    files: 4,
    owned: 3,
    unowned_top_dirs: [],
  });
  expect(await covered('/docs/open @b\n/docs/\n*.ts @a\n', paths)).toEqual({
    files: 4,
    owned: 2,
    unowned_top_dirs: ['docs'],
  });
  expect(await covered('/src @a\n*.ts\n', paths)).toMatchObject({ owned: 0, unowned_top_dirs: ['docs', 'src'] });
  expect(await covered('', paths)).toMatchObject({ owned: 0 });
  expect(await covered('/ @a\n', paths)).toMatchObject({ owned: 4 });
});

test('each section gives owners of its own; an exclusion holds within its section', async () => {
  const paths = ['src/a.ts', 'src/b.ts'];
  expect(await covered('[A]\n* @a\n!/src/a.ts\n', paths, 'gitlab')).toMatchObject({ owned: 1 });
  expect(await covered('[A] @a\n/src\n[B]\n/src/a.ts\n', paths)).toMatchObject({ owned: 2 });
});

test('a cancelled measurement ends', async () => {
  const entries = parseCodeowners('*a*\n'.repeat(5_000), 'either').entries;
  const paths = Array.from({ length: 5_000 }, (_, n) => `b${n}`);
  await expect(measureCoverage(entries, paths, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
});
