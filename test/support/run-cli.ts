/** The command line in this process, with a terminal that keeps what is said. */

import type { Terminal } from '../../src/cli/command.ts';
import { exitCodes } from '../../src/cli/exit-codes.ts';
import { runCommandLine } from '../../src/cli/main.ts';
import { sharedPool } from './shared-pool.ts';
import { quickPath } from './tools.ts';

export type CliEnding = { readonly code: number; readonly stdout: string; readonly stderr: string };

export async function runCli(
  argv: readonly string[],
  where: {
    readonly cwd: string;
    readonly home: string;
    /** Beside PATH and HOME. */
    readonly environment?: Readonly<Record<string, string>>;
    /** A person sits at it, who presses these and then nothing more. */
    readonly keys?: readonly string[];
  },
): Promise<CliEnding> {
  const said = { stdout: '', stderr: '' };
  const keep = (stream: 'stdout' | 'stderr') => ({
    write: (chunk: string) => {
      said[stream] += chunk;
    },
  });
  const terminal: Terminal = {
    ...where,
    environment: { PATH: quickPath(), HOME: where.home, ...where.environment },
    stdout: keep('stdout'),
    stderr: keep('stderr'),
    keyboard: where.keys && keyboardOf(where.keys),
    signal: new AbortController().signal,
    nowMs: Date.now,
    pool: sharedPool(),
  };
  return { code: exitCodes[await runCommandLine(argv, terminal)].code, ...said };
}

function keyboardOf(keys: readonly string[]): Terminal['keyboard'] {
  const pressed = [...keys];
  return async () => ({ next: async () => pressed.shift(), forget: () => {}, close: () => {} });
}
