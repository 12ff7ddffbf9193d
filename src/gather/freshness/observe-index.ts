/** What the world looks like now, beside what an index recorded (gather.md §10): the evidence every freshness check is given. */

import { assert } from '../../kernel/base/assert.ts';
import { blake3Hex } from '../../kernel/base/hash.ts';
import type { JsonObject } from '../../kernel/base/json.ts';
import type { Probe, RepoSnapshot, SettledIndex } from '../contract.ts';
import { type Execution, isFailure } from '../run/execution.ts';
import { digestInputs, type Input } from '../run/input-snapshot.ts';
import type { GatherWorld } from '../run/open-world.ts';
import { type BuiltContext, createProbeContext } from '../run/probe-context.ts';
import type { Observed } from './index-freshness.ts';

const outcomes = {
  ok: 'ran',
  degraded: 'ran',
  failed: 'failed',
  timed_out: 'timed_out',
  cancelled: 'failed',
  skipped: 'skipped',
  pending: 'skipped',
} as const;

const nothing = { inputsDigest: null, changedFiles: [], upstreamFiles: [], imageDigest: null, expected: {} };

/** Declared inputs and upstream projections in one digest: all that an answer rests on. */
export function digestOfAll(inputsDigest: string, upstream: readonly (readonly [string, string])[]): string {
  const lines = upstream.map(([name, digest]) => `${name}=${digest}`).join('\n');
  return `blake3:${blake3Hex(`${inputsDigest}\n${lines}`)}`;
}

/** What the final probe, or a question about a past gather, is told of one index. The probe behind `execution` has one. */
export async function settleIndex(
  world: GatherWorld,
  repo: RepoSnapshot,
  execution: Execution,
  slice: JsonObject,
  builtImage: string | null,
): Promise<SettledIndex> {
  const { probe } = execution;
  assert(probe.index !== undefined, `${probe.name} has no index`);
  const hasNothingToDo = execution.skip !== null && !isFailure(execution);
  return {
    name: probe.index.name,
    probe: probe.name,
    // An index that has nothing to look at here has a verdict, but no say in how far the others can be trusted.
    selected: execution.selected && !hasNothingToDo,
    check: probe.index.check,
    slice,
    ...(await observeSafely(world, repo, execution, slice, builtImage)),
  };
}

/** One index that cannot be looked at costs its own verdict: with nothing observed no check can call it fresh by mistake. */
async function observeSafely(
  world: GatherWorld,
  repo: RepoSnapshot,
  execution: Execution,
  slice: JsonObject,
  builtImage: string | null,
): Promise<{ readonly observed: Observed; readonly detail: JsonObject }> {
  try {
    const detail = execution.probe.index?.detail?.(slice) ?? {};
    return { observed: await observeIndex(world, repo, execution, slice, builtImage), detail };
  } catch (error) {
    world.logger.event('index_health.observation_failed', {
      probe: execution.probe.name,
      type: (error as Error).name,
    });
    return { observed: { outcome: 'failed', reason: 'observation_failed', ...nothing }, detail: {} };
  }
}

async function observeIndex(
  world: GatherWorld,
  repo: RepoSnapshot,
  execution: Execution,
  slice: JsonObject,
  builtImage: string | null,
): Promise<Observed> {
  const { probe, snapshot, keyParts } = execution;
  const planned = execution.selected || execution.status !== 'skipped';
  const outcome = planned ? outcomes[execution.status] : 'not_planned';
  const reason = execution.status === 'pending' ? 'pending' : (execution.skip?.reason ?? execution.errors[0] ?? null);
  if (snapshot === null) return { outcome, reason, ...nothing };

  const now: Input[] = [];
  const changedFiles: string[] = [];
  let isAsItWas = true;
  for (const input of snapshot.inputs.values()) {
    const current = world.snapshots.refresh(input);
    now.push(current);
    isAsItWas &&= current === input;
    if (current.keyHash !== input.keyHash || current.kind !== input.kind) changedFiles.push(input.id);
  }
  const context = createProbeContext({
    world,
    repo,
    probe,
    snapshot: () => snapshot,
    signal: world.signal,
    builtImage: () => builtImage,
  });
  try {
    const expected = (await probe.index?.expected?.(context.repo, context.ctx)) ?? {};
    // Without the recorded key the upstreams are unknown: the versions can be compared, the bytes cannot.
    const upstream = probe.requires.length === 0 ? '' : keyParts?.upstream;
    const digest = () => (isAsItWas && execution.inputsDigest !== null ? execution.inputsDigest : digestInputs(now));
    const inputsDigest = upstream === undefined ? null : digestOfAll(digest(), upstreamOf(upstream));
    const imageDigest = speaksOfImage(slice) ? await askImageDigest(world, context, probe) : null;
    return { outcome, reason, inputsDigest, changedFiles, upstreamFiles: [], imageDigest, expected };
  } finally {
    context.dispose();
  }
}

/** An engine takes its time to answer: it is asked only about what was recorded of an image. */
function speaksOfImage(slice: JsonObject): boolean {
  return Object.entries(slice).some(([key, value]) => key.endsWith('_image_digest') && typeof value === 'string');
}

/** A repository has one image: the question is put once per gather, and once per question about one. */
const imageAnswers = new WeakMap<GatherWorld, Promise<string | null>>();

async function askImageDigest(world: GatherWorld, context: BuiltContext, probe: Probe): Promise<string | null> {
  const ask = probe.index?.imageDigest;
  if (ask === undefined) return null;
  const answer = imageAnswers.get(world) ?? ask(context.repo, context.ctx);
  imageAnswers.set(world, answer);
  return answer;
}

function upstreamOf(part: string): (readonly [string, string])[] {
  return part === '' ? [] : part.split('\n').map(splitPair);
}

function splitPair(line: string): readonly [string, string] {
  const equals = line.indexOf('=');
  return [line.slice(0, equals), line.slice(equals + 1)];
}
