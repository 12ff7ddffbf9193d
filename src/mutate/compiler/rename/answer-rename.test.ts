import { createHash } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { closePrograms, openTree, renderConfig } from '../../../../test/support/open-programs.ts';
import type { AliasPolicy } from '../../vocabulary.ts';
import { prove } from '../proof/prove.ts';
import type { ItemDraft, ProgramSpec, Refusal, RenameFindings, RenameQuestion } from '../session/messages.ts';
import { answerDoubts, answerRename } from './answer-rename.ts';

afterAll(closePrograms);

type Files = Readonly<Record<string, string>>;
type Source = string | Files;
type Outcome = {
  readonly answer: RenameFindings | Refusal;
  readonly items: readonly ItemDraft[];
  readonly after: Source;
  readonly proof: string;
};

/** Renames what is marked `«a»` to `b`, proves it, and gives the files as they would be. `ties`: with what is tied by shape. */
function rename(
  source: Source,
  about: Partial<RenameQuestion> = {},
  specs?: readonly ProgramSpec[],
  ties = false,
): Outcome {
  const marked: Files = typeof source === 'string' ? { 'a.ts': source } : source;
  let target = { path: '', offset: 0 };
  const files: Record<string, string> = {};
  for (const [path, text] of Object.entries(marked)) {
    const offset = text.indexOf('«');
    if (offset >= 0) target = { path, offset };
    files[path] = text.replace('«', '').replace('»', '');
  }
  const programs = openTree(files, specs);
  const question: RenameQuestion = {
    kind: 'rename',
    ...target,
    newName: 'b',
    aliasPolicy: 'through',
    publicNames: 'rename',
    census: [],
    ...about,
  };
  const answer = answerRename(programs, question);
  if (answer.kind === 'refused') return { answer, items: [], after: source, proof: 'none' };
  const doubts = answerDoubts(programs, { ...question, kind: 'doubt' });
  const items = doubts.kind === 'doubts' ? doubts.items : [];
  const { reach, family, isMember, symbol } = answer;
  const tied = items.filter(({ kind }) => ties && kind === 'structural_tie');
  const edits = [...answer.edits, ...tied.flatMap(({ edits: own }) => own['rename'] ?? [])];
  const after = { ...files };
  for (const edit of edits.toSorted((a, b) => b.start - a.start)) {
    const text = after[edit.path] ?? '';
    expect(text.slice(edit.start, edit.end)).toBe(edit.oldText);
    after[edit.path] = text.slice(0, edit.start) + edit.newText + text.slice(edit.end);
  }
  const { newName } = question;
  const proof = prove(programs, {
    kind: 'prove',
    oldName: symbol.name,
    newName,
    edits,
    moves: [],
    reach,
    family,
    isMember,
  });
  return { answer, items, after: typeof source === 'string' ? (after['a.ts'] ?? '') : after, proof: proof.kind };
}

function found(outcome: Outcome): RenameFindings {
  if (outcome.answer.kind === 'refused') throw new Error(`${outcome.answer.reason}: ${outcome.answer.detail}`);
  return outcome.answer;
}

function reason({ answer }: Outcome): string {
  return answer.kind === 'refused' ? answer.reason : 'findings';
}

type Row = readonly [
  shows: string,
  policy: AliasPolicy | 'both',
  before: Source,
  after: Source,
  forms: readonly string[],
];

const m = 'export {};\n';

