/**
 * Discover → probe → store (code-plane.md §5): which indexer projects there are, whether their tools can run, and what that asks of
 * the queue. A missing tool is a fact about a context, not an error. Nothing is written where nothing changed, so that the generation
 * stays and with it every answer that carries it.
 */

import { statSync } from 'node:fs';
import type { IndexerAdapter } from '../../languages/indexers/indexer-adapter.ts';
import type { ContextSpec, ProbeState } from '../../languages/projects/context-spec.ts';
import type { IndexerProbe } from '../semantic/indexers/run-indexer.ts';
import type { WritableFacts } from '../store/facts-file.ts';
import { isLive, listContexts, listMembers, type StoredContext } from '../store/stored-contexts.ts';
import { findRepoState } from '../store/stored-files.ts';
import { findQueuedJob, makeScope, type RefreshScope } from '../store/stored-jobs.ts';
import type { ContextRow } from '../store/write-semantic.ts';
import type { StoreHold } from '../sync/store-turns.ts';
import { idOf } from './job-inputs.ts';
import { refreshLimits } from './refresh-limits.ts';
import type { RefreshDiscovery, RefreshParts } from './refresh-wiring.ts';

type ContextsWorld = {
  readonly parts: Pick<RefreshParts, 'discover' | 'findAdapter'>;
  readonly probes: ProbeCache;
  readonly facts: WritableFacts;
  readonly write: StoreHold['write'];
  /** Called at once when another configuration, tool or environment has been stored: its running job must not come to its commit. */
  readonly onOvertaken: (contextId: number, why: string) => void;
  readonly discovery: RefreshDiscovery;
  /** `scip.max_file_mb`: which files an indexer leaves out. */
  readonly maxFileMb: number;
  readonly nowMs: () => number;
};

export type ContextsOutcome = {
  /** By key, as they are stored now. */
  readonly contexts: readonly StoredContext[];
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  /** What is wrong with `.codegenie/contexts.json`, for a person. */
  readonly problems: readonly string[];
};

export async function refreshContexts(world: ContextsWorld): Promise<ContextsOutcome> {
  const { facts, parts } = world;
  const { contexts: specs, problems } = parts.discover(world.discovery);
  const rows: ContextRow[] = [];
  for (const spec of specs) rows.push(await describeContext(spec, world));
  return world.write(() => {
    const before = facts.read((session) =>
      listContexts(session).map((context) => ({ context, members: listMembers(session, context.id) })),
    );
    const same =
      before.length === rows.length && rows.every((row, at) => textOf(row) === textOfStored(before[at] as Before));
    if (same) {
      const contexts = before.map(({ context }) => context);
      return { contexts, added: [], changed: [], removed: [], problems };
    }
    const { overtaken, ...outcome } = facts.writer.transaction(() => store(world, rows, before));
    for (const [contextId, why] of overtaken) world.onOvertaken(contextId, why);
    return { ...outcome, problems };
  });
}

type Before = { readonly context: StoredContext; readonly members: readonly string[] };

async function describeContext(spec: ContextSpec, world: ContextsWorld): Promise<ContextRow> {
  const adapter = world.parts.findAdapter(spec.indexer);
  const probe = adapter === undefined ? undefined : await world.probes.get(adapter, spec.root);
  const { state, detail } = judge(spec, probe);
  return {
    key: spec.key,
    family: spec.family,
    root: spec.root,
    configPath: spec.configPath,
    indexer: spec.indexer,
    config: spec.config,
    enabled: spec.enabled,
    members: spec.members,
    granularity: adapter?.granularity ?? 'project',
    configHash: idOf({
      inputs: spec.configInputs,
      arguments: adapter?.argumentsKey ?? null,
      maxFileMb: world.maxFileMb,
    }),
    toolPath: probe?.toolPath ?? null,
    toolId: probe?.toolId ?? null,
    envHash: probe?.envHash ?? '',
    probe: state,
    probeDetail: detail,
  };
}

function judge(
  spec: ContextSpec,
  probe: { readonly state: ProbeState; readonly detail: string | null } | undefined,
): { readonly state: ProbeState; readonly detail: string | null } {
  if (!spec.enabled) return { state: 'disabled', detail: null };
  if (spec.problem !== null) return { state: 'config_error', detail: spec.problem };
  return probe ?? { state: 'missing_tool', detail: `there is no adapter for ${spec.indexer}` };
}

