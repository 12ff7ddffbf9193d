/**
 * Index → store → back: what real indexers say about small programs is in the store, occurrence by occurrence. Byte ranges are worked out
 * here a second time, the slow way.
 */

import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { checkInvariants } from '../../src/index/store/invariants.ts';
import { listItemsOfFile } from '../../src/index/store/stored-items.ts';
import { listOccurrencesOfFile } from '../../src/index/store/stored-occurrences.ts';
import { readScip } from '../../src/kernel/formats/read-scip.ts';
import type { ScipDocument } from '../../src/kernel/formats/scip.ts';
import type { Family } from '../../src/languages/projects/context-spec.ts';
import { createImportedTree, type ImportedTree } from '../support/imported-tree.ts';

const require = createRequire(import.meta.url);
let tree: ImportedTree | undefined;
afterEach(async () => {
  await tree?.dispose();
  tree = undefined;
});

const typescriptFiles = {
  'package.json': '{"name": "fixture", "version": "1.2.3"}',
  'tsconfig.json':
    '{"compilerOptions": {"target": "es2022", "module": "esnext", "moduleResolution": "bundler", "jsx": "preserve", "strict": true, "types": []}, "include": ["src", "inner"]}',
  'inner/package.json': '{"private": true}',
  'inner/x.ts': 'export const innerThing = 1;\nexport default class { m() {} }\n',
  'src/a.ts': `export default function foo() { return 1 }
export const bar = 1, baz = { x: 1, 'quoted-key': 2, ["computed"]: 3, nested: { deep: 1 } };
export class K {
  #priv = 1;
  constructor(public p: number) { this.#priv = p; }
  get acc() { return this.#priv }
  set acc(v) { this.#priv = v }
  'quoted method'() { return new.target }
  over(a: string): void;
  over(a: number): void;
  over(a: unknown) {}
}
export class L extends K { constructor() { super(1); } override over(a: unknown) {} }
export enum E { A, 'C-D' = 3 }
export interface I { prop: string; 'str-prop': number }
export interface I { merged: 1 }
export namespace N { export const n = 1; export type T<U> = U }
export { bar as renamedBar, K as default2 };
export function destr({ x, y: yy, ...rest }: { x: 1; y: 2; z: 3 }) { return { x, yy, rest } }
`,
  'src/b.ts': `import foo, { bar as barAlias, K, E as Enum, default2, type I } from './a';
import * as ns from './a';
import def2, { innerThing as it2, default as Def3 } from '../inner/x';
export * as star from './a';
export { default as fooAgain, bar as barAgain } from './a';
foo(); barAlias; new K(1); new ns.K(1); Enum.A; Enum['C-D']; Enum['A']; new def2().m(); it2; new Def3();
const { bar: barD, ...others } = ns; barD; others; ns.renamedBar;
const k = new default2(1); k.acc = 2; k['quoted method'](); k['acc'];
const o: I = { prop: '', 'str-prop': 1, merged: 1 }; o['str-prop'];
let 变量 = '😀' + k.p; 变量 += 'é';
`,
  'src/c.tsx': `import * as UI from './ui';
declare global { namespace JSX { interface IntrinsicElements { 'my-el': { 'data-x'?: string } } interface Element {} } }
export const App = () => <my-el data-x="b"><UI.Button label="x" /></my-el>;
`,
  'src/ui.tsx': 'export function Button(props: { label: string }) { return null as never }\n',
  'src/bom.ts': '\ufeffexport const bom = 1;\r\nexport const after = bom;\r\n',
  'src/empty.ts': '',
};

const pythonFiles = {
  'pyproject.toml': '[project]\nname = "my-proj"\nversion = "0.1.0"\n',
  'pkg/__init__.py': 'from .core import Base as B, helper\nfrom . import core\nimport os.path, sys as system\n',
  'pkg/core.py': `from typing import Generic, TypeVar, List as L
T = TypeVar('T')
class Base(Generic[T]):
    attr: int = 1
    def __init__(self, x: int, *args, key=None):
        self.x = x
    @property
    def prop(self): return self.x
    @prop.setter
    def prop(self, v): self.x = v
class Child(Base[int]):
    def __init__(self): super().__init__(1)
def helper(a, b: 'Base' = None):
    lam = lambda q: q + 1
    return [z for z in range(3)], (
        lam
    )
x: L[int] = []
变量 = '😀'; y = 变量
print(__name__)
`,
  'pkg/sub/__init__.py': '',
  'pkg/sub/deep.py': `from ..core import Child, Base
import pkg.core as pc
c = Child(); c.x; c.prop; pc.Base(1)
`,
  'pkg/bom.py': '\ufeffbom = 1\r\nafter = bom\r\n',
};

const goFiles = {
  'go.mod': 'module example.com/fix\n\ngo 1.21\n',
  'a.go': `package fix

import (
	"fmt"
	str "strings"

	"example.com/fix/inner"
)

type Base struct {
	Name string
	inner.Emb
}

func (b *Base) Do(x int) (res error) { b.Name = "x"; b.Field++; return nil }
func New[T any](v T) string { return fmt.Sprint(v, str.ToUpper("x"), inner.Func(2)) }
func init() {}
func main() {
	变量 := "😀"; _ = 变量
	b := Base{Name: "n", Emb: inner.Emb{Field: 1}}
	_ = b
}
`,
  'inner/i.go': 'package inner\n\ntype Emb struct{ Field int }\n\nfunc Func(a int) int { return a }\n',
};