const rows: readonly Row[] = [
  [
    'a plain reference',
    'both',
    `${m}let «a» = 1; a++; console.log(a);`,
    `${m}let b = 1; b++; console.log(b);`,
    ['plain'],
  ],
  [
    'JSX tag and closing tag',
    'both',
    { 'a.tsx': `${m}declare const React: any;\nfunction «A»(p: {}) { return null; }\nconst x = <A></A>, y = <A/>;` },
    { 'a.tsx': `${m}declare const React: any;\nfunction B(p: {}) { return null; }\nconst x = <B></B>, y = <B/>;` },
    ['plain'],
  ],
  [
    'a shorthand property, the variable',
    'both',
    `${m}const «a» = 1; const o = { a }; o.a;`,
    `${m}const b = 1; const o = { a: b }; o.a;`,
    ['plain', 'shorthand_value'],
  ],
  [
    'a shorthand property pointed at is the variable',
    'both',
    `${m}const a = 1; const o = { «a» }; o.a;`,
    `${m}const b = 1; const o = { a: b }; o.a;`,
    ['plain', 'shorthand_value'],
  ],
  [
    'a shorthand property, the property',
    'both',
    `${m}const a = 1; const o = { a }; o.«a»;`,
    `${m}const a = 1; const o = { b: a }; o.b;`,
    ['plain', 'shorthand_property'],
  ],
  [
    'a shorthand property that a type expects',
    'both',
    `${m}interface I { «a»: number } const a = 1; const o: I = { a }; o.a;`,
    `${m}interface I { b: number } const a = 1; const o: I = { b: a }; o.b;`,
    ['plain', 'shorthand_property'],
  ],
  [
    'a destructured property',
    'both',
    `${m}interface I { «a»?: number } function f(o: I) { const { a = 1 } = o; return a; }`,
    `${m}interface I { b?: number } function f(o: I) { const { b: a = 1 } = o; return a; }`,
    ['plain', 'destructured_property'],
  ],
  [
    'a destructured local',
    'both',
    `${m}interface I { a: number } function f(o: I) { const { «a» } = o; return a; }`,
    `${m}interface I { a: number } function f(o: I) { const { a: b } = o; return b; }`,
    ['destructured_local', 'plain'],
  ],
  [
    'a destructured parameter, its local',
    'both',
    `${m}function f({ «a» }: { a: number }) { return a; }`,
    `${m}function f({ a: b }: { a: number }) { return b; }`,
    ['destructured_local', 'plain'],
  ],
  [
    'a destructuring assignment',
    'both',
    `${m}interface I { «a»: number } declare let a: number; function f(o: I) { ({ a } = o); ({ a: a } = o); }`,
    `${m}interface I { b: number } declare let a: number; function f(o: I) { ({ b: a } = o); ({ b: a } = o); }`,
    ['plain', 'shorthand_property'],
  ],
  [
    'an import, the exported name',
    'through',
    { 'a.ts': 'export const «a» = 1;', 'c.ts': "import { a } from './a.js'; a;" },
    { 'a.ts': 'export const b = 1;', 'c.ts': "import { b } from './a.js'; b;" },
    ['plain'],
  ],
  [
    'an import whose file has the name already keeps its own',
    'through',
    { 'a.ts': 'export const «a» = 1;', 'c.ts': "import { a } from './a.js'; const b = a; b;" },
    { 'a.ts': 'export const b = 1;', 'c.ts': "import { b as a } from './a.js'; const b = a; b;" },
    ['plain', 'import_keeps_local'],
  ],
  [
    'an import, pointed at',
    'through',
    { 'a.ts': 'export const a = 1; a;', 'c.ts': "import { «a» } from './a.js'; a;" },
    { 'a.ts': 'export const b = 1; b;', 'c.ts': "import { b } from './a.js'; b;" },
    ['plain'],
  ],
  [
    'an import, its local name',
    'keep_local',
    { 'a.ts': 'export const a = 1; a;', 'c.ts': "import { a } from './a.js'; «a»;" },
    { 'a.ts': 'export const a = 1; a;', 'c.ts': "import { a as b } from './a.js'; b;" },
    ['import_local', 'plain'],
  ],
  [
    'an import with its own alias: the source side',
    'both',
    { 'a.ts': 'export const «a» = 1;', 'c.ts': "import { a as c } from './a.js'; c;" },
    { 'a.ts': 'export const b = 1;', 'c.ts': "import { b as c } from './a.js'; c;" },
    ['plain'],
  ],
  [
    'an import with its own alias: the alias',
    'both',
    { 'a.ts': 'export const c = 1;', 'c.ts': "import { c as «a» } from './a.js'; a;" },
    { 'a.ts': 'export const c = 1;', 'c.ts': "import { c as b } from './a.js'; b;" },
    ['plain'],
  ],
  [
    'an export list, local renamed and public kept',
    'keep_local',
    { 'a.ts': 'const «a» = 1; export { a };', 'c.ts': "import { a } from './a.js'; a;" },
    { 'a.ts': 'const b = 1; export { b as a };', 'c.ts': "import { a } from './a.js'; a;" },
    ['plain', 'export_keeps_public'],
  ],
  [
    'an export list, the public name',
    'keep_local',
    { 'a.ts': 'const a = 1; export { «a» };', 'c.ts': "import { a } from './a.js'; a;" },
    { 'a.ts': 'const a = 1; export { a as b };', 'c.ts': "import { b } from './a.js'; b;" },
    ['export_public', 'plain'],
  ],
  [
    'an export list, renamed through',
    'through',
    { 'a.ts': 'const «a» = 1; export { a };', 'c.ts': "import { a } from './a.js'; a;" },
    { 'a.ts': 'const b = 1; export { b };', 'c.ts': "import { b } from './a.js'; b;" },
    ['plain'],
  ],
  [
    'a re-export, renamed through',
    'through',
    {
      'a.ts': 'export const «a» = 1;',
      'c.ts': "export { a } from './a.js';",
      'd.ts': "import { a } from './c.js'; a;",
    },
    { 'a.ts': 'export const b = 1;', 'c.ts': "export { b } from './a.js';", 'd.ts': "import { b } from './c.js'; b;" },
    ['plain'],
  ],
  [
    'a re-export, public kept',
    'keep_local',
    {
      'a.ts': 'export const «a» = 1;',
      'c.ts': "export { a } from './a.js';",
      'd.ts': "import { a } from './c.js'; a;",
    },
    {
      'a.ts': 'export const b = 1;',
      'c.ts': "export { b as a } from './a.js';",
      'd.ts': "import { a } from './c.js'; a;",
    },
    ['plain', 'export_keeps_public'],
  ],
  [
    'a re-export with its own alias: the source side',
    'both',
    { 'a.ts': 'export const «a» = 1;', 'c.ts': "export { a as c } from './a.js';" },
    { 'a.ts': 'export const b = 1;', 'c.ts': "export { b as c } from './a.js';" },
    ['plain'],
  ],
  [
    'everything that `export *` passes on',
    'both',
    { 'a.ts': 'export const «a» = 1;', 'c.ts': "export * from './a.js';", 'd.ts': "import * as c from './c.js'; c.a;" },
    { 'a.ts': 'export const b = 1;', 'c.ts': "export * from './a.js';", 'd.ts': "import * as c from './c.js'; c.b;" },
    ['plain'],
  ],
  [
    'a default export: importers with another name keep it',
    'both',
    { 'a.ts': 'export default function «a»() {} a();', 'c.ts': "import c from './a.js'; c();" },
    { 'a.ts': 'export default function b() {} b();', 'c.ts': "import c from './a.js'; c();" },
    ['plain'],
  ],
  [
    'type-only imports and exports',
    'through',
    {
      'a.ts': 'export interface «a» {}',
      'c.ts': "import type { a } from './a.js'; export type { a }; let x: a;",
      'd.ts': "import { type a } from './c.js'; let x: a; let y: import('./a.js').a;",
    },
    {
      'a.ts': 'export interface b {}',
      'c.ts': "import type { b } from './a.js'; export type { b }; let x: b;",
      'd.ts': "import { type b } from './c.js'; let x: b; let y: import('./a.js').b;",
    },
    ['plain'],
  ],
  [
    'the name of a namespace import',
    'both',
    { 'a.ts': 'export const x = 1;', 'c.ts': "import * as «a» from './a.js'; a.x;" },
    { 'a.ts': 'export const x = 1;', 'c.ts': "import * as b from './a.js'; b.x;" },
    ['plain'],
  ],
  [
    '`import a = require`',
    'both',
    { 'a.cts': 'const x = { y: 1 }; export = x;', 'c.cts': "import «a» = require('./a.cjs'); a.y;" },
    { 'a.cts': 'const x = { y: 1 }; export = x;', 'c.cts': "import b = require('./a.cjs'); b.y;" },
    ['plain'],
  ],
  [
    'a JSX attribute',
    'both',
    { 'a.tsx': `${m}function C(p: { «a»?: boolean }) { return null; }\nconst x = <C a={true}/>, y = <C a/>;` },
    { 'a.tsx': `${m}function C(p: { b?: boolean }) { return null; }\nconst x = <C b={true}/>, y = <C b/>;` },
    ['plain'],
  ],
  [
    'quoted and computed names keep their quotes',
    'both',
    `${m}interface T { «a»: number } const o: T = { "a": 1 }; o['a']; o[\`a\`]; const p: T = { ['a']: 1 }; let x: T["a"];`,
    `${m}interface T { b: number } const o: T = { "b": 1 }; o['b']; o[\`b\`]; const p: T = { ['b']: 1 }; let x: T["b"];`,
    ['plain', 'string'],
  ],
  [
    'a name that needs its quotes',
    'both',
    `${m}interface T { '«a b»': number } declare const o: T; o['a b'];`,
    `${m}interface T { 'b': number } declare const o: T; o['b'];`,
    ['string'],
  ],
  [
    'an enum member, also by a string',
    'both',
    `${m}enum E { «a», c = a } E.a; E['a'];`,
    `${m}enum E { b, c = b } E.b; E['b'];`,
    ['plain', 'string'],
  ],
  [
    'accessors, overloads and a private name',
    'both',
    `${m}class C { get «a»() { return 1; } set a(v: number) { this.a = v; } }`,
    `${m}class C { get b() { return 1; } set b(v: number) { this.b = v; } }`,
    ['plain'],
  ],
  [
    'overloads and their implementation',
    'both',
    `${m}function a(x: 1): 1; function a(x: 2): 2; function «a»(x: any) { return x; } a(1);`,
    `${m}function b(x: 1): 1; function b(x: 2): 2; function b(x: any) { return x; } b(1);`,
    ['plain'],
  ],
  [
    'a parameter property and its parameter',
    'both',
    `${m}class C { constructor(private «a»: number) { a; } m() { return this.a; } }`,
    `${m}class C { constructor(private b: number) { b; } m() { return this.b; } }`,
    ['plain'],
  ],
  [
    'documentation that the compiler binds',
    'both',
    `${m}/** Prose about a.\n * @param a of {@link a}\n */\nfunction f(«a»: number) { return a; }`,
    `${m}/** Prose about a.\n * @param b of {@link b}\n */\nfunction f(b: number) { return b; }`,
    ['plain', 'jsdoc'],
  ],
  [
    'comments, strings and names that contain the name stay',
    'both',
    `${m}const «a» = 1; const setA = 'a'; // a\nconst a_test = /a/; const t = \`a \${a}\`;`,
    `${m}const b = 1; const setA = 'a'; // a\nconst a_test = /a/; const t = \`a \${b}\`;`,
    ['plain'],
  ],
  [
    'a hand-written declaration file',
    'both',
    { 'a.d.ts': 'export declare const «a»: number;', 'c.ts': "import { a as c } from './a.js'; c;" },
    { 'a.d.ts': 'export declare const b: number;', 'c.ts': "import { b as c } from './a.js'; c;" },
    ['plain'],
  ],
  ['a label', 'both', `${m}a: for (;;) { for (;;) break «a»; }`, `${m}b: for (;;) { for (;;) break b; }`, ['plain']],
  [
    'a name written with an escape',
    'both',
    `${m}const \\u0061 = 1; const o = { \\u0061 }; «a»;`,
    `${m}const b = 1; const o = { a: b }; b;`,
    ['plain', 'shorthand_value'],
  ],
];

