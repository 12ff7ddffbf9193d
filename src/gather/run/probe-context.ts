/** Builds what a probe is given. The only place that does, for gathers, freshness questions and tests alike. */

import { rmSync } from 'node:fs';
import { assert } from '../../kernel/base/assert.ts';
import type { Logger } from '../../kernel/base/log.ts';
import { ensureParents } from '../../kernel/base/write-file.ts';
import type { Exec, ExecOutcome } from '../../kernel/exec/exec.ts';
import type { ConfigValues } from '../config.ts';
import type { Diagnostic, Probe, ProbeContext, ProbeRepo, RepoSnapshot, SettledIndex, Upstream } from '../contract.ts';
import type { Snapshot, SnapshotTaker } from './input-snapshot.ts';
import type { GatherWorld } from './open-world.ts';
import { createProbeInputs, type TrackedInputs } from './probe-inputs.ts';
import { makeScratch } from './scratch.ts';

export type BuiltContext = {
  readonly repo: ProbeRepo;
  readonly ctx: ProbeContext;
  readonly inputs: TrackedInputs;
  /** Did something read the disk on the probe's behalf that `inputs` does not see: a program, or the code plane? */
  readElsewhere(): boolean;
  /** Programs that were ended because their time was up. */
  readonly outOfTime: ReadonlySet<string>;
  /** What the parsers found worth telling about the manifests this probe asked for. */
  readonly notes: ReadonlyMap<string, Diagnostic>;
  /** The scratch directory if it was asked for, else null. */
  workspaceIfMade(): string | null;
  /** Removes the scratch directory; called on every exit path. */
  dispose(): void;
};

export function createProbeContext(of: {
  readonly world: GatherWorld;
  readonly repo: RepoSnapshot;
  readonly probe: Probe;
  readonly snapshot: () => Snapshot;
  readonly signal: AbortSignal;
  readonly upstream?: Upstream;
  readonly inputsDigest?: () => string;
  readonly indexes?: readonly SettledIndex[];
  /** The programs that its key holds: no other may be started or asked for its version. Undefined where no answer is made. */
  readonly tools?: readonly string[];
  /** The image of this gather, asked when the probe asks. */
  readonly builtImage?: (() => string | null) | undefined;
}): BuiltContext {
  const { world, probe, signal } = of;
  const inputs = createProbeInputs(probe.name, of.snapshot, signal, world.extracted);
  const notes = new Map<string, Diagnostic>();
  let workspace: string | null = null;
  let disposed = false;
  let elsewhere = false;
  const outOfTime = new Set<string>();
  const makeWorkspace = (): string => {
    // A probe that was given up on may still be running; what it made now would not be removed.
    if (disposed) throw signal.reason instanceof Error ? signal.reason : new Error('the probe is over');
    workspace ??= makeScratch(probe.name);
    return workspace;
  };
  const logger: Logger = { event: (name, fields) => world.logger.event(name, { probe: probe.name, ...fields }) };
  const owner = {
    name: probe.name,
    signal,
    get workspace() {
      return makeWorkspace();
    },
  };
  const ctx: ProbeContext = {
    task: world.task,
    get cacheDir() {
      const path = `${world.cacheDir}/cache/tools/${probe.name}`;
      ensureParents(world.cacheDir, `${path}/.`);
      return path;
    },
    outputDir: `${world.dataDir}/context`,
    get workspace() {
      return makeWorkspace();
    },
    logger,
    config: pickConfig(world.config, probe),
    parsedManifest: (id) =>
      world.manifests.parsedManifest(inputs, id, ({ id: kind, line, detail }) => {
        notes.set(`${id}\0${kind}\0${detail}`, {
          id: `input.${kind}`,
          path: id,
          ...(line === undefined ? {} : { line }),
          detail,
        });
      }),
    get inputSnapshot() {
      return new Set(of.snapshot().inputs.values());
    },
    // There is one repository, so it has one image; a gather in which nothing builds one has no one to ask.
    imageDigestResolver: of.builtImage === undefined ? null : async () => of.builtImage?.() ?? null,
    upstream: of.upstream ?? {},
    signal,
    exec: watchPrograms(world.execHost.bind(owner), {
      admit: (name) => {
        const isKnown = of.tools?.includes(name) ?? true;
        assert(isKnown, `${probe.name} starts ${name}, which is not among its declared tools`);
      },
      onStart: () => {
        elsewhere = true;
      },
      onTimeout: (program) => void outOfTime.add(program),
    }),
    get inputsDigest() {
      return of.inputsDigest?.() ?? '';
    },
    codeFacts: async (budgetMs) => {
      elsewhere = true;
      const { readCodeFacts } = await import('./code-facts.ts');
      return readCodeFacts(world.codeFacts, budgetMs, signal);
    },
    codeDocuments: async (ask) => {
      elsewhere = true;
      const { writeCodeDocuments } = await import('./code-documents.ts');
      return writeCodeDocuments(world.codeDocuments, ask, signal);
    },
    settledIndexes: of.indexes ?? [],
    startedAt: world.startedAt,
  };
  return {
    repo: { ...of.repo, inputs },
    ctx,
    inputs,
    notes,
    readElsewhere: () => elsewhere,
    outOfTime,
    workspaceIfMade: () => workspace,
    dispose() {
      if (workspace !== null) rmSync(workspace, { recursive: true, force: true });
      workspace = null;
      disposed = true;
    },
  };
}

/** git answers about commits, which are no inputs; a program that is asked for its version reads no tree. */
function watchPrograms(
  exec: Exec,
  on: {
    readonly admit: (program: string) => void;
    readonly onStart: () => void;
    readonly onTimeout: (program: string) => void;
  },
): Exec {
  const watch =
    <O>(run: (argv: readonly string[], options: O) => Promise<ExecOutcome>) =>
    async (argv: readonly string[], options: O) => {
      const [name = '', ...args] = argv;
      on.admit(name);
      if (args.join() !== '--version') on.onStart();
      const outcome = await run(argv, options);
      if (outcome.kind === 'timed_out') on.onTimeout(name);
      return outcome;
    };
  return {
    ...exec,
    runAllowlisted: watch(exec.runAllowlisted),
    runExternalCli: watch(exec.runExternalCli),
    toolVersion: async (name, remembered) => {
      on.admit(name);
      return exec.toolVersion(name, remembered);
    },
  };
}

function pickConfig(config: ConfigValues, probe: Probe): ConfigValues {
  return Object.fromEntries(probe.configKeys.map((key) => [key, config[key]])) as ConfigValues;
}

/** A chain of configs is at most this long in practice (`extends` is cut at 32); beyond it the probe reports what it lacks. */
const maxRounds = 40;

/** Takes in the inputs that other inputs name, round by round, because a derived file may name the next one. */
export async function deriveAll(
  probe: Probe,
  context: BuiltContext,
  snapshots: SnapshotTaker,
  current: () => Snapshot,
  replace: (snapshot: Snapshot) => void,
): Promise<void> {
  if (probe.deriveInputs === undefined) return;
  const asked = new Set<string>(probe.declaredInputs);
  for (let round = 0; round < maxRounds; round += 1) {
    const named = await probe.deriveInputs(context.repo, context.ctx);
    const fresh = [...new Set(named)].filter((pattern) => !asked.has(pattern));
    if (fresh.length === 0) return;
    for (const pattern of fresh) asked.add(pattern);
    replace(snapshots.take(fresh, current()));
  }
}
