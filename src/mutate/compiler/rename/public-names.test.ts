import { afterAll, describe, expect, test } from 'vitest';
import { closePrograms, renderConfig } from '../../../../test/support/open-programs.ts';
import { openRename } from '../../../../test/support/rename-world.ts';
import { findPublicExports, listEntryFiles } from './public-names.ts';

afterAll(closePrograms);

function publicPlaces(files: Readonly<Record<string, string>>, configs?: readonly string[]): readonly string[] {
  return findPublicExports(openRename(files, 'b', 'through', configs)).map(
    ({ path, start, end }) => `${path}:${start}-${end}`,
  );
}

const manifest = { 'package.json': '{"name":"x","exports":"./src/index.ts"}' };
const a = 'export const «a» = 1;';

describe('M9 public names', () => {
  test('M9 what the entry declares', () => {
    expect(publicPlaces({ ...manifest, 'src/index.ts': a })).toEqual(['src/index.ts:13-14']);
  });

  test('M9 what the entry exports from elsewhere is told at the entry, or where `export *` finds it', () => {
    expect(publicPlaces({ ...manifest, 'src/a.ts': a, 'src/index.ts': "export { a } from './a.js';" })).toEqual([
      'src/index.ts:9-10',
    ]);
    expect(publicPlaces({ ...manifest, 'src/a.ts': a, 'src/index.ts': "export * from './a.js';" })).toEqual([
      'src/a.ts:13-14',
    ]);
  });

  test('M9 under another name it is not this one that is public', () => {
    expect(publicPlaces({ ...manifest, 'src/a.ts': a, 'src/index.ts': "export { a as c } from './a.js';" })).toEqual(
      [],
    );
  });

  test('M9 what users reach through a namespace that the entry exports', () => {
    const of = (index: string, source = a) => publicPlaces({ ...manifest, 'src/a.ts': source, 'src/index.ts': index });
    const told = ['src/a.ts:13-14'];
    expect(of("import * as m from './a.js';\nexport { m };")).toEqual(told);
    expect(of("export * as m from './a.js';")).toEqual(told);
    expect(of("import * as m from './a.js';\nexport default m;")).toEqual(told);
    expect(of("import * as m from './a.js';\nexport const c = m;")).toEqual(told);
    expect(of("import * as m from './a.js';\nexport default { b: { m } };")).toEqual(told);
    expect(of("export * from './a.js';", 'export namespace N { export const «a» = 1; }')).toEqual(['src/a.ts:34-35']);
    expect(of("export * as m from './a.js';", 'export interface I { «a»: 1 }')).toEqual(['src/a.ts:21-22']);
    expect(of("import * as m from './a.js';\nexport const c = m.a;")).toEqual([]);
    expect(of("import * as m from './a.js';\nexport const c = { a: m.a };")).toEqual([]);
    expect(of("export * as m from './a.js';", 'const «a» = 1;\nexport { a as c };')).toEqual([]);
  });

  test('M9 an entry that leads to no source may show whatever a module exports', () => {
    const built = { 'package.json': '{"exports":{".":{"import":"./lib/esm/main.mjs"}}}', 'src/main.ts': 'export {};' };
    expect(publicPlaces({ ...built, 'src/a.ts': a })).toEqual(['src/a.ts:13-14']);
    expect(publicPlaces({ 'package.json': '{"bin":"./lib/esm/main.mjs"}', 'src/a.ts': a })).toEqual([]);
  });

  test('M9 one of several entries that leads to no source may show whatever a module exports', () => {
    const of = (exports: string) =>
      publicPlaces({ 'package.json': `{"exports":${exports}}`, 'src/a.ts': a, 'src/index.ts': 'export {};' });
    const told = ['src/a.ts:13-14'];
    expect(of('{".":"./dist/index.js","./a":"./dist/cjs/a.js"}')).toEqual(told);
    expect(of('{".":"./dist/cjs/index.js","./a":"./dist/cjs/a.js"}')).toEqual(told);
    expect(of('{".":"./dist/index.js","./parts/*":"./build/out/*.js"}')).toEqual(told);
    expect(of('{".":{"import":"./dist/index.js","require":"./dist/cjs/index.js"}}')).toEqual([]);
    expect(of('{".":"./dist/index.js","./package.json":"./package.json","./a.css":"./a.css","./b":null}')).toEqual([]);
  });

  test('M9 members of a type that the entry exports, told once', () => {
    const shown = { ...manifest, 'src/index.ts': "export { C as D, type I, type T } from './a.js';" };
    const of = (source: string) => publicPlaces({ ...shown, 'src/a.ts': source });
    const rest = 'export interface I {} export type T = {};';
    expect(of(`export class C { «a» = 1; x = this.a } ${rest}`)).toEqual(['src/a.ts:17-18']);
    expect(of('export class C {} export interface I { «a»: 1 } export type T = {};')).toEqual(['src/a.ts:39-40']);
    expect(of('export class C {} export interface I {} export type T = { «a»: 1 };')).toEqual(['src/a.ts:58-59']);
    expect(of(`export class C { private «a» = 1; x = this.a } ${rest}`)).toEqual([]);
    expect(of(`export class C {} export class Hidden { «a» = 1 } ${rest}`)).toEqual([]);
  });

  test('M9 members of types that users reach without their name', () => {
    const of = (source: string, index: string) =>
      publicPlaces({ ...manifest, 'src/a.ts': source, 'src/index.ts': `import * as m from './a.js';\n${index}` });
    const type = 'export interface O { «a»: 1 }\nexport const o: O = { a: 1 };\nexport interface P { o: O[] }';
    const told = ['src/a.ts:21-22'];
    expect(of(type, 'export function f(o: m.O) {}')).toEqual(told);
    expect(of(type, 'export const f = async () => [m.o];')).toEqual(told);
    expect(of(type, 'export class C { constructor(readonly p: m.P) {} }')).toEqual(told);
    expect(of(type, 'export class C { on(f: (p: Partial<m.P>) => void) {} }')).toEqual(told);
    expect(of(type, 'export default { f: (o: Map<string, m.P>) => 1 };')).toEqual(told);
    expect(
      of(type, 'export class C { private p?: m.P; #o = m.o; f() { return this.p?.o.length ?? this.#o.a; } }'),
    ).toEqual([]);
    expect(of(type, 'export function f() { return m.o.a; }')).toEqual([]);
    expect(of('export class K { private «a» = 1; b = this.a }', 'export const k = new m.K();')).toEqual([]);
    expect(of('export const o = { «a»: 1 };', 'export const shown = m.o;')).toEqual(['src/a.ts:19-20']);
  });

  test('M9 an entry with more types than are looked at shows those that a chain of mentions leads to', () => {
    const many = Array.from({ length: 3_100 }, (_, at) => `m${at}: { own${at}: ${at} }`).join('; ');
    const large = { ...manifest, 'src/large.ts': `export interface Large { ${many} }` };
    const of = (index: string) =>
      publicPlaces({
        ...large,
        'src/a.ts': 'export interface O { «a»: 1 }\nexport const o: O = { a: 1 };\nexport const read = (): 1 => o.a;',
        'src/index.ts': `import type { Large } from './large.js';\nimport { o, read } from './a.js';\n${index}`,
      });
    expect(of('export const f = (large: Large): number => read() + o.a + large.m1.own1;')).toEqual([]);
    expect(of('export const f = (large: Large) => ({ large, o });')).toEqual(['src/a.ts:21-22']);
  });

  test('M9 not reachable, no manifest, a private package', () => {
    expect(publicPlaces({ ...manifest, 'src/a.ts': a, 'src/index.ts': 'export {};' })).toEqual([]);
    expect(publicPlaces({ 'src/index.ts': a })).toEqual([]);
    expect(publicPlaces({ 'package.json': '{"private":true,"exports":"./src/index.ts"}', 'src/index.ts': a })).toEqual(
      [],
    );
  });

  test('M9 the nearest manifest decides', () => {
    const files = {
      ...manifest,
      'p/package.json': '{"private":true}',
      'p/index.ts': a,
      'src/index.ts': "export * from '../p/index.js';",
    };
    expect(publicPlaces(files)).toEqual([]);
  });

  test('M9 a build output leads back to its source', () => {
    const files = {
      'package.json': '{"main":"./out/index.js","types":"./out/index.d.ts"}',
      'tsconfig.json': renderConfig({ noEmit: false, outDir: 'out', rootDir: 'code' }),
      'code/index.ts': a,
    };
    expect(publicPlaces(files)).toEqual(['code/index.ts:13-14']);
  });

  test('M9 a member, where only another configuration knows what the build reads', () => {
    const files = {
      'package.json': '{"main":"./out/index.js","types":"./out/index.d.ts"}',
      'tsconfig.json': renderConfig({ noEmit: true }),
      'tsconfig.dist.json': renderConfig({ noEmit: false, outDir: 'out', rootDir: 'code' }),
      'code/a.ts': 'export type T = { «a»?: 1 };',
      'code/index.ts': "export type { T } from './a.js';",
    };
    expect(publicPlaces(files, ['tsconfig.json', 'tsconfig.dist.json'])).toEqual(['code/a.ts:18-19']);
  });
});

