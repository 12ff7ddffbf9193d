import { expect, test } from 'vitest';
import type { Checker } from '../../../languages/typescript/compiler/typescript-api.ts';
import { rememberAnswers } from './remembered-answers.ts';

/** Answers every question with how it was asked, and keeps what it was asked. */
function listen(fails: ReadonlySet<unknown> = new Set()) {
  const asked: unknown[][] = [];
  const answer =
    (method: string) =>
    (...given: readonly unknown[]) => {
      asked.push([method, ...given]);
      if (given.some((one) => fails.has(one))) throw new Error('no answer');
      const [about] = given;
      return Array.isArray(about) ? about.map((one) => ({ method, one })) : { method, one: about };
    };
  const checker = new Proxy({} as Record<string, unknown>, {
    get: (target, method) => target[String(method)] ?? answer(String(method)),
  }) as unknown as Checker;
  rememberAnswers(checker);
  return { checker, asked };
}

const [a, b, c] = [{ id: 1 }, { id: 2 }, { id: 3 }] as unknown as readonly [never, never, never];

test('a question is asked once, and another one by itself', () => {
  const { checker, asked } = listen();
  const first = checker.getContextualType(a);
  expect(checker.getContextualType(a)).toBe(first);
  expect(checker.getContextualType(b)).not.toBe(first);
  expect(checker.getPropertiesOfType(a)).not.toBe(first);
  expect(asked).toEqual([
    ['getContextualType', a],
    ['getContextualType', b],
    ['getPropertiesOfType', a],
  ]);
});

test('of many only those are asked that are not known, each once, and the answers keep their order', () => {
  const { checker, asked } = listen();
  const first = checker.getSymbolAtLocation(b);
  const all = checker.getSymbolAtLocation([a, b, c, a] as never) as unknown as readonly unknown[];
  expect(all).toEqual([a, b, c, a].map((one) => ({ method: 'getSymbolAtLocation', one })));
  expect(all[1]).toBe(first);
  expect(checker.getSymbolAtLocation(c)).toBe(all[2]);
  expect(asked).toEqual([
    ['getSymbolAtLocation', b],
    ['getSymbolAtLocation', [a, c]],
  ]);
});

test('a name or a kind is part of the question', () => {
  const { checker, asked } = listen();
  for (const name of ['x', 'y', 'x']) checker.getPropertyOfType(a, name);
  expect(asked).toEqual([
    ['getPropertyOfType', a, 'x'],
    ['getPropertyOfType', a, 'y'],
  ]);
});

test('M18 a failure is no answer: the next question goes to the compiler', () => {
  const { checker, asked } = listen(new Set([a]));
  expect(() => checker.getResolvedSignature(a)).toThrow('no answer');
  expect(() => checker.getResolvedSignature(a)).toThrow('no answer');
  expect(() => checker.getPropertyOfType(a, 'x')).toThrow('no answer');
  expect(() => checker.getPropertyOfType(a, 'x')).toThrow('no answer');
  expect(asked).toHaveLength(4);
});
