/**
 * The only place that starts a process (gather.md §5). A host belongs to one analysed repository and one gather; probes get an
 * `Exec` bound to their name, signal and workspace. Expected failures are values.
 *
 * Programs have lanes (`tools.ts`): what reads hostile files cannot be started outside `runExternalCli`, and git always goes
 * through the hardened one, whichever function it is asked of.
 */

import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import { limits } from '../base/limits.ts';
import type { Logger } from '../base/log.ts';
import { compiledDirectory, packageDirectory } from '../base/package-files.ts';
import { owed } from '../base/processes.ts';
import { admitEnvironment, buildEnvironment, engineEnvironment } from './environment.ts';
import type {
  AllowlistedOptions,
  ExecHost,
  ExecHostOptions,
  ExecOutcome,
  ExternalOptions,
  RememberedVersion,
  ScriptOptions,
  ToolVersion,
} from './exec.ts';
import { createGit, type StartGit } from './git.ts';
import {
  type FoundTool,
  filterPath,
  limitHeap,
  resolveTool,
  type ToolPlaces,
  type ToolResolution,
} from './resolve-tool.ts';
import { createProcessGroups, type ProcessRequest, runProcess } from './run-process.ts';
import { isRealDirectory, planSandbox, renderBwrapArgs, renderSelfTestArgs } from './sandbox.ts';
import { fileIdentity, readToolVersion, stillHolds } from './tool-version.ts';
import { findTool, type Tool } from './tools.ts';

type Owner = Parameters<ExecHost['bind']>[0] & { readonly undoes?: boolean };
type SandboxState = Awaited<ReturnType<ExecHost['sandbox']>>;
/** A tool of the allow-list whose binary was found. */
type Ready = { readonly name: string; readonly tool: Tool; readonly found: FoundTool };
type Talk = Partial<Pick<ScriptOptions, 'onInput' | 'maxLineBytes'>>;
type Start = Omit<ProcessRequest, 'file' | 'groups' | 'onTruncated'> & { readonly undoes?: boolean | undefined };

/** Exit code of a program that could not be started, as shells have it; scanners never use it to mean "findings". */
const couldNotStart = 126;

/** No row of the allow-list: it is started by path, and the path is one of this package. */
const ownScript: Tool = {
  binary: 'node',
  lane: 'external',
  versionArgs: [],
  install: 'Install codegenie again: a part of it is missing.',
  environment: { NODE_NO_WARNINGS: '1' },
};

const sandboxTries = 5;

/** The self-test of a bwrap binary is run once per process. */
const selfTests = new Map<string, Promise<ExecOutcome>>();

