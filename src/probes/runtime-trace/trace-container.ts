/**
 * One container, traced from its first instruction to its end, and removed however it ended (containers.md §5).
 * podman: created and parked before the program starts; strace attaches from outside; only then is it started. docker cannot park:
 * there a static strace, bound in, starts the program, and the workload could alter the log.
 */

import { join } from 'node:path';
import { makeSharedFile } from '../../kernel/base/follow-file.ts';
import { singleLine, truncate } from '../../kernel/base/text.ts';
import { freeBytes } from '../../kernel/base/write-file.ts';
import type { ContainerRequest, Engine, ImageConfig } from '../../kernel/containers/engine.ts';
import type { Exec, ExecOutcome } from '../../kernel/exec/exec.ts';
import { tailOf } from '../shared/scanners.ts';
import type { FailureReason, TraceMethod } from './runtime-trace-section.ts';
import type { PlannedScenario } from './scenarios.ts';
import type { TraceFacts } from './trace-facts.ts';
import { type RunEnd, type Supervision, supervise, type TraceWatch, watchTrace, within } from './watch-workload.ts';

export type TraceLimits = Pick<Supervision, 'timeoutMs' | 'shutdownMs' | 'maxLogBytes'> & {
  /** Of the disk, for a container that may write its root. No engine bounds that. */
  readonly maxWrittenBytes: number;
};

export type Tracing = {
  readonly engine: Engine;
  readonly method: TraceMethod;
  readonly exec: Exec;
  readonly workspace: string;
  /** A path on the file system that the engine keeps containers on; null where that is unknown. */
  readonly storage: string | null;
  readonly aborted: AbortSignal;
  /** Absolute path of a static strace: for an engine that cannot park a container. */
  readonly staticStrace: string | null;
  readonly image: ImageConfig;
  /** What every container of this gather has in common. */
  readonly container: Pick<ContainerRequest, 'image' | 'runId' | 'memoryMb' | 'pids' | 'cpus'>;
};

/** The trace of a program that was started, however it ended; or why there is none. */
export type TraceRun =
  | {
      readonly kind: 'traced';
      readonly end: RunEnd;
      readonly elapsedMs: number;
      readonly exitCode: number | null;
      readonly facts: TraceFacts;
      readonly calls: number;
      readonly lines: Uint8Array;
      /** Did it meet the read-only root, by its calls or by what it printed? */
      readonly metReadOnly: boolean;
      readonly imageDigest: string | null;
    }
  | { readonly kind: 'failed'; readonly reason: FailureReason };

type AttachedStrace = {
  /** Null once it has attached; else what was wrong. */
  readonly attached: Promise<string | null>;
  readonly ended: Promise<ExecOutcome>;
};

/** On top of a scenario's own time, for an engine that is slow to say that its container has ended. */
const engineGraceS = 60;
const tracerGraceMs = 10_000;

const attachMs = 5_000;
const complaintChars = 200;

const tracedCalls = 'trace=execve,execveat,open,openat,openat2,connect,bind,mmap';

export function traceContainer(
  tracing: Tracing,
  scenario: PlannedScenario,
  readOnly: boolean,
  limits: TraceLimits,
): Promise<TraceRun> {
  return tracing.method === 'host_attach'
    ? traceFromOutside(tracing, scenario, readOnly, limits)
    : traceFromInside(tracing, scenario, readOnly, limits);
}

/** podman can park a container before its program starts; docker has no such step. */
export function methodOf(engine: Pick<Engine, 'kind'>): TraceMethod {
  return engine.kind === 'podman' ? 'host_attach' : 'in_container';
}

