/**
 * A past gather against the disk of now, without a gather (gather.md §10): what has changed since, and how fresh every index is. Nothing is
 * run and nothing is written.
 */

import { isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';
import { silentLogger } from '../../kernel/base/log.ts';
import type { RememberedVersion } from '../../kernel/exec/exec.ts';
import { createExecHost } from '../../kernel/exec/exec-host.ts';
import type { FileScope } from '../../kernel/tree/file-scope.ts';
import type { ConfigValues } from '../config.ts';
import type { Probe, SettledIndex, SkipReason } from '../contract.ts';
import { at, entriesAt, listAt, textAt } from '../report/loose-json.ts';
import { upstreamsOf } from '../run/coordinate.ts';
import { blankExecution, type Execution } from '../run/execution.ts';
import { changedSinceRecorded } from '../run/input-snapshot.ts';
import { type AskedRoot, type GatherWorld, openWorld } from '../run/open-world.ts';
import type { TaskClass } from '../run/task-class.ts';
import { countCommits, type JudgedIndexes, judgeIndexes } from './judge-indexes.ts';
import { settleIndex } from './observe-index.ts';
import type { Since } from './since.ts';
import { type Compared, compareWithDisk, recordedImage, sectionIn, tellSince } from './since-gather.ts';

export type PastGather = AskedRoot & {
  readonly cliVersion: string;
  readonly probes: readonly Probe[];
  readonly catalogs: Readonly<Record<string, Json>>;
  readonly config: ConfigValues;
  readonly dataDir: string;
  readonly stateDir: string;
  readonly cacheDir: string;
  readonly envelope: JsonObject;
  readonly taskType: string;
  readonly taskClass: TaskClass | undefined;
  readonly isBuilderMade: (bytes: Uint8Array) => boolean;
};

export type Now = {
  readonly since: Since | null;
  readonly compared: Compared;
  readonly scope: FileScope;
  readonly judgeIndexes: () => Promise<JudgedIndexes>;
};

/** Opens the world of a past gather without running anything; what is asked of it must be asked within `ask`. */
export async function lookAgain<T>(of: PastGather, ask: (now: Now) => Promise<T>): Promise<T> {
  const { envelope } = of;
  const execHost = createExecHost({ ...of, toolPaths: of.config['tools.paths'], logger: silentLogger });
  const options = at(envelope, 'task_context', 'options');
  try {
    const { world } = await openWorld({
      ...of,
      component: textAt(envelope, 'repo', 'component') ?? undefined,
      only: null,
      skip: [],
      mode: 'default',
      concurrency: 1,
      onProgress: () => {},
      task: { type: of.taskType, options: isJsonObject(options) ? options : {} },
      startedAt: new Date(of.nowMs()).toISOString(),
      logger: silentLogger,
      execHost,
      rememberedTools: rememberTools(envelope),
    });
    const compared = await compareWithDisk(world, envelope, of.cliVersion);
    return await ask({
      since: tellSince(world, envelope, compared),
      compared,
      scope: world.repo.scope,
      judgeIndexes: () => judgeNow(world, envelope, compared),
    });
  } finally {
    await execHost.killAll();
  }
}

function rememberTools(envelope: JsonObject): ReadonlyMap<string, RememberedVersion> {
  const atMs = Date.parse(textAt(envelope, 'gathered_at') ?? '');
  const found = entriesAt(envelope, 'probes').flatMap(([, record]) =>
    listAt(record, 'tool_versions').flatMap((tool) => {
      const [name, version] = [textAt(tool, 'name'), textAt(tool, 'version')];
      return name === null || version === null ? [] : [[name, { version, path: textAt(tool, 'path'), atMs }] as const];
    }),
  );
  return new Map(found);
}

async function judgeNow(world: GatherWorld, envelope: JsonObject, compared: Compared): Promise<JudgedIndexes> {
  const indexes: SettledIndex[] = [];
  for (const probe of world.probes)
    if (probe.index !== undefined) indexes.push(await settledNow(world, envelope, compared, probe));
  const exec = world.execHost.bind({ name: 'freshness', signal: world.signal, workspace: world.stateDir });
  return judgeIndexes({
    indexes,
    head: world.repo.gitCommit,
    countCommits: (last, head) => countCommits(exec, last, head),
  });
}

async function settledNow(
  world: GatherWorld,
  envelope: JsonObject,
  compared: Compared,
  probe: Probe,
): Promise<SettledIndex> {
  const skip = at(envelope, 'probes', probe.name, 'skip', 'reason');
  const key = at(envelope, 'probes', probe.name, 'cache', 'key');
  const section = sectionIn(envelope, Object.keys(probe.sections)[0] as string);
  const slice = section !== undefined && isJsonObject(section) ? section : undefined;
  const selected = skip !== 'not_selected' && skip !== 'disabled';
  const entry = typeof key === 'string' ? world.cache.findEntry(key) : undefined;
  const snapshot = compared.snapshots.get(probe.name) ?? world.snapshots.take(probe.declaredInputs);
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
  const own =
    recorded === undefined
      ? world.dirtyFiles.filter((path) => snapshot.inputs.has(path))
      : changedSinceRecorded(recorded, snapshot.inputs.values());
  const upstreamFiles = upstreamsOf(world.probes, probe).flatMap((name) => compared.changes.get(name)?.files ?? []);
  return { ...settled, observed: { ...settled.observed, changedFiles: own, upstreamFiles } };
}
