import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { brokenSources, checkFacts, extractText, interfaceHash } from '../../../test/support/extract-text.ts';
import fc from '../../../test/support/properties.ts';

const fixtures = join(import.meta.dirname, '../../../test/fixtures/syntax/go');
const [orders, dynamic] = ['orders.go', 'dynamic.go'].map((name) => readFileSync(join(fixtures, name), 'utf8'));

/** Declarations as tokens, one list per line; `{` and `}` around `BODY` mark what no other file sees. */
const declaration = fc.constantFrom(
  'func F ( a , b int ) ( string , error ) BODY',
  'func ( t * T ) M ( xs ... int ) BODY',
  'func g ( ) BODY',
  'const A , B = 1 , "a  b // c"',
  'var V map [ string ] int',
  'var W = f ( 1 , - 2 )',
  'type T struct {\n A int\n b , C string `json:"c"`\n * E\n}',
  'type I interface {\n M ( ) error\n}',
);
const body = fc.constantFrom('{ }', '{\n return\n}', '{\n x := 1 // one\n _ = x\n}');
type Layout = { readonly gap: string; readonly comment: string; readonly blank: string };
const layout: fc.Arbitrary<Layout> = fc.record({
  gap: fc.constantFrom(' ', '\t', ' /* " */ '),
  comment: fc.constantFrom('', ' // func X() {'),
  blank: fc.constantFrom('\n', '\n\n', '\n// type Y int\n\n'),
});

function render(declarations: readonly string[], bodies: readonly string[], { gap, comment, blank }: Layout): string {
  const lines = declarations.map((text, index) =>
    text
      // Spaces between quotes are no layout.
      .replace(/("[^"]*"|`[^`]*`)| /g, (_, quoted: string | undefined) => quoted ?? gap)
      .replace(/\n/g, `${comment}\n`)
      .replace('BODY', bodies[index % bodies.length] ?? '{ }'),
  );
  return `package p${blank}${lines.join(`${comment}\n${blank}`)}${comment}\n`;
}

test('S2 layout, comments and bodies leave the interface hash as it was', async () => {
  const bodies = fc.array(body, { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(declaration, { maxLength: 5 }),
      bodies,
      bodies,
      layout,
      layout,
      async (all, a, b, one, two) => {
        const before = await interfaceHash('go', render(all, a, one));
        expect(before).toBeDefined();
        expect(await interfaceHash('go', render(all, b, two))).toBe(before);
      },
    ),
  );
});

test.each([
  ['a parameter type', 'func F(a int) {}', 'func F(a uint) {}'],
  ['a result', 'func F() {}', 'func F() int { return 1 }'],
  ['a field', 'type T struct { A int }', 'type T struct { A int; B int }'],
  ['a line end between embedded types', 'type T struct {\nA\nB\n}', 'type T struct {\nA B\n}'],
  ['a constant value', 'const A = 1', 'const A = 2'],
  ['the place of a constant after iota', 'const (\na = iota\nB\n)', 'const (\na = iota\n_\nB\n)'],
  ['a method', 'type T int\nfunc (t T) A() {}', 'type T int\nfunc (t T) B() {}'],
  ['white space inside a raw string constant', 'const A = `a\\ b`', 'const A = `a\\  b`'],
  ['the value of a variable without a type', 'var A = f()', 'var A = g()'],
  [
    'a private type that a public one mentions',
    'type T struct { x u }\ntype u int',
    'type T struct { x u }\ntype u string',
  ],
  [
    'methods of a private type that is handed out',
    'type t int\nfunc New() t { return 1 }',
    'type t int\nfunc New() t { return 1 }\nfunc (t) M() {}',
  ],
])('S3 %s changes the interface hash', async (_, before, after) => {
  expect(await interfaceHash('go', `package p\n${before}\n`)).not.toBe(
    await interfaceHash('go', `package p\n${after}\n`),
  );
});

test('S3 the package clause and its build constraint count', async () => {
  const hashes = ['package p\n', 'package q\n', '//go:build linux\n\npackage p\n'].map((text) =>
    interfaceHash('go', text),
  );
  expect(new Set(await Promise.all(hashes)).size).toBe(3);
});

test('S3 a parse error makes the interface unknown, except inside a private declaration', async () => {
  expect((await extractText('go', 'package p\nfunc F(a int {\n}\n')).interfaceRecords).toBeNull();
  expect((await extractText('go', 'package p\nfunc F() { x := := 1 }\n')).interfaceRecords).toBeNull();
  expect((await extractText('go', 'package p\nfunc f() { x := := 1 }\n')).interfaceRecords).not.toBeNull();
});

test.each([
  ['gopkg.in/yaml.v3', 'yaml'],
  ['github.com/mattn/go-sqlite3', 'sqlite3'],
  ['example.com/shop/v2', 'shop'],
  ['github.com/acme/go-shop', 'shop'],
  ['github.com/acme/shop-go', 'shop'],
])('S1 the name of %s is what the file calls it', async (path, name) => {
  const { imports } = await extractText('go', `package p\nimport "${path}"\nvar X ${name}.T\n`);
  expect(imports[0]?.names[0]?.name).toBe(name);
});

test('S1 a method above its type belongs to it', async () => {
  const { symbols } = await extractText('go', 'package p\nfunc (t *T[K]) M() {}\ntype T[K any] struct{}\n');
  expect(symbols.map(({ name, parent }) => [name, symbols[parent]?.name])).toEqual([
    ['T', undefined],
    ['M', 'T'],
  ]);
});

test('S1 no text makes the extractor throw', async () => {
  await fc.assert(fc.asyncProperty(brokenSources(orders ?? '', dynamic ?? ''), (text) => checkFacts('go', text)));
});

test.each([
  ['structs', `package p\ntype T ${'struct { A '.repeat(5_000)}int${' }'.repeat(5_000)}\n`],
  ['function literals', `package p\nfunc f() { ${'func() { '.repeat(5_000)}\n`],
  ['calls', `package p\nvar x = ${'FieldByName('.repeat(20_000)}\n`],
  ['selectors', `package p\nvar x = a${'.b'.repeat(20_000)}\n`],
])('S6 deep nesting of %s overflows nothing', async (_, text) => {
  await checkFacts('go', text);
});
