import { expect, test } from 'vitest';
import type { Json } from '../../kernel/base/json.ts';
import type { ToldFact } from './answer-facts.ts';
import type { Fact } from './fact.ts';
import { findFacts } from './find-facts.ts';
import { shortList } from './render-facts.ts';

function fact(id: string, scope: string, value: Json, more: Partial<Fact> = {}): Fact {
  const state = value === null ? 'none' : 'known';
  return { id, scope, state, value, confidence: 'high', evidence: [`${scope}:1`], how: 'x', ...more } as Fact;
}

const facts = [
  fact('ci.test_command', 'ci/a.yml#unit', ['npm test']),
  fact('ci.test_command', 'ci/b.yml#unit', ['go test'], { confidence: 'low' }),
  fact('docker.user', 'web/Dockerfile', 'app'),
  fact('generated_code', '.', ['web/api.ts', 'webb/x.ts'], { evidence: ['web/api.ts:1', 'webb/x.ts:1'] }),
  fact('licence', '.', 'MIT'),
  fact('licence', 'web', 'Apache-2.0'),
  fact('secrets.real', '.', null, { state: 'not_looked', confidence: null, how: 'no probe looked' }),
  fact('test.files', 'web/test/*', 2),
  fact('test.files', 'web/test/deep/*', 3),
  fact('entrypoint.production', 'web/src/app', 'web/src/app/main.ts'),
  fact('test.files', 'lib/a/*', 2),
  fact('test.files', 'lib/b/*', null, { state: 'unknown', confidence: null }),
];
const rules = [
  { id: 'ci.test_command', rollup: 'union' },
  { id: 'docker.user' },
  { id: 'entrypoint.production', rollup: 'union' },
  { id: 'generated_code', rollup: 'items' },
  { id: 'licence', rollup: 'above' },
  { id: 'secrets.real' },
  { id: 'test.files', rollup: 'sum' },
] as const;
const tree = new Set(['web', 'web/src', 'web/test', 'web/Dockerfile', 'lib', 'lib/Dockerfile']);

function ask(id: string | null, scope: string | null) {
  return findFacts(facts, rules, { id, scope }, (path) => tree.has(path));
}

function one(id: string, scope: string): Fact | undefined {
  const found = ask(id, scope);
  return found.kind === 'facts' ? found.facts[0] : undefined;
}

test('an id, the beginning of ids, and all of them', () => {
  const asked = ['docker.user'];
  expect(ask('docker', null)).toEqual({ kind: 'facts', asked, facts: [facts[2]] });
  expect(ask('docker.user', 'web/Dockerfile')).toEqual({ kind: 'facts', asked, facts: [facts[2]] });
  const all = rules.map(({ id }) => id);
  expect(ask(null, null)).toEqual({ kind: 'facts', asked: all, facts });
  expect(ask('*', null)).toEqual({ kind: 'facts', asked: all, facts });
  expect(ask('dock', null).kind).toBe('unknown_id');
});

test('what is not there is answered with the nearest', () => {
  expect(ask('docker.usr', null)).toMatchObject({
    kind: 'unknown_id',
    given: 'docker.usr',
    nearest: ['docker.user', /* others */ expect.anything(), expect.anything(), expect.anything(), expect.anything()],
  });
  expect(ask('docker.user', 'web/Dokerfile')).toMatchObject({ kind: 'unknown_scope' });
  const { nearest } = ask('docker.user', 'web/Dokerfile') as { readonly nearest: readonly string[] };
  expect(nearest[0]).toBe('web/Dockerfile');
  // A licence is stated of the root and holds for a directory below, which is known by other facts.
  expect((ask('licence', 'web/Dokerfile') as { readonly nearest: readonly string[] }).nearest[0]).toBe(
    'web/Dockerfile',
  );
});

test('one word that is no id and is a place is a scope', () => {
  const above = { ...facts[5], scope: 'web/Dockerfile' };
  expect(ask('web/Dockerfile', null)).toMatchObject({ kind: 'facts', facts: [facts[2], above] });
  expect(ask('web/Dockerfile#build', null)).toMatchObject({ kind: 'unknown_scope', given: 'web/Dockerfile#build' });
});

test('P2 what no probe stated is unknown, and what no probe looked at stays so: never none', () => {
  expect(one('docker.user', 'lib/Dockerfile')).toMatchObject({ state: 'unknown', value: null, confidence: null });
  expect(one('secrets.real', 'lib')).toMatchObject({ state: 'not_looked', scope: 'lib' });
});

test('scopes that no probe stated: sums, unions, parts of a list, the nearest around', () => {
  const evidence = ['web/test/*:1', 'web/test/deep/*:1'];
  expect(one('test.files', 'web')).toMatchObject({ scope: 'web', value: 5, evidence });
  expect(one('test.files', 'web/test')).toMatchObject({ value: 5 });
  expect(one('test.files', 'lib')).toMatchObject({ state: 'unknown', value: null, confidence: null });
  expect(one('ci.test_command', 'ci')).toMatchObject({ value: ['npm test', 'go test'], confidence: 'low' });
  expect(one('ci.test_command', 'ci/a.yml')).toMatchObject({ value: ['npm test'], confidence: 'high' });
  expect(one('entrypoint.production', 'web')).toMatchObject({ value: 'web/src/app/main.ts' });
  expect(one('generated_code', 'web')).toMatchObject({ value: ['web/api.ts'], evidence: ['web/api.ts:1'] });
  expect(one('generated_code', 'lib')).toMatchObject({ state: 'none', value: null });
  expect(one('licence', 'web/src')).toMatchObject({ scope: 'web/src', value: 'Apache-2.0' });
  expect(one('licence', 'lib')).toMatchObject({ value: 'MIT' });
});

test('without a question the repository is told, and of what only parts have the first three', () => {
  const of = (id: string, scope: string, state = 'known') =>
    ({ id, scope, state, value: 1, confidence: 'high', evidence: [], how: '' }) as ToldFact;
  const parts = ['a', 'b', 'c', 'd'].map((name) => of('build.command', `src/${name}`));
  const facts = [
    of('licence', '.'),
    of('licence', 'src/a'),
    of('contract.surface', 'http'),
    of('contract.surface', 'a.json#bin'),
    ...parts,
    of('lockfile', 'a/x.toml', 'none'),
  ];
  const { facts: short, more } = shortList(facts);
  expect(short.map(({ id, scope }) => `${id} ${scope}`)).toEqual([
    'licence .',
    'contract.surface http',
    'build.command src/a',
    'build.command src/b',
    'build.command src/c',
  ]);
  expect(more).toBe(4);
});
