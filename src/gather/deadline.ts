/** Time for one probe: its own signal on expiry, its promise given up two seconds later, nobody else's work touched. */

import { setTimeout as delay } from 'node:timers/promises';
import { limits } from '../kernel/base/limits.ts';
import type { Probe } from './contract.ts';
import type { GatherWorld } from './coordinate.ts';

export type Deadlined<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'timed_out' }
  | { readonly kind: 'cancelled' };

export async function underDeadline<T>(
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
  // An abandoned probe may still throw; nobody is left to hear it.
  worked.catch(() => {});
  try {
    return await Promise.race([worked, abandoned]);
  } finally {
    over.abort();
  }
}
