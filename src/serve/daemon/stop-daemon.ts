/** Ends the daemon of a root by its process: that also works for one that is too busy to answer. A command that writes is no daemon. */

import { setTimeout as delay } from 'node:timers/promises';
import { DATA_DIR } from '../../gather/data-dir.ts';
import { readWriterIdentity } from '../../index/store/writer-identity.ts';
import { processStart } from '../../kernel/base/process-start.ts';

export type StoppedDaemon =
  | { readonly kind: 'none' }
  | { readonly kind: 'stopped' | 'still_there'; readonly pid: number };

const stepMs = 25;

export async function stopDaemon(
  root: string,
  of: { readonly waitMs: number; readonly signal: AbortSignal },
): Promise<StoppedDaemon> {
  const identity = readWriterIdentity(`${root}/${DATA_DIR}`);
  // The number alone may be somebody else's by now.
  const isAlive = () => identity !== null && processStart(identity.pid) === identity.started;
  if (identity === null || identity.socket === null || !isAlive()) return { kind: 'none' };
  const { pid, nonce } = identity;
  process.kill(pid, 'SIGTERM');
  const deadline = performance.now() + of.waitMs;
  while (performance.now() < deadline) {
    if (!isAlive() || readWriterIdentity(`${root}/${DATA_DIR}`)?.nonce !== nonce) return { kind: 'stopped', pid };
    await delay(stepMs, undefined, { signal: of.signal });
  }
  return { kind: 'still_there', pid };
}
