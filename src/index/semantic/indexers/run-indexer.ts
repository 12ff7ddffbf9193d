/**
 * One run of an indexer, from an empty job dir to an output file or a named failure (code-plane.md §6.1, §6.3). Promises:
 * - the tool has its own HOME and temporary directory below the job dir, no network, and in the sandbox sees the repository read-only;
 * - on abort, time-out, too much memory or too much output its whole group is ended before this resolves (R26);
 * - nothing that a tool prints, however much, is kept beyond its last lines, redacted and without control characters;
 * - a run that does nothing at all waits for what does not come, such as the writer of a pipe: where the tool knows how to be careful, it
 *   is begun again so, once;
 * - exit 0 without a file is `no_output`; whether the file says anything is for its reader to judge.
 */

import { lstatSync, mkdirSync, readFileSync, statfsSync, symlinkSync, writeFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { assert } from '../../../kernel/base/assert.ts';
import { limits } from '../../../kernel/base/limits.ts';
import { measureTree } from '../../../kernel/base/processes.ts';
import { decodeLenient, stripControls } from '../../../kernel/base/text.ts';
import type { Exec, ExecOutcome, OnLine } from '../../../kernel/exec/exec.ts';
import { findTool } from '../../../kernel/exec/tools.ts';
import { redactString } from '../../../kernel/secrets/redact-string.ts';
import type {
  IndexerAdapter,
  IndexerContext,
  Invocation,
  ProgramRoots,
} from '../../../languages/indexers/indexer-adapter.ts';
import type { Failure, ProbeState } from '../../../languages/projects/context-spec.ts';

export type RunOptions = {
  readonly exec: Exec;
  /** Realpath of the analysed repository. */
  readonly repoRoot: string;
  /** Empty, private (`makeJobDir`); removing it is the caller's. */
  readonly jobDir: string;
  readonly maxFileMb: number;
  readonly probe: IndexerProbe;
  /** As in `PlanWorld`; without it all. */
  readonly scope?: readonly string[] | null;
  /** As in `PlanWorld`. */
  readonly roots?: ProgramRoots | null;
  readonly signal: AbortSignal;
  readonly onLine?: OnLine;
  /** Id and start time of the process group, for the process that has to end it if this one cannot. */
  readonly onStart?: (pgid: number, startTime: string) => void;
  /** For tests; otherwise the adapter's and the ones below. */
  readonly timeoutMs?: number;
  readonly memoryMb?: number;
  readonly maxOutputBytes?: number;
  readonly maxJobBytes?: number;
  /** After how many looks at a run that does nothing it is known to wait. */
  readonly stillLooks?: number;
};

const MiB = 1024 ** 2;
const watchEveryMs = 500;
/** Past this share of its memory a context's next run is a thrifty one. */
const thriftyShare = 0.7;

/** A process that works, or waits for its disk, is seen to have done something within as many looks. */
const usualStillLooks = 6;

/** Contexts whose last run here came near its limit. */
const strained = new Set<string>();
/** Contexts that a run here had to wait for something in that did not come. */
const obstructed = new Set<string>();

export async function runIndexer(
  adapter: IndexerAdapter,
  context: IndexerContext,
  options: RunOptions,
): Promise<IndexerRun> {
  const { probe, signal } = options;
  if (signal.aborted) return { kind: 'cancelled' };
  if (probe.state !== 'ok') return { kind: 'failed', failure: probe.state, detail: probe.detail ?? '', ms: 0 };
  const key = contextKey(options, context);
  if (!obstructed.has(key)) {
    const run = await runOnce(adapter, context, options, false);
    if (run !== 'waits') return run;
    obstructed.add(key);
  }
  const run = await runOnce(adapter, context, options, true);
  assert(run !== 'waits', 'who is careful is not begun again');
  return run;
}

async function runOnce(
  adapter: IndexerAdapter,
  context: IndexerContext,
  options: RunOptions,
  careful: boolean,
): Promise<IndexerRun | 'waits'> {
  const { exec, jobDir, repoRoot, probe, signal } = options;
  const thrifty = strained.has(contextKey(options, context));
  const { maxFileMb, scope = null, roots = null } = options;
  const world = { repoRoot, jobDir, maxFileMb, environment: probe.environment, scope, roots, thrifty, careful };
  const invocation = adapter.plan(context, world);
  const prepared = prepareJobDir(jobDir, invocation, adapter.describe?.(world) ?? {});
  if (prepared !== undefined) return { kind: 'failed', failure: 'io_error', detail: prepared, ms: 0 };

  const memoryMb = limitMemory(options.memoryMb ?? adapter.memoryMb);
  const watch = watchRun(invocation.output, jobDir, {
    memoryBytes: memoryMb * MiB * 1.25,
    outputBytes: options.maxOutputBytes ?? limits.scipBytes,
    jobBytes: options.maxJobBytes ?? limits.jobDirBytes,
    stillLooks: adapter.canBeCareful !== true || careful ? null : (options.stillLooks ?? usualStillLooks),
  });
  const startedMs = performance.now();
  let outcome: ExecOutcome;
  try {
    outcome = await exec.runExternalCli([adapter.tool, ...invocation.args], {
      cwd: invocation.cwd,
      timeoutS: (options.timeoutMs ?? adapter.timeoutMs) / 1000,
      envExtra: {
        HOME: join(jobDir, 'home'),
        TMPDIR: join(jobDir, 'tmp'),
        XDG_CACHE_HOME: join(jobDir, 'home/.cache'),
        ...invocation.env,
      },
      memoryMb,
      maxStdoutBytes: limits.stdoutBytes,
      signal: AbortSignal.any([signal, watch.signal]),
      readable: invocation.readable,
      mustBeSandboxed: adapter.executesRepoCode || invocation.mustBeSandboxed === true,
      writable: [jobDir],
      onStart: ({ id, start }) => {
        watch.begin(id);
        options.onStart?.(id, start);
      },
      ...(options.onLine === undefined ? {} : { onLine: options.onLine }),
    });
  } finally {
    watch.end();
  }
  const ms = Math.round(performance.now() - startedMs);
  if (watch.peakBytes() > memoryMb * MiB * thriftyShare) strained.add(contextKey(options, context));
  const exceeded = watch.exceeded();
  if (watch.waits() && exceeded === undefined && !signal.aborted) return 'waits';
  if (outcome.kind === 'cancelled') {
    return exceeded === undefined ? { kind: 'cancelled' } : { kind: 'failed', ...exceeded, ms };
  }
  if (exceeded !== undefined) return { kind: 'failed', ...exceeded, ms };
  const judged = adapter.classifyExit(outcome);
  if (judged !== 'ok') return { kind: 'failed', failure: judged, detail: describe(adapter, outcome), ms };
  const size = sizeOf(invocation.output);
  if (size === 0) return { kind: 'failed', failure: 'no_output', detail: describe(adapter, outcome), ms };
  return {
    kind: 'output',
    path: invocation.output,
    documentBase: invocation.documentBase,
    ms,
    log: lastLines(outcome),
    globals: readGlobals(invocation.globals),
    peakMb: Math.round(watch.peakBytes() / MiB),
  };
}

const maxGlobalsBytes = 4 * MiB;

/** What a tool wrote is not believed to be what it should be. */
function readGlobals(path: string | undefined): readonly string[] | null {
  if (path === undefined) return null;
  const size = sizeOf(path);
  if (size === 0 || size > maxGlobalsBytes) return null;
  try {
    const listed: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const isList = Array.isArray(listed) && listed.every((item) => typeof item === 'string' && isAbsolute(item));
    return isList ? (listed as readonly string[]) : null;
  } catch {
    return null;
  }
}

function contextKey(options: RunOptions, context: IndexerContext): string {
  return [options.repoRoot, context.key].join('\0');
}

/** No tool may have more than most of the machine, whatever its adapter thinks it needs. */
function limitMemory(wantedMb: number): number {
  return Math.max(256, Math.min(wantedMb, Math.floor((totalmem() / MiB) * 0.75)));
}

/** What went wrong, if it did. */
function prepareJobDir(
  jobDir: string,
  invocation: Invocation,
  described: Readonly<Record<string, string>>,
): string | undefined {
  try {
    for (const name of ['home', 'tmp', 'bin']) mkdirSync(join(jobDir, name), { mode: 0o700, recursive: true });
    for (const [name, text] of Object.entries({ ...described, ...invocation.files })) {
      mkdirSync(dirname(join(jobDir, name)), { mode: 0o700, recursive: true });
      writeFileSync(join(jobDir, name), text, { mode: 0o600 });
    }
    for (const [name, target] of Object.entries(invocation.links ?? {})) {
      mkdirSync(dirname(join(jobDir, name)), { mode: 0o700, recursive: true });
      symlinkSync(target, join(jobDir, name));
    }
    return undefined;
  } catch (error) {
    return `the job directory cannot be prepared (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`;
  }
}

type Exceeded = { readonly failure: Failure; readonly detail: string };
type Caps = {
  readonly memoryBytes: number;
  readonly outputBytes: number;
  readonly jobBytes: number;
  /** Null: not asked for. */
  readonly stillLooks: number | null;
};

/**
 * Looks twice a second at what a run uses. The output and the job dir may lie in memory, so too much of them is `out_of_memory` like
 * too large a heap.
 */
function watchRun(output: string, jobDir: string, caps: Caps) {
  const controller = new AbortController();
  const freeBefore = freeBytes(jobDir);
  let peak = 0;
  let still = 0;
  let lastTicks = 0;
  let waits = false;
  let exceeded: Exceeded | undefined;
  let timer: NodeJS.Timeout | undefined;

  const stop = (detail: string) => {
    exceeded ??= { failure: 'out_of_memory', detail };
    controller.abort();
  };
  const lookAtTime = (ticks: number) => {
    still = ticks > 0 && ticks === lastTicks ? still + 1 : 0;
    lastTicks = ticks;
    if (caps.stillLooks === null || still < caps.stillLooks) return;
    waits = true;
    controller.abort();
  };
  const lookAtFiles = () => {
    if (sizeOf(output) > caps.outputBytes) stop(`the output is larger than ${caps.outputBytes} bytes`);
    const used = freeBefore - freeBytes(jobDir);
    if (used > caps.jobBytes) stop(`the run has written more than ${caps.jobBytes} bytes`);
  };
  return {
    signal: controller.signal,
    begin: (pid: number) => {
      timer = setInterval(() => {
        const { residentBytes, ticks } = measureTree(pid);
        peak = Math.max(peak, residentBytes);
        if (peak > caps.memoryBytes) stop(`the tool used more than ${Math.round(caps.memoryBytes / MiB)} MB of memory`);
        lookAtFiles();
        lookAtTime(ticks);
      }, watchEveryMs);
    },
    end: () => {
      clearInterval(timer);
      lookAtFiles();
    },
    exceeded: () => exceeded,
    waits: () => waits,
    peakBytes: () => peak,
  };
}

/** 0 for what is absent, and for what is not a regular file: a tool may have put a link there. */
function sizeOf(path: string): number {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true ? found.size : 0;
}

function freeBytes(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return 0;
  }
}

