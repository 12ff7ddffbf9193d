import { afterEach, expect, test } from 'vitest';
import { closePrograms, openTree } from '../../../../test/support/open-programs.ts';
import type { Node } from '../../../languages/typescript/compiler/typescript-api.ts';
import type { Binding, OpenProgram, Programs } from './job-types.ts';
import { bindTokens, listNameTokens, tokensNamed } from './name-tokens.ts';

afterEach(closePrograms);

/** `1:5` in the only file, `b.ts 1:5` in another, `lib` for what is declared outside. */
function where(
  program: OpenProgram,
  home: string,
  { path, start, outside }: { path: string; start: number; outside: boolean },
) {
  if (outside) return 'lib';
  const { line, character } = program.sourceFile(path)?.getLineAndCharacterOfPosition(start) ?? {
    line: -1,
    character: -1,
  };
  return `${path === home ? '' : `${path} `}${line + 1}:${character + 1}`;
}

function describeBinding(program: OpenProgram, home: string, binding: Binding): string {
  if (binding.kind !== 'bound') return binding.kind;
  return binding.links
    .map(({ role, places }) => `${role} ${places.map((place) => where(program, home, place)).join(' + ')}`)
    .join(', ');
}

/** `line:column → links` of every token of the name, file by file. */
function linksOf(
  files: Readonly<Record<string, string>>,
  name: string,
  programs: Programs = openTree(files),
): string[] {
  return tokensNamed(programs, name).map(({ program, token, binding }) => {
    const at = where(program, Object.keys(files)[0] ?? '', { ...token, outside: false });
    return `${at} → ${describeBinding(program, token.path, binding)}`;
  });
}

test('a shorthand property is its own property, its variable, and what the type expects', () => {
  const text = 'type P = { a: number };\nconst a = 1;\nconst p: P = { a };\nconst q = { a };\n';
  expect(linksOf({ 'a.ts': text }, 'a')).toEqual([
    '1:12 → symbol 1:12',
    '2:7 → symbol 2:7',
    '3:16 → symbol 3:16, value 2:7, contextual 1:12',
    '4:13 → symbol 4:13, value 2:7',
  ]);
});

test('destructuring: the local, and the property it takes', () => {
  const text = [
    'type P = { a: number; in: { a: string } };',
    'declare const p: P; declare const all: P[];',
    'function f({ a }: P) { return a; }',
    'const { a: x, in: { a } } = p;',
    `const { ['a']: y } = p;`,
    'for (const { a } of all) a;',
  ].join('\n');
  expect(linksOf({ 'a.ts': text }, 'a')).toEqual([
    '1:12 → symbol 1:12',
    '1:29 → symbol 1:29',
    '3:14 → symbol 3:14, contextual 1:12',
    '3:31 → symbol 3:14',
    '4:9 → symbol 1:12',
    '4:21 → symbol 4:21, contextual 1:29',
    '5:11 → contextual 1:12',
    '6:14 → symbol 6:14, contextual 1:12',
    '6:26 → symbol 6:14',
  ]);
});

test('destructuring by assignment: what is written, and the property it takes', () => {
  const text = [
    'type P = { a: number; in: { a: number } }; let a: number, x: number;',
    'declare const p: P; declare const all: P[];',
    '({ a } = p); ({ a = 1 } = p); ({ a: x } = p);',
    '({ in: { a } } = p); [{ a }] = all; for ({ a } of all); ({ in: { a } = p.in } = p);',
    'x = [{ a } = p].length;',
  ].join('\n');
  const written = linksOf({ 'a.ts': text }, 'a').filter((line) => line.includes('value') || line.startsWith('3:34'));
  expect(written).toEqual([
    '3:4 → symbol 3:4, value 1:48, contextual 1:12',
    '3:17 → symbol 3:17, value 1:48, contextual 1:12',
    '3:34 → symbol 3:34, contextual 1:12',
    '4:10 → symbol 4:10, value 1:48, contextual 1:29',
    '4:25 → symbol 4:25, value 1:48, contextual 1:12',
    '4:44 → symbol 4:44, value 1:48, contextual 1:12',
    '4:66 → symbol 4:66, value 1:48, contextual 1:29',
    '5:8 → symbol 5:8, value 1:48, contextual 1:12',
  ]);
});

