/**
 * Ends the daemon of a root by its process: that also works for one that is too busy to answer. Only somebody who answers as the daemon, or
 * who at least holds the writer lock, is told to end: a file that came with the repository may name any process.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { DATA_DIR } from '../../gather/data-dir.ts';
import { takeWriterLock } from '../../index/store/writer-lock.ts';
import { findAnnounced, findDaemon } from './find-daemon.ts';

export type StoppedDaemon =
  | { readonly kind: 'none' }
  | { readonly kind: 'stopped' | 'still_there'; readonly pid: number };

const stepMs = 25;

export async function stopDaemon(
  root: string,
  of: { readonly waitMs: number; readonly signal: AbortSignal },
): Promise<StoppedDaemon> {
  const { signal } = of;
  const announced = findAnnounced(root);
  const found = await findDaemon({ root, version: '', signal });
  if (announced === undefined || found.kind === 'none') return { kind: 'none' };
  const { pid, nonce } = announced;
  const isIt = found.kind === 'silent' ? await isLocked(root, signal) : found.health.pid === pid;
  if (!isIt) return { kind: 'none' };
  process.kill(pid, 'SIGTERM');
  const deadline = performance.now() + of.waitMs;
  while (performance.now() < deadline) {
    if (findAnnounced(root)?.nonce !== nonce && !(await isLocked(root, signal))) return { kind: 'stopped', pid };
    await delay(stepMs, undefined, { signal });
  }
  return { kind: 'still_there', pid };
}

async function isLocked(root: string, signal: AbortSignal): Promise<boolean> {
  const lock = await takeWriterLock({ dataDir: `${root}/${DATA_DIR}`, waitMs: 0, signal });
  if (lock.kind === 'taken') lock.release();
  return lock.kind === 'busy';
}
