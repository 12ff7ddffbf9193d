/**
 * The workspace of the tree's daemon, which keeps everything warm and is shared by all who ask: joined where it runs, started where it does
 * not, and joined again when it has ended meanwhile. Where none can be had, this process does the work, and another try is made later.
 */

import { startDaemon } from '../daemon/start-daemon.ts';
import type { LocalSettings } from '../local-workspace.ts';
import { joinRemote } from '../open-workspace.ts';
import type { Workspace } from '../workspace.ts';
import type { WorkspaceFactory } from './create-server.ts';

const tryAgainMs = 60_000;

export function createDaemonFactory(
  settings: LocalSettings,
  local: WorkspaceFactory,
  onNote: (says: string) => void,
): WorkspaceFactory {
  const { root, signal, nowMs } = settings;
  let joined: Promise<WorkspaceFactory | undefined> | undefined;
  let notBeforeMs = Number.NEGATIVE_INFINITY;

  const join = async (): Promise<WorkspaceFactory | undefined> => {
    const started = await startDaemon(root, settings).catch(() => undefined);
    if (started?.kind === 'found') {
      const open = await joinRemote(root, started.socket, settings);
      return (call) => {
        const ends = AbortSignal.any([signal, call]);
        return open(ends, async () => {
          // It has ended: whoever asks next starts another one, and this question is answered by that one too.
          joined = undefined;
          return openFor(ends);
        });
      };
    }
    onNote(started?.message ?? 'the daemon could not be started');
    joined = undefined;
    notBeforeMs = nowMs() + tryAgainMs;
    return undefined;
  };
  const openFor = async (call: AbortSignal): Promise<Workspace> => {
    if (nowMs() < notBeforeMs) return local(call);
    joined ??= join();
    return ((await joined) ?? local)(call);
  };
  return openFor;
}