describe('M11 every form of §2.8 keeps the binding of every untouched name', () => {
  const each = rows.flatMap(([shows, policy, ...row]) =>
    (policy === 'both' ? (['through', 'keep_local'] as const) : [policy]).map((one) => [shows, one, ...row] as const),
  );
  test.each(each)('%s (%s)', (_, aliasPolicy, before, after, forms) => {
    const newName = JSON.stringify(after).includes('function B(') ? 'B' : 'b';
    const outcome = rename(before, { aliasPolicy, newName });
    expect(outcome.after).toEqual(after);
    expect([...new Set(found(outcome).edits.map(({ form }) => form))].sort()).toEqual([...forms].sort());
    expect(outcome.proof).toBe('proven');
  });
});

describe('M3 a family is renamed as a whole', () => {
  const families: readonly (readonly [string, string, string])[] = [
    [
      'override and implementation, from the middle',
      'interface I { a(): void } class A implements I { «a»() {} } class B extends A { override a() {} } declare const i: I; i.a();',
      'interface I { b(): void } class A implements I { b() {} } class B extends A { override b() {} } declare const i: I; i.b();',
    ],
    [
      'an abstract member through a class that does not declare it',
      'interface I { a?(): void } abstract class A implements I {} class C extends A { «a»() {} }',
      'interface I { b?(): void } abstract class A implements I {} class C extends A { b() {} }',
    ],
    [
      'members that only a further class inherits together',
      'interface I { «a»(): void } class A { a() {} } class C extends A implements I {} declare const i: I; i.a();',
      'interface I { b(): void } class A { b() {} } class C extends A implements I {} declare const i: I; i.b();',
    ],
    [
      'static members have bases of their own',
      'class A { static a() {} a() {} } class C extends A { static «a»() {} a() {} }',
      'class A { static b() {} a() {} } class C extends A { static b() {} a() {} }',
    ],
    [
      'merged declarations',
      'interface a { x: 1 } interface «a» { y: 1 } function f(x: a) {}',
      'interface b { x: 1 } interface b { y: 1 } function f(x: b) {}',
    ],
    [
      'an interface that another of its declarations extends',
      'interface A { «a»(): void } interface B { a(): void } interface B extends A {} class C implements B { a() {} }',
      'interface A { b(): void } interface B { b(): void } interface B extends A {} class C implements B { b() {} }',
    ],
    [
      'one token that is a property of each constituent',
      'interface A { «a»: 1 } interface C { a: 2 } function f(x: A | C) { return x.a; } const o: C = { a: 2 };',
      'interface A { b: 1 } interface C { b: 2 } function f(x: A | C) { return x.b; } const o: C = { b: 2 };',
    ],
    [
      'object types side by side in a union',
      "type T = { k: 'x'; «a»: 1 } | { k: 'y'; a: 2 }; function f(t: T) { return t.k === 'x' ? t.a : t.a; }",
      "type T = { k: 'x'; b: 1 } | { k: 'y'; b: 2 }; function f(t: T) { return t.k === 'x' ? t.b : t.b; }",
    ],
    [
      'mapped types point back',
      'interface T { «a»: number } function f(x: Partial<T>) { return x.a; } const p: Readonly<T> = { a: 1 };',
      'interface T { b: number } function f(x: Partial<T>) { return x.b; } const p: Readonly<T> = { b: 1 };',
    ],
    [
      'a key and what is poured over it',
      'type T = { «a»?: number }; function f(given: T) { return { a: 1, ...given }; }',
      'type T = { b?: number }; function f(given: T) { return { b: 1, ...given }; }',
    ],
    [
      'a key that takes the place of what was poured in, from the key',
      'interface T { a: number } const f = (given: T) => { const a = 2; return { ...given, «a» }; };',
      'interface T { a: number } const f = (given: T) => { const b = 2; return { ...given, a: b }; };',
    ],
    [
      'a shorthand that takes the place of what was poured in',
      'interface T { «a»: number } const f = (given: T) => { const a = 2; return { ...given, a }; };',
      'interface T { b: number } const f = (given: T) => { const a = 2; return { ...given, b: a }; };',
    ],
    [
      'two objects that are poured into one',
      'type T = { «a»?: number }; const usual = { a: 1 }; const f = (given?: T) => ({ ...usual, ...given });',
      'type T = { b?: number }; const usual = { b: 1 }; const f = (given?: T) => ({ ...usual, ...given });',
    ],
    ['a class by its constructor', 'class a { «constructor»() {} } new a();', 'class b { constructor() {} } new b();'],
  ];
  test.each(families)('%s', (_, before, after) => {
    const outcome = rename(m + before);
    expect(outcome.after).toBe(m + after);
    expect(outcome.proof).toBe('proven');
  });
});

