import { execFileSync } from 'node:child_process';
import {
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { silentLogger } from '../../../kernel/base/log.ts';
import { processStart } from '../../../kernel/base/processes.ts';
import { createExecHost } from '../../../kernel/exec/exec-host.ts';
import { classifyExit, type IndexerAdapter, type IndexerContext } from '../../../languages/indexers/indexer-adapter.ts';
import { makeJobDir, removeJobDir } from './job-dir.ts';
import { type IndexerProbe, type RunOptions, runIndexer } from './run-indexer.ts';

const hasBwrap = process.platform === 'linux' && existsSync('/usr/bin/bwrap');

let place: string;
let root: string;
let jobDir: string;

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'run-')));
  root = join(place, 'root');
  mkdirSync(root);
  writeFileSync(join(root, 'a.go'), 'package a\n');
  jobDir = makeJobDir({ root, environment: {}, job: 'test' });
});
afterEach(() => {
  removeJobDir(jobDir);
  rmSync(place, { recursive: true });
});

const context: IndexerContext = { key: 'k', family: 'go', root: '', configPath: null, config: {}, members: ['a.go'] };
const probe: IndexerProbe = {
  state: 'ok',
  detail: null,
  toolPath: '/t',
  toolId: 't@1+0',
  envHash: '',
  environment: {},
};

const adapter: IndexerAdapter = {
  id: 'scip-go',
  family: 'go',
  tool: 'scip-go',
  granularity: 'project',
  executesRepoCode: false,
  minVersion: null,
  timeoutMs: 60_000,
  memoryMb: 1024,
  positionEncoding: 1,
  gaps: [],
  passes: [],
  argumentsKey: '',
  plan: (_, world) => ({
    args: [world.repoRoot, join(world.jobDir, 'out.scip')],
    cwd: world.repoRoot,
    env: { MARK: 'set' },
    output: join(world.jobDir, 'out.scip'),
    files: { 'sub/config.json': '{}' },
    links: { tree: world.repoRoot },
    readable: [],
    documentBase: 'base',
  }),
  classifyExit: (outcome) => classifyExit(outcome),
};

type Options = Partial<RunOptions> & { readonly sandbox?: boolean; readonly adapter?: IndexerAdapter };

