import { expect, test } from 'vitest';
import { countLanguages, listPackageRoots } from './gather-language-detection.ts';

const none = new Map<string, string>();

test('primary is most files, then most bytes, then the name; data languages never are', () => {
  const rank = (...files: [string, number][]) =>
    countLanguages(
      files.map(([path, bytes]) => ({ path, bytes })),
      none,
    ).ranked;
  expect(rank(['a.py', 1], ['b.py', 1], ['c.go', 900])).toEqual(['python', 'go']);
  expect(rank(['a.py', 1], ['c.go', 900])).toEqual(['go', 'python']);
  expect(rank(['a.py', 1], ['c.go', 1])).toEqual(['go', 'python']);
  expect(
    rank(['a.json', 1], ['b.yaml', 1], ['c.sql', 1], ['d.html', 1], ['e.css', 1], ['f.md', 1], ['g.toml', 1]),
  ).toEqual([]);
});

test('what is vendored or generated is counted apart and is no test', () => {
  const files = ['vendor/a.test.js', 'b.min.js', 'yarn.lock', 'c.js', 'c.test.js'].map((path) => ({ path, bytes: 2 }));
  const found = countLanguages(files, none);
  expect([
    found.generatedOrVendored,
    found.testFiles,
    found.counts.get('javascript'),
    found.bytes.get('javascript'),
  ]).toEqual([3, 1, 2, 4]);
});

test('roots are directories with a marker, each kind once, vendored ones left out', () => {
  const paths = ['a/setup.py', 'a/pyproject.toml', 'b/x.csproj', 'package.json', 'vendor/c/go.mod', 'my-package.json'];
  expect(listPackageRoots(paths)).toEqual([
    { path: '.', kind: 'node' },
    { path: 'a', kind: 'python' },
    { path: 'b', kind: 'dotnet' },
  ]);
});