describe('M4 what is declared elsewhere is not renamed', () => {
  test('a family that reaches a library is refused with the chain', () => {
    const { answer } = rename(
      `${m}interface I { «next»(): any } class C implements I, Iterator<number> { next(): any {} }`,
    );
    expect(answer).toMatchObject({ kind: 'refused', reason: 'external_family' });
    const evidence = answer.kind === 'refused' ? answer.evidence : [];
    expect(evidence[0]).toMatchObject({ path: 'a.ts', says: 'what is renamed' });
    expect(evidence.at(-1)?.path).toMatch(/lib\..*\.d\.ts$/);
  });

  const library = {
    'node_modules/l/index.d.ts': 'export interface L { a: number } export const a: number;',
    'node_modules/l/package.json': '{"name":"l","types":"index.d.ts"}',
  };
  const refusals: readonly (readonly [string, Files, string, AliasPolicy])[] = [
    ['a library type', { 'a.ts': `${m}let x: «Map»<1, 2>;` }, 'external_symbol', 'through'],
    [
      'an interface merged with a library type',
      { 'a.ts': `${m}declare global { interface «Map»<K, V> { x: 1 } }` },
      'external_family',
      'through',
    ],
    [
      'a member of an installed package',
      { ...library, 'a.ts': "import type { L } from 'l'; declare const l: L; l.«a»;" },
      'external_symbol',
      'through',
    ],
    [
      'a key that an installed package expects',
      { ...library, 'a.ts': "import type { L } from 'l'; const l: L = { «a»: 1 };" },
      'external_family',
      'through',
    ],
    [
      'an import from an installed package, through',
      { ...library, 'a.ts': "import { «a» } from 'l'; a;" },
      'external_family',
      'through',
    ],
    [
      'a file of an installed package',
      { ...library, 'node_modules/l/index.d.ts': 'export const «a»: number;', 'a.ts': "import { a } from 'l'; a;" },
      'external_symbol',
      'through',
    ],
  ];
  test.each(refusals)('%s', (_, files, expected, aliasPolicy) => {
    expect(reason(rename(files, { aliasPolicy }))).toBe(expected);
  });

  test('the local name of an import from an installed package is ours', () => {
    const outcome = rename({ ...library, 'a.ts': "import { «a» } from 'l'; a;" }, { aliasPolicy: 'keep_local' });
    expect(outcome.after).toMatchObject({ 'a.ts': "import { a as b } from 'l'; b;" });
  });
});

