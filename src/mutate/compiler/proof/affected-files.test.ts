import { afterEach, expect, test } from 'vitest';
import { readMarkedEdits } from '../../../../test/support/marked-edits.ts';
import { closePrograms, openTree, renderConfig } from '../../../../test/support/open-programs.ts';
import type { Programs } from '../job/job-types.ts';
import { listAffected } from './affected-files.ts';

afterEach(closePrograms);

type Files = Readonly<Record<string, string>>;

/** By file, what the compiler reports. */
function listErrors({ open: [program] }: Programs): ReadonlyMap<string, string> {
  const errors = new Map<string, string>();
  for (const path of program?.files ?? []) {
    const found = program?.project.program.getSemanticDiagnostics(program.sourceFile(path)?.fileName) ?? [];
    errors.set(path, found.map(({ code, text }) => `${code} ${text}`).join('\n'));
  }
  return errors;
}

/** The files that the marked edit reaches, after the compiler has said which ones it changes. */
function reach(marked: Files): { readonly changed: readonly string[]; readonly reached: readonly string[] | null } {
  const { files, edits } = readMarkedEdits(marked);
  const [edit] = edits;
  const before = openTree(files);
  const [program] = before.open;
  if (edit === undefined || program === undefined) throw new Error('no edit');
  const text = files[edit.path] ?? '';
  const edited = `${text.slice(0, edit.start)}${edit.newText}${text.slice(edit.end)}`;
  const [was, is] = [listErrors(before), listErrors(before.withTexts(new Map([[edit.path, edited]])))];
  return {
    changed: [...was].flatMap(([path, errors]) => (is.get(path) === errors ? [] : [path])),
    reached: listAffected(before, program, { seeds: [edit] }),
  };
}

const uses = (what: string) => `import { ${what} } from './a.js';\nexport const text: string = ${what}.at;\n`;

