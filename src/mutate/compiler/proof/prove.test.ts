import { afterEach, expect, test } from 'vitest';
import { proveMarked, readMarkedEdits } from '../../../../test/support/marked-edits.ts';
import { closePrograms, openTree, renderConfig } from '../../../../test/support/open-programs.ts';
import type { ProofQuestion, ProofReport } from '../session/messages.ts';
import { prove } from './prove.ts';

afterEach(closePrograms);

type Case = {
  readonly title: string;
  readonly files: Readonly<Record<string, string>>;
  readonly about?: Partial<ProofQuestion>;
  readonly expect: 'proven' | 'bindings_change' | 'new_diagnostics';
};

const verdict = (report: ProofReport) => (report.kind === 'disproved' ? report.reason : report.kind);
const member = { isMember: true };

const proven: readonly Omit<Case, 'expect'>[] = [
  {
    title: 'M15 a local and its uses',
    files: { 'a.ts': 'function f(‹a→b›: number) { return «a→b» + 1; }\n' },
    about: { reach: 'file' },
  },
  {
    title: 'M15 an exported function through imports and re-exports',
    files: {
      'a.ts': 'export function ‹a→b›() {}\n',
      'b.ts': "export { «a→b» } from './a.js';\n",
      'c.ts': "import { «a→b» } from './b.js';\n«a→b»();\n",
    },
  },
  {
    title: 'M11 a shorthand whose variable is renamed',
    files: { 'a.ts': 'const ‹a→b› = 1;\nexport const o = { «a→a: b» };\no.a;\n' },
  },
  {
    title: 'M11 a shorthand whose property is renamed',
    files: { 'a.ts': 'type T = { ‹a→b›: number };\nconst a = 1;\nexport const t: T = { «a→b: a» };\nt.«a→b»;\n' },
    about: member,
  },
  {
    title: 'M11 a destructuring whose property is renamed, with a default',
    files: { 'a.ts': 'type T = { ‹a→b›?: number };\nexport function f({ «a→b: a» = 1 }: T) { return a; }\n' },
    about: member,
  },
  {
    title: 'M11 a destructuring whose local is renamed',
    files: { 'a.ts': 'declare const o: { a: number };\nconst { ‹a→a: b› } = o;\nexport const x = «a→b»;\n' },
    about: { oldName: 'a', newName: 'b' },
  },
  {
    title: 'M11 a destructuring assignment',
    files: {
      'a.ts':
        'type T = { ‹a→b›: number };\nlet a: number;\ndeclare const t: T;\n({ «a→b: a» } = t);\nexport const x = a;\n',
    },
    about: member,
  },
  {
    title: 'M11 an import that keeps its local name',
    files: {
      'a.ts': 'export const ‹a→b› = 1;\n',
      'c.ts': "import { «a→b as a» } from './a.js';\nexport const x = a;\n",
    },
  },
  {
    title: 'M11 an import whose local name changes',
    files: {
      'a.ts': 'export const a = 1;\n',
      'c.ts': "import { ‹a→a as b› } from './a.js';\nexport const x = «a→b»;\n",
    },
    about: { oldName: 'a', newName: 'b' },
  },
  {
    title: 'M11 an export that keeps its public name',
    files: {
      'a.ts': 'const ‹a→b› = 1;\nexport { «a→b as a» };\n',
      'c.ts': "import { a } from './a.js';\nexport const x = a;\n",
    },
  },
  {
    title: 'M15 quoted, bracketed and accessed names',
    files: {
      'a.ts': `type T = { ‹a→b›: number };\nconst t: T = { "«a→b»": 1 };\nt['«a→b»'];\nexport type X = T['«a→b»'];\nexport const u: T = { ['«a→b»']: 2 };\n`,
    },
    about: member,
  },
  {
    title: 'M11 a quoted name in a pattern',
    files: {
      'a.ts': `type T = { '‹a→b›': number };\nexport function f({ '«a→b»': a }: T) { return a; }\ndeclare const t: T;\nexport const { '«a→b»': x } = t;\n`,
    },
    about: member,
  },
  {
    title: 'M15 JSX components and attributes',
    files: {
      'tsconfig.json': renderConfig({ jsx: 'preserve' }),
      'a.tsx': `declare namespace JSX { interface Element {} interface ElementAttributesProperty { props: {} } }
const Old = ({ «a→b: a» }: { ‹a→b›?: boolean }): JSX.Element => a as {};
export const x = <Old «a→b»={true}></Old>;
`,
    },
    about: member,
  },
  {
    title: 'M15 names in documentation comments',
    files: { 'a.js': '/**\n * @param {number} «a→b» how many\n */\nexport function f(‹a→b›) { return «a→b»; }\n' },
    about: { reach: 'file' },
  },
  {
    title: 'M15 enum members, also by string',
    files: { 'a.ts': 'enum E { ‹a→b› = 1, c = «a→b» }\nexport const x = E.«a→b» + E["«a→b»"] + E.c;\n' },
    about: member,
  },
  {
    title: 'M15 merged declarations',
    files: {
      'a.ts':
        'export interface ‹A→B› { x: number }\nexport interface ‹A→B› { y: number }\nexport namespace ‹A→B› { export const z = 1 }\nexport const a: «A→B» = { x: 1, y: «A→B».z };\n',
    },
  },
  {
    title: 'M15 private names',
    files: {
      'a.ts':
        'export class C { ‹#a→#b› = 1; get() { return this.«#a→#b»; } has(o: object) { return «#a→#b» in o; } }\n',
    },
    about: member,
  },
  {
    title: 'M15 labels',
    files: { 'a.ts': '‹a→b›: for (;;) { break «a→b»; }\nexport {};\n' },
    about: { reach: 'file' },
  },
  {
    title: 'M15 a property of every constituent of a union',
    files: {
      'a.ts': 'type A = { ‹a→b›: 1 };\ntype B = { ‹a→b›: 2 };\ndeclare const u: A | B;\nexport const x = u.«a→b»;\n',
    },
    about: member,
  },
  {
    title: 'M15 errors that exist before are allowed, as themselves, also where they name the symbol',
    files: {
      'a.ts': 'export function ‹a→b›(x: number) { return x; }\n«a→b»("text");\nmissing;\nconst n: string = «a→b»;\n',
    },
  },
  {
    title: 'M15 an override and what it overrides',
    files: {
      'a.ts': 'class A { ‹a→b›() {} }\nclass B extends A { override ‹a→b›() { super.«a→b»(); } }\nexport { B };\n',
    },
    about: member,
  },
];

