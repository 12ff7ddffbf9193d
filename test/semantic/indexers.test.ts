/** The real indexers on small trees, in the sandbox and without one: what they say, and that they leave the tree as it was. */

import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeJobDir, removeJobDir } from '../../src/index/semantic/indexers/job-dir.ts';
import { probeIndexer } from '../../src/index/semantic/indexers/probe-indexer.ts';
import { type IndexerRun, runIndexer } from '../../src/index/semantic/indexers/run-indexer.ts';
import { sha256Hex } from '../../src/kernel/base/hash.ts';
import { silentLogger } from '../../src/kernel/base/log.ts';
import { createExecHost } from '../../src/kernel/exec/exec-host.ts';
import { resolveTool } from '../../src/kernel/exec/resolve-tool.ts';
import { findTool, type ToolName } from '../../src/kernel/exec/tools.ts';
import { readScip } from '../../src/kernel/formats/read-scip.ts';
import type { IndexerContext } from '../../src/languages/indexers/indexer-adapter.ts';
import { indexers } from '../../src/languages/indexers/indexers.gen.ts';
import type { IndexerId } from '../../src/languages/projects/context-spec.ts';

const pathEntries = (process.env['PATH'] ?? '').split(':').filter((entry) => entry !== '' && existsSync(entry));
const hasTool = (name: ToolName) => {
  const tool = findTool(name);
  return (
    tool !== undefined && resolveTool(name, tool, { root: '/nowhere', toolPaths: {}, pathEntries }).kind === 'found'
  );
};
const hasBwrap = process.platform === 'linux' && hasTool('bwrap');
const hasGo = hasTool('scip-go') && pathEntries.some((entry) => existsSync(join(entry, 'go')));
const hasRust = hasTool('rust-analyzer');

let place: string;
let root: string;
const sentinel = () => join(place, 'sentinel');

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'indexers-')));
  root = join(place, 'root');
  mkdirSync(root);
});
afterEach(() => rmSync(place, { recursive: true }));

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

/** Programs that an indexer might start on the way: first on PATH, each would leave a mark. */
function plantTraps(): string {
  const traps = join(place, 'traps');
  mkdirSync(traps);
  for (const name of ['git', 'python', 'python3', 'pip', 'pip3', 'npm', 'yarn', 'pnpm', 'cc', 'gcc', 'rustup']) {
    writeFileSync(join(traps, name), `#!/bin/sh\ntouch ${sentinel()}\nexit 1\n`, { mode: 0o755 });
  }
  return traps;
}

/** Every name, type, mode, time and byte of the tree. */
function fingerprintTree(): string {
  const seen: string[] = [];
  const pending = [root];
  for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      const path = join(directory, entry.name);
      const { mode, mtimeMs } = statSync(path);
      seen.push([path, mode, mtimeMs, entry.isFile() ? sha256Hex(readFileSync(path)) : ''].join(' '));
      if (entry.isDirectory()) pending.push(path);
    }
  }
  return sha256Hex(seen.sort().join('\n'));
}

type Found = { readonly run: IndexerRun; readonly documents: Readonly<Record<string, readonly string[]>> };

