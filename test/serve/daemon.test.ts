/** A daemon from start to end, and everything that can happen to it in between. */

import { type ChildProcess, spawn } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { takeWriterLock } from '../../src/index/store/writer-lock.ts';
import { packageVersion } from '../../src/kernel/base/package-files.ts';
import { processStart } from '../../src/kernel/base/processes.ts';
import { planList } from '../../src/serve/changes/plan-requests.ts';
import { openDaemonLog, readDaemonLog } from '../../src/serve/daemon/daemon-log.ts';
import { stopDaemon } from '../../src/serve/daemon/daemon-process.ts';
import { findDaemon } from '../../src/serve/daemon/find-daemon.ts';
import { runDaemon } from '../../src/serve/daemon/run-daemon.ts';
import symbols from '../../src/serve/operations/symbols.ts';
import { openRoot } from '../../src/serve/workspace/open-workspace.ts';
import {
  askSocket,
  cacheDirOf,
  createDaemonRepo,
  daemonFiles,
  placeOf,
  type RunningDaemon,
  settingsFor,
  startTestDaemon,
  stateDirOf,
} from '../support/daemon-world.ts';
import type { FixtureRepo } from '../support/fixture-repo.ts';
import { runCli } from '../support/run-cli.ts';
import { quickPath } from '../support/tools.ts';

const program = fileURLToPath(new URL('../../bin/codegenie.mjs', import.meta.url));
const stay = new AbortController().signal;
const waiting = { timeout: 300_000, interval: 20 } as const;

const children: ChildProcess[] = [];
const ending: (() => unknown)[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const end of ending.splice(0).reverse()) await end();
});

function open(files?: Readonly<Record<string, string>>): FixtureRepo {
  const repo = createDaemonRepo(files);
  ending.push(() => repo.dispose());
  return repo;
}

async function start(repo: FixtureRepo, given: Parameters<typeof startTestDaemon>[1] = {}): Promise<RunningDaemon> {
  const daemon = await startTestDaemon(repo, given);
  ending.push(() => daemon.stop());
  return daemon;
}

