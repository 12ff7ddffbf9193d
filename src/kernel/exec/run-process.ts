/**
 * One process from start to reaped (gather.md §5, rules 4 to 6). Promises:
 * - no shell; standard input is /dev/null, the given bytes, or a pipe that is written to while the process runs;
 * - the child leads its own group, and when this resolves nothing of that group is left (or 2 s after SIGKILL, whatever is left);
 * - memory is bounded: streams keep their tail, lines are cut.
 *
 * Over its cap a stream keeps its tail and the process goes on: the end of a long output is the part that says what went wrong.
 * A process that never stops writing is the "overflow" of rule 5: past `overflowBytes` on one stream its group is ended.
 *
 * Below: the groups that are alive, the lines of a stream, and the tail of a stream.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { assert } from '../base/assert.ts';
import { limits } from '../base/limits.ts';
import {
  beginWork,
  hasLiveMember,
  killProcess,
  listDescendants,
  processStart,
  sleepingTicks,
  type TreeProcess,
} from '../base/processes.ts';
import { decodeLenient } from '../base/text.ts';
import type { ExecOutcome, OnInput, OnStart } from './exec.ts';

type StreamName = 'stdout' | 'stderr';

export type ProcessRequest = {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutS: number;
  /** Shorter than that, for a process that has slept so long without a word: it waits for what does not come, such as a pipe's other end. */
  readonly stallMs?: number | undefined;
  readonly maxStdoutBytes: number;
  readonly signal: AbortSignal;
  readonly stdin?: Uint8Array | undefined;
  /** Standard input stays open; this function gets what writes to it. */
  readonly onInput?: OnInput | undefined;
  /** Longer lines are cut; 1 MiB unless said otherwise. */
  readonly maxLineBytes?: number | undefined;
  readonly onLine?: ((line: string, stream: StreamName) => void) | undefined;
  readonly onTruncated?: (stream: StreamName) => void;
  readonly onStart?: OnStart | undefined;
  readonly groups: ProcessGroups;
};

export type ProcessOutcome =
  | Extract<ExecOutcome, { kind: 'exited' | 'signalled' | 'timed_out' | 'cancelled' }>
  /** The system would not start it: `ENOENT`, `EACCES`, `E2BIG`, … */
  | { readonly kind: 'not_started'; readonly errno: string };

const overflowBytes = 1024 ** 3;
const maxLineBytes = 1024 ** 2;
const stderrTailBytes = 4096;
const pollMs = 20;
/** Longest delay a timer takes. */
const maxTimerMs = 2 ** 31 - 1;

