/**
 * Gives back what is no longer used, now instead of when more is needed: for a process that has just done much and will do nothing for
 * long. The collector is reached through a flag of the engine, because Node has no other way to ask for it.
 */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export function releaseMemory(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
}