/** A shell script stands for the indexer: `$1` is the root, `$2` the output. */
function run(script: string, { sandbox = hasBwrap, ...options }: Options = {}) {
  mkdirSync(join(place, 'tools'), { recursive: true });
  const tool = join(place, 'tools/indexer');
  writeFileSync(tool, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const toolPaths = { 'scip-go': tool, ...(sandbox ? {} : { bwrap: '/nowhere/bwrap' }) };
  const environment = { PATH: '/usr/bin:/bin', HOME: join(place, 'home') };
  const host = createExecHost({ root, environment, toolPaths, logger: silentLogger });
  const signal = options.signal ?? new AbortController().signal;
  const exec = host.bind({ name: 'test', signal: new AbortController().signal, workspace: jobDir });
  return runIndexer(options.adapter ?? adapter, context, {
    exec,
    repoRoot: root,
    jobDir,
    maxFileMb: 4,
    probe,
    ...options,
    signal,
  });
}

const isAlive = (pid: number) => processStart(pid) !== 'gone';
const sandboxes = [['in the sandbox (needs bubblewrap)', true] as const, ['without a sandbox', false] as const].filter(
  ([, sandbox]) => hasBwrap || !sandbox,
);

describe.each(sandboxes)('%s', (_, sandbox) => {
  test('an output is the file, what it is relative to, and the last lines', async () => {
    const script =
      'echo index > "$2"; cat sub/config.json "$HOME/../sub/config.json" tree/a.go; echo "$MARK $HOME $TMPDIR" >&2';
    const outcome = await run(`cd "$HOME/.."; ${script}`, { sandbox });
    expect(outcome).toMatchObject({
      kind: 'output',
      path: join(jobDir, 'out.scip'),
      documentBase: 'base',
      log: `set ${jobDir}/home ${jobDir}/tmp`,
    });
    expect(readFileSync(join(jobDir, 'out.scip'), 'utf8')).toBe('index\n');
  });

  test('R15 exit 0 without a file, with an empty one, or with a link in its place is no output', async () => {
    for (const script of ['true', ': > "$2"', 'ln -s /etc/passwd "$2"', 'mkdir "$2"']) {
      rmSync(join(jobDir, 'out.scip'), { recursive: true, force: true });
      rmSync(join(jobDir, 'tree'), { force: true });
      expect(await run(script, { sandbox })).toMatchObject({ kind: 'failed', failure: 'no_output' });
    }
  });

  test('a failure says the end of what the tool said, without secrets and control characters', async () => {
    const token = `ghp_${'aB3'.repeat(12)}`;
    const script = `for i in 1 2 3; do seq 1 100 >&2; done; printf 'token %s \\033[31mred\\033[0m\\n' ${token} >&2; exit 3`;
    const outcome = await run(script, { sandbox });
    if (outcome.kind !== 'failed') throw new Error(outcome.kind);
    expect(outcome.failure).toBe('tool_crashed');
    expect(outcome.detail).toMatch(
      /^scip-go exited with 3: 82\n[\s\S]*100\ntoken <REDACTED:fingerprint=[0-9a-f]{8}> \[31mred\[0m$/,
    );
  });

  test('a crash is a crash', async () => {
    expect(await run('echo half > "$2"; kill -SEGV $$', { sandbox })).toMatchObject({
      kind: 'failed',
      failure: 'tool_crashed',
    });
  });

  test('R26 a hanging tool is timed out and nothing of it is left', async () => {
    let group = 0;
    const outcome = await run(
      `trap '' TERM; sh -c 'trap "" TERM; while :; do sleep 1000; done' & while :; do sleep 1000; done`,
      {
        sandbox,
        timeoutMs: 300,
        onStart: (pgid) => {
          group = pgid;
        },
      },
    );
    expect(outcome).toMatchObject({ kind: 'failed', failure: 'tool_timeout' });
    expect(isAlive(group)).toBe(false);
  });

  test('R26 a cancelled run is cancelled, with its whole group', async () => {
    const cancel = new AbortController();
    let started: [number, string] | undefined;
    const running = run('echo up; sleep 1000 & sleep 1000', {
      sandbox,
      signal: cancel.signal,
      onStart: (...group) => {
        started = group;
      },
      onLine: () => cancel.abort(),
    });
    expect(await running).toEqual({ kind: 'cancelled' });
    expect(started).toEqual([expect.any(Number), expect.stringMatching(/^\d+$/)]);
    expect(isAlive(started?.[0] ?? 0)).toBe(false);
  });

  test('G32 two gigabytes on both streams do not fill the memory', async () => {
    const before = process.memoryUsage.rss();
    const outcome = await run('yes & yes >&2', { sandbox, timeoutMs: 600_000 });
    expect(outcome).toMatchObject({ kind: 'failed', failure: 'tool_crashed' });
    if (outcome.kind === 'failed') expect(outcome.detail.length).toBeLessThan(3_000);
    expect(process.memoryUsage.rss() - before).toBeLessThan(300 * 1024 ** 2);
  });

  test('R26 an output that grows without end is stopped', async () => {
    const outcome = await run('while :; do head -c 1000000 /dev/zero; done > "$2"', {
      sandbox,
      maxOutputBytes: 10_000_000,
    });
    expect(outcome).toMatchObject({
      kind: 'failed',
      failure: 'out_of_memory',
      detail: expect.stringMatching('larger than'),
    });
  });

  test('an output that is too large in the end is refused too', async () => {
    const outcome = await run('head -c 2000 /dev/zero > "$2"', { sandbox, maxOutputBytes: 1000 });
    expect(outcome).toMatchObject({ kind: 'failed', failure: 'out_of_memory' });
  });

  test.skipIf(process.platform !== 'linux')(
    'R26 a tool that uses too much memory is stopped (needs Linux)',
    async () => {
      // A program of the system, because our own may lie where the sandbox hides it.
      const hungry = 'x=aaaaaaaaaaaaaaaa; n=0; while [ $n -lt 25 ]; do x=$x$x; n=$((n + 1)); done; sleep 60; echo $x';
      const outcome = await run(hungry, { sandbox, memoryMb: 300 });
      expect(outcome).toMatchObject({
        kind: 'failed',
        failure: 'out_of_memory',
        detail: expect.stringMatching('MB of memory'),
      });
    },
  );

  test.skipIf(process.platform !== 'linux')(
    'R26 a tool that waits for what does not come is begun again with care, and so from then on (needs Linux)',
    async () => {
      const starts: number[] = [];
      const careful: IndexerAdapter = {
        ...adapter,
        canBeCareful: true,
        plan: (about, world) => ({
          ...adapter.plan(about, world),
          env: { CARE: String(world.careful) },
          links: {},
        }),
      };
      const pipe = join(root, 'pipe');
      execFileSync('mkfifo', [pipe]);
      const work = 'n=0; while [ $n -lt 100000 ]; do n=$((n + 1)); done';
      const script = `echo "$CARE" >&2; ${work}; [ "$CARE" = true ] || cat ${pipe}; echo index > "$2"`;
      const again = () =>
        run(script, { sandbox, adapter: careful, stillLooks: 2, onStart: (pgid) => void starts.push(pgid) });
      expect(await again()).toMatchObject({ kind: 'output', log: 'true' });
      expect(starts.map(isAlive)).toEqual([false, false]);
      expect(await again()).toMatchObject({ kind: 'output', log: 'true' });
      expect(starts).toHaveLength(3);
    },
  );
});

test('R26 a tool that forks without end leaves no process, not even what left its group (needs bubblewrap)', async ({
  skip,
}) => {
  if (!hasBwrap) skip();
  const fifo = join(jobDir, 'fifo');
  execFileSync('mkfifo', [fifo]);
  // Each grandchild is orphaned, in a session of its own, deaf to SIGTERM, and holds the pipe open.
  const daemon = `setsid sh -c 'trap "" TERM HUP; exec 3>${fifo}; echo up >&3; while :; do sleep 1000; done' &`;
  const cancel = new AbortController();
  const running = run(`(${daemon}) ; (${daemon}) ; sleep 1000`, { signal: cancel.signal });
  // The pipe ends only when its last writer is gone; until then this test would wait.
  for await (const _ of createReadStream(fifo, 'utf8')) cancel.abort();
  expect(await running).toEqual({ kind: 'cancelled' });
});

test('R18 a tool that writes into the tree, the home directory or /etc writes nothing (needs bubblewrap)', async ({
  skip,
}) => {
  if (!hasBwrap) skip();
  mkdirSync(join(place, 'home'));
  const targets = [`${root}/new`, `${root}/a.go`, `${place}/home/new`, '/etc/codegenie-was-here', `${jobDir}/../other`];
  const outcome = await run(`${targets.map((path) => `echo x >> ${path}`).join('; ')}; rm -rf ${root}; echo x > "$2"`);
  expect(outcome.kind).toBe('output');
  expect(readdirSync(root)).toEqual(['a.go']);
  expect(readFileSync(join(root, 'a.go'), 'utf8')).toBe('package a\n');
  expect(readdirSync(join(place, 'home'))).toEqual([]);
  expect([existsSync('/etc/codegenie-was-here'), existsSync(join(jobDir, '../other'))]).toEqual([false, false]);
});

test('a probe that failed is the failure, and nothing is started', async () => {
  const missing: IndexerProbe = { ...probe, state: 'missing_tool', detail: 'Install it.' };
  const outcome = await run(`touch ${join(place, 'started')}`, { probe: missing, sandbox: false });
  expect(outcome).toEqual({ kind: 'failed', failure: 'missing_tool', detail: 'Install it.', ms: 0 });
  expect(existsSync(join(place, 'started'))).toBe(false);
});

test.each<[string, IndexerAdapter]>([
  ['always', { ...adapter, executesRepoCode: true }],
  [
    'as this run is planned',
    { ...adapter, plan: (...about) => ({ ...adapter.plan(...about), mustBeSandboxed: true }) },
  ],
])(
  'R18 what runs code of the repository %s does not run when the sandbox is gone since the probe',
  async (_, eager) => {
    const script = `touch ${join(place, 'started')}; echo x > "$2"`;
    const outcome = await run(script, { adapter: eager, sandbox: false });
    expect(outcome).toMatchObject({
      kind: 'failed',
      failure: 'sandbox_missing',
      detail: expect.stringMatching(/runs code of the repository.*bubblewrap/),
    });
    expect(existsSync(join(place, 'started'))).toBe(false);
    rmSync(join(jobDir, 'tree'));
    if (hasBwrap) expect(await run(script, { adapter: eager, sandbox: true })).toMatchObject({ kind: 'output' });
  },
);

test('R28 nothing is started for a job that was cancelled before', async () => {
  const outcome = await run(`touch ${join(place, 'started')}`, { signal: AbortSignal.abort(), sandbox: false });
  expect([outcome, existsSync(join(place, 'started'))]).toEqual([{ kind: 'cancelled' }, false]);
});

test('a job dir that cannot be filled is an io_error', async () => {
  writeFileSync(join(jobDir, 'sub'), 'in the way');
  expect(await run('true', { sandbox: false })).toMatchObject({ kind: 'failed', failure: 'io_error' });
});