describe('what stands at a position', () => {
  const positions: readonly (readonly [string, string, string])[] = [
    ['a keyword', `${m}«const» x = 1;`, 'not_renamable'],
    ['a number', `${m}const x = «12»;`, 'not_renamable'],
    ['a string that is no name', `${m}const x = '«s»';`, 'not_renamable'],
    ['`this`', `${m}class C { m() { return «this»; } }`, 'not_renamable'],
    ['`global` of an augmentation', `${m}declare «global» { interface Window { x: 1 } }`, 'not_renamable'],
    ['a number as a property', `${m}const x = { '«1»': 2 };`, 'not_renamable'],
    ['nothing', `${m}const x = 1;  «»  `, 'no_symbol'],
    ['a name that is declared nowhere', `${m}«nobody»;`, 'no_symbol'],
    ['the name it has already', `${m}const «b» = 1;`, 'same_name'],
  ];
  test.each(positions)('%s', (_, source, expected) => {
    expect(reason(rename(source))).toBe(expected);
  });

  test('a namespace can be called `global`', () => {
    expect(rename(`${m}namespace «global» { export const x = 1; } global.x;`).after).toBe(
      `${m}namespace b { export const x = 1; } b.x;`,
    );
  });

  test('`default` of an export is no name, of a member it is', () => {
    const files = { 'a.ts': 'export default 1;', 'c.ts': "import { «default» as c } from './a.js'; c;" };
    expect(reason(rename(files))).toBe('not_renamable');
    expect(rename(`${m}const o = { «default»: 1 }; o.default;`).after).toBe(`${m}const o = { b: 1 }; o.b;`);
  });

  test('just behind a name is on it', () => {
    expect(rename(`${m}const a«» = 1;`).after).toBe(`${m}const b = 1;`);
  });
});

