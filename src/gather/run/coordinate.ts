/**
 * The coordinator (gather.md §2): decides which probes run, in which order, gives each its snapshot, key and context, and isolates
 * every failure inside its probe. Order and concurrency affect time, never content.
 *
 *   prelude → filter → ready queue over the `requires` DAG → final (index_health)
 *                        └ all but the heavy ones have settled ▶ `onFirst`: what is known by then, the rest `pending`
 *   per probe: snapshot → key → cache ─hit──────────────────────────────▶ replay
 *                                 └miss▶ run (own timeout) → validate → redact → cache
 */

import { assert } from '../../kernel/base/assert.ts';
import { sha256Hex } from '../../kernel/base/hash.ts';
import { canonicalJson, type Json, type JsonObject } from '../../kernel/base/json.ts';
import { limits } from '../../kernel/base/limits.ts';
import { singleLine, truncate } from '../../kernel/base/text.ts';
import type { Probe, RepoSnapshot, Requirement, SettledIndex, Slice } from '../contract.ts';
import { settleIndex } from '../freshness/observe-index.ts';
import { volatileFields } from '../publish/envelope.ts';
import { digestsOf, redactText } from '../publish/redact.ts';
import { createSanitiser } from '../publish/sanitise.ts';
import { blankExecution, type Execution, pendingExecution, skippedExecution } from './execution.ts';
import type { GatherWorld } from './open-world.ts';
import { runProbe } from './run-probe.ts';
import { filterProbe, PRELUDE, requirementName, selectedNames } from './select-probes.ts';

/** Heavy probes that are done by then are waited for: a second publication would come on the heels of the first. */
const firstAfterMs = 300;

export async function coordinate(
  world: GatherWorld,
  onFirst?: (executions: ReadonlyMap<string, Execution>) => Promise<void>,
): Promise<ReadonlyMap<string, Execution>> {
  const settled = new Map<string, Execution>();
  const selected = selectedNames(world.probes, world.selection.only);
  const settle = (execution: Execution): void => {
    settled.set(execution.probe.name, execution);
    world.onProgress({ kind: 'settled', execution });
  };

  const prelude = world.probes.find((probe) => probe.name === PRELUDE);
  let repo = world.repo;
  let languagesKnown = false;
  if (prelude !== undefined) {
    const execution = refuse(world, repo, prelude, selected, false) ?? (await attempt(world, repo, prelude, settled));
    settle(execution);
    const counts = languageCounts(execution);
    languagesKnown = counts !== undefined;
    if (counts === undefined) world.logger.event('prelude.degraded', { status: execution.status });
    repo = Object.freeze({ ...repo, detectedLanguages: counts ?? {} });
  }

  const waiting: Probe[] = [];
  for (const probe of world.probes) {
    if (settled.has(probe.name)) continue;
    const refusal = refuse(world, repo, probe, selected, languagesKnown);
    if (refusal === null) waiting.push(probe);
    else settle(refusal);
  }
  world.onProgress({ kind: 'planned', probes: waiting.map((probe) => probe.name) });
  world.extracted.expect(waiting.flatMap((probe) => probe.extracts));
  const planned = waiting.filter((probe) => !probe.final);
  const judges = waiting.filter((probe) => probe.final);
  const first = firstPublication(planned, settled, async () => {
    const known = new Map(settled);
    for (const probe of planned) if (!known.has(probe.name)) known.set(probe.name, pendingExecution(probe));
    for (const probe of judges) {
      const indexes = await settledIndexes(world, repo, known);
      known.set(probe.name, await attempt(world, repo, probe, known, indexes));
    }
    await onFirst?.(known);
  });
  try {
    await runAll(world, repo, planned, settled, settle, first);
  } finally {
    await first.end();
  }
  for (const probe of judges) {
    const indexes = await settledIndexes(world, repo, settled);
    settle(await attempt(world, repo, probe, settled, indexes));
  }
  return settled;
}

type FirstPublication = {
  /** Heavy probes, and those that rest on one. */
  readonly late: ReadonlySet<string>;
  /** A probe was not in the cache, and is at work. */
  readonly note: (probe: Probe) => void;
  /** Something has settled, or begun to work. */
  readonly consider: () => void;
  /** Calls it off, or waits until it is made. */
  readonly end: () => Promise<void>;
};

/** Made once, when everything but late probes has settled and a late one works for a while: what the cache holds is soon there. */
function firstPublication(
  planned: readonly Probe[],
  settled: ReadonlyMap<string, Execution>,
  make: () => Promise<void>,
): FirstPublication {
  const heavy = new Set(planned.filter(({ heaviness }) => heaviness === 'heavy').map(({ name }) => name));
  const late = new Set(
    planned
      .filter(
        (probe) =>
          heavy.has(probe.name) ||
          [...upstreamsOf(planned, probe), ...(probe.after ?? [])].some((name) => heavy.has(name)),
      )
      .map(({ name }) => name),
  );
  let isWorking = false;
  let timer: NodeJS.Timeout | undefined;
  let made: Promise<void> | undefined;
  const consider = (): void => {
    if (timer !== undefined || !isWorking) return;
    if (planned.some(({ name }) => !late.has(name) && !settled.has(name))) return;
    timer = setTimeout(() => {
      made = make();
      // Awaited at the end, which may be long after it failed.
      made.catch(() => {});
    }, firstAfterMs);
  };
  return {
    late,
    note: ({ name }) => {
      // What rests on a heavy probe and is never in the cache works at every gather.
      if (!heavy.has(name)) return;
      isWorking = true;
      consider();
    },
    consider,
    end: async () => {
      clearTimeout(timer);
      await made;
    },
  };
}

