/**
 * Callees that look at no member of what they are given: of the language and the runtime, and assertions of tests that compare by
 * identity, ask whether there is something, or whose it is. A few look at members of names of their own, which the table lists. What
 * they print when they fail is a message, and no data. Assertions that compare properties (`toEqual`, `deepEqual`) stand here as what
 * they are: they call no method, and look for one only where what is expected has it. Snapshots write down what they see and are not here.
 */

import { basename, relative } from 'node:path';
import { askInBatches } from '../../../languages/typescript/compiler/compiler-process.ts';
import * as ts from '../../../languages/typescript/compiler/typescript-api.ts';
import type { OpenProgram } from '../job/job-types.ts';
import { askOr } from '../job/name-tokens.ts';
import { isFixedKey } from './doubted-family.ts';
import { dependenciesOf, findManifest } from './public-names.ts';

const K = ts.SyntaxKind;

export type Called = ts.Node & { readonly expression: ts.Node; readonly arguments?: readonly ts.Node[] };

export type Assertion = {
  /** Packages that declare it; of what is not installed, modules it is imported from. */
  readonly packages: ReadonlySet<string>;
  /** `call`: functions by these names. `chain`: what begins with one of these names, and goes on with `words` and `ends` alone. */
  readonly form: 'call' | 'chain';
  readonly names: ReadonlySet<string>;
  readonly words?: ReadonlySet<string>;
  /** Of a chain: at least one of them stands in it. Without any, whatever stands there says nothing at run time. */
  readonly ends?: ReadonlySet<string>;
  /** How many arguments of the call, or of an end of the chain, are left alone; others are looked into. All, where nothing is said. */
  readonly takes?: number;
  /** Members that it does look at. */
  readonly looksAt: ReadonlySet<string>;
  /** It compares the properties that objects have, and looks for a method only by the name of a property that is expected. */
  readonly compares?: true;
  readonly source: string;
  /** `i` has the renamed member, `m` has it as a method. Nothing is asked about them. */
  readonly example: string;
};

