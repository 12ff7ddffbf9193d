/**
 * One probe from snapshot to settled result. A hit replays what was published before, byte for byte; a miss runs the probe under
 * its own timeout, then validates and redacts before anything is stored (P7, P8).
 */

import { setTimeout as delay } from 'node:timers/promises';
import type { Json } from '../../kernel/base/json.ts';
import { limits } from '../../kernel/base/limits.ts';
import { cacheKey, keyParts } from '../cache/cache-key.ts';
import type { CacheHit } from '../cache/cache-store.ts';
import { askImageDigest, type Probe, type RepoSnapshot, type SettledIndex, type Upstream } from '../contract.ts';
import { digestOfAll } from '../freshness/observe-index.ts';
import type { CacheState } from '../publish/envelope.ts';
import { blankExecution, type Execution } from './execution.ts';
import { digestInputs, emptySnapshot, type Snapshot } from './input-snapshot.ts';
import type { GatherWorld } from './open-world.ts';
import { type BuiltContext, createProbeContext, deriveAll } from './probe-context.ts';
import { type Prepared, settleOutput } from './settle-output.ts';
import { validateOutput } from './validate-output.ts';

export async function runProbe(of: {
  readonly world: GatherWorld;
  readonly repo: RepoSnapshot;
  readonly probe: Probe;
  readonly upstream: Upstream;
  readonly upstreamDigests: readonly (readonly [string, string])[];
  readonly indexes: readonly SettledIndex[];
  /** Undefined where no probe of this gather builds an image. */
  readonly builtImage: (() => string | null) | undefined;
  /** Its answer is not in the cache: it begins to work. */
  readonly onWork: () => void;
}): Promise<Execution> {
  const { world, probe } = of;
  const ownAbort = new AbortController();
  const signal = AbortSignal.any([world.signal, ownAbort.signal]);
  let snapshot: Snapshot = emptySnapshot;
  let allDigest = '';
  const context = createProbeContext({
    ...of,
    snapshot: () => snapshot,
    signal,
    inputsDigest: () => allDigest,
    tools: probe.tools,
  });
  /** Everything that decides whether the probe runs: what it reads, under which key, and whether the answer is known. */
  const prepare = async (): Promise<{ readonly prepared: Prepared; readonly lookup: LookedUp }> => {
    const tools = await Promise.all(probe.tools.map((name) => world.toolVersion(name)));
    snapshot = logSnapshot(world, probe, world.snapshots.take(probe.declaredInputs));
    const current = () => snapshot;
    await deriveAll(probe, context, world.snapshots, current, (next) => {
      snapshot = next;
    });
    const inputsDigest = digestInputs(snapshot.inputs.values());
    allDigest = digestOfAll(inputsDigest, of.upstreamDigests);
    const parts = keyParts({
      probe,
      inputsDigest,
      config: context.ctx.config as unknown as Record<string, Json>,
      task: world.task,
      tools,
      catalogHashes: world.catalogHashes,
      tokens: await resolveTokens(snapshot.tokens, of.repo, context),
      upstream: of.upstreamDigests,
      platform: `${process.platform}-${process.arch}`,
    });
    const key = cacheKey(parts);
    const base: Execution = {
      ...blankExecution(probe, true),
      snapshot,
      inputsDigest,
      keyParts: parts,
      toolVersions: tools,
      cache: { state: 'none', key: probe.cacheStrategy === 'none' ? null : key, producedAt: null },
    };
    const prepared: Prepared = { world, probe, snapshot, parts, key, tools, base };
    return { prepared, lookup: await lookUp(prepared, context) };
  };
  try {
    const ready = await underDeadline(world, probe, ownAbort, prepare);
    if (ready.kind !== 'done') return unfinished(blankExecution(probe, true), ready.kind);
    const { prepared, lookup } = ready.value;
    if (lookup.kind === 'hit') return replay(prepared, lookup.hit);
    if (world.mode === 'cache_only' && probe.cacheStrategy === 'content') {
      const cache = { ...prepared.base.cache, state: lookup.state };
      return { ...prepared.base, skip: { reason: 'cache_only_miss', detail: null }, cache };
    }
    of.onWork();
    return await execute(prepared, context, ownAbort, lookup.state);
  } finally {
    context.dispose();
  }
}

