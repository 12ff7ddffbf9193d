/**
 * The first three lines of what is asked of speed (`docs/benchmarks.md`), on a real tree with its dependencies installed: `tsc --noEmit` of it,
 * a first gather (until its first publication, and to its end), one after a blank line was put into a file, and one with nothing changed. Each
 * with all processes that it starts: by the clock, in processor time, and how much memory they had together.
 */

import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { residentBytes } from '../src/kernel/base/processes.ts';
import { forget } from './build-program.ts';
import { createTable } from './figures.ts';

const project = fileURLToPath(new URL('..', import.meta.url));

type Spent = { readonly ms: number; readonly cpuMs: number; readonly peakMb: number };
/** `first`: when the first publication was there. */
type Run = Spent & { readonly first: Spent | undefined };

/** `edited`: where the blank line goes, root-relative; `program`: a checkout. */
export async function benchRows(
  tree: string,
  { edited, program = project }: { readonly edited: string | undefined; readonly program?: string | undefined },
): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'codegenie-bench-'));
  try {
    const root = join(scratch, basename(tree));
    cpSync(tree, root, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !path.startsWith(join(tree, '.codegenie')),
    });
    forget(root);
    const published = join(root, '.codegenie/context/repo-context.yaml');
    const gather = () =>
      measureTree(process.execPath, [join(program, 'bin/codegenie.mjs'), 'gather', root, '--quiet'], root, published);
    const tsc = await measureTree(
      process.execPath,
      [join(project, 'node_modules/typescript/lib/tsc.js'), '--noEmit', '-p', root],
      root,
    );
    const table = createTable(`${basename(tree)}, load ${loadOf()}`);
    const add = (measure: string, { ms, cpuMs, peakMb }: Spent, most?: number) => {
      const ratio = ms / tsc.ms;
      table.add({
        measure,
        ours: `${seconds(ms)}, processor ${seconds(cpuMs)} (${(cpuMs / tsc.cpuMs).toFixed(2)} ×), ${Math.round(peakMb)} MB`,
        peer: `tsc ${seconds(tsc.ms)}, ${seconds(tsc.cpuMs)}, ${Math.round(tsc.peakMb)} MB`,
        ratio,
        ...(most === undefined ? {} : { target: { says: `≤ ${most}`, value: ratio, most } }),
      });
    };
    const cold = await gather();
    if (cold.first !== undefined) add('first gather, until its first publication', cold.first, 0.8);
    add('… everything', cold, 3);
    const target = join(root, edited ?? largestSource(root));
    writeFileSync(target, `\n${readFileSync(target, 'utf8')}`);
    add(`after a blank line in ${edited ?? largestSource(root)}`, await gather(), 0.5);
    add('nothing changed', await gather());
    const again = await measureTree(
      process.execPath,
      [join(project, 'node_modules/typescript/lib/tsc.js'), '--noEmit', '-p', root],
      root,
    );
    console.log(`\ntsc again: ${seconds(again.ms)}, processor ${seconds(again.cpuMs)}; load ${loadOf()}`);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}

function loadOf(): string {
  return readFileSync('/proc/loadavg', 'utf8').split(' ').slice(0, 2).join(' ');
}

/** Of `src`, where there is one. */
function largestSource(root: string): string {
  const found = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => /^(?:src\/|packages\/[^/]+\/src\/).*(?<!\.d)\.ts$/.test(path))
    .map((path) => ({ path, size: statSync(join(root, path)).size }))
    .sort((a, b) => b.size - a.size);
  if (found[0] === undefined) throw new Error(`no source in ${root}: name one with --edit=<file>`);
  return found[0].path;
}

/** `appears`: a file that comes or is replaced in between. */
function measureTree(command: string, args: readonly string[], cwd: string, appears?: string): Promise<Run> {
  return new Promise((resolve, reject) => {
    const before = appears === undefined ? undefined : stampOf(appears);
    const started = performance.now();
    const child = spawn(command, args, { cwd, stdio: 'ignore' });
    const used = new Map<string, number>();
    let peakMb = 0;
    let first: Spent | undefined;
    const spent = (): Spent => ({
      ms: performance.now() - started,
      cpuMs: [...used.values()].reduce((sum, one) => sum + one, 0),
      peakMb,
    });
    const look = () => {
      if (child.pid === undefined) return;
      noteProcessorTime(child.pid, used);
      peakMb = Math.max(peakMb, residentBytes(child.pid) / 1024 ** 2);
      if (appears !== undefined && first === undefined && stampOf(appears) !== before) first = spent();
    };
    const sample = setInterval(look, 50);
    child.once('error', reject);
    child.once('exit', (code) => {
      clearInterval(sample);
      // `tsc` ends with 1 or 2 where it finds errors, which is no matter here.
      if (code !== null && code <= 2) resolve({ ...spent(), first });
      else reject(new Error(`${command} ${args.join(' ')} ended with ${code}`));
    });
  });
}

function stampOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

/** Of a process and all below it, each by its number and start. What a process used between the last look and its end is missing. */
function noteProcessorTime(root: number, used: Map<string, number>): void {
  const pids = [root];
  for (const pid of pids) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      used.set(`${pid} ${fields[19]}`, (Number(fields[11]) + Number(fields[12])) * msPerTick);
      for (const thread of readdirSync(`/proc/${pid}/task`)) {
        const children = readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1');
        pids.push(...children.split(' ').filter(Boolean).map(Number));
      }
    } catch {
      // It has ended meanwhile.
    }
  }
}

const msPerTick = 10;
