import { expect, test } from 'vitest';
import { answerOf, filesOf, resolveIn } from '../../../test/support/check-resolve.ts';
import createGoResolve from './go-resolve.ts';

/** As `go list` answers for the same tree. */
const workspace = {
  ...filesOf('a/x/x.go', 'a/x/x_linux.go', 'a/x/x_test.go', 'a/x/_skip.go', 'a/x/notes.md', 'a/internal/y/y.go'),
  ...filesOf('a/nested/p/p.go', 'b/z/z.go', 'c/q/q.go', 'd/r.go', 'a/vendor/ex.org/v/sub/v.go'),
  'go.work': 'go 1.22\n\nuse (\n\t./a // ours\n\t"./b"\n)\nreplace ex.com/gone => ../elsewhere\n',
  'a/go.mod': 'module ex.com/a\nrequire (\n\tex.com/c v1.0.0\n\tex.org/lib v1.0.0\n)\nreplace ex.com/c => ../c\n',
  'a/nested/go.mod': 'module ex.com/a/nested\n',
  'b/go.mod': 'module ex.com/b\n',
  'c/go.mod': 'module ex.com/c\n',
  'd/go.mod': 'module ex.com/d\n',
};

test.each([
  ['a/main.go', 'ex.com/a/x', 'a/x/x.go a/x/x_linux.go'],
  ['a/main.go', 'ex.com/a/internal/y', 'a/internal/y/y.go'],
  ['b/z/z.go', 'ex.com/a/internal/y', 'not_found'],
  ['a/main.go', 'ex.com/a/none', 'not_found'],
  ['a/main.go', 'ex.com/a/nested/p', 'external ex.com/a/nested/p'],
  ['a/main.go', 'ex.com/b/z', 'b/z/z.go'],
  ['a/main.go', 'ex.com/c/q', 'c/q/q.go'],
  ['b/z/z.go', 'ex.com/c/q', 'c/q/q.go'],
  ['a/main.go', 'ex.com/d', 'external ex.com/d'],
  ['d/main.go', 'ex.com/a/x', 'external ex.com/a/x'],
  ['d/main.go', 'ex.com/d', 'd/main.go d/r.go'],
  ['a/main.go', 'ex.com/gone/x', 'outside_root ex.com/gone'],
  ['a/main.go', 'ex.org/lib/deep/pkg', 'external ex.org/lib'],
  ['a/main.go', 'ex.org/v/sub', 'a/vendor/ex.org/v/sub/v.go'],
  ['a/main.go', 'ex.com/abc', 'external ex.com/abc'],
  ['a/main.go', 'fmt', 'external fmt'],
  ['a/main.go', 'C', 'external C'],
  ['a/main.go', './x', 'a/x/x.go a/x/x_linux.go'],
  ['a/main.go', '../../x', 'outside_root'],
])('S4: %s imports %s: %s', (from, specifier, answer) => {
  expect(answerOf(createGoResolve, { files: workspace }, from, specifier)).toBe(answer);
});

test('S4: a package is one candidate: its directory', () => {
  const at = (specifier: string) => resolveIn(createGoResolve, { files: workspace }, 'a/main.go', specifier).candidates;
  expect(at('ex.com/a/x')).toEqual(['a/x/']);
  expect(at('ex.org/lib/pkg')).toEqual(['a/vendor/ex.org/lib/pkg/']);
  expect(at('fmt')).toEqual([]);
});

test('S4: the root package, modules whose path has no dot, and files of no module', () => {
  const files = { ...filesOf('main.go', 'pkg/a.go'), 'go.mod': 'module shop\n' };
  expect(answerOf(createGoResolve, { files }, 'pkg/a.go', 'shop')).toBe('main.go');
  expect(answerOf(createGoResolve, { files }, 'main.go', 'shop/pkg')).toBe('pkg/a.go');
  expect(answerOf(createGoResolve, { files: filesOf('pkg/a.go') }, 'main.go', 'shop/pkg')).toBe('external shop/pkg');
});
