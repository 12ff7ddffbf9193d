import { afterAll, describe, expect, test } from 'vitest';
import { closePrograms, renderConfig } from '../../../../test/support/open-programs.ts';
import { askedAbout } from '../../../../test/support/rename-world.ts';

afterAll(closePrograms);

const asked = (files: Readonly<Record<string, string>>) => askedAbout('unknown_inherited', files);
const own = 'export class C { «a»() { return 1; } run() { return this.a(); } }\n';
const mixin = (member: string) =>
  `${own}type M = new (...x: any[]) => object;\nconst mix = <B extends M>(B: B) => class extends B { ${member} };\n`;

describe('M9 what may extend a class unseen', () => {
  test('M9 a mixin that has the new name', () => {
    expect(asked({ 'a.ts': `${mixin('b() { return 2; }')}export const D = mix(C);` })).toEqual(['a.ts: b']);
  });

  test('M9 a mixin that has the old name', () => {
    expect(asked({ 'a.ts': `${mixin('a() { return 2; }')}export const D = mix(C);` })).toEqual(['a.ts: a']);
  });

  test('M9 a class that extends anything', () => {
    const config = { 'tsconfig.json': renderConfig({ allowJs: true }) };
    const heir =
      "import { C } from './a.js';\n/** @type {any} */\nconst Base = C;\nexport class D extends Base { b() {} }";
    expect(asked({ ...config, 'a.ts': own, 'd.js': heir })).toContain('d.js: b');
  });

  test.each([
    ['a mixin with other members', `${mixin('c() { return 2; }')}export const D = mix(C);`],
    ['a mixin that the class is not given to', mixin('b() { return 2; }')],
    ['a static member', `${mixin('static b() { return 2; }')}export const D = mix(C);`],
  ])('M9 not %s', (_, source) => {
    expect(asked({ 'a.ts': source })).toEqual([]);
  });
});

describe('M9 what a package calls on the heirs of its class', () => {
  const pkg = (code: string) => ({
    'node_modules/pkg/package.json': '{"name":"pkg","types":"./index.d.ts","main":"index.js"}',
    'node_modules/pkg/index.d.ts': 'export declare class Base { go(): void }\n',
    'node_modules/pkg/index.js': code,
  });
  const heir = "import { Base } from 'pkg';\nexport class C extends Base { «a»() {} }";

  test.each([
    ['by the old name', 'exports.Base = class { go() { this.a?.(); } };', heir],
    ['by the new name', 'exports.Base = class { go() { this.b && this.b(); } };', heir],
    [
      'by way of another class',
      'exports.Base = class { go() { this.a(); } };',
      "import { Base } from 'pkg';\nclass B extends Base {}\nexport class C extends B { «a»() {} }",
    ],
  ])('M9 %s', (_, code, source) => {
    expect(asked({ ...pkg(code), 'a.ts': source })).toHaveLength(1);
  });

  test('M9 not by other names, nor by code that has no such class', () => {
    expect(asked({ ...pkg('exports.Base = class { go() { this.c(); x.a(); } };'), 'a.ts': heir })).toEqual([]);
    expect(asked({ ...pkg('exports.Other = class { go() { this.a(); } };'), 'a.ts': heir })).toEqual([]);
  });
});