function names(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

const none: ReadonlySet<string> = new Set();
const jestLike = names('vitest @vitest/expect jest @jest/globals @jest/expect expect bun-types bun');
const jestWords = names('not resolves rejects');
/** Is it a matcher, an element, a collection? */
const kindNames = names(
  'then asymmetricMatch toAsymmetricMatcher $$typeof nodeType nodeName isEqualNode size has entries constructor',
);
const chaiLike = names('chai vitest @vitest/expect');
const chaiWords = names('to be been is that which and has have with at of same but does still also not a an');

export const assertions: readonly Assertion[] = [
  {
    packages: names('assert'),
    form: 'call',
    names: names('assert ok equal notEqual strictEqual notStrictEqual ifError'),
    looksAt: none,
    source: 'nodejs.org/api/assert: `==`, `Object.is`, truth',
    example: "import assert from 'node:assert'; assert(i); assert.strictEqual(i, i);",
  },
  {
    packages: names('assert'),
    form: 'call',
    names: names('throws doesNotThrow rejects doesNotReject'),
    takes: 1,
    looksAt: names('then catch'),
    source: 'nodejs.org/api/assert: the function is called, what it gives is dropped',
    example: "import { throws } from 'assert'; throws(() => i, /no/);",
  },
  {
    packages: jestLike,
    form: 'chain',
    names: names('expect soft'),
    words: jestWords,
    ends: names(
      'toBe toBeDefined toBeUndefined toBeNull toBeNullable toBeTruthy toBeFalsy toBeNaN toBeInstanceOf toBeTypeOf',
    ),
    looksAt: names('then'),
    source: 'jestjs.io/docs/expect, vitest.dev/api/expect: `Object.is`, truth, `instanceof`, `typeof`',
    example: "import { expect } from 'vitest'; expect(i).toBe(i); await expect(i).resolves.not.toBeUndefined();",
  },
  {
    packages: jestLike,
    form: 'chain',
    names: names('expect soft'),
    words: jestWords,
    ends: names('toThrow toThrowError'),
    takes: 0,
    looksAt: names('then message name stack cause'),
    source: 'jestjs.io/docs/expect#tothrowerror: the function is called, what it gives is dropped',
    example: "import { expect } from '@jest/globals'; expect(() => i).toThrow('no');",
  },
  {
    packages: jestLike,
    form: 'chain',
    names: names('expect soft'),
    words: jestWords,
    ends: names(`toHaveBeenCalled toHaveBeenCalledOnce toHaveBeenCalledTimes toBeCalled toBeCalledTimes toHaveReturned
      toHaveReturnedTimes`),
    looksAt: names('then mock _isMockFunction getMockName calls results all count length'),
    source: 'jestjs.io/docs/expect#tohavebeencalled: calls are counted',
    example: "import { expect } from 'vitest'; expect((x: I) => x).toHaveBeenCalledTimes(1);",
  },
  {
    packages: jestLike,
    form: 'chain',
    names: names('expect soft'),
    words: jestWords,
    ends: names('toHaveLength'),
    looksAt: names('then length'),
    source: 'jestjs.io/docs/expect#tohavelengthnumber',
    example: "import { expect } from 'vitest'; expect([i]).toHaveLength(1);",
  },
  {
    packages: chaiLike,
    form: 'chain',
    names: names('expect'),
    words: chaiWords,
    ends: names('ok true false null undefined NaN exist equal equals eq instanceof instanceOf a an'),
    looksAt: none,
    source: 'chaijs.com/api/bdd: `===` where nothing says `deep`, truth, `instanceof`, the kind of value',
    example: "import { expect } from 'chai'; expect(i).to.exist; expect(i).to.be.an('object').that.equals(i);",
  },
  {
    packages: chaiLike,
    form: 'chain',
    names: names('expect'),
    words: chaiWords,
    ends: names('throw throws Throw'),
    takes: 0,
    looksAt: names('message name'),
    source: 'chaijs.com/api/bdd/#method_throw: the function is called, what it gives is dropped',
    example: "import { expect } from 'chai'; expect(() => i).to.throw('no');",
  },
  {
    packages: names('chai'),
    form: 'call',
    names:
      names(`assert ok isOk notOk isNotOk equal notEqual strictEqual notStrictEqual isTrue isNotTrue isFalse isNotFalse
      isNull isNotNull isUndefined isDefined exists notExists isFunction isNotFunction isObject isNotObject isArray isNotArray
      instanceOf notInstanceOf typeOf notTypeOf`),
    looksAt: none,
    source: 'chaijs.com/api/assert: `==`, `===`, truth, `instanceof`, the kind of value',
    example: "import { assert } from 'chai'; assert.isDefined(i); assert.strictEqual(i, i);",
  },
  {
    packages: names('assert'),
    form: 'call',
    names: names(`deepEqual deepStrictEqual notDeepEqual notDeepStrictEqual partialDeepStrictEqual`),
    looksAt: none,
    compares: true,
    source: 'nodejs.org/api/assert: own enumerable properties',
    example: "import assert from 'node:assert'; assert.deepStrictEqual(m, m);",
  },
  {
    packages: jestLike,
    form: 'chain',
    names: names('expect soft'),
    words: jestWords,
    ends: names(`toEqual toStrictEqual toMatchObject toContainEqual toHaveBeenCalledWith toHaveBeenLastCalledWith
      toHaveBeenNthCalledWith toBeCalledWith toHaveReturnedWith`),
    looksAt: kindNames,
    compares: true,
    source: 'jestjs.io/docs/expect#toequalvalue: own properties; `toMatchObject` those that are expected',
    example: "import { expect } from '@jest/globals'; expect(m).toEqual(m); expect(m).not.toMatchObject({ c: 1 });",
  },
  {
    packages: chaiLike,
    form: 'chain',
    names: names('expect'),
    words: new Set([...chaiWords, 'deep']),
    ends: names('equal equals eq eql eqls'),
    looksAt: none,
    compares: true,
    source: 'chaijs.com/api/bdd/#method_deep: enumerable properties',
    example: "import { expect } from 'chai'; expect(m).to.deep.equal(m);",
  },
  {
    packages: names('ava'),
    form: 'call',
    names: names('deepEqual notDeepEqual like'),
    looksAt: none,
    compares: true,
    source: 'github.com/avajs/ava, docs/03-assertions.md: properties; `like` those that are expected',
    example: "import test from 'ava'; test('is', (t) => { t.deepEqual(m, m); });",
  },
  {
    packages: names('ava'),
    form: 'call',
    names: names('is not truthy falsy true false assert'),
    looksAt: none,
    source: 'github.com/avajs/ava, docs/03-assertions.md: `Object.is`, truth',
    example: "import test from 'ava'; test('is', (t) => { t.is(i, i); t.truthy(i); });",
  },
  {
    packages: names('ava'),
    form: 'call',
    names: names('throws throwsAsync notThrows notThrowsAsync'),
    looksAt: names('then any instanceOf is message name code'),
    source: 'github.com/avajs/ava, docs/03-assertions.md: what is expected is looked at by these names',
    example:
      "import test from 'ava'; class E extends Error { own = i } test('', (t) => { t.throws(() => i, { instanceOf: E }); });",
  },
  {
    packages: names('tap libtap @tapjs/asserts tape'),
    form: 'call',
    names: names('ok notOk equal not notEqual is isNot true false error'),
    looksAt: none,
    source: 'node-tap.org/api/asserts, github.com/tape-testing/tape: `Object.is`, truth',
    example: "import test from 'tape'; test('is', (t) => { t.equal(i, i); t.ok(i); });",
  },
  {
    packages: names('expect-type vitest'),
    form: 'chain',
    names: names('expectTypeOf assertType'),
    looksAt: none,
    source: 'github.com/mmkal/expect-type: checked by the compiler, does nothing at run time',
    example: "import { expectTypeOf } from 'expect-type'; expectTypeOf(i).toMatchTypeOf(i);",
  },
  {
    packages: names('tsd'),
    form: 'call',
    names: names('expectType expectNotType expectAssignable expectNotAssignable expectError expectNever printType'),
    looksAt: none,
    source: 'github.com/tsdjs/tsd: checked by the compiler, does nothing at run time',
    example: "import { expectType } from 'tsd'; expectType<I>(i);",
  },
];

/** What says how little the callee looks at what it is given at this place; undefined where it may look at anything. */
export function findAssertion(program: OpenProgram, call: Called, at: number): Assertion | undefined {
  const root = rootOf(call);
  const name = calledName(root);
  if (!assertions.some(({ names: called }) => called.has(name))) return undefined;
  const said = root === call ? undefined : lastName(call);
  const chain = readChain(root);
  for (const one of assertions) {
    if (one.form === 'chain' ? !fitsChain(one, name, chain) : root !== call) continue;
    const isOwnArgument = one.form === 'call' || (said !== undefined && one.ends?.has(said) === true);
    if (isOwnArgument && one.takes !== undefined && at >= one.takes) continue;
    const declared = askOr(
      () => (one.form === 'call' ? declaredAs(program, root) : declaredIn(program, root)),
      undefined,
    );
    if (declared === undefined || !one.packages.has(declared.module)) continue;
    if (one.form === 'call' && !one.names.has(declared.name)) continue;
    const isOwn = chain.names.some((word) => one.ends?.has(word) === true && isRedefined(program, word));
    return isOwn ? undefined : one;
  }
  return undefined;
}

/** What the names of callees stand for is asked of those that may be assertions, one by one; together it is one question. */
export function prepareAssertions({ project: { checker } }: OpenProgram, calls: readonly ts.Node[]): void {
  const callees = calls.flatMap((call) => {
    const { expression } = rootOf(call as Called);
    const name = nameNode(expression);
    if (name === undefined || !assertions.some(({ names: called }) => called.has(name.getText()))) return [];
    const object = name === expression ? undefined : (expression as Called).expression;
    return object?.kind === K.Identifier ? [name, object] : [name];
  });
  askInBatches(callees, (batch) => checker.getSymbolAtLocation(batch));
}

function calledName({ expression }: Called): string {
  return nameNode(expression)?.getText() ?? '';
}

function nameNode(callee: ts.Node): ts.Node | undefined {
  if (callee.kind === K.PropertyAccessExpression) return (callee as ts.Node & { readonly name: ts.Node }).name;
  return callee.kind === K.Identifier ? callee : undefined;
}

/** Of `expect(x).not.toBe(y)`, `expect(x)`. */
function rootOf(call: Called): Called {
  let root = call;
  for (;;) {
    let below: ts.Node = root.expression;
    while (below.kind === K.PropertyAccessExpression) below = (below as Called).expression;
    if (below.kind !== K.CallExpression) return root;
    root = below as Called;
  }
}

function lastName({ expression }: Called): string | undefined {
  return nameNode(expression)?.getText();
}

type Chain = { readonly names: readonly string[]; readonly end: ts.Node };

function readChain(root: Called): Chain {
  const found: string[] = [];
  let end: ts.Node = root;
  for (;;) {
    const { parent } = end;
    if (parent?.kind === K.PropertyAccessExpression && (parent as Called).expression === end)
      found.push((parent as ts.Node & { readonly name: ts.Node }).name.getText());
    else if (parent?.kind !== K.CallExpression || (parent as Called).expression !== end) return { names: found, end };
    end = parent;
  }
}

/** What is known of how little a callee looks at. */
export type Glance = Pick<Assertion, 'looksAt' | 'compares'>;

/** `Array.prototype.join.call(o)`: methods that the language lends to anything look up what lists and texts have. */
export const lentMethod: Glance = { looksAt: names('length toString valueOf') };

/** Of `deepEqual(a, b)` and `expect(a).toEqual(b)`, what the argument is compared with. */
export function findCompared(call: Called, at: number): ts.Node | undefined {
  const root = rootOf(call);
  if (at > 0 || root !== call) return (at === 0 ? root : call).arguments?.[0];
  const { end } = readChain(root);
  return end === root ? root.arguments?.[1] : (end as Called).arguments?.[0];
}

/** It leaves alone whatever it is given. */
export function looksAtNothing(assertion: Glance | undefined): boolean {
  return assertion !== undefined && assertion.compares === undefined && assertion.looksAt.size === 0;
}

/** What an assertion gives could be asked for more; where it is dropped, nothing does. */
const drops: ReadonlySet<ts.SyntaxKind> = new Set([
  K.ExpressionStatement,
  K.AwaitExpression,
  K.ReturnStatement,
  K.ArrowFunction,
  K.VoidExpression,
]);

function fitsChain({ names: begins, words, ends }: Assertion, name: string, chain: Chain): boolean {
  if (!begins.has(name) || !drops.has(chain.end.parent.kind)) return false;
  if (words === undefined || ends === undefined) return true;
  return chain.names.every((word) => words.has(word) || ends.has(word)) && chain.names.some((word) => ends.has(word));
}

type Declared = { readonly module: string; readonly name: string };

/** The function by the name that its module has for it: an import may call it something else. */
function declaredAs(program: OpenProgram, call: Called): Declared | undefined {
  const node = nameNode(call.expression);
  if (node === undefined) return undefined;
  const { checker } = program.project;
  const local = checker.getSymbolAtLocation(node);
  const isAlias = local !== undefined && (local.flags & ts.SymbolFlags.Alias) !== 0;
  const symbol = isAlias ? checker.getAliasedSymbol(local) : local;
  const module = moduleOf(symbol?.declarations[0]?.path);
  if (symbol !== undefined && module !== undefined) return { module, name: exportedAs(symbol.name, module) };
  return importedAs(program, call.expression);
}

/** By its signature, or by the import of what has no types. */
function declaredIn(program: OpenProgram, call: Called): Declared | undefined {
  const path = program.project.checker.getResolvedSignature(call)?.declaration?.path;
  const module = moduleOf(path);
  if (module !== undefined) return { module, name: '' };
  // What the repository declares itself is no assertion of a package.
  return path === undefined ? (importedAs(program, call.expression) ?? givenBy(program, call.expression)) : undefined;
}

const runners = ['jest', '@types/jest', 'ts-jest', 'vitest'];

/**
 * `expect` that nothing declares, in a package that is tested with a runner which gives one to every file. The compiler has it only
 * where a configuration names the runner's types; up to version 5 it took them by itself.
 */
function givenBy(program: OpenProgram, callee: ts.Node): Declared | undefined {
  const { checker } = program.project;
  if (callee.kind !== K.Identifier || checker.getSymbolAtLocation(callee) !== undefined) return undefined;
  const path = relative(program.root, callee.getSourceFile().fileName);
  const wanted = [path, basename(path)].flatMap((one) => {
    const manifest = findManifest(program.root, one);
    return manifest === undefined ? [] : [...dependenciesOf(manifest)];
  });
  const name = callee.getText();
  const runner = runners.find((one) => wanted.includes(one));
  if (runner === undefined || isPutThere(program, name)) return undefined;
  return { module: runner === 'vitest' ? runner : 'jest', name };
}

/** What a module is as a whole goes by the name of the module. */
function exportedAs(name: string, module: string): string {
  return name === 'default' || name === 'export=' || name === '' ? module : name;
}

/** `vitest` of `…/node_modules/vitest/dist/index.d.ts`, `assert` of what declares it for Node. */
function moduleOf(path: string | undefined): string | undefined {
  const [, name, rest] = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\/(.*)$/.exec(path ?? '') ?? [];
  if (name === undefined) return undefined;
  if (name !== '@types/node') return name.replace(/^@types\//, '');
  return rest?.startsWith('assert') === true ? 'assert' : undefined;
}

/** Of `import { a as b } from 'm'`, `import m from 'm'`, `const { a: b } = require('m')`, and the like, where `m` has no types. */
export function importedAs(program: OpenProgram, callee: ts.Node): Declared | undefined {
  const isMember = callee.kind === K.PropertyAccessExpression;
  const node = isMember ? (callee as Called).expression : callee;
  if (node.kind !== K.Identifier) return undefined;
  const { project } = program;
  const [handle, ...more] = project.checker.getSymbolAtLocation(node)?.declarations ?? [];
  const declaration = more.length > 0 ? undefined : handle?.resolve(project);
  const binding = declaration === undefined ? undefined : readBinding(declaration);
  if (binding === undefined) return undefined;
  const [module = ''] = /^(?:@[^/]+\/)?[^/]+/.exec(binding.module.replace(/^node:/, '')) ?? [];
  if (!isMember) return { module, name: exportedAs(binding.name, module) };
  const isWhole = /^(?:default|assert|strict)?$/.test(binding.name);
  return isWhole ? { module, name: nameNode(callee)?.getText() ?? '' } : undefined;
}

function readBinding(declaration: ts.Node): Declared | undefined {
  const { name, propertyName } = declaration as { readonly name?: ts.Node; readonly propertyName?: ts.Node };
  switch (declaration.kind) {
    case K.ImportSpecifier:
    case K.ImportClause:
    case K.NamespaceImport: {
      let at: ts.Node = declaration;
      while (at.kind !== K.ImportDeclaration) at = at.parent;
      const { moduleSpecifier } = at as ts.ImportDeclaration;
      const text = (moduleSpecifier as ts.Node & { readonly text?: string }).text ?? '';
      const isOne = declaration.kind === K.ImportSpecifier;
      return { module: text, name: isOne ? ((propertyName ?? name)?.getText() ?? '') : '' };
    }
    case K.VariableDeclaration: {
      const module = required((declaration as { readonly initializer?: ts.Node }).initializer);
      return module === undefined ? undefined : { module, name: '' };
    }
    case K.BindingElement: {
      const module = required((declaration.parent.parent as { readonly initializer?: ts.Node }).initializer);
      return module === undefined ? undefined : { module, name: (propertyName ?? name)?.getText() ?? '' };
    }
    default:
      return undefined;
  }
}

/** `require('m')`, also `require('m').strict`. */
function required(initializer: ts.Node | undefined): string | undefined {
  const [, module] =
    /^require\s*\(\s*['"]([^'"]+)['"]\s*\)(?:\s*\.\s*strict)?$/.exec(initializer?.getText() ?? '') ?? [];
  return module;
}

const knownGlobals = new WeakMap<OpenProgram, Map<string, boolean>>();

/** `globalThis.expect = …`: it is what some file makes of it. */
function isPutThere(program: OpenProgram, name: string): boolean {
  const known = knownGlobals.get(program) ?? new Map<string, boolean>();
  knownGlobals.set(program, known);
  const given = new RegExp(String.raw`\b(?:globalThis|global|window|self)\b[^;\n]*\b${name}\b`);
  const found = known.get(name) ?? program.files.some((path) => given.test(program.sourceFile(path)?.text ?? ''));
  known.set(name, found);
  return found;
}

const knownRedefinitions = new WeakMap<OpenProgram, Map<string, boolean>>();
const redefines = /\bexpect\s*\.\s*extend\b|\boverwrite(?:Method|Property|ChainableMethod)\b/;

/** `expect.extend({ toBe() { … } })` somewhere, and something of that name written out: it may look at anything. */
function isRedefined(program: OpenProgram, word: string): boolean {
  const known = knownRedefinitions.get(program) ?? new Map<string, boolean>();
  knownRedefinitions.set(program, known);
  const found = known.get(word) ?? searchRedefinition(program, word);
  known.set(word, found);
  return found;
}

function searchRedefinition(program: OpenProgram, word: string): boolean {
  const texts = program.files.map((path) => program.sourceFile(path)?.text ?? '');
  if (!texts.some((text) => redefines.test(text))) return false;
  const defined = new RegExp(String.raw`(?<![.\w$])['"]?${word}['"]?\s*[(:,=]`);
  return texts.some((text) => defined.test(text));
}

// Of the language and the runtime.

/** They look at the value or keep it, and not at the names of its members. */
const quiet =
  names(`isArray freeze seal preventExtensions isFrozen isSealed isExtensible is values String Number Boolean isNaN
  getPrototypeOf WeakRef WeakSet WeakMap Error TypeError RangeError AggregateError setTimeout setInterval setImmediate
  queueMicrotask clearTimeout clearInterval register unregister isPromise nextTick callback promisify`);
/** Of collections: what is compared is not looked into. */
const comparing = names('has delete includes indexOf lastIndexOf');

/** How many arguments they keep for themselves: further ones go to the function that they call. */
const callers: ReadonlyMap<string, number> = new Map([
  ['setTimeout', 2],
  ['setInterval', 2],
  ['setImmediate', 1],
  ['nextTick', 1],
]);

/** Of a function of the library that is called by this name. */
export function isQuietInLibrary({ project: { checker } }: OpenProgram, name: string, call: Called): boolean {
  if (quiet.has(name)) return (call.arguments ?? []).length <= (callers.get(name) ?? Number.POSITIVE_INFINITY);
  if (/^(?:keys|getOwnPropertyNames|entries|ownKeys)$/.test(name) && isCounted(call)) return true;
  const [, key] = call.arguments ?? [];
  // What is looked up there is known by its name.
  if (/^(?:hasOwn|getOwnPropertyDescriptor)$/.test(name) && key !== undefined && isFixedKey(key)) return true;
  const called = call.expression;
  if (
    called.kind !== K.PropertyAccessExpression ||
    !/^(?:has|delete|includes|(?:last)?[iI]ndexOf|set|add|get)$/.test(name)
  )
    return false;
  const receiver = (called as Called).expression;
  if (/^(?:Reflect|Object)$/.test(receiver.getText())) return false;
  // What is compared is not looked into, and what is held weakly is never listed.
  return (
    comparing.has(name) || /^Weak/.test(askOr(() => checker.getTypeAtLocation(receiver)?.getSymbol()?.name, '') ?? '')
  );
}

/** `Object.keys(x).length` */
function isCounted(call: ts.Node): boolean {
  const { parent } = call;
  if (parent.kind !== K.PropertyAccessExpression || (parent as Called).expression !== call) return false;
  return (parent as ts.Node & { readonly name: ts.Node }).name.getText() === 'length';
}
