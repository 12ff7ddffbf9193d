import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { z } from '../../kernel/base/schema.ts';
import { listScope } from '../../kernel/tree/file-scope.ts';
import { defineProbe } from '../contract.ts';
import { blankExecution, type Execution } from '../run/execution.ts';
import { type Component, factsOf, known, none, type Spine, type Statement } from './fact.ts';
import { stateFacts } from './state-facts.ts';

const roots: string[] = [];
afterEach(() => roots.splice(0).forEach((root) => void rmSync(root, { recursive: true })));

const section = z.strictObject({ user: z.string() });

async function state(
  files: Readonly<Record<string, string>>,
  statements: readonly Statement[] | ((spine: Spine) => readonly Statement[]),
  more: Partial<Execution> = {},
  components: readonly Component[] | undefined = undefined,
) {
  const root = mkdtempSync(join(tmpdir(), 'facts-'));
  roots.push(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  symlinkSync('/etc/hostname', join(root, 'link'));
  const probe = defineProbe({
    name: 'users',
    version: '1.0.0',
    layer: 'A',
    says: 'users',
    heaviness: 'light',
    sections: { users: section },
    facts: factsOf('users', section, [
      {
        id: 'user',
        says: 'who',
        of: 'a file',
        value: z.string(),
        from: 'files',
        noneWithoutSection: true,
        state: (_, spine) => (typeof statements === 'function' ? statements(spine) : statements),
      },
    ]),
    ...(components === undefined ? {} : { spine: () => components }),
    declaredInputs: [],
    timeoutSeconds: 1,
    confidenceRule: 'high',
    run: async () => ({ kind: 'ran', slice: {}, confidence: 'high' }),
  });
  const slice = {
    slice: { users: { user: 'app' } },
    fingerprints: [],
    findingsCount: 0,
  } as unknown as Execution['slice'];
  const execution: Execution = { ...blankExecution(probe, true), status: 'ok', slice, ...more };
  const { scope } = await listScope({ root, git: undefined, excludes: () => false });
  const { facts, executions } = stateFacts(new Map([['users', execution]]), { root, scope });
  return { fact: facts[0], facts, warnings: executions.get('users')?.warnings };
}

const about = { because: 'declared', how: 'it says so' } as const;
const files = { 'a/Dockerfile': 'FROM x\nUSER app\n' };

test('G41 evidence is the line that holds the value, or the token that the rule declares', async () => {
  const evidence = [
    { path: 'a/Dockerfile' },
    { path: 'a/Dockerfile', line: 2, shows: 'USER' },
    { path: 'a/Dockerfile', shows: null },
  ];
  const { fact, warnings } = await state(files, [known('a', 'app', { ...about, evidence })]);
  expect(fact).toEqual({
    ...{ id: 'user', scope: 'a', state: 'known', value: 'app', confidence: 'high' },
    ...{ evidence: ['a/Dockerfile:2', 'a/Dockerfile:1'], how: 'declared: it says so' },
  });
  expect(warnings).toEqual([]);
});

test.each([
  ['a file that is not there', { path: 'b/Dockerfile', shows: null }],
  ['a line without the value', { path: 'a/Dockerfile', line: 1 }],
  ['a line that is not there', { path: 'a/Dockerfile', line: 9, shows: 'USER' }],
  ['a token that is nowhere in the file', { path: 'a/Dockerfile', shows: 'EXPOSE' }],
  ['a link', { path: 'link', shows: 'a' }],
])('G41 a fact with %s as evidence is dropped, and its probe is warned', async (_, claim) => {
  const { fact, warnings } = await state(files, [known('a', 'app', { ...about, evidence: [claim] })]);
  expect(fact).toMatchObject({ state: 'unknown', value: null, confidence: null, evidence: [] });
  expect(warnings).toEqual(['facts.evidence_missing']);
});

test('G41 a known fact without evidence, of another shape, or stated twice is dropped', async () => {
  expect(await state(files, [known('a', 'app', about)])).toMatchObject({ warnings: ['facts.evidence_missing'] });
  const evidence = [{ path: 'a/Dockerfile', shows: null }];
  expect(await state(files, [known('a', 7, { ...about, evidence })])).toMatchObject({ warnings: ['facts.invalid'] });
  const twice = await state(files, [known('a', 'app', { ...about, evidence }), none('a', about)]);
  expect(twice).toMatchObject({ warnings: ['facts.stated_twice'], facts: [{ state: 'known' }] });
});

test('P7 a rule that throws costs its own facts', async () => {
  const thrown = await state(files, () => {
    throw new Error('broken');
  });
  expect(thrown).toMatchObject({
    warnings: ['facts.rule_threw'],
    facts: [{ id: 'user', scope: '.', state: 'unknown' }],
  });
});

test('G41 rules are told the components by the probe that found them, and none where it has no section', async () => {
  const component = { dir: 'a', name: 'a', kind: 'service', language: null, manifests: [] } as const;
  const told: (readonly string[])[] = [];
  const listen = ({ components }: Spine) => {
    told.push(components.map(({ dir }) => dir));
    return [];
  };
  await state(files, listen, {}, [component]);
  await state(files, listen);
  expect(told).toEqual([['a'], []]);
});

test('P2 without a section: none where there was nothing to look at, not_looked where no probe looked', async () => {
  const skipped = { slice: null, status: 'skipped' } as const;
  const nothing = await state({}, [], { ...skipped, skip: { reason: 'not_applicable', detail: 'no Dockerfile' } });
  expect(nothing.fact).toMatchObject({ scope: '.', state: 'none', confidence: 'high' });
  const blind = await state({}, [], { ...skipped, skip: { reason: 'tool_missing', detail: null } });
  expect(blind.fact).toMatchObject({ scope: '.', state: 'not_looked', confidence: null });
  const failed = await state({}, [], { slice: null, status: 'failed', errors: ['probe.threw'] });
  expect(failed.fact).toMatchObject({ state: 'not_looked' });
});

test('G41 the line that holds the first token that there is, whatever ends the lines and whatever the case', async () => {
  const ends = { 'a/ends': 'One\r\ntwo\rthree\nFour\n' };
  const evidenceOf = async (shows: readonly string[], line?: number) => {
    const claim = line === undefined ? { path: 'a/ends', shows } : { path: 'a/ends', shows, line };
    return (await state(ends, [known('a', 'app', { ...about, evidence: [claim] })])).fact?.evidence;
  };
  expect(await evidenceOf(['THREE', 'one'])).toEqual(['a/ends:3']);
  expect(await evidenceOf(['five', 'THREE'])).toEqual(['a/ends:3']);
  expect(await evidenceOf(['one'])).toEqual(['a/ends:1']);
  expect(await evidenceOf(['two'], 2)).toEqual(['a/ends:2']);
  expect(await evidenceOf(['two'], 3)).toEqual([]);
});

test('G41 a line shows a word by having it as a word, best where it begins with it; a part of another word comes last', async () => {
  const text = [
    '"./body-limit": {',
    'uses: "MIT", say',
    '- "mit": yes',
    'command: run --url http://db:1 --exposedbydefault',
    'db:',
    'tap: grpcVersion',
  ].join('\n');
  const evidenceOf = async (shows: readonly (string | null)[]) => {
    const evidence = [{ path: 'a/list', shows }];
    return (await state({ 'a/list': text }, [known('a', 'app', { ...about, evidence })])).fact?.evidence;
  };
  expect(await evidenceOf(['MIT'])).toEqual(['a/list:3']);
  expect(await evidenceOf(['"MIT",'])).toEqual(['a/list:2']);
  expect(await evidenceOf(['db'])).toEqual(['a/list:5']);
  expect(await evidenceOf(['grpc'])).toEqual(['a/list:6']);
  expect(await evidenceOf(['nothing', null])).toEqual(['a/list:1']);
  expect(await evidenceOf(['nothing', 'tap', null])).toEqual(['a/list:6']);
  expect(await evidenceOf(['nothing'])).toEqual([]);
});
