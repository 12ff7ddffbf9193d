/**
 * One indexer, as data and pure functions (code-plane.md §6.1): how it is called and how its end is named. What starts a process
 * or judges a result is shared (`index/semantic/indexers`), so that an adapter (`languages/<x>/<x>-indexer.ts`) only says what is
 * peculiar about its tool.
 */

import { unreachable } from '../../kernel/base/assert.ts';
import { isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';
import type { ExecOutcome } from '../../kernel/exec/exec.ts';
import type { ToolName } from '../../kernel/exec/tools.ts';
import type { ContextSpec, Failure, Family, Granularity, IndexerId } from '../projects/context-spec.ts';
import type { Machine } from './machine.ts';

/** What an adapter plans from: nothing of it is read from disk by the adapter. */
export type IndexerContext = Pick<ContextSpec, 'key' | 'family' | 'root' | 'configPath' | 'config'> & {
  /** Of the context, sorted. */
  readonly members: readonly string[];
};

export type PlanWorld = {
  /** Realpath of the analysed repository. */
  readonly repoRoot: string;
  /** The job's own directory: outside the root, writable, removed afterwards. */
  readonly jobDir: string;
  /** `scip.max_file_mb`. */
  readonly maxFileMb: number;
  /** Where the tool's interpreter or SDK was found, from the probe; empty for tools that need none. */
  readonly environment: Readonly<Record<string, string>>;
  /** Members whose documents are wanted, sorted; null: all. Only a tool of granularity `file` is ever asked for less than all. */
  readonly scope: readonly string[] | null;
  /** Files that a program needs in which `scope` means what it does in the whole one; null: unknown, so all members. */
  readonly roots: ProgramRoots | null;
  /** An earlier run of this context came near its limit: what costs memory and saves time is left out. */
  readonly thrifty?: boolean;
  /** An earlier run waited for something that did not come: what a name leads to is looked at before it is read. */
  readonly careful?: boolean;
};

export type ProgramRoots = {
  /** Root-relative, sorted. */
  readonly members: readonly string[];
  /** Absolute. */
  readonly others: readonly string[];
};

export type Invocation = {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Absolute, below the job dir. */
  readonly output: string;
  /** Absolute, below the job dir: where the tool lists, as JSON, files besides the members that concern all of them. */
  readonly globals?: string;
  /** Written into the job dir before the start: relative name → content. */
  readonly files: Readonly<Record<string, string>>;
  /** Symbolic links made in the job dir before the start: relative name → absolute target. */
  readonly links?: Readonly<Record<string, string>>;
  /** Absolute directories outside the root that the sandbox must show (module caches, SDKs). */
  readonly readable: readonly string[];
  /** What `Document.relative_path` is relative to, root-relative (`''` = the root). */
  readonly documentBase: string;
  /** The run, as it is planned, executes code of the repository: only inside a sandbox. Of some adapters all do. */
  readonly mustBeSandboxed?: boolean;
};

/** Where an indexer's interpreter or SDK is looked for. */
export type EnvironmentPlace = Machine & {
  /** Absolute directory of the context: what is installed beside it counts. */
  readonly contextRoot?: string | undefined;
  /** `bwrap` or `none`. */
  readonly sandbox: string;
};

export type FoundEnvironment = {
  /** Interpreter or SDK with version, as `PlanWorld` has it. */
  readonly environment: Readonly<Record<string, string>>;
  /** What a person has to install, where the indexer cannot work without it. */
  readonly missing?: string;
};

export type IndexerAdapter = {
  readonly id: IndexerId;
  readonly family: Family;
  readonly tool: ToolName;
  readonly granularity: Granularity;
  /** Build scripts, macros, MSBuild: only inside a sandbox. */
  readonly executesRepoCode: boolean;
  /** The lowest version that is known to work; null: any. */
  readonly minVersion: string | null;
  readonly timeoutMs: number;
  readonly memoryMb: number;
  /** For documents that leave it unspecified: 1 UTF-8, 2 UTF-16, 3 UTF-32. */
  readonly positionEncoding: 1 | 2 | 3;
  /** Known omissions, by name. */
  readonly gaps: readonly string[];
  /** Names of environment variables of the user that the tool gets (`GOPATH`, `JAVA_HOME`); their values are in `env_hash`. */
  readonly passes: readonly string[];
  /** The argument list that is part of `config_hash`: what of the command line decides facts (no paths of job dirs, no memory flags). */
  readonly argumentsKey: string;
  /** Whether it knows how to be careful; looking at every file first costs more than is spent where all of them are files. */
  readonly canBeCareful?: boolean;
  /** Without it the tool needs nothing. Looks at files; starts nothing. */
  findEnvironment?(place: EnvironmentPlace): FoundEnvironment;
  plan(context: IndexerContext, world: PlanWorld): Invocation;
  /** Files of the job dir that tell of the machine what a program would otherwise be started for; read outside the repository. */
  describe?(world: PlanWorld): Readonly<Record<string, string>>;
  classifyExit(outcome: ExecOutcome): Failure | 'ok';
};

/** What V8, the JVM, .NET, Go, Rust and C++ print when memory ends. */
const memoryEnded =
  /heap out of memory|Allocation failed - |ERR_WORKER_OUT_OF_MEMORY|OutOfMemoryError|OutOfMemoryException|runtime: out of memory|cannot allocate memory|std::bad_alloc|memory allocation of \d+ bytes failed|LLVM ERROR: out of memory/;

/** As shells have it: 128 plus the number of the signal; bwrap passes a signalled child on like this. */
const byAbort = 134;
const byKill = 137;
/** The program, or the sandbox around it, could not be started (`exec-host.ts`). */
const notStarted = 126;

/**
 * How an indexer's end is named (code-plane.md §6.3): what all tools have in common. An adapter adds the sentences by which its
 * tool says that the project, and not the tool, is at fault.
 */
export function classifyExit(outcome: ExecOutcome, projectIsWrong?: RegExp): Failure | 'ok' {
  switch (outcome.kind) {
    case 'exited':
      if (outcome.code === 0) return 'ok';
      if (outcome.code === notStarted) return 'io_error';
      // A tool that was not killed from here was killed by the kernel.
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

/** A value of a context's stored configuration; what is absent, empty or of another type is undefined. */
export function textIn(config: JsonObject, key: string): string | undefined {
  const value = config[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function textsIn(config: JsonObject, key: string): readonly string[] {
  const value = config[key];
  return Array.isArray(value) ? (value as readonly Json[]).filter((entry) => typeof entry === 'string') : [];
}

export function objectsIn(config: JsonObject, key: string): readonly JsonObject[] {
  const value = config[key];
  return Array.isArray(value) ? (value as readonly Json[]).filter(isJsonObject) : [];
}