describe('M5 programs of one root', () => {
  const two: readonly ProgramSpec[] = [
    { key: 'one', config: 'tsconfig.json' },
    { key: 'two', config: 'tsconfig.two.json' },
  ];

  test('occurrences are the union over programs', () => {
    const files = {
      'tsconfig.json': renderConfig({}, { files: ['a.ts', 'c.ts'] }),
      'tsconfig.two.json': renderConfig({}, { files: ['a.ts', 'd.ts'] }),
      'a.ts': 'export const «a» = 1;',
      'c.ts': "import { a } from './a.js'; a;",
      'd.ts': "import { a } from './a.js'; a;",
    };
    const { edits } = found(rename(files, {}, two));
    expect(edits.map(({ path }) => path)).toEqual(['a.ts', 'c.ts', 'c.ts', 'd.ts', 'd.ts']);
  });

  test('a span that one program binds elsewhere ends in refusal', () => {
    const shared = { module: 'esnext', moduleResolution: 'bundler' };
    const files = {
      'tsconfig.json': renderConfig({ ...shared, paths: { 'the-x': ['./a.ts'] } }, { files: ['c.ts'] }),
      'tsconfig.two.json': renderConfig({ ...shared, paths: { 'the-x': ['./d.ts'] } }, { files: ['c.ts'] }),
      'a.ts': 'export const «a» = 1;',
      'd.ts': 'export const a = 2;',
      'c.ts': "import { a } from 'the-x'; a;",
    };
    const { answer } = rename(files, {}, two);
    expect(answer).toMatchObject({ kind: 'refused', reason: 'divergence' });
    expect(answer.kind === 'refused' && answer.evidence.map(({ says }) => says.split(' ')[0])).toEqual(['one', 'two']);
  });
});