const maxDetailChars = 2_000;
const lastLineCount = 20;

function describe(adapter: IndexerAdapter, outcome: ExecOutcome): string {
  const said = lastLines(outcome);
  switch (outcome.kind) {
    case 'exited':
      return `${adapter.tool} exited with ${outcome.code}${said === '' ? '' : `: ${said}`}`;
    case 'signalled':
      return `${adapter.tool} was ended by ${outcome.signal}${said === '' ? '' : `: ${said}`}`;
    case 'timed_out':
      return `${adapter.tool} took longer than ${Math.round(outcome.elapsedMs / 1000)} s${said === '' ? '' : `: ${said}`}`;
    case 'tool_missing':
      return outcome.install;
    case 'sandbox_missing':
      return describeMissingSandbox(outcome.tool, outcome.reason);
    case 'bad_cwd':
      return 'the directory of the project is gone';
    case 'disallowed':
    case 'cancelled':
      return outcome.kind;
  }
}

/** The same whether it was noticed at the probe or at the start. */
export function describeMissingSandbox(tool: string, reason: string | null): string {
  const install = findTool('bwrap')?.install ?? '';
  return `${tool} runs code of the repository, which needs a sandbox (${reason ?? 'none'}). ${install}`;
}

/** The end of stderr, or of stdout for a tool that complains there. */
function lastLines(outcome: ExecOutcome): string {
  const streams =
    outcome.kind === 'timed_out'
      ? [outcome.stderrTail]
      : outcome.kind === 'exited' || outcome.kind === 'signalled'
        ? [outcome.stderr, outcome.stdout].map((stream) => decodeLenient(stream.subarray(-16 * 1024)))
        : [];
  const said = streams.map((text) => stripControls(text).trim()).find((text) => text !== '') ?? '';
  // Redacted before it is cut: half a secret is not recognised as one.
  const { text } = redactString(said, { entropy: true });
  return text.split('\n').slice(-lastLineCount).join('\n').slice(-maxDetailChars);
}

export type IndexerProbe = {
  readonly state: Extract<ProbeState, 'ok' | 'missing_tool' | 'bad_version' | 'sandbox_missing'>;
  /** For a person: what is missing and how to install it. */
  readonly detail: string | null;
  readonly toolPath: string | null;
  /** `<name>@<version>+<16 hex of the binary or package>`; null without a tool. */
  readonly toolId: string | null;
  /** Interpreter or SDK with version, and the variables that are passed on. */
  readonly envHash: string;
  readonly environment: Readonly<Record<string, string>>;
};

export type IndexerRun =
  | {
      readonly kind: 'output';
      readonly path: string;
      readonly documentBase: string;
      readonly ms: number;
      readonly log: string;
      /** What the tool listed as concerning all members; null: nothing. */
      readonly globals: readonly string[] | null;
      /** Most memory that was seen in use by the tool and what it started; 0 where the system does not tell. */
      readonly peakMb: number;
    }
  | { readonly kind: 'failed'; readonly failure: Failure; readonly detail: string; readonly ms: number }
  | { readonly kind: 'cancelled' };
