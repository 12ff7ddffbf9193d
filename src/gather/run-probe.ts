/**
 * One probe from snapshot to settled result. A hit replays what was published before, byte for byte; a miss runs the probe under
 * its own timeout, then validates and redacts before anything is stored (P7, P8).
 */

import { setTimeout as delay } from 'node:timers/promises';
import { assert } from '../kernel/base/assert.ts';
import { sha256Hex } from '../kernel/base/hash.ts';
import { canonicalJson, type Json } from '../kernel/base/json.ts';
import { limits } from '../kernel/base/limits.ts';
import type { ToolVersion } from '../kernel/exec/types.ts';
import { createDirectoryGuard, readRegular } from '../kernel/repo/safe-read.ts';
import { cacheKey, type KeyParts, keyParts } from './cache-key.ts';
import type { CacheHit } from './cache-store.ts';
import type {
  Diagnostic,
  Evidence,
  Probe,
  ProbeOutput,
  RawArtifact,
  RepoSnapshot,
  SettledIndex,
  Upstream,
} from './contract.ts';
import type { GatherWorld } from './coordinate.ts';
import { deriveAll } from './derive-inputs.ts';
import type { CacheState } from './envelope.ts';
import { blankExecution, type Execution } from './execution.ts';
import { digestInputs, type Snapshot } from './input-snapshot.ts';
import { digestOfAll } from './observe-index.ts';
import { type BuiltContext, createProbeContext } from './probe-context.ts';
import { recordInputs } from './recorded-inputs.ts';
import { redactOutput, redactText } from './redact.ts';
import { createSanitiser } from './sanitise.ts';
import { validateOutput } from './validate.ts';

type RanOutput = Extract<ProbeOutput, { kind: 'ran' }>;

/** What is known before the probe runs and stays true whatever becomes of it. */
type Prepared = {
  readonly world: GatherWorld;
  readonly probe: Probe;
  readonly snapshot: Snapshot;
  readonly parts: KeyParts;
  readonly key: string;
  readonly tools: readonly ToolVersion[];
  readonly base: Execution;
};

