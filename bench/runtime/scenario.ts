/** One container after the other, traced and not: what strace adds to a start of Node, and what the engine costs whatever runs. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '../../src/kernel/base/log.ts';
import { makeRunId } from '../../src/kernel/containers/cli-engine.ts';
import type { Engine } from '../../src/kernel/containers/engine.ts';
import { createExecHost } from '../../src/kernel/exec/exec-host.ts';
import { attachStrace } from '../../src/probes/runtime-trace/trace-container.ts';
import { openEngine } from '../../src/probes/shared/open-engine.ts';
import type { TraceRig } from '../../test/support/trace-rig.ts';
import { createTable, median, ms, time } from '../figures.ts';

const modules = 300;
const steps = ['create', 'init', 'attach', 'run', 'remove'] as const;
type Step = (typeof steps)[number];

export async function benchScenario(rig: TraceRig, pairs: number): Promise<void> {
  const image = rig.image({ base: 'node', files: makeService(), lines: [] });
  const workspace = mkdtempSync(join(tmpdir(), 'codegenie-bench-'));
  const environment = rig.containers.environment;
  const host = createExecHost({ root: workspace, environment, toolPaths: {}, logger: silentLogger });
  try {
    const exec = host.bind({ name: 'bench', signal: new AbortController().signal, workspace });
    const engine = await openEngine({ exec, config: { 'containers.engine': 'podman' } }, rig.containers.home);
    if (engine.kind === 'none') throw new Error(engine.detail);
    const spent = { traced: emptyTimes(), plain: emptyTimes() };
    for (let pair = 0; pair <= pairs; pair += 1) {
      for (const kind of pair % 2 === 0 ? (['plain', 'traced'] as const) : (['traced', 'plain'] as const)) {
        const times = await runOne(engine, exec, image, kind === 'traced' ? join(workspace, `${pair}.strace`) : null);
        // The first pair fills the caches of the machine.
        if (pair > 0) for (const step of steps) spent[kind][step].push(times[step]);
      }
    }
    print(spent, pairs);
  } finally {
    await host.killAll();
    rmSync(workspace, { recursive: true, force: true });
  }
}

function print(spent: Readonly<Record<'traced' | 'plain', Record<Step, number[]>>>, pairs: number): void {
  const { traced, plain } = spent;
  const table = createTable(`a start of Node that loads ${modules} modules and exits, ${pairs} pairs`);
  table.add({
    measure: 'from start to exit',
    ours: ms(traced.run),
    peer: `untraced ${ms(plain.run)}`,
    ratio: median(traced.run) / median(plain.run),
  });
  const sum = (times: Record<Step, number[]>, of: readonly Step[]) =>
    times.run.map((_, at) => of.reduce((total, step) => total + (times[step][at] ?? 0), 0));
  const [whole, plainWhole] = [sum(traced, steps), sum(plain, steps)];
  const ratio = median(whole) / median(plainWhole);
  table.add({
    measure: 'the whole scenario: create, init, attach, start, remove',
    ours: ms(whole),
    peer: `untraced ${ms(plainWhole)}`,
    ratio,
    target: { says: '≤ 3 ×', value: ratio, most: 3 },
  });
  const own = sum(
    traced,
    steps.filter((step) => step !== 'run'),
  );
  table.add({
    measure: "the engine's own cost: create, init, attach, remove",
    ours: ms(own),
    target: { says: '≤ 500 ms', value: median(own), most: 500 },
  });
  for (const step of steps.filter((one) => one !== 'run')) table.add({ measure: step, ours: ms(traced[step]) });
}

async function runOne(
  engine: Engine,
  exec: Parameters<typeof attachStrace>[0],
  image: string,
  logFile: string | null,
): Promise<Record<Step, number>> {
  const times = { create: 0, init: 0, attach: 0, run: 0, remove: 0 };
  const runId = makeRunId();
  let id = '';
  times.create = await time(async () => {
    const created = await engine.create({
      image,
      name: `codegenie-${runId}-bench`,
      runId,
      entrypoint: null,
      command: [],
      environment: [],
      readOnly: true,
      memoryMb: 512,
      pids: 128,
      cpus: 2,
    });
    if (created.kind === 'failed') throw new Error(created.stderrTail);
    id = created.id;
  });
  try {
    let pid = 0;
    times.init = await time(async () => {
      const parked = await engine.init(id);
      if (parked.kind === 'failed') throw new Error(parked.stderrTail);
      pid = parked.pid;
    });
    let ended: Promise<unknown> = Promise.resolve();
    if (logFile !== null) {
      times.attach = await time(async () => {
        const strace = attachStrace(exec, pid, { logFile, cwd: join(logFile, '..'), timeoutS: 120 });
        const complaint = await strace.attached;
        if (complaint !== null) throw new Error(complaint);
        ended = strace.ended;
      });
    }
    times.run = await time(async () => {
      const outcome = await engine.startAndWait(id, { timeoutS: 120 });
      if (outcome.kind !== 'exited' || outcome.code !== 0) throw new Error(JSON.stringify(outcome));
      await ended;
    });
  } finally {
    times.remove = await time(() => engine.remove(id));
  }
  return times;
}

function makeService(): Record<string, string> {
  const files: Record<string, string> = {};
  const names = Array.from({ length: modules }, (_, at) => `m${at}`);
  for (const name of names) files[`app/node_modules/${name}/index.js`] = `exports.name = '${name}';\n`;
  const load = names.map((name) => `require('${name}');`).join('\n');
  files['app/index.js'] = `${load}\nrequire('node:net').createServer().listen(8080, () => process.exit(0));\n`;
  return files;
}

function emptyTimes(): Record<Step, number[]> {
  return { create: [], init: [], attach: [], run: [], remove: [] };
}
