import { expect, test } from 'vitest';
import { worldOf } from '../../../test/support/resolve-world.ts';
import { listScipProjects } from './scip-projects.ts';

function list(files: Readonly<Record<string, string>>, extra: readonly string[] = []) {
  const sources = Object.keys(files)
    .filter((path) => /\.[cm]?tsx?$/.test(path))
    .sort();
  const { projects, missing } = listScipProjects(worldOf(files), sources, extra);
  return { projects: projects.map(({ path, files: own }) => [path, [...own].sort()]), missing };
}

test('projects that reference each other are each given once, and a solution that only references is none', () => {
  expect(
    list({
      'tsconfig.json': '{"files":[],"references":[{"path":"a"},{"path":"b"}]}',
      'a/tsconfig.json': '{"references":[{"path":"../b"}]}',
      'a/x.ts': '',
      'b/tsconfig.json': '{"references":[{"path":"../a"}]}',
      'b/y.ts': '',
    }).projects,
  ).toEqual([
    ['a', ['a/x.ts']],
    ['b', ['b/y.ts']],
  ]);
});

test('a configuration of another name is given where it means files that no tsconfig.json does', () => {
  const files = {
    'tsconfig.json': '{"include":["src"],"exclude":["src/*.test.ts"]}',
    'tsconfig.build.json': '{"extends":"./tsconfig.json","include":["src/a.ts"]}',
    'tsconfig.test.json': '{"include":["src"]}',
    'src/a.ts': '',
    'src/a.test.ts': '',
  };
  expect(list(files).projects).toEqual([
    ['.', ['src/a.ts']],
    ['tsconfig.test.json', ['src/a.test.ts', 'src/a.ts']],
  ]);
});

test('what the configuration adds is given; what is outside of the repository or not there is named', () => {
  const files = {
    'tsconfig.json': '{"include":["src"]}',
    'src/a.ts': '',
    'tools/tsconfig.lint.json': '{"include":["."]}',
    'tools/b.ts': '',
  };
  const extra = ['tools/tsconfig.lint.json', '../other', '/etc', './src/', '**'];
  expect(list(files, extra)).toEqual({
    projects: [
      ['.', ['src/a.ts']],
      ['tools/tsconfig.lint.json', ['tools/b.ts']],
    ],
    missing: ['../other', '/etc', './src/', '**'],
  });
});

test('without any configuration all files are one project; without files there is none', () => {
  expect(list({ 'a.ts': '', 'b/c.mts': '' }).projects).toEqual([['.', ['a.ts', 'b/c.mts']]]);
  expect(list({ 'a.js': '' }).projects).toEqual([]);
});

test('a project that is given as it is and leads to bases without an end is not given', () => {
  const reference = '"references":[{"path":"../circle"}]';
  const files = {
    'circle/tsconfig.json': '{"extends":"./other.json"}',
    'circle/other.json': '{"extends":"./tsconfig.json"}',
    'circle/a.ts': '',
    'direct/tsconfig.json': `{"compilerOptions":{"outDir":"\${configDir}/dist"},${reference}}`,
    'direct/b.ts': '',
    'rendered/tsconfig.json': `{${reference}}`,
    'rendered/c.ts': '',
  };
  const { projects } = listScipProjects(worldOf(files), ['circle/a.ts', 'direct/b.ts', 'rendered/c.ts'], []);
  expect(projects.map(({ path, isUnusable, problem }) => [path, isUnusable, problem])).toEqual([
    ['circle', true, 'circle/other.json extends "./tsconfig.json", which extends it in turn'],
    ['direct', true, 'direct/tsconfig.json references "circle/tsconfig.json", which leads to bases without an end'],
    ['rendered', false, null],
  ]);
});
