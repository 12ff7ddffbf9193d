import { expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import { textPattern as pattern } from '../../../test/support/text-pattern.ts';
import { compilePattern, countLineFeeds, type TextMatch, type TextPattern } from './find-matches.ts';

function find(text: string | Buffer, asked: TextPattern, max = 1_000, from = 0): TextMatch[] {
  const compiled = compilePattern(asked);
  if (compiled.kind === 'invalid') throw new Error(compiled.detail);
  return compiled.find(Buffer.from(text), { max, from });
}

/** `line:column-endColumn` */
const places = (matches: readonly TextMatch[]) =>
  matches.map(({ line, column, endColumn }) => `${line}:${column}-${endColumn}`);

test('F13: columns are UTF-16 and 1-based, bytes are bytes, a BOM counts only in bytes', () => {
  const text = '\ufefffoo 漢👍foo\r\n\tfoo';
  const matches = find(text, pattern('foo'));
  expect(places(matches)).toEqual(['1:1-4', '1:8-11', '2:2-5']);
  for (const { byteStart, byteEnd } of matches) {
    expect(Buffer.from(text).subarray(byteStart, byteEnd).toString()).toBe('foo');
  }
  expect(matches[0]).toMatchObject({ byteStart: 3, lineStart: 0, lineEnd: 18 });
});

test.each([pattern('foo'), pattern('FOO', { ignoreCase: true }), pattern('fo+', { kind: 'regex' })])(
  'the same places whichever way they are found: $query',
  (asked) => {
    const text = 'é foo\n\n👍 foofoo\nfo\r\nfoo';
    expect(places(find(text, asked)).filter((place) => place !== '4:1-3')).toEqual([
      '1:3-6',
      '3:4-7',
      '3:7-10',
      '5:1-4',
    ]);
  },
);

test('case is folded as Unicode folds it', () => {
  expect(places(find('TAS\u212a tas\u017f', pattern('task', { ignoreCase: true })))).toEqual(['1:1-5']);
  expect(places(find('Σίσυφος', pattern('ΣΊΣΥΦΟΣ', { ignoreCase: true })))).toEqual(['1:1-8']);
  expect(find('Task', pattern('task'))).toEqual([]);
});

test('whole words have no word character of Unicode beside them', () => {
  const text = 'foo foobar _foo éfoo foo’s (foo) foo';
  const expected = ['1:1-4', '1:22-25', '1:29-32', '1:34-37'];
  expect(places(find(text, pattern('foo', { wholeWord: true })))).toEqual(expected);
  expect(places(find(text, pattern('FOO', { wholeWord: true, ignoreCase: true })))).toEqual(expected);
  expect(places(find(text, pattern('fo+', { wholeWord: true, kind: 'regex' })))).toEqual(expected);
  // An attempt that fails does not hide one that overlaps it.
  expect(places(find('aaa aa', pattern('aa', { wholeWord: true })))).toEqual(['1:5-7']);
});

test('lines end at a line feed only, and no match crosses one', () => {
  expect(places(find('a\r\nb', pattern('^[^x]+$', { kind: 'regex' })))).toEqual(['1:1-3', '2:1-2']);
  expect(places(find('foo\r\n', pattern('foo$', { kind: 'regex' })))).toEqual([]);
  expect(places(find('foo\r\n', pattern('foo\\r$', { kind: 'regex' })))).toEqual(['1:1-5']);
  expect(places(find('a\u2028b\n', pattern('a.b', { kind: 'regex' })))).toEqual(['1:1-4']);
  expect(places(find('a\n\nb', pattern('\\s', { kind: 'regex' })))).toEqual([]);
  expect(compilePattern(pattern('a\nb'))).toMatchObject({ kind: 'invalid' });
});

test('an empty match counts unless it touches the one before, and after the last line feed there is no line', () => {
  expect(places(find('foo\n', pattern('o*', { kind: 'regex' })))).toEqual(['1:1-1', '1:2-4']);
  expect(places(find('👍a\n', pattern('x*', { kind: 'regex' })))).toEqual(['1:1-1', '1:3-3', '1:4-4']);
});

test('expressions that are only valid without unicode mode are taken so, others are refused', () => {
  expect(places(find('a-b', pattern('a\\-b', { kind: 'regex' })))).toEqual(['1:1-4']);
  expect(compilePattern(pattern('a(', { kind: 'regex' }))).toMatchObject({ kind: 'invalid' });
  expect(compilePattern(pattern('a)|(b', { kind: 'regex', wholeWord: true }))).toMatchObject({ kind: 'invalid' });
  expect(compilePattern(pattern(''))).toMatchObject({ kind: 'invalid' });
});

test('half of a character is nowhere', () => {
  expect(find('\ufffd👍', pattern('\ud83d'))).toEqual([]);
  expect(find('\ufffd👍', pattern('\ud83d', { ignoreCase: true }))).toEqual([]);
});

test('going on from the next match gives the rest', () => {
  const piece = fc.constantFrom('foo', 'fo', 'Foo', ' ', '\n', 'é', '👍', 'o');
  const asked = fc.constantFrom(
    pattern('foo'),
    pattern('oo', { wholeWord: true }),
    pattern('foo', { ignoreCase: true }),
    pattern('fo+|é', { kind: 'regex' }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), asked, fc.nat(5), (pieces, query, first) => {
      const text = pieces.join('');
      const all = find(text, query);
      const head = find(text, query, first);
      const next = all[first];
      const rest = next === undefined ? [] : find(text, query, 1_000, next.byteStart);
      expect([...head, ...rest]).toEqual(all);
    }),
  );
});

test('a long line with many matches is counted once', () => {
  const text = `é${'ab'.repeat(200_000)}`;
  const matches = find(text, pattern('ab'), 300_000);
  expect(matches).toHaveLength(200_000);
  expect(matches.at(-1)).toMatchObject({ line: 1, column: 400_000, endColumn: 400_002 });
});

test('lines are counted the same from any byte to any other', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(0x0a, 0x0a, 0x0b, 0x8a, 0x00, 0xff, 0x09), { maxLength: 40 }),
      fc.nat(3),
      fc.nat(40),
      fc.nat(40),
      (bytes, offset, a, b) => {
        const buffer = Buffer.from(
          new Uint8Array([...Array.from({ length: offset }, () => 0x0a), ...bytes]).buffer,
          offset,
        );
        const [from, to] = [Math.min(a, b, bytes.length), Math.min(Math.max(a, b), bytes.length)];
        expect(countLineFeeds(buffer, from, to)).toBe(bytes.slice(from, to).filter((byte) => byte === 0x0a).length);
      },
    ),
  );
});

test('F13: columns of a line that is longer than what is looked at at once', () => {
  for (const filler of ['x', 'é', '👍', `${'x'.repeat(1500)}漢`]) {
    const line = `${filler.repeat(4_000)}foo${filler}foo`;
    const first = line.indexOf('foo') + 1;
    const second = line.lastIndexOf('foo') + 1;
    expect(places(find(`\n${line}\nfoo`, pattern('foo')))).toEqual([
      `2:${first}-${first + 3}`,
      `2:${second}-${second + 3}`,
      '3:1-4',
    ]);
  }
});
