/**
 * Whether the kernel ended a process for want of memory. Who is ended so says nothing, and whoever talked to it only sees that it is gone;
 * but the kernel counts, for all of the machine.
 */

import { readFileSync } from 'node:fs';

/** So far; undefined where the system does not tell (needs Linux). */
export function countMemoryKills(statistics = '/proc/vmstat'): number | undefined {
  try {
    const count = /^oom_kill (\d+)$/m.exec(readFileSync(statistics, 'latin1'))?.[1];
    return count === undefined ? undefined : Number(count);
  } catch {
    return undefined;
  }
}
