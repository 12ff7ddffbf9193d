/**
 * How an indexer's end is named (code-plane.md §6.3). What all tools have in common is here; an adapter adds the sentences by which its
 * tool says that the project, and not the tool, is at fault.
 */

import { unreachable } from '../../../kernel/base/assert.ts';
import type { ExecOutcome } from '../../../kernel/exec/exec.ts';
import type { Failure } from '../../../languages/context-spec.ts';

/** What V8, the JVM, .NET, Go, Rust and C++ print when memory ends. */
const memoryEnded =
  /heap out of memory|Allocation failed - |ERR_WORKER_OUT_OF_MEMORY|OutOfMemoryError|OutOfMemoryException|runtime: out of memory|cannot allocate memory|std::bad_alloc|memory allocation of \d+ bytes failed|LLVM ERROR: out of memory/;

/** As shells have it: 128 plus the number of the signal; bwrap passes a signalled child on like this. */
const byAbort = 134;
const byKill = 137;
/** The program, or the sandbox around it, could not be started (`exec-host.ts`). */
const notStarted = 126;

export function classifyExit(outcome: ExecOutcome, projectIsWrong?: RegExp): Failure | 'ok' {
  switch (outcome.kind) {
    case 'exited':
      if (outcome.code === 0) return 'ok';
      if (outcome.code === notStarted) return 'io_error';
      // Nobody but the kernel kills a tool that we did not.
      if (outcome.code === byKill) return 'out_of_memory';
      return nameFailure(readEnds(outcome), outcome.code === byAbort ? undefined : projectIsWrong);
    case 'signalled':
      return outcome.signal === 'SIGKILL' ? 'out_of_memory' : nameFailure(readEnds(outcome), undefined);
    case 'timed_out':
      return 'tool_timeout';
    case 'tool_missing':
      return 'missing_tool';
    case 'sandbox_missing':
      return 'sandbox_missing';
    case 'bad_cwd':
      // The directory of the project went away between discovery and start.
      return 'io_error';
    case 'disallowed':
    case 'cancelled':
      return 'internal_error';
    default:
      return unreachable(outcome);
  }
}

function nameFailure(text: string, projectIsWrong: RegExp | undefined): Failure {
  if (memoryEnded.test(text)) return 'out_of_memory';
  return projectIsWrong?.test(text) === true ? 'config_error' : 'tool_crashed';
}

const endBytes = 64 * 1024;

function readEnds(outcome: { readonly stdout: Buffer; readonly stderr: Buffer }): string {
  return [outcome.stderr, outcome.stdout].map((stream) => stream.subarray(-endBytes).toString('utf8')).join('\n');
}