export function runProcess(request: ProcessRequest): Promise<ProcessOutcome> {
  assert(request.timeoutS > 0, 'every process has a timeout');
  if (request.signal.aborted) return Promise.resolve({ kind: 'cancelled' });
  const startedMs = performance.now();
  beginWork();
  let child: ChildProcess;
  try {
    child = spawn(request.file, request.args, {
      cwd: request.cwd,
      env: { ...request.environment },
      stdio: [request.stdin === undefined && request.onInput === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
      shell: false,
    });
  } catch (error) {
    return Promise.resolve(notStarted(error));
  }
  const id = child.pid;
  if (id === undefined) return new Promise((resolve) => child.once('error', (error) => resolve(notStarted(error))));
  return followProcess(request, child, id, startedMs);
}

function notStarted(error: unknown): ProcessOutcome {
  return { kind: 'not_started', errno: (error as NodeJS.ErrnoException).code ?? 'unknown' };
}

/** Why a group was ended; `leftover` and `overflow` do not replace what the leader's own exit says. */
type Ending = 'timed_out' | 'cancelled' | 'overflow' | 'leftover';

function followProcess(
  request: ProcessRequest,
  child: ChildProcess,
  id: number,
  startedMs: number,
): Promise<ProcessOutcome> {
  const { promise, resolve, reject } = Promise.withResolvers<ProcessOutcome>();
  const stdout = createTailBuffer(request.maxStdoutBytes);
  const stderr = createTailBuffer(limits.stdoutBytes);
  let ending: Ending | undefined;
  let below: readonly TreeProcess[] = [];
  let exit: { readonly code: number | null; readonly signal: NodeJS.Signals | null } | undefined;
  let killed = false;
  let stalled = false;
  let settled = false;
  let thrown: { readonly error: unknown } | undefined;
  const timers = new Set<NodeJS.Timeout>();
  const after = (ms: number, then: () => void) => void timers.add(setTimeout(then, ms));
  // Timers run before input: when this process was busy for a while, what has arrived meanwhile is heard first.
  const afterHearing = (ms: number, then: () => void) => after(ms, () => setImmediate(() => settled || then()));

  const end = (why: Ending): void => {
    if (ending !== undefined) return;
    // The leader was done in time; only what it left behind is being ended.
    ending = exit === undefined ? why : 'leftover';
    // A sandbox is a session of its own: what runs inside is no member of the group, only its descendant.
    if (ending !== 'leftover') below = listDescendants(id);
    signalGroup(id, 'SIGTERM');
    after(limits.killGraceMs, () => {
      killed = true;
      killAll();
      after(limits.reapMs, settle);
    });
  };
  const cancel = () => end('cancelled');
  const listBelow = () => below.filter((process) => processStart(process.pid) === process.start);
  const killAll = (): void => {
    signalGroup(id, 'SIGKILL');
    for (const { pid } of listBelow()) killProcess(pid);
  };

  const outcome = (): ProcessOutcome => {
    const ms = Math.round(performance.now() - startedMs);
    if (ending === 'timed_out') {
      const tail = stderrTail(stderr);
      return {
        kind: 'timed_out',
        elapsedMs: ms,
        stderrTail: stalled && tail === '' ? 'it waits for what does not come' : tail,
      };
    }
    if (ending === 'cancelled') return { kind: 'cancelled' };
    const truncated = { stdout: stdout.truncated, stderr: stderr.truncated };
    const streams = { stdout: stdout.finish(), stderr: stderr.finish(), truncated, ms };
    const signal = exit === undefined ? 'SIGKILL' : exit.signal;
    return signal === null
      ? { kind: 'exited', code: exit?.code ?? 0, ...streams }
      : { kind: 'signalled', signal, ...streams };
  };

  const settle = (): void => {
    if (settled) return;
    settled = true;
    release();
    for (const timer of timers) clearTimeout(timer);
    request.signal.removeEventListener('abort', cancel);
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
    if (thrown === undefined) resolve(outcome());
    else reject(thrown.error);
  };

  /** The leader is reaped; members that were orphaned send no event, so they are polled. */
  const settleWhenGroupIsGone = (): void => {
    if (settled || (!isGroupAlive(id) && listBelow().length === 0)) {
      settle();
      return;
    }
    end('leftover');
    if (killed) killAll();
    after(pollMs, settleWhenGroupIsGone);
  };

  const watchSleep = (stallMs: number): void => {
    let last: string | undefined;
    let sinceMs = 0;
    const look = (): void => {
      if (settled || exit !== undefined) return;
      const ticks = sleepingTicks(id);
      const now = ticks === undefined ? undefined : `${ticks} ${stdout.seen} ${stderr.seen}`;
      if (now === undefined || now !== last) sinceMs = performance.now();
      last = now;
      stalled = performance.now() - sinceMs >= stallMs;
      if (stalled) end('timed_out');
      else afterHearing(stallMs / 4, look);
    };
    afterHearing(stallMs / 4, look);
  };

  const guarded = (deliver: () => void): void => {
    if (thrown !== undefined) return;
    try {
      deliver();
    } catch (error) {
      // A bug of the caller's: the process is ended first, then the caller gets its error back.
      thrown = { error };
      end('cancelled');
    }
  };

  const follow = (name: StreamName, buffer: TailBuffer): void => {
    const splitter =
      request.onLine &&
      createLineSplitter((line) => request.onLine?.(line, name), request.maxLineBytes ?? maxLineBytes);
    child[name]?.on('data', (chunk: Buffer) => {
      const wasTruncated = buffer.truncated;
      buffer.push(chunk);
      if (buffer.truncated && !wasTruncated) request.onTruncated?.(name);
      if (splitter) guarded(() => splitter.push(chunk));
      if (buffer.seen > Math.max(overflowBytes, request.maxStdoutBytes)) end('overflow');
    });
    child[name]?.on('end', () => splitter && guarded(() => splitter.end()));
    // A pipe that breaks is one that ends.
    child[name]?.on('error', () => {});
  };

  follow('stdout', stdout);
  follow('stderr', stderr);
  const release = request.groups.add({ id, end: cancel, settled: promise });
  request.signal.addEventListener('abort', cancel);
  guarded(() => request.onStart?.({ id, start: processStart(id) }));
  afterHearing(Math.min(request.timeoutS * 1000, maxTimerMs), () => end('timed_out'));
  if (request.stallMs !== undefined) watchSleep(request.stallMs);
  child.once('exit', (code, signal) => {
    exit = { code, signal };
    // The pipes of a leader that is gone may be held open by what it started, even by what has left the group.
    afterHearing(limits.killGraceMs, settleWhenGroupIsGone);
  });
  child.once('close', settleWhenGroupIsGone);
  // A message about a signal that could not be sent; what matters is seen in the exit.
  child.on('error', () => {});
  // A child that does not read its input to the end is its own affair.
  child.stdin?.on('error', () => {});
  if (request.stdin !== undefined) child.stdin?.end(request.stdin);
  guarded(() =>
    request.onInput?.({ write: (text) => void child.stdin?.write(text), end: () => void child.stdin?.end() }),
  );
  return promise;
}

function stderrTail(stderr: TailBuffer): string {
  return decodeLenient(stderr.finish().subarray(-stderrTailBytes));
}

type ProcessGroup = {
  /** Id of the group, which is the pid of its leader. */
  readonly id: number;
  /** Begins SIGTERM, grace, SIGKILL. */
  readonly end: () => void;
  /** Resolves when nothing of the group is left, or nothing more can be done. */
  readonly settled: Promise<unknown>;
};

type ProcessGroups = {
  /** The answer takes the group off the list again: from then on its id may belong to another. */
  add(group: ProcessGroup): () => void;
  list(): readonly number[];
  endAll(): Promise<void>;
};

const alive = new Set<number>();
let killsOnExit = false;

/**
 * The process groups that are alive. Groups are ended by the id held here, never by name, and none outlives this process: if it exits
 * with groups left, they are killed on the way out.
 */
export function createProcessGroups(): ProcessGroups {
  const groups = new Set<ProcessGroup>();
  return {
    add(group) {
      groups.add(group);
      alive.add(group.id);
      if (!killsOnExit) process.on('exit', killEveryGroup);
      killsOnExit = true;
      return () => {
        groups.delete(group);
        alive.delete(group.id);
      };
    },
    list: () => [...groups].map((group) => group.id).sort((a, b) => a - b),
    async endAll() {
      const all = [...groups];
      for (const group of all) group.end();
      await Promise.allSettled(all.map((group) => group.settled));
    },
  };
}

/** False when no process is left to signal. Windows has no groups: there the leader alone is signalled. */
export function signalGroup(id: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(process.platform === 'win32' ? id : -id, signal);
    return true;
  } catch (error) {
    // EPERM: a process is there and has changed user; ESRCH: none is.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Does any process of the group still run? An orphan that has ended stays a zombie until the machine's first process reaps it,
 * in some containers forever; a zombie can be signalled but does nothing, so it counts as gone.
 */
export function isGroupAlive(id: number): boolean {
  if (!signalGroup(id, 0)) return false;
  if (process.platform !== 'linux') return true;
  return hasLiveMember(id);
}

function killEveryGroup(): void {
  for (const id of alive) signalGroup(id, 'SIGKILL');
}

type LineSplitter = { push(chunk: Buffer): void; end(): void };

const newline = 0x0a;
const carriageReturn = 0x0d;

/** Lines of a byte stream as they complete. A line longer than `maxLineBytes` is delivered cut, so no tool can fill memory. */
export function createLineSplitter(onLine: (line: string) => void, maxLineBytes: number): LineSplitter {
  let pending: Buffer[] = [];
  let pendingBytes = 0;

  const keep = (part: Buffer): void => {
    const room = maxLineBytes - pendingBytes;
    if (room <= 0 || part.length === 0) return;
    // Copied: a small part must not keep the stream's whole read buffer alive.
    const copy = Buffer.from(part.subarray(0, room));
    pending.push(copy);
    pendingBytes += copy.length;
  };
  const deliver = (): void => {
    const line = pending.length === 1 ? (pending[0] as Buffer) : Buffer.concat(pending);
    pending = [];
    pendingBytes = 0;
    onLine(line.toString('utf8', 0, line.at(-1) === carriageReturn ? line.length - 1 : line.length));
  };

  return {
    push(chunk) {
      let start = 0;
      for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, start)) {
        keep(chunk.subarray(start, at));
        deliver();
        start = at + 1;
      }
      keep(chunk.subarray(start));
    },
    end() {
      if (pendingBytes > 0) deliver();
    },
  };
}

