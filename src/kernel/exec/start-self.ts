/**
 * This program, started again: the pinned Node on our own entry file, for the daemon (gather.md §5).
 * Alone among the processes we start it has no timeout and keeps our environment: it is us.
 */

import { spawn } from 'node:child_process';
import { packageDirectory } from '../base/package-files.ts';
import type { Environment } from './environment.ts';

export const entryFile = `${packageDirectory}/bin/codegenie.mjs`;

export type SelfOptions = {
  /** Lives on when we end: own session, no terminal, not waited for. */
  readonly detached: boolean;
  readonly cwd: string;
  readonly environment: Environment;
};

export type SelfProcess = {
  readonly pid: number;
  readonly exited: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
};

/** Undefined when the system would not start another process. */
export async function startSelf(args: readonly string[], options: SelfOptions): Promise<SelfProcess | undefined> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', entryFile, ...args], {
    cwd: options.cwd,
    env: { ...options.environment },
    stdio: options.detached ? 'ignore' : 'inherit',
    detached: options.detached,
    windowsHide: true,
  });
  const exited = new Promise<Awaited<SelfProcess['exited']>>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    child.once('error', () => resolve({ code: null, signal: null }));
  });
  if (options.detached) child.unref();
  if (child.pid === undefined) return undefined;
  return { pid: child.pid, exited };
}
