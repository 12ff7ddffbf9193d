import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { matchesTrigrams } from '../../../test/support/memory-search.ts';
import fc from '../../../test/support/properties.ts';
import { renderMatch, trigramQuery } from '../search/index-query.ts';
import { type LiteralFormula, requiredLiterals } from './regex-literals.ts';
import { encodeTrigrams } from './trigrams.ts';

const show = (formula: LiteralFormula): string => {
  if (formula.kind === 'any') return '*';
  if (formula.kind === 'literal') return formula.text;
  return `(${formula.parts.map(show).join(formula.kind === 'all' ? ' & ' : ' | ')})`;
};

test.each([
  ['foo', 'foo'],
  ['foo.*bar', '(foo & bar)'],
  ['foo|bar', '(foo | bar)'],
  ['foo(bar|baz)qux', '(foobarqux | foobazqux)'],
  ['colou?r', '(colour | color)'],
  ['x*', '*'],
  ['foo|x*', '*'],
  ['ab{3}c', 'abbbc'],
  ['(?:ab){2,}c', '(abab & c)'],
  ['[abc]de', '(ade | bde | cde)'],
  ['[^abc]de', 'de'],
  ['[a-z]de', 'de'],
  ['\\bfoo\\b$', 'foo'],
  ['foo(?=bar)', 'foo'],
  ['(?<!x)foo', 'foo'],
  ['(?<name>foo)\\k<name>', 'foo'],
  ['(foo)\\1bar', '(foo & bar)'],
  ['(?i:foo)bar', 'bar'],
  ['\\u{1F600}\\x41\\cAfoo', '(😀A & foo)'],
  ['\\p{L}foo\\.bar', 'foo.bar'],
  ['\\(\\)\\[', '()['],
])('%s requires %s', (source, required) => {
  expect(show(requiredLiterals(source, { unicode: true }))).toBe(required);
});

test('without unicode mode escapes mean what they mean there', () => {
  expect(show(requiredLiterals('\\u{3}', { unicode: false }))).toBe('*');
  expect(show(requiredLiterals('\\p{L}foo', { unicode: false }))).toBe('{L}foo');
  // The quantifier is for the second half of the pair only.
  expect(show(requiredLiterals('\\ud83d\\ude00{2}', { unicode: false }))).toBe('*');
});

test('nesting and length cannot exhaust anything', () => {
  const deep = requiredLiterals(`${'('.repeat(50_000)}foo${')'.repeat(50_000)}`, { unicode: true });
  expect(show(deep)).toBe('foo');
  const long = requiredLiterals('needle'.repeat(20_000), { unicode: true });
  expect(trigramQuery(long, { ignoreCase: false })).not.toBeNull();
  const wide = requiredLiterals(Array.from({ length: 20_000 }, (_, n) => `word${n}`).join('|'), { unicode: true });
  expect(show(wide)).toBe('*');
});

/** An expression and a text that it matches, as far as assertions and references allow. */
type Case = { readonly source: string; readonly sample: string };
const atom = (source: string, ...samples: readonly string[]) =>
  fc.constantFrom(...samples).map((sample): Case => ({ source, sample }));
const join = (cases: readonly Case[]): Case => ({
  source: cases.map(({ source }) => source).join(''),
  sample: cases.map(({ sample }) => sample).join(''),
});
const group =
  (head: string) =>
  (inner: Case): Case => ({ source: `${head}${inner.source})`, sample: inner.sample });
const repeated =
  (quantifier: string, times: number) =>
  (inner: Case): Case => ({
    source: `(?:${inner.source})${quantifier}`,
    sample: inner.sample.repeat(times),
  });
