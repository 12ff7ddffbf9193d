/** One process from start to end: how long it took, and the most memory that it and all it started had at one moment. */

import { spawn } from 'node:child_process';
import { residentBytes } from '../../src/kernel/base/processes.ts';

export type ProcessRun = {
  readonly ms: number;
  /** Of the whole tree, sampled; shared pages count once per process. */
  readonly rssMb: number;
  readonly stdout: string;
};

const sampleEveryMs = 100;

/** Any other code than one of `codes` is an error. */
export function runProcess(
  command: string,
  args: readonly string[],
  cwd: string,
  codes: readonly number[] = [0],
): Promise<ProcessRun> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let [stdout, stderr, peak] = ['', '', 0];
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr = `${stderr}${chunk}`.slice(-4_000);
    });
    const sample = setInterval(() => {
      if (child.pid !== undefined) peak = Math.max(peak, residentBytes(child.pid));
    }, sampleEveryMs);
    child.once('error', (error) => {
      clearInterval(sample);
      reject(error);
    });
    child.once('close', (code) => {
      clearInterval(sample);
      const ms = performance.now() - started;
      if (code !== null && codes.includes(code)) resolve({ ms, rssMb: peak / 1024 ** 2, stdout });
      else reject(new Error(`${command} ${args.join(' ')} ended with ${code}: ${stdout.slice(-2_000)}${stderr}`));
    });
  });
}

/** A module of this directory in a Node of its own; `given` is its only argument, and its last line of output the answer. */
export async function runChild<T>(file: string, given: unknown, nodeFlags: readonly string[] = []): Promise<T> {
  const module = new URL(file, import.meta.url).pathname;
  const args = ['--disable-warning=ExperimentalWarning', ...nodeFlags, module, JSON.stringify(given)];
  const { stdout } = await runProcess(process.execPath, args, process.cwd());
  return JSON.parse(stdout.trim().split('\n').at(-1) as string) as T;
}
