/**
 * The probe contract: what a probe declares, what it is given, what it may answer (gather.md §1).
 * A probe is a folder of `src/probes`; its `<name>.ts` has `defineProbe({...})` as default export, and the folder is the registry.
 */

import type { z } from 'zod';
import type { Json, JsonObject } from '../kernel/base/json.ts';
import type { Logger } from '../kernel/base/log.ts';
import type { Exec } from '../kernel/exec/exec.ts';
import type { FileScope } from '../kernel/tree/file-scope.ts';
import type { HeadOutcome, ReadOutcome } from '../kernel/tree/safe-read.ts';
import type { ExtractionMemo } from './cache/extraction-memo.ts';
import type { ConfigKey, ConfigValues } from './config.ts';
import type { Component, Fact, FactRule } from './facts/fact.ts';
import type { FreshnessCheck, Observed } from './freshness/index-freshness.ts';
import type { CodeDocuments, CodeDocumentsAsk } from './run/code-documents.ts';
import type { CodeFacts } from './run/code-facts.ts';

export type Layer = 'A' | 'B' | 'C' | 'D' | 'E' | 'F' | 'G';
export type Confidence = 'high' | 'medium' | 'low';
type SectionPath = string;

export const skipReasons = [
  'not_selected',
  'disabled',
  'task_mismatch',
  'language_mismatch',
  'not_applicable',
  'not_configured',
  'tool_missing',
  'tool_unhealthy',
  'db_unavailable',
  'upstream_unavailable',
  'cache_only_miss',
  'cancelled',
] as const;
export type SkipReason = (typeof skipReasons)[number];

export type Task = { readonly type: string; readonly options: JsonObject };

/** What every probe of a gather shares. Frozen. */
export type RepoSnapshot = {
  /** Realpath of the work tree. */
  readonly root: string;
  /** `org/name` of the origin, else the base name of the root. */
  readonly id: string;
  readonly gitCommit: string | null;
  readonly branch: string | null;
  readonly dirty: boolean;
  readonly detectedLanguages: Readonly<Record<string, number>>;
  readonly config: ConfigValues;
  readonly scope: FileScope;
};

export type InputFingerprint = {
  /** How the probe names the file: root-relative, or `user:<rel>` / `config:<key>:<rel>` outside the root. */
  readonly id: string;
  /** Absolute POSIX path. */
  readonly path: string;
  readonly kind: 'file' | 'link' | 'name' | 'absent';
  readonly mtimeNs: bigint;
  readonly size: number;
  /** `blake3:<hex>`, `<oversize>` (> 50 MiB) or `<refused>` (link, device, FIFO, socket). */
  readonly contentHash: string;
};

/** A probe's own declared inputs, and the only way it reads files. Reading anything else throws: it is a bug. */
export interface ProbeInputs {
  /** Ids of the inputs that exist, sorted; with `globs` only those that match one of them (the part after `user:` and its like). */
  list(globs?: readonly string[]): readonly string[];
  has(id: string): boolean;
  /**
   * Reads a declared input with a cap. The bytes served are hashed and compared with the snapshot the cache key was made of.
   * Yields to the event loop now and then, and throws the signal's reason once the probe is cancelled.
   */
  read(id: string, maxBytes: number): Promise<ReadOutcome>;
  /** The first bytes of a declared input, however large it is. */
  readHead(id: string, maxBytes: number): Promise<HeadOutcome>;
  fingerprint(id: string): InputFingerprint | undefined;
  /** What was extracted from the same bytes before. */
  readonly extracted: ExtractionMemo;
}

export type ProbeRepo = RepoSnapshot & { readonly inputs: ProbeInputs };

/** Upstream projections by probe name; `null` for an optional upstream without a slice. */
export type Upstream = Readonly<
  Record<string, { readonly value: Json; readonly artifacts: Readonly<Record<string, Uint8Array>> } | null>
>;

