/** Renames in Python and Go by what their real indexers say, and of TypeScript without its compiler; the programs are run before and after. */

import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { IndexFindings } from '../../src/mutate/rename/by-index/rename-by-index.ts';
import { createFixtureRepo } from '../support/fixture-repo.ts';
import { type IndexRenames, openRenames } from '../support/index-rename.ts';
import { runCli } from '../support/run-cli.ts';
import { hasTool } from '../support/tools.ts';

const python = {
  'pyproject.toml': '[project]\nname = "shop"\nversion = "1"\n',
  'shop/__init__.py': 'from shop.base import Base, helper\n__all__ = ["Base", "helper"]\n',
  'shop/base.py': `import abc

class Base(abc.ABC):
    count = 0
    def __init__(self, size, *, name=1):
        self.size = size
        self.name = name
    def area(self, scale=1):
        """area of it"""
        return self.size * scale
    @property
    def width(self):
        return self.size
    @width.setter
    def width(self, v):
        self.size = v

class Sub(Base):
    count = 1
    def area(self, scale=1):
        return super().area(scale=scale) + 1

def helper(size, k=2):
    return size + k

TOTAL = 0
def bump():
    global TOTAL
    TOTAL += 1

def first(items: "list[Base]") -> "Base":
    return items[0]
`,
  'main.py': `import shop
from shop.base import Base as B, Sub, helper, bump, first
import shop.base as sb
b = Sub(3, name=2)
print(b.area(scale=2), helper(size=3, k=4), sb.helper(1), shop.helper(2))
b.size = 4
b.width = 5
bump()
print(b.size, sb.TOTAL, B.count, Sub.count, first([b]).width)
`,
  'loose.py': `import json
def untyped(o, key):
    return o.reach(), getattr(o, "reach"), getattr(o, key)
class Far:
    def reach(self): return 1
class Load(json.JSONDecoder):
    def decode(self, s): return s
    def mine(self): return 1
class Text(str):
    pass
`,
};

const unions = {
  'union.py': `class Near:
    tag = 1
class Apart:
    tag = 5
def pick(flag, way=1):
    either = Near() if flag else Apart()
    return either.tag
opts = {"way": 2}
pick(True, **opts)
`,
};

const renames = new Map<string, IndexRenames>();
const of = (name: string): IndexRenames => {
  const found = renames.get(name);
  if (found === undefined) throw new Error(name);
  return found;
};
afterAll(async () => {
  for (const one of renames.values()) await one.dispose();
});

