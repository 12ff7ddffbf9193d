import { expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import { parseGoMod } from './go-mod.ts';

const limits = { maxBytes: 1 << 20 };
const utf8 = (text: string) => new TextEncoder().encode(text);
const parse = (text: string) => parseGoMod(utf8(text), limits);

test('G40 arbitrary bytes never throw and always give an outcome', () => {
  const goish = fc
    .array(fc.constantFrom('require', 'replace', '(', ')', '=>', 'a/b', 'v1.0.0', '\n', ' ', '//', '"', '`'), {
      maxLength: 20,
    })
    .map((pieces) => utf8(pieces.join(' ')));
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 100 }), goish), (bytes) => {
      expect(typeof parseGoMod(bytes, limits).ok).toBe('boolean');
    }),
    { numRuns: 1_000 },
  );
});

test('blocks, single lines, comments, quotes, replacements', () => {
  const text = `// a module
module example.com/app // the app

go 1.22
toolchain go1.22.1

require example.com/a v1.2.3
require (
\t"example.com/b" v0.0.0-20240101000000-abcdefabcdef // indirect
\texample.com/c v2.0.0+incompatible // why not
\texample.com/d v1.0.0 // indirect; pinned
)

replace example.com/a => ../a
replace (
  example.com/b v0.0.0 => example.com/fork v1.0.0
)
exclude example.com/x v1.0.0
retract [v1.0.0, v1.9.9] // broken
`;
  expect(parse(text)).toEqual({
    ok: true,
    notes: [],
    value: {
      module: 'example.com/app',
      go: '1.22',
      toolchain: 'go1.22.1',
      requires: [
        { path: 'example.com/a', version: 'v1.2.3', indirect: false },
        { path: 'example.com/b', version: 'v0.0.0-20240101000000-abcdefabcdef', indirect: true },
        { path: 'example.com/c', version: 'v2.0.0+incompatible', indirect: false },
        { path: 'example.com/d', version: 'v1.0.0', indirect: true },
      ],
      replaces: [
        { path: 'example.com/a', version: null, target: '../a', targetVersion: null },
        { path: 'example.com/b', version: 'v0.0.0', target: 'example.com/fork', targetVersion: 'v1.0.0' },
      ],
    },
  });
});

test('an unknown directive is noted once, an empty file has no module', () => {
  expect(parse('module a\nfuture (\n x\n y\n)\n')).toMatchObject({ notes: [{ id: 'unknown_directive', line: 2 }] });
  expect(parse('')).toMatchObject({ value: { module: null, go: null, requires: [] } });
});

test.each([
  ['a block that is not closed', 'module a\nrequire (\n b v1\n', 2],
  ['a requirement without a version', 'module a\nrequire b\n', 2],
  ['a replacement without a target', 'module a\n\nreplace b =>\n', 3],
  ['two modules on a line', 'module a b', 1],
])('malformed with its line: %s', (_, text, line) => {
  expect(parse(text)).toMatchObject({ ok: false, failure: { kind: 'malformed', line } });
});

test('G12 the size cap comes first', () => {
  expect(parseGoMod(new Uint8Array(11), { maxBytes: 10 })).toMatchObject({ failure: { kind: 'size_cap_exceeded' } });
});
