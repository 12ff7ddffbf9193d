/**
 * P9 What lies in a tree is not believed: a ledger, an index, a cache or a published context that came with it. Each is planted here as an
 * attacker would, from what the program itself makes of the same tree.
 */

import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, test } from 'vitest';
import { createMcpHttpHandler } from '../../src/serve/mcp/http-handler.ts';
import { startTestDaemon } from '../support/daemon-world.ts';
import { createFixtureRepo, type FixtureRepo } from '../support/fixture-repo.ts';
import { contextFile } from '../support/hostile.ts';
import { connectHttp } from '../support/mcp-clients.ts';
import { runCli } from '../support/run-cli.ts';

const project = {
  'tsconfig.json': JSON.stringify({
    compilerOptions: { strict: true, noEmit: true, lib: ['esnext'], module: 'esnext', types: [] },
  }),
  'src/a.ts': 'export function add(a: number, b: number): number {\n  return a + b;\n}\n',
  'src/b.ts': "import { add } from './a';\nconsole.log(add(1, 2));\n",
};

let repo: FixtureRepo;
afterEach(() => repo.dispose());

const cli = (...argv: string[]) => runCli(argv, { cwd: repo.root, home: repo.home });
const read = (path: string) => readFileSync(join(repo.root, path), 'utf8');

const trigger = `CREATE TRIGGER planted AFTER INSERT ON plan_edits
  BEGIN UPDATE plan_edits SET new_text = 'sum(); evil' WHERE plan_id = NEW.plan_id; END`;

function plantTrigger(ledger: string): void {
  const db = new DatabaseSync(ledger);
  db.exec(trigger);
  db.close();
}

/** What this program keeps of the tree, moved to where older versions had it. */
function moveIntoTree(): void {
  mkdirSync(join(repo.root, '.codegenie'), { recursive: true });
  for (const name of ['state', 'run'])
    cpSync(join(repo.stateDir, name), join(repo.root, '.codegenie', name), { recursive: true });
  for (const name of ['index', 'cache'])
    if (existsSync(join(repo.cacheDir, name)))
      cpSync(join(repo.cacheDir, name), join(repo.root, '.codegenie', name), { recursive: true });
  renameSync(repo.stateDir, join(repo.base, 'old-state'));
  renameSync(repo.cacheDir, join(repo.base, 'old-cache'));
}

test('P9 a ledger in the tree with a trigger changes nothing of a rename that is applied', async () => {
  repo = createFixtureRepo(project);
  expect((await cli('rename', 'src/a.ts:1:17', 'other')).code).toBe(0);
  moveIntoTree();
  plantTrigger(join(repo.root, '.codegenie/state/ledger.db'));
  repo.git('add', '-A', '-f');
  const applied = await cli('rename', 'src/a.ts:1:17', 'sum', '--apply');
  expect(applied.code, applied.stdout + applied.stderr).toBe(0);
  expect(read('src/a.ts')).toBe(project['src/a.ts'].replace('add', 'sum'));
  expect(read('src/b.ts')).toBe(project['src/b.ts'].replaceAll('add', 'sum'));
});

test("P9 a ledger of the user's own that holds a trigger is refused by name, and nothing is written", async () => {
  repo = createFixtureRepo(project);
  expect((await cli('rename', 'src/a.ts:1:17', 'other')).code).toBe(0);
  plantTrigger(join(repo.stateDir, 'state/ledger.db'));
  const refused = await cli('rename', 'src/a.ts:1:17', 'sum', '--apply');
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain('trigger planted');
  expect(read('src/a.ts')).toBe(project['src/a.ts']);
});

test('P9 an index in the tree is not asked: what it invents is not found, what it hides is', async () => {
  repo = createFixtureRepo(project);
  expect((await cli('index')).code).toBe(0);
  moveIntoTree();
  const db = new DatabaseSync(join(repo.root, '.codegenie/index/facts-1.db'));
  const planted = "UPDATE syn_symbols SET name = 'phantom', name_fold = 'phantom' WHERE name = 'add'";
  expect(db.prepare(planted).run().changes).toBe(1);
  db.close();
  const found = await cli('symbols', 'phantom', '--json');
  expect(JSON.parse(found.stdout)).toMatchObject({ count: { value: 0 } });
  const there = await cli('symbols', 'add', '--json');
  expect(JSON.parse(there.stdout)).toMatchObject({ count: { value: 1 } });
});

test('P9 a context that was edited, or came with the tree, is not served as gathered', async () => {
  repo = createFixtureRepo({
    ...project,
    '.github/workflows/ci.yml': 'on: push\njobs: {a: {runs-on: x, steps: [{run: make}]}}\n',
  });
  await repo.publish({ only: ['ci'] });
  const honest = readFileSync(contextFile(repo), 'utf8');
  expect((await cli('report')).code).toBe(0);
  writeFileSync(contextFile(repo), honest.replace('github_actions', 'jenkins'));
  for (const argv of [['report'], ['report', '--explain', 'ci.provider'], ['facts', 'ci.provider', '--no-gather']]) {
    const ended = await cli(...argv);
    expect(ended, argv.join(' ')).toMatchObject({ code: 2, stderr: expect.stringContaining('was not gathered here') });
    expect(ended.stdout).not.toContain('jenkins');
  }
  // Another user, or this one on another machine, has not gathered it.
  writeFileSync(contextFile(repo), honest);
  expect((await cli('report')).code).toBe(0);
  renameSync(repo.stateDir, join(repo.base, 'gone'));
  expect(await cli('report')).toMatchObject({ code: 2, stderr: expect.stringContaining('was not gathered here') });
});