/**
 * Dependencies first; among the ready ones those that the first publication waits for, then heavy before light, then by registration, at most
 * `concurrency` at once.
 */
async function runAll(
  world: GatherWorld,
  repo: RepoSnapshot,
  probes: readonly Probe[],
  settled: Map<string, Execution>,
  settle: (execution: Execution) => void,
  first: FirstPublication,
): Promise<void> {
  const weight = { heavy: 0, medium: 1, light: 2 } as const;
  const rank = (probe: Probe): number => (first.late.has(probe.name) ? 3 : 0) + weight[probe.heaviness];
  const waiting = new Set([...probes].sort((a, b) => rank(a) - rank(b)));
  const planned = new Set(probes.map((probe) => probe.name));
  const running = new Set<Promise<void>>();
  const isReady = (probe: Probe) =>
    (probe.after ?? []).every((name) => !planned.has(name) || settled.has(name)) &&
    probe.requires.every(
      (requirement) => !planned.has(requirementName(requirement)) || settled.has(requirementName(requirement)),
    );
  while (waiting.size > 0 || running.size > 0) {
    for (const probe of waiting) {
      if (running.size >= world.concurrency) break;
      if (!isReady(probe)) continue;
      waiting.delete(probe);
      world.onProgress({ kind: 'started', probe: probe.name });
      const run: Promise<void> = attempt(world, repo, probe, settled, [], first.note).then((execution) => {
        settle(execution);
        first.consider();
        running.delete(run);
      });
      running.add(run);
    }
    assert(
      running.size > 0,
      `probes wait for each other in a circle: ${[...waiting].map(({ name }) => name).join(', ')}`,
    );
    await Promise.race(running);
  }
}

/** One probe inside its boundary: whatever is thrown in here becomes its own `failed`, and no other probe's. */
async function attempt(
  world: GatherWorld,
  repo: RepoSnapshot,
  probe: Probe,
  settled: ReadonlyMap<string, Execution>,
  indexes: readonly SettledIndex[] = [],
  onWork: (probe: Probe) => void = () => {},
): Promise<Execution> {
  const started = performance.now();
  const timed = (execution: Execution): Execution => ({
    ...execution,
    durationMs: Math.round(performance.now() - started),
  });
  if (world.signal.aborted) return timed({ ...skippedExecution(probe, true, 'cancelled'), status: 'cancelled' });
  try {
    const upstream = collectUpstream(probe, settled);
    if (upstream.kind === 'unavailable') {
      return timed(skippedExecution(probe, true, 'upstream_unavailable', `${upstream.probe} delivered nothing`));
    }
    const { values, digests } = upstream;
    const hasBuilder = [...settled.values()].some((one) => one.probe.imageDigest !== undefined);
    const image = hasBuilder ? () => builtImage(settled.values()) : undefined;
    return timed(
      await runProbe({
        world,
        repo,
        probe,
        upstream: values,
        upstreamDigests: digests,
        indexes,
        builtImage: image,
        onWork: () => onWork(probe),
      }),
    );
  } catch (error) {
    return timed(failedExecution(world, probe, error));
  }
}

function failedExecution(world: GatherWorld, probe: Probe, error: unknown): Execution {
  if (world.signal.aborted) return { ...blankExecution(probe, true), status: 'cancelled', confidence: 'low' };
  const { name, message } = error instanceof Error ? error : { name: typeof error, message: String(error) };
  const sanitise = createSanitiser({ root: world.repo.root, home: world.home, workspace: null });
  const detail = truncate(
    sanitise(`${name}: ${singleLine(redactText(message).split('\n', 1)[0] ?? '')}`),
    limits.diagnosticDetailChars,
  );
  world.logger.event('probe.threw', { probe: probe.name, detail });
  return {
    ...blankExecution(probe, true),
    status: 'failed',
    confidence: 'low',
    errors: ['probe.threw'],
    diagnostics: [{ id: 'probe.threw', detail }],
  };
}

function refuse(
  world: GatherWorld,
  repo: RepoSnapshot,
  probe: Probe,
  selected: ReadonlySet<string>,
  languagesKnown: boolean,
): Execution | null {
  try {
    const { task, taskClass, selection } = world;
    const found = filterProbe(probe, { repo, task, taskClass, selection, selected, languagesKnown });
    return found === null ? null : skippedExecution(probe, found.selected, found.reason, found.detail);
  } catch (error) {
    return failedExecution(world, probe, error);
  }
}

