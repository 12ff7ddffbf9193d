/** What the generation of the registry refuses, each refusal naming both origins. */

import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineProbe, type ProbeDefinition } from '../contract.ts';
import { type RegisteredProbe, registryProblems } from './registry-problems.ts';

const known = { catalogs: ['native-modules'], tools: ['git', 'node'] };

function register(
  name: string,
  more: Partial<ProbeDefinition> = {},
  origin = `src/probes/a/${name}.ts`,
): RegisteredProbe {
  const probe = defineProbe({
    name,
    version: '0.1.0',
    layer: 'A',
    says: 'x',
    heaviness: 'light',
    sections: { [name]: z.json() },
    declaredInputs: [],
    timeoutSeconds: 1,
    confidenceRule: 'x',
    run: async () => ({ kind: 'skipped', reason: 'not_applicable' }),
    ...more,
  } as ProbeDefinition);
  return { probe, origin };
}

const problems = (...registered: RegisteredProbe[]) => registryProblems(registered, known);

test('a registry without problems has none', () => {
  expect(
    problems(
      register('a', {
        catalogs: ['native-modules'],
        tools: ['git'],
        configKeys: ['adrs.paths'],
        artifacts: ['a.json', 'a-*.txt'],
      }),
      register('b', {
        requires: ['a'],
        artifacts: ['b.json', 'ab-*.txt', 'b/'],
        declaredInputs: ['utc-date:<resolved>', '**/*.ts'],
      }),
      register('c', { requires: ['a', { probe: 'b', optional: true }] }),
    ),
  ).toEqual([]);
});

test('a duplicate name, section or index names both files', () => {
  const check = () => ({ kind: 'fresh', indexedAt: '' }) as never;
  expect(problems(register('x'), register('x', { sections: {} }, 'src/probes/b/x.ts'))).toEqual([
    "duplicate probe name 'x': src/probes/a/x.ts and src/probes/b/x.ts",
  ]);
  expect(problems(register('x'), register('y', { sections: { x: z.json() } }))).toEqual([
    "duplicate section path 'x': src/probes/a/x.ts and src/probes/a/y.ts",
  ]);
  expect(
    problems(register('x', { index: { name: 'i', check } }), register('y', { index: { name: 'i', check } })),
  ).toEqual(["duplicate index_name 'i': src/probes/a/x.ts and src/probes/a/y.ts"]);
});

test.each([
  ['x.json', 'x.json'],
  ['x-*.json', 'x-a.json'],
  ['x-*.json', 'x-a-*.json'],
  ['x-*.json', 'x-*.json'],
  ['x/', 'x/y.json'],
  ['x/', 'x/y/'],
  ['x/', 'x/'],
])('artifacts %s and %s overlap', (first, second) => {
  for (const [a, b] of [
    [first, second],
    [second, first],
  ] as const) {
    const found = problems(register('x', { artifacts: [a] }), register('y', { artifacts: [b] }));
    expect(found).toEqual([`duplicate artifact name '${a}' and '${b}': src/probes/a/x.ts and src/probes/a/y.ts`]);
  }
});

test.each([
  ['x.json', 'y.json'],
  ['x-*.json', 'x-a.txt'],
  ['x-*.json', 'x.json'],
  ['x-*.json', 'y-*.json'],
  ['x/', 'xy/'],
  ['x/', 'x.json'],
])('artifacts %s and %s do not', (a, b) => {
  expect(problems(register('x', { artifacts: [a] }), register('y', { artifacts: [b] }))).toEqual([]);
});

test.each<[string, Partial<ProbeDefinition>, string]>([
  ['probe', { requires: ['gone'] }, "unknown probe 'gone' required by x"],
  ['catalog', { catalogs: ['gone'] }, "unknown catalog 'gone'"],
  ['config key', { configKeys: ['gone.key' as never] }, "unknown config key 'gone.key'"],
  ['config key that every object has', { configKeys: ['constructor' as never] }, "unknown config key 'constructor'"],
  ['tool', { tools: ['curl'] }, "unknown tool 'curl'"],
  ['token', { declaredInputs: ['moon-phase:<resolved>'] }, 'unknown_special_token: moon-phase'],
])('an unknown %s is refused with the file that names it', (_, more, message) => {
  expect(problems(register('x', more))).toEqual([`${message}: src/probes/a/x.ts`]);
});

test.each<[string, Partial<ProbeDefinition>]>([
  ['leaves the root', { declaredInputs: ['../x'] }],
  ['is absolute', { declaredInputs: ['/etc/passwd'] }],
  ['lies in .git', { declaredInputs: ['.git/config'] }],
  ['is derived data', { declaredInputs: ['.codegenie/cache/x'] }],
  ['names an unknown config key', { declaredInputs: ['config:gone.key:*.yaml'] }],
])('a declared input that %s is refused', (_, more) => {
  expect(problems(register('x', more))).toHaveLength(1);
});

test('names, versions and ids have a form, and a probe lies in a file of its name', () => {
  expect(problems(register('Bad', { sections: {} }))).toEqual(["malformed probe name 'Bad': src/probes/a/Bad.ts"]);
  expect(problems(register('x', {}, 'src/probes/a/y.ts'))).toEqual([
    "probe 'x' is not in a file of its name: src/probes/a/y.ts",
  ]);
  expect(problems(register('a_b', {}, 'src/probes/a-b/a-b.ts'))).toEqual([]);
  expect(problems(register('x', { version: '1' }))).toEqual(["malformed version '1': src/probes/a/x.ts"]);
  expect(problems(register('x', { warningIds: ['NoDot'] }))).toEqual(["malformed id 'NoDot': src/probes/a/x.ts"]);
});

test('a circle of requirements is printed along its way', () => {
  expect(problems(register('a', { requires: ['b'] }), register('b', { requires: ['a'] }))).toEqual([
    'circular requires: a → b → a',
  ]);
  expect(problems(register('a', { requires: ['a'] }))).toEqual(['circular requires: a → a']);
  expect(
    problems(
      register('start', { requires: ['a'] }),
      register('a', { requires: ['b'] }),
      register('b', { requires: [{ probe: 'c', optional: true }] }),
      register('c', { requires: ['a'] }),
    ),
  ).toEqual(['circular requires: a → b → c → a']);
});
