import { expect, test } from 'vitest';
import type { JsonObject } from '../../kernel/base/json.ts';
import { listOutputArtifacts } from './node-packages.ts';

const of = (manifest: JsonObject, options: JsonObject = {}, directory = '.') =>
  listOutputArtifacts([{ directory, manifest }], options);

test("the compiler's directories and file", () => {
  expect(of({}, { outDir: 'lib', declarationDir: 'types/', outFile: 'all.js' })).toEqual(['all.js', 'lib/', 'types/']);
});

test('entry points count when they lie in an output directory, conventional or the compiler’s', () => {
  expect(of({ main: './dist/index.js', module: 'src/index.js', types: 'lib/x.d.ts' }, { outDir: 'lib' })).toEqual([
    'dist/index.js',
    'lib/',
    'lib/x.d.ts',
  ]);
  expect(
    of({ exports: { '.': { import: './dist/a.mjs', require: ['./dist/a.cjs'] }, './x/*': './dist/x/*.js' } }),
  ).toEqual(['dist/a.cjs', 'dist/a.mjs']);
});

test('published folders in their three spellings are one', () => {
  expect(of({ files: ['dist', './dist/', 'dist/**', 'dist/**/*', 'build/*.js', 'README.md', '!dist/x'] })).toEqual([
    'dist/',
  ]);
});

test('members are root-relative, and nothing leaves the root', () => {
  expect(of({ main: 'dist/a.js' }, {}, 'packages/a')).toEqual(['packages/a/dist/a.js']);
  expect(of({ main: '../../dist/a.js' }, { outDir: '../out' })).toEqual([]);
  expect(of({ main: '../../dist/a.js', bin: '/dist/x' }, {}, 'packages/a')).toEqual(['packages/a/dist/x']);
  expect(of({}, { outDir: '.' })).toEqual([]);
});