const disproved: readonly Case[] = [
  {
    title: 'M16 a reference captured by an inner declaration, though it type-checks',
    files: { 'a.ts': 'const ‹a→b› = 1;\nexport function f(b: number) { return «a→b» + b; }\n' },
    expect: 'bindings_change',
  },
  {
    title: 'M16 a free reference captured by the renamed declaration, though it type-checks',
    files: { 'a.ts': 'const b = 1;\nexport function f(‹a→b›: number) { return «a→b» + b; }\n' },
    about: { reach: 'file' },
    expect: 'bindings_change',
  },
  {
    title: 'M16 an import captured in another file',
    files: {
      'a.ts': 'export const ‹a→b› = 1;\n',
      'c.ts': "import { «a→b» } from './a.js';\nexport function f(b: number) { return «a→b» + b; }\n",
    },
    expect: 'bindings_change',
  },
  {
    title: 'M16 a global captured by a module declaration',
    files: {
      'a.ts':
        'export const ‹a→name› = "x";\nexport const x = «a→name» + String(Number);\nexport const y = () => name;\n',
    },
    expect: 'bindings_change',
  },
  {
    title: 'M15 an overload chosen by the renamed property, in a file that never names it',
    files: {
      'a.ts': 'export interface Options { ‹a→b›: number }\nexport declare const options: Options;\n',
      'f.ts':
        'export declare function f(o: { b: number }): { x: 1 };\nexport declare function f(o: object): { x: 2 };\n',
      'use.ts': "import { options } from './a.js';\nimport { f } from './f.js';\nexport const r = f(options).x;\n",
    },
    about: member,
    expect: 'bindings_change',
  },
  {
    title: 'M15 an inference steered by the renamed property',
    files: {
      'a.ts': 'export interface One { ‹a→b›: 1 }\nexport declare const one: One;\n',
      't.ts':
        'export interface Yes { r: 1 }\nexport interface No { r: 2 }\nexport declare function g<T>(t: T): T extends { b: 1 } ? Yes : No;\n',
      'use.ts': "import { one } from './a.js';\nimport { g } from './t.js';\nexport const r = g(one).r;\n",
    },
    about: member,
    expect: 'bindings_change',
  },
  {
    title: 'M3 a union whose property changes in one constituent only',
    files: {
      'a.ts': 'type A = { ‹a→b›: 1 };\ntype B = { a: 2 };\ndeclare const u: A | B;\nexport const x = u.«a→b»;\n',
    },
    about: member,
    expect: 'bindings_change',
  },
  {
    title: 'M3 an override left behind',
    files: { 'a.ts': 'class A { ‹a→b›() {} }\nexport class B extends A { a() { super.«a→b»(); } b() {} }\n' },
    about: member,
    expect: 'bindings_change',
  },
  {
    title: 'M15 a base type outside the repository has the new name',
    files: {
      'node_modules/lib/package.json': '{ "name": "lib", "types": "index.d.ts" }',
      'node_modules/lib/index.d.ts': 'export class Base { b(): void }\n',
      'a.ts': "import { Base } from 'lib';\nexport class A extends Base { ‹a→b›() {} }\n",
    },
    about: member,
    expect: 'bindings_change',
  },
  {
    title: 'M15 an implemented interface has the new name as an optional member',
    files: { 'a.ts': 'interface I { b?(): void }\nexport class A implements I { ‹a→b›() {} }\n' },
    about: member,
    expect: 'bindings_change',
  },
  {
    title: 'M15 a derived class in another file has the new name',
    files: {
      'a.ts': 'export class A { ‹a→b›() {} }\n',
      'c.ts': "import { A } from './a.js';\nexport class C extends A { b() {} }\n",
    },
    about: member,
    expect: 'bindings_change',
  },
  {
    title: 'M15 a static member meets one of a derived class',
    files: { 'a.ts': 'class A { static ‹a→b›() {} }\nexport class C extends A { static b() {} }\n' },
    about: member,
    expect: 'bindings_change',
  },
  {
    title: 'M18 what was unresolved must stay unresolved',
    files: { 'a.ts': 'export const ‹a→b› = 1;\nexport const x = b;\n' },
    expect: 'bindings_change',
  },
  {
    title: 'M15 a use that was not edited',
    files: { 'a.ts': 'export const ‹a→b› = 1;\n', 'c.ts': "import { a } from './a.js';\nexport const x = a;\n" },
    expect: 'bindings_change',
  },
  {
    title: 'M15 two declarations that merge into one',
    files: { 'a.ts': 'interface ‹A→B› { x: 1 }\ninterface B { y: 1 }\nexport const a = (v: «A→B», w: B) => [v, w];\n' },
    expect: 'bindings_change',
  },
  {
    title: 'M15 a new diagnostic although no name is bound anew',
    files: {
      'a.ts': 'export interface A { ‹a→b›: number }\nexport declare const a: A;\n',
      'c.ts':
        "import { a } from './a.js';\ndeclare function f(x: { [key: string]: unknown; b?: string }): void;\nf({ ...a });\n",
    },
    about: member,
    expect: 'new_diagnostics',
  },
  {
    title: 'M15 a diagnostic that goes away is a change, too',
    files: {
      'a.ts': 'export class A { ‹a→b› = 1 }\n',
      'c.ts': "import { A } from './a.js';\nexport const i: { readonly b: number } = new A();\n",
    },
    about: member,
    expect: 'new_diagnostics',
  },
  {
    title: 'M15 a wrong written-out form: the local instead of the property',
    files: { 'a.ts': 'type T = { ‹a→b›: number };\nexport function f({ «a→a: b» }: T) { return a; }\n' },
    about: member,
    expect: 'bindings_change',
  },
  {
    title: 'M16 a rest element gets the name of a property',
    files: { 'a.ts': 'declare const o: { x: 1; b: 2 };\nconst { x, ...‹a→b› } = o;\nexport const y = [x, «a→b»];\n' },
    expect: 'bindings_change',
  },
  {
    title: 'M16 one key of a mapped type for another, which have no declarations',
    files: { 'a.ts': "declare const o: Record<'a' | 'b', 1>;\nexport const x = o.«a→b»;\n" },
    about: member,
    expect: 'bindings_change',
  },
  {
    title: 'M15 an edit that makes names of what was none',
    files: { 'a.ts': 'const ‹a→b› = 1;\nexport const x = «a→b» + «1→c»;\nconst c = 2;\n' },
    about: { oldName: 'a', newName: 'b' },
    expect: 'bindings_change',
  },
];

