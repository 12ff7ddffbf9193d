import { expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import { redactForIndex, scanSource, scanText } from './scan-text.ts';
import { encodeTrigrams } from './trigrams.ts';

const key = Buffer.alloc(32, 7);
const scan = (text: string, language: string | null = null) => scanText(Buffer.from(text), text, language, key);
const sorted = (words: string) => words.split(' ').sort();

test('the loop over runs collects the same trigrams as the plain one', () => {
  const piece = fc.constantFrom(
    'foo',
    'fo',
    'f',
    'foobar',
    'barfoo',
    '$',
    '_',
    '.',
    ' ',
    '\n',
    'é',
    '漢',
    '\u212a',
    '\u017f',
    '\\n',
    '12',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const text = pieces.join('');
      expect(sorted(scan(text).trigrams)).toEqual(sorted(encodeTrigrams(Buffer.from(text))));
    }),
  );
});

test.each([
  ['', 0, 'none'],
  ['a', 1, 'none'],
  ['a\n', 1, 'lf'],
  ['a\nb', 2, 'lf'],
  ['a\r\nb\r\n', 2, 'crlf'],
  ['a\nb\r\n', 2, 'mixed'],
  ['a\rb\n', 1, 'odd'],
  ['a\n\r', 2, 'odd'],
  ['\r\r\n', 1, 'odd'],
  ['a\u2028b\n', 1, 'odd'],
  ['é\u2029', 1, 'odd'],
  ['\n\n', 2, 'lf'],
] as const)('%j has %i lines that end in %s', (text, lines, eol) => {
  expect(scan(text)).toMatchObject({ lines, eol });
});

test('a BOM is no part of a name and no ASCII', () => {
  const bytes = Buffer.from('\ufeffimport x');
  expect(scanText(bytes, 'import x', 'typescript', key)).toMatchObject({ names: 'import x', isAscii: false });
  expect(scan('import x').isAscii).toBe(true);
});

test('scanning and redacting in one gives what both give one after the other', () => {
  const secret = ['hun', 'ter2-hun', 'ter2'].join('');
  for (const text of ['const a = 1;\n', `const pass${'word'} = '${secret}';\nconst größe = 2;\n`, '']) {
    const redaction = redactForIndex(text, key);
    const apart = scanText(Buffer.from(redaction.text), redaction.text, 'typescript', key);
    expect(scanSource(Buffer.from(text), text, 'typescript', key)).toEqual({ ...apart, ...redaction });
  }
});

test('one scan leaves nothing behind for the next', () => {
  const text = 'export const alpha = beta;\n';
  const first = scan(text);
  scan('gamma delta gamma');
  redactForIndex('epsilon zeta', key);
  expect(scan(text)).toEqual(first);
});
