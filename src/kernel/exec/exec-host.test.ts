import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { recordingLogger, silentLogger } from '../base/log.ts';
import { createExecHost, createGuards } from './exec-host.ts';
import { tools } from './tools.ts';

let place: string;
let root: string;
let workspace: string;

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'host-')));
  [root, workspace] = [join(place, 'repo'), join(place, 'workspace')];
  for (const directory of [root, workspace, join(place, 'bin')]) mkdirSync(directory);
});
afterEach(() => rmSync(place, { recursive: true }));

const systemPath = '/usr/local/bin:/usr/bin:/bin';

function openHost(environment: Record<string, string> = {}, toolPaths: Record<string, string> = {}) {
  const logger = recordingLogger();
  const host = createExecHost({
    root,
    environment: { PATH: systemPath, HOME: place, ...environment },
    toolPaths,
    logger,
  });
  const bind = (signal = new AbortController().signal, name = 'test') => host.bind({ name, signal, workspace });
  return { host, bind, exec: bind(), events: logger.events };
}

function plant(directory: string, name: string, script: string): string {
  mkdirSync(join(place, directory), { recursive: true });
  writeFileSync(join(place, directory, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return join(place, directory, name);
}

const short = () => ({ cwd: root, timeoutS: 20 });

describe('what may be started', () => {
  test.each([
    [[]],
    [['sh', '-c', 'true']],
    [['/usr/bin/git', 'status']],
    [['./git']],
    [['npm']],
    [['python3']],
    [['__proto__']],
    [['toString']],
  ])('%j is disallowed by both functions', async (argv) => {
    const { exec } = openHost();
    expect(await exec.runAllowlisted(argv, short())).toEqual({ kind: 'disallowed', argv0: argv[0] ?? '' });
    expect(await exec.runExternalCli(argv, short())).toEqual({ kind: 'disallowed', argv0: argv[0] ?? '' });
  });

  test('P9 what reads hostile files cannot be started outside the sandboxed function, nor git inside it', async () => {
    const { exec } = openHost();
    expect(await exec.runAllowlisted(['rg', '--version'], short())).toEqual({ kind: 'disallowed', argv0: 'rg' });
    expect(await exec.runExternalCli(['git', 'status'], short())).toEqual({ kind: 'disallowed', argv0: 'git' });
  });

  test('G28 an argument with a NUL in it starts nothing', async () => {
    const { exec } = openHost();
    expect(await exec.runAllowlisted(['node', 'a\0b'], short())).toEqual({ kind: 'disallowed', argv0: 'node' });
    expect(await exec.git(['rev-parse', 'a\0b'])).toEqual({ kind: 'disallowed', argv0: 'git' });
  });

  test('the directory must be absolute, there, and no link', async () => {
    const { exec } = openHost();
    symlinkSync(root, join(place, 'link'));
    writeFileSync(join(place, 'file'), '');
    for (const cwd of ['.', '', join(place, 'absent'), join(place, 'link'), join(place, 'file')]) {
      expect(await exec.runAllowlisted(['node', '--version'], { cwd, timeoutS: 5 })).toEqual({ kind: 'bad_cwd', cwd });
    }
  });

  test('a missing tool comes with how to install it', async () => {
    const { exec } = openHost({ PATH: join(place, 'bin') }, { strace: '/nowhere/strace' });
    expect(await exec.runExternalCli(['semgrep'], short())).toEqual({
      kind: 'tool_missing',
      tool: 'semgrep',
      install: 'Install the PyPI package semgrep (pipx install semgrep).',
    });
    expect(await exec.runAllowlisted(['strace'], short())).toMatchObject({
      install: `tools.strace.path is not an executable file. ${tools.strace.install}`,
    });
  });

  test('an argument list the system refuses is a failed run', async () => {
    const outcome = await openHost().exec.runAllowlisted(['node', 'x'.repeat(4 * 1024 ** 2)], short());
    expect(outcome).toMatchObject({
      kind: 'exited',
      code: 126,
      stderr: Buffer.from('node could not be started: E2BIG\n'),
    });
  });
});

describe('a sandbox that could not be made', () => {
  const moved = "bwrap: Can't bind mount /oldroot/ on /newroot/: Unable to apply mount flags: remount: No such file";

  /** Fails at its first `times` starts, and then runs what stands behind `--`. */
  function plantBwrap(times: number, message: string): string {
    const tries = join(place, 'tries');
    return plant(
      'bin',
      'bwrap',
      `[ "$1" = --version ] && exit 0
echo >> ${tries}; if [ "$(wc -l < ${tries})" -le ${times} ]; then echo "${message}" >&2; exit 1; fi
while [ "$1" != -- ]; do shift; done; shift; exec "$@"`,
    );
  }
  const countTries = () => readFileSync(join(place, 'tries'), 'utf8').length;
  const tool = () => plant('bin', 'scip-go', 'echo "got $1"');

  test('P9 because a mount of the machine went away meanwhile is made again', async () => {
    tool();
    const { exec } = openHost({ PATH: `${join(place, 'bin')}:${systemPath}` }, { bwrap: plantBwrap(2, moved) });
    const outcome = await exec.runExternalCli(['scip-go', 'this'], short());
    expect(outcome).toMatchObject({ kind: 'exited', code: 0, stdout: Buffer.from('got this\n') });
    // Two failed for the self-test, which then ran, and the tool.
    expect(countTries()).toBe(4);
  });

  test('P9 for another reason, or again and again, is no sandbox', async () => {
    tool();
    const environment = { PATH: `${join(place, 'bin')}:${systemPath}` };
    const again = openHost(environment, { bwrap: plantBwrap(1_000, moved) });
    expect(await again.host.sandbox()).toEqual({ kind: 'none', reason: 'self_test_failed' });
    expect(countTries()).toBe(5);
    rmSync(join(place, 'tries'));
    const other = openHost({ ...environment, HOME: root }, { bwrap: plantBwrap(1_000, 'bwrap: No permissions') });
    expect(await other.host.sandbox()).toEqual({ kind: 'none', reason: 'self_test_failed' });
    expect(countTries()).toBe(1);
  });
});

describe('planted programs', () => {
  test('G6 git, node and rg inside the repository, first on PATH, never run', async () => {
    const sentinel = join(place, 'sentinel');
    for (const directory of ['repo', 'repo/node_modules/.bin']) {
      for (const name of ['git', 'node', 'rg', 'env', 'bwrap']) plant(directory, name, `touch ${sentinel}`);
    }
    // A script for Node, a script for env: neither may find the planted interpreters.
    writeFileSync(
      join(place, 'bin/scip-go'),
      '#!/usr/bin/env node\nrequire("child_process").execSync("git --version")\n',
      { mode: 0o755 },
    );
    const PATH = [
      `${root}/node_modules/.bin`,
      root,
      './node_modules/.bin',
      '',
      '.',
      join(place, 'bin'),
      systemPath,
    ].join(':');
    const { exec } = openHost({ PATH });
    await exec.git(['rev-parse', 'HEAD']);
    expect(await exec.runAllowlisted(['node', '--version'], short())).toMatchObject({ kind: 'exited', code: 0 });
    await exec.runExternalCli(['rg', '--version'], short());
    expect(await exec.runExternalCli(['scip-go'], short())).toMatchObject({ kind: 'exited', code: 0 });
    for (const name of ['git', 'node', 'rg', 'bwrap']) await exec.toolVersion(name);
    expect(existsSync(sentinel)).toBe(false);
  });
});

describe('environment', () => {
  const secrets = {
    GITHUB_TOKEN: 'hunter2',
    AWS_SECRET_ACCESS_KEY: 'hunter2',
    NODE_OPTIONS: '--no-such-flag',
    LD_PRELOAD: '/hunter2',
    MINE: 'hunter2',
  };
  const print = ['node', '-p', 'JSON.stringify(process.env)'];

  test('G4 nothing of our environment reaches a child but what is on the list', async () => {
    const { exec, events } = openHost(secrets);
    const envExtra = { SCENARIO: 'startup', github_token: 'hunter2', Aws_Profile: 'hunter2' };
    const outcome = await exec.runAllowlisted(print, { ...short(), envExtra });
    if (outcome.kind !== 'exited') throw new Error(outcome.kind);
    expect(JSON.parse(outcome.stdout.toString())).toEqual({
      PATH: systemPath,
      HOME: workspace,
      TMPDIR: workspace,
      LANG: 'C.UTF-8',
      LC_ALL: 'C.UTF-8',
      NO_COLOR: '1',
      SCENARIO: 'startup',
    });
    expect(events.map((event) => event.fields['key'])).toEqual(['github_token', 'Aws_Profile']);
  });

  test('G4 git and engines get no more than they need', async () => {
    const spy = plant('bin', 'spy', 'env | sort');
    const { exec } = openHost({ ...secrets, DOCKER_HOST: 'unix:///x' }, { git: spy, podman: spy });
    const [git, podman] = await Promise.all([
      exec.git(['config', '--list', '-z']),
      exec.runAllowlisted(['podman', 'info'], short()),
    ]);
    if (git.kind !== 'exited' || podman.kind !== 'exited') throw new Error('not started');
    expect(git.stdout.toString()).toContain('GIT_CONFIG_GLOBAL=/dev/null\n');
    expect(git.stdout.toString()).not.toMatch(/hunter2|no-such-flag/);
    expect(podman.stdout.toString()).toContain(`DOCKER_HOST=unix:///x\nHOME=${place}\n`);
    expect(podman.stdout.toString()).not.toMatch(/hunter2|no-such-flag/);
  });
});

describe('owners', () => {
  const waiting = ['node', '-e', 'console.log("up"); setInterval(() => {}, 1e6)'];

  test('G33 the signal of one probe ends its processes and leaves those of another alive', async () => {
    const { host, bind } = openHost();
    const [first, second] = [new AbortController(), new AbortController()];
    const runs = [first, second].map(({ signal }) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const onLine = () => resolve();
      return { up: promise, done: bind(signal).runAllowlisted(waiting, { cwd: root, timeoutS: 100, onLine }) };
    });
    await Promise.all(runs.map((run) => run.up));
    expect(host.liveGroups()).toHaveLength(2);
    first.abort();
    expect(await runs[0]?.done).toEqual({ kind: 'cancelled' });
    expect(host.liveGroups()).toHaveLength(1);
    await host.killAll();
    expect(await runs[1]?.done).toEqual({ kind: 'cancelled' });
    expect(host.liveGroups()).toEqual([]);
  });

  test('R26: the signal of one call ends that call, and its group is told', async () => {
    const tool = plant('bin', 'scip-go', 'echo up; exec sleep 1000');
    const { host, exec } = openHost({}, { 'scip-go': tool, bwrap: '/nowhere' });
    const [first, second] = [new AbortController(), new AbortController()];
    const groups: number[] = [];
    const runs = [first, second].map(({ signal }) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const options = { cwd: root, timeoutS: 100, signal, onLine: () => resolve() };
      const onStart = ({ id }: { id: number }) => void groups.push(id);
      return { up: promise, done: exec.runExternalCli(['scip-go'], { ...options, onStart }) };
    });
    await Promise.all(runs.map((run) => run.up));
    first.abort();
    expect(await runs[0]?.done).toEqual({ kind: 'cancelled' });
    expect(host.liveGroups()).toEqual([groups[1]]);
    second.abort();
    expect(await runs[1]?.done).toEqual({ kind: 'cancelled' });
  });

  test('a script for Node gets the heap it may have, another program its arguments as they are', async () => {
    const script = join(place, 'bin/scip-python');
    writeFileSync(script, '#!/usr/bin/env node\nconsole.log(process.execArgv.join(), process.argv.slice(2).join())\n', {
      mode: 0o755,
    });
    const tool = plant('bin', 'scip-go', 'echo "$@"');
    const { exec } = openHost({}, { 'scip-go': tool, 'scip-python': script });
    const said = async (name: string) => {
      const outcome = await exec.runExternalCli([name, 'a'], { ...short(), memoryMb: 512 });
      return outcome.kind === 'exited' ? outcome.stdout.toString() : outcome.kind;
    };
    expect(await said('scip-python')).toBe('--max-old-space-size=512 a\n');
    expect(await said('scip-go')).toBe('a\n');
  });

  test('G32 a truncated stream is an event and a flag', async () => {
    const { exec, events } = openHost();
    const outcome = await exec.runAllowlisted(['node', '-p', '"x".repeat(1000)'], { ...short(), maxStdoutBytes: 100 });
    expect(outcome).toMatchObject({ kind: 'exited', code: 0, truncated: { stdout: true, stderr: false } });
    expect(outcome.kind === 'exited' && outcome.stdout.toString()).toBe(`...[TRUNCATED]...${'x'.repeat(82)}\n`);
    expect(events).toEqual([{ name: 'subproc.stdout.truncated', fields: { stream: 'stdout', tool: 'node' } }]);
  });

  test('G32 a hanging tool is timed out', async () => {
    const outcome = await openHost().exec.runAllowlisted(waiting, { cwd: root, timeoutS: 0.2 });
    expect(outcome.kind).toBe('timed_out');
  });
});

