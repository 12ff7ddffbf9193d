/**
 * What states are for: a clean file's facts are those that an index made now would give. Random edits, deletions, creations and partial
 * refreshes of a small program whose meaning is known, and after each step every clean file is held against that meaning.
 */

import { expect, test } from 'vitest';
import { computeStates, freshnessOf } from '../../src/index/freshness/compute-states.ts';
import fc from '../support/properties.ts';
import { graphOf, type Indexed, type World } from '../support/state-world.ts';

const paths = ['a', 'b', 'c', 'd', 'e'];
type Source = {
  readonly body: number;
  readonly records: number;
  readonly closed: boolean;
  readonly imports: readonly string[];
};
type Program = Map<string, Source>;

/** What others can observe of a file: its records and, unless they are closed, those of all it imports, and so on. */
function meaningOf(program: Program, path: string): string {
  const seen = new Map<string, string>();
  const waiting = [path];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next)) continue;
    const source = program.get(next);
    seen.set(next, source === undefined ? 'missing' : recordsOf(source));
    if (source !== undefined && !source.closed) waiting.push(...source.imports);
  }
  return JSON.stringify([...seen].sort());
}

const recordsOf = ({ records, closed, imports }: Source): string =>
  JSON.stringify([records, closed, closed ? [] : imports]);

/** What an indexer says about a file: its own text, and the meaning of what it imports. */
function factsOf(program: Program, path: string): string {
  const source = program.get(path);
  return JSON.stringify([source, source?.imports.map((target) => meaningOf(program, target))]);
}

function createModel() {
  const program: Program = new Map();
  const indexed = new Map<string, { readonly row: Indexed; readonly facts: string }>();

  const world = (): World => ({
    files: Object.fromEntries(
      [...program].map(([path, source]) => [
        path,
        { bytes: JSON.stringify(source), syn: recordsOf(source), closed: source.closed },
      ]),
    ),
    contexts: [
      {
        key: 'c',
        live: true,
        by: 'tool',
        members: [...program.keys()],
        indexed: Object.fromEntries(
          [...indexed].map(([path, { row }]) => [path, { ...row, elsewhere: leadsElsewhere(path, row) }]),
        ),
      },
    ],
  });
  const leadsElsewhere = (path: string, row: Indexed): boolean =>
    (program.get(path)?.imports ?? []).some(
      (target) => target !== path && program.has(target) && !row.deps.some((dep) => dep.path === target),
    );
  const states = (): ReadonlyMap<string, string> => {
    const { graph, names } = graphOf(world());
    const { freshness } = computeStates(graph);
    return new Map(names.map((name, node) => [name.slice(0, -' in c'.length), freshnessOf(freshness[node] as number)]));
  };

  return {
    program,
    states,
    factsWhenIndexed: (path: string) => indexed.get(path)?.facts,
    remove(path: string) {
      program.delete(path);
      indexed.delete(path);
    },
    /** One run of the indexer over some files, all at once. */
    index(batch: readonly string[]) {
      const before = states();
      const semOf = (path: string): string | null => {
        if (batch.includes(path)) return meaningOf(program, path);
        // What the store has of others is of this moment only if they are clean.
        return before.get(path) === 'clean' ? (indexed.get(path)?.row.sem ?? null) : null;
      };
      const made = batch.flatMap((path) => {
        const source = program.get(path);
        if (source === undefined) return [];
        const deps = source.imports.flatMap((target) => {
          const found = program.get(target);
          return found === undefined ? [] : [{ path: target, syn: recordsOf(found), sem: semOf(target) }];
        });
        const row = { bytes: JSON.stringify(source), by: 'tool', sem: meaningOf(program, path), deps };
        return [[path, { row, facts: factsOf(program, path) }] as const];
      });
      for (const [path, entry] of made) indexed.set(path, entry);
    },
  };
}

const small = fc.nat(2);
const action = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('body' as const), path: fc.constantFrom(...paths), value: small }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('records' as const), path: fc.constantFrom(...paths), value: small }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('closed' as const),
      path: fc.constantFrom(...paths),
      value: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('imports' as const),
      path: fc.constantFrom(...paths),
      value: fc.subarray(paths),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), path: fc.constantFrom(...paths) }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('index' as const), paths: fc.subarray(paths, { minLength: 1 }) }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'index' as const, paths }) },
);
const source: fc.Arbitrary<Source> = fc.record({
  body: small,
  records: small,
  closed: fc.boolean(),
  imports: fc.subarray(paths, { maxLength: 3 }),
});

test('T1 T2 T3 T5 T6 R13: what is clean is as a fresh index would have it, after any edits and partial refreshes', () => {
  let cleanOnes = 0;
  fc.assert(
    fc.property(
      fc.array(source, { minLength: 5, maxLength: 5 }),
      fc.array(action, { minLength: 3, maxLength: 25 }),
      (sources, actions) => {
        const model = createModel();
        paths.forEach((path, at) => void model.program.set(path, sources[at] as Source));
        model.index(paths);
        for (const step of actions) {
          if (step.kind === 'index') model.index(step.paths);
          else if (step.kind === 'remove') model.remove(step.path);
          else {
            const known = model.program.get(step.path) ?? { body: 0, records: 0, closed: true, imports: [] };
            model.program.set(step.path, { ...known, [step.kind]: step.value });
          }
          for (const [path, state] of model.states()) {
            if (state !== 'clean') continue;
            cleanOnes += 1;
            expect(model.factsWhenIndexed(path), path).toBe(factsOf(model.program, path));
          }
        }
        // And nothing is left over once everything has been indexed.
        model.index(paths);
        expect(new Set(model.states().values())).toEqual(new Set(model.program.size === 0 ? [] : ['clean']));
      },
    ),
    { numRuns: 1500 },
  );
  expect(cleanOnes).toBeGreaterThan(10_000);
});
