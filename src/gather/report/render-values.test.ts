import { expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import { escapeCode, escapeProse, renderData } from './render-values.ts';

test('without volatile fields and within its size it is JSON of the same value', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'grapheme-ascii', maxDepth: 4 }), (value) => {
      const text = renderData(value, { maxChars: 1e6, volatile: 'kept' });
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('times are left out, a CI file’s jobs are not', () => {
  const slice = { scanned_at: 'now', n: [{ duration_ms: 3, x: 1 }] };
  expect(renderData(slice, { maxChars: 1000 })).toBe('{\n  "n": [\n    { "x": 1 }\n  ]\n}');
  expect(renderData({ jobs: [1] }, { maxChars: 1000 })).toContain('"jobs"');
});

test('it stops at its size and says so', () => {
  const text = renderData(
    Array.from({ length: 1000 }, (_, i) => ({ i, x: 'y'.repeat(99) })),
    { maxChars: 500 },
  );
  expect(text.length).toBeLessThan(520);
  expect(text.endsWith('… cut here')).toBe(true);
});

test('G28 prose means only itself', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['plain words, 1.5 of them', 'plain words, 1.5 of them'],
    ['snake_case and ~/.cache stay readable', 'snake_case and ~/.cache stay readable'],
    ['a|b', 'a&#124;b'],
    ['<script>', '&lt;script&gt;'],
    ['[x](http://e.vil)', '&#91;x&#93;(http&#58;//e.vil)'],
    ['`code`', '&#96;code&#96;'],
    ['_emph_ **strong** ~~gone~~', '&#95;emph&#95; &#42;&#42;strong&#42;&#42; &#126;&#126;gone&#126;&#126;'],
    ['back\\slash', 'back&#92;slash'],
    ['&lt;', '&amp;lt;'],
    ['# heading', '\\# heading'],
    ['- item', '\\- item'],
    ['1. item', '1\\. item'],
    ['see www.e.vil or me@e.vil', 'see www&#46;e.vil or me&#64;e.vil'],
    ['two\nlines\r\n\tand \u001b[31mred\u202e', 'two lines and &#91;31mred'],
  ];
  for (const [text, expected] of cases) expect(escapeProse(text)).toBe(expected);
});

test('G28 code is a span, or its HTML form when a span or a table cell could read it', () => {
  expect(escapeCode('src/a_b.ts')).toBe('`src/a_b.ts`');
  expect(escapeCode('*')).toBe('`*`');
  expect(escapeCode('a|b')).toBe('<code>a&#124;b</code>');
  expect(escapeCode('``` x')).toBe('<code>&#96;&#96;&#96; x</code>');
  expect(escapeCode('</code><img>')).toBe('<code>&lt;/code&gt;&lt;img&gt;</code>');
  expect(escapeCode('\u0007\n')).toBe('–');
});

test('G28 no text can leave its line, its cell or its span', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      for (const escaped of [escapeProse(text), escapeCode(text).replace(/^<code>|<\/code>$/g, '')]) {
        expect(escaped).not.toMatch(/[\n\r|<>\u0000-\u0008\u001b\u202e]/);
      }
      expect(escapeProse(text)).not.toMatch(/[`*[\]]/);
      expect(escapeCode(text).replace(/^`|`$/g, '')).not.toContain('`');
    }),
  );
});