export function createExecHost(options: ExecHostOptions): ExecHost {
  const { root, environment, logger } = options;
  const groups = createProcessGroups();
  /** Apart from the others: they are still at work when those are ended. */
  const undoGroups = createProcessGroups();
  const guards = createGuards(logger);
  const places: ToolPlaces = { root, toolPaths: options.toolPaths, pathEntries: filterPath(environment['PATH'], root) };
  const path = places.pathEntries.join(delimiter);
  const home = findHome(environment['HOME']);
  const engineHome = isAbsolute(environment['HOME'] ?? '') ? (environment['HOME'] as string) : null;
  const git = createGit(root, environment);
  const neverAborted = new AbortController().signal;
  const resolutions = new Map<string, ToolResolution>();
  let sandboxState: Promise<SandboxState> | undefined;

  const resolve = (name: string, tool: Tool): ToolResolution => {
    const known = resolutions.get(name) ?? resolveTool(name, tool, places);
    resolutions.set(name, known);
    return known;
  };

  /** The checks that come before any process: the name, the arguments, the directory, the binary. */
  const admit = (argv: readonly string[], lane: Tool['lane'], cwd: string): Ready | ExecOutcome => {
    const name = argv[0] ?? '';
    const tool = findTool(name);
    // An engine is never wrapped, so it may be asked of either function; the container's own flags isolate it.
    if (tool === undefined || (tool.lane !== lane && !tool.engine)) return { kind: 'disallowed', argv0: name };
    // No program can receive a NUL; it can only come from hostile data.
    if (argv.some((argument) => argument.includes('\0'))) return { kind: 'disallowed', argv0: name };
    if (!isAbsolute(cwd) || !isRealDirectory(cwd)) return { kind: 'bad_cwd', cwd };
    const at = resolve(name, tool);
    if (at.kind === 'missing')
      return { kind: 'tool_missing', tool: name, install: [at.detail ?? [], tool.install].flat().join(' ') };
    return { name, tool, found: at.tool };
  };

  const start = async (ready: Ready, request: Start): Promise<ExecOutcome> => {
    const { name, tool, found } = ready;
    const outcome = await runProcess({
      ...request,
      file: found.file,
      args: [...found.prefix, ...request.args],
      ...(name === 'git' ? { stallMs: limits.gitStallMs } : {}),
      groups: request.undoes === true ? undoGroups : groups,
      onTruncated: (stream) => logger.event('subproc.stdout.truncated', { stream, tool: name }),
    });
    return outcome.kind === 'not_started' ? explainNotStarted(name, tool, outcome.errno) : outcome;
  };

  const runGit = async (
    owner: Owner,
    args: readonly string[],
    request: Partial<AllowlistedOptions>,
  ): Promise<ExecOutcome> => {
    const ready = admit(['git', ...args], 'allowlisted', root);
    if ('kind' in ready) return ready;
    const startWith =
      (signal: AbortSignal, onLine: AllowlistedOptions['onLine']): StartGit =>
      (call) => {
        const base = buildEnvironment({ path, workspace: owner.workspace, extra: request.envExtra, logger });
        return start(ready, { ...call, environment: { ...base, ...call.environment }, signal, onLine });
      };
    return git.run(args, request, startWith(owner.signal, request.onLine), startWith(neverAborted, undefined));
  };

  const runPlain = (
    ready: Ready,
    owner: Owner,
    args: readonly string[],
    request: AllowlistedOptions & Pick<ExternalOptions, 'onStart' | 'signal'> & Talk,
  ): Promise<ExecOutcome> => {
    const fixed = ready.tool.engine ? engineEnvironment(environment) : ready.tool.environment;
    return start(ready, {
      args,
      undoes: owner.undoes,
      cwd: request.cwd,
      environment: buildEnvironment({ path, workspace: owner.workspace, fixed, extra: request.envExtra, logger }),
      timeoutS: request.timeoutS,
      maxStdoutBytes: request.maxStdoutBytes ?? limits.stdoutBytes,
      signal: request.signal === undefined ? owner.signal : AbortSignal.any([owner.signal, request.signal]),
      stdin: request.stdin,
      onLine: request.onLine,
      onStart: request.onStart,
      onInput: request.onInput,
      maxLineBytes: request.maxLineBytes,
    });
  };

  const runAllowlisted = async (
    owner: Owner,
    argv: readonly string[],
    request: AllowlistedOptions,
  ): Promise<ExecOutcome> => {
    const ready = admit(argv, 'allowlisted', request.cwd);
    if ('kind' in ready) return ready;
    return ready.name === 'git'
      ? runGit(owner, argv.slice(1), request)
      : runPlain(ready, owner, argv.slice(1), request);
  };

  const runExternalCli = async (
    owner: Owner,
    argv: readonly string[],
    request: ExternalOptions,
  ): Promise<ExecOutcome> => {
    const admitted = admit(argv, 'external', request.cwd);
    if ('kind' in admitted) return admitted;
    return runWrapped(admitted, owner, argv.slice(1), request);
  };

  const runScript = async (owner: Owner, script: string, request: ScriptOptions): Promise<ExecOutcome> => {
    if (!isAbsolute(request.cwd) || !isRealDirectory(request.cwd)) return { kind: 'bad_cwd', cwd: request.cwd };
    const found = { path: script, file: process.execPath, prefix: [script] };
    return runWrapped({ name: owner.name, tool: ownScript, found }, owner, request.args ?? [], request);
  };

  const runWrapped = async (
    admitted: Ready,
    owner: Owner,
    args: readonly string[],
    request: ExternalOptions & Talk,
  ): Promise<ExecOutcome> => {
    const ready = { ...admitted, tool: withCompiled(admitted), found: limitHeap(admitted.found, request.memoryMb) };
    const limited = { ...request, maxStdoutBytes: request.maxStdoutBytes ?? limits.externalStdoutBytes };
    const { kind, reason } = await sandbox();
    if (ready.tool.engine || kind === 'none') {
      // Asked here and not before: a sandbox may be gone by the time the tool starts.
      return request.mustBeSandboxed === true
        ? { kind: 'sandbox_missing', tool: ready.name, reason: reason ?? 'not_wrapped' }
        : runPlain(ready, owner, args, limited);
    }
    const bwrap = admit(['bwrap'], 'allowlisted', '/');
    if ('kind' in bwrap) return bwrap;
    const plan = planSandbox({
      root,
      home,
      pathEntries: places.pathEntries,
      workspace: owner.workspace,
      tool: ready.found,
      toolEnvironment: { ...ready.tool.environment, ...admitEnvironment(request.envExtra, logger) },
      args,
      cwd: request.cwd,
      egress: request.egress ?? [],
      readable: request.readable ?? [],
      masked: request.masked ?? [],
      writable: request.writable ?? [],
    });
    // What the tool is to see in its environment is among the arguments; bwrap itself needs none of it.
    const wrapped = { ...withoutEnvironment(limited), cwd: '/' };
    const outcome = await retrySandbox(() => runPlain(bwrap, owner, renderBwrapArgs(plan), wrapped));
    return explainSandboxFailure(outcome, (detail) =>
      logger.event('subproc.bwrap.failed', { tool: ready.name, detail }),
    );
  };

  const testSandbox = async (): Promise<SandboxState> => {
    if (process.platform !== 'linux') return { kind: 'none', reason: 'not_linux' };
    const bwrap = admit(['bwrap'], 'allowlisted', '/');
    if ('kind' in bwrap) return { kind: 'none', reason: 'not_installed' };
    // Of the home it matters whether there is one to mount over, and not where.
    const { path: binary } = bwrap.found;
    if (!existsSync(binary)) return { kind: 'none', reason: 'not_installed' };
    const key = [binary, fileIdentity(binary), home !== null && home !== '/' && isRealDirectory(home)].join('\0');
    const test = selfTests.get(key) ?? retrySandbox(() => ask(bwrap, renderSelfTestArgs(binary, home), '/'));
    selfTests.set(key, test);
    const outcome = await test;
    if (outcome.kind === 'cancelled') selfTests.delete(key);
    return outcome.kind === 'exited' && outcome.code === 0
      ? { kind: 'bwrap', reason: null }
      : { kind: 'none', reason: 'self_test_failed' };
  };

  const sandbox = (): Promise<SandboxState> => {
    sandboxState ??= testSandbox().then((state) => {
      if (state.kind === 'none') logger.event('subproc.bwrap.skipped', { reason: state.reason });
      return state;
    });
    return sandboxState;
  };

  /** A short question to a program, on the host's behalf: no probe's signal ends it. */
  const ask = (ready: Ready, args: readonly string[], workspace: string): Promise<ExecOutcome> =>
    start(ready, {
      args,
      cwd: '/',
      environment: buildEnvironment({ path, workspace, fixed: ready.tool.environment, extra: undefined, logger }),
      timeoutS: limits.toolVersionTimeoutS,
      stallMs: limits.toolVersionStallMs,
      maxStdoutBytes: limits.stdoutBytes,
      signal: neverAborted,
    });

  const toolVersion = (name: string, remembered?: RememberedVersion): Promise<ToolVersion> => {
    const tool = findTool(name);
    if (tool === undefined) return Promise.resolve({ name, version: 'absent', path: null });
    const resolved = resolve(name, tool);
    if (remembered !== undefined && stillHolds(tool, resolved, remembered))
      return Promise.resolve({ name, version: remembered.version, path: remembered.path });
    return readToolVersion(name, tool, resolved, async (found, args) => {
      // Some tools write to their home also when only asked for their version, and the current directory may be the repository.
      const home = mkdtempSync(join(tmpdir(), 'codegenie-version-'));
      try {
        return await ask({ name, tool, found }, args, home);
      } finally {
        rmSync(home, { recursive: true, force: true });
      }
    });
  };

  return {
    bind: (owner) => ({
      runAllowlisted: (argv, request) => runAllowlisted(owner, argv, request),
      runExternalCli: (argv, request) => runExternalCli(owner, argv, request),
      git: (args, request = {}) => runGit(owner, args, request),
      toolVersion,
      guard: (undo) => {
        // The probe's workspace may be gone by then: an engine has the user's HOME, and needs no other place.
        const undoer: Owner = { name: owner.name, signal: neverAborted, workspace: tmpdir(), undoes: true };
        return guards.add(owner, () =>
          undo({ runAllowlisted: (argv, request) => runAllowlisted(undoer, argv, request) }),
        );
      },
      home: engineHome,
    }),
    runScript,
    sandbox,
    liveGroups: () => [...groups.list(), ...undoGroups.list()].sort((a, b) => a - b),
    async killAll() {
      await groups.endAll();
      await guards.undoAll();
      await undoGroups.endAll();
    },
  };
}

