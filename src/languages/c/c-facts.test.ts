import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkFile, extractFile, gap, interfaceOf, layOut } from '../../../test/support/extract-file.ts';
import { brokenSources } from '../../../test/support/extract-text.ts';
import fc from '../../../test/support/properties.ts';

const fixtures = join(import.meta.dirname, '../../../test/fixtures/syntax');
const read = (name: string) => readFileSync(join(fixtures, name), 'utf8');

const declaration = fc.constantFrom(
  'int add ( int a , char * * b ) ;',
  'static inline int sub ( int a ) { return a - - 1 ; }',
  'typedef struct node { int a , * b ; unsigned f : 3 ; } node_t ;',
  'enum color { RED , GREEN = 2 } ;',
  'extern const char * names [ ] ;',
  'typedef int ( * compare ) ( const void * , int ) ;',
  'static const char text [ ] = "a  // b" ;',
);

test.each(['a.h', 'a.hpp'])('S2 layout and comments leave the interface hash of %s as it was', async (path) => {
  const gaps = fc.array(gap, { minLength: 1, maxLength: 7 });
  await fc.assert(
    fc.asyncProperty(fc.array(declaration, { maxLength: 5 }), gaps, gaps, async (all, a, b) => {
      const before = await interfaceOf(path, layOut(all, a, []));
      expect(before).toBeDefined();
      expect(await interfaceOf(path, layOut(all, b, []))).toBe(before);
    }),
  );
});

test.each([
  ['an inline body', 'static inline int f(void) { return 1; }', 'static inline int f(void) { return 2; }'],
  ['a macro', '#define A 1\n', '#define A 2\n'],
  ['what a macro takes', '#define A(x) x\n', '#define A (x) x\n'],
  ['where a macro ends', 'struct s {\n#define A int\nint a; };', 'struct s {\n#define A int int\na; };'],
  ['a private member', 'class A { int a; };', 'class A { long a; };'],
  ['a template body', 'template <class T> int f(T t) { return 1; }', 'template <class T> int f(T t) { return 2; }'],
  ['a default', 'int f(int a = 1);', 'int f(int a = 2);'],
  ['the condition', '#ifdef A\nint a;\n#endif\n', '#ifdef B\nint a;\n#endif\n'],
  ['the namespace', 'namespace a { int x; }', 'namespace b { int x; }'],
])('S3 %s changes the interface hash of a header', async (_, before, after) => {
  const hash = await interfaceOf('a.hpp', before);
  expect(hash).toBeDefined();
  expect(await interfaceOf('a.hpp', after)).not.toBe(hash);
});

test.each([
  ['a body', 'int f(void) { return 1; }', 'int f(void) { return 2; }'],
  ['a value', 'int a = 1;', 'int a = 2;'],
  ['a static function', 'static int f(void) { return 1; }', 'static long f(int a) { return 1; }'],
  ['a prototype', 'int f(void);', 'int f(int);'],
  ['an anonymous namespace', 'namespace { int a; }', 'namespace { long a; }'],
])('S2 %s of a source file does not count', async (_, before, after) => {
  expect(await interfaceOf('a.cpp', after)).toBe(await interfaceOf('a.cpp', before));
});

test.each([
  ['a parameter', 'int f(int a) { return 1; }', 'int f(long a) { return 1; }'],
  ['the type of a variable', 'int a = 1;', 'long a = 1;'],
  [
    'a type that a function takes',
    'struct s { int a; }; int f(struct s x) { }',
    'struct s { long a; }; int f(struct s x) { }',
  ],
  ['a deduced result', 'auto f() { return 1; }', 'auto f() { return 2L; }'],
  ['the class of a member', 'int A::f() { return 1; }', 'int B::f() { return 1; }'],
])('S3 %s changes the interface hash of a source file', async (_, before, after) => {
  expect(await interfaceOf('a.cpp', after)).not.toBe(await interfaceOf('a.cpp', before));
});

test('S3 a parse error makes the interface unknown, except in what a source file keeps to itself', async () => {
  expect((await extractFile('a.h', 'static int f(void) { return 1 + ; }')).interfaceRecords).toBeNull();
  expect((await extractFile('a.c', 'int f(void) { return 1 + ; }')).interfaceRecords).toBeNull();
  expect((await extractFile('a.c', 'static int f(void) { return 1 + ; }')).interfaceRecords).not.toBeNull();
  // The grammar misses a name here where C++ has none.
  expect((await extractFile('a.hpp', 'template class A<int>;')).interfaceRecords).not.toBeNull();
});

test('S1 C and C++ text of any kind makes nothing throw', async () => {
  const c = brokenSources(read('c/orders.h'), read('c/orders.c'));
  const cpp = brokenSources(read('cpp/box.hpp'), read('cpp/box.cpp'));
  await fc.assert(fc.asyncProperty(c, (text) => checkFile('a.h', text)));
  await fc.assert(fc.asyncProperty(cpp, (text) => checkFile('a.cpp', text)));
});

test.each([
  ['a.hpp', 'namespaces', 'namespace a { '.repeat(10_000)],
  ['a.hpp', 'classes', 'class A { '.repeat(10_000)],
  ['a.c', 'structs', 'struct a { '.repeat(10_000)],
  ['a.c', 'declarators', `int ${'*'.repeat(20_000)}a;`],
  ['a.c', 'parentheses', `int ${'('.repeat(10_000)}a`],
  ['a.c', 'conditions', '#if A\n'.repeat(5_000)],
  ['a.hpp', 'raw strings', 'auto a = R"('.repeat(10_000)],
  ['a.c', 'local structs', `int f() { ${'struct a '.repeat(20_000)} }`],
])('S6 %s: many nested %s overflow nothing and end soon', async (path, _, text) => {
  await checkFile(path, text);
});
