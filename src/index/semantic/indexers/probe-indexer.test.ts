import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLogger } from '../../../kernel/base/log.ts';
import { createExecHost } from '../../../kernel/exec/exec-host.ts';
import { indexers } from '../../../languages/indexers/indexers.gen.ts';
import type { IndexerId } from '../../../languages/projects/context-spec.ts';
import { isBelow, probeIndexer } from './probe-indexer.ts';

let place: string;
let root: string;
beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'probe-')));
  root = join(place, 'root');
  mkdirSync(root);
});
afterEach(() => rmSync(place, { recursive: true }));

function plant(path: string, script: string): string {
  mkdirSync(dirname(join(place, path)), { recursive: true });
  writeFileSync(join(place, path), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return join(place, path);
}

type Places = {
  readonly path?: readonly string[];
  readonly tools?: Record<string, string>;
  readonly environment?: Record<string, string>;
  readonly contextRoot?: string;
};

function probe(id: IndexerId, { path = [], tools = {}, environment: more = {}, contextRoot = root }: Places = {}) {
  const entries = [...path.map((entry) => join(place, entry)), '/usr/bin', '/bin'];
  const environment = { PATH: entries.join(':'), HOME: place, ...more };
  const host = createExecHost({ root, environment, toolPaths: tools, logger: silentLogger });
  const exec = host.bind({ name: 'test', signal: new AbortController().signal, workspace: place });
  return probeIndexer(indexers[id], { host, exec, repoRoot: root, environment, contextRoot });
}

function plantGo(version = 'go1.26.8'): void {
  plant('go/bin/go', 'exit 1');
  writeFileSync(join(place, 'go/VERSION'), `${version}\n`);
}

test('a tool that is there: its path, its version, its build', async () => {
  plantGo();
  const tool = plant('bin/scip-go', 'echo 0.2.9');
  const found = await probe('scip-go', { path: ['go/bin'], tools: { 'scip-go': tool } });
  expect(found).toMatchObject({
    state: 'ok',
    detail: null,
    toolPath: tool,
    toolId: expect.stringMatching(/^scip-go@0\.2\.9\+[0-9a-f]{16}$/),
    environment: { GOROOT: join(place, 'go'), GOVERSION: 'go1.26.8' },
  });
});

test('our own dependencies are found without anything on PATH', async () => {
  expect(await probe('scip-typescript')).toMatchObject({
    state: 'ok',
    toolId: expect.stringMatching(/^scip-typescript@\d+\.\d+\.\d+\+[0-9a-f]{16}$/),
    environment: {},
  });
});

test('a tool that is missing comes with how to install it, one that is misconfigured with why', async () => {
  expect(await probe('scip-go')).toMatchObject({
    state: 'missing_tool',
    detail: 'Install the Go module (go install github.com/scip-code/scip-go/cmd/scip-go@latest).',
    toolPath: null,
    toolId: null,
  });
  const wrong = await probe('scip-go', { tools: { 'scip-go': '/nowhere' } });
  expect(wrong.detail).toMatch(/^tools\.scip-go\.path is not an executable file\. Install/);
});

test('G6 a binary inside the analysed repository is never the tool', async () => {
  plantGo();
  const planted = plant('root/bin/scip-go', 'echo 9.9.9');
  const onPath = await probe('scip-go', { path: ['root/bin', 'go/bin'] });
  const configured = await probe('scip-go', { path: ['go/bin'], tools: { 'scip-go': planted } });
  expect([onPath.state, configured.state]).toEqual(['missing_tool', 'missing_tool']);
  expect(configured.detail).toMatch('inside the analysed repository');
});

test('a version below the floor, and a tool that does not answer', async () => {
  plantGo();
  const old = plant('bin/old', 'echo scip-go 0.0.9');
  expect(await probe('scip-go', { path: ['go/bin'], tools: { 'scip-go': old } })).toMatchObject({
    state: 'bad_version',
    detail: expect.stringMatching(/^scip-go 0\.0\.9 is older than 0\.1\.0\. Install/),
  });
  const mute = plant('bin/mute', 'exit 1');
  expect(await probe('scip-go', { path: ['go/bin'], tools: { 'scip-go': mute } })).toMatchObject({
    state: 'missing_tool',
    detail: expect.stringMatching('does not say its version'),
  });
});

test('a tool without its SDK is not there', async () => {
  const tool = plant('bin/scip-go', 'echo 0.2.9');
  expect(await probe('scip-go', { tools: { 'scip-go': tool } })).toMatchObject({
    state: 'missing_tool',
    detail: expect.stringMatching('go is not on PATH'),
  });
});

test.each<IndexerId>(['scip-java', 'scip-clang', 'scip-dotnet'])(
  'R18 %s, which runs code of the repository, is refused without a sandbox',
  async (id) => {
    const tool = plant('bin/tool', 'echo 9.9.9');
    plant('sdk/bin/java', '');
    plant('sdk/bin/dotnet', '');
    const places = { path: ['sdk/bin'], tools: { [id]: tool, bwrap: '/nowhere/bwrap' } };
    expect(await probe(id, places)).toMatchObject({
      state: 'sandbox_missing',
      detail: expect.stringMatching(/runs code of the repository.*bubblewrap/),
    });
  },
);

test('the environment hash follows interpreter, version and what is passed on, and nothing else', async () => {
  plantGo();
  const tool = plant('bin/scip-go', 'echo 0.2.9');
  const hash = async (environment = {}) =>
    (await probe('scip-go', { path: ['go/bin'], tools: { 'scip-go': tool }, environment })).envHash;
  const before = await hash();
  expect(await hash({ EDITOR: 'vi', GOFLAGS: '-mod=mod' })).toBe(before);
  expect(await hash({ GOOS: 'windows' })).not.toBe(before);
  plantGo('go1.27.0');
  expect(await hash()).not.toBe(before);
});

test('what is installed beside a TypeScript project, or at the root, is part of its environment', async () => {
  const hash = async (contextRoot = root) => (await probe('scip-typescript', { contextRoot })).envHash;
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const seen = [await hash()];
  const expectAnother = (now: string) => {
    expect(seen).not.toContain(now);
    seen.push(now);
  };
  write('node_modules/.package-lock.json', '{}');
  expectAnother(await hash());
  write('node_modules/.package-lock.json', '{ }');
  expectAnother(await hash());
  utimesSync(join(root, 'node_modules/.package-lock.json'), 1, 1);
  expectAnother(await hash());
  write('node_modules/some/index.d.ts', '');
  expect(await hash()).toBe(seen.at(-1));
  const app = join(root, 'packages/app');
  write('packages/app/node_modules/.modules.yaml', '');
  expect(await hash()).toBe(seen.at(-1));
  expectAnother(await hash(app));
  // What a link leads to is not looked at, the link is.
  mkdirSync(join(place, 'elsewhere'));
  rmSync(join(app, 'node_modules'), { recursive: true });
  symlinkSync(join(place, 'elsewhere'), join(app, 'node_modules'));
  expectAnother(await hash(app));
  writeFileSync(join(place, 'elsewhere/.modules.yaml'), '');
  expect(await hash(app)).toBe(seen.at(-1));
});

test('versions are compared by number', () => {
  expect([isBelow('0.10.0', '0.9.9'), isBelow('0.9.9', '0.10.0'), isBelow('1.0.0', '1.0.0')]).toEqual([
    false,
    true,
    false,
  ]);
  expect([isBelow('1.2.0-rc.1', '1.2.0'), isBelow('blake3:12ab34cd', '0.1.0')]).toEqual([false, true]);
});