function run(root: string, command: string, args: readonly string[]): string {
  return execFileSync(command, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** What the program says with the edits, in a copy of the tree. */
function runEdited(one: IndexRenames, findings: IndexFindings, use: (root: string) => string): string {
  const copy = mkdtempSync(join(tmpdir(), 'codegenie-test-'));
  try {
    cpSync(one.root, copy, { recursive: true });
    for (const [path, text] of one.apply(findings)) writeFileSync(join(copy, path), text);
    return use(copy);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

describe('Python', () => {
  beforeAll(async () => {
    renames.set('python', await openRenames({ ...python, ...unions }, { semantic: true }));
  });

  test.skipIf(!hasTool('python3'))('the program says the same after every rename (needs python3)', async () => {
    const one = of('python');
    const before = run(one.root, 'python3', ['main.py']);
    const cases = [
      ['shop/base.py:class «Base»(', 'Thing'],
      ['shop/base.py:def «area»(self, scale=1):\n        """', 'surface'],
      ['shop/base.py:self, «scale»=1):\n        return super', 'factor'],
      ['shop/base.py:def «helper»', 'assist'],
      ['shop/base.py:helper(«size»', 'length'],
      ['shop/base.py:self.«size» = size', 'dim'],
      ['shop/base.py:def «width»(self):', 'breadth'],
      ['shop/base.py:«TOTAL» = 0', 'SUM'],
      ['shop/base.py:    «count» = 0', 'number'],
      ['main.py:as «sb»\n', 'base_module'],
      // The importer has that name: it keeps its own.
      ['shop/base.py:def «helper»', 'shop'],
    ] as const;
    for (const [at, name] of cases) {
      const plan = await one.plan(at, name);
      expect(plan, at).toMatchObject({
        kind: 'findings',
        provenance: 'resolved',
        clashes: [],
        proofs: { scope: 'holds' },
      });
      if (plan.kind === 'findings')
        expect(
          runEdited(one, plan, (root) => run(root, 'python3', ['main.py'])),
          at,
        ).toBe(before);
    }
  });

  test('M3 a member is renamed with all that overrides it, also where the indexer relates only classes', async () => {
    expect(await of('python').edits('shop/base.py:    «count» = 0', 'number')).toEqual([
      'main.py:9:27 number',
      'main.py:9:38 number',
      'shop/base.py:4:5 number',
      'shop/base.py:19:5 number',
    ]);
  });

  test('M12 entries of __all__ and quoted annotations belong to the rename, comments and docstrings do not', async () => {
    const base = await of('python').edits('shop/base.py:class «Base»(', 'Thing');
    expect(base).toEqual(
      expect.arrayContaining(['shop/__init__.py:2:13 Thing', 'shop/base.py:31:24 Thing', 'shop/base.py:31:36 Thing']),
    );
    const area = await of('python').plan('shop/base.py:def «area»(self, scale=1):\n        """', 'surface');
    expect(area).toMatchObject({ counts: { comment: 1, unaccounted: 0 } });
  });

  test('M4 what overrides a method of a library is refused, with the chain', async () => {
    expect(await of('python').plan('loose.py:def «decode»', 'read')).toMatchObject({
      kind: 'refused',
      reason: 'external_family',
      detail: expect.stringContaining('JSONDecoder#decode'),
    });
    expect(await of('python').plan('shop/base.py:def «__init__»', 'make')).toMatchObject({
      kind: 'refused',
      reason: 'not_renamable',
    });
    expect(await of('python').plan('loose.py:import «json»', 'j')).toMatchObject({
      kind: 'refused',
      reason: 'not_renamable',
    });
    expect(await of('python').plan('loose.py:(«str»)', 'j')).toMatchObject({
      kind: 'refused',
      reason: 'external_symbol',
    });
  });

  test('M7 M9 what cannot be bound is an item with its options', async () => {
    const plan = await of('python').plan('loose.py:def «reach»', 'grasp');
    if (plan.kind !== 'findings') throw new Error(JSON.stringify(plan));
    expect(plan.items.map(({ kind, edits }) => [kind, Object.keys(edits)])).toEqual([
      ['untyped_access', ['rename']],
      ['string_reference', ['rename']],
      ['dynamic_access', []],
    ]);
    const mine = await of('python').plan('loose.py:def «mine»', 'own');
    expect(mine).toMatchObject({
      items: expect.arrayContaining([expect.objectContaining({ kind: 'unknown_inherited' })]),
    });
  });

  test('M9 a variable that may hold two classes, and a dictionary of arguments, are questions', async () => {
    expect(await of('python').plan('union.py:    «tag» = 1', 'label')).toMatchObject({
      items: [{ kind: 'dynamic_access', detail: expect.stringContaining('Apart#tag') }],
    });
    expect(await of('python').plan('union.py:flag, «way»=1', 'road')).toMatchObject({
      items: [{ kind: 'dynamic_access', detail: expect.stringContaining('dictionary') }],
    });
  });

  test('M10 the new name is looked for in related classes and in the spelling', async () => {
    const width = await of('python').plan('shop/base.py:def «area»(self, scale=1):\n        return super', 'width');
    expect(width).toMatchObject({
      kind: 'findings',
      clashes: expect.arrayContaining([expect.objectContaining({ reason: 'collision' })]),
    });
    expect(await of('python').plan('shop/base.py:    «count» = 0', '__count')).toMatchObject({
      kind: 'refused',
      reason: 'bindings_change',
    });
    expect(await of('python').plan('shop/base.py:    «count» = 0', '__len__')).toMatchObject({
      kind: 'refused',
      reason: 'reserved_name',
    });
  });

  test('M6 every token of the name has exactly one class', async () => {
    const plan = await of('python').plan('shop/base.py:self.«size» = size', 'dim');
    if (plan.kind !== 'findings') throw new Error(JSON.stringify(plan));
    const places = plan.accounts.map(({ path, start }) => `${path}:${start}`);
    expect(new Set(places).size).toBe(places.length);
    const written = Object.entries(python).flatMap(([path, text]) =>
      [...text.matchAll(/\bsize\b/g)].map(({ index }) => `${path}:${index}`),
    );
    expect(places.sort()).toEqual(written.sort());
  });

  test('M8 a file that begins to hold the name and is not indexed blocks', async () => {
    const one = of('python');
    one.write('late.py', 'def use(o):\n    return o.area()\n');
    expect(await one.plan('shop/base.py:def «area»(self, scale=1):\n        """', 'surface')).toMatchObject({
      kind: 'blocked',
      reason: 'not_fresh',
      files: [{ path: 'late.py', state: 'unindexed' }],
    });
    // A name that is confined to its file does not wait for others.
    expect(await one.plan('shop/base.py:helper(size, k=2):\n    return size + «k»', 'kk')).toMatchObject({
      kind: 'findings',
    });
  });
});

const go = {
  'go.mod': 'module example.com/shop\n\ngo 1.21\n',
  'shop.go': `package shop

import "fmt"

type Shape interface {
	Area() int
}

type Base struct {
	Size int \`json:"size"\`
}

func (b *Base) Area() int { return b.Size }

type Big struct {
	Base
	name string
}

func New(size int) *Big {
	big := &Big{Base: Base{Size: size}, name: "x"}
	big.Size = big.Base.Size + helper(size)
	return big
}

func Show(s Shape) { fmt.Println(s.Area()) }

func (b Big) String() string { return b.name }
`,
  'other.go': 'package shop\n\nconst limit = 3\n\nfunc helper(n int) int { return n + limit }\n',
  'cmd/main.go': `package main

import "example.com/shop"

type sq struct{ n int }

func (s sq) Area() int { return s.n }

func main() {
	b := shop.New(3)
	shop.Show(b)
	shop.Show(sq{n: 2})
	b.Size++
}
`,
};
const hasGo = hasTool('scip-go') && hasTool('go');

describe.skipIf(!hasGo)('Go (needs scip-go and go)', () => {
  beforeAll(async () => {
    renames.set('go', await openRenames(go, { semantic: true }));
  });

  test('the program builds, vets and says the same after every rename', async () => {
    const one = of('go');
    const check = (root: string) => `${run(root, 'go', ['vet', './...'])}${run(root, 'go', ['run', './cmd'])}`;
    const before = check(one.root);
    const cases = [
      ['shop.go:\t«Area»() int', 'Surface'],
      ['shop.go:type «Base» struct', 'Root'],
      ['shop.go:\t«Size» int', 'Dim'],
      ['other.go:func «helper»', 'assist'],
    ] as const;
    for (const [at, name] of cases) {
      const plan = await one.plan(at, name);
      expect(plan, at).toMatchObject({ kind: 'findings', items: [], clashes: [], counts: { unaccounted: 0 } });
      if (plan.kind === 'findings') expect(runEdited(one, plan, check), at).toBe(before);
    }
  });

  test('M3 an interface is renamed with all that implements it; an embedded type with its field', async () => {
    const from = await of('go').edits('cmd/main.go:) «Area»()', 'Surface');
    expect(from).toEqual(await of('go').edits('shop.go:\t«Area»() int', 'Surface'));
    expect(from).toHaveLength(4);
    expect(await of('go').edits('shop.go:\t«Base»\n', 'Root')).toHaveLength(6);
  });

  test('M4 M10 what a library asks for stays, and spelling may take a name away', async () => {
    expect(await of('go').plan('shop.go:) «String»()', 'Text')).toMatchObject({
      kind: 'refused',
      reason: 'external_family',
    });
    expect(await of('go').plan('shop.go:func «New»', 'make_')).toMatchObject({
      kind: 'refused',
      reason: 'bindings_change',
    });
    const clashes = async (at: string, name: string) => {
      const plan = await of('go').plan(at, name);
      return plan.kind === 'findings' ? plan.clashes.map(({ reason }) => reason) : [plan.kind];
    };
    expect(await clashes('other.go:func «helper»', 'Show')).toContain('collision');
    expect(await clashes('shop.go:\t«name» string', 'Size')).toContain('collision');
    expect(await clashes('other.go:const «limit»', 'fmt')).toContain('capture');
  });
});

const typescript = {
  'package.json': '{"name":"shop","private":true,"type":"module"}',
  'tsconfig.json':
    '{"compilerOptions":{"strict":true,"module":"nodenext","allowImportingTsExtensions":true,"noEmit":true,"lib":["esnext"]},"include":["src"]}',
  'src/a.ts': `export function total(x: number) { return x; }
export interface Item { price: number; note?: string }
export default function main() { return total(1); }
`,
  'src/index.ts': "export { total } from './a.ts';\n",
  'src/b.ts': `import { total } from './index.ts';
import type { Item } from './a.ts';
import * as a from './a.ts';
import main from './a.ts';
const price = 2;
const item: Item = { price };
function f({ price }: Item) { return price + total(a.total(3)); }
export const api = { total, f, main, item };
`,
  'src/c.ts': "import { total as sum } from './a.ts';\nexport const z = sum(1);\n",
};

describe('TypeScript without its compiler', () => {
  beforeAll(async () => {
    renames.set('typescript', await openRenames(typescript, { semantic: true }));
  });

  test('M11 M17 forms keep the binding of every untouched name, and nothing is called proven', async () => {
    const one = of('typescript');
    expect(await one.edits('src/a.ts:function «total»', 'grand')).toEqual([
      'src/a.ts:1:17 grand',
      'src/a.ts:3:41 grand',
      'src/b.ts:1:10 grand',
      'src/b.ts:7:46 grand',
      'src/b.ts:7:54 grand',
      'src/b.ts:8:22 total: grand',
      'src/c.ts:1:10 grand',
      'src/index.ts:1:10 grand',
    ]);
    expect(await one.edits('src/a.ts:{ «price»: number', 'cost')).toEqual([
      'src/a.ts:2:25 cost',
      'src/b.ts:6:22 cost: price',
      'src/b.ts:7:14 cost: price',
    ]);
    expect(await one.edits('src/a.ts:default function «main»', 'start')).toEqual(['src/a.ts:3:25 start']);
    expect(await one.plan('src/a.ts:function «total»', 'grand')).toMatchObject({ provenance: 'resolved' });
  });

  test('keep_local: importers keep their name, and who passes it on does so under the old one', async () => {
    expect(await of('typescript').edits('src/a.ts:function «total»', 'grand', { aliasPolicy: 'keep_local' })).toEqual([
      'src/a.ts:1:17 grand',
      'src/a.ts:3:41 grand',
      'src/b.ts:7:54 grand',
      'src/c.ts:1:10 grand',
      'src/index.ts:1:10 grand as total',
    ]);
  });
});

/** Which of the names marked `«a»` users of the package see. */
async function listPublic(marked: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const files = Object.fromEntries(Object.entries(marked).map(([path, text]) => [path, text.replace(/[«»]/g, '')]));
  const one = await openRenames(files, { semantic: true });
  try {
    const found: string[] = [];
    for (const [path, text] of Object.entries(marked))
      for (const [line, name = ''] of text.matchAll(/.*«(\w+)».*/g)) {
        const plan = await one.plan(`${path}:${line}`, /^[A-Z]/.test(name) ? 'Fresh' : 'fresh');
        if (plan.kind !== 'findings') throw new Error(`${path} ${name}: ${JSON.stringify(plan)}`);
        if (plan.publicAt.length > 0) found.push(name);
      }
    return found;
  } finally {
    await one.dispose();
  }
}

const library = {
  'pyproject.toml': '[project]\nname = "lib"\nversion = "1"\n[build-system]\nrequires = ["hatchling"]\n',
  'lib/__init__.py': '',
  'lib/base.py': `class «Shown»:
    def «method»(self, size):
        return size
    def «_own»(self):
        return 1
class _Hidden:
    def «inside»(self):
        return 2
def «function»(
    «keyword»=1):
    «local» = keyword
    return local
def «_private»(a):
    return a
print(Shown().method(1), Shown()._own(), _Hidden().inside(), function(keyword=2), _private(3))
`,
  'lib/_impl.py': 'def «helper»():\n    return 1\nprint(helper())\n',
  'tests/test_base.py': 'def «check»():\n    return 1\nprint(check())\n',
  'run.py': 'def «main»():\n    return 1\nprint(main())\n',
};

describe('what users of a package see is asked about (§2.6)', () => {
  test('in Python: what is distributed and not private by custom, and names of arguments', async () => {
    expect(await listPublic(library)).toEqual(['Shown', 'method', 'function', 'keyword']);
  });

  test.each([
    ['nothing builds a package of it', '[project]\nname = "lib"\nversion = "1"\n'],
    ['it must not be uploaded', `${library['pyproject.toml']}[tool.x]\nclassifiers = ["Private :: Do Not Upload"]\n`],
    ['it is no package', `${library['pyproject.toml']}[tool.uv]\npackage = false\n`],
  ])('in Python: nothing where %s', async (_, manifest) => {
    const files = { 'lib/__init__.py': '', 'lib/base.py': 'def «function»():\n    return 1\nprint(function())\n' };
    expect(await listPublic({ ...files, 'pyproject.toml': manifest })).toEqual([]);
  });

  test('in Python: the module of a project that is one file', async () => {
    const files = {
      'setup.py': 'from setuptools import setup\nsetup(name="one", py_modules=["one"])\n',
      'one.py': 'def «function»():\n    return 1\nprint(function())\n',
      'other.py': 'def «elsewhere»():\n    return 1\nprint(elsewhere())\n',
    };
    expect(await listPublic(files)).toEqual(['function']);
  });

  test.skipIf(!hasGo)('in Go: what other modules can import (needs scip-go and go)', async () => {
    const files = {
      'go.mod': 'module example.com/lib\n\ngo 1.21\n',
      'lib.go': `package lib

type «Shape» struct {
	«Size» int
	«depth» int
}

func (s Shape) «Area»() int { return s.Size + s.depth }

func «helper»() int { return 1 }

var Total = helper()
`,
      'internal/in/in.go': 'package in\n\nfunc «Inside»() int { return 1 }\n',
      'cmd/tool/main.go': 'package main\n\nfunc «Run»() int { return 1 }\n\nfunc main() { Run() }\n',
    };
    expect(await listPublic(files)).toEqual(['Shape', 'Size', 'Area']);
    expect(await listPublic({ ...files, 'go.mod': 'module lib\n\ngo 1.21\n' })).toEqual([]);
  });

  test('the plan asks, says what the request said, and does not pretend to keep the name', async () => {
    const repo = createFixtureRepo({
      'pyproject.toml': library['pyproject.toml'],
      'lib/__init__.py': '',
      'lib/base.py': 'def function():\n    return 1\nprint(function())\n',
    });
    try {
      const ask = async (...argv: string[]) =>
        JSON.parse((await runCli([...argv, '--json'], { cwd: repo.root, home: repo.home })).stdout) as Answer;
      await ask('index', '--semantic');
      const renameTo = (...argv: string[]) => ask('rename', 'lib/base.py:1:5', 'fresh', ...argv);
      const asked = await renameTo();
      expect(asked).toMatchObject({ outcome: { kind: 'needs_decision' } });
      expect(JSON.stringify(asked)).toMatch(/users of the package see this name \(1 declaration\)/);
      expect(await renameTo('--public-names', 'rename')).toMatchObject({ outcome: { kind: 'ok' } });
      expect(await renameTo('--public-names', 'keep')).toMatchObject({
        outcome: { kind: 'unsupported', reason: 'operation' },
      });
    } finally {
      repo.dispose();
    }
  });
});

type Answer = { readonly outcome: unknown };
