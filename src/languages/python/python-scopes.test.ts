import { describe, expect, test } from 'vitest';
import { checkBinding } from '../../../test/support/check-binding.ts';
import { withSource } from '../../../test/support/marked-source.ts';
import { analyseScopes } from '../readers.ts';

const cases: Readonly<Record<string, string>> = {
  'a name belongs to the function that binds it': 'x = 1\ndef f():\n    print(«x»)\n    «x» = 2\n',
  'and to the module otherwise': '«x» = 1\ndef f():\n    return «x»\n',
  global: 'def f():\n    global «x»\n    «x» = 1\n    return [«x» for _ in y]\n«x» = 2\n',
  'global is passed on to nested functions': '«x» = 0\ndef f():\n    global «x»\n    def g():\n        return «x»\n',
  'global of a name made elsewhere': 'def f():\n    global ‹x›\n    return ‹x›\n',
  nonlocal: 'def f():\n    «x» = 1\n    def g():\n        nonlocal «x»\n        «x» += 1\n    return «x»\n',
  'methods do not see the class': 'class A:\n    x = 1\n    def m(self):\n        return ‹x›\n',
  'the class body does': 'class A:\n    «x» = 1\n    y = «x»\n',
  'methods see around the class': '«x» = 0\nclass A:\n    x = 1\n    def m(self):\n        return «x»\n',
  'comprehensions have their own names': 'x = 1\n[«x» for «x» in y if «x»]\nx\n',
  'the first iterable is outside': '«x» = []\n[x for x in «x»]\n',
  'further iterables are inside': '[b for «a» in c for b in «a»]\n',
  'a class is not seen from comprehensions but by their first iterable':
    'class A:\n    «xs» = []\n    y = [i for i in «xs»]\n    z = [‹xs› for i in y]\n',
  'generators and dictionaries': '{«k»: v for «k», v in d}\n(k for k in d)\n',
  'walrus binds outside of the comprehension': 'def f():\n    [«y» := g(x) for x in z]\n    return «y»\n',
  parameters: 'def f(«a», b=1, *args, c: int = 2, **kw):\n    return «a»\n',
  'star parameters': 'def f(*«args», **kw):\n    return «args»\n',
  'keyword parameters with types': 'def f(*, «c»: int = 2):\n    return «c»\n',
  'defaults are evaluated outside': '«a» = 1\ndef f(a=«a»):\n    return a\n',
  'annotations are evaluated outside': '«T» = int\ndef f(T: «T») -> «T»:\n    return T\n',
  lambdas: 'a = 1\nlambda «a», b=a: «a» + b\n',
  'for targets': 'for «i», (j, *k) in xs:\n    «i»\n«i»\n',
  'with targets': 'with f() as «g», h() as (i, j):\n    «g»\n',
  'except targets': 'try:\n    pass\nexcept E as «e»:\n    «e»\n',
  import: 'import «os», a.b.c as d\n«os».path\n',
  'import of a dotted name binds its first part': 'import «a».b\n«a».b\n',
  'from import': 'from m import ‹x› as «y»\n«y»\n',
  'classes and functions': 'class «A»:\n    pass\n«A»()\ndef f(): pass\n',
  'a decorator stands outside': '«d» = 1\n@«d»\ndef f(d): pass\n',
  'attributes and keywords are members': 'a = 1\nb.‹a›\nf(‹a›=a)\n',
  del: 'def f():\n    «x» = 1\n    del «x»\n',
  'match captures': 'match c:\n    case [«a», *r] if «a»: «a»\n',
  'match patterns with keywords': 'match c:\n    case ‹P›(‹x›=«a»): «a»\n',
  'match values are no captures': '«A» = 1\nmatch c:\n    case «A».B: pass\n',
  'match as': 'match c:\n    case (1 | 2) as «n»: «n»\n',
  'type parameters': 'def f[«T»](a: «T») -> «T»: pass\n',
  'type aliases': 'type «A»[T] = list[T]\nx: «A»\n',
  'f-strings': '«x» = 1\nf"{«x»} x {y:{«x»}}"\n',
  'annotated without value': 'def f():\n    «x»: int\n    return «x»\n',
  'names are compared in form KC': '«ﬁ» = 1\n«fi»\n',
  'mangled names of a class are not those outside': '__x = 1\nclass A:\n    def m(self):\n        return ‹__x›\n',
  'mangled names inside one method': 'class A:\n    def m(self):\n        «__x» = 1\n        return «__x»\n',
  'augmented assignment makes a local': 'x = 1\ndef f():\n    «x» += 1\n',
};

describe('Python', () => {
  test.each(Object.entries(cases))('%s', async (_, marked) => {
    await checkBinding('python', marked);
  });

  test('names of modules and classes can be reached from outside, locals cannot', async () => {
    expect((await checkBinding('python', '«x» = 1'))?.exportedAs).toEqual(['x']);
    expect((await checkBinding('python', 'class A:\n    «x» = 1'))?.exportedAs).toEqual(['x']);
    expect((await checkBinding('python', 'def f():\n    «x» = 1'))?.exportedAs).toEqual([]);
  });

  test('imports say where from', async () => {
    const importOf = async (marked: string) => (await checkBinding('python', marked))?.importOf;
    expect(await importOf('import a.b as «c»')).toEqual({ specifier: 'a.b', name: '*', typeOnly: false });
    expect(await importOf('import «a».b')).toEqual({ specifier: 'a', name: '*', typeOnly: false });
    expect(await importOf('from ..m import x as «y»')).toEqual({ specifier: '..m', name: 'x', typeOnly: false });
  });

  test('star imports and exec make a file dynamic', async () => {
    const isDynamic = (text: string) => withSource('python', text, (source) => analyseScopes(source, 'python').dynamic);
    expect(await isDynamic('from m import *')).toBe(true);
    expect(await isDynamic('exec("x")')).toBe(true);
    expect(await isDynamic('from m import x')).toBe(false);
  });
});