test('M3 a property of a union is each of its declarations; a literal is tied to the constituents it can be', () => {
  const text = [
    `type A = { kind: 'a'; v: number }; type B = { kind: 'b'; v: string }; type U = A | B;`,
    'declare const u: U; u.v; u["v"];',
    `const one: U = { kind: 'a', v: 1 };`,
    'const any: { v: number } | { v: string } = { v: 1 };',
    'declare const both: A & { v: number }; both.v;',
  ].join('\n');
  expect(linksOf({ 'a.ts': text }, 'v')).toEqual([
    '1:23 → symbol 1:23',
    '1:58 → symbol 1:58',
    '2:23 → symbol 1:23 + 1:58',
    '2:29 → symbol 1:23 + 1:58',
    '3:29 → symbol 3:29, contextual 1:23',
    '4:14 → symbol 4:14',
    '4:30 → symbol 4:30',
    '4:46 → symbol 4:46, contextual 4:14, contextual 4:30',
    '5:27 → symbol 5:27',
    '5:45 → symbol 1:23 + 5:27',
  ]);
});

test('mapped types and instantiations lead to the declarations they come from', () => {
  const text = [
    'interface A<T> { v: T }',
    'declare const m: { [K in keyof A<1>]: 1 }; m.v;',
    `declare const p: Pick<A<1>, 'v'>; p.v;`,
    'const l: Partial<A<1>> = { v: 1 };',
    'declare const i: A<string>; i.v;',
    `type V = A<1>['v'];`,
  ].join('\n');
  expect(linksOf({ 'a.ts': text }, 'v')).toEqual([
    '1:18 → symbol 1:18',
    '2:46 → symbol 1:18',
    '3:37 → symbol 1:18',
    '4:28 → symbol 4:28, contextual 1:18',
    '5:31 → symbol 1:18',
    '6:16 → symbol 1:18',
  ]);
});

test('specifiers: their own name, and one step towards what they stand for', () => {
  const files = {
    'a.ts': 'export const a = 1;\n',
    'b.ts': `export { a } from './a.js';\nexport { a as c } from './a.js';\n`,
    'c.ts': `import { a } from './b.js';\nimport { c as a2 } from './b.js';\na; a2;\nexport { a };\n`,
    'd.ts': `import * as n from './b.js';\nn.a; n.c;\nimport { a as d } from './b.js';\n`,
  };
  const programs = openTree(files);
  expect(linksOf(files, 'a', programs)).toEqual([
    '1:14 → symbol 1:14',
    'b.ts 1:10 → symbol 1:10, alias a.ts 1:14',
    'b.ts 2:10 → symbol a.ts 1:14',
    'c.ts 1:10 → symbol 1:10, alias b.ts 1:10',
    'c.ts 3:1 → symbol 1:10',
    'c.ts 4:10 → symbol 4:10, alias 1:10',
    'd.ts 2:3 → symbol b.ts 1:10',
    'd.ts 3:10 → symbol b.ts 1:10',
  ]);
  expect(linksOf(files, 'c', programs)).toEqual([
    'b.ts 2:15 → symbol 2:15, alias a.ts 1:14',
    'c.ts 2:10 → symbol b.ts 2:15',
    'd.ts 2:8 → symbol b.ts 2:15',
  ]);
  expect(linksOf(files, 'n', programs)).toEqual([
    'd.ts 1:13 → symbol 1:13, alias b.ts 1:1',
    'd.ts 2:1 → symbol 1:13',
    'd.ts 2:6 → symbol 1:13',
  ]);
});

