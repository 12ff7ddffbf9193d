import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareFacts, renderComparison } from './compare-facts.ts';
import type { Fact } from './fact.ts';

function fact(id: string, scope: string, state: Fact['state'], value: string | null = null): Fact {
  return { id, scope, state, value, confidence: null, evidence: [], how: 'because' };
}
const known = (id: string, scope: string, value: string) => fact(id, scope, 'known', value);

const kindsOf = (before: readonly Fact[], after: readonly Fact[]) =>
  compareFacts(before, after).changes.map(({ kind, id, scope }) => `${kind} ${id} ${scope}`);

test('a value that differs, a part that came and one that went', () => {
  const before = [
    known('licence', '.', 'MIT'),
    known('docker.user', 'a/Dockerfile', 'root'),
    known('owners', '.', 'x'),
  ];
  const after = [known('licence', '.', 'ISC'), known('docker.user', 'b/Dockerfile', 'app'), known('owners', '.', 'x')];
  expect(kindsOf(before, after)).toEqual([
    'gone docker.user a/Dockerfile',
    'added docker.user b/Dockerfile',
    'changed licence .',
  ]);
  expect(compareFacts(before, after).same).toBe(1);
});

test('P2 what one of the two did not look at is neither new nor gone', () => {
  const all = [known('licence', '.', 'MIT'), known('docker.user', 'Dockerfile', 'root')];
  const blind = [fact('licence', '.', 'unknown'), fact('docker.user', '.', 'not_looked')];
  expect(kindsOf(all, blind)).toEqual(['unseen docker.user Dockerfile', 'unseen licence .']);
  expect(kindsOf(blind, all)).toEqual(['unseen docker.user Dockerfile', 'unseen licence .']);
  // An older program may not know an id at all.
  expect(kindsOf([], all)).toEqual(['unseen docker.user Dockerfile', 'unseen licence .']);
});

test('there is none, and there is one: new, or gone', () => {
  const none = [fact('docker.images', '.', 'none')];
  const some = [known('docker.images', '.', 'Dockerfile')];
  expect(kindsOf(none, some)).toEqual(['added docker.images .']);
  expect(kindsOf(some, none)).toEqual(['gone docker.images .']);
});

test('as Markdown no text of the repository leaves its cell', () => {
  const text = renderComparison(compareFacts([known('a', '.', 'x')], [known('a', '.', '`|\n<b>')]), 'markdown');
  expect(text).toContain("| `a` | `x` | `'\\| <b>` |");
});

test('the same facts have no difference, and turned round a comparison tells the same', () => {
  const some = fc.uniqueArray(
    fc.record({
      id: fc.constantFrom('a', 'b', 'c'),
      scope: fc.constantFrom('.', 'x', 'y'),
      state: fc.constantFrom('known', 'none', 'unknown', 'not_looked' as const),
      value: fc.constantFrom('1', '2'),
    }),
    { selector: ({ id, scope }) => `${id} ${scope}` },
  );
  const turned = { changed: 'changed', added: 'gone', gone: 'added', unseen: 'unseen' } as const;
  const make = (rows: readonly { id: string; scope: string; state: string; value: string }[]) =>
    rows.map(({ id, scope, state, value }) =>
      fact(id, scope, state as Fact['state'], state === 'known' ? value : null),
    );
  fc.assert(
    fc.property(some, some, (one, other) => {
      const [before, after] = [make(one), make(other)];
      expect(compareFacts(before, before).changes).toEqual([]);
      const there = compareFacts(before, after);
      const back = compareFacts(after, before);
      expect(back.changes.map(({ kind, id, scope }) => [turned[kind], id, scope])).toEqual(
        there.changes.map(({ kind, id, scope }) => [kind, id, scope]),
      );
    }),
  );
});