describe('what an indexer says is what the store answers', () => {
  test('scip-typescript', async () => {
    const script = require.resolve('@sourcegraph/scip-typescript/dist/src/main.js');
    const items = await check('typescript', typescriptFiles, /\.tsx?$/, 2, (root, output) => {
      run(process.execPath, [script, 'index', '--cwd', root, '--output', output, '--no-progress-bar'], root);
    });
    expect(items).toEqual([]);
  });

  test('scip-python', async () => {
    const script = require.resolve('@sourcegraph/scip-python/index.js');
    const items = await check('python', pythonFiles, /\.py$/, 2, (root, output) => {
      const environment = `${output}.json`;
      writeFileSync(environment, '[]');
      const named = ['--project-name', 'my-proj', '--project-version', '0.1.0', '--environment', environment];
      run(process.execPath, [script, 'index', '--cwd', root, ...named, '--output', output], root);
    });
    expect(items).toEqual([]);
  });

  const scipGo = ['/tmp/gobin/scip-go', join(homedir(), 'go/bin/scip-go')].find(existsSync);
  test.skipIf(scipGo === undefined)('scip-go (skipped where scip-go is missing)', async () => {
    const items = await check('go', goFiles, /\.go$/, 1, (root, output) => {
      run(scipGo ?? '', ['--output', output], root, '/usr/local/go/bin');
    });
    expect(items).toEqual([]);
  });
});

async function check(
  family: Family,
  files: Readonly<Record<string, string>>,
  isMember: RegExp,
  encoding: 1 | 2,
  index: (root: string, output: string) => void,
) {
  tree = createImportedTree(files);
  const output = join(tree.base, 'real.scip');
  index(tree.root, output);
  const members = Object.keys(files).filter((path) => isMember.test(path));
  const context = await tree.putContext(family, members);
  const outcome = await tree.importOutput({ context, output, encoding });
  expect(outcome).toEqual({ kind: 'committed', accepted: members.length, rejected: 0, moved: [] });
  const { facts } = await tree.session();
  expect(facts.read(checkInvariants)).toEqual([]);
  const documents: ScipDocument[] = [];
  expect(readScip(output, (part) => part.kind === 'document' && documents.push(part.document))).toMatchObject({
    kind: 'read',
  });
  /** One key for a symbol, one symbol for a key. */
  const keys = new Map<string, string>();
  for (const document of documents.filter(({ relativePath }) => members.includes(relativePath))) {
    const path = document.relativePath;
    const stored = facts.read((session) => listOccurrencesOfFile(session, path));
    const bytes = Buffer.from(files[path] ?? '');
    const said = new Map<string, number>();
    for (const { range, symbol, roles } of document.occurrences) {
      const [start, end] = slowRange(bytes, range, document.positionEncoding || encoding, family);
      const spelled = symbol.startsWith('local ') ? `${path} ${symbol}` : meant(symbol, bytes, start, end, path);
      const place = `${start}:${end} ${spelled}`;
      said.set(place, (said.get(place) ?? 0) | roles);
    }
    const spellings = new Map([...keys].map(([spelled, key]) => [key, spelled]));
    expect(stored.length).toBe(said.size);
    for (const [place, roles] of said) {
      const [span = '', ...rest] = place.split(' ');
      const spelled = rest.join(' ');
      const at = stored.filter((row) => `${row.start}:${row.end}` === span && row.roles === roles);
      const known = keys.get(spelled);
      const row = at.find(({ key }) => (known === undefined ? !spellings.has(key) : key === known));
      expect(row, `${path} ${place}`).toBeDefined();
      keys.set(spelled, row?.key ?? '');
      spellings.set(row?.key ?? '', spelled);
      const text = bytes.toString('utf8', row?.start, row?.end);
      if (row?.form === 'name') expect(text).toBe(row.name);
      if (row?.form === 'string') expect(text.replace(/^['"]|['"]$/g, '')).toBe(row.name);
    }
  }
  return facts.read((session) => members.flatMap((path) => listItemsOfFile(session, path)));
}

/** Narrowed as scip-python's node ranges are. */
function slowRange(bytes: Buffer, range: readonly number[], encoding: number, family: Family): [number, number] {
  const bom = bytes.subarray(0, 3).equals(Buffer.from('\ufeff')) ? 3 : 0;
  const text = bytes.subarray(bom).toString('utf8');
  const lines = text.split('\n');
  const at = (line: number, column: number): number => {
    const before = lines.slice(0, line).join('\n') + (line > 0 ? '\n' : '');
    const here = lines[line] ?? '';
    // scip-python counts the BOM.
    const own = family === 'python' && line === 0 && column > 0 && bom > 0 ? column - 1 : column;
    const columnText = encoding === 1 ? Buffer.from(here).subarray(0, own).toString('utf8') : here.slice(0, own);
    return bom + Buffer.byteLength(before + columnText);
  };
  const [line = 0, column = 0, third = 0, fourth = 0] = range;
  const start = at(line, column);
  const end = range.length === 3 ? at(line, third) : at(third, fourth);
  const written = bytes.toString('utf8', start, end);
  const named = / as |^\(/.test(written) ? (/^[(\s]*([^\s()]+)/.exec(written)?.[1] ?? '') : written;
  const from = start + Buffer.byteLength(written.slice(0, written.indexOf(named)));
  return [from, from + Buffer.byteLength(named)];
}

/** scip-python leaves the dots of a relative import out of the module's name. */
function meant(symbol: string, bytes: Buffer, start: number, end: number, path: string): string {
  if (!symbol.endsWith(' core/__init__:')) return symbol;
  expect(bytes.toString('utf8', start, end), path).toMatch(/^\.*core$/);
  return symbol.replace(' core/', ' `pkg.core`/');
}

function run(command: string, args: readonly string[], cwd: string, path = ''): void {
  const env = { ...process.env, PATH: `${path}:${process.env['PATH']}`, GOPROXY: 'off', GOFLAGS: '-mod=mod' };
  execFileSync(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
}