/** In each the compiler reports something else in `b.ts` afterwards, and nothing in `apart.ts`, which takes something else from `a.ts`. */
const chains: Readonly<Record<string, Files>> = {
  'a member of a type': {
    'a.ts': 'interface Own { at: «string→number» }\nexport declare const b: Own;\nexport const apart = 1;\n',
    'b.ts': uses('b'),
  },
  'through a module between': {
    'own.ts': 'export interface Own { at: «string→number» }\n',
    'a.ts':
      "import type { Own as Mine } from './own.js';\nexport declare const b: Mine;\nexport declare const apart: string;\n",
    'b.ts': uses('b'),
  },
  'through a list of exports': {
    'own.ts': 'declare const own: { at: «string→number» };\nexport { own as one };\nexport const apart = 1;\n',
    'a.ts': "export { one as b, apart } from './own.js';\n",
    'b.ts': uses('b'),
  },
  'through all that a module passes on': {
    'own.ts': 'export declare const b: { at: «string→number» };\nexport const apart = 1;\n',
    'a.ts': "export * from './own.js';\n",
    'b.ts': uses('b'),
  },
  'through how a module passes on all of another': {
    'own.ts': "export const b = { at: '' };\n",
    'a.ts': "export «→type »* from './own.js';\n",
    'b.ts': uses('b'),
    'apart.ts': "export { b } from './own.js';\n",
  },
  'through a module under one name': {
    'own.ts': 'export declare const own: { at: «string→number» };\n',
    'a.ts': "export * as b from './own.js';\nexport const apart = 1;\n",
    'b.ts': "import { b } from './a.js';\nexport const text: string = b.own.at;\n",
  },
  'through a module as a whole': {
    'a.ts': 'export declare const own: { at: «string→number» };\n',
    'b.ts': "import * as a from './a.js';\nexport const text: string = a.own.at;\n",
    'apart.ts': 'export const apart = 1;\n',
  },
  'through a type that names the module': {
    'a.ts': 'export declare const own: { at: «string→number» };\n',
    'b.ts': "declare const own: typeof import('./a.js').own;\nexport const text: string = own.at;\n",
    'apart.ts': 'export const apart = 1;\n',
  },
  'through what is imported when it is needed': {
    'a.ts': 'export declare const own: { at: «string→number» };\n',
    'b.ts': "export async function get(): Promise<string> {\n  return (await import('./a.js')).own.at;\n}\n",
    'apart.ts': 'export const apart = 1;\n',
  },
  'through a default': {
    'a.ts': 'declare const own: { at: «string→number» };\nexport default own;\nexport const apart = 1;\n',
    'b.ts': "import own from './a.js';\nexport const text: string = own.at;\n",
  },
  'through what a module is': {
    'a.cts': 'declare const own: { at: «string→number» };\nexport = own;\n',
    'b.ts': "import own from './a.cjs';\nexport const text: string = own.at;\n",
    'apart.ts': 'export const apart = 1;\n',
  },
  'through another declaration of the same name': {
    'a.ts': 'export interface Own { a: 1 }\nexport interface Own { at: «string→number» }\nexport const apart = 1;\n',
    'b.ts': "import type { Own } from './a.js';\nexport const text = (own: Own): string => own.at;\n",
  },
  'through a result without a written type': {
    'a.ts': 'export function b() {\n  return { at: «String→Number»(1) };\n}\nexport const apart = 1;\n',
    'b.ts': "import { b } from './a.js';\nexport const text: string = b().at;\n",
  },
  'through a property that only the constructor knows': {
    'a.ts':
      'export class Own {\n  at;\n  constructor() {\n    this.at = «String→Number»(1);\n  }\n}\nexport const b = new Own();\nexport const apart = 1;\n',
    'b.ts': uses('b'),
  },
  'through what a static block excludes': {
    'a.ts':
      "declare const one: { kind: 'a'; at: string } | { kind: 'b'; at: number };\nexport class Ran {\n  static {\n    if (one.kind !== '«a→b»') throw 1;\n  }\n}\nexport const b = one;\n",
    'b.ts': uses('b'),
    'apart.ts': 'export const apart = 1;\n',
  },
  'through what is assigned in passing': {
    'a.ts':
      'let one: { at: string } | { at: number; b: 1 } = { at: 1, b: 1 };\nexport const ran = [(one = {} as { at: «string→number»; b: 1 })];\nexport const b = one;\n',
    'b.ts': uses('b'),
    'apart.ts': 'export const apart = 1;\n',
  },
  'through a property that is put on a function': {
    'a.ts': 'export function b() {}\nb.at = «String→Number»(1);\n',
    'b.ts': uses('b'),
    'apart.ts': 'export const apart = 1;\n',
  },
  'through what is assigned later': {
    'a.ts': 'let later;\nlater = { at: «String→Number»(1) };\nexport const b = later;\n',
    'b.ts': uses('b'),
    'apart.ts': 'export const apart = 1;\n',
  },
  'through what is excluded before': {
    'a.ts':
      "declare const one: { kind: 'a'; at: string } | { kind: 'b'; at: number };\nif (one.kind !== '«a→b»') throw 1;\nexport const b = one;\n",
    'b.ts': uses('b'),
    'apart.ts': 'export const apart = 1;\n',
  },
  'through what is excluded by something that runs at once': {
    'a.ts':
      "declare const one: { kind: 'a'; at: string } | { kind: 'b'; at: number };\nexport const ran = (() => {\n  if (one.kind !== '«a→b»') throw 1;\n  return 1;\n})();\nexport const b = one;\n",
    'b.ts': uses('b'),
    'apart.ts': 'export const apart = 1;\n',
  },
  'through what is assigned to a property in passing': {
    'a.ts':
      'declare const one: { at: string | number };\nexport enum Ran {\n  a = +(one.at = «String→Number»(1)),\n}\nexport const b = { at: one.at };\n',
    'b.ts': uses('b'),
    'apart.ts': 'export const apart = 1;\n',
  },
  'through what a list is filled with': {
    'a.ts':
      'const list = [];\nexport const ran = list.push({ at: «String→Number»(1) });\nexport const b = { at: list.map(({ at }) => at)[0]! };\n',
    'b.ts': uses('b'),
    'apart.ts': 'export const apart = 1;\n',
  },
  'through what is asserted in passing': {
    'a.ts':
      "declare const one: { kind: 'a'; at: string } | { kind: 'b'; at: number };\ndeclare function must(it: unknown): asserts it is { kind: '«a→b»' };\nexport const ran = (must(one), 1);\nexport const b = one;\n",
    'b.ts': uses('b'),
    'apart.ts': 'export const apart = 1;\n',
  },
  'through a property that is put on a function in passing': {
    'a.ts': 'export const b = () => {};\nexport const ran = [(b.at = «String→Number»(1))];\n',
    'b.ts': uses('b'),
    'apart.ts': 'export const apart = 1;\n',
  },
  'through what a body assigns to a variable around it': {
    'a.ts':
      "export function b(one: string | number) {\n  if (typeof one !== 'string') throw 1;\n  const get = () => one;\n  const set = (): void => void («1→one = 1»);\n  return { at: get(), set };\n}\nexport const apart = 1;\n",
    'b.ts': "import { b } from './a.js';\nexport const text: string = b('').at;\n",
  },
  'through what stands right behind a body': {
    'a.ts': 'export const b = new (class {\n  get(): void {}«at→in» = String(1);\n})();\nexport const apart = 1;\n',
    'b.ts': uses('b'),
  },
  'through what is added to a result': {
    'a.ts': "export function b(): string«→ | number» {\n  return '';\n}\nexport const apart = 1;\n",
    'b.ts': "import { b } from './a.js';\nexport const text: string = b();\n",
  },
  'and who takes a default that is apart is not': {
    'package.json': '{ "type": "module" }',
    'a.ts': 'export declare const b: { at: «string→number» };\nexport default 1;\n',
    'b.ts': uses('b'),
    'apart.ts': "import one from './a.js';\nexport const other = one;\n",
  },
  'and who takes one where Node is not asked is not either': {
    'tsconfig.json': renderConfig({ module: 'preserve' }),
    'a.ts': 'export declare const b: { at: «string→number» };\nexport default 1;\n',
    'b.ts': uses('b'),
    'apart.ts': "import one from './a.js';\nexport const other = one;\n",
  },
  'through a default that is all of a module': {
    'a.cts': 'export declare const own: { at: «string→number» };\nexport default 1;\nexport const apart = 1;\n',
    'package.json': '{ "type": "module" }',
    'b.ts': "import a from './a.cjs';\nexport const text: string = a.own.at;\n",
    'apart.ts': "export { apart } from './a.cjs';\n",
  },
  'through what a module is to those that require it': {
    'a.mts':
      "declare const own: { at: «string→number» };\nexport default 1;\nexport { own as 'module.exports' };\nexport const apart = 1;\n",
    'b.ts': "import own from './a.mjs';\nexport const text: string = own.at;\n",
    'apart.ts': "export { apart } from './a.mjs';\n",
  },
  'through what a module is, beside other exports': {
    'a.cts': "declare const own: { at: «string→number» };\nexport const at = '';\nexport = own;\n",
    'b.ts': "import { at } from './a.cjs';\nexport const text: string = at;\n",
    'apart.ts': 'export const apart = 1;\n',
  },
  'through a default of another name': {
    'a.ts':
      'export default class Own {}\nexport default interface Other {\n  at: «string→number»;\n}\nexport const b = new Own();\n',
    'b.ts': uses('b'),
    'apart.ts': 'export const apart = 1;\n',
  },
  'through an enum in two parts': {
    'a.ts': 'export enum Own { a = «1→2» }\nexport enum Own { b = a }\nexport const apart = 1;\n',
    'b.ts': "import { Own } from './a.js';\nexport const one: Own.b = 1;\n",
  },
  'through what a constant begins with': {
    'a.ts':
      'export const one: { at: string } | { at: number; b: 1 } = {} as { at: «string→number»; b: 1 };\nexport const b = one;\nexport const apart = 1;\n',
    'b.ts': uses('b'),
  },
  'through a pattern': {
    'a.ts': 'export const { b } = { b: { at: «String→Number»(1) } };\nexport const apart = 1;\n',
    'b.ts': uses('b'),
  },
  'through what a name is taken for that is only read': {
    'a.ts': 'export const { own: one } = { own: 1 };\nexport const «owns→ownd» = one;\nexport const apart = 1;\n',
    'b.ts': "import { own } from './a.js';\nexport const text = own;\n",
  },
  'through a namespace': {
    'a.ts':
      'namespace inside {\n  export const own = { at: «String→Number»(1) };\n}\nexport const b = inside.own;\nexport const apart = 1;\n',
    'b.ts': uses('b'),
  },
  'through a file of declarations that exports without a word': {
    'own.d.ts': 'declare const b: { at: «string→number» };\nexport declare const apart: 1;\n',
    'more.ts': 'export declare const b: { at: string };\n',
    'a.ts': "export * from './own.js';\nexport * from './more.js';\n",
    'b.ts': "import { b } from './own.js';\nexport const text: string = b.at;\n",
  },
  'through JavaScript': {
    'a.js': "const own = require('./own.js');\nmodule.exports = { b: own };\n",
    'own.js': "module.exports = { at: «''→1» };\n",
    'package.json': '{ "type": "commonjs" }',
    'b.ts': "import { b } from './a.js';\nexport const text: string = b.at;\n",
    'apart.ts': 'export const apart = 1;\n',
  },
  'through what JSX is made with': {
    'tsconfig.json': renderConfig({ jsx: 'react', jsxFactory: 'make', module: 'esnext', moduleResolution: 'bundler' }),
    'make.ts':
      'declare namespace inside {\n  interface Element { at: «string→number» }\n}\nexport declare function make(...given: unknown[]): inside.Element;\nexport declare namespace make {\n  export import JSX = inside;\n}\n',
    'a.tsx':
      "import { make } from './make.js';\ndeclare const Own: () => never;\nexport const b = <Own />;\nexport const apart = 1;\n",
    'b.ts': uses('b'),
  },
};