/** One registered index after its probe has settled; what the final probe judges. */
export type SettledIndex = {
  readonly name: string;
  readonly probe: string;
  readonly selected: boolean;
  readonly check: FreshnessCheck;
  /** The probe's section of this run, `{}` when it delivered none. */
  readonly slice: JsonObject;
  readonly observed: Observed;
  readonly detail: JsonObject;
};

/** Built in one place (`gather/run/probe-context.ts`), used by tests too; exactly these fields. */
export type ProbeContext<K extends ConfigKey = ConfigKey> = {
  readonly task: Task;
  readonly cacheDir: string;
  readonly outputDir: string;
  /** Private scratch directory, made when first asked for, removed on every exit path. */
  readonly workspace: string;
  readonly logger: Logger;
  /** Exactly the declared `configKeys`, defaults filled. */
  readonly config: Readonly<Pick<ConfigValues, K>>;
  /** Parsed, deep-frozen package.json, tsconfig*.json or pnpm-workspace.yaml among the declared inputs; null if absent or broken. */
  readonly parsedManifest: (id: string) => Promise<JsonObject | null>;
  readonly inputSnapshot: ReadonlySet<InputFingerprint>;
  /** The image that this gather built; null where nothing in it builds one. `askImageDigest` asks. */
  readonly imageDigestResolver: ((root: string) => Promise<string | null>) | null;
  readonly upstream: Upstream;
  readonly signal: AbortSignal;
  readonly exec: Exec;
  /** Digest of everything this probe's answer rests on: declared inputs and upstream projections. Indexes record it as `indexed_inputs`. */
  readonly inputsDigest: string;
  /** What the code plane's store says once its syntactic layer is up to date, or that much time has passed. For the probe that reports it. */
  readonly codeFacts: (budgetMs: number) => Promise<CodeFacts>;
  /** Brings the code plane's documents of these projects up to date and writes them as one index. For the probe that publishes it. */
  readonly codeDocuments: (ask: CodeDocumentsAsk) => Promise<CodeDocuments>;
  /** Every registered index, for the final probe; empty for all others. */
  readonly settledIndexes: readonly SettledIndex[];
  /** The gather's clock: ISO 8601 UTC with `Z`, for volatile fields (`scanned_at`, `indexed_at`) alone. */
  readonly startedAt: string;
};

export const artifactKinds = ['json', 'text', 'markdown', 'strace', 'scip', 'sqlite'] as const;
export type ArtifactKind = (typeof artifactKinds)[number];
export type RawArtifact = {
  readonly name: string;
  readonly kind: ArtifactKind;
  readonly from: Uint8Array | { readonly file: string };
};
/** At most 50 per probe, detail at most 200 characters; cut by the coordinator. */
export type Diagnostic = {
  readonly id: string;
  readonly path?: string;
  readonly line?: number;
  readonly detail?: string;
};
export type Evidence =
  | { readonly path: string; readonly hash?: string; readonly lines?: readonly [number, number] }
  | { readonly artifact: string };

export type Slice = Readonly<Record<SectionPath, Json>>;

export type ProbeOutput =
  | {
      readonly kind: 'ran';
      readonly slice: Slice;
      readonly rawArtifacts?: readonly RawArtifact[];
      readonly confidence: Confidence;
      readonly warnings?: readonly string[];
      readonly errors?: readonly string[];
      readonly diagnostics?: readonly Diagnostic[];
      readonly evidence?: readonly Evidence[];
    }
  | {
      readonly kind: 'skipped';
      readonly reason: SkipReason;
      readonly detail?: string;
      readonly slice?: Slice;
      readonly warnings?: readonly string[];
    };

export type Requirement =
  | string
  | {
      readonly probe: string;
      /** Projection of the upstream slice: all that this probe sees of it, and what its cache key holds. */
      readonly select?: (slice: Slice) => Json;
      readonly artifacts?: readonly string[];
      readonly optional?: boolean;
    };

