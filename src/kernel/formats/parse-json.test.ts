import { describe, expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import { isJsonObject } from '../base/json.ts';
import { findJsonFaults, parseJson, parseJsonc, parseJsonObject } from './parse-json.ts';

const limits = { maxBytes: 1 << 20, maxDepth: 64 };
const utf8 = (text: string) => new TextEncoder().encode(text);
const parse = (text: string) => parseJson(utf8(text), limits);

/** JSON text with one random injury, which is where readers disagree. */
const nearJson = fc
  .tuple(
    fc.jsonValue(),
    fc.nat(),
    fc.constantFrom('', '"', '\\', ',', ':', '{', ']', '0', '-', 'e', 'x', '\n', '\\u12'),
  )
  .map(([value, at, injury]) => {
    const text = JSON.stringify(value);
    const cut = at % (text.length + 1);
    return text.slice(0, cut) + injury + text.slice(cut + 1);
  });

test('G40 arbitrary bytes never throw and always give an outcome', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(typeof parseJson(bytes, limits).ok).toBe('boolean');
      expect(typeof parseJsonObject(bytes, limits).ok).toBe('boolean');
    }),
  );
});

test('G40 what JSON.stringify writes comes back equal and without notes', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      expect(parse(text)).toEqual({ ok: true, value: JSON.parse(text), notes: [] });
    }),
  );
});

test('G40 a fault is found exactly when JSON.parse refuses', () => {
  fc.assert(
    fc.property(nearJson, (text) => {
      let accepted = true;
      try {
        JSON.parse(text);
      } catch {
        accepted = false;
      }
      expect({ text, accepted: findJsonFaults(text, 0).fault === null }).toEqual({ text, accepted });
    }),
    { numRuns: 2000 },
  );
});

describe('G11 depth', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

  test('G11 nested 10 000 deep is refused, closed or not', () => {
    const refused = { ok: false, failure: { kind: 'depth_cap_exceeded', cap: 64 } };
    expect(parse(nested(10_000))).toEqual(refused);
    expect(parse('{"a":'.repeat(10_000))).toEqual(refused);
  });

  test('G11 the root container is depth 0, so 65 levels fit a cap of 64 and 66 do not', () => {
    expect(parse(nested(65)).ok).toBe(true);
    expect(parse(nested(66)).ok).toBe(false);
  });

  test('G11 brackets inside strings are text', () => {
    expect(parse(JSON.stringify({ a: '\\"[[['.repeat(100) })).ok).toBe(true);
  });
});

test('G11 __proto__ is an own property and changes no prototype', () => {
  const outcome = parseJsonObject(utf8('{"__proto__": {"polluted": true}}'), limits);
  expect(outcome.ok && Object.hasOwn(outcome.value, '__proto__')).toBe(true);
  expect(outcome.ok && Object.getPrototypeOf(outcome.value)).toBe(Object.prototype);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

test('G11 of duplicate keys the last wins, and each repetition is noted with its line', () => {
  expect(parse('{"a": 1,\n "b": {"x": 1, "x": 2},\n "\\u0061": 3}')).toEqual({
    ok: true,
    value: { a: 3, b: { x: 2 } },
    notes: [
      { id: 'duplicate_key', line: 2, detail: 'x' },
      { id: 'duplicate_key', line: 3, detail: 'a' },
    ],
  });
});

test('G11 a repeated __proto__ is a duplicate too', () => {
  expect(parse('{"__proto__": 1, "__proto__": 2}')).toMatchObject({ notes: [{ detail: '__proto__' }] });
});

test('G11 a thousand duplicates give a bounded list of notes', () => {
  const outcome = parse(`{${Array.from({ length: 1000 }, () => '"k":1').join(',')}}`);
  expect(outcome.ok && outcome.notes.length).toBe(50);
});

test.each([
  ['empty', '', 1, 'no value'],
  ['white space', ' \n ', 2, 'no value'],
  ['unterminated string', '{\n"a": "b\n}', 2, 'unterminated string'],
  ['trailing comma', '{"a": 1,\n}', 2, 'unexpected closing bracket'],
  ['two values', '{}\n{}', 2, 'text after the end of the value'],
  ['unquoted key', '{\n\na: 1}', 3, 'expected a key in double quotes'],
  ['truncated', '{"a": [1,\n2', 2, 'unexpected end of the text'],
  ['comment', '{} // x', 1, 'text after the end of the value'],
  ['bad number', '[01]', 1, 'expected a comma or the end of the container'],
])('malformed with its line: %s', (_, text, line, detail) => {
  expect(parse(text)).toEqual({ ok: false, failure: { kind: 'malformed', line, detail } });
});

test('a number that does not fit is malformed rather than Infinity', () => {
  expect(parse('[1e999]')).toMatchObject({ failure: { kind: 'malformed' } });
});

test('the top level is an object unless the caller asks otherwise', () => {
  expect(parseJsonObject(utf8('[1]'), limits)).toMatchObject({ failure: { kind: 'malformed' } });
  expect(parse('[1]')).toMatchObject({ value: [1] });
});

test('G12 the size cap comes first, whatever the bytes', () => {
  expect(parseJson(new Uint8Array(11), { maxBytes: 10, maxDepth: 64 })).toEqual({
    ok: false,
    failure: { kind: 'size_cap_exceeded', bytes: 11, cap: 10 },
  });
});

test('a BOM is allowed', () => {
  expect(parse('\ufeff{"a":1}')).toMatchObject({ value: { a: 1 } });
});

const parseWithComments = (text: string) => parseJsonc(utf8(text), limits);

test('G40 arbitrary bytes never throw and always give an outcome, with comments', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(typeof parseJsonc(bytes, limits).ok).toBe('boolean');
    }),
  );
});

