import { describe, expect, test } from 'vitest';
import { checkBinding } from '../../../test/support/check-binding.ts';
import { withSource } from '../../../test/support/marked-source.ts';
import { analyseScopes } from '../readers.ts';

const inGo = (body: string): string => `package p\nfunc f(a int, o any) {\n${body}\n}\n`;
const inRust = (body: string): string => `fn f(a: i32, o: Option<i32>) {\n${body}\n}\n`;
const inJava = (body: string): string => `class A {\n int field;\n void f(int a, Object o) {\n${body}\n}\n}\n`;
const inCSharp = (body: string): string => `class A {\n int field;\n void F(int a, object o) {\n${body}\n}\n}\n`;
const inC = (body: string): string => `int f(int a, int o) {\n${body}\n}\n`;
const inRuby = (body: string): string => `def f(a, o)\n${body}\nend\n`;
const inPhp = (body: string): string => `<?php\nfunction f($a, $o) {\n${body}\n}\n`;

const cases: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  go: {
    'the right side of := is evaluated before': inGo('«x» := 1\n{ x := «x»; _ = x }\nprint(«x»)'),
    ':= reuses names of the same block': inGo('«x» := 1\n«x», y := 2, 3\n«x»++'),
    'and makes new ones in an inner block': inGo('x := 1\nif true { «x», y := 2, 3; _ = «x» }\n_ = x'),
    'an if header is seen in else': inGo('if «x» := a; «x» > 0 { _ = «x» } else { _ = «x» }\n_ = ‹x›'),
    'for headers': inGo('for «i» := 0; «i» < a; «i»++ { _ = «i» }\n_ = ‹i›'),
    'range headers': inGo('v := a\nfor k, «v» := range v { _ = «v» }'),
    'range over itself': inGo('«v» := a\nfor k, v := range «v» { _ = v }\n_ = «v»'),
    'range with existing names': inGo('var «k» int\nfor «k» = range a {}'),
    'type switches': inGo('switch «s» := o.(type) { case int: _ = «s»; default: _ = «s» }'),
    select: inGo('select { case «m» := <-c: _ = «m»; case m := <-d: _ = m }'),
    'closures see the outside': inGo('«x» := 1\nfunc() { «x» = 2 }()'),
    'package names are seen before they are declared': 'package p\nfunc f() { _ = «g» }\nvar «g» = 1\n',
    'package functions': 'package p\nfunc «f»() { «f»() }\n',
    'package types': 'package p\ntype «T» struct { next *«T» }\nfunc f(t «T») {}\n',
    'a local hides a package name': 'package p\nvar g = 1\nfunc f() { «g» := 2; _ = «g» }\n',
    'type parameters': 'package p\nfunc f[«T» any](a «T») «T» { var b «T»; return b }\n',
    'type parameters of a receiver': 'package p\ntype P int\nfunc (r *T[«P»]) m(a «P») {}\n',
    'members and keys are not bound': inGo('x := 1\n_ = o.‹x›\n_ = T{‹x›: x}'),
    'import aliases': 'package p\nimport «al» "x/y"\nvar z = «al».Q\n',
    'named results': 'package p\nfunc f() («err» error) { «err» = nil; return }\n',
  },
  rust: {
    'let hides let': inRust('let x = a; let «x» = x + 1; g(«x»);'),
    'the value of let is evaluated before': inRust('let «x» = a; let x = «x» + 1; g(x);'),
    'if let is not seen in else': inRust('if let Some(«x») = o { g(«x») } else { g(‹x›) }'),
    'while let': inRust('while let Some(«x») = o { g(«x») }'),
    'match arms': inRust('match o { Some(«x») if «x» > 1 => «x», None => a };'),
    'alternatives of a pattern are one name': inRust('match o { A(«x») | B(«x») => «x» };'),
    'struct patterns': inRust('let S { x: «y», z } = o; g(«y»);'),
    'shorthand struct patterns': inRust('let S { «x», .. } = o; g(S { «x» });'),
    'constants in patterns are no names': inRust('match o { ‹NONE› => 1 };'),
    closures: inRust('let «x» = 1; let f = |y| «x» + y;'),
    'closure parameters': inRust('let f = |«y», z: i32| «y» + z;'),
    'functions inside do not see locals': inRust('let x = 1; fn g() { ‹x›; }'),
    'macros are not looked into': inRust('let x = 1; println!("{}", ‹x›);'),
    for: inRust('let x = a; for «x» in x { g(«x») }'),
    'paths are not locals': inRust('let x = 1; ‹x›::y();'),
    'raw names': inRust('let «r#type» = 1; g(«r#type»);'),
  },
  java: {
    locals: inJava('int «x» = 1; { «x» += 1; } g(«x»);'),
    parameters: 'class A { int f(int «a») { return «a» + this.‹a›; } }',
    for: inJava('for (int «i» = 0; «i» < a; «i»++) { g(«i»); } g(‹i›);'),
    'enhanced for': inJava('for (String «s» : ss) { g(«s»); }'),
    lambdas: inJava('int «x» = 1; F f = (y) -> «x» + y;'),
    'lambda parameters': inJava('F f = «y» -> «y»; G g = (z, w) -> z;'),
    'an anonymous class may inherit a field of that name': inJava('int x = 1; new B() { int m() { return ‹x›; } };'),
    'fields stay unbound': inJava('g(‹field›);'),
    catch: inJava('try { } catch (E «e») { g(«e»); }'),
    'resources are not seen in catch': inJava('try (R «r» = g()) { g(«r»); } catch (E e) { g(‹r›); }'),
    'pattern variables of instanceof stay unbound': inJava('if (o instanceof String ‹s›) { g(‹s›); }'),
    'switch patterns': inJava('switch (o) { case String «s» when «s».isEmpty() -> g(«s»); default -> g(a); }'),
    'labels are not names': inJava('int «x» = 1; x: while (true) { break x; } g(«x»);'),
    'methods are members': inJava('int g = 1; ‹g›();'),
  },
  csharp: {
    locals: inCSharp('var «x» = 1; { «x» += 1; } G(«x»);'),
    'out variables': inCSharp('G(out var «x»); H(«x»);'),
    'pattern variables': inCSharp('if (!(o is string «s»)) return; G(«s»);'),
    lambdas: inCSharp('var «x» = 1; F f = y => «x» + y;'),
    'lambda parameters': inCSharp('F f = «y» => «y»; G g = (z, w) => z;'),
    'local functions': inCSharp('int «L»(int n) { return «L»(n); } «L»(1);'),
    foreach: inCSharp('foreach (var «s» in ss) { G(«s»); }'),
    tuples: inCSharp('var («p», q) = o; («p», q) = o; G(«p»);'),
    'object initialisers name members': inCSharp('var x = 1; new B { ‹x› = x };'),
    'types are not locals': inCSharp('var B = 1; ‹B› c = null;'),
    'named arguments are members': inCSharp('var x = 1; G(‹x›: x);'),
    'verbatim names': inCSharp('var «@x» = 1; G(«x»);'),
    'fields stay unbound': inCSharp('G(‹field›);'),
    'params arrays': 'class A { void F(params int[] «d») { G(«d»); } }',
  },
  c: {
    blocks: inC('int x = a; { int «x» = 1; «x»++; } x = 2;'),
    'a declarator is seen in its own value': inC('int «x» = sizeof «x»;'),
    for: inC('for (int «i» = 0; «i» < a; «i»++) { g(«i»); } ‹i›;'),
    'file names': 'static int «g» = 1;\nint f(void) { return «g»; }\n',
    'prototype and definition are one name': 'int «f»(int a);\nint «f»(int a) { return «f»(a); }\n',
    'parameters of prototypes are their own': 'int f(int «a»);\nint g(int a) { return a; }\n',
    'parameters of function pointers are their own': 'int f(int (*cb)(int «z»), int z) { return z; }\n',
    'old style parameters': 'int f(«a») int «a»; { return «a»; }\n',
    'macros are never bound': '#define m 1\nint f(void) { int ‹m›; return ‹m›; }\n',
    'fields are members': inC('int x = 1; o.‹x› = x; p->‹x›;'),
    enumerators: 'enum { «A», B = «A» };\nint f(void) { return «A»; }\n',
  },
  cpp: {
    'lambdas and captures': inC('int «x» = 1; auto l = [«x», y = «x»](int p) { return «x» + p + y; };'),
    'init captures': inC('auto l = [«y» = a] { return «y»; };'),
    'structured bindings': inC('auto [«p», q] = o; g(«p»);'),
    'range for': inC('for (auto& «e» : v) { g(«e»); }'),
    'if with initialiser': inC('if (int «i» = a; «i») { «i»; } else { «i»; }'),
    catch: inC('try {} catch (const E& «e») { «e»; }'),
    'members of a class are not bound': 'struct A { int m; int f() { return ‹m›; } };',
    'file names are not bound': 'int g;\nint f() { return ‹g›; }',
    'a local class is a barrier': inC('int x; struct L { int f() { return ‹x›; } };'),
    'references as parameters': 'int f(int& «r», int d = 1) { return «r»; }',
  },
  ruby: {
    'a local is born where it is assigned': inRuby('‹x›\n«x» = 1\n«x» + 1'),
    'blocks see it': inRuby('«x» = 1\n[1].each { |i| «x» += i }'),
    'a local of a block stays there': inRuby('[1].each { «x» = 1; «x» }\n‹x›'),
    'methods do not see it': 'x = 1\ndef f\n  ‹x›\nend\n',
    'block parameters': inRuby('i = 1\n[1].each { |«i», (j, k)| «i» }\ni'),
    'block locals': inRuby('x = 1\n[1].each { |i; «x»| «x» = 2 }\nx'),
    parameters: 'def f(«a», b = «a», *c, d:, **e, &g)\n  «a»\nend\n',
    'multiple assignment': inRuby('«x», (y, *z) = 1, 2\n«x»'),
    rescue: inRuby('begin\nrescue E => «e»\n  «e»\nend'),
    'calls are not locals': inRuby('x = 1\no.‹x›\n‹x2›'),
    lambdas: inRuby('->(«t», u = 1) { «t» }'),
    patterns: inRuby('case o\nin [«p», *r] then «p»\nend'),
    'a key without a value may be the local': inRuby('x = 1\ng(‹x›:)'),
    interpolation: inRuby('«x» = 1\n"x #{«x»}"'),
  },
  php: {
    'a variable belongs to its function': inPhp('g($«x»); $«x» = 1; g($«x»);'),
    'functions do not share variables': '<?php\n$x = 1;\nfunction f() { return $‹x›; }\n',
    'closures take variables over': inPhp('$«x» = 1; $f = function ($y) use ($«x») { return $«x»; };'),
    'closures do not see others': inPhp('$x = 1; $f = function () { return $‹x›; };'),
    'arrow functions see them': inPhp('$«x» = 1; $f = fn($y) => $«x» + $y;'),
    'arrow function parameters': inPhp('$y = 1; $f = fn($«y») => $«y»;'),
    global: '<?php\n$«g» = 1;\nfunction f() { global $«g»; $«g» = 2; }\n',
    foreach: inPhp('foreach ($a as $k => $«v») { g($«v»); }'),
    list: inPhp('[$«x», $y] = $a; g($«x»);'),
    catch: inPhp('try {} catch (E $«e») { g($«e»); }'),
    'static members are not variables': inPhp('$s = 1; A::$‹s›; $this->‹s›;'),
    strings: inPhp('$«x» = 1; "x $«x» {$«x»}";'),
    'promoted properties are parameters': '<?php\nclass A { function __construct(private $«p») { $«p»; } }\n',
  },
};

describe.each(Object.entries(cases))('%s', (language, list) => {
  test.each(Object.entries(list))('%s', async (_, marked) => {
    await checkBinding(language, marked);
  });
});

test.each([
  ['go', 'package p\nimport . "x"\n'],
  ['ruby', 'eval("x")'],
  ['ruby', 'binding'],
  ['php', '<?php extract($x);'],
  ['php', '<?php $$x = 1;'],
  ['php', '<?php function f() { include "x.php"; }'],
])('%s that reaches names by text is dynamic: %s', async (language, text) => {
  expect(await withSource(language, text, (source) => analyseScopes(source, language).dynamic)).toBe(true);
});

test('only what other files can see is exported', async () => {
  expect((await checkBinding('c', 'int «g»;'))?.exportedAs).toEqual(['g']);
  expect((await checkBinding('c', 'static int «g»;'))?.exportedAs).toEqual([]);
  expect((await checkBinding('go', 'package p\nvar «g» = 1\n'))?.exportedAs).toEqual(['g']);
  expect((await checkBinding('go', inGo('«g» := 1')))?.exportedAs).toEqual([]);
});
