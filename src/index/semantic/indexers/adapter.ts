/**
 * One indexer, as data and two pure functions (code-plane.md §6.1). Everything that starts a process, reads a disk or judges a result is shared
 * (`probe-indexer.ts`, `run-indexer.ts`), so an adapter is a page that says what is peculiar about its tool.
 */

import type { ExecOutcome } from '../../../kernel/exec/exec.ts';
import type { ToolName } from '../../../kernel/exec/tools.ts';
import type {
  ContextSpec,
  Failure,
  Family,
  Granularity,
  IndexerId,
  ProbeState,
} from '../../../languages/context-spec.ts';

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
  /** Files that a program needs in which `scope` means what it does in the whole one; null: nobody knows, all members. */
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
  plan(context: IndexerContext, world: PlanWorld): Invocation;
  /** Files of the job dir that tell of the machine what a program would otherwise be started for; read outside the repository. */
  describe?(world: PlanWorld): Readonly<Record<string, string>>;
  classifyExit(outcome: ExecOutcome): Failure | 'ok';
};

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