test.each(Object.entries(chains))('M15 who can change is reached: %s', (_, files) => {
  const apart = files['apart.ts'] ?? "import { apart } from './a.js';\nexport const other = apart;\n";
  const { changed, reached } = reach({ ...files, 'apart.ts': apart });
  expect(changed).toContain('b.ts');
  expect(reached === null || changed.every((path) => reached.includes(path)), `${reached}`).toBe(true);
  // JSX says so itself: all of `a.tsx` may be made with it.
  if (!('a.tsx' in files)) expect(reached).not.toContain('apart.ts');
});

test('M15 what stands in a body with a written result type concerns no other file', () => {
  const a = "export function b(): string {\n  return String(«1→'1'»);\n}\n";
  const b = "import { b } from './a.js';\nexport const text = b();\n";
  expect(reach({ 'a.ts': a, 'b.ts': b })).toEqual({ changed: [], reached: ['a.ts'] });
});

test('M15 a body is looked at where what it mentions can change', () => {
  const a = 'export declare const own: { at: «string→number» };\n';
  const b = "import { own } from './a.js';\nexport function get(): string {\n  return own.at;\n}\n";
  const c = "import { get } from './b.js';\nexport const text = get();\n";
  expect(reach({ 'a.ts': a, 'b.ts': b, 'c.ts': c })).toEqual({ changed: ['b.ts'], reached: ['a.ts', 'b.ts'] });
});