/** Root-relative path of each document → its symbols, each once; throws when the tree was touched or a trap was sprung. */
async function index(id: IndexerId, context: Partial<IndexerContext>, sandbox: boolean): Promise<Found> {
  const traps = existsSync(join(place, 'traps')) ? join(place, 'traps') : plantTraps();
  const environment = { PATH: [traps, ...pathEntries].join(':'), HOME: process.env['HOME'] };
  const toolPaths = sandbox ? {} : { bwrap: '/nowhere/bwrap' };
  const host = createExecHost({ root, environment, toolPaths, logger: silentLogger });
  const { signal } = new AbortController();
  const jobDir = makeJobDir({ root, environment, job: 'test' });
  try {
    const exec = host.bind({ name: 'test', signal, workspace: jobDir });
    const adapter = indexers[id];
    const probe = await probeIndexer(adapter, { host, exec, repoRoot: root, environment });
    expect(probe).toMatchObject({ state: 'ok', detail: null });
    // Asked for its version, in no repository, scip-go starts git all the same.
    rmSync(sentinel(), { force: true });
    const before = fingerprintTree();
    const about = { key: 'k', family: adapter.family, root: '', configPath: null, config: {}, members: [], ...context };
    const run = await runIndexer(adapter, about, { exec, repoRoot: root, jobDir, maxFileMb: 1, probe, signal });
    expect([fingerprintTree(), existsSync(sentinel())]).toEqual([before, false]);
    return { run, documents: run.kind === 'output' ? readDocuments(run) : {} };
  } finally {
    removeJobDir(jobDir);
  }
}

function readDocuments(run: Extract<IndexerRun, { kind: 'output' }>): Record<string, string[]> {
  const documents: Record<string, string[]> = {};
  const outcome = readScip(run.path, (part) => {
    if (part.kind !== 'document') return;
    const symbols = part.document.occurrences.map((occurrence) => occurrence.symbol);
    documents[posix.join(run.documentBase, part.document.relativePath)] = [...new Set(symbols)];
  });
  expect(outcome.kind).toBe('read');
  return documents;
}

const sandboxes = [['in the sandbox (needs bubblewrap)', true] as const, ['without a sandbox', false] as const].filter(
  ([, sandbox]) => hasBwrap || !sandbox,
);

const workspace = {
  'package.json': '{"name":"root","version":"1.0.0"}',
  'node_modules/@types/ambient/package.json': '{"name":"@types/ambient","version":"9.0.0","types":"index.d.ts"}',
  'node_modules/@types/ambient/index.d.ts': 'declare function ambient(): number;\n',
  'packages/a/package.json': '{"name":"@x/a","version":"1.2.3"}',
  'packages/a/tsconfig.json': '{"compilerOptions":{"composite":true,"module":"nodenext"},"include":["src"]}',
  'packages/a/src/a.ts': 'export function hello(n: number): string { return String(n + ambient()); }\n',
  'packages/b/package.json': '{"name":"@x/b","version":"0.0.1"}',
  'packages/b/tsconfig.json':
    '{"compilerOptions":{"module":"nodenext"},"include":["src"],"references":[{"path":"../a"}]}',
  'packages/b/tsconfig.test.json': '{"extends":"./tsconfig.json","files":["test/t.ts"],"include":[]}',
  'packages/b/src/b.ts': "import { hello } from '../../a/src/a.js';\nexport const x = hello(1);\n",
  'packages/b/test/t.ts': "import { x } from '../src/b.js';\nimport './reached.js';\nx;\n",
  'packages/b/test/reached.ts': 'export const reached = 1;\n',
};

