import { afterAll, describe, expect, test } from 'vitest';
import { closePrograms } from '../../../../test/support/open-programs.ts';
import { askedAbout } from '../../../../test/support/rename-world.ts';
import { assertions } from './quiet-callees.ts';

afterAll(closePrograms);

const one = 'export {};\ninterface I { «a»: number }\nconst i: I = { a: 1 };\n';
const method = 'export {};\nclass M { «a»() {} }\nconst m = new M();\n';

/** Packages of which the examples need types, told in a few lines. */
const anyName = '{ [K in string]: any } & { (x: any): any }';
const packages: Readonly<Record<string, string>> = {
  ava: `interface Is { (x: unknown, y?: unknown): void }
    interface T { is: Is; truthy: Is; deepEqual: Is; throws(f: () => unknown, e?: { instanceOf?: unknown; is?: unknown }): void }
    export default function test(name: string, f: (t: T) => void): void;`,
  tape: `declare function test(name: string, f: (t: test.T) => void): void;
    declare namespace test { interface T { equal(x: unknown, y: unknown): void; ok(x: unknown): void } }
    export = test;`,
  chai: `interface A { to: A; be: A; an: ${anyName}; deep: A; exist: A; equal(x: any): A; throw(x?: any): A }
    export declare function expect(x: any): any;
    export declare const assert: { (x: unknown): void; isDefined(x: unknown): void; strictEqual(x: unknown, y: unknown): void; deepEqual(x: unknown, y: unknown): void };`,
  vitest: `interface A<T> { not: A<T>; resolves: any; toBe<E>(e: E): void; toEqual<E>(e: E): void; toThrow(e?: unknown): void; toHaveLength(n: number): void; toHaveBeenCalledTimes(n: number): void }
    export declare const expect: { <T>(x: T): A<T>; extend(m: object): void };`,
};

function askedWith(source: string, isInstalled: boolean): readonly string[] {
  const [, name = ''] = /from '(?:node:)?([^']+)'/.exec(source) ?? [];
  const types = isInstalled ? packages[name] : undefined;
  const tree =
    types === undefined
      ? {}
      : {
          [`node_modules/${name}/index.d.ts`]: types,
          [`node_modules/${name}/package.json`]: JSON.stringify({ name, types: './index.d.ts' }),
        };
  const before = /\bm\b/.test(source) ? method : one;
  return askedAbout('untyped_exit', { ...tree, 'a.ts': `${before}${source}` });
}

describe('M9 assertions that look at no member', () => {
  test.each(assertions.map(({ source, example }) => [source, example]))('M9 %s', (_, example) => {
    expect(askedWith(example, true)).toEqual([]);
  });

  test.each(assertions.filter(({ example }) => !/'(?:ava|tape)'/.test(example)).map(({ example }) => [example]))(
    'M9 not installed: %s',
    (example) => {
      expect(askedWith(example, false)).toEqual([]);
    },
  );

  test.each([
    ['as what a script requires', "const { ok: yes, strictEqual } = require('node:assert'); strictEqual(i, i);"],
    ['as a part of the module', "import * as chai from 'chai'; chai.expect(i).to.exist;"],
    ['in the strict way', "import assert from 'node:assert/strict'; assert.equal(i, i);"],
  ])('M9 %s', (_, source) => {
    expect(askedWith(source, false)).toEqual([]);
  });
});

const given = (source: string, manifest: object, files: Readonly<Record<string, string>> = {}) =>
  askedAbout('untyped_exit', {
    'package.json': JSON.stringify({ private: true, ...manifest }),
    ...files,
    'in/a.ts': `${one}${source}`,
  });

describe('M9 assertions that a runner gives to every file', () => {
  test.each(['jest', '@types/jest', 'ts-jest', 'vitest'])('M9 of %s, whose types are not loaded', (name) => {
    expect(
      given("expect(() => i).toThrowError('no'); expect(i).toBe(i);", { devDependencies: { [name]: '*' } }),
    ).toEqual([]);
  });

  const jest = { devDependencies: { jest: '*' } };
  test('M9 the nearest package may leave its runner to the whole', () => {
    expect(given('expect(i).toBe(i);', jest, { 'in/package.json': '{"private":true}' })).toEqual([]);
  });

  test.each<readonly [string, string, object, Readonly<Record<string, string>>]>([
    ['no runner', 'expect(i).toBe(i);', { devDependencies: { chai: '*' } }, {}],
    ['a matcher that is not known', 'expect(i).toFit(i);', jest, {}],
    ['compared', 'expect(i).toEqual({ a: 1 });', jest, {}],
    ['another function', 'check(i).toBe(i);', jest, {}],
    ['put there by a file', 'expect(i).toBe(i);', jest, { 'setup.ts': '(globalThis as any).expect = JSON.stringify;' }],
    ['of another package', "import { expect } from 'mine'; expect(i).toBe(i);", jest, {}],
  ])('M9 asked: %s', (_, source, manifest, files) => {
    expect(given(source, manifest, files)).toHaveLength(1);
  });
});

describe('M9 two values of one type are alike under any name', () => {
  test.each([
    ['by a call', "import { deepEqual } from 'node:assert'; declare const j: I; deepEqual(i, j);"],
    ['in a list', "import { deepEqual } from 'node:assert'; declare const x: I[], y: I[]; deepEqual(x, y);"],
    ['by a chain', "import { expect } from 'vitest'; declare const j: I; expect(i).toEqual(j);"],
    ['by a chain of words', "import { expect } from 'chai'; declare const j: I; expect(i).to.deep.equal(j);"],
  ])('M9 %s', (_, source) => {
    expect(askedWith(source, true)).toEqual([]);
    expect(askedWith(source, false)).toEqual([]);
  });
});

