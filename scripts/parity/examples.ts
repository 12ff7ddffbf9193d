/**
 * For every class in which scip-typescript is wrong, and for those in which `tsgo` says more, the smallest program that shows it. The test
 * of the parity runs both tools on them; the report prints them. `«…»` marks the name that the answers are about; symbols are shortened to what follows their file's folder.
 */

import type { added, wrongThere } from './classify.ts';

export type Example = {
  /** One of them has the mark. */
  readonly files: Readonly<Record<string, string>>;
  /** What each says at the mark; definitions begin with `=`. Locals have no numbers. */
  readonly there: readonly string[];
  readonly here: readonly string[];
};

export const examples: Readonly<Record<keyof typeof wrongThere, Example>> = {
  accessors: {
    files: { 'a.ts': 'export const o = { get «x»() { return 1 }, set x(n: number) {} };\n' },
    there: ['=local'],
    here: ['=local'],
  },
  bracketedKey: {
    files: { 'a.ts': "interface P { x: number }\nexport const f = ({ [«'x'»]: left }: P) => left;\n" },
    there: ['local'],
    here: ['`a.ts`/P#x.'],
  },
  deepLiteral: {
    files: { 'a.ts': 'export type A = { x: 1 } | { «y»: 2 };\n' },
    there: ['=local'],
    here: ['=`a.ts`/A#typePart1:y.'],
  },
  exportsWord: {
    files: { 'a.js': 'const one = 1;\n«exports».one = one;\n' },
    there: ['`a.js`/one.'],
    here: ['`a.js`/'],
  },
  filledIn: {
    files: {
      'a.ts': 'export const f = (c: boolean) => { if (c) return { error: 1 }; return { other: 2 } };\nf(true).error;\n',
      'b.ts': "const g = (c: boolean) => { if (c) return { error: 'x' }; return { value: 2 } };\ng(true).«error»;\n",
    },
    there: ['`b.ts`/error0:', '`a.ts`/error0:'],
    here: ['`b.ts`/error0:'],
  },
  importedShorthand: {
    files: {
      'a.ts': 'interface Fees { base: number }\nexport const fees: Fees = { base: 1 };\n',
      'b.ts': "import { fees } from './a';\nexport const config = { «fees» };\n",
    },
    there: ['=`b.ts`/fees0:', '`a.ts`/Fees#'],
    here: ['=`b.ts`/fees0:', '`a.ts`/fees.'],
  },
  localConstructor: {
    files: { 'a.ts': 'export function f() { class K { constructor() {} } return new «K»() }\n' },
    there: ['local`<constructor>`().'],
    here: ['local'],
  },
  overloaded: {
    files: { 'a.ts': 'export function f(a: 1): void; export function f(«a»: unknown) { a }\n' },
    there: ['=`a.ts`/f().(a)'],
    here: ['=local'],
  },
  ownAlias: {
    files: { 'a.ts': 'export namespace N { export class K {} }\nimport «L» = N.K; new L();\n' },
    there: ['`a.ts`/N/K#'],
    here: ['=`a.ts`/L.'],
  },
  patternKey: {
    files: { 'a.ts': 'declare const o: { a: number };\nexport let a: number;\n({ «a» } = o);\n' },
    there: ['=`a.ts`/a0:', '`a.ts`/a.'],
    here: ['`a.ts`/o.typeLiteral0:a.', '`a.ts`/a.'],
  },
  renamedBinding: {
    files: { 'a.ts': 'interface P { x: number; y: number }\nexport const f = ({ x: «y» }: P) => y;\n' },
    there: ['=local', '`a.ts`/P#y.'],
    here: ['=local'],
  },
  restBinding: {
    files: {
      'a.ts': 'interface P { x: number; rest: number }\nexport const f = ({ x, ...«rest» }: P) => [x, rest];\n',
    },
    there: ['=local', '`a.ts`/P#rest.'],
    here: ['=local'],
  },
  staticTwin: {
    files: { 'a.ts': 'export class K { static «m»() {} m() {} }\n' },
    there: ['=`a.ts`/K#m().'],
    here: ['=`a.ts`/K#`<static>m`().'],
  },
  undefinedLocal: {
    files: {
      'a.js': 'exports.two = 2;\n',
      'b.js': "const a = require('./a');\na.«two»;\n",
    },
    there: ['local'],
    here: ['`a.js`/exports/two.'],
  },
};