describe.each(sandboxes)('%s', (_, sandbox) => {
  test('R18 scip-typescript: a project, its types from above, its references left to their own contexts', async () => {
    write(workspace);
    const a = await index(
      'scip-typescript',
      { root: 'packages/a', configPath: 'packages/a/tsconfig.json', members: ['packages/a/src/a.ts'] },
      sandbox,
    );
    expect(Object.keys(a.documents)).toEqual(['packages/a/src/a.ts']);
    expect(a.documents['packages/a/src/a.ts']).toContain(
      'scip-typescript npm @types/ambient 9.0.0 `index.d.ts`/ambient().',
    );
    const b = await index(
      'scip-typescript',
      { root: 'packages/b', configPath: 'packages/b/tsconfig.json', members: ['packages/b/src/b.ts'] },
      sandbox,
    );
    expect(Object.keys(b.documents)).toEqual(['packages/b/src/b.ts']);
    expect(b.documents['packages/b/src/b.ts']).toContain('scip-typescript npm @x/a 1.2.3 src/`a.ts`/hello().');
  });

  test('R18 scip-typescript: a config of another name, and members that only imports bring in', async () => {
    write(workspace);
    const members = ['packages/b/test/reached.ts', 'packages/b/test/t.ts'];
    const { documents } = await index(
      'scip-typescript',
      { root: 'packages/b', configPath: 'packages/b/tsconfig.test.json', members },
      sandbox,
    );
    expect(Object.keys(documents).sort()).toEqual(members);
  });

  test('R18 scip-typescript: files without any configuration', async () => {
    write(workspace);
    write({ 'loose/m.js': 'exports.f = () => ambient();\n', 'loose/u.jsx': "const m = require('./m');\nm.f();\n" });
    const { documents } = await index(
      'scip-typescript',
      { root: 'loose', members: ['loose/m.js', 'loose/u.jsx'] },
      sandbox,
    );
    expect(Object.keys(documents).sort()).toEqual(['loose/m.js', 'loose/u.jsx']);
    expect(documents['loose/m.js']).toContain('scip-typescript npm @types/ambient 9.0.0 `index.d.ts`/ambient().');
    expect(existsSync(join(root, 'loose/tsconfig.json'))).toBe(false);
  });

  test('R18 scip-typescript: what cannot be indexed is told from a project that is wrong', async () => {
    write({ 'tsconfig.json': '{"compilerOptions":{"module":"nothing"}}', 'x.ts': 'export const x = 1;\n' });
    const wrong = await index('scip-typescript', { configPath: 'tsconfig.json', members: ['x.ts'] }, sandbox);
    expect(wrong.run).toMatchObject({
      kind: 'failed',
      failure: 'config_error',
      detail: expect.stringMatching('error TS'),
    });
    write({ 'tsconfig.json': '{}', 'x.ts': `export const x = 1;\n${'// filler\n'.repeat(120_000)}` });
    const large = await index('scip-typescript', { configPath: 'tsconfig.json', members: ['x.ts'] }, sandbox);
    expect(large.run).toMatchObject({
      kind: 'failed',
      failure: 'no_output',
      detail: expect.stringMatching('no files got indexed'),
    });
  });

  test('R18 scip-typescript: a root that is no regular expression', async () => {
    root = join(place, 'c++ (x');
    mkdirSync(root);
    write({ 'tsconfig.json': '{"compilerOptions":{"module":"nodenext"}}', 'src/a.ts': 'export const a = 1;\n' });
    write({ 'src/b.ts': "import { a } from './a.js';\nexport const b = a;\n", 'package.json': '{"name":"p"}' });
    const members = ['src/a.ts', 'src/b.ts'];
    const { documents } = await index('scip-typescript', { configPath: 'tsconfig.json', members }, sandbox);
    expect(Object.keys(documents).sort()).toEqual(members);
    expect(documents['src/b.ts']).toContain('scip-typescript npm p HEAD src/`a.ts`/a.');
  });

  test('R18 scip-python: modules have one name, nothing of the repository or the machine is started', async () => {
    write({
      'svc/pyproject.toml': '[project]\nname = "demo"\n[tool.pyright]\ninclude = ["nowhere"]\n',
      'svc/src/lib/__init__.py': '',
      'svc/src/lib/core.py':
        'import os\n\n\nclass A:\n    def thing(self) -> str:\n        return os.path.join("é😀", "b")\n',
      'svc/tests/test_core.py': 'from lib.core import A\n\nA().thing()\n',
      'svc/json.py': `open(${JSON.stringify(sentinel())}, "w")\n`,
      'svc/.hidden/h.py': 'x = 1\n',
      'svc/nested/other.py': 'y = 1\n',
    });
    const members = ['.hidden/h.py', 'json.py', 'src/lib/core.py', 'tests/test_core.py'].map((path) => `svc/${path}`);
    const config = { name: 'demo', extraPaths: [] };
    const { documents } = await index(
      'scip-python',
      { root: 'svc', configPath: 'svc/pyproject.toml', config, members },
      sandbox,
    );
    expect(Object.keys(documents).sort()).toEqual(members);
    expect(documents['svc/tests/test_core.py']).toContain('scip-python python demo 0 `lib.core`/A#thing().');
    expect(documents['svc/src/lib/core.py']).toContain('scip-python python demo 0 `lib.core`/A#thing().');
  });

  test.skipIf(!hasGo)(
    'R18 scip-go: a module and a workspace, without git and without the network (needs scip-go)',
    async () => {
      write({
        'one/go.mod': 'module ex.com/one\n\ngo 1.21\n',
        'one/one.go': 'package one\n\n// One is 1.\nfunc One() int { return 1 }\n',
        'two/go.mod': 'module ex.com/two\n\ngo 1.21\n\nrequire github.com/nobody/nothing v1.0.0\n',
        'two/two.go':
          'package two\n\nimport (\n\t"ex.com/one"\n\t"github.com/nobody/nothing"\n)\n\nfunc Two() int { return one.One() + nothing.X }\n',
      });
      const lone = await index(
        'scip-go',
        { root: 'one', configPath: 'one/go.mod', config: { module: 'ex.com/one' }, members: ['one/one.go'] },
        sandbox,
      );
      expect(lone.documents['one/one.go']).toContain('scip-go gomod ex.com/one v0 `ex.com/one`/One().');
      write({ 'go.work': 'go 1.21\n\nuse (\n\t./one\n\t./two\n)\n' });
      const modules = ['one', 'two'].map((dir) => ({ dir, path: `ex.com/${dir}` }));
      const both = await index(
        'scip-go',
        { configPath: 'go.work', config: { modules }, members: ['one/one.go', 'two/two.go'] },
        sandbox,
      );
      expect(Object.keys(both.documents).sort()).toEqual(['one/one.go', 'two/two.go']);
      expect(both.documents['two/two.go']).toContain('scip-go gomod ex.com/one v0 `ex.com/one`/One().');
    },
  );

  test.skipIf(!hasGo)(
    'scip-go: a module that wants a newer Go is a project that is wrong (needs scip-go)',
    async () => {
      write({ 'go.mod': 'module ex.com/new\n\ngo 1.999\n', 'a.go': 'package a\n' });
      const { run } = await index(
        'scip-go',
        { configPath: 'go.mod', config: { module: 'ex.com/new' }, members: ['a.go'] },
        sandbox,
      );
      expect(run).toMatchObject({ kind: 'failed', failure: 'config_error' });
    },
  );

  test.skipIf(!hasRust)(
    'R18 rust-analyzer: no build script, no wrapper, no lockfile (needs rust-analyzer)',
    async () => {
      const mark = JSON.stringify(sentinel());
      write({
        'Cargo.toml': '[package]\nname = "demo"\nversion = "0.1.0"\nedition = "2021"\n',
        'build.rs': `fn main() { std::fs::write(${mark}, "x").unwrap(); }\n`,
        'wrapper.sh': `#!/bin/sh\ntouch ${sentinel()}\nexec "$@"\n`,
        '.cargo/config.toml': `[build]\nrustc-wrapper = "${root}/wrapper.sh"\n`,
        'src/main.rs': 'mod util;\n\nfn main() {\n    util::twice(2);\n}\n',
        'src/util.rs': 'pub fn twice(n: i32) -> i32 {\n    n * 2\n}\n',
      });
      chmodSync(join(root, 'wrapper.sh'), 0o755);
      const members = ['build.rs', 'src/main.rs', 'src/util.rs'];
      const { documents } = await index('rust-analyzer', { configPath: 'Cargo.toml', members }, sandbox);
      expect(Object.keys(documents).sort()).toEqual(members);
      expect(documents['src/main.rs']).toContain('rust-analyzer cargo demo 0.1.0 util/twice().');
    },
  );
});
