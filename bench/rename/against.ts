/**
 * Random renames of a real tree by this program and by an older one, by turns, each from process start with the index at hand: what the
 * proof costs now beside what it cost then. Processor time of all that was started, because other work on the machine does not add to it.
 * `perf` counts all of it; what the system says of ended children leaves out the compiler, whose sandbox is ended and not waited for.
 */

import { type SpawnSyncOptions, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { changeKinds, pickChanges } from '../../scripts/fuzz/pick-changes.ts';
import { createRandom } from '../../scripts/fuzz/random.ts';
import { processorMs } from '../figures.ts';
import { command } from '../semantic/indexing.ts';

export type AgainstSettings = {
  readonly tree: string;
  readonly older: string;
  readonly scratch: string;
  /** Of each kind. */
  readonly count: number;
  readonly seed: number;
};

export function benchAgainst({ tree, older, scratch, count, seed }: AgainstSettings): void {
  const root = join(scratch, basename(tree));
  cpSync(tree, root, { recursive: true, filter: (path) => !path.startsWith(join(tree, '.codegenie')) });
  const programs = [
    { name: 'now', entry: command, state: join(scratch, 'now') },
    { name: 'before', entry: join(older, 'bin/codegenie.mjs'), state: join(scratch, 'before') },
  ];
  for (const { state } of programs) mkdirSync(state, { mode: 0o700 });
  const clock = createClock(join(scratch, 'clock'));
  const run = (of: (typeof programs)[number], words: readonly string[]) =>
    clock.time([process.execPath, of.entry, '-C', root, ...words, '--quiet'], {
      stdio: 'ignore',
      env: { ...process.env, CODEGENIE_STATE_DIR: of.state },
    });
  const [first] = pickChanges({ root, within: [], count: 1, random: createRandom(seed) });
  for (const program of programs) run(program, ['refs', `${first?.path}:${first?.line}:${first?.col}`]);
  console.log(`\n## ${basename(tree)}: processor time of a rename plan, index at hand (${clock.says})`);
  console.log('kind                 plans       now    before   ratio  answers now / before');
  const sums = { now: 0, before: 0 };
  const picked = pickChanges({ root, within: [], count, random: createRandom(seed) });
  for (const kind of changeKinds) {
    const renames = picked.filter((one) => one.kind === kind && kind !== 'move');
    if (renames.length === 0) continue;
    const rows = renames.map(({ path, line, col, to }, index) => {
      const turn = index % 2 === 0 ? programs : programs.toReversed();
      return new Map(turn.map((one) => [one.name, run(one, ['rename', `${path}:${line}:${col}`, to])]));
    });
    const [now, before] = ['now', 'before'].map((name) => rows.reduce((sum, row) => sum + (row.get(name)?.ms ?? 0), 0));
    const codes = (name: string) => [...new Set(rows.map((row) => row.get(name)?.status))].sort().join(',');
    sums.now += now ?? 0;
    sums.before += before ?? 0;
    console.log(
      `${kind.padEnd(21)}${String(rows.length).padStart(5)}${figures(now, before, rows.length)}  ${codes('now')} / ${codes('before')}`,
    );
  }
  console.log(
    `all                  ${String(picked.length).padStart(5)}${figures(sums.now, sums.before, picked.length)}  (target ≤ 1.33)`,
  );
  rmSync(root, { recursive: true, force: true });
}

function figures(now = 0, before = 0, count = 1): string {
  const mean = (ms: number) => `${Math.round(ms / count)} ms`.padStart(10);
  return `${mean(now)}${mean(before)}${(now / before).toFixed(2).padStart(8)}`;
}

type Clock = {
  /** What it counts. */
  readonly says: string;
  time(argv: readonly string[], options: SpawnSyncOptions): { readonly status: number | null; readonly ms: number };
};

function createClock(file: string): Clock {
  const count = ['stat', '-e', 'task-clock', '-x,', '-o', file];
  if (spawnSync('perf', [...count, 'true']).status !== 0)
    return {
      says: 'without the compiler: there is no perf',
      time([program = '', ...args], options) {
        const began = processorMs('self').children;
        const { status } = spawnSync(program, args, options);
        return { status, ms: processorMs('self').children - began };
      },
    };
  return {
    says: 'by perf',
    time(argv, options) {
      const { status } = spawnSync('perf', [...count, ...argv], options);
      return { status, ms: Number(/^([\d.]+),msec/m.exec(readFileSync(file, 'utf8'))?.[1]) };
    },
  };
}
