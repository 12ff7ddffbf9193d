import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isJsonObject } from '../base/json.ts';
import { parseJsonc } from './parse-json.ts';

const limits = { maxBytes: 1 << 20, maxDepth: 64 };
const utf8 = (text: string) => new TextEncoder().encode(text);
const parse = (text: string) => parseJsonc(utf8(text), limits);

test('40: arbitrary bytes never throw and always give an outcome', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(typeof parseJsonc(bytes, limits).ok).toBe('boolean');
    }),
  );
});

test('40: comments and trailing commas between tokens change nothing', () => {
  const filler = fc.constantFrom('', ' ', '\n', '/* c, ] */', '// "c\n', '/**/', '/*\n"*/');
  const value = fc.dictionary(fc.string(), fc.oneof(fc.array(fc.string()), fc.integer(), fc.constant('/*"//')));
  fc.assert(
    fc.property(value, fc.array(filler, { minLength: 4, maxLength: 4 }), fc.boolean(), (object, fillers, comma) => {
      const [open, between, before, after] = fillers as [string, string, string, string];
      const members = Object.entries(object).map(([key, item]) => {
        const items = Array.isArray(item)
          ? `[${open}${item.map((text) => JSON.stringify(text)).join(`,${between}`)}${comma && item.length > 0 ? ',' : ''}${before}]`
          : JSON.stringify(item);
        return `${JSON.stringify(key)}${before}:${between}${items}`;
      });
      const text = `${open}{${between}${members.join(`,${after}`)}${comma && members.length > 0 ? `${before},${open}` : ''}}${after}`;
      expect(parse(text)).toEqual({ ok: true, value: object, notes: [] });
    }),
    { numRuns: 500 },
  );
});

test('40: plain JSON objects are read as JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue().filter(isJsonObject), (value) => {
      expect(parse(JSON.stringify(value))).toMatchObject({ ok: true, value: JSON.parse(JSON.stringify(value)) });
    }),
  );
});

test('15: comment openers and commas inside strings are text', () => {
  expect(parse('{"a": "// no", "b": "/* no */,]", /* "c": 1 */ "d": "\\"//"}')).toMatchObject({
    value: { a: '// no', b: '/* no */,]', d: '"//' },
  });
});

test.each([
  ['15: block comments do not nest', '{\n/* /* */\n*/ "a": 1}', 3],
  ['15: unterminated block comment', '{}\n/* x', 2],
  ['15: unterminated string', '{\n"a": "b', 2],
  ['15: a comment that hides the closing brace', '{"a": 1 // }', 1],
  ['a comma without a value before it', '[\n,]', 2],
  ['two trailing commas', '{"a": [1,\n,]}', 2],
  ['nothing but comments', '// tsconfig\n', 2],
  ['a list at the top', '\n[]', 1],
  ['a lone slash', '{"a": /}', 1],
])('malformed with its line: %s', (_, text, line) => {
  expect(parse(text)).toMatchObject({ ok: false, failure: { kind: 'malformed', line } });
});

test('15: five thousand of everything stays linear', () => {
  const many = 5_000;
  expect(parse(`{${'/*'.repeat(many)}`).ok).toBe(false);
  expect(parse(`{${'/**/'.repeat(many)}}`).ok).toBe(true);
  expect(parse(`{"a": "${'\\"'.repeat(many)}"}`).ok).toBe(true);
  expect(parse(`{"a": "${'\\\\'.repeat(many)}"}`).ok).toBe(true);
  expect(parse(`{"a": [${'1,'.repeat(many)}]}`).ok).toBe(true);
  expect(parse(`{"a": [${','.repeat(many)}]}`).ok).toBe(false);
});

test('a BOM, CRLF and a depth cap', () => {
  expect(parse('\ufeff{\r\n// a\r\n"a": 1,\r\n}')).toMatchObject({ value: { a: 1 } });
  expect(parse(`{"a":${'['.repeat(65)}`)).toEqual({ ok: false, failure: { kind: 'depth_cap_exceeded', cap: 64 } });
});
