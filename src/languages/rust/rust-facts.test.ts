import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkFile, extractFile, gap, interfaceOf, layOut } from '../../../test/support/extract-file.ts';
import { brokenSources } from '../../../test/support/extract-text.ts';
import fc from '../../../test/support/properties.ts';

const fixtures = join(import.meta.dirname, '../../../test/fixtures/syntax/rust');
const [items, modules] = ['items.rs', 'modules.rs'].map((name) => readFileSync(join(fixtures, name), 'utf8'));

const declaration = fc.constantFrom(
  `pub fn f < 'a , T : X > ( a : & 'a str , b : [ u8 ; 3 ] ) -> Vec < Vec < T >> where T : 'a BODY`,
  `fn hidden ( ) -> char BODY`,
  `# [ derive ( Debug ) ] pub struct S < 'a > { pub a : & 'a u8 , b : u8 }`,
  `pub enum E { A = 1 , B ( u8 ) , C { x : u8 } }`,
  `pub trait T : Sized { type Out ; const K : u8 = 1 ; fn g ( & self ) -> u8 BODY fn h ( ) ; }`,
  `impl < 'a > S < 'a > { pub fn m ( & mut self ) -> u8 BODY fn own ( ) BODY }`,
  `pub const C : & str = "a  b // c" ;`,
  `pub static Q : char = 'x' ;`,
  `pub use a :: { b as c , d } ;`,
  `macro_rules! m { ( $x : expr ) => { $x - - 1 } ; }`,
);
const body = fc.constantFrom('{ }', '{ 1 }', `{ let c = '"'; /* } */ c }`, '{ use x::y; fn inner() {} y() }');

test('S2 layout, comments and bodies leave the interface hash as it was', async () => {
  const gaps = fc.array(gap, { minLength: 1, maxLength: 7 });
  const bodies = fc.array(body, { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(fc.array(declaration, { maxLength: 5 }), gaps, gaps, bodies, bodies, async (all, a, b, c, d) => {
      const before = await interfaceOf('a.rs', layOut(all, a, c));
      expect(before).toBeDefined();
      expect(await interfaceOf('a.rs', layOut(all, b, d))).toBe(before);
    }),
  );
});

test.each([
  ['a parameter', 'pub fn f(a: u8) {}', 'pub fn f(a: u16) {}'],
  ['a lifetime', `pub fn f<'a, 'b>(a: &'a u8) {}`, `pub fn f<'a, 'b>(a: &'b u8) {}`],
  ['an attribute', 'pub struct S;', '#[derive(Copy)] pub struct S;'],
  ['a private field', 'pub struct S { a: u8 }', 'pub struct S { a: Cell<u8> }'],
  ['a discriminant', 'pub enum E { A = 1 }', 'pub enum E { A = 2 }'],
  ['a constant', 'pub const C: u8 = 1;', 'pub const C: u8 = 2;'],
  ['white space inside a raw string', 'pub const C: &str = r#"a " b"#;', 'pub const C: &str = r#"a "  b"#;'],
  ['an associated type', 'impl T for pub_s { type O = u8; }', 'impl T for pub_s { type O = u16; }'],
  ['an impl', 'pub struct S;', 'pub struct S; impl Clone for S {}'],
  ['a re-export', 'pub use a::b;', 'pub use a::c;'],
  ['an exported macro', '#[macro_export] macro_rules! m { () => {1} }', '#[macro_export] macro_rules! m { () => {2} }'],
  ['what a macro is given', 'thread_local! { static A: u8 = 1; }', 'thread_local! { static B: u8 = 1; }'],
  ['a private type that is mentioned', 'pub fn f() -> P {} struct P(u8);', 'pub fn f() -> P {} struct P(u16);'],
  ['a private function next to child modules', 'mod a; fn f() {}', 'mod a; fn f(x: u8) {}'],
  ['the abi', 'extern "C" { pub fn f(); }', 'extern "system" { pub fn f(); }'],
])('S3 %s changes the interface hash', async (_, before, after) => {
  const hash = await interfaceOf('a.rs', before);
  expect(hash).toBeDefined();
  expect(await interfaceOf('a.rs', after)).not.toBe(hash);
});

test('S3 a parse error makes the interface unknown, except inside a private item', async () => {
  expect((await extractFile('a.rs', 'pub fn f(a: u8 -> u8 { }')).interfaceRecords).toBeNull();
  expect((await extractFile('a.rs', 'pub fn f() { let = ; }')).interfaceRecords).toBeNull();
  expect((await extractFile('a.rs', 'fn f() { let = ; }')).interfaceRecords).not.toBeNull();
  expect((await extractFile('a.rs', 'mod child; fn f() { let = ; }')).interfaceRecords).toBeNull();
});

test.each([
  ['mod a { use super::x; }', 'self::x'],
  ['mod a { use self::x; }', 'self::a::x'],
  ['mod a { mod b { fn f() { use super::super::super::x; } } }', 'super::x'],
  ['mod a { use crate::x; }', 'crate::x'],
  ['use a::{b::{self}};', 'a::b'],
  ['use ::a::{b};', '::a::b'],
])('S1 %s asks for %s, as the file itself would say it', async (text, specifier) => {
  expect((await extractFile('a.rs', text)).imports.map((found) => found.specifier)).toEqual([specifier]);
});

test('S1 include! and #[path] name files', async () => {
  const { imports } = await extractFile('a.rs', 'include!("gen.rs");\n#[path = "b/c.rs"] mod d;');
  expect(imports.map(({ kind, specifier }) => [kind, specifier])).toEqual([
    ['include', 'gen.rs'],
    ['mod', 'path:b/c.rs'],
  ]);
});

test('S1 no text makes the extractor throw', async () => {
  await fc.assert(fc.asyncProperty(brokenSources(items ?? '', modules ?? ''), (text) => checkFile('a.rs', text)));
});

test.each([
  ['modules', 'pub mod a { '.repeat(20_000)],
  ['functions', 'pub fn a() { '.repeat(20_000)],
  ['use trees', `use ${'a::{b, '.repeat(20_000)}`],
  ['types', `pub fn a() -> ${'Vec<'.repeat(20_000)}`],
  ['attributes', '#[a]'.repeat(20_000)],
  ['comments', `pub const A: u8 = ${'/* '.repeat(20_000)}`],
])('S6 many nested %s overflow nothing and end soon', async (_, text) => {
  await checkFile('a.rs', text);
});