describe('versions', () => {
  const version = async (name: string, path: string) =>
    (await openHost({}, { [name]: path }).exec.toolVersion(name)).version;

  test('of what is installed here', async () => {
    const { exec } = openHost();
    expect(await exec.toolVersion('git')).toEqual({
      name: 'git',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      path: '/usr/bin/git',
    });
    expect((await exec.toolVersion('node')).version).toMatch(/^\d+\.\d+\.\d+$/);
  });

  test('absent, unknown, and named by its bytes', async () => {
    expect(await openHost({ PATH: '' }).exec.toolVersion('rg')).toEqual({ name: 'rg', version: 'absent', path: null });
    expect(await openHost().exec.toolVersion('not-a-tool')).toEqual({
      name: 'not-a-tool',
      version: 'absent',
      path: null,
    });
    expect(await version('rg', plant('bin', 'fails', 'echo 1.2.3; exit 1'))).toBe('unknown');
    expect(await version('gitleaks', plant('bin', 'silent', 'echo version is set by build process'))).toMatch(
      /^blake3:[0-9a-f]{8}$/,
    );
    expect(await version('rg', plant('bin', 'stderr', 'echo tool v9.8.7 >&2'))).toBe('9.8.7');
  });

  test('R18 are asked of a tool that has a home of its own for that long, for every caller', async () => {
    const told = join(place, 'home');
    const tool = plant('bin', 'writing', `echo "$HOME" > ${told}; mkdir -p "$HOME/.config" && echo 1.0.0`);
    const before = readdirSync(root);
    const { host } = openHost({}, { rg: tool });
    const exec = host.bind({ name: 'test', signal: new AbortController().signal, workspace: root });
    expect((await exec.toolVersion('rg')).version).toBe('1.0.0');
    expect(readdirSync(root)).toEqual(before);
    const home = readFileSync(told, 'utf8').trim();
    expect(home.startsWith(root)).toBe(false);
    expect(existsSync(home)).toBe(false);
  });

  test('are asked once per binary, and again when the binary changes', async () => {
    const counter = join(place, 'count');
    const tool = plant('bin', 'counting', `echo run >> ${counter}; echo 1.0.0`);
    expect(await Promise.all([version('rg', tool), version('rg', tool)])).toEqual(['1.0.0', '1.0.0']);
    expect(await version('rg', tool)).toBe('1.0.0');
    const { readFileSync } = await import('node:fs');
    expect(readFileSync(counter, 'utf8')).toBe('run\n');
    plant('bin', 'counting', `echo run >> ${counter}; echo 1.0.10`);
    expect(await version('rg', tool)).toBe('1.0.10');
  });

  test('of an npm package is read from its manifest, without starting it', async () => {
    const sentinel = join(place, 'sentinel');
    const tool = plant('lib/node_modules/@sourcegraph/scip-python', 'scip-python', `touch ${sentinel}`);
    writeFileSync(
      join(place, 'lib/node_modules/@sourcegraph/scip-python/package.json'),
      '{"name":"@sourcegraph/scip-python","version":"0.40.1"}',
    );
    expect(await version('scip-python', tool)).toBe('0.40.1');
    expect(existsSync(sentinel)).toBe(false);
  });

  test('of a PyPI package is read off its installation, unless there are two', async () => {
    const tool = plant('venv/bin', 'semgrep', 'echo 7.7.7');
    const packages = join(place, 'venv/lib/python3.11/site-packages');
    mkdirSync(join(packages, 'semgrep-1.182.0.dist-info'), { recursive: true });
    mkdirSync(join(packages, 'semgrep_rules-3.0.0.dist-info'));
    expect(await version('semgrep', tool)).toBe('1.182.0');
    mkdirSync(join(place, 'venv/lib/python3.12/site-packages/semgrep-1.1.0.dist-info'), { recursive: true });
    plant('venv/bin', 'semgrep', 'echo 7.7.8; exit 0');
    expect(await version('semgrep', tool)).toBe('7.7.8');
  });
});