/** Which file of the library declares something, and how things are numbered, no program of ours decides. */
export const gains: Readonly<Record<Exclude<keyof typeof added, 'library' | 'numbered' | 'unnamed'>, Example>> = {
  modifier: {
    files: { 'a.ts': 'export class K { private «constructor»() {} }\n' },
    there: [],
    here: ['=`a.ts`/K#`<constructor>`().'],
  },
  link: {
    files: {
      'a.ts': 'export class Shape { length() { return 1 } }\n',
      'b.ts': "import { Shape } from './a';\n/** See {@link Shape#«length»}. */\nexport const shape = new Shape();\n",
    },
    there: [],
    here: ['`a.ts`/Shape#length().'],
  },
  comment: {
    files: {
      'a.js': '/** @typedef {{ x: number }} P */\n/** @param {«P»} p */\nexport function f(p) { return p.x }\n',
    },
    there: [],
    here: ['`a.js`/P#'],
  },
  key: {
    files: { 'a.ts': 'interface P { x: number }\nexport const p: P = { «x»: 1 };\n' },
    there: ['`a.ts`/P#x.'],
    here: ['`a.ts`/P#x.', '=`a.ts`/x0:'],
  },
  expected: {
    files: { 'a.ts': 'interface A { a: number }\ninterface B { b: number }\nexport const p: A | B = { «a»: 1 };\n' },
    there: ['=`a.ts`/a0:'],
    here: ['`a.ts`/A#a.', '=`a.ts`/a0:'],
  },
  shorthand: {
    files: { 'a.ts': 'interface P { x: number }\nconst x = 1;\nexport const p: P = { «x» };\n' },
    there: ['`a.ts`/P#x.'],
    here: ['`a.ts`/P#x.', '=`a.ts`/x0:', '`a.ts`/x.'],
  },
  pattern: examples.patternKey,
  bracketed: examples.bracketedKey,
  expando: {
    files: { 'a.ts': 'export const f = () => 1;\nf.extra = 1;\nf.«extra»;\n' },
    there: ['local'],
    here: ['`a.ts`/f.extra.'],
  },
  assigned: {
    files: { 'a.js': 'exports.«two» = 2;\n' },
    there: ['local'],
    here: ['=`a.js`/exports/two.'],
  },
  instance: {
    files: {
      'a.js':
        'function View(name) { this.name = name }\nView.prototype.show = function () { return this.«name» };\nexport { View };\n',
    },
    there: ['local'],
    here: ['`a.js`/View().prototype.name.'],
  },
  required: {
    files: { 'a.js': 'exports.two = 2;\n', 'b.js': "const «a» = require('./a');\na.two;\n" },
    there: ['=`b.js`/a.'],
    here: ['=`b.js`/a.', '`a.js`/'],
  },
  word: examples.exportsWord,
  unbound: {
    files: {
      'a.ts': 'interface P { x: number }\ndeclare const p: P;\nlet last;\nlast = p;\nexport const x = last.«x»;\n',
    },
    there: [],
    here: ['`a.ts`/P#x.'],
  },
  merged: {
    files: {
      'a.ts': 'export interface A { x: 1 }\n',
      'b.ts': "import './a';\ndeclare module './a' { interface «A» { y: 2 } }\n",
    },
    there: ["=`b.ts`/`'./a'`/A#"],
    here: ["=`b.ts`/`'./a'`/A#", '`a.ts`/A#'],
  },
  deep: {
    files: { 'a.ts': 'export type A = { x: 1 }[];\nexport const f = (a: A) => a[0]?.«x»;\n' },
    there: ['local'],
    here: ['`a.ts`/A#typePart0:x.'],
  },
  single: {
    files: { 'a.ts': 'export function f(a: 1): void; export function f(a: unknown) { «a» }\n' },
    there: ['`a.ts`/f().(a)'],
    here: ['local'],
  },
  alias: {
    files: { 'a.ts': 'export namespace N { export class K {} }\nimport L = N.K; new «L»();\n' },
    there: ['`a.ts`/N/K#'],
    here: ['`a.ts`/L.'],
  },
  static: {
    files: { 'a.ts': 'export class K { static m() {} m() {} }\nK.«m»();\n' },
    there: ['`a.ts`/K#m().'],
    here: ['`a.ts`/K#`<static>m`().'],
  },
  localClass: examples.localConstructor,
};

export const exampleConfig = JSON.stringify({
  compilerOptions: {
    allowJs: true,
    strict: true,
    noImplicitAny: false,
    noEmit: true,
    target: 'es2022',
    lib: ['es2022'],
    module: 'esnext',
    moduleResolution: 'bundler',
    types: [],
  },
  include: ['**/*'],
});

export type Marked = {
  readonly path: string;
  /** Without the marks. */
  readonly text: string;
  /** 0-based line and columns of the mark. */
  readonly range: readonly [line: number, from: number, to: number];
};

export function readMarked({ files }: Example): Marked {
  for (const [path, marked] of Object.entries(files)) {
    const lines = marked.split('\n');
    const line = lines.findIndex((one) => one.includes('«'));
    const from = lines[line]?.indexOf('«') ?? -1;
    const to = (lines[line]?.indexOf('»') ?? -1) - 1;
    if (line !== -1) return { path, text: marked.replace(/[«»]/g, ''), range: [line, from, to] };
  }
  throw new Error('an example without a mark');
}