for (const { title, files, about } of proven)
  test(`${title}: proven`, () => expect(proveMarked(files, about)).toMatchObject({ kind: 'proven' }));

for (const { title, files, about, expect: reason } of disproved)
  test(title, () => expect(verdict(proveMarked(files, about))).toBe(reason));

test('M15 a file that moves takes its names along, and its importers follow', () => {
  const files = {
    'old/a.ts': "import { c } from '«../c.js→../../c.js»';\nexport const a = c;\n",
    'c.ts': 'export const c = 1;\n',
    'use.ts': "import { a } from '«./old/a.js→./new/deep/a.js»';\nexport const x = a;\n",
  };
  const moves = [{ from: 'old/a.ts', to: 'new/deep/a.ts' }];
  expect(proveMarked(files, { oldName: '', newName: '', moves })).toMatchObject({ kind: 'proven', files: 2 });
  const forgotten = { ...files, 'use.ts': "import { a } from './old/a.js';\nexport const x = a;\n" };
  expect(verdict(proveMarked(forgotten, { oldName: '', newName: '', moves }))).toBe('bindings_change');
});

test('M15 files from which no import leads to an edit are left out, and all are taken where a file speaks for others', () => {
  const files = {
    'a.ts': 'export interface ‹A→B› { readonly a: 1 }\n',
    'use.ts': "import type { «A→B» } from './a.js';\nexport declare const x: «A→B»;\n",
    'far.ts': "import { x } from './use.js';\nexport const y = x;\n",
    'else.ts': 'export const z = 1;\n',
  };
  expect(proveMarked(files)).toMatchObject({ kind: 'proven', files: 3 });
  const global = { 'global.ts': "import { y } from './far.js';\ndeclare global { var shared: typeof y }\n" };
  expect(proveMarked({ ...files, ...global })).toMatchObject({ kind: 'proven', files: 5 });
});

