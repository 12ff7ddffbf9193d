import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import { prefixEnd } from './stored-files.ts';

test('a range from a prefix to its end is exactly the texts that begin with it', () => {
  const statement = new DatabaseSync(':memory:').prepare('SELECT (? >= ?) AND (? < ?) AS inside');
  const word = fc.string({
    unit: fc.constantFrom('a', 'b', '/', '0', '\u{d7ff}', '\u{e000}', '\u{10ffff}', '\u{1f600}', 'ä'),
  });
  fc.assert(
    fc.property(word, word, (prefix, text) => {
      const inside = statement.get(text, prefix, text, prefixEnd(prefix))?.['inside'];
      expect(inside).toBe(Number(text.startsWith(prefix)));
    }),
    {
      examples: [
        ['', ''],
        ['\u{10ffff}', '\u{10ffff}\u{10ffff}'],
        ['a\u{10ffff}', 'b'],
        ['\u{d7ff}', '\u{e000}'],
      ],
    },
  );
});