test('default exports: by their name where they have one, else by the statement', () => {
  const files = {
    'a.ts': 'export default function named() {}\n',
    'b.ts': 'const x = 1;\nexport default x;\n',
    'c.ts': `export { default } from './a.js';\nimport a from './a.js';\nimport b from './b.js';\nexport { a as default2 };\n`,
  };
  const programs = openTree(files);
  expect(linksOf(files, 'default', programs)).toEqual(['c.ts 1:10 → symbol 1:10, alias a.ts 1:25']);
  expect(linksOf(files, 'a', programs)).toEqual(['c.ts 2:8 → symbol 2:8, alias a.ts 1:25', 'c.ts 4:10 → symbol 2:8']);
  expect(linksOf(files, 'b', programs)).toEqual(['c.ts 3:8 → symbol 3:8, alias b.ts 2:1']);
  expect(linksOf(files, 'x', programs)).toEqual(['b.ts 1:7 → symbol 1:7', 'b.ts 2:16 → symbol 1:7']);
});

test('`import = require`, import aliases and namespaces', () => {
  const text = [
    'namespace N { export const x = 1; export namespace I { export const y = x; } }',
    'import al = N.I;',
    'al.y; N.x; N.I.y;',
  ].join('\n');
  const programs = openTree({ 'a.ts': text });
  expect(linksOf({ 'a.ts': text }, 'I', programs)).toEqual([
    '1:52 → symbol 1:52',
    '2:15 → symbol 1:52',
    '3:14 → symbol 1:52',
  ]);
  expect(linksOf({ 'a.ts': text }, 'al', programs)).toEqual(['2:8 → symbol 2:8, alias 1:52', '3:1 → symbol 2:8']);
  expect(linksOf({ 'a.ts': text }, 'x', programs)).toEqual([
    '1:28 → symbol 1:28',
    '1:73 → symbol 1:28',
    '3:9 → symbol 1:28',
  ]);
});

test('M3 merged declarations, overloads and accessors are one symbol with many places', () => {
  const text = [
    'interface M { q: 1 } interface M { r: 2 } namespace M { export const s = 1; }',
    'class C { get acc() { return 1; } set acc(v) {} }',
    'function o(a: string): void; function o(a: number): void; function o(a: any) {}',
  ].join('\n');
  const programs = openTree({ 'a.ts': text });
  for (const [name, places] of [
    ['M', '1:11 + 1:32 + 1:53'],
    ['acc', '2:15 + 2:39'],
    ['o', '3:10 + 3:39 + 3:68'],
  ] as const)
    for (const line of linksOf({ 'a.ts': text }, name, programs)) expect(line).toContain(`→ symbol ${places}`);
});

test('M3 a parameter property is one place for the parameter and the property', () => {
  const text = 'class C { constructor(private p: number) { p; this.p; } m() { return this.p; } }\n';
  expect(linksOf({ 'a.ts': text }, 'p').map((line) => line.split(' → ')[1])).toEqual(new Array(4).fill('symbol 1:31'));
});

test('enums, private names, members written as strings', () => {
  const text = `enum E { a, b = a, 'c-d' } E.a; E['a']; let t: E.a;\nclass C { #a = 1; m() { return this.#a; } }\nE['c-d'];\n`;
  const programs = openTree({ 'a.ts': text });
  expect(linksOf({ 'a.ts': text }, 'a', programs).map((line) => line.split(' → ')[1])).toEqual(
    new Array(5).fill('symbol 1:10'),
  );
  expect(linksOf({ 'a.ts': text }, '#a', programs)).toEqual(['2:11 → symbol 2:11', '2:37 → symbol 2:11']);
  expect(linksOf({ 'a.ts': text }, 'c-d', programs)).toEqual(['1:21 → symbol 1:21', '3:4 → symbol 1:21']);
});

