/**
 * The freshness of every index asked now, without a gather: what the published context recorded, against the disk (gather.md §10).
 * Nothing is run and nothing is written.
 */

import { isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';
import { silentLogger } from '../../kernel/base/log.ts';
import { createExecHost } from '../../kernel/exec/exec-host.ts';
import type { ConfigValues } from '../config.ts';
import type { Probe, SettledIndex, SkipReason } from '../contract.ts';
import { splitSectionPath } from '../publish/envelope.ts';
import { at } from '../report/loose-json.ts';
import { blankExecution, type Execution } from '../run/execution.ts';
import { changedSinceRecorded, type Snapshot } from '../run/input-snapshot.ts';
import { type GatherWorld, openWorld } from '../run/open-world.ts';
import { createProbeContext, deriveAll } from '../run/probe-context.ts';
import { countCommits, type JudgedIndexes, judgeIndexes } from './judge-indexes.ts';
import { settleIndex } from './observe-index.ts';

/** Opens the world of a past gather without running anything, and judges its indexes again. */
export async function judgeNow(of: {
  readonly root: string;
  readonly isGit: boolean;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly nowMs: () => number;
  readonly signal: AbortSignal;
  readonly probes: readonly Probe[];
  readonly catalogs: Readonly<Record<string, Json>>;
  readonly config: ConfigValues;
  readonly dataDir: string;
  readonly stateDir: string;
  readonly cacheDir: string;
  readonly envelope: JsonObject;
  readonly taskType: string;
  readonly isBuilderMade: (bytes: Uint8Array) => boolean;
}): Promise<JudgedIndexes> {
  const execHost = createExecHost({ ...of, toolPaths: of.config['tools.paths'], logger: silentLogger });
  try {
    const { world } = await openWorld({
      ...of,
      only: null,
      skip: [],
      mode: 'default',
      concurrency: 1,
      onProgress: () => {},
      task: { type: of.taskType, options: {} },
      taskClass: undefined,
      startedAt: new Date(of.nowMs()).toISOString(),
      logger: silentLogger,
      execHost,
    });
    return await freshnessNow(world, of.envelope);
  } finally {
    await execHost.killAll();
  }
}

async function freshnessNow(world: GatherWorld, envelope: JsonObject): Promise<JudgedIndexes> {
  const indexes: SettledIndex[] = [];
  for (const probe of world.probes)
    if (probe.index !== undefined) indexes.push(await settledNow(world, envelope, probe));
  const exec = world.execHost.bind({ name: 'freshness', signal: world.signal, workspace: world.stateDir });
  return judgeIndexes({
    indexes,
    head: world.repo.gitCommit,
    countCommits: (last, head) => countCommits(exec, last, head),
  });
}

async function settledNow(world: GatherWorld, envelope: JsonObject, probe: Probe): Promise<SettledIndex> {
  const skip = at(envelope, 'probes', probe.name, 'skip', 'reason');
  const key = at(envelope, 'probes', probe.name, 'cache', 'key');
  const slice = findSection(envelope, Object.keys(probe.sections)[0] as string);
  const selected = skip !== 'not_selected' && skip !== 'disabled';
  const entry = typeof key === 'string' ? world.cache.findEntry(key) : undefined;

  let snapshot: Snapshot = { inputs: new Map(), tokens: [] };
  const context = createProbeContext({
    world,
    repo: world.repo,
    probe,
    snapshot: () => snapshot,
    signal: world.signal,
  });
  const replace = (next: Snapshot): void => {
    snapshot = next;
  };
  try {
    replace(world.snapshots.take(probe.declaredInputs));
    await deriveAll(probe, context, world.snapshots, () => snapshot, replace);
  } catch (error) {
    // The declared inputs are still known; what could not be derived is missing from the digest, which then differs.
    world.logger.event('index_health.observation_failed', { probe: probe.name, type: (error as Error).name });
  } finally {
    context.dispose();
  }
  const execution: Execution = {
    ...blankExecution(probe, selected),
    status: slice === undefined ? 'skipped' : 'ok',
    skip: typeof skip === 'string' ? { reason: skip as SkipReason, detail: null } : null,
    snapshot,
    // What the upstreams were is as recorded: an upstream that changed shows when the gather is repeated.
    keyParts: entry?.parts ?? null,
  };
  const settled = await settleIndex(world, world.repo, execution, slice ?? {}, recordedImage(world, envelope));
  const recorded = entry === undefined ? undefined : world.cache.readInputs(entry.key);
  // Without the recorded list, what git calls uncommitted is the best there is to compare with.
  const changedFiles =
    recorded === undefined
      ? world.dirtyFiles.filter((path) => snapshot.inputs.has(path))
      : changedSinceRecorded(recorded, snapshot.inputs.values());
  return { ...settled, observed: { ...settled.observed, changedFiles } };
}

/** The image of the gather that was published. */
function recordedImage(world: GatherWorld, envelope: JsonObject): string | null {
  for (const { imageDigest, sections } of world.probes) {
    if (imageDigest === undefined) continue;
    const found = Object.keys(sections).map((path) => [path, findSection(envelope, path) ?? {}] as const);
    return imageDigest(Object.fromEntries(found));
  }
  return null;
}

function findSection(envelope: JsonObject, path: string): JsonObject | undefined {
  const [top, leaf] = splitSectionPath(path);
  const found = leaf === undefined ? at(envelope, top) : at(envelope, top, leaf);
  return isJsonObject(found) ? found : undefined;
}
