/**
 * A container engine as the probes see it: podman and docker behind one set of calls (containers.md). Promises of every
 * implementation: the user's own images and containers are untouched; a container is ended and removed by its id; nothing here
 * throws for an expected failure; a digest is always `sha256:<64 hex>` of the image's configuration.
 */

import { sha256Hex } from '../base/hash.ts';
import type { ExecOutcome, OnLine, OnStart } from '../exec/exec.ts';

/** One command of an engine; the arguments begin with the sub-command. */
export type EngineCall = (
  args: readonly string[],
  options: {
    readonly timeoutS: number;
    readonly onLine?: OnLine;
    readonly onStart?: OnStart;
    readonly envExtra?: Readonly<Record<string, string>>;
  },
) => Promise<ExecOutcome>;

const engineKinds = ['podman', 'docker'] as const;
export type EngineKind = (typeof engineKinds)[number];

/** What every container gets, whatever else it gets; separate tokens of the command line. */
export const hardeningFlags = ['--network=none', '--cap-drop=ALL', '--security-opt=no-new-privileges'] as const;

export type ImageConfig = {
  readonly entrypoint: readonly string[];
  readonly cmd: readonly string[];
  readonly env_names: readonly string[];
  readonly user: string | null;
  readonly workdir: string | null;
  readonly exposed_ports: readonly string[];
  /** The command as the image holds it: `["CMD", …]`, `["CMD-SHELL", text]` or `["NONE"]`; null where there is none. */
  readonly healthcheck: readonly string[] | null;
  readonly stop_signal: string | null;
};

export type ImageFacts = { readonly digest: string; readonly sizeBytes: number; readonly config: ImageConfig };

export type BuildRequest = {
  readonly root: string;
  readonly dockerfile: string;
  /** Its text, as it was read with the other inputs; docker is given a copy. */
  readonly text: string;
  readonly target: string | null;
  readonly args: readonly string[];
  readonly network: 'none' | 'default';
  readonly pull: 'never' | 'missing';
  readonly memoryMb: number;
  /** Patterns of the context that are left out, in `.dockerignore` syntax. */
  readonly ignore: string;
  readonly workspace: string;
  readonly timeoutS: number;
  readonly onLine?: OnLine;
};
export type BuildOutcome =
  | { readonly kind: 'built'; readonly digest: string; readonly log: string }
  | { readonly kind: 'failed'; readonly stderrTail: string; readonly step: string | null; readonly log: string }
  | { readonly kind: 'timed_out'; readonly log: string }
  | { readonly kind: 'cancelled' };

export type ContainerRequest = {
  /** A name that we made, never text of the repository. */
  readonly image: string;
  readonly name: string;
  readonly runId: string;
  /** Null keeps the image's own. */
  readonly entrypoint: readonly string[] | null;
  readonly command: readonly string[];
  readonly environment: readonly { readonly name: string; readonly value: string }[];
  readonly readOnly: boolean;
  readonly memoryMb: number;
  readonly pids: number;
  readonly cpus: number;
  /** Seconds after which the engine itself ends it, should this process be gone; podman alone. An hour unless said otherwise. */
  readonly maxSeconds?: number;
  /** `host:container[:ro]`, for the docker method alone. */
  readonly volumes?: readonly string[];
};

export type Engine = {
  readonly kind: EngineKind;
  readonly version: string;
  /** `plain`, or `fallback`: the private configuration of containers.md §2. */
  readonly configuration: 'plain' | 'fallback';
  /** Limits that this engine accepts and ignores here, in words; empty where all of them hold. */
  readonly unenforced: readonly string[];
  build(request: BuildRequest): Promise<BuildOutcome>;
  /** Null: there is no such image. */
  inspectImage(ref: string): Promise<ImageFacts | null>;
  tagImage(digest: string, ref: string): Promise<boolean>;
  saveImage(digest: string, file: string, timeoutS: number): Promise<ExecOutcome>;
  create(
    request: ContainerRequest,
  ): Promise<
    { readonly kind: 'created'; readonly id: string } | { readonly kind: 'failed'; readonly stderrTail: string }
  >;
  /** podman alone: the runtime is started and parked before the program; gives the pid on the host. */
  init(
    id: string,
  ): Promise<
    { readonly kind: 'parked'; readonly pid: number } | { readonly kind: 'failed'; readonly stderrTail: string }
  >;
  /** Runs a created container to its end; its output is bounded and thrown away but for the tail. */
  startAndWait(id: string, options: { readonly timeoutS: number; readonly onLine?: OnLine }): Promise<ExecOutcome>;
  /** Digest of the image the container runs. */
  imageOfContainer(id: string): Promise<string | null>;
  exitCode(id: string): Promise<number | null>;
  /** Was it sent? */
  signal(id: string, signal: string): Promise<boolean>;
  remove(id: string): Promise<void>;
  /** Ids of our containers, of one run or of all. */
  listContainers(runId?: string): Promise<readonly string[]>;
  /** Removes the containers of runs whose process is gone. */
  sweep(): Promise<number>;
};

/** How an engine could not be had. */
export type NoEngine = {
  readonly kind: 'none';
  readonly reason: 'tool_missing' | 'tool_unhealthy' | 'not_configured';
  readonly detail: string;
};

/** `codegenie-trace:<first 12 hex>`. */
export function imageRefForDigest(
  digest: string,
): { readonly kind: 'ref'; readonly ref: string } | { readonly kind: 'refused'; readonly reason: string } {
  const hex = digest.startsWith('sha256:') ? digest.slice('sha256:'.length) : digest;
  if (hex === '') return { kind: 'refused', reason: 'empty digest' };
  if (!/^[0-9a-f]+$/.test(hex)) return { kind: 'refused', reason: 'non-hex digest' };
  return { kind: 'ref', ref: `codegenie-trace:${hex.slice(0, 12)}` };
}

/** `codegenie-trace:latest-<repo 12 hex>`: what was last built, or found again, of the repository at this root. */
export function latestImageRef(root: string): string {
  return `codegenie-trace:latest-${sha256Hex(root).slice(0, 12)}`;
}

type Limits = Pick<ContainerRequest, 'readOnly' | 'memoryMb' | 'pids' | 'cpus'>;
/** What a limit is enforced by; where one is not delegated to this user, an engine refuses its flag. */
export type Controller = 'memory' | 'pids' | 'cpu';

/** Any `--ulimit` replaces the engine's defaults, so both are given (containers.md §2). */
export const ulimitFlags = ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=4096:4096'] as const;

/** The flags every container is created with: what it may not do, and how much of the machine it may use. */
export function limitFlags(limits: Limits, refused: readonly Controller[] = []): readonly string[] {
  const memory = `${limits.memoryMb}m`;
  const given = (controller: Controller, ...flags: string[]) => (refused.includes(controller) ? [] : flags);
  return [
    ...hardeningFlags,
    ...(limits.readOnly ? ['--read-only'] : []),
    '--tmpfs',
    '/tmp',
    ...given('pids', '--pids-limit', String(limits.pids)),
    ...given('memory', '--memory', memory, '--memory-swap', memory),
    ...given('cpu', '--cpus', String(limits.cpus)),
    ...ulimitFlags,
  ];
}
