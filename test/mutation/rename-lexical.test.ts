/** Renames for which lexical scope is enough, in trees that no indexer has seen, and forced ones. */

import { afterEach, expect, test } from 'vitest';
import { bindingOf } from '../../src/mutate/rename/by-index/forced-rename.ts';
import { type IndexRenames, openRenames } from '../support/index-rename.ts';

let renames: IndexRenames;
afterEach(async () => renames.dispose());

const open = async (files: Readonly<Record<string, string>>) => {
  renames = await openRenames(files, { semantic: false });
};

test('a local of Python needs no indexer, and says that nothing is proven', async () => {
  await open({
    'a.py':
      'def f(xs):\n    total = 0\n    for x in xs:\n        total += x\n    return total, xs.total, [total for total in xs]\n# total\n',
    'b.py': 'total = 1\n',
  });
  const plan = await renames.plan('a.py:    «total» = 0', 'sum_');
  expect(plan).toMatchObject({
    kind: 'findings',
    provenance: 'resolved',
    reach: 'file',
    isLexical: true,
    items: [],
    clashes: [],
    counts: { planned: 3, other_symbol: 3, string: 0, comment: 1, unaccounted: 0 },
    proofs: { parse: 'holds', scope: 'holds' },
  });
  expect(await renames.edits('a.py:    «total» = 0', 'sum_')).toEqual([
    'a.py:2:5 sum_',
    'a.py:4:9 sum_',
    'a.py:5:12 sum_',
  ]);
});

test('M10 collisions and both directions of capture are refused with both places', async () => {
  await open({
    'a.py': 'def f(a, c):\n    def g(b):\n        return a + b\n    return g, len(a), c\n',
    'a.go':
      'package p\n\nfunc f(a int) int {\n\tb := 1\n\treturn a + b\n}\n\nfunc g(unused int) int {\n\tb := 1\n\treturn b\n}\n',
  });
  const reasons = async (at: string, name: string) => {
    const plan = await renames.plan(at, name);
    return plan.kind === 'findings' ? plan.clashes.map(({ reason }) => reason) : plan.kind;
  };
  expect(await reasons('a.py:(«a», c)', 'c')).toEqual(['collision']);
  expect(await reasons('a.py:(«a», c)', 'b')).toEqual(['capture']);
  expect(await reasons('a.py:(«a», c)', 'len')).toEqual(['capture']);
  expect(await reasons('a.py:g(«b»)', 'a')).toEqual(['capture']);
  expect(await reasons('a.go:f(«a» int)', 'b')).toEqual(expect.arrayContaining(['collision', 'capture']));
  expect(await reasons('a.go:g(«unused» int)', 'b')).toEqual(['collision']);
  expect(await reasons('a.py:(«a», c)', 'fresh')).toEqual([]);
});

test('M9 eval in the scope of a local is a question; a star import is none', async () => {
  await open({
    'a.py': 'from os import *\ndef f():\n    aa = 1\n    return eval("aa")\ndef g():\n    bb = 1\n    return bb\n',
  });
  expect(await renames.plan('a.py:    «aa» = 1', 'cc')).toMatchObject({ items: [{ kind: 'dynamic_access' }] });
  expect(await renames.plan('a.py:    «bb» = 1', 'cc')).toMatchObject({ items: [] });
});

test('M7 a parameter that callers may name is asked about at every argument of that name', async () => {
  await open({
    'a.py':
      'def f(size, /, width, *rest, **more):\n    return size + width + len(rest)\nclass C:\n    def m(self, width): return width\n',
    'b.py': 'from a import f\nf(1, width=2)\nprint(x.width, "width")\n',
  });
  const plan = await renames.plan('a.py:/, «width»,', 'breadth');
  expect(plan).toMatchObject({
    reach: 'repo',
    counts: { planned: 2, unaccounted: 1 },
    items: [{ path: 'b.py', kind: 'uncovered_file' }],
  });
  // No other file can name these.
  for (const at of ['a.py:f(«size», /', 'a.py:*«rest», **', 'a.py:**«more»)', 'a.py:m(«self», width'])
    expect(await renames.plan(at, 'other'), at).toMatchObject({ kind: 'findings', reach: 'file', items: [] });
});

test('another name that an import gives is the file’s own', async () => {
  await open({
    'c.py': 'import os\n',
    'a.py': 'import os.path as p\nfrom json import dumps as d\nprint(p.join("a"), d(1))\n',
    'b.go': 'package b\n\nimport j "encoding/json"\n\nvar x, _ = j.Marshal(1)\n',
  });
  expect(await renames.edits('a.py:as «p»\n', 'q')).toEqual(['a.py:1:19 q', 'a.py:3:7 q']);
  expect(await renames.edits('a.py:as «d»\n', 'e')).toEqual(['a.py:2:27 e', 'a.py:3:20 e']);
  expect(await renames.edits('b.go:«j» "enc', 'js')).toEqual(['b.go:3:8 js', 'b.go:5:12 js']);
  expect(await renames.plan('c.py:import «os»', 'q')).toMatchObject({ kind: 'refused', reason: 'not_renamable' });
});