export const truncationMark = Buffer.from('...[TRUNCATED]...');

type TailBuffer = {
  push(chunk: Uint8Array): void;
  /** Bytes seen so far, kept or not. */
  readonly seen: number;
  readonly truncated: boolean;
  /** A cap shorter than the mark holds the beginning of the mark. */
  finish(): Buffer;
};

const firstAllocation = 4096;

/**
 * A stream's memory: at most `cap` bytes however much arrives (gather.md §5, rule 6). Up to the cap everything is kept; over it the tail
 * is, after a mark, and the total is exactly the cap.
 */
export function createTailBuffer(cap: number): TailBuffer {
  let seen = 0;
  // A ring of `ring.length` bytes; it grows by doubling until it has reached the cap, and only then wraps.
  let ring = Buffer.alloc(0);

  const push = (chunk: Uint8Array): void => {
    const before = seen;
    seen += chunk.length;
    if (ring.length < cap && seen > ring.length) grow(seen, before);
    if (ring.length === 0) return;
    const kept = chunk.length > ring.length ? chunk.subarray(chunk.length - ring.length) : chunk;
    const at = (seen - kept.length) % ring.length;
    const beforeWrap = Math.min(kept.length, ring.length - at);
    ring.set(kept.subarray(0, beforeWrap), at);
    ring.set(kept.subarray(beforeWrap), 0);
  };

  const grow = (wanted: number, used: number): void => {
    const grown = Buffer.allocUnsafe(Math.min(cap, Math.max(wanted, ring.length * 2, firstAllocation)));
    ring.copy(grown, 0, 0, used);
    ring = grown;
  };

  const finish = (): Buffer => {
    if (seen <= cap) return ring.subarray(0, seen);
    const mark = truncationMark.subarray(0, cap);
    const start = seen % cap;
    const inOrder = Buffer.concat([ring.subarray(start), ring.subarray(0, start)]);
    return Buffer.concat([mark, inOrder.subarray(mark.length)]);
  };

  return {
    push,
    finish,
    get seen() {
      return seen;
    },
    get truncated() {
      return seen > cap;
    },
  };
}
