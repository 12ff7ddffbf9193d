/** How strace is called: attached from outside, or as the program that starts the workload. */

import { singleLine, truncate } from '../../../kernel/base/text.ts';
import type { ImageConfig } from '../../../kernel/containers/types.ts';
import type { Exec, ExecOutcome } from '../../../kernel/exec/types.ts';
import type { PlannedScenario } from './plan-scenarios.ts';
import { within } from './supervise.ts';

const calls = 'trace=execve,execveat,open,openat,openat2,connect,bind,mmap';
const attachMs = 5_000;
const complaintChars = 200;

export type AttachedStrace = {
  /** Null once it has attached; else what was wrong. */
  readonly attached: Promise<string | null>;
  readonly ended: Promise<ExecOutcome>;
};

export function attachStrace(
  exec: Exec,
  pid: number,
  options: { readonly logFile: string; readonly cwd: string; readonly timeoutS: number },
): AttachedStrace {
  const { promise: said, resolve: sayAttached } = Promise.withResolvers<null>();
  let lastWords = '';
  const ended = exec.runAllowlisted(
    ['strace', '-f', '-y', '-s', '256', '--decode-pids=pidns', '-p', String(pid), '-o', options.logFile, '-e', calls],
    {
      cwd: options.cwd,
      timeoutS: options.timeoutS,
      onLine: (line) => {
        if (/: Process \d+ attached/.test(line)) sayAttached(null);
        else lastWords = line;
      },
    },
  );
  return { attached: awaitAttached(said, ended, () => lastWords), ended };
}

async function awaitAttached(
  said: Promise<null>,
  ended: Promise<ExecOutcome>,
  lastWords: () => string,
): Promise<string | null> {
  const first = Promise.race([said, ended.then(() => 'ended' as const)]);
  if (!(await within(first, attachMs))) return `strace did not attach within ${attachMs / 1000} s`;
  if ((await first) === null) return null;
  return truncate(singleLine(`strace could not attach: ${lastWords()}`), complaintChars);
}

/** The workload must be the first process of its container to be given a signal; then strace stands beside it and filters less. */
export function inContainerArgs(
  scenario: Pick<PlannedScenario, 'entrypoint' | 'command' | 'mode'>,
  image: Pick<ImageConfig, 'entrypoint' | 'cmd'>,
): { readonly entrypoint: readonly string[]; readonly command: readonly string[] } {
  const entrypoint = scenario.entrypoint ?? image.entrypoint;
  const command = scenario.entrypoint === null && scenario.command.length === 0 ? image.cmd : scenario.command;
  const aside = scenario.mode === 'signal' ? '-D' : '--seccomp-bpf';
  return {
    entrypoint: ['/.tr/strace'],
    command: ['-f', '-y', '-s', '256', aside, '-o', '/.tr/out/log', '-e', calls, '--', ...entrypoint, ...command],
  };
}
