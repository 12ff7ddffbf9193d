import { afterEach, describe, expect, test } from 'vitest';
import { proveMarked } from '../../../../test/support/marked-edits.ts';
import { closePrograms, renderConfig } from '../../../../test/support/open-programs.ts';
import { checkJavascript } from '../job/programs.ts';
import type { ProofReport } from '../session/messages.ts';
import { lift } from './compare-diagnostics.ts';

afterEach(closePrograms);

const verdict = (report: ProofReport) => (report.kind === 'disproved' ? report.reason : report.kind);
const member = { isMember: true };
const owner = 'export interface A { ‹a→b›: number; z: string }\nexport const f = (x: A) => x.«a→b»;\n';
const lost = "import { f } from './a.js';\nconst made = { a: 1, z: '' };\nf(made);\nexport {};\n";

describe('M15 a suppressed error is compared', () => {
  test.each([
    ['@ts-nocheck', { 'a.ts': owner, 'c.ts': `// @ts-nocheck\n${lost}` }],
    ['@ts-ignore', { 'a.ts': owner, 'c.ts': lost.replace('f(made)', '// @ts-ignore\nf(made)') }],
    ['@ts-expect-error', { 'a.ts': owner, 'c.ts': lost.replace('f(made)', '// @ts-expect-error why\nf(made).x') }],
    ['a block comment', { 'a.ts': owner, 'c.ts': lost.replace('f(made)', '/* @ts-ignore */\nf(made)') }],
    ['checkJs off', { 'tsconfig.json': renderConfig({ allowJs: true, checkJs: false }), 'a.ts': owner, 'c.js': lost }],
    ['checkJs unsaid', { 'tsconfig.json': renderConfig({ allowJs: true }), 'a.ts': owner, 'c.js': lost }],
    [
      'checkJs off in a configuration that is extended',
      {
        'tsconfig.json': '{ "extends": "./base.json" }',
        'base.json': renderConfig({ allowJs: true, checkJs: false }),
        'a.ts': owner,
        'c.js': lost,
      },
    ],
    ['@ts-nocheck in JavaScript', { 'a.ts': owner, 'c.js': `// @ts-nocheck\n${lost}` }],
  ])('M15 %s', (_, files) => {
    expect(verdict(proveMarked(files, member))).toBe('new_diagnostics');
  });
});

test('M15 errors that were hidden before and are the same afterwards are allowed', () => {
  const files = {
    'a.ts': 'export interface A { ‹a→b›: number }\n// @ts-ignore\nexport const x: A = 1;\n',
    'c.js': "import { x } from './a.js';\nx.«a→b».missing;\nnothing.a;\n",
  };
  expect(verdict(proveMarked(files, member))).toBe('proven');
});

test('a directive becomes unreadable at equal length', () => {
  for (const one of ['@ts-ignore', '@ts-expect-error', '@ts-nocheck']) {
    expect(lift(`// ${one}: why`)).toHaveLength(`// ${one}: why`.length);
    expect(lift(`// ${one}: why`)).not.toContain(one);
  }
  expect(lift('// @ts-check')).toBe('// @ts-check');
});

test.each([
  ['{"compilerOptions":{}}'],
  ['{}'],
  ['// why\n{ "include": ["src"] }'],
  ['{ "compilerOptions": { "checkJs" : false } }'],
  ['{ "compilerOptions": { "strict": true } }'],
])('a configuration that checks JavaScript: %s', (text) => {
  const { compilerOptions } = JSON.parse(checkJavascript(text).replace('// why', ''));
  expect(compilerOptions.checkJs).toBe(true);
});

describe('M15 a duplicate that no program loads may end, and nothing else', () => {
  const other = 'export const x = 1;\nexport type T = string;\nexport default x;\n';
  const local = { reach: 'file', oldName: 'a', newName: 'b' } as const;
  test.each([
    ['a parameter and a `let`', 'proven', 'export function f(‹a→b›: number) {\n  let a = «a→b»;\n}\n'],
    [
      'a parameter property and a `let`',
      'proven',
      'class A {\n  constructor(protected ‹a→b›: number) {\n    let a = «a→b»;\n    this.«a→b» += 1;\n  }\n}\nexport { A };\n',
    ],
    ['two imports', 'proven', "import { x as ‹a→b› } from './c.js';\nimport a from './c.js';\nexport {};\n"],
    ['two `let`', 'proven', 'export function f() {\n  let ‹a→b› = 1;\n  let a = 2;\n  return «a→b»;\n}\n'],
    ['`var` and a function, which run', 'new_diagnostics', 'export {};\nfunction ‹a→b›() {}\nvar a = 1;\n«a→b»;\n'],
    [
      'a type beside a value',
      'new_diagnostics',
      "import type { T as ‹a→b› } from './c.js';\nimport a from './c.js';\nexport const y = «a→b»;\n",
    ],
    [
      'an import of a type beside a value',
      'new_diagnostics',
      "import { T as ‹a→b› } from './c.js';\nimport a from './c.js';\nexport const y = «a→b»;\n",
    ],
    ['a declared value', 'new_diagnostics', 'export {};\ndeclare const ‹a→b›: number;\nlet a = 2;\n'],
  ] as const)('M15 %s', (_, expected, text) => {
    expect(verdict(proveMarked({ 'a.ts': text, 'c.ts': other }, local))).toBe(expected);
  });

  test('M15 members run, and the last one counts', () => {
    const text = 'export class A {\n  ‹a→b›() { return 1; }\n  a = 2;\n}\nnew A().«a→b»;\n';
    expect(verdict(proveMarked({ 'a.ts': text }, { ...member, oldName: 'a', newName: 'b' }))).toBe('new_diagnostics');
  });

  test('M15 scripts share a global scope, and each may run alone', () => {
    const files = { 'a.ts': 'let ‹a→b› = 1;\n«a→b»;\n', 'c.ts': 'let a = 2;\n«a→b»;\n' };
    expect(verdict(proveMarked(files, { oldName: 'a', newName: 'b' }))).not.toBe('proven');
  });
});

describe('M15 an error that calls two types by one name is the same when one of them is renamed', () => {
  const other = { f: { name: 'A', use: 'A' }, g: { name: 'A', use: 'A' } };
  const renamed = { name: '‹A→B›', use: '«A→B»' };
  test.each([
    ['the first', { ...other, f: renamed }],
    ['the second', { ...other, g: renamed }],
  ])('M15 %s', (_, { f, g }) => {
    const text = [
      `function f() { class ${f.name} { private v = 1; static make() { return new ${f.use}(); } } return ${f.use}.make(); }`,
      `function g() { class ${g.name} { private v = 2; } const a: ${g.use} = f(); return a; }`,
      'export const x = g();\n',
    ].join('\n');
    expect(verdict(proveMarked({ 'a.ts': text }, { oldName: 'A', newName: 'B', reach: 'file' }))).toBe('proven');
  });

  test('M15 two classes in one scope', () => {
    const text = 'class ‹A→B› { x = 1; }\nclass A { y = 2; }\nnew «A→B»();\nexport {};\n';
    expect(verdict(proveMarked({ 'a.ts': text }, { oldName: 'A', newName: 'B', reach: 'file' }))).toBe('proven');
  });
});