/** Ended before it could answer. */
function unfinished(base: Execution, kind: 'timed_out' | 'cancelled'): Execution {
  return { ...base, status: kind, confidence: 'low', errors: kind === 'timed_out' ? ['probe.timeout'] : [] };
}

function logSnapshot(world: GatherWorld, probe: Probe, snapshot: Snapshot): Snapshot {
  let totalBytes = 0;
  let oversize = 0;
  for (const input of snapshot.inputs.values()) {
    totalBytes += input.size;
    if (input.contentHash === '<oversize>') {
      oversize += 1;
      world.logger.event('probe.input_snapshot.oversize', { probe: probe.name, path: input.id });
    } else if (input.contentHash === '<refused>') {
      world.logger.event('probe.input_snapshot.symlink_refused', { probe: probe.name, path: input.id });
    }
  }
  world.logger.event('probe.input_snapshot.computed', {
    probe: probe.name,
    entries: snapshot.inputs.size,
    total_bytes: totalBytes,
    oversize_entries: oversize,
  });
  return snapshot;
}

export async function resolveTokens(
  tokens: readonly string[],
  repo: RepoSnapshot,
  context: BuiltContext,
): Promise<(readonly [string, string])[]> {
  const resolved: (readonly [string, string])[] = [];
  for (const token of tokens) {
    if (token === 'utc-date') resolved.push([token, context.ctx.startedAt.slice(0, 10)]);
    else if (token === 'repo-id') resolved.push([token, repo.id]);
    else if (token === 'git-head') resolved.push([token, repo.gitCommit ?? '']);
    else resolved.push([token, await resolveImageDigest(repo, context)]);
  }
  return resolved;
}

/** An image that was not built folds to the empty text: the key then says "no image", which is true. */
async function resolveImageDigest(repo: RepoSnapshot, context: BuiltContext): Promise<string> {
  const resolved = await askImageDigest(context.ctx.imageDigestResolver, repo.root);
  if (resolved.kind === 'digest') return resolved.digest;
  const { reason, error } = resolved;
  const about = { token: 'image-digest', reason, ...(error === null ? {} : { error }) };
  context.ctx.logger.event('cache.token_unresolved', about);
  return '';
}

type LookedUp = { readonly kind: 'hit'; readonly hit: CacheHit } | { readonly kind: 'run'; readonly state: CacheState };

async function lookUp(prepared: Prepared, context: BuiltContext): Promise<LookedUp> {
  const { world, probe, key } = prepared;
  if (probe.cacheStrategy === 'none') return { kind: 'run', state: 'none' };
  if (world.mode === 'no_cache' || isUncacheable(prepared)) return { kind: 'run', state: 'bypass' };
  const found = world.cache.get(key, probe.ttlHours ?? world.config.cache_ttl_hours);
  if (found.kind !== 'hit') {
    world.logger.event(found.kind === 'unsealed' ? 'cache.unsealed' : 'cache.miss', { probe: probe.name, key });
    return { kind: 'run', state: found.kind };
  }
  const { hit } = found;
  const stored = {
    kind: 'ran',
    slice: hit.slice.slice,
    confidence: hit.facts.confidence,
    warnings: hit.facts.warnings,
    // The names decide where bytes are written: a stored one is believed no more than a new one.
    rawArtifacts: hit.artifacts.map(({ name, kind, bytes }) => ({ name, kind, from: bytes })),
  };
  const valid = validateOutput(probe, stored, true);
  if (!valid.ok) {
    world.logger.event('cache.blob.invalid', { key, reason: 'schema' });
    return { kind: 'run', state: 'miss' };
  }
  const moved = (await probe.movedOutside?.(hit.slice.slice, context.ctx)) ?? [];
  if (moved.length > 0) {
    world.logger.event('cache.moved_outside', { probe: probe.name, key, moved: [...moved] });
    return { kind: 'run', state: 'stale' };
  }
  if (probe.revalidate !== undefined && !(await probe.revalidate(hit.slice.slice, context.ctx))) {
    return { kind: 'run', state: 'stale' };
  }
  return { kind: 'hit', hit };
}

