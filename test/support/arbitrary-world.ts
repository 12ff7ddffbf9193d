/** Worlds of `state-world.ts` at random. */

import fc from './properties.ts';
import type { Indexed, World, WorldFile } from './state-world.ts';

const paths = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
const hash = (letters: string) => fc.constantFrom(...letters);
const maybe = (letters: string) => fc.oneof({ weight: 5, arbitrary: hash(letters) }, fc.constant(null));
const arbitraryFile: fc.Arbitrary<WorldFile> = fc.record({
  bytes: fc.constantFrom('1', '1', '1', '2'),
  syn: maybe('iiij'),
  closed: fc.boolean(),
});
const arbitraryIndexed: fc.Arbitrary<Indexed> = fc.record({
  bytes: fc.constantFrom('1', '1', '1', '1', '2'),
  by: fc.constantFrom('tool', 'tool', 'tool', 'tool', 'old'),
  sem: maybe('mmmn'),
  deps: fc.uniqueArray(
    fc.record({ path: fc.constantFrom(...paths, 'never'), syn: maybe('iiiij'), sem: maybe('mmmmn') }),
    {
      selector: ({ path }) => path,
      maxLength: 4,
    },
  ),
  elsewhere: fc.constantFrom(false, false, false, false, true),
});
/** Files with cycles, re-export chains, deleted dependencies, closed and open interfaces, in up to three contexts. */
export const arbitraryWorld: fc.Arbitrary<World> = fc.record({
  files: fc.dictionary(fc.constantFrom(...paths), arbitraryFile, { minKeys: 3, noNullPrototype: true }),
  contexts: fc
    .array(
      fc.record({
        live: fc.constantFrom(true, true, true, false),
        by: fc.constant('tool'),
        members: fc.subarray(paths, { minLength: 2 }),
        indexed: fc.dictionary(fc.constantFrom(...paths), arbitraryIndexed, { minKeys: 3, noNullPrototype: true }),
      }),
      { minLength: 1, maxLength: 3 },
    )
    .map((contexts) =>
      contexts.map((context, at) => {
        const indexed = Object.entries(context.indexed).filter(([path]) => context.members.includes(path));
        return { ...context, key: `c${at}`, indexed: Object.fromEntries(indexed) };
      }),
    ),
});