test('M15 half a proof answers for its own conditions', () => {
  const fits = {
    'a.ts': 'export class A { ‹a→b› = 1 }\n',
    'c.ts': "import { A } from './a.js';\nexport const i: { readonly b: number } = new A();\n",
  };
  expect(proveMarked(fits, { ...member, part: 'names' })).toMatchObject({ kind: 'proven', tokens: 6, diagnostics: 0 });
  expect(verdict(proveMarked(fits, { ...member, part: 'diagnostics' }))).toBe('new_diagnostics');
  const captured = { 'a.ts': 'const ‹a→b› = 1;\nexport function f(b: number) { return «a→b» + b; }\n' };
  expect(proveMarked(captured, { part: 'diagnostics' })).toMatchObject({ kind: 'proven', tokens: 0 });
});

test('M15 of many files all is proved at once only where the spelling of the name decides nothing', () => {
  const ask = (newName: string, few: number) => {
    const { files, edits, family } = readMarkedEdits({
      'a.ts': `export function ‹old→${newName}›() {}\n`,
      'b.ts': `import { «old→${newName}» } from './a.js';\n«old→${newName}»();\n`,
      'c.ts': `import { «old→${newName}» } from './a.js';\n«old→${newName}»();\n`,
    });
    const subject = { kind: 'prove', oldName: 'old', newName, edits, moves: [], reach: 'repo', family } as const;
    return prove(openTree(files), { ...subject, isMember: false, part: 'if small', files: few }).kind;
  };
  expect(ask('fresh', 1)).toBe('proven');
  expect(ask('Fresh', 1)).toBe('not_small');
  expect(ask('Fresh', 3)).toBe('proven');
});