describe('what the answer says besides', () => {
  const about = (source: Source): readonly unknown[] => {
    const { symbol, reach, isMember } = found(rename(source));
    return [symbol.namePath, symbol.kind, reach, isMember];
  };

  test('the symbol, its reach and whether it is a member', () => {
    expect(about(`${m}class C { «a»() {} }`)).toEqual(['C/a', 'method', 'repo', true]);
    expect(about(`${m}class C { #x = 1; m(«a»: number) { return a; } }`)).toEqual([
      'C/m/a',
      'parameter',
      'file',
      false,
    ]);
    expect(about(`${m}const «a» = 1;`)).toEqual(['a', 'constant', 'file', false]);
    expect(about('export const «a» = 1;')).toEqual(['a', 'constant', 'repo', false]);
    expect(about('const «a» = 1; export { a };')).toEqual(['a', 'constant', 'repo', false]);
    expect(about('const «a» = 1; export default a;')).toEqual(['a', 'constant', 'repo', false]);
    expect(about(`${m}namespace N { export function «a»() {} }`)).toEqual(['N/a', 'function', 'repo', false]);
    expect(about(`${m}function f<«a»>(x: a) {}`)).toEqual(['f/a', 'type_parameter', 'file', false]);
  });

  test('M6 every token of the census has an account', () => {
    const c = 'const a = 1; x.a; // a';
    const files = {
      'a.ts': 'export const «a» = 1;',
      'c.ts': `export {}; declare const x: any; ${c}`,
      'other/d.py': 'a',
    };
    const start = files['c.ts'].indexOf(c);
    const at = (path: string, offset: number) => ({ path, start: offset, end: offset + 1 });
    const census = [
      at('a.ts', 13),
      at('c.ts', start + 6),
      at('c.ts', start + 15),
      at('c.ts', start + 21),
      at('other/d.py', 0),
    ];
    const { census: accounts } = found(rename(files, { census }));
    expect(accounts.map(({ account }) => account)).toEqual([
      'planned',
      'other_symbol',
      'unbound',
      'no_name',
      'uncovered',
    ]);
  });

  test.each([
    ['// a', 'comment'],
    ['/** Of a. */ x;', 'comment'],
    ['x; /* a', undefined],
    ["x('is a', 1);", 'string'],
    [`x(${'`a $'}{1}${'`'});`, 'string'],
    [`x(${'`$'}{1} a${'`'});`, 'string'],
    ['x(/^ a/g);', 'string'],
    ['x(1 /* a */);', 'comment'],
    ['new.target; function f() { new.target.a; }', undefined],
  ])('M6 where the tree says it, that %s has it in a comment or a string', (text, expected) => {
    const head = 'export {}; declare const x: any; ';
    const at = head.length + text.search(/\ba\b/);
    const files = { 'a.ts': 'export const «a» = 1;', 'c.ts': head + text };
    const [account] = found(rename(files, { census: [{ path: 'c.ts', start: at, end: at + 1 }] })).census;
    expect(account?.inside).toBe(expected);
  });

  test('of a name that its file confines, other files are not asked', () => {
    const files = { 'a.ts': `${m}const «a» = 1;`, 'c.ts': 'export const a = 1;' };
    const { census, texts } = found(rename(files, { census: [{ path: 'c.ts', start: 13, end: 14 }] }));
    expect(census.map(({ account }) => account)).toEqual(['other_symbol']);
    expect(Object.keys(texts)).toEqual(['a.ts']);
  });

  test.each([
    ['keeps to itself', "const fs = require('fs');\nfunction «a»() { return fs; }\na();", 'file'],
    ['uses in what it exports', 'const «a» = 1;\nmodule.exports = class { m() { return a; } };', 'file'],
    ['exports by its name', 'function «a»() {}\nexports.a = a;', 'repo'],
    ['exports as a key', 'function «a»() {}\nmodule.exports = { c: 1, a };', 'repo'],
    ['exports under another key', 'function «a»() {}\nmodule.exports = { c: { d: a } };', 'repo'],
    ['exports as a whole', 'class «a» {}\nmodule.exports = exports = a;', 'repo'],
    ['exports beside another', 'class «a» {}\nmodule.exports.c = module.exports.a = a;', 'repo'],
  ])('of CommonJS, a name that a file %s', (_, text, reach) => {
    const options = { compilerOptions: { allowJs: true, checkJs: false, module: 'commonjs', noEmit: true } };
    const files = { 'tsconfig.json': JSON.stringify({ ...options, include: ['*.js'] }), 'a.js': text };
    expect(found(rename(files)).reach).toBe(reach);
  });

  test.each([
    ['has neither', 'function «a»() {}\na();'],
    ['loads only at times', "function «a»() {}\nif (typeof require === 'function') a(require('x'));"],
    ['makes its own', 'var exports = (window.app = {});\nfunction «a»() {}\nexports.c = 1;'],
  ])('a script that %s shares its names with others', (_, text) => {
    const options = { compilerOptions: { allowJs: true, checkJs: false, module: 'commonjs', noEmit: true } };
    const files = { 'tsconfig.json': JSON.stringify({ ...options, include: ['*.js'] }), 'a.js': text };
    expect(found(rename(files)).reach).toBe('repo');
  });

  test('the texts are those the compiler read, and its own search agrees', () => {
    const { texts, references } = found(rename('export const «a» = 1; a;'));
    expect(texts).toEqual({ 'a.ts': createHash('sha256').update('export const a = 1; a;').digest('hex') });
    expect(references).toEqual({ agrees: true, onlyThere: [], onlyHere: [] });
  });

  test('a kept public name is an alias at the outermost export', () => {
    const files = {
      'package.json': '{"name":"p","type":"module","exports":"./index.ts"}',
      'a.ts': 'export const «a» = 1;',
      'index.ts': "export { a } from './a.js';",
    };
    expect(found(rename(files, { publicNames: 'ask' })).publicAt).toEqual([{ path: 'index.ts', start: 9, end: 10 }]);
    expect(rename(files, { publicNames: 'keep' }).after).toMatchObject({
      'a.ts': 'export const b = 1;',
      'index.ts': "export { b as a } from './a.js';",
    });
    const bare = { 'package.json': files['package.json'], 'index.ts': 'export const «a» = 1;' };
    expect(reason(rename(bare, { publicNames: 'keep' }))).toBe('not_renamable');
  });
});

