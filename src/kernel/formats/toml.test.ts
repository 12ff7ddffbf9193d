import { stringify } from 'smol-toml';
import { expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import { canonicalJson, isJsonObject } from '../base/json.ts';
import { parseToml } from './toml.ts';

const limits = { maxBytes: 1 << 20, maxDepth: 64 };
const utf8 = (text: string) => new TextEncoder().encode(text);
const parse = (text: string) => parseToml(utf8(text), limits);
const tooDeep = { ok: false, failure: { kind: 'depth_cap_exceeded', cap: 64 } };

test('G40 arbitrary bytes never throw and always give an outcome', () => {
  const tomlish = fc
    .array(fc.constantFrom(...'ab=[]{}.,#"\'\n 01-:_', '[[', '"""', '\\u', 'a = ', '2020-01-01'), { maxLength: 30 })
    .map((pieces) => utf8(pieces.join('')));
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 100 }), tomlish), (bytes) => {
      expect(typeof parseToml(bytes, limits).ok).toBe('boolean');
    }),
    { numRuns: 1_000 },
  );
});

test('G40 tables that the library writes come back equal', () => {
  const value = fc.dictionary(
    fc.string(),
    fc.oneof(fc.string(), fc.boolean(), fc.integer(), fc.array(fc.string()), fc.dictionary(fc.string(), fc.integer())),
  );
  fc.assert(
    fc.property(value.filter(isJsonObject), (object) => {
      const outcome = parse(stringify(object));
      expect(outcome.ok && canonicalJson(outcome.value)).toBe(canonicalJson(object));
    }),
  );
});

test('tables, arrays of tables, dotted keys', () => {
  const text = '[package]\nname = "x"\n[dependencies]\na.version = "1"\n[[bin]]\nname = "b"\n[[bin]]\nname = "c"\n';
  expect(parse(text)).toMatchObject({
    value: { package: { name: 'x' }, dependencies: { a: { version: '1' } }, bin: [{ name: 'b' }, { name: 'c' }] },
  });
});

test('values are JSON: dates, infinities and large integers included', () => {
  expect(
    parse('a = 2020-01-02\nb = inf\nc = -inf\nd = nan\ne = 9007199254740993\nf = -0.0\ng = 07:32:00\n'),
  ).toMatchObject({
    value: { a: '2020-01-02', b: 'inf', c: '-inf', d: 'nan', e: 9007199254740992, f: 0, g: '07:32:00.000' },
  });
});

test('G10 depth, by inline values and by dotted keys', () => {
  expect(parse(`a = ${'['.repeat(64)}${']'.repeat(64)}`).ok).toBe(true);
  expect(parse(`a = ${'['.repeat(65)}${']'.repeat(65)}`)).toEqual(tooDeep);
  expect(parse(`a = ${'['.repeat(100_000)}`)).toEqual(tooDeep);
  expect(parse(`${'a.'.repeat(64)}a = 1`).ok).toBe(true);
  expect(parse(`${'a.'.repeat(65)}a = 1`)).toEqual(tooDeep);
  expect(parse(`[${'a.'.repeat(100_000)}a]`)).toEqual(tooDeep);
});

test('G11 __proto__ is data', () => {
  const outcome = parse('[__proto__]\npolluted = true\n');
  expect(outcome.ok && Object.hasOwn(outcome.value, '__proto__')).toBe(true);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

test.each([
  ['a duplicate key', 'a = 1\na = 2', 2],
  ['a table twice', '[a]\n\n[a]', 3],
  ['an unterminated string', 'a = 1\nb = "x', 2],
  ['no value', 'a =\n', 1],
])('malformed with its line: %s', (_, text, line) => {
  expect(parse(text)).toMatchObject({ ok: false, failure: { kind: 'malformed', line } });
});

test('a malformed file is not quoted in the detail', () => {
  const outcome = parse('token = hunter2\n');
  expect(outcome.ok).toBe(false);
  expect(JSON.stringify(outcome)).not.toContain('hunter2');
});
