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

describe('M15 an error is compared although nobody wants to hear of it', () => {
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
