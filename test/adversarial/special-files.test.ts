/** Things in a tree that are no files, cannot be read, or are too many. Nothing blocks, nothing is opened that must not be. */

import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { probes } from '../../src/probes/registry.gen.ts';
import { echoProbe } from '../support/engine-probes.ts';
import { createFixtureRepo, type FixtureRepo } from '../support/fixture-repo.ts';
import { runCli } from '../support/run-cli.ts';
import { hasTool } from '../support/tools.ts';

let repo: FixtureRepo | undefined;
let server: Server | undefined;
afterEach(() => {
  server?.close();
  server = undefined;
  repo?.dispose();
});

const isRoot = process.getuid?.() === 0;
const special = [
  'package.json',
  'tsconfig.json',
  'Dockerfile',
  'README.md',
  'src/a.ts',
  '.github/workflows/ci.yml',
  'CODEOWNERS',
  '.nvmrc',
  '.gitignore',
  '.cplignore',
];

function fifo(path: string): void {
  expect(spawnSync('mkfifo', [path]).status).toBe(0);
}

async function gatherAll(of: FixtureRepo) {
  const settings = { probes: [...probes, echoProbe('echo', [...special, '**/*.ts', '**/*.json'])] };
  // It takes seconds, and is asked about the FIFOs by itself.
  const { envelope } = await of.publish({ skip: ['semgrep'] }, settings);
  expect(envelope.probe_failures.filter(({ status }) => status === 'failed' || status === 'timed_out')).toEqual([]);
  expect(envelope.probes['echo']?.status).toBe('ok');
  return envelope;
}

describe.each([true, false])('G29 git %s', (git) => {
  test('G29 a FIFO in the place of every file that probes ask for', async () => {
    repo = createFixtureRepo({ 'keep.ts': 'export {};', 'src/b.ts': '' }, { git });
    mkdirSync(join(repo.root, '.github/workflows'), { recursive: true });
    for (const path of special) fifo(join(repo.root, path));
    mkdirSync(join(repo.root, '.codegenie/notes'), { recursive: true });
    for (const path of ['notes/a.md', 'exceptions.yaml', 'exclude.txt', 'scenarios.yaml'])
      fifo(join(repo.root, '.codegenie', path));
    const envelope = await gatherAll(repo);
    expect(JSON.stringify(envelope['echo'])).toContain('keep.ts');
    if (git && hasTool('semgrep'))
      expect((await repo.publish({ only: ['semgrep'] })).envelope.probe_failures).toEqual([]);
  });

  test('G29 a socket and a directory in the place of a manifest', async () => {
    repo = createFixtureRepo({ 'keep.ts': '', 'web/package.json/index.ts': '', 'Dockerfile/x.ts': '' }, { git });
    server = createServer();
    await new Promise<void>((resolve) => server?.listen(join(repo?.root ?? '', 'package.json'), resolve));
    mkdirSync(join(repo.root, 'tsconfig.json'));
    const envelope = await gatherAll(repo);
    expect(JSON.stringify(envelope['echo'])).toContain('web/package.json/index.ts');
  });

  test.skipIf(!isRoot)('G29 devices, where the test may make one', async () => {
    repo = createFixtureRepo({ 'keep.ts': '' }, { git });
    const made = spawnSync('mknod', [join(repo.root, 'package.json'), 'c', '1', '5']);
    // Some containers refuse it to root too; a device that cannot be made is not read.
    if (made.status !== 0) mkdirSync(join(repo.root, 'package.json'));
    await gatherAll(repo);
  });

  test.skipIf(isRoot)('G29 a file and a directory that may not be read', async () => {
    repo = createFixtureRepo({ 'keep.ts': '', 'package.json': '{}', 'closed/a.ts': '' }, { git });
    chmodSync(join(repo.root, 'package.json'), 0);
    chmodSync(join(repo.root, 'closed'), 0);
    try {
      await gatherAll(repo);
    } finally {
      chmodSync(join(repo.root, 'closed'), 0o700);
    }
  });

  test('G29 20 000 files in one directory', async () => {
    repo = createFixtureRepo({}, { git });
    mkdirSync(join(repo.root, 'many'));
    for (let index = 0; index < 20_000; index += 1) writeFileSync(join(repo.root, `many/f${index}.ts`), '');
    const { envelope } = await repo.publish();
    expect((envelope['language_stack'] as { counts: Record<string, number> }).counts).toEqual({ typescript: 20_000 });
    // Programs get them in parts: a sandbox takes only so many arguments.
    expect(envelope.probe_failures.filter(({ status }) => status !== 'skipped')).toEqual([]);
  });

  test('G29 a path deeper than the system can name from the root', async () => {
    repo = createFixtureRepo({ 'keep.ts': 'export {};' }, { git });
    // Made by steps: each is relative to the one before, so the whole may be longer than any path the system takes.
    const script = `
      const { mkdirSync, writeFileSync } = require('node:fs');
      for (let depth = 0; depth < 5000; depth += 1) { mkdirSync('d'); process.chdir('d'); }
      writeFileSync('deep.ts', 'export {};');`;
    expect(spawnSync(process.execPath, ['-e', script], { cwd: repo.root }).status).toBe(0);
    const { envelope } = await repo.publish();
    const failed = envelope.probe_failures.filter(({ status }) => status === 'failed' || status === 'timed_out');
    expect(failed).toEqual([]);
    expect(
      (envelope['language_stack'] as { counts: Record<string, number> }).counts['typescript'],
    ).toBeGreaterThanOrEqual(1);
    // `rm` goes down by steps too; no library function can name what was made.
    spawnSync('rm', ['-rf', join(repo.root, 'd')]);
  });
});

