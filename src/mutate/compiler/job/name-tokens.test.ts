import { afterEach, expect, test } from 'vitest';
import { closePrograms, openTree } from '../../../../test/support/open-programs.ts';
import { listNameTokens } from './name-tokens.ts';

afterEach(closePrograms);

function tokensOf(path: string, text: string) {
  const [program] = openTree({ [path]: text }).open;
  return program === undefined ? [] : listNameTokens(program, path);
}

/** `kind:name`, and what is written where that is something else. */
function list(path: string, text: string): string[] {
  return tokensOf(path, text).map(({ kind, text: name, start, end }) => {
    const written = text.slice(start, end);
    return written === name ? `${kind}:${name}` : `${kind}:${name} (${written})`;
  });
}

test('identifiers, private names and labels', () => {
  const text = 'class C { #p = 1; get() { return this.#p; } }\nouter: for (;;) { break outer; }\nnew C();\n';
  expect(list('a.ts', text)).toEqual([
    'identifier:C',
    'private:#p',
    'identifier:get',
    'private:#p',
    'label:outer',
    'label:outer',
    'identifier:C',
  ]);
});

test('a name written with escapes is the name, its span what is written', () => {
  const text = 'const \\u0061b = 1; \\u{61}b; ab; const o = { "\\x61b": 1 };\n';
  expect(list('a.ts', text)).toEqual([
    'identifier:ab (\\u0061b)',
    'identifier:ab (\\u{61}b)',
    'identifier:ab',
    'identifier:o',
    'string:ab (\\x61b)',
  ]);
});

test('strings and templates where a name could stand, without their quotes', () => {
  const text = [
    `const o = { "k": 1, ['c']: 2, [\`t\`]: 3, 'm'() {}, get "g"() { return 1; } };`,
    `o["k"]; o[\`t\`]; type I = (typeof o)['c'];`,
    `const { "k": z, ["c"]: y } = o;`,
    `enum E { "a-b" } class D { 'p' = 1 } interface F { "q": 1; 'r'(): void }`,
    `export { z as "odd name" }; import { "x y" as w } from './b.js'; export * as "n s" from './b.js';`,
  ].join('\n');
  expect(list('a.ts', text).filter((token) => !token.startsWith('identifier'))).toEqual([
    ...['string:k', 'string:c', 'template:t', 'string:m', 'string:g'],
    ...['string:k', 'template:t', 'string:c'],
    ...['string:k', 'string:c'],
    ...['string:a-b', 'string:p', 'string:q', 'string:r'],
    ...['string:odd name', 'string:x y', 'string:n s'],
  ]);
});

test('other strings are no names: values, module specifiers, arguments, literal types', () => {
  const text = [
    `import { a } from './a.js'; export * from './a.js'; import e = require('./e.js'); declare module 'm' {}`,
    `type L = 'l'; const v = 'v'; f('x'); f(\`y\`); tag\`z\`; 'in' in v; type T = import('./t.js').T; import('./d.js');`,
    `type U = O['a' | 'b'];`,
  ].join('\n');
  expect(list('a.ts', text).filter((token) => !token.startsWith('identifier'))).toEqual([]);
});

test('`new.target`, `import.meta` and `as const` hold no names; what follows does', () => {
  expect(list('a.ts', 'function F() { new.target; } import.meta.url; export {}; 1 as const; <const>2;\n')).toEqual([
    'identifier:F',
    'identifier:url',
  ]);
});

test('JSX: tags, closing tags, attributes, hyphenated and namespaced names', () => {
  const text = 'const e = <N.C a-b="x" svg:href="y" on><div data-x={1} {...e} /></N.C>;\n';
  expect(list('a.tsx', text)).toEqual([
    'identifier:e',
    ...['identifier:N', 'identifier:C', 'jsx:a-b', 'jsx:svg:href', 'jsx:on'],
    ...['jsx:div', 'jsx:data-x', 'identifier:e'],
    ...['identifier:N', 'identifier:C'],
  ]);
});