/** As a process of its own. */
async function spawnDaemon(repo: FixtureRepo, ...flags: readonly string[]) {
  const child = spawn(process.execPath, [program, '-C', repo.root, ...flags], {
    env: { PATH: quickPath(), HOME: repo.home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  await vi.waitFor(() => expect(said).toMatch(/ready:/), waiting);
  return { child, ended, said: () => said, socket: join(stateDirOf(repo), 'run/daemon.sock') };
}

const plain = ['serve', '--syntactic-only'] as const;

const found = (repo: FixtureRepo, version = packageVersion()) =>
  findDaemon({ ...placeOf(repo), version, signal: stay });
const query = { query: 'add', exact: true };

describe('one daemon', () => {
  test('R10 a second one says who is there and ends; the first goes on', async () => {
    const repo = open();
    const first = await start(repo);
    const second = await runDaemon({
      ...settingsFor(repo, stay),
      ...{ watch: false, indexers: 'asked', waitMs: 0, port: null, background: true },
      ...{ onListening: () => {}, onProgress: () => {}, onEvent: () => {}, onRefresh: () => {} },
    });
    expect(second).toEqual({
      kind: 'busy',
      message: `process ${process.pid} already keeps the index of ${repo.root}; stop it, or wait for it`,
    });
    expect((await first.post('/v1/symbols', query)).status).toBe(200);
  });

  test('what it made is gone when it has ended', async () => {
    const repo = open();
    const daemon = await startTestDaemon(repo, { port: 0 });
    const run = join(stateDirOf(repo), 'run');
    expect(readdirSync(run)).toEqual(expect.arrayContaining(['daemon.sock', 'token', 'writer.json']));
    expect(await daemon.stop()).toEqual({ kind: 'ended', why: 'it was told to' });
    expect(readdirSync(run).filter((name) => !name.startsWith('writer.db'))).toEqual([]);
    const lock = await takeWriterLock({ stateDir: stateDirOf(repo), waitMs: 0, signal: stay });
    expect(lock.kind).toBe('taken');
    if (lock.kind === 'taken') lock.release();
    expect(readDaemonLog(stateDirOf(repo), 10)?.join('\n')).toMatch(
      /starting: [\s\S]*ready: [\s\S]*ending: [\s\S]*ended$/,
    );
  });

  test('it ends after a time without questions, and listens no more', async () => {
    const repo = open();
    const daemon = await startTestDaemon(repo, { background: true, times: { idleMs: 4_000 } });
    const listening = connect(daemon.at.socket);
    listening.write('GET /v1/events HTTP/1.1\r\nhost: x\r\n\r\n');
    await new Promise((resolve) => listening.once('data', resolve));
    listening.destroy();
    expect(await daemon.ended).toEqual({ kind: 'ended', why: 'no question for a while' });
  });

  test('a path that is too long for a socket has one elsewhere, which others find', async () => {
    const repo = open();
    const deep = join(repo.root, 'd'.repeat(60), 'e'.repeat(60));
    mkdirSync(join(deep, '.git'), { recursive: true });
    rmSync(join(deep, '.git'), { recursive: true });
    writeFileSync(join(deep, 'a.ts'), 'export const add = 1;\n');
    const there = { ...repo, root: deep };
    const daemon = await startTestDaemon(there, { isGit: false });
    ending.push(() => daemon.stop());
    expect(dirname(daemon.at.socket)).toBe(join(tmpdir(), `codegenie-${process.getuid?.()}`));
    expect(lstatSync(dirname(daemon.at.socket)).mode & 0o777).toBe(0o700);
    expect(await findDaemon({ ...placeOf(there), version: '0.0.0-test', signal: stay })).toMatchObject({
      kind: 'found',
      socket: daemon.at.socket,
    });
  });

  test('what is no socket in the way of the socket is not removed', async () => {
    const repo = open();
    mkdirSync(join(stateDirOf(repo), 'run'), { recursive: true, mode: 0o700 });
    writeFileSync(join(stateDirOf(repo), 'run/daemon.sock'), 'mine');
    await expect(startTestDaemon(repo)).rejects.toThrow('is not a socket');
    expect(readFileSync(join(stateDirOf(repo), 'run/daemon.sock'), 'utf8')).toBe('mine');
  });

  test('P9 a repository that says it has a daemon is not believed', async () => {
    const repo = open();
    const run = join(stateDirOf(repo), 'run');
    mkdirSync(run, { recursive: true, mode: 0o700 });
    const asked: string[] = [];
    const trap = createServer((socket) => socket.on('data', (chunk) => asked.push(String(chunk))));
    const socket = join(repo.base, 'trap.sock');
    await new Promise<void>((resolve) => trap.listen(socket, resolve));
    ending.push(() => trap.close());
    const identity = { pid: process.pid, started: processStart(process.pid), nonce: 'x', socket };
    writeFileSync(join(run, 'writer.json'), JSON.stringify(identity));
    expect(await found(repo)).toEqual({ kind: 'none' });
    // Nor is the process that it names ended: that would be this one.
    expect(await stopDaemon(placeOf(repo), { waitMs: 0, signal: stay })).toEqual({ kind: 'none' });
    expect(asked).toEqual([]);
  });

  test('a client of another version leaves it alone, and asks by itself', async () => {
    const repo = open();
    await start(repo);
    expect(await found(repo, '9.9.9')).toMatchObject({ kind: 'other_version' });
    const workspace = await openRoot(
      { root: repo.root, isGit: true },
      { ...settingsFor(repo, stay), cliVersion: '9.9.9' },
    );
    const outcome = await workspace.ask(symbols, query, { onProgress: () => {}, waitMs: 100_000 });
    expect(outcome).toMatchObject({ kind: 'answered', answer: { count: { value: 1 } } });
  });

  test('the log goes on in a new part, and the oldest part goes', () => {
    const repo = open();
    mkdirSync(stateDirOf(repo), { recursive: true, mode: 0o700 });
    const log = openDaemonLog(stateDirOf(repo), () => 0, { partBytes: 300, parts: 3 });
    for (let line = 0; line < 40; line += 1) log(`line ${line} ghp_${'a1B2c3D4e5'.repeat(4)}`);
    const names = readdirSync(join(stateDirOf(repo), 'logs')).sort();
    expect(names).toEqual(['daemon.log', 'daemon.log.1', 'daemon.log.2']);
    for (const name of names) expect(lstatSync(join(stateDirOf(repo), 'logs', name)).size).toBeLessThan(400);
    const lines = readDaemonLog(stateDirOf(repo), 3)?.join('\n');
    expect(lines).toContain('line 39');
    // P8
    expect(lines).not.toContain('ghp_');
  });
});

describe('what happens to a daemon', () => {
  test('killed: others go on without it, and the next one listens where it did', async () => {
    const repo = open();
    const killed = await spawnDaemon(repo, ...plain);
    expect(await found(repo)).toMatchObject({ kind: 'found' });
    killed.child.kill('SIGKILL');
    await killed.ended;
    expect(existsSync(killed.socket)).toBe(true);
    expect(await found(repo)).toEqual({ kind: 'none' });
    expect((await runCli(['symbols', 'add', '--exact'], { cwd: repo.root, home: repo.home })).stdout).toContain(
      'src/math.ts:1:17',
    );
    const next = await start(repo);
    expect(next.at.socket).toBe(killed.socket);
    expect((await next.post('/v1/symbols', query)).json).toMatchObject({ count: { value: 1 } });
  });

  test('E2 killed in the middle of a commit: files are all old or all new, and the next one settles it', async () => {
    const uses = Array.from({ length: 30 }, (_, n) => [
      `src/u${n}.ts`,
      `import { add } from './math';\nexport const v${n} = add(${n}, 1);\n`,
    ]);
    const repo = open({ ...daemonFiles, ...Object.fromEntries(uses) });
    const old = repo.tree();
    const killed = await spawnDaemon(repo, ...plain);
    const journals = join(stateDirOf(repo), 'state/journal');
    const asked = askSocket(killed.socket, '/v1/renames', {
      method: 'POST',
      body: { target: 'src/math.ts:1:17', new_name: 'plus', apply: true, wait_ms: 0 },
    }).catch(() => undefined);
    const hasBegun = () => existsSync(journals) && readdirSync(journals).length > 0;
    await vi.waitUntil(hasBegun, { timeout: 300_000, interval: 1 });
    killed.child.kill('SIGKILL');
    await Promise.all([killed.ended, asked]);
    const next = await start(repo);
    const now = repo.tree();
    const renamed = Object.values(now).filter((text) => /\bplus\b/.test(text)).length;
    expect([0, 32]).toContain(renamed);
    if (renamed === 0) expect(now).toEqual(old);
    expect(hasBegun()).toBe(false);
    const { json } = await next.http('/v1/plans');
    expect(json).toMatchObject({ plans: [{ status: renamed === 0 ? 'open' : 'committed' }] });
  });

  test.each(['SIGTERM', 'SIGKILL'] as const)(
    'R26 R27 %s while an indexer runs: nothing of it runs on',
    async (signal) => {
      const repo = open();
      const daemon = await spawnDaemon(repo, '--verbose', 'serve');
      // Not sooner than the guard lets it, some seconds after the start.
      const isIndexing = () => processesAbout(repo).some((words) => words.includes('tsgo'));
      await vi.waitFor(() => expect(isIndexing()).toBe(true), waiting);
      daemon.child.kill(signal);
      await daemon.ended;
      // Who is killed cannot end anything; the next writer does, before it answers.
      if (signal === 'SIGKILL') await start(repo);
      await vi.waitFor(() => expect(processesAbout(repo)).toEqual([]), waiting);
    },
  );

  test('its tree is deleted: a question is told so, and it ends', async () => {
    const repo = open();
    const daemon = await startTestDaemon(repo);
    renameSync(repo.root, `${repo.root}-moved`);
    // The socket went with the tree; a connection by its new name still leads to the daemon.
    const socket = daemon.at.socket.replace(repo.root, `${repo.root}-moved`);
    expect(await askSocket(socket, '/v1/status')).toMatchObject({ status: 410, json: { outcome: 'tree_gone' } });
    expect(await daemon.ended).toMatchObject({ kind: 'ended', why: expect.stringContaining('is gone') });
    rmSync(`${repo.root}-moved`, { recursive: true });
  });

  test('its tree is deleted, without a question: it ends as well, and makes nothing anew', async () => {
    const repo = open();
    const daemon = await startTestDaemon(repo, { times: { lookMs: 50 } });
    rmSync(repo.root, { recursive: true });
    expect(await daemon.ended).toMatchObject({ kind: 'ended', why: expect.stringContaining('is gone') });
    expect(existsSync(repo.root)).toBe(false);
  });

  test('what says who it is was removed: it ends, because another process may be the writer now', async () => {
    const repo = open();
    const daemon = await startTestDaemon(repo, { times: { lookMs: 50 } });
    rmSync(join(stateDirOf(repo), 'run'), { recursive: true });
    expect(await daemon.ended).toMatchObject({ kind: 'ended', why: expect.stringContaining('run was removed') });
  });

  test('P10 its index is deleted: the next question builds it anew', async () => {
    const repo = open();
    const daemon = await start(repo);
    const before = (await daemon.http('/healthz')).json;
    rmSync(join(cacheDirOf(repo), 'index'), { recursive: true });
    rmSync(join(cacheDirOf(repo), 'cache'), { recursive: true, force: true });
    expect((await daemon.post('/v1/symbols', query)).json).toMatchObject({
      count: { value: 1, relation: 'eq' },
      freshness: { state: 'clean' },
    });
    expect((await daemon.http('/healthz')).json?.['pid']).toBe(before?.['pid']);
    expect(existsSync(join(cacheDirOf(repo), 'index/CURRENT'))).toBe(true);
  });

  test('the configuration changes: the next question is answered by the new one', async () => {
    const repo = open({ 'a.ts': 'export const add = 1;\n', 'b.weird': 'export const weird = 1;\n' });
    const daemon = await start(repo);
    const weird = { query: 'weird', exact: true };
    expect((await daemon.post('/v1/symbols', weird)).json).toMatchObject({ count: { value: 0 } });
    repo.write('.codegenie/config.yaml', 'languages: {extra_extensions: {".weird": typescript}}\n');
    expect((await daemon.post('/v1/symbols', weird)).json).toMatchObject({ count: { value: 1 } });
  });

  test('P1 in a large tree only what an answer names is compared; what differs, or is not found, is looked for in all of it', async () => {
    const repo = open();
    const daemon = await start(repo, { largeTreeFiles: 1 });
    const look = (name: string) => daemon.post('/v1/symbols', { query: name, exact: true });
    // Until they were hashed long enough after they were written, stats are not believed.
    await vi.waitFor(async () => {
      await daemon.post('/v1/index', {});
      const { json } = await look('Square');
      expect(json).toMatchObject({ freshness: { state: 'unverified' }, count: { value: 1, relation: 'gte' } });
      expect(JSON.stringify(json)).toContain('only the files that are named here were compared');
    }, waiting);
    const { json: status } = await daemon.http('/v1/status');
    expect(status).toMatchObject({
      freshness: { state: 'unverified' },
      unverified: expect.stringContaining('only the files'),
    });
    const find = () => daemon.post('/v1/search', { query: 'Square' });
    expect((await find()).json).toMatchObject({ freshness: { state: 'unverified' } });
    repo.write('src/fresh.ts', 'export class Round {}\n');
    expect((await look('Round')).json).toMatchObject({
      freshness: { state: 'clean' },
      count: { value: 1, relation: 'eq' },
    });
    // What it imports is touched as well.
    repo.write('src/math.ts', 'export const add = () => 0;\n');
    expect((await look('Square')).json).toMatchObject({ freshness: { state: 'clean' } });
    repo.write('src/shape.ts', 'export class Squared {}\n');
    // What was read to be searched is compared as it was read.
    expect((await find()).json).toMatchObject({ freshness: { state: 'clean' } });
    expect((await look('Square')).json).toMatchObject({ count: { value: 0, relation: 'eq' } });
    // Questions about everything, and callers that ask for it, get all files compared.
    const { json } = await daemon.post('/v1/navigate', { kind: 'refs', target: 'src/other.ts:1:14' });
    expect(json).toMatchObject({ freshness: { state: 'clean' } });
    const whole = await daemon.workspace().ask(symbols, query, { onProgress: () => {}, waitMs: 100_000 });
    expect(whole).toMatchObject({ answer: { freshness: { state: 'clean' } } });
  });

  test('many ask at once, while files change: every answer is of the disk of its question', async () => {
    const repo = open();
    const daemon = await start(repo);
    const rounds = Array.from({ length: 12 }, (_, n) => n);
    await Promise.all(
      rounds.map(async (n) => {
        repo.write(`src/n${n}.ts`, `export const fresh${n} = ${n};\n`);
        const { json } = await daemon.post('/v1/symbols', { query: `fresh${n}`, exact: true });
        expect(json).toMatchObject({ count: { value: 1, relation: 'eq' }, freshness: { state: 'clean' } });
      }),
    );
  });

  test('M22 one plan is committed by two at once: once', async () => {
    const repo = open();
    const daemon = await start(repo);
    const planned = await daemon.post('/v1/plans', { kind: 'rename', target: 'src/math.ts:1:17', new_name: 'plus' });
    const plan = planOf(planned.json);
    const commit = {
      plan_id: plan.id,
      plan_hash: plan.hash,
      root_hash: daemon.workspace().repo().root_hash,
      selections: plan.groups.map(({ id }) => id),
      proof: { identity: '', lines: [], anchors: [] },
    };
    const both = await Promise.all([1, 2].map(() => daemon.post('/v1/decisions/commit', commit)));
    const kinds = both.map(({ json }) => (json?.['outcome'] as { kind: string } | undefined)?.kind).sort();
    expect(kinds).toEqual(['ok', 'refused']);
  });
});

describe('the command line', () => {
  test('starts one in the background, asks it, shows its log and ends it', async () => {
    const repo = open();
    const run = (...argv: string[]) => runCli(argv, { cwd: repo.root, home: repo.home });
    expect((await run('daemon', 'status')).stdout).toBe(`does not run · ${repo.root}\n`);
    expect((await run('doctor')).stdout).toContain('daemon: none');
    expect(await run('daemon', 'logs')).toMatchObject({ code: 2 });
    const started = await run('daemon', 'start', '--syntactic-only', '--json');
    expect(started).toMatchObject({ code: 0 });
    const { pid, indexers } = JSON.parse(started.stdout) as { pid: number; indexers: string };
    expect(indexers).toBe('never');
    ending.push(() => process.kill(pid, 0) && process.kill(pid, 'SIGKILL'));
    expect(pid).not.toBe(process.pid);
    expect((await run('daemon', 'start')).stdout).toContain(`already runs: process ${pid}`);
    const asked = JSON.parse((await run('status', '--json')).stdout) as Record<string, unknown>;
    expect(asked).toMatchObject({ writer: { pid }, watch: 'ok', freshness: { state: 'clean' } });
    expect((await run('refs', 'src/math.ts:1:17')).stdout).toContain('4 references to add in 2 files');
    expect((await run('plan', 'list')).stdout).toBe('no plans\n');
    expect((await run('daemon', 'status')).stdout).toContain(`ready: process ${pid}`);
    expect((await run('doctor')).stdout).toContain(`daemon: process ${pid} is ready at ${repo.stateDir}/`);
    expect((await run('daemon', 'logs')).stdout).toMatch(/ready: generation/);
    expect((await run('daemon', 'stop')).stdout).toBe(`stopped: process ${pid} · ${repo.root}\n`);
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(), waiting);
    ending.pop();
    expect((await run('daemon', 'stop')).stdout).toBe(`none runs · ${repo.root}\n`);
    expect((await run('status', '--json')).stdout).toContain('"writer":null');
  });

  test('a daemon that runs no indexers runs none for a request either, and one that does is not taken for it', async () => {
    const repo = open();
    const never = await start(repo, { indexers: 'never' });
    expect((await never.http('/healthz')).json).toMatchObject({ indexers: 'never' });
    expect(await never.post('/v1/index', { semantic: true })).toMatchObject({
      status: 503,
      json: { outcome: 'busy', message: expect.stringContaining('--syntactic-only') },
    });
    expect((await never.http('/v1/status')).json).toMatchObject({ semantic: { contexts: [{ last_job: null }] } });
    await never.stop();
    const daemon = await start(repo, { cliVersion: packageVersion() });
    const started = await runCli(['daemon', 'start', '--syntactic-only'], { cwd: repo.root, home: repo.home });
    expect(started).toMatchObject({ code: 12, stderr: expect.stringContaining('runs already, and runs indexers') });
    await daemon.stop();
  });

  test('a rename has one hash, whichever way and from wherever it is asked for', async () => {
    const repo = open();
    const asked = ['--json', 'rename', 'math.ts:1:17', 'plus', '--wait', '3'];
    const printed = await runCli(asked, { cwd: join(repo.root, 'src'), home: repo.home });
    const daemon = await start(repo);
    const body = { target: 'src/math.ts:1:17', new_name: 'plus' };
    const { hash, id } = planOf((await daemon.post('/v1/renames', body)).json);
    expect(hash).toBe(planOf(JSON.parse(printed.stdout) as Record<string, unknown>).hash);
    const commit = { plan_id: id, plan_hash: hash, root_hash: '0123456789abcdef', selections: [] };
    const proof = { identity: '', lines: [], anchors: [] };
    const { json } = await daemon.post('/v1/decisions/commit', { ...commit, proof });
    expect(json).toMatchObject({
      outcome: { reason: 'wrong_worktree', detail: expect.stringContaining('0123456789abcdef was given') },
    });
    expect(JSON.stringify(json?.['outcome'])).not.toContain('was made in');
  });

  test('Ctrl-C ends the asking, and the daemon stops the work', async () => {
    const repo = open();
    const daemon = await start(repo);
    const interrupt = new AbortController();
    const gathering = daemon.workspace(interrupt.signal).gather({
      ...{ task: null, only: null, skip: [], mode: 'no_cache', maxConcurrency: 1 },
      onProgress: (progress) => {
        if (progress.kind === 'settled') interrupt.abort(new Error('interrupted'));
      },
    });
    expect(await gathering).toEqual({ kind: 'cancelled' });
    await vi.waitFor(async () => expect((await daemon.http('/healthz')).json?.['clients']).toBe(0), waiting);
    expect(existsSync(join(stateDirOf(repo), 'context/repo-context.yaml'))).toBe(false);
  });

  test('a daemon that is gone when it is asked is done without; one that breaks off is named, and nothing is asked twice', async () => {
    const repo = open();
    const daemon = await startTestDaemon(repo);
    const workspace = daemon.workspace();
    await daemon.stop();
    const options = { onProgress: () => {}, onStep: () => {}, waitMs: 100_000 };
    expect(await workspace.ask(symbols, query, options)).toMatchObject({
      answer: { count: { value: 1 }, outcome: 'ok' },
    });
    expect(await workspace.change(planList, {}, options)).toMatchObject({ answer: { outcome: 'ok', plans: [] } });
    expect(await workspace.audit()).toMatchObject({ kind: 'no_record' });
    let count = 0;
    const broken = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => {
        count += 1;
        socket.destroy();
      });
    });
    await new Promise<void>((resolve) => broken.listen(daemon.at.socket, resolve));
    ending.push(() => broken.close());
    expect(await workspace.change(planList, {}, options)).toMatchObject({
      kind: 'busy',
      message: expect.stringContaining('ended before it answered'),
    });
    expect(count).toBe(1);
    // A question changes nothing: it is asked again over another connection, once.
    expect(await workspace.ask(symbols, query, options)).toMatchObject({ kind: 'busy' });
    expect(count).toBe(3);
  });

  test('SIGTERM ends it well', async () => {
    const repo = open();
    const { child, ended, said } = await spawnDaemon(repo, ...plain, '--port', '0');
    expect(said()).toMatch(/answers at http:\/\/127\.0\.0\.1:\d+ · token in .*run\/token/);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(said()).toMatch(/stopped\n$/);
  });
});

type Planned = { readonly id: string; readonly hash: string; readonly groups: readonly { readonly id: string }[] };

function planOf(answer: Readonly<Record<string, unknown>> | undefined): Planned {
  const outcome = answer?.['outcome'] as { readonly plan?: Planned } | undefined;
  if (outcome?.plan === undefined) throw new Error(JSON.stringify(answer));
  return outcome.plan;
}

/** Programs other than this one that were started for this tree: they name it, or stand in it. */
function processesAbout(repo: FixtureRepo): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return words.includes(repo.base) ? [words] : [];
      } catch {
        return [];
      }
    });
}
