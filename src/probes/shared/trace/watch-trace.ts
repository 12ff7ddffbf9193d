/**
 * A trace while it is being written: the workload's facts so far, its lines for the raw artifact, and whether it is ready.
 * The log is read once, as it grows, so that nothing is left to do when the container ends; memory is bounded by the caps here.
 */

import { followFile } from '../../../kernel/base/follow-file.ts';
import { createFactCollector } from './parse-strace.ts';
import { followWorkload } from './select-workload.ts';
import type { TraceFacts } from './trace-facts.ts';

/** Of each scenario's lines the first; the facts are of all of them. */
const keptBytes = 2 * 1024 ** 2;
/** What is read at a time, so that a log that grows faster than it is read cannot keep anybody from looking at the clock. */
const readBytes = 8 * 1024 ** 2;

export type TraceWatch = {
  /** Reads on for a while. */
  poll(): Promise<void>;
  /** Reads to the end: nobody writes any more. */
  finish(): Promise<TraceFacts>;
  /** Ends it, and removes the log: many scenarios must not add up. */
  discard(): Promise<void>;
  size(): Promise<number>;
  /** The workload's lines, halves joined. */
  lines(): Uint8Array;
  readonly hasStarted: boolean;
  readonly calls: number;
  readonly execs: number;
  readonly isListening: boolean;
  readonly metReadOnly: boolean;
};

export function watchTrace(logFile: string, attached: number | 'first'): TraceWatch {
  const collector = createFactCollector();
  const kept: string[] = [];
  let keptSoFar = 0;
  let leftOut = 0;
  const selection = followWorkload(attached, (pid, call) => {
    collector.add(pid, call);
    keptSoFar += call.length + 12;
    if (keptSoFar <= keptBytes) kept.push(`${pid} ${call}`);
    else leftOut += 1;
  });
  const follower = followFile(logFile, selection.push);

  return {
    poll: () => follower.readOn(readBytes),
    async finish() {
      // Bounded all the same, should there be a writer left.
      await follower.readOn(readBytes);
      await follower.readOn(await follower.size());
      selection.end();
      return collector.finish();
    },
    discard: () => follower.discard(),
    size: () => follower.size(),
    lines() {
      const more = leftOut === 0 ? [] : [`# ${leftOut} further lines are not shown`];
      return Buffer.from(`${[...kept, ...more].join('\n')}\n`, 'latin1');
    },
    get hasStarted() {
      return selection.started;
    },
    get calls() {
      return collector.calls;
    },
    get execs() {
      return collector.execs;
    },
    get isListening() {
      return collector.isListening;
    },
    get metReadOnly() {
      return collector.metReadOnly;
    },
  };
}
