import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import { textPattern as pattern } from '../../../test/support/text-pattern.ts';
import { readSchema } from '../store/store-schema.ts';
import { listIdentifiers } from '../text/scan-text.ts';
import { compilePattern, type TextPattern } from './find-matches.ts';
import { indexQueryOf } from './search-text.ts';

const key = Buffer.alloc(32, 7);
const db = new DatabaseSync(':memory:');
for (const sql of readSchema().tables) if (sql.includes('TABLE fts_ident')) db.exec(sql);
afterAll(() => db.close());
const put = db.prepare('INSERT INTO fts_ident(rowid, names) VALUES (1, ?)');
const remove = db.prepare('DELETE FROM fts_ident WHERE rowid = 1');
const ask = db.prepare('SELECT count(*) AS files FROM fts_ident WHERE fts_ident MATCH ?');

/** Whether the index would name a file with this text. */
function isCandidate(text: string, language: string | null, asked: TextPattern): boolean {
  const { names } = indexQueryOf(asked);
  if (names.length === 0) return true;
  put.run(listIdentifiers(Buffer.from(text), text, language, key).join(' '));
  const found = ask.get(names.map((name) => `"${name}"`).join(' AND '))?.['files'] === 1;
  remove.run();
  return found;
}

test('names are whole runs of a literal, and its edges end them only where words are asked for', () => {
  const namesOf = (query: string, options: Partial<TextPattern> = {}) => indexQueryOf(pattern(query, options)).names;
  expect(namesOf('type Token = {')).toEqual(['Token']);
  expect(namesOf('Token', { wholeWord: true })).toEqual(['Token']);
  expect(namesOf('Token')).toEqual([]);
  expect(namesOf('(a_1, 2b, größe, $c)')).toEqual(['a_1', 'c']);
  expect(namesOf('(Token)', { ignoreCase: true })).toEqual([]);
  expect(namesOf('\\(Token\\).*\\[(a|b)\\]', { kind: 'regex' })).toEqual(['Token']);
  expect(namesOf('Token', { kind: 'regex', wholeWord: true })).toEqual([]);
  expect(namesOf(`(${'x'.repeat(65)})`)).toEqual([]);
  expect(namesOf('(a, bb, ccc, dddd)')).toEqual(['dddd', 'ccc', 'bb']);
});

const piece = fc.oneof(
  fc.constantFrom(
    'foo',
    'bar_1',
    'a',
    '1',
    '_',
    '$',
    '\\',
    '\\n',
    '\\x41',
    '\\u0061',
    ' ',
    '.',
    '#',
    '@',
    '\n',
    '"',
    '-',
  ),
  // Of identifiers and not of words, of words and not of identifiers, and of both.
  fc.constantFrom(
    '·',
    '\u1369',
    '\u19da',
    '℘',
    '゛',
    '・',
    '\u20dd',
    'Ⓐ',
    '\u0301',
    '\u200d',
    'é',
    '漢',
    'ｘ',
    '👍',
    '𐐀',
    '“',
  ),
  fc.string({ unit: 'binary', maxLength: 2 }).filter((text) => text.isWellFormed() && !text.includes('\0')),
);
const languages = fc.constantFrom(null, 'typescript', 'python', 'php', 'csharp', 'shell');

test('T13: a text in which a literal is found has the names that it requires', () => {
  let decided = 0;
  fc.assert(
    fc.property(
      fc.array(piece, { minLength: 1, maxLength: 12 }),
      fc.nat(),
      fc.nat({ max: 4 }),
      fc.boolean(),
      languages,
      (pieces, at, length, wholeWord, language) => {
        const text = pieces.join('');
        const first = at % pieces.length;
        const query = pieces.slice(first, first + length + 1).join('');
        fc.pre(query !== '' && !query.includes('\n'));
        const asked = pattern(query, { wholeWord });
        const compiled = compilePattern(asked);
        if (compiled.kind === 'invalid') return;
        if (compiled.find(Buffer.from(text), { max: 1, from: 0 }).length === 0) return;
        decided += 1;
        expect(isCandidate(text, language, asked)).toBe(true);
      },
    ),
    { numRuns: 5_000 },
  );
  expect(decided).toBeGreaterThan(1_000);
});

test.each(['·', '\u1369', '\u19da', '\u0387', '℘', '℮', '゛', '・', '･'])(
  'T13: a word beside U+%s, which is of identifiers and not of words, is a name',
  (sign) => {
    for (const text of [`foo${sign}`, `${sign}foo`, `é${sign}foo${sign}é`, `a$foo${sign}b`])
      expect(isCandidate(text, 'typescript', pattern('foo', { wholeWord: true }))).toBe(true);
  },
);