function withoutEnvironment<T extends { readonly envExtra?: unknown }>(request: T): Omit<T, 'envExtra'> {
  const { envExtra: _, ...rest } = request;
  return rest;
}

function explainNotStarted(name: string, tool: Tool, errno: string): ExecOutcome {
  // Gone since it was resolved, or not a program after all.
  if (['ENOENT', 'EACCES', 'ENOEXEC'].includes(errno))
    return { kind: 'tool_missing', tool: name, install: tool.install };
  const stderr = Buffer.from(`${name} could not be started: ${errno}\n`);
  return {
    kind: 'exited',
    code: couldNotStart,
    stdout: Buffer.alloc(0),
    stderr,
    truncated: { stdout: false, stderr: false },
    ms: 0,
  };
}

/** A sandbox that could not be set up must not look like a tool that exits 1 with nothing to say: for some that means "clean". */
function explainSandboxFailure(outcome: ExecOutcome, report: (detail: string) => void): ExecOutcome {
  const detail = findSandboxFailure(outcome);
  if (detail === undefined || outcome.kind !== 'exited') return outcome;
  report(detail);
  return { ...outcome, code: couldNotStart };
}

/** Why bwrap did not start the tool. */
function findSandboxFailure(outcome: ExecOutcome): string | undefined {
  if (outcome.kind !== 'exited' || outcome.code !== 1 || outcome.stdout.length > 0) return undefined;
  const detail = outcome.stderr.toString('utf8', 0, 500);
  return detail.startsWith('bwrap: ') ? detail : undefined;
}

