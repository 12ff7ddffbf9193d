/**
 * Which lines of a trace are the workload's, and which the engine's (probes.md, runtime_trace, parser).
 *
 * Attached to the parked runtime: the workload begins with the attached process's first successful exec of a program; every pid
 * seen before is a thread of the runtime. Whether a pid belongs is known when its first line comes, so the log can be read while
 * it grows. A log of the whole engine is separated by its `pivot_root`, in two passes, for a child's lines may stand before the
 * line that says whose child it is.
 */

import { type CallJoiner, createCallJoiner, splitTraceLine, type TraceLine } from './trace-line.ts';

export type OnCall = (pid: number, call: string) => void;

/** The workload's calls, halves joined, from a log that holds the engine's as well; `pid` null where nobody attached to one process. */
export function selectWorkload(lines: readonly string[], pid: number | null): readonly string[] {
  const kept: string[] = [];
  const keep: OnCall = (of, call) => void kept.push(`${of} ${call}`);
  if (pid === null) selectFromEngineLog(lines, keep);
  else {
    const selection = followWorkload(pid, keep);
    for (const line of lines) selection.push(line);
    selection.end();
  }
  return kept;
}

export type WorkloadSelection = {
  push(line: string): void;
  /** Gives what was begun and never ended; called once, after the last line. */
  end(): void;
  /** Has the program itself been started? */
  readonly started: boolean;
};

/** One line after the other. With `first`, the log begins with the workload: whoever is in its first line is attached to. */
export function followWorkload(attached: number | 'first', onCall: OnCall): WorkloadSelection {
  const joiner = createCallJoiner();
  const runtime = new Set<number>();
  let leader = attached === 'first' ? undefined : attached;
  let started = false;

  const isStart = (pid: number, call: string): boolean => pid === leader && isProgramStart(call);
  const push = (text: string): void => {
    const line = splitTraceLine(text);
    if (line === undefined) return;
    const { pid, body } = line;
    leader ??= pid;
    if (started && runtime.has(pid)) return;
    if (!started && pid !== leader) runtime.add(pid);
    const call = joiner.push(pid, body);
    if (call === null) return;
    if (!started && isStart(pid, call)) {
      started = true;
      joiner.clear();
    }
    if (started) onCall(pid, call);
  };
  return {
    push,
    end() {
      if (started) for (const { pid, body } of joiner.listUnfinished()) onCall(pid, body);
    },
    get started() {
      return started;
    },
  };
}

/** The runtime starts itself again through `/proc/self/exe`; that is not the program. */
function isProgramStart(call: string): boolean {
  return isExec(call) && succeeded(call) && !call.startsWith('execve("/proc/self/exe"');
}

export function isExec(call: string): boolean {
  return call.startsWith('execve(') || call.startsWith('execveat(');
}

/** Did a call that answers 0 answer 0? */
export function succeeded(call: string): boolean {
  return call.endsWith(' = 0');
}

type Ordered = { readonly at: number; readonly pid: number; readonly call: string };

/** Pass 1 finds the container's first process and whose child everybody is; pass 2 keeps it and its descendants. */
function selectFromEngineLog(lines: readonly string[], onCall: OnCall): void {
  const calls = joinAll(lines);
  const start = findContainerStart(calls);
  if (start === undefined) return;
  const children = new Map<number, Ordered[]>();
  for (const { at, pid, call } of calls) {
    const child = childOf(call);
    if (child === undefined) continue;
    const known = children.get(pid) ?? [];
    known.push({ at, pid: child, call });
    children.set(pid, known);
  }
  const members = new Set([start.pid]);
  for (const pid of members) {
    for (const child of children.get(pid) ?? []) {
      // What the runtime forked before it became the program is the runtime's.
      if (pid !== start.pid || child.at > start.at) members.add(child.pid);
    }
  }
  for (const { at, pid, call } of calls) {
    if (members.has(pid) && (pid !== start.pid || at >= start.at)) onCall(pid, call);
  }
}

function joinAll(lines: readonly string[]): Ordered[] {
  const joiner: CallJoiner = createCallJoiner();
  const calls: Ordered[] = [];
  lines.forEach((text, at) => {
    const line: TraceLine | undefined = splitTraceLine(text);
    const call = line === undefined ? null : joiner.push(line.pid, line.body);
    if (line !== undefined && call !== null) calls.push({ at, pid: line.pid, call });
  });
  for (const { pid, body } of joiner.listUnfinished()) calls.push({ at: lines.length, pid, call: body });
  return calls;
}

function findContainerStart(calls: readonly Ordered[]): Ordered | undefined {
  const pivots = calls.filter(({ call }) => call.startsWith('pivot_root(') && succeeded(call));
  for (const pivot of pivots) {
    const start = calls.find((one) => one.pid === pivot.pid && one.at > pivot.at && isProgramStart(one.call));
    if (start !== undefined) return start;
  }
  return undefined;
}

/** The pid that a fork gave. In a namespace of its own the child has another one, and strace says ours in a comment. */
function childOf(call: string): number | undefined {
  if (!/^(?:clone3?|v?fork)\(/.test(call)) return undefined;
  const result = call.slice(call.lastIndexOf(') '));
  const inOurs = /\/\* (\d+) in strace's PID NS/.exec(result) ?? / = (\d+)(?: |$)/.exec(result);
  return inOurs?.[1] === undefined ? undefined : Number(inOurs[1]);
}
