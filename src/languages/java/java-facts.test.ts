import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkFile, extractFile, gap, interfaceOf, layOut } from '../../../test/support/extract-file.ts';
import { brokenSources } from '../../../test/support/extract-text.ts';
import fc from '../../../test/support/properties.ts';

const fixtures = join(import.meta.dirname, '../../../test/fixtures/syntax/java');
const [order, module] = ['Order.java', 'module-info.java'].map((name) => readFileSync(join(fixtures, name), 'utf8'));

const declaration = fc.constantFrom(
  'public class A < T extends B > extends C implements D { public int m ( final int a , String ... b ) throws E BODY }',
  'class F { private int own ( ) BODY public F ( ) BODY int x = 1 ; static BODY }',
  'public interface G { int K = 3 ; void m ( ) ; default int d ( ) BODY }',
  'enum H { A ( 1 ) , @ Deprecated B ; H ( int x ) BODY H ( ) BODY }',
  'public record R ( int x , @ N ( "a  b" ) String y ) { public R BODY }',
  '@interface N { String value ( ) default "x  //  y" ; }',
  'class J { public static final int A = 1 - - 2 , B [ ] = { 3 } ; }',
);
const body = fc.constantFrom('{ }', '{ ; }', '{ class Local { } /* } */ }', "{ char c = '\"'; }");

test('S2 layout, comments and bodies leave the interface hash as it was', async () => {
  const gaps = fc.array(gap, { minLength: 1, maxLength: 7 });
  const bodies = fc.array(body, { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(fc.array(declaration, { maxLength: 5 }), gaps, gaps, bodies, bodies, async (all, a, b, c, d) => {
      const text = ['package com . acme ;', ...all];
      const before = await interfaceOf('A.java', layOut(text, a, c));
      expect(before).toBeDefined();
      expect(await interfaceOf('A.java', layOut(text, b, d))).toBe(before);
    }),
  );
});

test.each([
  ['a parameter', 'class A { void f(int a) {} }', 'class A { void f(long a) {} }'],
  ['the package', 'package a; class A {}', 'package b; class A {}'],
  ['a base', 'class A {}', 'class A extends B {}'],
  ['an annotation', 'class A {}', '@Deprecated class A {}'],
  ['a constant', 'class A { static final int K = 1; }', 'class A { static final int K = 2; }'],
  [
    'a private constant behind it',
    'class A { static final int K = P; private static final int P = 1; }',
    'class A { static final int K = P; private static final int P = 2; }',
  ],
  ['the order of enum constants', 'enum E { A, B }', 'enum E { B, A }'],
  ['a default of an annotation', '@interface N { int v() default 1; }', '@interface N { int v() default 2; }'],
  [
    'a text block',
    'class A { static final String S = """\n a\n"""; }',
    'class A { static final String S = """\n  a\n"""; }',
  ],
  [
    'a private nested class that is mentioned',
    'class A { B f() {} private class B { int x; } }',
    'class A { B f() {} private class B { long x; } }',
  ],
])('S3 %s changes the interface hash', async (_, before, after) => {
  const hash = await interfaceOf('A.java', before);
  expect(hash).toBeDefined();
  expect(await interfaceOf('A.java', after)).not.toBe(hash);
});

test.each([
  ['the value of a field that is no constant variable', 'class A { int x = 1; }', 'class A { int x = 2; }'],
  ['a private method', 'class A { private void f() {} }', 'class A { private void f(int a) {} }'],
  ['arguments of an enum constant', 'enum E { A(1) }', 'enum E { A(2) { void f() {} } }'],
])('S2 %s does not count', async (_, before, after) => {
  expect(await interfaceOf('A.java', after)).toBe(await interfaceOf('A.java', before));
});

test('S3 a parse error makes the interface unknown, except inside a private member', async () => {
  expect((await extractFile('A.java', 'class A { int f( { } }')).interfaceRecords).toBeNull();
  expect((await extractFile('A.java', 'class A { int f() { x = ; } }')).interfaceRecords).toBeNull();
  expect((await extractFile('A.java', 'class A { private int f() { x = ; } }')).interfaceRecords).not.toBeNull();
});

test('S1 a name of the same package leaves the interface open', async () => {
  expect((await extractFile('A.java', 'class A { String f(A a) {} }')).canClose).toBe(true);
  expect((await extractFile('A.java', 'class A { Other f(A a) {} }')).canClose).toBe(false);
});

test('S1 no text makes the extractor throw', async () => {
  await fc.assert(fc.asyncProperty(brokenSources(order ?? '', module ?? ''), (text) => checkFile('A.java', text)));
});

test.each([
  ['classes', 'public class A { '.repeat(10_000)],
  ['classes in methods', 'class A { void m() { '.repeat(5_000)],
  ['calls', `class A { void m() { x${'.getMethod("a", A.class)'.repeat(5_000)}; } }`],
  ['annotations', `${'@A('.repeat(10_000)} class A {}`],
  ['text blocks', 'class A { static final String S = """\n'.repeat(5_000)],
])('S6 many nested %s overflow nothing and end soon', async (_, text) => {
  await checkFile('A.java', text);
});