const letter = fc.oneof(
  ...[...'abcks'].map((char) => atom(char, char)),
  ...['é', '😀', 'foo', 'bar', '_', '\u212a', '\u017f'].map((char) => atom(char, char)),
  atom('\\x61', 'a'),
  atom('\\.', '.'),
  atom(' ', ' '),
);
/** What is repeated has no repetition inside: expressions that take for ever are another test's. */
const simple = fc.array(letter, { minLength: 1, maxLength: 3 }).map(join);
const { choice: expression } = fc.letrec<{ part: Case; sequence: Case; choice: Case }>((tie) => ({
  part: fc.oneof(
    { depthSize: 'small' },
    { weight: 9, arbitrary: letter },
    fc.oneof(
      atom('.', 'a', 'é', '😀'),
      atom('[abc]', 'a', 'b', 'c'),
      atom('[a-c_]', 'b', '_'),
      atom('[^a]', 'b', 'é'),
      atom('\\w', 'a', '_'),
      atom('[\\wé]', 'é', 'k'),
      atom('\\b', ''),
      atom('(?=[^])', ''),
      atom('(?!x)', ''),
      atom('^', ''),
      atom('$', ''),
    ),
    tie('choice').map(group('(')),
    tie('choice').map(group('(?:')),
    tie('choice').map(group('(?i:')),
    ...(
      [
        ['?', 0],
        ['?', 1],
        ['*', 0],
        ['*?', 2],
        ['+', 1],
        ['+?', 3],
        ['{2}', 2],
        ['{0}', 0],
        ['{1,3}', 2],
        ['{2,}', 3],
      ] as const
    ).map(([quantifier, times]) => simple.map(repeated(quantifier, times))),
  ),
  sequence: fc.array(tie('part'), { minLength: 1, maxLength: 5 }).map(join),
  choice: fc.array(tie('sequence'), { minLength: 1, maxLength: 3 }).map((cases) => ({
    source: cases.map(({ source }) => source).join('|'),
    sample: (cases.at(-1) as Case).sample,
  })),
}));

const swapCase = (text: string) =>
  text
    .replace(/[a-zé]/g, (char) => char.toUpperCase())
    .replaceAll('K', '\u212a')
    .replaceAll('S', '\u017f');

test.each([
  ['su', false],
  ['siu', true],
  ['s', false],
  ['si', true],
] as const)('T13: a text that /…/%s matches satisfies the query made of it', (flags, ignoreCase) => {
  let decided = 0;
  fc.assert(
    fc.property(expression, fc.constantFrom('', 'x', ' '), ({ source, sample }, around) => {
      const regex = new RegExp(source, flags);
      const query = trigramQuery(requiredLiterals(source, { unicode: flags.includes('u') }), { ignoreCase });
      if (query === null) return;
      for (const text of [around + sample + around, around + swapCase(sample) + around]) {
        if (!regex.test(text)) continue;
        decided += 1;
        expect(matchesTrigrams(renderMatch(query), new Set(encodeTrigrams(Buffer.from(text)).split(' ')))).toBe(true);
      }
    }),
    { numRuns: 2_000 },
  );
  expect(decided).toBeGreaterThan(100);
});

test('every query is one that FTS5 understands', () => {
  const db = new DatabaseSync(':memory:');
  db.exec("CREATE VIRTUAL TABLE t USING fts5(body, content='', contentless_delete=1, detail=none, tokenize='ascii')");
  const texts = ['foobar', 'colour of code', 'abcabc', 'getUserName(x)', 'nothing'];
  texts.forEach((body, index) => {
    db.prepare('INSERT INTO t(rowid, body) VALUES (?, ?)').run(index, encodeTrigrams(Buffer.from(body)));
  });
  const ask = db.prepare('SELECT rowid FROM t WHERE t MATCH ? ORDER BY rowid');
  const files = (source: string) => {
    const query = trigramQuery(requiredLiterals(source, { unicode: true }), { ignoreCase: true });
    return query === null ? null : ask.all(renderMatch(query)).map((row) => texts[Number(row['rowid'])]);
  };
  expect(files('foo.*bar')).toEqual(['foobar']);
  expect(files('colou?r|getUser')).toEqual(['colour of code', 'getUserName(x)']);
  expect(files('(foo|abc)(bar|abc)')).toEqual(['foobar', 'abcabc']);
  expect(files('not here')).toEqual([]);
  expect(files('a.c')).toBeNull();
  db.close();
});