test('M15 every way to import is a way to be reached', () => {
  const files = {
    'tsconfig.json': renderConfig({ module: 'nodenext', allowJs: true, checkJs: true }),
    'a.ts': 'export const ‹a→b› = 1;\nexport type T = 1;\n',
    'type.ts': "export type X = import('./a.js').T;\n",
    'dynamic.ts': "export const x = () => import('./a.js');\n",
    'star.ts': "export * from './a.js';\n",
    'equals.cts': "import a = require('./plain.cjs');\nexport = a;\n",
    'plain.cts': 'export const p = 1;\n',
    'doc.js': "/** @type {import('./a.js').T} */\nexport const y = 1;\n",
    'tag.js': "/** @import { T } from './a.js' */\n/** @type {T} */\nexport const y = 1;\n",
    'else.ts': "export { p } from './plain.cjs';\n",
  };
  expect(proveMarked(files)).toMatchObject({ kind: 'proven', files: 6 });
});

test('M15 a module that is also a global speaks for others', () => {
  const files = {
    'a.ts': 'export const ‹a→b› = 1;\n',
    'g.d.ts': "export { «a→b» } from './a.js';\nexport as namespace G;\n",
    'else.ts': 'export {};\n',
  };
  expect(proveMarked(files)).toMatchObject({ kind: 'proven', files: 3 });
});

test('M15 what one question need not ask, the next one of the same job may have to', () => {
  const marked = {
    'a.ts': 'export const ‹a→b› = 1;\nexport const other = 2;\n',
    'c.ts': "import { «a→b» as local } from './a.js';\nexport const x = local;\n",
  };
  const { files, edits, family } = readMarkedEdits(marked);
  const programs = openTree(files);
  const start = files['a.ts']?.indexOf('other') ?? 0;
  const about = { kind: 'prove', moves: [], reach: 'repo', isMember: false } as const;
  const other = { path: 'a.ts', start, end: start + 5, oldText: 'other', newText: 'more', form: 'plain' } as const;
  const place = { path: 'a.ts', start, outside: false };
  const first = prove(programs, { ...about, oldName: 'other', newName: 'more', edits: [other], family: [place] });
  expect(verdict(first)).toBe('proven');
  expect(verdict(prove(programs, { ...about, oldName: 'a', newName: 'b', edits, family }))).toBe('proven');
});

test('M15 a JSX runtime of our own reaches every file with JSX, however it shows its namespace', () => {
  const jsx = { jsx: 'react-jsx', jsxImportSource: 'rt', module: 'esnext', moduleResolution: 'bundler' };
  const files = {
    'tsconfig.json': renderConfig({ ...jsx, paths: { 'rt/jsx-runtime': ['./rt/jsx-runtime.ts'] } }),
    'rt/elements.ts': 'export interface Element {}\nexport interface IntrinsicElements { box: { ‹a→b›: string } }\n',
    'rt/jsx-runtime.ts': "export * as JSX from './elements';\nexport declare function jsx(): unknown;\n",
    'make.ts': "export function make() { return { a: 'x' }; }\n",
    'c.tsx': "import { make } from './make';\nexport const y = <box {...make()} />;\n",
  };
  expect(verdict(proveMarked(files, member))).toBe('new_diagnostics');
});

