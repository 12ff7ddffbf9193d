import { expect, test } from 'vitest';
import { discoveryWorldOf, emptyFiles } from '../../../test/support/discovery-world.ts';
import discoverPython from './python-projects.ts';

test('every file belongs to the nearest project, and what is in none to the root', () => {
  const world = discoveryWorldOf({
    ...emptyFiles('tool.py', 'a/main.py', 'a/main.pyi', 'a/sub/deep.py', 'a/nested/x.py', 'b/y.py', 'b/notes.txt'),
    'a/pyproject.toml': '[project]\nname = "acme-a"\nversion = "1.2"\n',
    'a/nested/setup.py': 'from setuptools import setup\n',
    'b/setup.cfg': '[metadata]\nname = acme-b\nversion = attr: b.__version__\n\n[options]\nname = other\n',
  });
  const contexts = discoverPython(world);
  expect(Object.fromEntries(contexts.map(({ key, members }) => [key, members]))).toEqual({
    'python:.': ['tool.py'],
    'python:a': ['a/main.py', 'a/main.pyi', 'a/sub/deep.py'],
    'python:a/nested': ['a/nested/setup.py', 'a/nested/x.py'],
    'python:b': ['b/y.py'],
  });
  expect(Object.fromEntries(contexts.map(({ key, configPath, config }) => [key, [configPath, config.name]]))).toEqual({
    'python:.': [null, undefined],
    'python:a': ['a/pyproject.toml', 'acme-a'],
    'python:a/nested': ['a/nested/setup.py', undefined],
    'python:b': ['b/setup.cfg', 'acme-b'],
  });
});

test('source directories are those that exist', () => {
  const world = discoveryWorldOf({
    ...emptyFiles('p/src/acme/x.py', 'p/lib/other.py'),
    'p/pyproject.toml': '[tool.setuptools.packages.find]\nwhere = ["lib", "gone"]\n',
  });
  expect(discoverPython(world)[0]?.config).toEqual({ extraPaths: ['p/lib', 'p/src', 'p'] });
});

test('manifests, lockfiles above and the type checker’s own configuration decide the configuration; sources do not', () => {
  const files = {
    ...emptyFiles('p/x.py', 'q/y.py'),
    'p/pyproject.toml': '',
    'uv.lock': '1',
    'p/pyrightconfig.json': '{}',
  };
  const inputsOf = (more: Record<string, string>) => {
    const context = discoverPython(discoveryWorldOf({ ...files, ...more })).find(({ key }) => key === 'python:p');
    return JSON.stringify(context?.configInputs);
  };
  const before = inputsOf({});
  for (const path of ['p/pyproject.toml', 'uv.lock', 'p/pyrightconfig.json', 'p/setup.cfg', 'p/poetry.lock']) {
    expect(inputsOf({ [path]: '# 2' })).not.toBe(before);
  }
  expect(inputsOf({ 'p/x.py': 'x = 1', 'p/new.py': '', 'q/pyproject.toml': '' })).toBe(before);
});

test('a repository without Python has no context, and a broken manifest is still a project', () => {
  expect(discoverPython(discoveryWorldOf({ 'pyproject.toml': '', 'a.go': '' }))).toEqual([]);
  const broken = discoveryWorldOf({ 'p/pyproject.toml': '[[[', 'p/a.py': '' });
  expect(discoverPython(broken)).toMatchObject([{ key: 'python:p', problem: null }]);
});
