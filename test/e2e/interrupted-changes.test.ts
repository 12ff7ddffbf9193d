/**
 * The program as a process of its own, stopped by Ctrl-C or killed while it plans and while it commits: afterwards files are all old or
 * all new, nothing runs on, the lock is free and no journal is left. Some points here, more in a soak.
 */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { ownDirsOf } from '../../src/kernel/base/own-dirs.ts';
import { projectConfig } from '../support/change-world.ts';
import { createIndexedTree, type IndexedTree } from '../support/indexed-tree.ts';
import { isSoak, soaked } from '../support/properties.ts';
import { type CliEnding, runCli } from '../support/run-cli.ts';

const program = fileURLToPath(new URL('../../bin/codegenie.mjs', import.meta.url));
const fileCount = 12;

let tree: IndexedTree | undefined;
const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await tree?.dispose();
  tree = undefined;
});

type Ended = {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
};

function open() {
  const uses = Array.from({ length: fileCount }, (_, n) => [
    `u${n}.ts`,
    `import { total } from "./a.ts";\nconsole.log(total, ${n});\n`,
  ]);
  const files = { 'tsconfig.json': projectConfig, 'a.ts': 'export const total = 1;\n', ...Object.fromEntries(uses) };
  const made = createIndexedTree(files);
  tree = made;
  /** `onSaid`: whenever it has said something; gets all of it. */
  const start = (argv: readonly string[], onSaid: (said: string, child: ChildProcess) => void = () => {}) => {
    const child = spawn(process.execPath, [program, ...argv], {
      cwd: made.root,
      env: { PATH: process.env['PATH'], HOME: made.base },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    children.push(child);
    const said = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr'] as const)
      child[stream]?.on('data', (chunk) => {
        said[stream] += chunk;
        onSaid(said.stderr, child);
      });
    const ended = new Promise<Ended>((resolve) => {
      child.on('close', (code, signal) => resolve({ code, signal, ...said }));
    });
    return { child, ended };
  };
  const read = (path: string) => readFileSync(join(made.root, path), 'utf8');
  return {
    start,
    run: (...argv: string[]) => start(argv).ended,
    /** In this process, which is quicker. */
    here: (...argv: string[]) => runCli(argv, { cwd: made.root, home: made.base }),
    /** All old, all new, or neither. */
    state() {
      const texts = Object.keys(files)
        .filter((path) => path.endsWith('.ts'))
        .map((path) => read(path));
      if (texts.every((text) => text.includes('total') && !text.includes('sum'))) return 'old';
      return texts.every((text) => text.includes('sum') && !text.includes('total')) ? 'new' : texts.join('\n');
    },
    leftovers: () => [
      ...readdirSync(made.root).filter((name) => /\.cg-|\.tmp$/.test(name)),
      ...list(join(ownDirsOf({ root: made.root, home: made.base, environment: {} }).stateDir, 'state/journal')),
    ],
    /** Processes whose command line names this tree, or that stand in it. */
    running: () =>
      execFileSync('ps', ['-eo', 'pid,stat,args'], { encoding: 'utf8' })
        .split('\n')
        .filter((line) => line.includes(made.root) && !/ Z/.test(line)),
  };
}

function list(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

async function planned(run: (...argv: string[]) => Promise<CliEnding>): Promise<string> {
  const { stdout, stderr } = await run('rename', 'total', 'sum', '--json');
  const id = /"id":"(p-[0-9a-f]+)"/.exec(stdout)?.[1];
  if (id === undefined) throw new Error(`${stdout}\n${stderr}`);
  return id;
}

test('Ctrl-C while it asks the compiler ends with 130: nothing written, nothing running, the lock free', async () => {
  const { start, run, state, leftovers, running } = open();
  for (const moment of [/asking the compiler/, /proving/]) {
    const { child, ended } = start(['rename', 'total', 'sum', '--apply'], (said) => {
      if (moment.test(said)) child.kill('SIGINT');
    });
    const { code, stderr } = await ended;
    // A command that has written by then says so.
    expect([0, 130], stderr).toContain(code);
    expect(state()).toBe(code === 130 ? 'old' : 'new');
    expect(running()).toEqual([]);
    expect(leftovers()).toEqual([]);
    if (code === 0) return;
  }
  expect(await run('plan', 'list')).toMatchObject({ code: 0 });
});

test('E2 a commit that is killed at any moment leaves all old or all new after the next command', async () => {
  const { start, run, here, state, leftovers } = open();
  let id = await planned(here);
  // How long a commit takes here is measured: the moments are spread over it.
  const startedMs = performance.now();
  expect(await run('plan', 'commit', id)).toMatchObject({ code: 0 });
  const tookMs = performance.now() - startedMs;
  expect(state()).toBe('new');
  expect(await here('plan', 'undo', id)).toMatchObject({ code: 0 });
  id = await planned(here);
  const kills = soaked(4);
  for (let n = 0; n < kills; n += 1) {
    const { child, ended } = start(['plan', 'commit', id]);
    const timer = setTimeout(() => child.kill('SIGKILL'), tookMs * (0.3 + (0.7 * n) / kills));
    await ended;
    clearTimeout(timer);
    const { code, stdout, stderr } = await here('plan', 'list', '--json');
    expect(code, stderr).toBe(0);
    const plan = (JSON.parse(stdout) as { plans: { id: string; status: string }[] }).plans.find((one) => one.id === id);
    expect([plan?.status, state()], stdout).toEqual(
      plan?.status === 'committed' ? ['committed', 'new'] : ['open', 'old'],
    );
    expect(leftovers()).toEqual([]);
    if (plan?.status === 'committed') {
      expect(await here('plan', 'undo', id)).toMatchObject({ code: 0 });
      id = await planned(here);
    }
  }
});

test('M22 of plans that want different names, committed at once by processes of their own, one is applied', async () => {
  const { run, here } = open();
  const names = Array.from({ length: isSoak ? 10 : 4 }, (_, n) => `name${n}`);
  const ids: string[] = [];
  for (const name of names) {
    const { stdout } = await here('rename', 'total', name, '--json');
    ids.push(/"id":"(p-[0-9a-f]+)"/.exec(stdout)?.[1] ?? stdout);
  }
  const ended = await Promise.all(ids.map((id) => run('plan', 'commit', id, '--json')));
  const codes = ended.map(({ code }) => code);
  expect(codes.filter((code) => code === 0)).toHaveLength(1);
  // Blocked because files changed, refused because it cannot be planned any more, or busy.
  for (const code of codes.filter((one) => one !== 0)) expect([7, 9, 12]).toContain(code);
  const winner = names[codes.indexOf(0)] ?? '';
  for (let n = 0; n < fileCount; n += 1)
    expect(readFileSync(join(tree?.root ?? '', `u${n}.ts`), 'utf8')).toBe(
      `import { ${winner} } from "./a.ts";\nconsole.log(${winner}, ${n});\n`,
    );
});

test('M24 a plan of one worktree is unknown in another, whose files stay', async () => {
  const { here, start } = open();
  const id = await planned(here);
  const other = join(tree?.base ?? '', 'other');
  tree?.git('worktree', 'add', '-q', '-b', 'other', other);
  const { ended } = start(['-C', other, 'plan', 'commit', id, '--json']);
  const { code, stdout } = await ended;
  expect([code, JSON.parse(stdout).outcome.reason]).toEqual([9, 'plan_not_found']);
  expect(readFileSync(join(other, 'a.ts'), 'utf8')).toContain('total');
});