describe('M9 assertions that look at members, or may', () => {
  test.each([
    ['compares them', "import { expect } from '@jest/globals'; expect(i).toEqual({ a: 1 });"],
    ['compares them with what is written out', "import { expect } from 'vitest'; expect(i).toEqual({ a: 1 });"],
    ['one after another', "import { expect } from 'chai'; expect(i).to.exist.and.to.deep.equal({ a: 1 });"],
    ['the argument of an end', "import { expect } from 'vitest'; expect(() => 1).toThrow(i);"],
    ['begun and kept', "import { expect } from 'chai'; const e = expect(i).to.exist; e.eql({});"],
    ['begun alone', "import { expect } from '@jest/globals'; expect(i);"],
    ['under another name', "import { deepEqual as strictEqual } from 'node:assert'; strictEqual(i, { a: 1 });"],
    ['under another name, required', "const { deepEqual: ok } = require('assert'); ok(i, { a: 1 });"],
    ['an error that is expected', "import assert from 'assert'; assert.throws(() => 1, i);"],
    ['of another package', "import { expect } from 'mine'; expect(i).toBe(i);"],
    ['of a part of the module', "import { inner } from 'assert'; inner.ok(i);"],
    [
      'redefined here',
      "import { expect } from '@jest/globals'; expect.extend({ toBe(x: unknown) { return JSON.stringify(x); } }); expect(i).toBe(i);",
    ],
    ['members of ava', "import test from 'ava'; test('', (t) => t.deepEqual(i, { a: 1 }));"],
    [
      'what may be one or another',
      "import { deepEqual } from 'node:assert'; interface J { a: 2 } declare const x: I | J, y: I | J; deepEqual(x, y);",
    ],
    [
      'what is in anything',
      "import { deepEqual } from 'node:assert'; interface P { i: I; more: unknown } declare const x: P, y: P; deepEqual(x, y);",
    ],
    [
      'what a wider type hides',
      "import { deepEqual } from 'node:assert'; interface W { c: 1 } declare const w: W; declare const own: I & W; const v: W = own; deepEqual(v, w);",
    ],
    [
      'what has it or not',
      "import { deepEqual } from 'node:assert'; interface O { i?: I } declare const x: O, y: O; deepEqual(x, y); const other = { a: 1 };",
    ],
    [
      'what an heir may hold',
      "import { deepEqual } from 'node:assert'; interface J extends I { more: unknown } declare const x: I, y: I; deepEqual(x, y); export type { J };",
    ],
    [
      'another thing of the name',
      "import { deepEqual } from 'node:assert'; declare const x: I, y: I; deepEqual(x, y); export const other = { a: 1 };",
    ],
    [
      'a thing of the new name',
      "import { deepEqual } from 'node:assert'; declare const x: I, y: I; deepEqual(x, y); export const other = { b: 1 };",
    ],
    [
      'a text that says the name',
      `import { deepEqual } from 'node:assert'; declare const x: I, y: I; deepEqual(x, y); export const text = '{"a":1}';`,
    ],
    ['a helper of that name', 'const assert = { ok: (x: unknown) => JSON.stringify(x) }; assert.ok(i);'],
    ['one that is declared here', 'declare function expect(x: unknown): any; expect(i).toBe(i);'],
  ])('M9 %s', (_, source) => {
    expect(askedWith(source, true)).toHaveLength(1);
  });

  test.each([
    ['a method by a property that is expected', 'expect(m).toMatchObject({ a: expect.any(Function) });'],
    ['a method that a string names', "expect(m).toEqual({ c: 1 }); const name = 'a';"],
    ['what is written down', 'expect(m).toMatchSnapshot();'],
  ])('M9 %s', (_, source) => {
    expect(askedWith(`import { expect } from '@jest/globals'; ${source}`, false)).toHaveLength(1);
  });

  test('M9 an accessor by a property that a file may expect', () => {
    const source = "import { expect } from '@jest/globals'; declare const file: object; expect(m).toMatchObject(file);";
    const accessor = method.replace('«a»()', 'get «a»()');
    expect(askedAbout('untyped_exit', `${accessor}${source}`)).toHaveLength(1);
    expect(askedAbout('untyped_exit', `${method}${source}`)).toEqual([]);
  });

  test('M9 the members that it does look at', () => {
    const lengthy =
      "export {};\ninterface I { «length»: number }\ndeclare const i: I;\nimport { expect } from 'vitest';\nexpect(i).toHaveLength(1);";
    expect(askedAbout('untyped_exit', lengthy)).toHaveLength(1);
    expect(askedAbout('untyped_exit', lengthy.replace('«length»', '«size»'), 'length')).toHaveLength(1);
    expect(askedAbout('untyped_exit', lengthy.replace('«length»', '«size»'))).toEqual([]);
  });
});

describe('M9 a method that is bound', () => {
  const self =
    'export class C { «a» = 1; m() { return this.a; } constructor() { REST } }\nexport function f(this: unknown) { return JSON.stringify(this); }';
  test.each([
    ['to what has it', 'this.m.bind(this);', 0],
    ['to what has it, and called', 'this.m.call(this);', 0],
    ['a function of its own', 'f.bind(this);', 1],
    ['of something that is made anew', 'declare const g: () => C; g().m.bind(g());', 1],
  ])('M9 %s', (_, rest, count) => {
    expect(askedAbout('untyped_exit', self.replace('REST', rest))).toHaveLength(count);
  });
});
