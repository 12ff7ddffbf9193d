import { expect, test, vi } from 'vitest';
import { oncePerGeneration, type ReadSession } from './read-session.ts';

const statement: ReadSession['statement'] = () => {
  throw new Error('not asked');
};

test('once for a keeper and a generation, again for another of either', () => {
  const compute = vi.fn(({ generation }: ReadSession) => ({ generation }));
  const keeper = {};
  const first = oncePerGeneration({ generation: 1, path: '', keeper, statement }, 'a', compute);
  expect(oncePerGeneration({ generation: 1, path: '', keeper, statement }, 'a', compute)).toBe(first);
  expect(compute).toHaveBeenCalledTimes(1);
  expect(oncePerGeneration({ generation: 1, path: '', keeper, statement }, 'b', compute)).not.toBe(first);
  expect(oncePerGeneration({ generation: 2, path: '', keeper, statement }, 'a', compute)).toEqual({ generation: 2 });
  // Going back, as no store does, is another generation too.
  expect(oncePerGeneration({ generation: 1, path: '', keeper, statement }, 'a', compute)).not.toBe(first);
  expect(oncePerGeneration({ generation: 1, path: '', keeper: {}, statement }, 'a', compute)).not.toBe(first);
  expect(compute).toHaveBeenCalledTimes(5);
});