describe('M11 what is tied by shape, renamed along', () => {
  const opt = `${m}interface I { «a»?: number; c: string }\ndeclare function go(i: I): void;\n`;
  const after = opt.replace('«a»', 'b');
  const give = 'declare function give<const T extends I>(t: T): T;\n';

  test.each([
    ['a key', `${give}give({ a: 5, c: "" });`, `${give}give({ b: 5, c: "" });`],
    [
      'keys',
      `${give}give({ a: 5, c: "" });\ngive({ a: 6, c: "" });`,
      `${give}give({ b: 5, c: "" });\ngive({ b: 6, c: "" });`,
    ],
    ['a shorthand', `${give}const a = 5;\ngive({ a, c: "" });`, `${give}const a = 5;\ngive({ b: a, c: "" });`],
    ['a quoted key', `${give}give({ 'a': 5, c: "" });`, `${give}give({ 'b': 5, c: "" });`],
    ['a method', `${give}give({ get a() { return 1; }, c: "" });`, `${give}give({ get b() { return 1; }, c: "" });`],
    [
      'a key and who reads it',
      `${give}const made = give({ a: 5, c: "" });\nmade.a; made['a'];\nconst { a } = made;`,
      `${give}const made = give({ b: 5, c: "" });\nmade.b; made['b'];\nconst { b: a } = made;`,
    ],
    [
      'an object that is passed on',
      'const base = { a: 5, c: "" };\ngo(base);\nbase.a;\nconst a = { a: 1 }.a;',
      'const base = { b: 5, c: "" };\ngo(base);\nbase.b;\nconst a = { a: 1 }.a;',
    ],
    [
      'a member of a class, its heir and who reads it',
      'class C { a = 1; c = ""; }\nclass D extends C { override a = 2; }\ngo(new C());\nnew D().a;',
      'class C { b = 1; c = ""; }\nclass D extends C { override b = 2; }\ngo(new C());\nnew D().b;',
    ],
    [
      'a key that is passed on in two ways',
      `${give}const made = give({ a: 5, c: "" });\ngo(made);`,
      `${give}const made = give({ b: 5, c: "" });\ngo(made);`,
    ],
  ])('M11 %s', (_, source, expected) => {
    const outcome = rename(opt + source, {}, undefined, true);
    expect(outcome).toMatchObject({ after: after + expected, proof: 'proven' });
    expect(outcome.items).toMatchObject([{ kind: 'structural_tie' }]);
  });

  test('M11 what listens to the old name', () => {
    const source = `${m}interface I { a?: number }\ndeclare function go(i: I): void;\nconst base = { «a»: 5 };\ngo(base);\ngo({ a: 1 });`;
    const outcome = rename(source, {}, undefined, true);
    expect(outcome).toMatchObject({
      after: `${m}interface I { b?: number }\ndeclare function go(i: I): void;\nconst base = { b: 5 };\ngo(base);\ngo({ b: 1 });`,
      proof: 'proven',
    });
  });

  test.each([
    [
      'a string that may stand for it',
      'go(base);\nReflect.get(base, "a");',
      /its own, which a rename that begins at a\.ts:4:16 asks\.$/,
    ],
    [
      'a name that only the running program knows',
      'go(base);\nexport const f = (k: string) => base[k as keyof typeof base];',
      /questions of its own/,
    ],
    [
      'another listener',
      'go(base);\ndeclare function hear(x: { a?: number }): void;\nhear(base);',
      /questions of its own/,
    ],
    ['the new name in the same place', 'const other = { a: 5, b: 6, c: "" };\ngo(other);', /already has a member `b`/],
    [
      'an undeclared name',
      'declare const made: Record<"a", number> & { c: string };\ngo(made);',
      /nothing declares it/,
    ],
    ['a module', 'import * as all from "./all.js";\ngo(all);', /more than a member/],
  ])('M9 not where there is %s', (_, source, why) => {
    const files = {
      'a.ts': `${opt}const base = { a: 5, c: "" };\n${source}`,
      'all.ts': 'export const a = 1, c = "";\n',
    };
    const [item] = rename(files).items;
    expect(item).toMatchObject({ kind: 'structural_tie', options: ['leave', 'stop'], edits: {} });
    expect(item?.detail).toMatch(why);
  });

  test('M13 not where it is declared outside the repository, or has to change with what is', () => {
    const offered = (files: Files) => rename(files).items[0];
    const away = offered({
      'a.ts': `/// <reference lib="dom" />\n${m}const options = { «signal»: undefined, c: "" };\nfetch("", options);`,
    });
    expect(away).toMatchObject({ kind: 'structural_tie', options: ['leave', 'stop'] });
    expect(away?.detail).toMatch(/it is declared outside the repository/);
    const theirs = offered({
      'a.ts': `import { base } from "pkg";\n${opt}go(base);`,
      'node_modules/pkg/index.d.ts': 'export declare const base: { a: number; c: string };\n',
      'node_modules/pkg/package.json': '{"name":"pkg","types":"./index.d.ts"}',
    });
    expect(theirs).toMatchObject({ kind: 'structural_tie', options: ['leave', 'stop'] });
    expect(theirs?.detail).toMatch(/it is declared outside the repository/);
    const heir = offered({
      'a.ts': `import type { Base } from "pkg";\n${opt}class C implements Base { a = 1; c = ""; }\ngo(new C());`,
      'node_modules/pkg/index.d.ts': 'export interface Base { a: number }\n',
      'node_modules/pkg/package.json': '{"name":"pkg","types":"./index.d.ts"}',
    });
    expect(heir).toMatchObject({ kind: 'structural_tie', options: ['leave', 'stop'] });
    expect(heir?.detail).toMatch(/it must change together with a declaration outside the repository/);
  });

  test('M9 asked about anyway: what both renames leave in doubt', () => {
    const source = `${opt}const base = { a: 5, c: "" };\ngo(base);\ndeclare function pick(k: keyof typeof base): void;\npick("a");`;
    expect(rename(source).items).toMatchObject([
      { kind: 'structural_tie', edits: { rename: [{}] } },
      { kind: 'string_reference', edits: { rename: [{}] } },
    ]);
  });
});
