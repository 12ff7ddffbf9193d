/**
 * Cold, warm and one-edit gathers beside `git status` and `rg --files` of the same tree in the same run.
 * `--tree=<dir>` (again for more) gathers copies of real trees instead, cold and warm, and beside it with `--against=<checkout>` of an older
 * program, by turns: processor time, because other work on the machine does not add to it.
 * `--rows=<dir>`: what is asked of a first gather and of one after an edit, beside `tsc --noEmit` of the same tree (`gather-rows.ts`).
 */

import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { buildProgram, forget } from './build-program.ts';
import { processorMs } from './figures.ts';
import { makeSyntheticRepo } from './synthetic-repo.ts';

const project = fileURLToPath(new URL('..', import.meta.url));
/** The clone as it is, and the form that is published: the same code, bundled. */
const clone = join(project, 'bin/codegenie.mjs');
let entry = clone;

type Run = { readonly ms: number; readonly rssMb: number; readonly cpuMs: number };

export async function benchGather(flags: readonly string[]): Promise<void> {
  const valuesOf = (flag: string) =>
    flags.flatMap((one) => (one.startsWith(`--${flag}=`) ? [one.slice(flag.length + 3)] : []));
  const [rows] = valuesOf('rows');
  if (rows !== undefined) {
    const { benchRows } = await import('./gather-rows.ts');
    return benchRows(rows, { edited: valuesOf('edit')[0], program: valuesOf('program')[0] });
  }
  const trees = valuesOf('tree');
  if (trees.length > 0) return benchReal(trees, valuesOf('against')[0]);
  const scratch = mkdtempSync(join(tmpdir(), 'codegenie-bench-'));
  try {
    const built = buildProgram(join(scratch, 'built'));
    for (const [name, file] of [
      ['clone', clone],
      ['published', built],
    ] as const) {
      const help = await repeat(9, () => measure(process.execPath, [file, '--help'], scratch));
      console.log(`--help, ${name.padEnd(12)} ${ms(help)}`);
    }
    entry = built;
    console.log('\nThe table is of the published form; the last column is the warm gather of the clone.');
    console.log(
      '\ntree            files  git status   rg --files        cold        warm  warm/git    one edit   rss cold  warm, clone   re-run after the edit',
    );
    const own = join(scratch, 'own');
    cpSync(project, own, {
      recursive: true,
      filter: (path) => !/\/(?:node_modules|\.codegenie|dist)(?:\/|$)/.test(path.slice(project.length - 1)),
    });
    await benchTree('this repository', own, 'package.json');
    for (const count of [1_000, 10_000, 100_000]) {
      const root = join(scratch, `n${count}`);
      makeSyntheticRepo(root, count);
      await benchTree(`synthetic ${count}`, root, 'packages/p0/src/m3.ts');
      rmSync(root, { recursive: true, force: true });
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function benchReal(trees: readonly string[], against: string | undefined): Promise<void> {
  const programs = [
    ['now', clone],
    ...(against === undefined ? [] : [['before', join(against, 'bin/codegenie.mjs')]]),
  ] as const;
  const scratch = mkdtempSync(join(tmpdir(), 'codegenie-bench-'));
  console.log('tree                       program    cold, cpu       wall   warm, cpu       wall');
  try {
    for (const tree of trees) {
      const root = join(scratch, basename(tree));
      cpSync(tree, root, { recursive: true, filter: (path) => !path.startsWith(join(tree, '.codegenie')) });
      const cold = new Map<string, Run[]>();
      const warm = new Map<string, Run[]>();
      for (const turn of [programs, programs.toReversed(), programs]) {
        for (const [name = '', file = ''] of turn) {
          forget(root);
          const gather = () => measure(process.execPath, [file, 'gather', root, '--quiet'], root);
          cold.set(name, [...(cold.get(name) ?? []), await gather()]);
          warm.set(name, [...(warm.get(name) ?? []), await gather()]);
        }
      }
      for (const [name = ''] of programs) {
        const least = (of: Map<string, Run[]>, pick: (run: Run) => number) =>
          `${Math.round(Math.min(...(of.get(name) ?? []).map(pick)))} ms`.padStart(11);
        console.log(
          `${basename(tree).padEnd(27)}${name.padEnd(8)}${least(cold, (run) => run.cpuMs)}${least(cold, (run) => run.ms)}` +
            ` ${least(warm, (run) => run.cpuMs)}${least(warm, (run) => run.ms)}`,
        );
      }
      rmSync(root, { recursive: true, force: true });
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function benchTree(name: string, root: string, edited: string): Promise<void> {
  const gather = (...flags: string[]) => measure(process.execPath, [entry, 'gather', root, '--quiet', ...flags], root);
  forget(root);
  const cold = await gather();
  await gather();
  const status = await repeat(7, () => measure('git', ['-C', root, 'status', '--porcelain'], root));
  const list = await repeat(7, () => measure('rg', ['--files', root], root));
  const warm = await repeat(7, () => gather());
  const fromClone = await repeat(5, () => measure(process.execPath, [clone, 'gather', root, '--quiet'], root));
  const before = readFileSync(join(root, edited), 'utf8');
  writeFileSync(join(root, edited), sameLengthEdit(before));
  const edit = await gather();
  const context = parse(readFileSync(join(root, '.codegenie/context/repo-context.yaml'), 'utf8')) as {
    probes: Record<string, { status: string; cache: { state: string } }>;
  };
  const rerun = Object.entries(context.probes)
    .filter(([, probe]) => probe.status !== 'skipped' && probe.cache.state === 'miss')
    .map(([probe]) => probe);
  writeFileSync(join(root, edited), before);
  const files = await count(root);
  console.log(
    `${name.padEnd(17)}${String(files).padStart(6)}${ms(status).padStart(12)}${ms(list).padStart(13)}${ms([cold]).padStart(12)}` +
      `${ms(warm).padStart(12)}${`${(median(warm) / median(status)).toFixed(1)}×`.padStart(10)}${ms([edit]).padStart(12)}` +
      `${`${Math.round(cold.rssMb)} MB`.padStart(11)}${ms(fromClone).padStart(13)}   ${rerun.join(', ') || 'nothing'}`,
  );
}

/** One byte of a comment or a digit changes; the length does not. */
function sameLengthEdit(text: string): string {
  return text.includes('0') ? text.replace('0', '1') : text.replace('1', '2');
}

async function repeat(times: number, run: () => Promise<Run>): Promise<Run[]> {
  const runs: Run[] = [];
  for (let index = 0; index < times; index += 1) runs.push(await run());
  return runs;
}

function measure(command: string, args: readonly string[], cwd: string): Promise<Run> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(command, args, { cwd, stdio: 'ignore' });
    let rssMb = 0;
    let cpuMs = 0;
    const sample = setInterval(() => {
      rssMb = Math.max(rssMb, peakRssMb(child.pid));
      const { own, children } = processorMs(child.pid ?? 0);
      cpuMs = Math.max(cpuMs, own + children);
    }, 10);
    child.once('error', (error) => {
      clearInterval(sample);
      reject(error);
    });
    child.once('exit', (code) => {
      clearInterval(sample);
      const ended = performance.now() - started;
      if (code === 0) resolve({ ms: ended, rssMb, cpuMs });
      else reject(new Error(`${command} ${args.join(' ')} ended with ${code}`));
    });
  });
}

function peakRssMb(pid: number | undefined): number {
  const path = `/proc/${pid}/status`;
  if (pid === undefined || !existsSync(path)) return 0;
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(path, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

function count(root: string): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn('git', ['-C', root, 'ls-files'], { stdio: ['ignore', 'pipe', 'ignore'] });
    let lines = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      for (const byte of chunk) if (byte === 10) lines += 1;
    });
    child.once('close', () => resolve(lines));
  });
}

function median(runs: readonly Run[]): number {
  const sorted = runs.map((run) => run.ms).sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}

/** The median, with the spread where there is more than one run. */
function ms(runs: readonly Run[]): string {
  const times = runs.map((run) => run.ms);
  const spread = runs.length > 1 ? `±${Math.round((Math.max(...times) - Math.min(...times)) / 2)}` : '';
  return `${Math.round(median(runs))}${spread} ms`;
}
