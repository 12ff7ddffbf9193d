/** Verdicts decide whether the behaviour corpus passes: each with what would make it a lie. */

import { expect, test } from 'vitest';
import { type BehaviourCase, judge, type Observed } from '../../scripts/conformance/behaviour-case.ts';
import { runBehaviour } from '../../scripts/conformance/run-behaviour.ts';

const same: Observed = { outcome: 'applied', reasons: [], before: 'rc=0 1', after: 'rc=0 1' };

function verdictOf(wants: BehaviourCase['expect'], of: Partial<Observed>): string {
  return judge({ expect: wants, before: 'rc=0 1' }, { ...same, ...of });
}

test('what is applied is judged by what the command prints, whatever was expected', () => {
  for (const wants of ['apply', 'ask_or_refuse'] as const) {
    expect(verdictOf(wants, {})).toBe('met');
    expect(verdictOf(wants, { after: 'rc=0 2' })).toBe('wrong');
    expect(verdictOf(wants, { after: 'rc=1 1' })).toBe('wrong');
  }
});

test('a question is right where the name is data, and in vain where it is not', () => {
  for (const outcome of ['needs_decision', 'refused', 'blocked']) {
    expect(verdictOf('ask_or_refuse', { outcome, after: undefined })).toBe('met');
    expect(verdictOf('apply', { outcome, after: undefined })).toBe('in_vain');
  }
});

test('no answer is no merit, and a command that prints something else from the start judges nothing', () => {
  for (const outcome of ['planned', 'unsupported', 'not_answered'])
    expect(verdictOf('ask_or_refuse', { outcome, after: undefined })).toBe('failed');
  expect(verdictOf('apply', { before: 'rc=127 sh: node: not found', after: 'rc=127 sh: node: not found' })).toBe(
    'unusable',
  );
});

const project: Omit<BehaviourCase, 'id' | 'args' | 'run'> = {
  area: 'core',
  class: 'safe',
  kind: 'rename',
  files: [
    { path: 'package.json', text: '{"name":"x","private":true,"type":"module"}' },
    { path: 'tsconfig.json', text: '{"compilerOptions":{"module":"nodenext","noEmit":true,"types":[]}}' },
    { path: 'a.ts', text: 'export const one = 1;\n' },
    { path: 'main.ts', text: "import { one } from './a.ts';\nconsole.log(one);\n" },
  ],
  before: 'rc=0 1',
  expect: 'apply',
  judge: 'run',
};

test('a case is applied in its own tree and its command runs there, before and after', async () => {
  const results = await runBehaviour([
    { ...project, id: 'right', args: ['a.ts:1:14', 'uno'], run: 'node main.ts' },
    { ...project, id: 'wrong', args: ['a.ts:1:14', 'uno'], run: 'grep -c "const one" a.ts' },
    { ...project, id: 'moved', kind: 'move', args: ['a.ts', 'lib/a.ts'], run: 'node main.ts' },
    { ...project, id: 'taken', args: ['a.ts:1:14', 'class'], run: 'node main.ts' },
  ]);
  expect(results.map(({ id, outcome, verdict }) => [id, outcome, verdict])).toEqual([
    ['right', 'applied', 'met'],
    ['wrong', 'applied', 'wrong'],
    ['moved', 'applied', 'met'],
    ['taken', 'refused', 'in_vain'],
  ]);
  expect(results[1]?.after).toBe('rc=1 0');
});