type UpstreamOutcome =
  | {
      readonly kind: 'available';
      readonly values: Record<string, { value: Json; artifacts: Record<string, Uint8Array> } | null>;
      readonly digests: readonly (readonly [string, string])[];
    }
  | { readonly kind: 'unavailable'; readonly probe: string };

/** What a probe may see of others: the projections it asked for and nothing else, each with the digest its key holds. */
function collectUpstream(probe: Probe, settled: ReadonlyMap<string, Execution>): UpstreamOutcome {
  const values: Record<string, { value: Json; artifacts: Record<string, Uint8Array> } | null> = {};
  const digests: (readonly [string, string])[] = [];
  for (const requirement of probe.requires) {
    const name = requirementName(requirement);
    const execution = settled.get(name);
    if (execution?.slice == null) {
      if (typeof requirement === 'string' || requirement.optional !== true) return { kind: 'unavailable', probe: name };
      values[name] = null;
      digests.push([name, digestUpstream(requirement, null)]);
      continue;
    }
    const artifacts = execution.artifacts.filter((artifact) => isWanted(requirement, artifact.name));
    const hashed = artifacts.map((artifact) => ({ name: artifact.name, blake3: digestsOf(artifact).blake3 }));
    values[name] = {
      value: project(requirement, execution.slice.slice),
      artifacts: Object.fromEntries(artifacts.map(({ name, bytes }) => [name, bytes])),
    };
    digests.push([name, digestUpstream(requirement, { slice: execution.slice.slice, artifacts: hashed })]);
  }
  return { kind: 'available', values, digests };
}

/** What the key holds of an upstream: all that the probe sees of it; `null` where it delivered nothing. */
export function digestUpstream(
  requirement: Requirement,
  delivered: {
    readonly slice: Slice;
    readonly artifacts: readonly { readonly name: string; readonly blake3: string }[];
  } | null,
): string {
  if (delivered === null) return 'null';
  const hashes = delivered.artifacts
    .filter((artifact) => isWanted(requirement, artifact.name))
    .map((artifact) => `;${artifact.name}=${artifact.blake3}`)
    .sort();
  return sha256Hex(canonicalJson(withoutVolatile(project(requirement, delivered.slice))) + hashes.join(''));
}

/** The image of this gather: what the probe that builds it says of it, whether it ran or was replayed. */
function builtImage(settled: Iterable<Execution>): string | null {
  for (const { probe, slice } of settled)
    if (probe.imageDigest !== undefined && slice !== null) return probe.imageDigest(slice.slice);
  return null;
}

export function project(requirement: Requirement, slice: Slice): Json {
  return typeof requirement === 'string' || requirement.select === undefined
    ? (slice as JsonObject)
    : requirement.select(slice);
}

function isWanted(requirement: Requirement, name: string): boolean {
  const wanted = typeof requirement === 'string' ? [] : (requirement.artifacts ?? []);
  return wanted.some((artifact) => (artifact.endsWith('/') ? name.startsWith(artifact) : name === artifact));
}

export function withoutVolatile(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(withoutVolatile);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value as JsonObject).filter(([key]) => !volatileFields.includes(key));
  return Object.fromEntries(kept.map(([key, member]) => [key, withoutVolatile(member)]));
}

function languageCounts(execution: Execution): Readonly<Record<string, number>> | undefined {
  const stack = execution.slice?.slice['language_stack'] as { counts?: Record<string, number> } | undefined;
  return stack?.counts;
}

/** Every probe that this one rests on, at any distance. */
export function upstreamsOf(probes: readonly Probe[], of: Probe): readonly string[] {
  const byName = new Map(probes.map((probe) => [probe.name, probe]));
  const found = new Set<string>();
  const pending = [of];
  for (const probe of pending) {
    for (const requirement of probe.requires) {
      const name = requirementName(requirement);
      const upstream = byName.get(name);
      if (found.has(name) || upstream === undefined) continue;
      found.add(name);
      pending.push(upstream);
    }
  }
  return [...found];
}

function editedMeanwhile(execution: Execution | undefined): readonly string[] {
  const notes = execution?.diagnostics.filter(({ id }) => id === 'input.changed') ?? [];
  return notes.flatMap(({ path }) => path ?? []);
}

async function settledIndexes(
  world: GatherWorld,
  repo: RepoSnapshot,
  settled: ReadonlyMap<string, Execution>,
): Promise<SettledIndex[]> {
  const found: SettledIndex[] = [];
  for (const probe of world.probes) {
    if (probe.index === undefined) continue;
    const execution = settled.get(probe.name) ?? blankExecution(probe, false);
    const section = Object.keys(probe.sections)[0] as string;
    const slice = (execution.slice?.slice[section] ?? {}) as JsonObject;
    const index = await settleIndex(world, repo, execution, slice, builtImage(settled.values()));
    const upstreamFiles = upstreamsOf(world.probes, probe).flatMap((name) => editedMeanwhile(settled.get(name)));
    found.push({ ...index, observed: { ...index.observed, upstreamFiles } });
  }
  return found;
}