describe('G29 a FIFO where git itself reads', () => {
  const opened = ['.gitignore', '.git/info/exclude', '.git/config', '.git/HEAD', '.git/index', '.git/packed-refs'];
  const less = ['.git/commondir', '.git/refs/heads/main'];

  test.each([...opened, ...less])('%s: git is not asked, the answer is there and says what is odd', async (path) => {
    repo = createFixtureRepo({ 'src/a.ts': 'export const needle = 1;\n' });
    rmSync(join(repo.root, path), { force: true });
    mkdirSync(join(repo.root, path, '..'), { recursive: true });
    fifo(join(repo.root, path));
    const found = await runCli(['search', 'needle', '--json'], { cwd: repo.root, home: repo.home });
    expect(found.code, found.stderr).toBe(0);
    expect(JSON.parse(found.stdout)).toMatchObject({ count: { value: 1, relation: 'gte' } });
    expect(found.stdout).toContain(`${path} is no file`);
  });

  test('deeper in the tree: git is ended when it has slept for a while', async () => {
    repo = createFixtureRepo({ 'src/a.ts': 'export const needle = 1;\n' });
    fifo(join(repo.root, 'src/.gitignore'));
    const found = await runCli(['search', 'needle', '--json'], { cwd: repo.root, home: repo.home });
    expect(JSON.parse(found.stdout)).toMatchObject({ count: { value: 1, relation: 'gte' } });
    expect(found.stdout).toContain('waits for what does not come');
  });
});

test('a target of any length is answered, and no bug', async () => {
  repo = createFixtureRepo({ 'a.ts': 'export const a = 1;\n' });
  const long = 'a'.repeat(130_000);
  for (const target of [long, `${long}.ts:1:1`, `a.ts#${long}`, '\u{10ffff}'.repeat(60_000)]) {
    for (const command of [
      ['refs', target],
      ['def', target],
      ['symbols', target],
      ['rename', target, 'b'],
      ['rename', 'a.ts:1:14', target],
    ]) {
      const ended = await runCli(command, { cwd: repo.root, home: repo.home });
      expect(ended.stderr, command[0]).not.toContain('internal error');
    }
  }
});

test('every command takes `--wait 0`', async () => {
  repo = createFixtureRepo({ 'a.ts': 'export const a = 1;\nconsole.log(a);\n' });
  for (const command of [
    ['index', '--wait', '0'],
    ['rename', 'a.ts:1:14', 'b', '--wait', '0'],
  ]) {
    const ended = await runCli(command, { cwd: repo.root, home: repo.home });
    expect(ended.stderr, command[0]).not.toContain('is invalid');
  }
});