/**
 * bwrap lists the mounts of the machine and visits each. A container engine that unmounts one in between makes it give up, before
 * the tool is started: the next try finds other mounts.
 */
async function retrySandbox(run: () => Promise<ExecOutcome>): Promise<ExecOutcome> {
  for (let tries = 1; ; tries += 1) {
    const outcome = await run();
    const isMoved = findSandboxFailure(outcome)?.includes('Unable to apply mount flags') === true;
    if (!isMoved || tries === sandboxTries) return outcome;
  }
}

function findHome(home: string | undefined): string | null {
  try {
    return home === undefined || !isAbsolute(home) ? null : realpathSync(home);
  } catch {
    return null;
  }
}

type Guards = {
  /** The answer undoes; so does the signal, and `undoAll`. */
  add(owner: { readonly name: string; readonly signal: AbortSignal }, undo: () => Promise<void>): () => Promise<void>;
  undoAll(): Promise<void>;
};

/**
 * What has to be undone after a probe, whatever became of it: a container lives on when the client that made it is killed, and the
 * signal that killed the client would end the call that removes the container. So undoing is bound to no signal, happens exactly
 * once, and is waited for before the gather returns. An undo that fails is logged: it must not hide how the probe ended.
 */
export function createGuards(logger: Logger): Guards {
  /** Also those that are being undone: the end of the gather waits for them. */
  const pending = new Set<() => Promise<void>>();
  return {
    add(owner, undo) {
      let done: Promise<void> | undefined;
      const undoOnce = (): Promise<void> => {
        done ??= (async () => {
          owner.signal.removeEventListener('abort', undoOnce);
          try {
            await undo();
          } catch (error) {
            logger.event('subproc.undo_failed', { probe: owner.name, type: (error as Error).name });
          } finally {
            pending.delete(undoOnce);
            owed.delete(undoOnce);
          }
        })();
        return done;
      };
      pending.add(undoOnce);
      owed.add(undoOnce);
      if (owner.signal.aborted) void undoOnce();
      else owner.signal.addEventListener('abort', undoOnce);
      return undoOnce;
    },
    async undoAll() {
      while (pending.size > 0) await Promise.all([...pending].map((undo) => undo()));
    },
  };
}

/** A source of this package is not compiled again where that was kept: a third of the time that a job takes to start. */
function withCompiled({ tool, found }: Ready): Tool {
  const isSource = found.prefix.some((path) => path.startsWith(`${packageDirectory}/src/`));
  return isSource ? { ...tool, environment: { ...tool.environment, NODE_COMPILE_CACHE: compiledDirectory } } : tool;
}