test('documentation comments in TypeScript: names, not tags and not prose', () => {
  const text = [
    '/** See {@link f} and {@link N.x | the x}.',
    ' * @param q the q',
    ' * @template T any',
    ' * @see f */',
    'function g<T>(q: T) {}',
  ].join('\n');
  expect(list('a.ts', text)).toEqual([
    ...['jsdoc:f', 'jsdoc:N', 'jsdoc:x', 'jsdoc:q', 'jsdoc:T', 'jsdoc:f'],
    ...['identifier:g', 'identifier:T', 'identifier:q', 'identifier:T'],
  ]);
});

test('documentation comments in JavaScript: types count once, although the tree has them twice', () => {
  const text = [
    '/** @typedef {{ x: number }} Pt */',
    '/** @typedef {object} Opt',
    ' * @property {string} name */',
    '/** @param {Opt} opt',
    ' * @param {Pt} opt.at',
    ' * @returns {import("./b.js").B} */',
    'function h(opt) {}',
    '/** @callback Cb',
    ' * @param {number} n */',
  ].join('\n');
  expect(list('a.js', text)).toEqual([
    ...['jsdoc:x', 'jsdoc:Pt', 'jsdoc:Opt', 'jsdoc:name'],
    ...['jsdoc:Opt', 'jsdoc:opt', 'jsdoc:Pt', 'jsdoc:opt', 'jsdoc:at', 'jsdoc:B'],
    ...['identifier:h', 'identifier:opt'],
    ...['jsdoc:Cb', 'jsdoc:n'],
  ]);
});

test('CommonJS: what is assigned to, and what is defined, by name', () => {
  const text = 'exports.a = 1; module.exports["b"] = 2; Object.defineProperty(exports, "c", { value: 3 });\n';
  expect(list('a.cjs', text)).toEqual([
    ...['identifier:exports', 'identifier:a', 'identifier:module', 'identifier:exports', 'string:b'],
    ...['identifier:Object', 'identifier:defineProperty', 'identifier:exports', 'string:c', 'identifier:value'],
  ]);
});

test('imports of every form', () => {
  const text = [
    `import type d, { type a as b } from './x.js';`,
    `import * as n from './x.js';`,
    `import r = require('./x.js');`,
    `import i = r.q;`,
    `export { d as default };`,
    `import j from './j.json' with { type: 'json' };`,
  ].join('\n');
  expect(list('a.cts', text)).toEqual(
    ['d', 'a', 'b', 'n', 'r', 'i', 'r', 'q', 'd', 'default', 'j', 'type'].map((name) => `identifier:${name}`),
  );
});

test('code that does not parse gives the names that are there', () => {
  const tokens = tokensOf('a.ts', 'const = ; class { foo( ; const s = { "open: 1\nbar.');
  for (const { start, end, text } of tokens) expect([end > start, text !== '']).toEqual([true, true]);
  expect(tokens.map(({ text }) => text)).toContain('foo');
  expect(tokens.map(({ text }) => text)).toContain('bar');
});

test('nesting does not end the walk', () => {
  const depth = 5_000;
  const text = `const a = ${'['.repeat(depth)}deep${']'.repeat(depth)};\nconst b = ${'a.'.repeat(depth)}end;\n`;
  const names = tokensOf('a.ts', text).map((token) => token.text);
  expect(names).toHaveLength(depth + 4);
  expect(names).toContain('deep');
});

test('sorted by start, each span once, none for a file the program does not have', () => {
  const programs = openTree({ 'a.ts': 'export const z = 1, y = z; /** {@link z} */ export function x() {}\n' });
  const [program] = programs.open;
  if (program === undefined) throw new Error('no program');
  const starts = listNameTokens(program, 'a.ts').map(({ start }) => start);
  expect(starts).toEqual([...new Set(starts)].sort((a, b) => a - b));
  expect(listNameTokens(program, 'b.ts')).toEqual([]);
});