function isUncacheable({ snapshot, tools }: Prepared): boolean {
  if (tools.some((tool) => tool.version === 'unknown')) return true;
  for (const input of snapshot.inputs.values()) if (input.contentHash === '<oversize>') return true;
  return false;
}

function replay({ base, world, probe }: Prepared, hit: CacheHit): Execution {
  world.logger.event('cache.hit', { probe: probe.name, key: hit.entry.key });
  world.logger.event(`probe.${probe.name}.cache_hit`, { key: hit.entry.key });
  return {
    ...base,
    status: 'ok',
    confidence: hit.facts.confidence,
    slice: hit.slice,
    artifacts: hit.artifacts,
    warnings: hit.facts.warnings,
    diagnostics: hit.facts.diagnostics,
    evidence: hit.facts.evidence,
    toolVersions: hit.facts.toolVersions,
    cache: { state: 'hit', key: hit.entry.key, producedAt: hit.entry.created_at },
    outputSha256: hit.entry.output_sha256,
  };
}

async function execute(
  prepared: Prepared,
  context: BuiltContext,
  ownAbort: AbortController,
  state: CacheState,
): Promise<Execution> {
  const { world, probe } = prepared;
  const base: Execution = { ...prepared.base, cache: { ...prepared.base.cache, state } };
  // Asking for the peak takes more than a millisecond, which is more than most light probes do.
  const peakKb = (): number => (probe.heaviness === 'light' ? 0 : process.resourceUsage().maxRSS);
  const peakBeforeKb = peakKb();
  const outcome = await underDeadline(world, probe, ownAbort, () => probe.run(context.repo, context.ctx));
  const grownMb = Math.round((peakKb() - peakBeforeKb) / 1024);
  if (grownMb > probe.budget.rssMb) world.logger.event('probe.rss.warn', { probe: probe.name, grown_mb: grownMb });
  return outcome.kind === 'done'
    ? await settleOutput(prepared, base, outcome.value, context)
    : unfinished(base, outcome.kind);
}

type Deadlined<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'timed_out' }
  | { readonly kind: 'cancelled' };

/** Time for one probe: on expiry its own signal ends, its promise is given up two seconds later, and no other probe is touched. */
async function underDeadline<T>(
  world: GatherWorld,
  probe: Probe,
  ownAbort: AbortController,
  work: () => Promise<T>,
): Promise<Deadlined<T>> {
  const seconds = world.config['probes.timeouts'][probe.name] ?? probe.timeoutSeconds;
  const over = new AbortController();
  let expired = false;
  const abandoned = (async (): Promise<Deadlined<T>> => {
    const bounds = AbortSignal.any([over.signal, world.signal]);
    expired = await delay(seconds * 1000, true, { signal: bounds }).catch(() => false);
    if (expired) ownAbort.abort(new Error('probe.timeout'));
    await delay(limits.abandonAfterMs, undefined, { signal: over.signal }).catch(() => {});
    return { kind: expired ? 'timed_out' : 'cancelled' };
  })();
  const worked = (async (): Promise<Deadlined<T>> => {
    try {
      const value = await work();
      if (expired) return { kind: 'timed_out' };
      return world.signal.aborted ? { kind: 'cancelled' } : { kind: 'done', value };
    } catch (error) {
      if (expired) return { kind: 'timed_out' };
      if (world.signal.aborted) return { kind: 'cancelled' };
      throw error;
    }
  })();
  // An abandoned probe may still throw; that is ignored.
  worked.catch(() => {});
  try {
    return await Promise.race([worked, abandoned]);
  } finally {
    over.abort();
  }
}
