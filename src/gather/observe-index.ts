/** What the world looks like now, beside what an index recorded (gather.md §10): the evidence every freshness check is given. */

import { blake3Hex } from '../kernel/base/hash.ts';
import type { RepoSnapshot } from './contract.ts';
import type { GatherWorld } from './coordinate.ts';
import type { Execution } from './execution.ts';
import type { Observed } from './freshness/freshness.ts';
import { digestInputs, type Input } from './input-snapshot.ts';
import { createProbeContext } from './probe-context.ts';

const outcomes = {
  ok: 'ran',
  degraded: 'ran',
  failed: 'failed',
  timed_out: 'timed_out',
  cancelled: 'failed',
  skipped: 'skipped',
} as const;

/** Declared inputs and upstream projections in one digest: all that an answer rests on. */
export function digestOfAll(inputsDigest: string, upstream: readonly (readonly [string, string])[]): string {
  const lines = upstream.map(([name, digest]) => `${name}=${digest}`).join('\n');
  return `blake3:${blake3Hex(`${inputsDigest}\n${lines}`)}`;
}

export async function observeIndex(world: GatherWorld, repo: RepoSnapshot, execution: Execution): Promise<Observed> {
  const { probe, snapshot } = execution;
  const planned = execution.selected || execution.status !== 'skipped';
  const nothing = { inputsDigest: null, changedFiles: [], imageDigest: null, expected: {} };
  const outcome = planned ? outcomes[execution.status] : 'not_planned';
  const reason = execution.skip?.reason ?? execution.errors[0] ?? null;
  if (snapshot === null || execution.keyParts === null) return { outcome, reason, ...nothing };

  const now: Input[] = [];
  const changedFiles: string[] = [];
  for (const input of snapshot.inputs.values()) {
    const current = world.snapshots.refresh(input);
    now.push(current);
    if (current.keyHash !== input.keyHash || current.kind !== input.kind) changedFiles.push(input.id);
  }
  const upstream = execution.keyParts.upstream === '' ? [] : execution.keyParts.upstream.split('\n').map(splitPair);
  const context = createProbeContext({ world, repo, probe, snapshot: () => snapshot, signal: world.signal });
  try {
    const expected = (await probe.index?.expected?.(context.repo, context.ctx)) ?? {};
    return {
      outcome,
      reason,
      inputsDigest: digestOfAll(digestInputs(now), upstream),
      changedFiles,
      imageDigest: null,
      expected,
    };
  } finally {
    context.dispose();
  }
}

function splitPair(line: string): readonly [string, string] {
  const equals = line.indexOf('=');
  return [line.slice(0, equals), line.slice(equals + 1)];
}
