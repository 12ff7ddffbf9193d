/**
 * What has to be undone after a probe, whatever became of it: a container lives on when the client that made it is killed, and the
 * signal that killed the client would end the call that removes the container. So undoing is bound to no signal, happens exactly
 * once, and is waited for before the gather returns. An undo that fails is logged: it must not hide how the probe ended.
 */

import type { Logger } from '../base/log.ts';

export type Guards = {
  /** The answer undoes; so does the signal, and `undoAll`. */
  add(owner: { readonly name: string; readonly signal: AbortSignal }, undo: () => Promise<void>): () => Promise<void>;
  undoAll(): Promise<void>;
};

export function createGuards(logger: Logger): Guards {
  /** Also those that are being undone: whoever ends the gather waits for them. */
  const pending = new Set<() => Promise<void>>();
  return {
    add(owner, undo) {
      let done: Promise<void> | undefined;
      const undoOnce = (): Promise<void> => {
        done ??= (async () => {
          owner.signal.removeEventListener('abort', undoOnce);
          try {
            await undo();
          } catch (error) {
            logger.event('subproc.undo_failed', { probe: owner.name, type: (error as Error).name });
          } finally {
            pending.delete(undoOnce);
          }
        })();
        return done;
      };
      pending.add(undoOnce);
      if (owner.signal.aborted) void undoOnce();
      else owner.signal.addEventListener('abort', undoOnce);
      return undoOnce;
    },
    async undoAll() {
      while (pending.size > 0) await Promise.all([...pending].map((undo) => undo()));
    },
  };
}
