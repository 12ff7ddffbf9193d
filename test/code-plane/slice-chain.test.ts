/** Dependency chains at their limits (mutation.md §11). */

import { afterAll, expect, test } from 'vitest';
import { chainLimits } from '../../src/index/navigate/slice-chain.ts';
import { openSessionView } from '../../src/index/view/code-view.ts';
import { answerFrom } from '../../src/serve/operations/run-operation.ts';
import slice from '../../src/serve/operations/slice.ts';
import { createIndexedTree } from '../support/indexed-tree.ts';

const tree = createIndexedTree({}, { git: false });
afterAll(() => tree.dispose());

async function chainOf(text: string, target: string) {
  tree.write('a.ts', text);
  const view = await openSessionView(tree.root, await tree.session(), 'sweep');
  const world = { nowMs: () => 0, signal: new AbortController().signal };
  const outcome = await answerFrom(slice, { target, kind: 'dependency-chain' as const }, view, world);
  if (outcome.kind !== 'answered' || outcome.answer.kind !== 'dependency-chain')
    throw new Error(JSON.stringify(outcome));
  return outcome.answer;
}

const functions = (count: number) =>
  Array.from({ length: count }, (_, at) => `export function f${at}() { return f${at + 1}(); }`).join('\n');

test('M34: a chain is eight links deep, and says where it was cut', async () => {
  const answer = await chainOf(`${functions(20)}\nexport function f20() {}`, '/f0');
  expect(answer.links.map(({ symbol, depth }) => [symbol, depth])).toEqual(
    Array.from({ length: chainLimits.depth }, (_, at) => [`a.ts#f${at + 1}`, at + 1]),
  );
  expect(answer.truncated).toBe(true);
});

test('M34: a chain that ends by itself is whole', async () => {
  const answer = await chainOf(`${functions(8)}\nexport function f8() {}`, '/f0');
  expect(answer.links).toHaveLength(8);
  expect(answer.truncated).toBe(false);
});

test('M34: two hundred links at most', async () => {
  const many = Array.from({ length: 300 }, (_, at) => `g${at}`);
  const text = `${many.map((name) => `export const ${name} = 1;`).join('\n')}\nexport const all = () => [${many.join(', ')}];`;
  const answer = await chainOf(text, '/all');
  expect(answer.links).toHaveLength(chainLimits.links);
  expect(answer.truncated).toBe(true);
});

test('circles end, and each symbol is there once', async () => {
  const answer = await chainOf('export function a() { b(); }\nexport function b() { a(); b(); a(); }', '/a');
  expect(answer.links.map(({ symbol, via }) => [symbol, via])).toEqual([['a.ts#b', 'calls']]);
});