test('M11 shorthands of locals are expanded', async () => {
  await open({
    'a.ts': 'export function f({ a }: { a: number }) { const c = a; return { a, c }; }\n',
    'a.rs': 'fn f(a: i32) -> S { S { a } }\n',
    'a.cs': 'class A { object F(int p) { var a = 1; return new { a }; }\nint G() { var c = 1; return H(c); } }\n',
  });
  expect(await renames.edits('a.ts:f({ «a» }', 'b')).toEqual(['a.ts:1:21 a: b', 'a.ts:1:53 b', 'a.ts:1:65 a: b']);
  expect(await renames.edits('a.rs:f(«a»: i32', 'b')).toEqual(['a.rs:1:6 b', 'a.rs:1:25 a: b']);
  // The name of a member too, and nothing binds it: a question, never an edit.
  expect(await renames.plan('a.cs:var «a» =', 'b')).toMatchObject({ items: [{ kind: 'unaccounted_token' }] });
  expect(await renames.edits('a.cs:var «c» =', 'b')).toEqual(['a.cs:2:15 b', 'a.cs:2:31 b']);
  // A caller may name it.
  expect(await renames.plan('a.cs:int «p»)', 'b')).toMatchObject({ kind: 'unsupported', reason: 'language' });
  expect(await renames.forced('a.cs:var «a» =', 'b')).toMatchObject({ edits: [], binding: 'not_proven' });
  expect((await renames.forced('a.cs:var «c» =', 'b')).edits).toHaveLength(2);
});

test('M1 what other files can mean is unsupported without an indexer, or in a language that is not read that far', async () => {
  await open({ 'A.java': 'class A { int total() { int n = 1; return n; } }\n', 'a.py': 'def f(): pass\n' });
  expect(await renames.plan('A.java:int «total»()', 'sum')).toMatchObject({ kind: 'unsupported', reason: 'language' });
  expect(await renames.edits('A.java:int «n» = 1', 'm')).toEqual(['A.java:1:29 m', 'A.java:1:43 m']);
  expect(await renames.plan('a.py:def «f»', 'g')).toMatchObject({
    kind: expect.stringMatching(/^(?:blocked|unsupported)$/),
  });
});

test('M32 forced: what scope binds in one file is one group, and it is scope-proven', async () => {
  await open({ 'a.py': 'def f():\n    n = 1\n    # n\n    return n, o.n, "n"\n', 'b.py': 'n = 2\nprint(n)\n' });
  const forced = await renames.forced('a.py:    «n» = 1', 'm');
  expect(forced.edits.map(({ path, start }) => renames.show(path, start))).toEqual(['a.py:2:5', 'a.py:4:12']);
  expect(forced).toMatchObject({ binding: 'scope_proven', clashes: [] });
  // A local is in no string and no comment: they are listed, and no answer says to choose them.
  expect(forced.risky.map(({ tier, risk, reasons }) => [tier, risk, ...reasons])).toEqual([
    ['text', 'medium', 'comment'],
    ['text', 'medium', 'string'],
  ]);
  expect(bindingOf(forced, forced.edits)).toBe('scope_proven');
  expect(bindingOf(forced, [...forced.edits, ...forced.risky])).toBe('not_proven');
});

test('M33 forced: everything else is one by one, with its tier, its risk and what to look at', async () => {
  await open({
    'a.py': 'def f(): return 1\nx = f()\n',
    'b.py': 'from a import f\nprint(f(), obj.f, "f")\n',
    'c.py': 'def f(): return 2\nprint(f())\n',
    'd.py': 'from a import *\nprint(f())\n',
    'e.py': 'def (\nf(\n',
  });
  const forced = await renames.forced('a.py:def «f»', 'g');
  expect(forced).toMatchObject({ edits: [], binding: 'not_proven' });
  const listed = forced.risky.map(
    ({ path, start, tier, risk, reasons }) => `${renames.show(path, start)} ${tier} ${risk} ${reasons.join()}`,
  );
  expect(listed).toEqual(
    expect.arrayContaining([
      'a.py:1:5 import_linked medium exported',
      'b.py:1:15 import_linked medium exported',
      'b.py:2:7 import_linked medium exported',
      'b.py:2:16 member_text high member_without_type,exported',
      'b.py:2:20 text medium string',
      'd.py:2:7 text high star_import,exported',
    ]),
  );
  expect(listed.some((one) => one.startsWith('c.py'))).toBe(false);
  expect(listed.filter((one) => one.startsWith('e.py'))).toEqual([expect.stringContaining('parse_error')]);
  for (const { checklist } of forced.risky) expect(checklist.length).toBeGreaterThan(0);
});

test('M32 forced: a parameter that a caller names is not of the lexical tier', async () => {
  await open({ 'a.py': 'def f(w):\n    return w\nf(w=1)\n' });
  const forced = await renames.forced('a.py:f(«w»)', 'v');
  expect(forced.edits).toEqual([]);
  expect(forced.risky.map(({ tier }) => tier).sort()).toEqual(['import_linked', 'import_linked', 'member_text']);
});
