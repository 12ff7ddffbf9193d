import { expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import { createFindKnown, knownCharsMin, recogniseOnce, recogniseSecrets } from './import-secrets.ts';

const secret = 'hV7nqZ2xW9dK4sTyB8mLp3Rc';
const text = (password: string) => Buffer.from(`export const password = '${password}';\n`);

test('S12 the memory holds of bytes the secrets recognised in them, and of other bytes nothing', () => {
  const recognised = recogniseSecrets(text(secret));
  expect([...recognised.keys()]).toEqual([secret]);
  expect([...recognised.values()].join()).not.toContain(secret);
  expect(recogniseOnce(text(secret))).toEqual(recognised);
  expect(recogniseOnce(text(secret))).toBe(recogniseOnce(text(secret)));
  expect([...recogniseOnce(text(`${secret}more`)).keys()]).toEqual([`${secret}more`]);
});

test('S12 a literal is also known as a compiler writes it', () => {
  const quoted = String.raw`hV7nq\'Z2xW9dK4sTyB8mLp3Rc`;
  expect([...recogniseSecrets(text(quoted)).keys()]).toContain("hV7nq'Z2xW9dK4sTyB8mLp3Rc");
});

const found = (known: readonly string[], text: string) =>
  createFindKnown(known)(text).map(({ start, end }) => text.slice(start, end));

test('whole ones, the longest first, and none that is not there', () => {
  expect(found(['secret', 'secret-long', 'other'], 'a secret-long one, a secret one, sec and secre')).toEqual([
    'secret-long',
    'secret',
  ]);
  expect(found([], 'secret')).toEqual([]);
  expect(found(['abc'], 'abc')).toEqual([]);
});

test('one that another begins with is found where the other does not go on', () => {
  expect(found(['aaaa', 'aaaabbbb', 'aaaabbbbcccc'], 'aaaabbbbccc aaaabbb aaaacccc')).toEqual([
    'aaaabbbb',
    'aaaa',
    'aaaa',
  ]);
});

test('halves, where the text breaks off', () => {
  expect(found(['hunter2-hunter2'], 'const x: "hunter2-hun..."; "hunter2-hun"; "hunter…"; "hun..."')).toEqual([
    'hunter2-hun',
    'hunter',
  ]);
  expect(found(['hunter2', 'hunting', 'huntress'], '"hunti..." "huntr..." "hunt..."')).toEqual([
    'hunti',
    'huntr',
    'hunt',
  ]);
});

test('it finds what a search for each of them finds', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', '.'), minLength: knownCharsMin, maxLength: 8 });
  fc.assert(
    fc.property(fc.array(word, { maxLength: 6 }), fc.array(word), (known, words) => {
      const text = words.join('');
      const spans = createFindKnown(known)(text);
      let from = 0;
      for (const span of [...spans, { start: text.length, end: text.length }]) {
        // Nothing that is known lies in between.
        for (const other of known) expect(text.slice(from, span.start)).not.toContain(other);
        from = span.end;
      }
      for (const { start, end, known: which } of spans) {
        const isWhole = end - start === which.length;
        expect(which.startsWith(text.slice(start, end))).toBe(true);
        expect(isWhole || text.startsWith('...', end)).toBe(true);
      }
    }),
  );
});

test('hostile: twenty thousand that begin alike, in a text of all of them', () => {
  const known = Array.from(
    { length: 20_000 },
    (_, at) => `sk-ant-api03-${String(at).padStart(8, '0')}${'x'.repeat(40)}`,
  );
  expect(createFindKnown(known)(known.join(' '))).toHaveLength(20_000);
});