describe('M9 entry files', () => {
  const files = [
    'index.ts',
    'src/index.ts',
    'src/cli.ts',
    'src/sub/x.ts',
    'src/sub/y.tsx',
    'lib/util.js',
    'other/index.ts',
  ];
  const build = { outDirs: [], rootDir: undefined };
  const entries = (fields: object, directory = ''): readonly string[] =>
    [...listEntryFiles({ directory, fields: fields as Record<string, unknown> }, files, build).values()].flat();

  test.each([
    [{ main: 'dist/index.js' }, ['index.ts', 'src/index.ts']],
    [{ exports: { '.': { import: { types: './dist/index.d.ts' } } } }, ['index.ts', 'src/index.ts']],
    [{ bin: { x: './dist/cli.js' } }, ['src/cli.ts']],
    [{ bin: 'src/cli.ts' }, ['src/cli.ts']],
    [{ exports: { './sub/*': './dist/sub/*.js' } }, ['src/sub/x.ts', 'src/sub/y.tsx']],
    [{ main: './lib/util' }, ['lib/util.js']],
    [{ main: 'src' }, ['src/index.ts']],
    [{}, ['index.ts', 'src/index.ts']],
    [{ main: '../../etc/passwd' }, ['index.ts', 'src/index.ts']],
    [{ exports: { '.': null, './a': [null, 3] } }, ['index.ts', 'src/index.ts']],
  ])('M9 %j names %j', (fields, expected) => {
    expect(entries(fields)).toEqual(expected);
  });

  test('M9 only files of the package', () => {
    expect(entries({ main: '../src/index.ts' }, 'other')).toEqual(['other/index.ts']);
  });
});