const owner = (signal: AbortSignal) => ({ name: 'probe', signal });

test('G33 what is guarded is undone once, by the first caller, and every caller waits for it', async () => {
  const guards = createGuards(silentLogger);
  const abort = new AbortController();
  const { promise, resolve } = Promise.withResolvers<void>();
  let undone = 0;
  const undo = guards.add(owner(abort.signal), () => {
    undone += 1;
    return promise;
  });
  abort.abort();
  expect(undone).toBe(1);
  const waiting = Promise.all([undo(), guards.undoAll()]);
  resolve();
  await waiting;
  await guards.undoAll();
  expect(undone).toBe(1);
});

test('G33 a guard that comes after the signal is undone at once', async () => {
  const guards = createGuards(silentLogger);
  let undone = 0;
  const undo = guards.add(owner(AbortSignal.abort()), async () => {
    undone += 1;
  });
  await undo();
  expect(undone).toBe(1);
});

test('G33 what was not undone before is undone at the end, and a failure there is told and kills nothing', async () => {
  const logger = recordingLogger();
  const guards = createGuards(logger);
  const { signal } = new AbortController();
  let undone = 0;
  guards.add(owner(signal), () => Promise.reject(new TypeError('gone')));
  guards.add(owner(signal), async () => {
    undone += 1;
  });
  await guards.undoAll();
  expect(undone).toBe(1);
  expect(logger.events).toEqual([{ name: 'subproc.undo_failed', fields: { probe: 'probe', type: 'TypeError' } }]);
});

test('G33 a process can still be started to undo what the signal ended, and the end of the gather waits for it', async () => {
  const host = createExecHost({ root: '/nowhere', environment: {}, toolPaths: {}, logger: silentLogger });
  const abort = new AbortController();
  const exec = host.bind({ name: 'probe', signal: abort.signal, workspace: '/' });
  const node = (script: string) => ['node', '-e', script];
  let undone: unknown;
  exec.guard(async (undoer) => {
    undone = await undoer.runAllowlisted(node('process.exit(7)'), { cwd: '/', timeoutS: 60 });
  });
  const running = exec.runAllowlisted(node('setInterval(() => {}, 1e6)'), { cwd: '/', timeoutS: 60 });
  abort.abort();
  expect((await running).kind).toBe('cancelled');
  expect((await exec.runAllowlisted(node(''), { cwd: '/', timeoutS: 60 })).kind).toBe('cancelled');
  await host.killAll();
  expect(undone).toMatchObject({ kind: 'exited', code: 7 });
  expect(host.liveGroups()).toEqual([]);
});