export type ProbeExample = {
  readonly shows: string;
  /** Files of the repository; a path that starts with `~/` is a file of the user's home. Text, or bytes. */
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  /** Matched against the sections the probe delivered (by section path), as a deep subset; arrays are compared whole. */
  readonly gives: Readonly<Record<SectionPath, Json>>;
  readonly task?: string;
  readonly warnings?: readonly string[];
  readonly errors?: readonly string[];
  readonly confidence?: Confidence;
  /** Facts that the gather publishes, each matched as a deep subset; `known` where no state is named. */
  readonly facts?: readonly ({ readonly id: string; readonly scope: string } & Partial<Fact>)[];
  /** Expected skip instead of a slice. */
  readonly skipped?: SkipReason;
  /** Optional upstreams that are gathered with it. */
  readonly beside?: readonly string[];
  /** Tools without which the example cannot be shown: its test is skipped by name where one is missing. */
  readonly needs?: readonly string[];
};

export type ProbeDefinition<K extends ConfigKey = ConfigKey> = {
  readonly name: string;
  /** Semver of the logic; raised whenever the same input may give another output. */
  readonly version: string;
  readonly layer: Layer;
  readonly says: string;
  readonly tier?: 'base' | 'task_specific';
  readonly heaviness: 'heavy' | 'medium' | 'light';
  readonly sections: Readonly<Record<SectionPath, z.ZodType>>;
  readonly sectionVersions?: Readonly<Record<SectionPath, string>>;
  readonly appliesToTasks?: readonly string[];
  readonly appliesToLanguages?: readonly string[];
  readonly requires?: readonly Requirement[];
  /** It begins when these have settled, and sees nothing of them: they change what it looks at. */
  readonly after?: readonly string[];
  /** What it has extracted of (nearly) all sources that it can parse, by name: read together with what others want of the same file. */
  readonly extracts?: readonly string[];
  readonly declaredInputs: readonly string[];
  readonly deriveInputs?: (repo: ProbeRepo, ctx: ProbeContext<K>) => Promise<readonly string[]>;
  readonly catalogs?: readonly string[];
  readonly configKeys?: readonly K[];
  /** The programs that it starts or asks for their version; others are refused, because its key does not hold them. */
  readonly tools?: readonly string[];
  readonly taskSensitive?: boolean;
  readonly platformSensitive?: boolean;
  readonly deterministic?: boolean;
  readonly timeoutSeconds: number;
  readonly cacheStrategy?: 'content' | 'none';
  readonly ttlHours?: number;
  readonly budget?: { readonly rssMb?: number; readonly rawArtifactMb?: number; readonly truncateMb?: number };
  readonly artifacts?: readonly string[];
  readonly warningIds?: readonly string[];
  readonly errorIds?: readonly string[];
  /** The rule in words, shown by `report --explain` and in the reference. */
  readonly confidenceRule: string;
  readonly index?: {
    readonly name: string;
    readonly check: FreshnessCheck;
    /** The versions that tools, rules and catalogs have now: `observed.expected`. Disk is read through the probe's own inputs. */
    readonly expected?: (repo: ProbeRepo, ctx: ProbeContext<K>) => Promise<Readonly<Record<string, string | null>>>;
    /** The image that the engine has now: `observed.imageDigest`. Asked only where the index speaks of an image; null: unknown. */
    readonly imageDigest?: (repo: ProbeRepo, ctx: ProbeContext<K>) => Promise<string | null>;
    /** Numbers of the index's own for `index_health.<name>.detail`. */
    readonly detail?: (slice: JsonObject) => JsonObject;
  };
  /** Only `image_build`: the image that `ctx.imageDigestResolver` gives to the probes after it, also when this one is replayed. */
  readonly imageDigest?: (slice: Slice) => string | null;
  /** What it states as facts, derived from its sections; an id is stated by one probe alone. */
  readonly facts?: readonly FactRule[];
  /** Only the probe that says what the tree consists of: the components that facts of every probe belong to. */
  readonly spine?: (slice: Slice) => readonly Component[];
  /** Only `index_health`: runs after every other probe has settled and sees all of them. */
  readonly final?: boolean;
  readonly examples?: readonly ProbeExample[];
  /** Pure; no I/O beyond existence checks in scope. */
  readonly applies?: (repo: RepoSnapshot, task: Task) => boolean | SkipReason;
  /**
   * What the answer was made from outside of the inputs, and is another now, by name: an image that was built upon. Changes nothing; asked before
   * an answer is replayed, and when a question is answered from a published one.
   */
  readonly movedOutside?: (output: Slice, ctx: ProbeContext<K>) => Promise<readonly string[]>;
  readonly revalidate?: (output: Slice, ctx: ProbeContext<K>) => Promise<boolean>;
  readonly run: (repo: ProbeRepo, ctx: ProbeContext<K>) => Promise<ProbeOutput>;
};

