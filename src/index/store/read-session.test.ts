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

test('what can be brought up to date is made from the newest that is not newer than the question', () => {
  const keeper = {};
  const compute = vi.fn(({ generation }: ReadSession) => ({ made: `anew ${generation}` }));
  const ask = (generation: number, path = 'one.db') =>
    oncePerGeneration({ generation, path, keeper, statement }, 'a', compute, (before, of) => ({
      made: `${before.made}, ${of} to ${generation}`,
    })).made;
  expect(ask(1)).toBe('anew 1');
  expect(ask(3)).toBe('anew 1, 1 to 3');
  // A view that was pinned earlier is asked once more, and the newer value is not lost.
  expect(ask(2)).toBe('anew 2');
  expect(ask(4)).toBe('anew 1, 1 to 3, 3 to 4');
  expect(ask(5, 'two.db')).toBe('anew 5');
});