test('G40 comments and trailing commas between tokens change nothing', () => {
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
      expect(parseWithComments(text)).toEqual({ ok: true, value: object, notes: [] });
    }),
    { numRuns: 500 },
  );
});

test('G40 plain JSON objects are read as JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue().filter(isJsonObject), (value) => {
      expect(parseWithComments(JSON.stringify(value))).toMatchObject({
        ok: true,
        value: JSON.parse(JSON.stringify(value)),
      });
    }),
  );
});

test('G15 comment openers and commas inside strings are text', () => {
  expect(parseWithComments('{"a": "// no", "b": "/* no */,]", /* "c": 1 */ "d": "\\"//"}')).toMatchObject({
    value: { a: '// no', b: '/* no */,]', d: '"//' },
  });
});

test.each([
  ['G15 block comments do not nest', '{\n/* /* */\n*/ "a": 1}', 3],
  ['G15 unterminated block comment', '{}\n/* x', 2],
  ['G15 unterminated string', '{\n"a": "b', 2],
  ['G15 a comment that hides the closing brace', '{"a": 1 // }', 1],
  ['a comma without a value before it', '[\n,]', 2],
  ['two trailing commas', '{"a": [1,\n,]}', 2],
  ['nothing but comments', '// tsconfig\n', 2],
  ['a list at the top', '\n[]', 1],
  ['a lone slash', '{"a": /}', 1],
])('malformed with its line: %s', (_, text, line) => {
  expect(parseWithComments(text)).toMatchObject({ ok: false, failure: { kind: 'malformed', line } });
});

test('G15 five thousand of everything stays linear', () => {
  const many = 5_000;
  expect(parseWithComments(`{${'/*'.repeat(many)}`).ok).toBe(false);
  expect(parseWithComments(`{${'/**/'.repeat(many)}}`).ok).toBe(true);
  expect(parseWithComments(`{"a": "${'\\"'.repeat(many)}"}`).ok).toBe(true);
  expect(parseWithComments(`{"a": "${'\\\\'.repeat(many)}"}`).ok).toBe(true);
  expect(parseWithComments(`{"a": [${'1,'.repeat(many)}]}`).ok).toBe(true);
  expect(parseWithComments(`{"a": [${','.repeat(many)}]}`).ok).toBe(false);
});

test('a BOM, CRLF and a depth cap', () => {
  expect(parseWithComments('\ufeff{\r\n// a\r\n"a": 1,\r\n}')).toMatchObject({ value: { a: 1 } });
  expect(parseWithComments(`{"a":${'['.repeat(65)}`)).toEqual({
    ok: false,
    failure: { kind: 'depth_cap_exceeded', cap: 64 },
  });
});
