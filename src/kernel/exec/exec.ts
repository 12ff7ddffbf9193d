/** The shape of every process this program starts (gather.md §5). Nothing here throws for an expected failure. */

export type ExecOutcome =
  | {
      readonly kind: 'exited';
      readonly code: number;
      readonly stdout: Buffer;
      readonly stderr: Buffer;
      readonly truncated: { readonly stdout: boolean; readonly stderr: boolean };
      readonly ms: number;
    }
  | {
      readonly kind: 'signalled';
      readonly signal: string;
      readonly stdout: Buffer;
      readonly stderr: Buffer;
      readonly truncated: { readonly stdout: boolean; readonly stderr: boolean };
      readonly ms: number;
    }
  | { readonly kind: 'timed_out'; readonly elapsedMs: number; readonly stderrTail: string }
  | { readonly kind: 'tool_missing'; readonly tool: string; readonly install: string }
  /** It was to run in a sandbox or not at all. */
  | { readonly kind: 'sandbox_missing'; readonly tool: string; readonly reason: string }
  | { readonly kind: 'disallowed'; readonly argv0: string }
  | { readonly kind: 'bad_cwd'; readonly cwd: string }
  | { readonly kind: 'cancelled' };

/** Called for every line of both streams as it completes; a line over 1 MiB arrives cut. */
export type OnLine = (line: string, stream: 'stdout' | 'stderr') => void;

type RunOptions = {
  readonly cwd: string;
  readonly timeoutS: number;
  /** In the sandbox too; of an external tool it may say where HOME, TMPDIR and PATH are. */
  readonly envExtra?: Readonly<Record<string, string>>;
  readonly onStart?: OnStart;
  readonly onLine?: OnLine;
  readonly maxStdoutBytes?: number;
};

export type AllowlistedOptions = RunOptions & {
  /** Bytes for standard input; without it stdin is /dev/null. Only `git check-ignore --stdin` and its like need it. */
  readonly stdin?: Uint8Array;
};

/** The leader of a group with its start time (`processStart`): together they name one process for good. */
export type OnStart = (group: { readonly id: number; readonly start: string }) => void;

/** Standard input of a process that is talked to. What is written after the process has ended goes nowhere. */
export type OnInput = (input: { readonly write: (text: string) => void; readonly end: () => void }) => void;

/** A script of this package, run by the Node that runs us. `onLine` gets lines of at most `maxLineBytes`. */
export type ScriptOptions = ExternalOptions & {
  readonly args?: readonly string[];
  readonly onInput: OnInput;
  readonly maxLineBytes: number;
};

export type ExternalOptions = RunOptions & {
  /** Ends this call alone; the owner's signal ends it as well. */
  readonly signal?: AbortSignal;
  /** Heap of a tool that is a script for Node; other tools take their limit from `envExtra`. */
  readonly memoryMb?: number;
  readonly egress?: readonly string[];
  readonly writable?: readonly string[];
  readonly readable?: readonly string[];
  readonly masked?: readonly string[];
  /** It may run code of the repository: without a sandbox nothing is started. */
  readonly mustBeSandboxed?: boolean;
};

export type ToolVersion = {
  readonly name: string;
  /** A semver, `blake3:<8>` for a tool that prints none, `absent`, or `unknown`. */
  readonly version: string;
  /** Absolute path of the binary, null when absent. */
  readonly path: string | null;
  /** Why it is absent, where more is known than that it was not found. */
  readonly detail?: string;
};

/** What was known of a tool at a moment. It still holds where the same file is there and was not changed since. */
export type RememberedVersion = { readonly version: string; readonly path: string | null; readonly atMs: number };

/** Process starting, bound to one probe: its name, its process groups, its signal. */
export interface Exec {
  runAllowlisted(argv: readonly string[], options: AllowlistedOptions): Promise<ExecOutcome>;
  runExternalCli(argv: readonly string[], options: ExternalOptions): Promise<ExecOutcome>;
  /** Hardened git in the analysed repository (rule 9); `args` starts with the sub-command. */
  git(
    args: readonly string[],
    options?: { timeoutS?: number; maxStdoutBytes?: number; stdin?: Uint8Array },
  ): Promise<ExecOutcome>;
  toolVersion(name: string, remembered?: RememberedVersion): Promise<ToolVersion>;
  /**
   * For what outlives its process and must not outlive the probe: a container. `undo` runs once, with an `Exec` that no signal
   * ends: when the answer is called, when the probe's signal fires, or when the gather ends, whichever comes first. The host
   * waits for it. Every call of the answer resolves when it is done.
   */
  guard(undo: (exec: Pick<Exec, 'runAllowlisted'>) => Promise<void>): () => Promise<void>;
  /** HOME as the container engines are given it; null where the user has none that is absolute. */
  readonly home: string | null;
}

/** The host side: owns the groups, makes bound `Exec`s, ends them. */
export interface ExecHost {
  /** One per probe. `signal` ends every group started through it, and only those. */
  bind(owner: { readonly name: string; readonly signal: AbortSignal; readonly workspace: string }): Exec;
  /** Where there is a sandbox, in it. Unlike what the allow-list names, a script is given by its path: it is part of this package. */
  runScript(
    owner: { readonly name: string; readonly signal: AbortSignal; readonly workspace: string },
    script: string,
    options: ScriptOptions,
  ): Promise<ExecOutcome>;
  /** `bwrap` if wrapped runs pass the self-test on this machine, else `none` with the reason. */
  sandbox(): Promise<{ readonly kind: 'bwrap' | 'none'; readonly reason: string | null }>;
  /** Groups still alive, for the cancellation tests and for shutdown. */
  liveGroups(): readonly number[];
  /** Ends every group of every owner: SIGTERM, grace, SIGKILL; then undoes what is still guarded, and waits for it. */
  killAll(): Promise<void>;
}

export type ExecHostOptions = {
  /** Realpath of the analysed repository: PATH entries inside it are dropped, git is bound to it. */
  readonly root: string;
  /** The environment to take PATH, HOME and the engines' variables from: an argument, never `process.env` directly. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** `tools.<name>.path` of the user's config. */
  readonly toolPaths: Readonly<Record<string, string>>;
  readonly logger: import('../base/log.ts').Logger;
};