test('labels are bound to the statement that bears them, up to the next function', () => {
  const text =
    'l: for (;;) { l: for (;;) { continue l; } break l; }\nfor (;;) { break l; }\nl: { (() => { for (;;) break l; })(); }\n';
  expect(linksOf({ 'a.ts': text }, 'l')).toEqual([
    '1:1 → symbol 1:1',
    '1:15 → symbol 1:15',
    '1:38 → symbol 1:15',
    '1:49 → symbol 1:1',
    '2:18 → none',
    '3:1 → symbol 3:1',
    '3:30 → none',
  ]);
});

test('names of tuple members and import attributes are no other symbols', () => {
  const text = `const type = 1; type T = [type: number];\nimport j from './j.json' with { type: 'json' };\n`;
  expect(linksOf({ 'a.mts': text, 'j.json': '{}' }, 'type')).toEqual([
    '1:7 → symbol 1:7',
    '1:27 → symbol 1:27',
    '2:33 → symbol 2:33',
  ]);
});

test('JSX: components, attributes, their shorthand spread, intrinsic elements', () => {
  const text = [
    'declare global { namespace JSX { interface IntrinsicElements { div: { id?: string } } interface Element {} } }',
    'type Props = { id: string };',
    'export function Comp({ id }: Props) { return <div id={id} />; }',
    'export const one = <Comp id="1" />;',
    'const id = "2"; export const two = <Comp {...{ id }}></Comp>;',
  ].join('\n');
  const programs = openTree({ 'a.tsx': text });
  expect(linksOf({ 'a.tsx': text }, 'id', programs)).toEqual([
    '1:71 → symbol 1:71',
    '2:16 → symbol 2:16',
    '3:24 → symbol 3:24, contextual 2:16',
    '3:51 → symbol 3:51, contextual 1:71',
    '3:55 → symbol 3:24',
    '4:26 → symbol 4:26, contextual 2:16',
    '5:7 → symbol 5:7',
    '5:48 → symbol 5:48, value 5:7, contextual 2:16',
  ]);
  expect(linksOf({ 'a.tsx': text }, 'div', programs)).toEqual(['1:64 → symbol 1:64', '3:47 → symbol 1:64']);
  expect(linksOf({ 'a.tsx': text }, 'Comp', programs).map((line) => line.split(' → ')[1])).toEqual(
    new Array(4).fill('symbol 3:17'),
  );
});

test('documentation comments: parameters, type parameters, links', () => {
  const text = [
    '/** {@link g}',
    ' * @param a first',
    ' * @template T',
    ' * @see g */',
    'function g<T>(a: T) { return a; }',
  ].join('\n');
  const programs = openTree({ 'a.ts': text });
  expect(linksOf({ 'a.ts': text }, 'g', programs)).toEqual([
    '1:12 → symbol 5:10',
    '4:9 → symbol 5:10',
    '5:10 → symbol 5:10',
  ]);
  expect(linksOf({ 'a.ts': text }, 'a', programs)).toEqual([
    '2:11 → symbol 5:15',
    '5:15 → symbol 5:15',
    '5:30 → symbol 5:15',
  ]);
  // The compiler has no say about this tag where types are written in the code.
  expect(linksOf({ 'a.ts': text }, 'T', programs)).toEqual(['3:14 → none', '5:12 → symbol 5:12', '5:18 → symbol 5:12']);
});

test('JavaScript: type parameters of comments', () => {
  const text = '/** @template T\n * @param {T} a\n * @returns {T} */\nexport function g(a) { return a; }\n';
  expect(linksOf({ 'a.js': text }, 'T')).toEqual(['1:15 → symbol 1:15', '2:12 → symbol 1:15', '3:14 → symbol 1:15']);
});