test('P9 nor over HTTP or to tools: neither the document nor the reports and artifacts beside it', async () => {
  repo = createFixtureRepo({
    ...project,
    '.github/workflows/ci.yml': 'on: push\njobs: {a: {runs-on: x, steps: [{run: make}]}}\n',
  });
  await repo.publish({ only: ['ci'] });
  const context = join(repo.root, '.codegenie/context');
  const forged = ['repo-context.yaml', 'CONTEXT_REPORT.md', 'CONTEXT_REPORT.html', 'raw/ci.json'];
  const daemon = await startTestDaemon(repo, { port: 0, mcp: createMcpHttpHandler });
  const client = await connectHttp(`http://127.0.0.1:${daemon.at.port}/mcp`, {
    authorization: `Bearer ${readFileSync(daemon.at.tokenFile ?? '', 'utf8').trim()}`,
    'x-codegenie-root': daemon.workspace().repo().root_hash,
  });
  const resource = (uri: string) =>
    client.client.readResource({ uri }).then(
      ({ contents }) => JSON.stringify(contents),
      (error: Error) => error.message,
    );
  const real = /github[ _-]actions/gi;
  const telling = (answers: readonly string[]) => answers.filter((answer) => answer.search(real) >= 0);
  const askAll = async () => [
    ...(await Promise.all(
      ['/v1/report', '/v1/facts?id=ci', '/v1/context/ci', '/v1/context/ci.provider', '/v1/context/envelope'].map(
        async (url) => (await daemon.http(url)).text,
      ),
    )),
    ...(await Promise.all(
      [{}, { section: 'ci' }, { facts: 'ci' }, { explain: 'ci.provider' }].map(async (args) =>
        JSON.stringify((await client.call('repo_context', args)).answer),
      ),
    )),
    await resource('codegenie://report'),
    await resource('codegenie://context/ci'),
  ];
  try {
    const told = telling(await askAll());
    expect(told.length).toBeGreaterThan(6);
    for (const name of forged) {
      const path = join(context, name);
      const honest = readFileSync(path, 'utf8');
      expect(honest, name).toMatch(real);
      writeFileSync(path, honest.replace(real, 'jenkins'));
      for (const answer of await askAll()) expect(answer, name).not.toContain('jenkins');
      writeFileSync(path, honest);
    }
    expect(telling(await askAll())).toHaveLength(told.length);
  } finally {
    await client.close();
    await daemon.stop();
  }
});

test('P9 a record and a context that fit each other do not pass the audit if they were not written here', async () => {
  repo = createFixtureRepo(project);
  await repo.publish({ only: ['ci', 'language_detection'] });
  expect((await cli('audit', 'verify')).code).toBe(0);
  const { sha256Hex } = await import('../../src/kernel/base/hash.ts');
  const before = readFileSync(contextFile(repo), 'utf8');
  const forged = before.replace('typescript', 'cobol');
  writeFileSync(contextFile(repo), forged);
  const runs = join(contextFile(repo), '../runs');
  const { readdirSync } = await import('node:fs');
  for (const name of readdirSync(runs)) {
    const record = readFileSync(join(runs, name), 'utf8');
    writeFileSync(join(runs, name), record.replace(sha256Hex(before), sha256Hex(forged)));
  }
  const audited = await cli('audit', 'verify');
  expect(audited.code).toBe(11);
  expect(audited.stdout).toMatch(/mismatch runs\//);
});

test('what is kept is listed, cleaned, and removed where the tree is gone', async () => {
  repo = createFixtureRepo(project);
  expect((await cli('index')).code).toBe(0);
  const listed = JSON.parse((await cli('state', '--json')).stdout) as { trees: readonly Record<string, unknown>[] };
  expect(listed.trees).toMatchObject([
    { root: repo.root, exists: true, state_dir: repo.stateDir, cache_dir: repo.cacheDir },
  ]);
  expect((await cli('clean')).stdout).toContain(`removed ${repo.cacheDir}/index`);
  expect([existsSync(join(repo.cacheDir, 'index')), existsSync(join(repo.stateDir, 'state'))]).toEqual([false, true]);
  expect((await cli('index')).code).toBe(0);
  renameSync(repo.root, join(repo.base, 'moved'));
  mkdirSync(repo.root);
  expect((await cli('clean', '--gone')).stdout).toBe('nothing to remove\n');
  renameSync(repo.root, join(repo.base, 'moved-too'));
  const away = await runCli(['clean', '--gone'], { cwd: repo.base, home: repo.home });
  expect(away.stdout).toContain(`removed ${repo.stateDir}`);
  expect([existsSync(repo.stateDir), existsSync(repo.cacheDir)]).toEqual([false, false]);
});