/** A definition with every default filled: what the engine works with. */
export type Probe = Required<
  Omit<
    ProbeDefinition,
    | 'deriveInputs'
    | 'ttlHours'
    | 'index'
    | 'imageDigest'
    | 'spine'
    | 'applies'
    | 'movedOutside'
    | 'revalidate'
    | 'budget'
    | 'sectionVersions'
  >
> &
  Pick<
    ProbeDefinition,
    'deriveInputs' | 'ttlHours' | 'index' | 'imageDigest' | 'spine' | 'applies' | 'movedOutside' | 'revalidate'
  > & {
    /** Of a probe that the user's configuration added (`probes.paths`): the folder it comes from. */
    readonly foreign?: string | undefined;
    readonly sectionVersions: Readonly<Record<SectionPath, string>>;
    readonly budget: { readonly rssMb: number; readonly rawArtifactMb: number; readonly truncateMb: number };
  };

export function defineProbe<const K extends ConfigKey = never>(definition: ProbeDefinition<K>): Probe {
  const filled = {
    tier: 'base',
    appliesToTasks: ['*'],
    appliesToLanguages: ['*'],
    requires: [],
    extracts: [],
    catalogs: [],
    configKeys: [],
    tools: [],
    taskSensitive: false,
    platformSensitive: false,
    deterministic: true,
    cacheStrategy: 'content',
    artifacts: [],
    warningIds: [],
    errorIds: [],
    facts: [],
    final: false,
    examples: [],
    ...definition,
    sectionVersions: Object.fromEntries(
      Object.keys(definition.sections).map((path) => [path, definition.sectionVersions?.[path] ?? '1.0.0']),
    ),
    budget: { rssMb: 200, rawArtifactMb: 10, truncateMb: 5, ...definition.budget },
  };
  return Object.freeze(filled) as unknown as Probe;
}

/** Why a digest is not known: nothing builds an image here, none was built, the question failed. */
export const unresolvedDigests = ['resolver_unbound', 'resolver_returned_none', 'resolver_raised'] as const;

export type ResolvedDigest =
  | { readonly kind: 'digest'; readonly digest: string }
  | {
      readonly kind: 'unresolved';
      readonly reason: (typeof unresolvedDigests)[number];
      /** Of what was thrown, its kind: its words may hold anything. */
      readonly error: string | null;
    };

/** Never throws: an image that cannot be named is a result. */
export async function askImageDigest(
  resolve: ProbeContext['imageDigestResolver'],
  root: string,
): Promise<ResolvedDigest> {
  if (resolve === null) return { kind: 'unresolved', reason: 'resolver_unbound', error: null };
  try {
    const digest = await resolve(root);
    if (digest !== null) return { kind: 'digest', digest };
    return { kind: 'unresolved', reason: 'resolver_returned_none', error: null };
  } catch (error) {
    const name = error instanceof Error ? error.constructor.name : typeof error;
    return { kind: 'unresolved', reason: 'resolver_raised', error: name };
  }
}

/** Marks a field whose text may look random but is not secret: hashes, versions, commands, globs, argv. Named patterns still apply. */
export function namedOnly<S extends z.ZodType>(schema: S): S {
  return schema.meta({ redact: 'named-only' }) as S;
}
