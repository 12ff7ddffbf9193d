/** The daemon of a root as a process in the background: started where none runs, and ended. */

import { setTimeout as delay } from 'node:timers/promises';
import { takeWriterLock } from '../../index/store/writer-lock.ts';
import { type OwnDirsPlace, ownDirsOf } from '../../kernel/base/own-dirs.ts';
import { startSelf } from '../../kernel/exec/start-self.ts';
import type { OpenSettings } from '../workspace/open-workspace.ts';
import { type DaemonSearch, findAnnounced, findDaemon } from './find-daemon.ts';

type Found = Extract<DaemonSearch, { kind: 'found' }>;

export type StartedDaemon =
  | (Found & { readonly isNew: boolean })
  | { readonly kind: 'failed'; readonly message: string };

const stepMs = 25;
const startMs = 15_000;

export async function startDaemon(
  root: string,
  settings: Pick<OpenSettings, 'cliVersion' | 'home' | 'environment' | 'signal'> & {
    readonly flags?: readonly string[];
  },
): Promise<StartedDaemon> {
  const { signal, cliVersion: version, environment, home } = settings;
  const place = { root, home, environment };
  const before = await findDaemon({ ...place, version, signal });
  if (before.kind === 'found') return { ...before, isNew: false };
  if (before.kind === 'other_version') {
    const { pid, version: other } = before.health;
    return { kind: 'failed', message: `process ${pid} is the daemon of codegenie ${other}; stop it first` };
  }
  if (before.kind === 'silent')
    return { kind: 'failed', message: `process ${before.pid} keeps the index and does not answer` };
  const args = ['-C', root, 'serve', '--background', '--wait', '1', ...(settings.flags ?? [])];
  // Not in the tree: some systems cannot remove the current directory of a process.
  const child = await startSelf(args, { detached: true, cwd: '/', environment });
  if (child === undefined) return { kind: 'failed', message: 'the system would not start another process' };
  let isOver = false;
  void child.exited.then(() => {
    isOver = true;
  });
  const deadline = performance.now() + startMs;
  for (;;) {
    await delay(stepMs, undefined, { signal });
    const found = await findDaemon({ ...place, version, signal });
    if (found.kind === 'found') return { ...found, isNew: found.health.pid === child.pid };
    if (isOver || performance.now() > deadline)
      return { kind: 'failed', message: `the daemon did not start; \`codegenie daemon logs\` shows why` };
  }
}

export type StoppedDaemon =
  | { readonly kind: 'none' }
  | { readonly kind: 'stopped' | 'still_there'; readonly pid: number };

/**
 * Signals the process, which also works for a daemon that is too busy to answer. Only a process that answers as the daemon, or at least
 * holds the writer lock, is told to end: a file that came with the repository may name any process.
 */
export async function stopDaemon(
  place: OwnDirsPlace,
  of: { readonly waitMs: number; readonly signal: AbortSignal },
): Promise<StoppedDaemon> {
  const { signal } = of;
  const announced = findAnnounced(place);
  const found = await findDaemon({ ...place, version: '', signal });
  if (announced === undefined || found.kind === 'none') return { kind: 'none' };
  const { pid, nonce } = announced;
  const isIt = found.kind === 'silent' ? await isLocked(place, signal) : found.health.pid === pid;
  if (!isIt) return { kind: 'none' };
  process.kill(pid, 'SIGTERM');
  const deadline = performance.now() + of.waitMs;
  while (performance.now() < deadline) {
    if (findAnnounced(place)?.nonce !== nonce && !(await isLocked(place, signal))) return { kind: 'stopped', pid };
    await delay(stepMs, undefined, { signal });
  }
  return { kind: 'still_there', pid };
}

async function isLocked(place: OwnDirsPlace, signal: AbortSignal): Promise<boolean> {
  const lock = await takeWriterLock({ stateDir: ownDirsOf(place).stateDir, waitMs: 0, signal });
  if (lock.kind === 'taken') lock.release();
  return lock.kind === 'busy';
}
