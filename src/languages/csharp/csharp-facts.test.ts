import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkFile, extractFile, gap, interfaceOf, layOut } from '../../../test/support/extract-file.ts';
import { brokenSources } from '../../../test/support/extract-text.ts';
import fc from '../../../test/support/properties.ts';

const fixtures = join(import.meta.dirname, '../../../test/fixtures/syntax/csharp');
const [order, scoped] = ['Order.cs', 'FileScoped.cs'].map((name) => readFileSync(join(fixtures, name), 'utf8'));

const declaration = fc.constantFrom(
  '[ Serializable ] public class A < T > : B where T : class { public int M ( int a , string b = "x  y" ) BODY }',
  'class C { int own = 1 ; public int P { get BODY private set BODY } public C ( int a ) : base ( a ) BODY }',
  'public interface D { int P { get ; } void M ( ) ; }',
  'public enum E : byte { A = 1 , B }',
  'public record R ( int X , string Y ) ;',
  'class F { public const int K = 1 , L = 2 ; public event H X , Y ; public static F operator + ( F a , F b ) BODY }',
  'public delegate int G ( object x ) ;',
);
const body = fc.constantFrom('{ }', '{ ; }', '{ int Local ( int x ) { return x; } }', "{ var c = '\"'; /* } */ }");

test('S2 layout, comments and bodies leave the interface hash as it was', async () => {
  const gaps = fc.array(gap, { minLength: 1, maxLength: 7 });
  const bodies = fc.array(body, { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(fc.array(declaration, { maxLength: 5 }), gaps, gaps, bodies, bodies, async (all, a, b, c, d) => {
      const text = ['namespace Acme . Orders ;', ...all];
      const before = await interfaceOf('A.cs', layOut(text, a, c));
      expect(before).toBeDefined();
      expect(await interfaceOf('A.cs', layOut(text, b, d))).toBe(before);
    }),
  );
});

test('S2 how a property is computed does not count', async () => {
  const [computed, written] = ['class A { public int P => 1; }', 'class A { public int P { get { return 2; } } }'];
  expect(await interfaceOf('A.cs', computed)).toBe(await interfaceOf('A.cs', written));
});

test.each([
  ['a parameter', 'class A { public void F(int a) {} }', 'class A { public void F(long a) {} }'],
  ['a default', 'class A { public void F(int a = 1) {} }', 'class A { public void F(int a = 2) {} }'],
  ['the namespace', 'namespace A; class B {}', 'namespace C; class B {}'],
  ['an accessor', 'class A { public int P { get; set; } }', 'class A { public int P { get; private set; } }'],
  ['a constant', 'class A { public const int K = 1; }', 'class A { public const int K = 2; }'],
  ['a verbatim string', 'class A { public const string K = @"a\\"; }', 'class A { public const string K = @"a \\"; }'],
  ['the condition', '#if A\nclass B { public int X; }\n#endif', '#if C\nclass B { public int X; }\n#endif'],
  ['a global using', 'global using A;', 'global using B;'],
  ['an assembly attribute', '[assembly: A("x")]', '[assembly: A("y")]'],
])('S3 %s changes the interface hash', async (_, before, after) => {
  const hash = await interfaceOf('A.cs', before);
  expect(hash).toBeDefined();
  expect(await interfaceOf('A.cs', after)).not.toBe(hash);
});

test('S3 a parse error makes the interface unknown, except inside a private member', async () => {
  expect((await extractFile('A.cs', 'class A { public int F(int { } }')).interfaceRecords).toBeNull();
  expect((await extractFile('A.cs', 'class A { public int F() { x = ); } }')).interfaceRecords).toBeNull();
  expect((await extractFile('A.cs', 'class A { int F() { x = ); } }')).interfaceRecords).not.toBeNull();
});

test('S1 nameof is no reflection, a lookup by name is', async () => {
  const text = 'class A { void F() { var a = nameof(B); var t = x.GetType(); var m = t?.GetMethod("Run"); } }';
  expect((await extractFile('A.cs', text)).dynamicSites.map(({ name }) => name)).toEqual(['Run']);
});

test('S1 no text makes the extractor throw', async () => {
  await fc.assert(fc.asyncProperty(brokenSources(order ?? '', scoped ?? ''), (text) => checkFile('A.cs', text)));
});

test.each([
  ['classes', 'public class A { '.repeat(10_000)],
  ['namespaces', 'namespace A.B { '.repeat(10_000)],
  ['local functions', `class A { void F() { ${'int G(int x) { '.repeat(5_000)}`],
  ['conditions', '#if A\n'.repeat(5_000)],
  ['words', `class A { void F() { ${'a '.repeat(50_000)} } }`],
])('S6 many nested %s overflow nothing and end soon', async (_, text) => {
  await checkFile('A.cs', text);
});
