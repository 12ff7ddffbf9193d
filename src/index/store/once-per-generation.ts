/**
 * What follows from the facts of one generation alone and costs a look at every file, worked out once for a handle, or a pool of them,
 * that answers many questions. Not for what jobs or stats decide: those change within a generation.
 */

import type { ReadSession } from './facts-handle.ts';

/** What it was for goes when the keeper does. */
const known = new WeakMap<object, { generation: number; readonly values: Map<string, unknown> }>();

export function oncePerGeneration<T extends object>(
  session: ReadSession,
  name: string,
  compute: (session: ReadSession) => T,
): T {
  let of = known.get(session.keeper);
  if (of?.generation !== session.generation) {
    of = { generation: session.generation, values: new Map() };
    known.set(session.keeper, of);
  }
  const before = of.values.get(name);
  if (before !== undefined) return before as T;
  const value = compute(session);
  of.values.set(name, value);
  return value;
}