export async function runProbe(of: {
  readonly world: GatherWorld;
  readonly repo: RepoSnapshot;
  readonly probe: Probe;
  readonly upstream: Upstream;
  readonly upstreamDigests: readonly (readonly [string, string])[];
  readonly indexes: readonly SettledIndex[];
}): Promise<Execution> {
  const { world, probe } = of;
  const ownAbort = new AbortController();
  const signal = AbortSignal.any([world.signal, ownAbort.signal]);
  let snapshot: Snapshot = { inputs: new Map(), tokens: [] };
  let allDigest = '';
  const context = createProbeContext({
    ...of,
    snapshot: () => snapshot,
    signal,
    inputsDigest: () => allDigest,
  });
  try {
    const tools = await Promise.all(probe.tools.map((name) => world.toolVersion(name)));
    snapshot = logSnapshot(world, probe, world.snapshots.take(probe.declaredInputs));
    await deriveAll(
      probe,
      context,
      world.snapshots,
      () => snapshot,
      (next) => {
        snapshot = next;
      },
    );
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
    const lookup = await lookUp(prepared, context);
    if (lookup.kind === 'hit') return replay(prepared, lookup.hit);
    if (world.mode === 'cache_only' && probe.cacheStrategy === 'content') {
      return {
        ...base,
        skip: { reason: 'cache_only_miss', detail: null },
        cache: { ...base.cache, state: lookup.state },
      };
    }
    return await execute(prepared, context, ownAbort, lookup.state);
  } finally {
    context.dispose();
  }
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

async function resolveTokens(
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

/** An image that nobody built folds to the empty text: the key then says "no image", which is true. */
async function resolveImageDigest(repo: RepoSnapshot, context: BuiltContext): Promise<string> {
  try {
    const digest = await context.ctx.imageDigestResolver(repo.root);
    if (digest === null)
      context.ctx.logger.event('cache.token_unresolved', { token: 'image-digest', reason: 'resolver_returned_none' });
    return digest ?? '';
  } catch {
    context.ctx.logger.event('cache.token_unresolved', { token: 'image-digest', reason: 'resolver_raised' });
    return '';
  }
}

type LookedUp = { readonly kind: 'hit'; readonly hit: CacheHit } | { readonly kind: 'run'; readonly state: CacheState };

async function lookUp(prepared: Prepared, context: BuiltContext): Promise<LookedUp> {
  const { world, probe, key } = prepared;
  if (probe.cacheStrategy === 'none') return { kind: 'run', state: 'none' };
  if (world.mode === 'no_cache' || isUncacheable(prepared)) return { kind: 'run', state: 'bypass' };
  const found = world.cache.get(key, probe.ttlHours ?? world.config.cache_ttl_hours);
  if (found.kind !== 'hit') {
    world.logger.event('cache.miss', { probe: probe.name, key });
    return { kind: 'run', state: found.kind };
  }
  const { hit } = found;
  const valid = validateOutput(probe, {
    kind: 'ran',
    slice: hit.slice.slice,
    confidence: hit.facts.confidence,
    warnings: hit.facts.warnings,
  });
  if (!valid.ok) {
    world.logger.event('cache.blob.invalid', { key, reason: 'schema' });
    return { kind: 'run', state: 'miss' };
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
  return {
    ...base,
    status: 'ok',
    confidence: hit.facts.confidence,
    slice: hit.slice,
    artifacts: hit.artifacts,
    warnings: hit.facts.warnings,
    diagnostics: hit.facts.diagnostics as unknown as Diagnostic[],
    evidence: hit.facts.evidence as unknown as Evidence[],
    toolVersions: hit.facts.toolVersions as unknown as ToolVersion[],
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
  const peakBeforeKb = process.resourceUsage().maxRSS;
  const outcome = await runUnderTimeout(prepared, context, ownAbort);
  const grownMb = (process.resourceUsage().maxRSS - peakBeforeKb) / 1024;
  if (grownMb > probe.budget.rssMb)
    world.logger.event('probe.rss.warn', { probe: probe.name, grown_mb: Math.round(grownMb) });
  if (outcome.kind === 'timed_out') {
    return { ...base, status: 'timed_out', confidence: 'low', errors: ['probe.timeout'] };
  }
  if (outcome.kind === 'cancelled') return { ...base, status: 'cancelled', confidence: 'low' };
  const { output, tooLarge } = readWorkspaceArtifacts(outcome.output, probe, context.workspaceIfMade());
  const valid = validateOutput(probe, output);
  if (!valid.ok) {
    const sanitise = createSanitiser({ root: world.repo.root, home: world.home, workspace: context.workspaceIfMade() });
    const detail = redactText(sanitise(valid.detail));
    world.logger.event('probe.output_refused', { probe: probe.name, id: valid.errorId, detail });
    return refused(base, { errorId: valid.errorId, detail });
  }
  return finish(prepared, base, valid.output, tooLarge, context);
}

type RunOutcome =
  | { readonly kind: 'output'; readonly output: ProbeOutput }
  | { readonly kind: 'timed_out' }
  | { readonly kind: 'cancelled' };

/** On expiry the probe's signal fires; two seconds later its promise is abandoned and a late result ignored. */
async function runUnderTimeout(
  { world, probe }: Prepared,
  context: BuiltContext,
  ownAbort: AbortController,
): Promise<RunOutcome> {
  const seconds = world.config['probes.timeouts'][probe.name] ?? probe.timeoutSeconds;
  const timer = new AbortController();
  let expired = false;
  const abandoned = delay(seconds * 1000, undefined, { signal: AbortSignal.any([timer.signal, world.signal]) })
    .then(
      () => {
        expired = true;
        ownAbort.abort(new Error('probe.timeout'));
      },
      () => {},
    )
    .then(async (): Promise<RunOutcome> => {
      if (timer.signal.aborted) return { kind: 'cancelled' };
      await delay(limits.abandonAfterMs, undefined, { signal: timer.signal }).catch(() => {});
      return { kind: expired ? 'timed_out' : 'cancelled' };
    });
  const ran = (async (): Promise<RunOutcome> => {
    try {
      const output = await probe.run(context.repo, context.ctx);
      if (expired) return { kind: 'timed_out' };
      return world.signal.aborted ? { kind: 'cancelled' } : { kind: 'output', output };
    } catch (error) {
      if (expired) return { kind: 'timed_out' };
      if (world.signal.aborted) return { kind: 'cancelled' };
      throw error;
    }
  })();
  // An abandoned probe may still throw; nobody is left to hear it.
  ran.catch(() => {});
  try {
    return await Promise.race([ran, abandoned]);
  } finally {
    timer.abort();
  }
}

/**
 * Artifacts that a tool left in the workspace become bytes here, before the workspace goes. Nothing outside it is read, and what
 * is over the budget is not read at all. The probe's answer is not validated yet: what is not shaped like an artifact is left as it is.
 */
function readWorkspaceArtifacts(
  output: ProbeOutput,
  probe: Probe,
  workspace: string | null,
): { readonly output: ProbeOutput; readonly tooLarge: readonly Diagnostic[] } {
  const tooLarge: Diagnostic[] = [];
  if (output?.kind !== 'ran' || !Array.isArray(output.rawArtifacts)) return { output, tooLarge };
  const capBytes = probe.budget.rawArtifactMb * 1024 * 1024;
  const rawArtifacts = (output.rawArtifacts as readonly RawArtifact[]).flatMap((artifact): RawArtifact[] => {
    const from: unknown = artifact?.from;
    if (typeof from !== 'object' || from === null || !('file' in from) || typeof from.file !== 'string')
      return [artifact];
    const { file } = from;
    assert(workspace !== null && file.startsWith(`${workspace}/`), `artifact ${artifact.name} is not in the workspace`);
    const outcome = readRegular(workspace, file.slice(workspace.length + 1), capBytes, createDirectoryGuard(workspace));
    if (outcome.kind === 'failed' && outcome.failure.kind === 'size_cap_exceeded') {
      const detail = redactText(`${artifact.name}: ${outcome.failure.bytes} bytes, budget ${capBytes}`);
      tooLarge.push({ id: 'artifact.too_large', detail });
      return [];
    }
    assert(outcome.kind === 'read', `artifact ${artifact.name} cannot be read: ${JSON.stringify(outcome)}`);
    return [{ ...artifact, from: outcome.bytes }];
  });
  return { output: { ...output, rawArtifacts }, tooLarge };
}

function finish(
  prepared: Prepared,
  base: Execution,
  output: ProbeOutput,
  tooLarge: readonly Diagnostic[],
  context: BuiltContext,
): Execution {
  const { world, probe } = prepared;
  const sanitise = createSanitiser({ root: world.repo.root, home: world.home, workspace: context.workspaceIfMade() });
  const redacted = redactOutput(redactionOf(prepared, output, sanitise));
  if (!redacted.ok) return refused(base, redacted);
  if (redacted.findingsCount > 0) {
    const { fingerprints } = redacted.slice;
    world.logger.event('raw_artifacts.redacted', { probe: probe.name, count: redacted.findingsCount, fingerprints });
  }
  if (output.kind === 'skipped') {
    const detail = output.detail === undefined ? null : redactText(sanitise(output.detail));
    const slice = output.slice === undefined ? null : redacted.slice;
    return { ...base, skip: { reason: output.reason, detail }, slice, warnings: output.warnings ?? [] };
  }
  const dropped = tooLarge.map((diagnostic) => diagnostic.id);
  const errors = [...new Set([...(output.errors ?? []), ...redacted.errors, ...dropped])];
  const changed = [...context.inputs.changed].map((path) => ({ id: 'input.changed', path }));
  const execution: Execution = {
    ...base,
    status: errors.length > 0 ? 'degraded' : 'ok',
    confidence: output.confidence,
    slice: redacted.slice,
    artifacts: redacted.artifacts,
    warnings: output.warnings ?? [],
    errors,
    diagnostics: [...changed, ...tooLarge, ...redacted.diagnostics].slice(0, limits.diagnosticsPerProbe),
    evidence: redacted.evidence,
    outputSha256: sha256Hex(canonicalJson(redacted.slice.slice as unknown as Json)),
  };
  const writes = base.cache.state === 'miss' || base.cache.state === 'stale';
  return writes && errors.length === 0 && changed.length === 0 ? store(prepared, execution) : execution;
}

/** An output that may not be published leaves its reason and nothing else. */
function refused(base: Execution, why: { readonly errorId: string; readonly detail: string }): Execution {
  const diagnostics = [{ id: why.errorId, detail: why.detail }];
  return { ...base, status: 'failed', confidence: 'low', errors: [why.errorId], diagnostics };
}

function redactionOf(prepared: Prepared, output: ProbeOutput, sanitiser: (text: string) => string) {
  const ran: Partial<RanOutput> = output.kind === 'ran' ? output : {};
  return {
    probe: prepared.probe,
    slice: output.slice ?? {},
    diagnostics: ran.diagnostics ?? [],
    evidence: ran.evidence ?? [],
    artifacts: (ran.rawArtifacts ?? []).map(({ name, kind, from }) => ({ name, kind, bytes: from as Uint8Array })),
    sanitiser,
    isBuilderMade: prepared.world.isBuilderMade,
  };
}

/** The parts as they may be written: configuration, options and the repository's name are text that a person wrote. */
function publicParts(parts: KeyParts): KeyParts {
  const { config, task, tokens } = parts;
  return { ...parts, config: redactText(config), task: redactText(task), tokens: redactText(tokens) };
}

function store({ world, probe, key, parts, snapshot }: Prepared, execution: Execution): Execution {
  const { slice } = execution;
  if (slice === null) return execution;
  try {
    const entry = world.cache.put({
      key,
      parts: publicParts(parts),
      probe: probe.name,
      version: probe.version,
      slice,
      facts: {
        confidence: execution.confidence ?? 'low',
        warnings: execution.warnings,
        diagnostics: execution.diagnostics as unknown as Json[],
        evidence: execution.evidence as unknown as Json[],
        toolVersions: execution.toolVersions as unknown as Json[],
      },
      artifacts: execution.artifacts,
      inputs: recordInputs(snapshot.inputs.values()),
    });
    return { ...execution, outputSha256: entry.output_sha256 };
  } catch (error) {
    // A cache that cannot be written costs time at the next gather; this one is whole.
    world.logger.event('cache.write_failed', { probe: probe.name, message: (error as Error).message });
    return execution;
  }
}