test.each([
  ['the global scope', 'declare global { interface Everybody { at: Own } }\n'],
  ['another module', "declare module './other.js' { interface Other { at: Own } }\n"],
])('M15 what declares %s reaches every file', (_, says) => {
  const files = {
    'own.ts': 'export type Own = «string→number»;\n',
    'a.ts': `import type { Own } from './own.js';\n${says}`,
    'other.ts': 'export interface Other { one: 1 }\n',
    'b.ts': "import type { Other } from './other.js';\nexport const text = (other: Other) => other;\n",
  };
  expect(reach(files).reached).toBeNull();
});

test.each(['', 'void 0;\n'])('M15 who augments a module depends on what it augments: %j', (runs) => {
  const files = {
    'other.ts': 'export interface Other { at: «string→number» }\n',
    'a.ts': `declare module './other.js' { interface Other { at: string } }\nexport {};\n${runs}`,
  };
  const { changed, reached } = reach(files);
  expect(changed).toContain('a.ts');
  expect(reached).toBeNull();
});

test('M15 a file that spells a name that appears may find it', () => {
  const programs = openTree({
    'a.ts': 'export const old = 1;\n',
    'one.ts': 'export const fresh = 2;\n',
    'all.ts': "export * from './a.js';\nexport * from './one.js';\n",
    'b.ts': "import { fresh } from './all.js';\nexport const two: 2 = fresh;\n",
    'c.ts': "import { one } from './d.js';\nexport const three = one;\n",
    'd.ts': 'export const one = 1;\n',
  });
  const [program] = programs.open;
  if (program === undefined) throw new Error('no program');
  const seeds = [{ path: 'a.ts', start: 13 }];
  expect(listAffected(programs, program, { seeds })).not.toContain('b.ts');
  const reached = listAffected(programs, program, { seeds, appearing: ['fresh'] });
  expect(reached).toContain('b.ts');
  expect(reached).not.toContain('c.ts');
});

test('M15 a module that is also a global reaches every file, however it is written', () => {
  const a = 'export declare const own: { at: «string→number» };\nexport /**/ as /**/ namespace Own;\n';
  const b = 'export const text: string = Own.own.at;\n';
  const { changed, reached } = reach({ 'a.d.ts': a, 'b.ts': b });
  expect(changed).toContain('b.ts');
  expect(reached).toBeNull();
});

