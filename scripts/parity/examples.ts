/**
 * For every class in which scip-typescript is wrong, the smallest program that shows it. The test of the parity runs both tools on them; the
 * report prints them. `«…»` marks the name that the answers are about; symbols are shortened to what follows their file's folder.
 */

import type { wrongThere } from './classify.ts';

export type Example = {
  /** One of them has the mark. */
  readonly files: Readonly<Record<string, string>>;
  /** What each says at the mark; definitions begin with `=`. Locals have no numbers. */
  readonly there: readonly string[];
  readonly here: readonly string[];
};

export const examples: Readonly<Record<keyof typeof wrongThere, Example>> = {
  bracketedKey: {
    files: { 'a.ts': "interface P { x: number }\nexport const f = ({ [«'x'»]: left }: P) => left;\n" },
    there: ['local'],
    here: ['`a.ts`/P#x.'],
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
  patternKey: {
    files: { 'a.ts': 'declare const o: { a: number };\nlet a: number;\n({ «a» } = o);\n' },
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
  undefinedLocal: {
    files: {
      'a.js': 'exports.two = 2;\n',
      'b.js': "const a = require('./a');\na.«two»;\n",
    },
    there: ['local'],
    here: ['`a.js`/exports/two.'],
  },
};

export const exampleConfig = JSON.stringify({
  compilerOptions: {
    allowJs: true,
    strict: true,
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
