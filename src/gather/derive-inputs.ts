/** Inputs that other inputs name: asked again until nothing new is named, because a derived file may name the next one. */

import type { Probe } from './contract.ts';
import type { Snapshot, SnapshotTaker } from './input-snapshot.ts';
import type { BuiltContext } from './probe-context.ts';

/** A chain of configs is at most this long in practice (`extends` is cut at 32); beyond it the probe reports what it lacks. */
const maxRounds = 40;

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