test('M15 a runtime of our own that a comment names is looked up for fragments', () => {
  const options = { jsx: 'react', module: 'esnext', moduleResolution: 'bundler', types: ['elements'] };
  const files = {
    'tsconfig.json': renderConfig({ ...options, paths: { 'own/*': ['./own/*'] } }),
    'own/jsx-runtime.ts': 'export declare const Fragment: (given: { children?: «string→number» }) => unknown;\n',
    'node_modules/@types/elements/index.d.ts':
      'declare namespace JSX {\n  interface ElementChildrenAttribute { children: unknown }\n}\n',
    'b.tsx': '/** @jsxImportSource own */\nexport const b = <>text</>;\n',
    'apart.ts': 'export const apart = 1;\n',
  };
  const { changed, reached } = reach(files);
  expect(changed).toContain('b.tsx');
  expect(reached).toEqual(['b.tsx', 'own/jsx-runtime.ts']);
});

const ownJsx = {
  'tsconfig.json': renderConfig({
    jsx: 'react-jsx',
    jsxImportSource: 'own',
    module: 'esnext',
    moduleResolution: 'bundler',
    allowJs: true,
    checkJs: true,
    paths: { 'own/*': ['./own/*.ts'] },
  }),
  'own/jsx-runtime.ts': "export type * from './base';\nexport declare function jsx(): unknown;\n",
  'own/base.ts':
    "import type { Box } from './box';\nexport namespace JSX {\n  export interface Element { at: 1 }\n  export interface IntrinsicElements { box: Box }\n}\n",
  'own/box.ts': 'export interface Box { size: string }\n',
  'own/apart.ts': 'export interface Apart { at: string }\n',
  'b.tsx': "export const b = <box size='1' />;\nexport const size: 1 = b.at;\n",
  'c.jsx': "export const c = <box size='1' />;\n",
  'd.ts': "import { b } from './b';\nexport const d = b.at;\n",
  'e.ts': "import type { Apart } from './own/apart';\nexport const e = (apart: Apart): string => apart.at;\n",
  'f.ts': 'export const f = 1;\n',
};

test('M15 what a JSX runtime of our own is made of reaches files that may have JSX and what is made of them', () => {
  const { changed, reached } = reach({ ...ownJsx, 'own/box.ts': 'export interface Box { size: «string→number» }\n' });
  expect(changed).toEqual(['b.tsx', 'c.jsx']);
  expect(reached).toEqual(['b.tsx', 'c.jsx', 'd.ts', 'own/base.ts', 'own/box.ts', 'own/jsx-runtime.ts']);
});

test('M15 what no JSX runtime of our own is made of reaches what mentions it', () => {
  const { changed, reached } = reach({
    ...ownJsx,
    'own/apart.ts': 'export interface Apart { at: «string→number» }\n',
  });
  expect(changed).toEqual(['e.ts']);
  expect(reached).toEqual(['e.ts', 'own/apart.ts']);
});

test('M15 where files move, a JSX runtime of our own may be another afterwards', () => {
  const programs = openTree(ownJsx);
  const [program] = programs.open;
  if (program === undefined) throw new Error('no program');
  const seeds = [{ path: 'own/jsx-runtime.ts' }];
  expect(listAffected(programs, program, { seeds, byImports: true })).toBeNull();
});

test('M15 what declarations export without saying so can be what was in the way', () => {
  const programs = openTree({
    'a.d.ts': 'export interface A {}\ninterface Own {}\n',
    'c.ts': 'export interface Own { at: string }\n',
    'all.ts': "export * from './a.js';\nexport * from './c.js';\n",
    'b.ts': "import type { Own } from './all.js';\nexport const text = (own: Own): string => own.at;\n",
  });
  const [program] = programs.open;
  if (program === undefined) throw new Error('no program');
  const seeds = [{ path: 'a.d.ts', start: 34 }];
  expect(listAffected(programs, program, { seeds, appearing: ['Old'] })).toContain('b.ts');
});

test('M15 every file imports helpers that are ours', () => {
  const options = { importHelpers: true, experimentalDecorators: true, module: 'esnext', moduleResolution: 'bundler' };
  const files = {
    'tsconfig.json': renderConfig({ ...options, paths: { tslib: ['./helpers.ts'] } }),
    'helpers.ts': 'export declare function «__decorate→decorate»(...given: unknown[]): void;\n',
    'b.ts': 'declare const own: ClassDecorator;\n@own\nexport class Own {}\n',
  };
  const { changed, reached } = reach(files);
  expect(changed).toContain('b.ts');
  expect(reached).toBeNull();
});
