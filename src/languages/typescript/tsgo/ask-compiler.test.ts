import { expect, test } from 'vitest';
import type { Checker, Node } from '../compiler/typescript-api.ts';
import { createQuestions, failed } from './ask-compiler.ts';

/** A checker that panics at some nodes and remembers how large its requests were. */
function createChecker(panicsAt: ReadonlySet<number>, sizes: number[], message = 'panic handling request') {
  return {
    getSymbolAtLocation(nodes: readonly { readonly at: number }[]) {
      sizes.push(nodes.length);
      if (nodes.some(({ at }) => panicsAt.has(at))) throw new Error(message);
      return nodes.map(({ at }) => ({ id: at }));
    },
  } as unknown as Checker;
}

const listNodes = (count: number) => Array.from({ length: count }, (_, at) => ({ at })) as unknown as Node[];

test('R17 a question that makes the compiler fail is found by halving, and costs no other its answer', () => {
  const sizes: number[] = [];
  const questions = createQuestions(createChecker(new Set([3, 300, 301]), sizes), { requests: 0, ms: 0 });
  const answers = questions.symbolsAt(listNodes(700));
  expect(answers.flatMap((answer, at) => (answer === failed ? [at] : []))).toEqual([3, 300, 301]);
  expect(answers.filter((answer) => answer !== failed)).toHaveLength(697);
  expect(Math.max(...sizes)).toBe(256);
  expect(sizes.length).toBeLessThan(3 + 3 * 2 * 9);
});

test('a compiler that is gone is no answer to any question', () => {
  const questions = createQuestions(createChecker(new Set([0]), [], 'Unexpected EOF while reading'), {
    requests: 0,
    ms: 0,
  });
  expect(() => questions.symbolsAt(listNodes(2))).toThrow('Unexpected EOF');
});