export function attachStrace(
  exec: Exec,
  pid: number,
  options: { readonly logFile: string; readonly cwd: string; readonly timeoutS: number },
): AttachedStrace {
  const { promise: said, resolve: sayAttached } = Promise.withResolvers<null>();
  let lastWords = '';
  const ended = exec.runAllowlisted(
    [
      'strace',
      '-f',
      '-y',
      '-s',
      '256',
      '--decode-pids=pidns',
      '-p',
      String(pid),
      '-o',
      options.logFile,
      '-e',
      tracedCalls,
    ],
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

function requestOf(
  tracing: Tracing,
  scenario: PlannedScenario,
  readOnly: boolean,
  limits: TraceLimits,
): ContainerRequest {
  return {
    ...tracing.container,
    name: `codegenie-${tracing.container.runId}-${scenario.name}`,
    entrypoint: scenario.entrypoint,
    command: scenario.command,
    environment: scenario.environment,
    readOnly,
    maxSeconds: Math.ceil(limits.timeoutMs / 1000) + engineGraceS,
  };
}

async function traceFromOutside(
  tracing: Tracing,
  scenario: PlannedScenario,
  readOnly: boolean,
  limits: TraceLimits,
): Promise<TraceRun> {
  const { engine, exec } = tracing;
  const created = await engine.create(requestOf(tracing, scenario, readOnly, limits));
  if (created.kind === 'failed') return startFailed(created.stderrTail);
  const { id } = created;
  try {
    const parked = await engine.init(id);
    if (parked.kind === 'failed') return startFailed(parked.stderrTail);
    const logFile = join(tracing.workspace, `${scenario.name}${readOnly ? '' : '-writable'}.strace`);
    const strace = attachStrace(exec, parked.pid, {
      logFile,
      cwd: tracing.workspace,
      timeoutS: Math.ceil(limits.timeoutMs / 1000) + engineGraceS,
    });
    const complaint = await strace.attached;
    if (complaint !== null) return incomplete(complaint);
    const watch = watchTrace(logFile, parked.pid);
    return await runToEnd(tracing, { id, scenario, readOnly, limits, watch, tracerEnded: strace.ended });
  } finally {
    await engine.remove(id);
  }
}

async function traceFromInside(
  tracing: Tracing,
  scenario: PlannedScenario,
  readOnly: boolean,
  limits: TraceLimits,
): Promise<TraceRun> {
  const { engine, staticStrace, image } = tracing;
  if (staticStrace === null) return { kind: 'failed', reason: { kind: 'strace_unavailable' } };
  // The one file, not its directory: the workload can write no other beside it.
  const logFile = join(tracing.workspace, `${scenario.name}${readOnly ? '' : '-writable'}.strace`);
  await makeSharedFile(logFile);
  const { entrypoint, command } = inContainerArgs(scenario, image);
  const created = await engine.create({
    ...requestOf(tracing, scenario, readOnly, limits),
    entrypoint,
    command,
    volumes: [`${staticStrace}:/.tr/strace:ro`, `${logFile}:/.tr/out/log`],
  });
  if (created.kind === 'failed') return startFailed(created.stderrTail);
  try {
    const never = new Promise<ExecOutcome>(() => {});
    const watch = watchTrace(logFile, 'first');
    return await runToEnd(tracing, { id: created.id, scenario, readOnly, limits, watch, tracerEnded: never });
  } finally {
    await engine.remove(created.id);
  }
}

/** The workload must be the first process of its container to be given a signal; then strace stands beside it and filters less. */
function inContainerArgs(
  scenario: Pick<PlannedScenario, 'entrypoint' | 'command' | 'mode'>,
  image: Pick<ImageConfig, 'entrypoint' | 'cmd'>,
): { readonly entrypoint: readonly string[]; readonly command: readonly string[] } {
  const entrypoint = scenario.entrypoint ?? image.entrypoint;
  const command = scenario.entrypoint === null && scenario.command.length === 0 ? image.cmd : scenario.command;
  const aside = scenario.mode === 'signal' ? '-D' : '--seccomp-bpf';
  return {
    entrypoint: ['/.tr/strace'],
    command: ['-f', '-y', '-s', '256', aside, '-o', '/.tr/out/log', '-e', tracedCalls, '--', ...entrypoint, ...command],
  };
}

type Run = {
  readonly id: string;
  readonly scenario: PlannedScenario;
  readonly readOnly: boolean;
  readonly limits: TraceLimits;
  readonly watch: TraceWatch;
  readonly tracerEnded: Promise<ExecOutcome>;
};

async function runToEnd(tracing: Tracing, of: Run): Promise<TraceRun> {
  const { engine } = tracing;
  const { id, limits, watch, tracerEnded } = of;
  const wroteTooMuch = of.readOnly ? async () => false : await watchDisk(tracing.storage, limits.maxWrittenBytes);
  let saidReadOnly = false;
  const run = engine.startAndWait(id, {
    timeoutS: Math.ceil(limits.timeoutMs / 1000) + engineGraceS,
    onLine: (line) => {
      saidReadOnly ||= line.includes('EROFS') || line.includes('Read-only file system');
    },
  });
  try {
    const supervised = await supervise({
      scenario: of.scenario,
      watch,
      ended: run,
      tracerEnded,
      ...limits,
      wroteTooMuch,
      send: (signal) => engine.signal(id, signal),
      aborted: tracing.aborted,
    });
    const { elapsedMs } = supervised;
    const asked = await askHowItEnded(engine, id, supervised.end);
    const isWhole = tracing.method !== 'host_attach' || (await endedWell(tracerEnded));
    const { end, exitCode } = isWhole || !isShown(asked.end) ? asked : { end: 'untraced' as const, exitCode: null };
    const facts = await watch.finish();
    if (!watch.hasStarted) return notStarted(await run, end, elapsedMs);
    const imageDigest = await engine.imageOfContainer(id);
    return {
      kind: 'traced',
      end,
      elapsedMs,
      exitCode,
      facts,
      calls: watch.calls,
      lines: watch.lines(),
      metReadOnly: watch.metReadOnly || saidReadOnly,
      imageDigest,
    };
  } finally {
    await watch.discard();
  }
}

/** A tracer ends with what it traces; one that was killed, or does not end, has not seen all of it. */
async function endedWell(tracerEnded: Promise<ExecOutcome>): Promise<boolean> {
  if (!(await within(tracerEnded, tracerGraceMs))) return false;
  const outcome = await tracerEnded;
  return outcome.kind === 'exited' && outcome.code === 0;
}

/** An end after which a scenario may count as shown; the others have a reason of their own. */
function isShown(end: RunEnd): boolean {
  return end === 'exit' || end === 'signal' || end === 'ready' || end === 'unresponsive';
}

/** What others write meanwhile counts too: the limit is far above what a program needs, and far below what a disk has. */
async function watchDisk(storage: string | null, maxBytes: number): Promise<() => Promise<boolean>> {
  const before = storage === null ? null : await freeBytes(storage);
  if (storage === null || before === null) return async () => false;
  return async () => before - ((await freeBytes(storage)) ?? before) > maxBytes;
}

/** A client that is gone, for one that its container wrote too much to, says nothing about the container. */
async function askHowItEnded(
  engine: Engine,
  id: string,
  end: RunEnd,
): Promise<{ readonly end: RunEnd; readonly exitCode: number | null }> {
  if (end !== 'exit' && end !== 'signal') return { end, exitCode: null };
  const exitCode = await engine.exitCode(id);
  if (exitCode !== null) return { end, exitCode };
  await engine.signal(id, 'KILL');
  return { end: 'untraced', exitCode };
}

function notStarted(outcome: ExecOutcome, end: RunEnd, elapsedMs: number): TraceRun {
  if (end === 'timeout') return { kind: 'failed', reason: { kind: 'scenario_timeout', elapsed_ms: elapsedMs } };
  if (end === 'untraced') return incomplete('strace ended before the program began');
  return startFailed('stderr' in outcome ? tailOf(outcome.stderr) : outcome.kind);
}

function startFailed(stderrTail: string): TraceRun {
  return { kind: 'failed', reason: { kind: 'container_start_failed', stderr_tail: tailOf(stderrTail) } };
}

function incomplete(detail: string): TraceRun {
  return { kind: 'failed', reason: { kind: 'trace_incomplete', detail } };
}
