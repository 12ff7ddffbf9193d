import { expect, test } from 'vitest';
import { discoveryWorldOf, emptyFiles } from '../../../test/support/discovery-world.ts';
import discoverGo from './go-projects.ts';

const moduleOf = (path: string): string => `module ${path}\n\ngo 1.22\n`;

test('a workspace is one context with the modules it uses; every other module is its own', () => {
  const world = discoveryWorldOf({
    ...emptyFiles('a/a.go', 'a/in/b.go', 'b/b.go', 'c/c.go', 'stray.go'),
    'go.work': 'go 1.22\n\nuse (\n\t./a\n\t./b\n\t./gone\n)\n',
    'a/go.mod': moduleOf('acme.io/a'),
    'b/go.mod': moduleOf('acme.io/b'),
    'c/go.mod': moduleOf('acme.io/c'),
  });
  expect(discoverGo(world)).toMatchObject([
    {
      key: 'go:go.work',
      root: '',
      members: ['a/a.go', 'a/in/b.go', 'b/b.go'],
      config: {
        work: 'go.work',
        modules: [
          { dir: 'a', path: 'acme.io/a' },
          { dir: 'b', path: 'acme.io/b' },
        ],
      },
    },
    { key: 'go:c/go.mod', root: 'c', members: ['c/c.go'], config: { work: null, module: 'acme.io/c' } },
  ]);
});

test('a nested module is not part of the one around it', () => {
  const world = discoveryWorldOf({
    ...emptyFiles('a.go', 'in/b.go', 'in/deep/c.go'),
    'go.mod': moduleOf('acme.io/a'),
    'in/go.mod': moduleOf('acme.io/in'),
  });
  expect(discoverGo(world).map(({ key, members }) => [key, members])).toEqual([
    ['go:go.mod', ['a.go']],
    ['go:in/go.mod', ['in/b.go', 'in/deep/c.go']],
  ]);
});

test('what `./...` passes over is no member', () => {
  const world = discoveryWorldOf({
    ...emptyFiles('a.go', 'a_test.go', '_x.go', '.y.go', 'vendor/v/v.go', 'in/testdata/t.go', '_old/o.go', '.h/h.go'),
    'go.mod': moduleOf('acme.io/a'),
  });
  expect(discoverGo(world)[0]?.members).toEqual(['a.go', 'a_test.go']);
});

test('module files, sums, the workspace and replaced modules here decide the configuration', () => {
  const files = {
    ...emptyFiles('a/a.go', 'lib/l.go', 'other/o.go'),
    'a/go.mod': `${moduleOf('acme.io/a')}\nreplace acme.io/lib => ../lib\n`,
    'lib/go.mod': moduleOf('acme.io/lib'),
    'other/go.mod': moduleOf('acme.io/other'),
  };
  const inputsOf = (more: Record<string, string>) => {
    const context = discoverGo(discoveryWorldOf({ ...files, ...more })).find(({ key }) => key === 'go:a/go.mod');
    return JSON.stringify(context?.configInputs);
  };
  const before = inputsOf({});
  for (const path of ['a/go.sum', 'lib/go.sum']) expect(inputsOf({ [path]: 'h1:x' })).not.toBe(before);
  expect(inputsOf({ 'lib/go.mod': `${moduleOf('acme.io/lib')}// 2` })).not.toBe(before);
  expect(inputsOf({ 'other/go.mod': moduleOf('acme.io/else'), 'a/a.go': 'package a' })).toBe(before);
});

test('a module file that cannot be read is a problem with its name', () => {
  const world = discoveryWorldOf({ 'a/go.mod': 'require (\n', 'a/a.go': '' });
  expect(discoverGo(world)).toMatchObject([{ key: 'go:a/go.mod', problem: expect.stringContaining('a/go.mod') }]);
});
