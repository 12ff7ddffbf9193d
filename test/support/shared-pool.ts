/** One pool of describing threads for a whole test file: starting threads takes longer than most tests, and decision 0014. */

import { type IndexPool, openIndexPool } from '../../src/index/sync/index-pool.ts';

let pool: IndexPool | undefined;

export function sharedPool(): IndexPool {
  pool ??= openIndexPool({ signal: new AbortController().signal, workers: 1 });
  return pool;
}
