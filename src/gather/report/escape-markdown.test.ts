import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeCode, escapeProse } from './escape-markdown.ts';

test('28: prose means only itself', () => {
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

test('28: code is a span, or its HTML form when a span or a table cell could read it', () => {
  expect(escapeCode('src/a_b.ts')).toBe('`src/a_b.ts`');
  expect(escapeCode('*')).toBe('`*`');
  expect(escapeCode('a|b')).toBe('<code>a&#124;b</code>');
  expect(escapeCode('``` x')).toBe('<code>&#96;&#96;&#96; x</code>');
  expect(escapeCode('</code><img>')).toBe('<code>&lt;/code&gt;&lt;img&gt;</code>');
  expect(escapeCode('\u0007\n')).toBe('–');
});

test('28: no text can leave its line, its cell or its span', () => {
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
