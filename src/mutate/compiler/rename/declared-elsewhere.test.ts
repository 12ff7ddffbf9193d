import { afterAll, describe, expect, test } from 'vitest';
import { closePrograms } from '../../../../test/support/open-programs.ts';
import { askedAbout, openRename } from '../../../../test/support/rename-world.ts';
import { findAmbientNames } from './declared-elsewhere.ts';

afterAll(closePrograms);

const m = 'export {};\n';

describe('M9 what is only declared here', () => {
  test.each([
    ['a constant', { 'a.d.ts': 'declare const «a»: string;', 'u.ts': 'console.log(a);' }],
    ['a function in code', { 'a.ts': `${m}declare function «a»(): void; a();` }],
    ['a member of a class', { 'a.ts': `${m}declare class C { «a»(): void } new C().a();` }],
    ['a key of a constant', { 'a.ts': `${m}declare const c: { «a»: number }; c.a;` }],
    ['a name of a namespace', { 'a.d.ts': 'declare namespace N { const «a»: number }' }],
    ['a member of a global type', { 'a.ts': `${m}declare global { interface Array<T> { «a»(): T } } [1].a();` }],
    ['a type of the library that a script adds to', { 'a.d.ts': 'interface Array<T> { «a»(): T }' }],
    ['the environment', { 'a.d.ts': 'declare namespace NodeJS { interface ProcessEnv { «a»?: string } }' }],
    ['a module without types', { 'a.d.ts': 'declare module "ext" { export interface R { «a»: 1 } }' }],
    ['a type that a declared function gives', { 'a.d.ts': 'export interface R { «a»: 1 } export function f(): R;' }],
    [
      'a type by way of another',
      { 'a.d.ts': 'export interface R { «a»: 1 } export interface W { r: R[] } export const w: W;' },
    ],
    ['an export of a declaration file', { 'a.d.ts': 'export declare class «a» {}' }],
    [
      'a type of a script that something adds to',
      {
        'm.js': 'export const f = () => ({ a: 1 });',
        'm.d.ts': 'export interface O { x: 1 } export function f(): O;',
        'a.ts': 'import "./m.js"; declare module "./m.js" { interface O { «a»: 1 } }',
      },
    ],
    [
      'what a class extends, beside types',
      { 'a.ts': `${m}declare class «a»<T> { x: T } export class C extends a<a<1>> {}` },
    ],
    [
      'what a class extends by what something gives',
      { 'a.ts': `${m}declare const «a»: new () => object; export class C extends (a) {}` },
    ],
    [
      'what decorators may be told',
      {
        'a.ts': `${m}declare class «a» {} declare const d: any; export class C { @d x: a = d; }`,
      },
    ],
    ['what is exported', { 'a.ts': `${m}declare class «a» {} export { a };` }],
    [
      'what is imported elsewhere',
      { 'a.ts': 'export declare class «a» {}', 'u.ts': "import { a } from './a.js'; new a();" },
    ],
    ['a field of a class that something else sets', { 'a.ts': 'export class C { declare «a»: number }' }],
  ])('M9 %s', (_, files) => {
    const path = Object.keys(files).find((one) => one.startsWith('a.')) ?? '';
    expect(askedAbout('ambient_name', files)).toEqual([`${path}: a`]);
  });

  test.each([
    ['code has it', { 'a.ts': 'export const «a» = 1;' }],
    ['a type of a declaration file without values', { 'a.d.ts': 'export interface R { «a»: 1 }' }],
    ['a type that no value of the file has', { 'a.d.ts': 'export interface R { «a»: 1 } export const x: number;' }],
    ['the name of a type', { 'a.d.ts': 'export interface «a» { x: 1 } export const x: a;' }],
    ['a parameter', { 'a.d.ts': 'export function f(«a»: string): void;' }],
    ['code sets the global', { 'a.ts': `${m}declare global { var «a»: number } globalThis.a = 1;` }],
    ['code sets the field', { 'a.ts': 'export class C { declare «a»: number; constructor() { this.a = 1; } }' }],
    [
      'a module of the repository',
      {
        'm.ts': 'export interface O { x: 1 }',
        'a.ts': 'import "./m.js"; declare module "./m.js" { interface O { «a»: 1 } }',
      },
    ],
    [
      'types alone say a name of a namespace',
      { 'a.ts': 'declare namespace N { var «a»: number }\ndeclare module "m" { export = N; }\nlet x: typeof N.a;' },
    ],
    [
      'types alone say a class of a module',
      {
        'a.ts':
          'declare module "m" { export class «a» {} }\ndeclare module "n" { import { a } from "m"; export function f(x: a): void; }',
      },
    ],
    ['a class implements it', { 'a.ts': `${m}declare class «a» {} export class C implements a {} /** {@link a} */` }],
    ['a private name', { 'a.ts': 'export class C { «#a» = 1; }' }],
  ])('M9 not where %s', (_, files) => {
    expect(askedAbout('ambient_name', files, JSON.stringify(files).includes('#') ? '#b' : 'b')).toEqual([]);
  });

  test('M9 the question says what defines it', () => {
    const says = (files: Readonly<Record<string, string>>) => findAmbientNames(openRename(files, 'b'))[0]?.detail;
    const styles = { 'a.css': '.a {}', 'a.css.d.ts': 'declare const s: { readonly «a»: string }; export default s;' };
    expect(says(styles)).toContain('a.css defines it');
    expect(says({ 'l.js': 'export const a = 1;', 'l.d.ts': 'export const «a»: number;' })).toContain('l.js defines it');
    expect(says({ 'a.d.ts': 'declare module "ext" { export const «a»: 1 }' })).toContain("the module 'ext' defines it");
    expect(says({ 'a.d.ts': 'interface ImportMetaEnv { «a»: string }' })).toContain('the environment');
  });
});