function store(
  world: ContextsWorld,
  rows: readonly ContextRow[],
  before: readonly Before[],
): Omit<ContextsOutcome, 'problems'> & { readonly overtaken: ReadonlyMap<number, string> } {
  const { facts } = world;
  const { added, changed, removed } = facts.semantic.putContexts(rows);
  const old = new Map(before.map((entry) => [entry.context.key, entry]));
  const overtaken = new Map<number, string>();
  for (const key of removed) {
    const gone = old.get(key);
    if (gone !== undefined) overtaken.set(gone.context.id, 'its context is no more');
  }
  return facts.read((session) => {
    const contexts = listContexts(session);
    const head = findRepoState(session)?.head ?? null;
    const touched = new Set([...added, ...changed]);
    for (const context of contexts) {
      if (!touched.has(context.key)) continue;
      const previous = old.get(context.key);
      const why = previous === undefined ? undefined : findDifference(previous.context, context);
      if (why !== undefined) overtaken.set(context.id, why);
      const queued = findQueuedJob(session, context.id);
      if (!isLive(context)) {
        if (queued !== undefined) facts.jobs.cancel(queued.id, world.nowMs());
        continue;
      }
      const isOther = previous === undefined || why !== undefined;
      const scope = isOther ? null : scopeOfNew(previous.members, listMembers(session, context.id));
      if (scope === undefined) continue;
      const nowMs = world.nowMs();
      const trigger = previous === undefined ? 'context_added' : isOther ? 'context_changed' : 'members_added';
      facts.jobs.enqueue({ contextId: context.id, scope, trigger, priority: 0, notBeforeMs: nowMs, nowMs, head });
    }
    return { contexts, added, changed, removed, overtaken };
  });
}

/** Members that were none before; undefined: there are none such. */
function scopeOfNew(before: readonly string[], now: readonly string[]): RefreshScope | undefined {
  const known = new Set(before);
  const files = now.filter((path) => !known.has(path));
  if (files.length === 0) return undefined;
  return files.length > refreshLimits.maxListedFiles ? null : makeScope(files);
}

/** What makes all that a run would say about the old one unusable. Members alone do not. */
function findDifference(before: StoredContext, now: StoredContext): string | undefined {
  if (now.enabled !== before.enabled) return now.enabled ? 'its context was enabled' : 'its context was disabled';
  if (now.configHash !== before.configHash) return 'its configuration changed';
  if (now.toolId !== before.toolId || now.indexer !== before.indexer) return 'its indexer changed';
  if (now.envHash !== before.envHash) return 'its environment changed';
  return now.probe === before.probe ? undefined : `its indexer is ${now.probe} now`;
}

function textOf(row: ContextRow): string {
  return idOf({ ...row, members: [...row.members] });
}

function textOfStored({ context, members }: Before): string {
  const { id: _, ...row } = context;
  return textOf({ ...row, members });
}

// ---- probes: whether each indexer can run here, asked seldom, because a probe starts processes and discovery runs with every file that
// comes or goes. Asked again after a minute, or at once when the tool's file is another one (code-plane.md §5).

interface ProbeCache {
  /** For a context below that directory, root-relative: an interpreter may lie beside it. */
  get(adapter: IndexerAdapter, directory: string): Promise<IndexerProbe>;
  /** Would another answer be given by now? A tool that is there is looked at; one that is not is asked for again, once for all. */
  mayDiffer(): Promise<boolean>;
}

type Known = {
  readonly adapter: IndexerAdapter;
  readonly directory: string;
  readonly probe: IndexerProbe;
  readonly atMs: number;
  readonly file: string;
};

export function createProbeCache(
  probe: (adapter: IndexerAdapter, directory: string) => Promise<IndexerProbe>,
  nowMs: () => number,
): ProbeCache {
  const known = new Map<string, Known>();

  async function get(adapter: IndexerAdapter, directory: string): Promise<IndexerProbe> {
    const key = `${adapter.id} ${directory}`;
    const last = known.get(key);
    const isFresh =
      last !== undefined &&
      nowMs() - last.atMs < refreshLimits.probeEveryMs &&
      signatureOf(last.probe.toolPath) === last.file;
    if (isFresh) return last.probe;
    const atMs = nowMs();
    const found = await probe(adapter, directory);
    known.set(key, { adapter, directory, probe: found, atMs, file: signatureOf(found.toolPath) });
    return found;
  }

  return {
    get,
    async mayDiffer() {
      const all = [...known.values()];
      if (all.some((last) => signatureOf(last.probe.toolPath) !== last.file)) return true;
      const lacking = new Map(all.filter((last) => last.probe.state !== 'ok').map((last) => [last.adapter.id, last]));
      for (const { adapter, directory, probe: before } of lacking.values()) {
        const { state, toolPath, toolId, envHash } = await get(adapter, directory);
        const isSame =
          state === before.state &&
          toolPath === before.toolPath &&
          toolId === before.toolId &&
          envHash === before.envHash;
        if (!isSame) return true;
      }
      return false;
    },
  };
}

/** Of the file itself, also where the path is a link: what is installed is often replaced behind one. */
function signatureOf(path: string | null): string {
  if (path === null) return '';
  let stat: ReturnType<typeof statSync>;
  try {
    stat = statSync(path, { throwIfNoEntry: false });
  } catch {
    return 'gone';
  }
  return stat === undefined ? 'gone' : `${stat.size}:${stat.mtimeMs}:${stat.ctimeMs}:${stat.ino}`;
}