test('JavaScript: types of comments, and parameters that a tag names by a path', () => {
  const text = [
    '/** @typedef {object} Opt',
    ' * @property {string} name */',
    '/** @param {Opt} opt',
    ' * @param {object} deep',
    ' * @param {string} deep.inner */',
    'export function h(opt, deep) { return opt.name + deep.inner; }',
  ].join('\n');
  const programs = openTree({ 'a.js': text });
  expect(linksOf({ 'a.js': text }, 'Opt', programs)).toEqual(['1:23 → symbol 1:23', '3:13 → symbol 1:23']);
  expect(linksOf({ 'a.js': text }, 'name', programs)).toEqual(['2:23 → symbol 2:23', '6:43 → symbol 2:23']);
  expect(linksOf({ 'a.js': text }, 'deep', programs).map((line) => line.split(' → ')[1])).toEqual(
    new Array(4).fill('symbol 6:24'),
  );
  expect(linksOf({ 'a.js': text }, 'inner', programs)).toEqual(['5:25 → symbol 5:25', '6:55 → symbol 5:25']);
});

test('CommonJS: exports by assignment, by string and by definition, and who requires them', () => {
  const files = {
    'a.cjs':
      'const x = 1;\nexports.x = x;\nmodule.exports["q"] = 2;\nObject.defineProperty(exports, "d", { value: 3 });\n',
    'b.cjs': `const { x } = require('./a.cjs');\nconst a = require('./a.cjs');\nx; a.x; a.q; a['d'];\n`,
  };
  const programs = openTree(files);
  expect(linksOf(files, 'x', programs)).toEqual([
    '1:7 → symbol 1:7',
    '2:9 → symbol 2:9, alias 1:7',
    '2:13 → symbol 1:7',
    'b.cjs 1:9 → symbol 1:9, alias a.cjs 2:9',
    'b.cjs 3:1 → symbol 1:9',
    'b.cjs 3:6 → symbol a.cjs 2:9',
  ]);
  expect(linksOf(files, 'q', programs)).toEqual(['3:17 → symbol 3:17', 'b.cjs 3:11 → symbol a.cjs 3:17']);
  expect(linksOf(files, 'd', programs)).toEqual(['4:33 → symbol 4:33', 'b.cjs 3:17 → symbol a.cjs 4:33']);
});

test('M18 what the compiler does not know has no binding, and what it brings along has no place', () => {
  const text = 'nowhere; (1 as any).member; undefined; const p: Missing = 1;\n';
  const programs = openTree({ 'a.ts': text });
  for (const name of ['nowhere', 'member', 'Missing'])
    expect(linksOf({ 'a.ts': text }, name, programs)).toEqual([expect.stringMatching(/→ none$/)]);
  expect(linksOf({ 'a.ts': text }, 'undefined', programs)).toEqual([expect.stringMatching(/→ symbol $/)]);
});

test('M18 a request that fails is halved until what fails stands alone', () => {
  const programs = openTree({ 'a.ts': 'const a = 1, b = a, c = b, d = c;\n' });
  const [program] = programs.open;
  if (program === undefined) throw new Error('no program');
  const tokens = listNameTokens(program, 'a.ts');
  const { checker } = program.project;
  const real = checker.getSymbolAtLocation.bind(checker);
  const failing = Object.create(checker) as typeof checker;
  failing.getSymbolAtLocation = ((nodes: readonly Node[]) => {
    if (nodes.some((node) => node === tokens[3]?.node)) throw new Error('panic: here\nstack');
    return real(nodes);
  }) as typeof checker.getSymbolAtLocation;
  const broken = {
    ...program,
    project: Object.create(program.project, { checker: { value: failing } }) as typeof program.project,
  };
  const bindings = bindTokens(broken, tokens);
  expect(bindings.map(({ kind }) => kind)).toEqual(tokens.map((_, at) => (at === 3 ? 'failed' : 'bound')));
  expect(bindings[3]).toEqual({ kind: 'failed', detail: 'panic: here' });
});

test('a compiler that is gone is an error, not an answer', () => {
  const programs = openTree({ 'a.ts': 'const a = 1;\n' });
  const [program] = programs.open;
  if (program === undefined) throw new Error('no program');
  const tokens = listNameTokens(program, 'a.ts');
  programs.close();
  expect(() => bindTokens(program, tokens)).toThrow();
});
