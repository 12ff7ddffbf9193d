/**
 * A workload while it runs. `watchTrace` reads its log once, as it grows, so that nothing is left to do when the container ends; memory is
 * bounded by the caps here. `supervise` decides when the container has shown what its scenario asks for, and ends it: ready, out of time, or
 * out of bounds. No container can stop the clock; the engine ends it, for killing a client or a tracer ends neither.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { followFile } from '../../kernel/base/follow-file.ts';
import type { PlannedScenario } from './scenarios.ts';
import { followWorkload } from './strace-log.ts';
import { createFactCollector, type TraceFacts } from './trace-facts.ts';

/** How the run came to its end; `exit` is the program's own doing. */
export type RunEnd =
  | 'exit'
  | 'ready'
  | 'signal'
  | 'unresponsive'
  | 'unsignalled'
  | 'timeout'
  | 'log_too_large'
  | 'wrote_too_much'
  | 'untraced'
  | 'cancelled';

export type Supervision = {
  readonly scenario: Pick<PlannedScenario, 'mode' | 'signal' | 'readyAfterS'>;
  readonly watch: TraceWatch;
  /** Settles when the container has ended. */
  readonly ended: Promise<unknown>;
  /** Settles when the tracer has ended: with its workload, or too early. */
  readonly tracerEnded: Promise<unknown>;
  readonly timeoutMs: number;
  /** From the signal to the end it asks for. */
  readonly shutdownMs: number;
  readonly maxLogBytes: number;
  /** Has it used more of the disk than it may? Asked now and then. */
  readonly wroteTooMuch: () => Promise<boolean>;
  /** Was it sent? */
  readonly send: (signal: string) => Promise<boolean>;
  readonly aborted: AbortSignal;
};

/** The workload's facts so far, its lines for the raw artifact, and whether it is ready. */
export type TraceWatch = {
  /** Reads on for a while. */
  poll(): Promise<void>;
  /** Reads to the end, once the writer is gone. */
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

const pollMs = 50;
/** A service that has bound its port and starts nothing more for this long is up. */
const quietMs = 1000;
/** After a KILL; what is not gone then is removed by force. */
const killMs = 15_000;

/** Of each scenario's lines the first; the facts are of all of them. */
const keptBytes = 2 * 1024 ** 2;
/** Read at a time: a log that grows faster than it is read cannot hold up the clock. */
const readBytes = 8 * 1024 ** 2;

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

export async function supervise(of: Supervision): Promise<{ readonly end: RunEnd; readonly elapsedMs: number }> {
  const { scenario, watch, timeoutMs, shutdownMs, maxLogBytes } = of;
  const startedMs = performance.now();
  const elapsed = (): number => Math.round(performance.now() - startedMs);
  const isOver = flagOf(of.ended);
  const isUntraced = flagOf(of.tracerEnded);
  const readiness = createReadiness(watch, scenario.readyAfterS * 1000);
  let signalledMs: number | undefined;

  const kill = async (end: RunEnd): Promise<{ readonly end: RunEnd; readonly elapsedMs: number }> => {
    const elapsedMs = elapsed();
    if (!isOver()) {
      await of.send('KILL');
      await within(of.ended, killMs);
    }
    return { end, elapsedMs };
  };

  for (;;) {
    await watch.poll();
    if (isOver()) return { end: signalledMs === undefined ? 'exit' : 'signal', elapsedMs: elapsed() };
    if (of.aborted.aborted) return kill('cancelled');
    // The tracer ends with what it traces, a moment before the engine says so.
    if (isUntraced() && !(await within(of.ended, quietMs * 5))) return kill('untraced');
    if ((await watch.size()) > maxLogBytes) return kill('log_too_large');
    if (await of.wroteTooMuch()) return kill('wrote_too_much');
    const nowMs = elapsed();
    if (nowMs >= timeoutMs) return kill('timeout');
    if (signalledMs !== undefined) {
      if (nowMs - signalledMs >= shutdownMs) return kill('unresponsive');
    } else if (scenario.mode !== 'run_to_exit' && readiness(nowMs)) {
      if (scenario.mode === 'until_ready') return kill('ready');
      if (await of.send(scenario.signal)) signalledMs = nowMs;
      // It may have ended by itself just now; else no signal arrived, and how it ends is not seen.
      else if (!(await within(of.ended, quietMs))) return kill('unsignalled');
    }
    await within(of.ended, pollMs);
  }
}

/** Waits for `promise`, at most so long; says whether it came. */
export async function within(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const timer = new AbortController();
  const late = delay(ms, false, { signal: timer.signal }).catch(() => false);
  const came = promise.then(
    () => true,
    () => true,
  );
  const first = await Promise.race([came, late]);
  timer.abort();
  return first;
}

/** *Ready*: a port is bound and for a second nothing was started; or it has lived for as long as that takes. */
function createReadiness(watch: TraceWatch, readyAfterMs: number): (nowMs: number) => boolean {
  let execs = -1;
  let quietSinceMs: number | undefined;
  return (nowMs) => {
    if (watch.isListening && (quietSinceMs === undefined || watch.execs !== execs)) {
      quietSinceMs = nowMs;
      execs = watch.execs;
    }
    return nowMs >= readyAfterMs || (quietSinceMs !== undefined && nowMs - quietSinceMs >= quietMs);
  };
}

function flagOf(promise: Promise<unknown>): () => boolean {
  let settled = false;
  const settle = () => {
    settled = true;
  };
  promise.then(settle, settle);
  return () => settled;
}
