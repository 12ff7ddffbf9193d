/** The daemon of a root in the background: joined where it runs, started where it does not. */

import { setTimeout as delay } from 'node:timers/promises';
import { startSelf } from '../../kernel/exec/start-self.ts';
import type { OpenSettings } from '../open-workspace.ts';
import { type DaemonSearch, findDaemon } from './find-daemon.ts';

type Found = Extract<DaemonSearch, { kind: 'found' }>;

export type StartedDaemon =
  | (Found & { readonly isNew: boolean })
  | { readonly kind: 'failed'; readonly message: string };

const stepMs = 25;
const startMs = 15_000;

export async function startDaemon(
  root: string,
  settings: Pick<OpenSettings, 'cliVersion' | 'environment' | 'signal'> & { readonly flags?: readonly string[] },
): Promise<StartedDaemon> {
  const { signal, cliVersion: version, environment } = settings;
  const before = await findDaemon({ root, version, signal });
  if (before.kind === 'found') return { ...before, isNew: false };
  if (before.kind === 'other_version') {
    const { pid, version: other } = before.health;
    return { kind: 'failed', message: `process ${pid} is the daemon of codegenie ${other}; stop it first` };
  }
  if (before.kind === 'silent')
    return { kind: 'failed', message: `process ${before.pid} keeps the index and does not answer` };
  const args = ['-C', root, 'serve', '--background', '--wait', '1', ...(settings.flags ?? [])];
  // Not in the tree: a directory that somebody stands in cannot be removed everywhere.
  const child = await startSelf(args, { detached: true, cwd: '/', environment });
  if (child === undefined) return { kind: 'failed', message: 'the system would not start another process' };
  let isOver = false;
  void child.exited.then(() => {
    isOver = true;
  });
  const deadline = performance.now() + startMs;
  for (;;) {
    await delay(stepMs, undefined, { signal });
    const found = await findDaemon({ root, version, signal });
    if (found.kind === 'found') return { ...found, isNew: found.health.pid === child.pid };
    if (isOver || performance.now() > deadline)
      return { kind: 'failed', message: `the daemon did not start; \`codegenie daemon logs\` shows why` };
  }
}