test('M18 what could not be compared is counted beyond the places that are told', () => {
  const uses = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`x${at}.ts`, '«a→b»;\n']));
  const files = {
    'tsconfig.json': renderConfig({}, { files: ['a.ts'] }),
    'a.ts': 'export const ‹a→b› = 1;\n',
    ...uses,
  };
  const report = proveMarked(files);
  expect(report).toMatchObject({ kind: 'gaps', more: 10 });
  expect(report.kind === 'gaps' && report.places).toHaveLength(20);
});

test('M18 a member in JavaScript whose errors cannot be asked for is a gap', () => {
  // As if it were switched on already, so that nothing is written into it.
  const config = `// "checkJs": true, one day\n${renderConfig()}`;
  const files = { 'a.js': 'export class A { ‹a→b› = 1 }\nnew A().«a→b»;\n' };
  expect(proveMarked(files, member)).toMatchObject({ kind: 'proven' });
  expect(proveMarked({ 'tsconfig.json': config, ...files }, member)).toMatchObject({
    kind: 'gaps',
    places: [{ at: { path: 'a.js' }, before: 'JavaScript', after: 'its errors cannot be asked for' }],
  });
});

test('M18 a token whose binding request fails is a gap, before or after', () => {
  const { files, edits, family } = readMarkedEdits({
    'a.ts': 'export const ‹a→_b› = 1;\nexport const x = «a→_b»;\nexport const o = { y: 1 };\nexport const z = o.y;\n',
  });
  const programs = openTree(files);
  const checker = programs.open[0]?.project.checker as unknown as {
    getSymbolAtLocation(nodes: readonly { text: string }[]): unknown;
  };
  const asked = checker.getSymbolAtLocation.bind(checker);
  checker.getSymbolAtLocation = (nodes) => {
    if ([nodes].flat().some(({ text }) => text === 'y')) throw new Error('panic');
    return asked(nodes);
  };
  const question = {
    kind: 'prove',
    oldName: 'a',
    newName: '_b',
    edits,
    moves: [],
    reach: 'repo',
    family,
    isMember: false,
  } as const;
  expect(prove(programs, question)).toEqual({
    kind: 'gaps',
    places: [{ at: { path: 'a.ts', start: 86, end: 87 }, before: 'y', after: 'panic' }],
    more: 0,
  });
});

test('M15 what the compiler said of another name only because of what it was asked before is asked again', () => {
  const { files, edits, family } = readMarkedEdits({
    'a.ts': 'export const ‹a→_b› = 1;\nexport const o = { y: «a→_b» };\nexport const z = o.y;\n',
  });
  const programs = openTree(files);
  const checker = programs.open[0]?.project.checker as unknown as {
    getSymbolAtLocation(nodes: readonly { text: string }[]): readonly unknown[];
  };
  const asked = checker.getSymbolAtLocation.bind(checker);
  checker.getSymbolAtLocation = (nodes) => {
    const answers = asked(nodes);
    return Array.isArray(nodes) ? answers.map((answer, at) => (nodes[at]?.text === 'y' ? undefined : answer)) : answers;
  };
  const about = { oldName: 'a', newName: '_b', moves: [], reach: 'repo', isMember: false } as const;
  expect(prove(programs, { kind: 'prove', edits, family, ...about })).toMatchObject({ kind: 'proven' });
});

test('M15 an edit in a file that no program has is a gap', () => {
  const report = proveMarked({
    'tsconfig.json': renderConfig({}, { files: ['a.ts'] }),
    'a.ts': 'export const ‹a→b› = 1;\n',
    'b.ts': '«a→b»;\n',
  });
  expect(report).toMatchObject({ kind: 'gaps', places: [{ at: { path: 'b.ts' } }] });
});

test('M15 at most twenty places are told, and how many more there are', () => {
  const uses = Array.from({ length: 30 }, (_, at) => `export const x${at} = a;\n`).join('');
  const report = proveMarked({ 'a.ts': 'export const ‹a→b› = 1;\n', 'c.ts': `import { a } from './a.js';\n${uses}` });
  expect(report.kind === 'disproved' && report.places.length).toBeLessThanOrEqual(20);
});
