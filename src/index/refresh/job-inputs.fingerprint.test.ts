import { expect, test } from 'vitest';
import { collectDependencies, computeFingerprint } from './job-inputs.ts';

const context = { configHash: 'c', envHash: 'e', toolId: 't' };
const hashes: Record<string, string> = { a: '1', b: '2', lib: '3' };
const base = { context, members: ['a', 'b'], dependencies: ['lib'], hashOf: (path: string) => hashes[path] ?? null };

test('everything that decides the result is in it', () => {
  const others = [
    { ...base, context: { ...context, configHash: 'd' } },
    { ...base, context: { ...context, envHash: 'f' } },
    { ...base, context: { ...context, toolId: 'u' } },
    { ...base, members: ['a'] },
    { ...base, members: ['a', 'b', 'lib'], dependencies: [] },
    { ...base, dependencies: [] },
    { ...base, hashOf: (path: string) => (path === 'lib' ? '4' : base.hashOf(path)) },
    { ...base, hashOf: (path: string) => (path === 'lib' ? null : base.hashOf(path)) },
  ];
  const ids = [base, ...others].map(computeFingerprint);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids[0]).toMatch(/^[0-9a-f]{32}$/);
});

test('the order in which dependencies are found is not', () => {
  const forth = computeFingerprint({ ...base, dependencies: ['lib', 'zod'] });
  expect(computeFingerprint({ ...base, dependencies: ['zod', 'lib'] })).toBe(forth);
});

test('a change is seen through any number of files in between, and cycles end', () => {
  const targets: Record<string, string[]> = { a: ['x'], x: ['y', 'a'], y: ['z', 'x'], z: [] };
  expect([...collectDependencies(['a', 'b'], (path) => targets[path] ?? [])].sort()).toEqual(['x', 'y', 'z']);
});

test('linear: fifty thousand files in a chain are no problem', () => {
  const chain = (path: string) => (Number(path) < 50_000 ? [String(Number(path) + 1)] : []);
  expect(collectDependencies(['0'], chain).size).toBe(50_000);
});
