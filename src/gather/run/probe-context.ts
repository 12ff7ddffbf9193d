/** Builds what a probe is given. The only place that does, for gathers, freshness questions and tests alike. */

import { rmSync } from 'node:fs';
import type { Logger } from '../../kernel/base/log.ts';
import { ensureParents } from '../../kernel/base/write-file.ts';
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
  /** The image of this gather, asked when the probe asks. */
  readonly builtImage?: () => string | null;
}): BuiltContext {
  const { world, probe, signal } = of;
  const inputs = createProbeInputs(probe.name, of.snapshot, signal);
  const notes = new Map<string, Diagnostic>();
  let workspace: string | null = null;
  let disposed = false;
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
    // There is one repository, so it has one image.
    imageDigestResolver: async () => of.builtImage?.() ?? null,
    upstream: of.upstream ?? {},
    signal,
    exec: world.execHost.bind(owner),
    get inputsDigest() {
      return of.inputsDigest?.() ?? '';
    },
    codeFacts: async (budgetMs) => {
      const { readCodeFacts } = await import('./code-facts.ts');
      return readCodeFacts(world.codeFacts, budgetMs, signal);
    },
    settledIndexes: of.indexes ?? [],
    startedAt: world.startedAt,
  };
  return {
    repo: { ...of.repo, inputs },
    ctx,
    inputs,
    notes,
    workspaceIfMade: () => workspace,
    dispose() {
      if (workspace !== null) rmSync(workspace, { recursive: true, force: true });
      workspace = null;
      disposed = true;
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
