/**
 * What a daemon's life depends on. Its core is opened when it starts, and anew when the store was removed or found damaged, or when the
 * configuration has changed (P10: derived state is disposable, also under a daemon). It ends when it was idle for long, or when its tree
 * is gone.
 */

import { lstatSync } from 'node:fs';
import { StoreFailed } from '../../index/store/store-failed.ts';
import { readWriterIdentity } from '../../index/store/writer-identity.ts';
import type { DaemonCore, EarlyReads, OpenedCore } from './daemon-core.ts';

export type Keeper = {
  /** The core of now; null where it cannot be had, with why. */
  current(): Promise<OpenedCore>;
  /** For one question: opens again first where it has to. `fits`: it is of the configuration of now. */
  fitting(fits: string): Promise<OpenedCore>;
  /** A failure that says that what is open is no use any more. */
  noteFailure(error: unknown): void;
  /** What is open now; undefined while it is being opened. */
  peek(): DaemonCore | undefined;
  /** What can be read while it is being opened, if it is of the configuration of now. */
  peekEarly(fits: string): EarlyReads | undefined;
  close(): Promise<void>;
};

export function createKeeper(
  openAnew: (
    onReads: (reads: EarlyReads, fits: string) => void,
  ) => Promise<{ readonly opened: OpenedCore; readonly fits: string }>,
): Keeper {
  let open: DaemonCore | undefined;
  let early: { readonly reads: EarlyReads; readonly fits: string } | undefined;
  const begin = async () => {
    try {
      const begun = await openAnew((reads, fits) => {
        early = { reads, fits };
      });
      open = begun.opened.kind === 'open' ? begun.opened.core : undefined;
      return begun;
    } finally {
      early = undefined;
    }
  };
  let life = begin();
  let isSpoiled = false;
  let isClosed = false;
  let reopening: Promise<unknown> | undefined;
  life.catch(() => {});

  const reopen = (): Promise<unknown> => {
    reopening ??= (async () => {
      const before = await life.catch(() => undefined);
      open = undefined;
      if (before?.opened.kind === 'open') await before.opened.core.close().catch(() => {});
      isSpoiled = false;
      if (!isClosed) life = begin();
      await life;
    })().finally(() => {
      reopening = undefined;
    });
    return reopening;
  };
  const isOld = (core: DaemonCore) => isSpoiled || !core.session.facts.isCurrent();

  return {
    current: async () => (await life).opened,
    async fitting(fits) {
      if (reopening !== undefined) await reopening;
      const now = await life;
      const isFit = now.opened.kind === 'open' && now.fits === fits && !isOld(now.opened.core);
      if (!isFit && !isClosed) await reopen();
      return (await life).opened;
    },
    noteFailure(error) {
      if (error instanceof StoreFailed) isSpoiled = true;
    },
    peek: () => open,
    peekEarly: (fits) => (early?.fits === fits ? early.reads : undefined),
    async close() {
      isClosed = true;
      await reopening?.catch(() => {});
      const last = await life.catch(() => undefined);
      if (last?.opened.kind === 'open') await last.opened.core.close();
    },
  };
}

type Idle = {
  /** The answer says that it is over. */
  enter(): () => void;
  readonly open: number;
  close(): void;
};

/** Ends a daemon that was not asked for a while. An open request counts as asking. */
export function createIdle(afterMs: number | null, onIdle: () => void): Idle {
  let open = 0;
  let timer: NodeJS.Timeout | undefined;
  const wait = () => {
    clearTimeout(timer);
    if (afterMs !== null && open === 0) timer = setTimeout(onIdle, afterMs).unref();
  };
  wait();
  return {
    enter() {
      open += 1;
      clearTimeout(timer);
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        open -= 1;
        wait();
      };
    },
    get open() {
      return open;
    },
    close: () => {
      afterMs = null;
      clearTimeout(timer);
    },
  };
}

type TreeWatch = {
  /** Null while all is well. With a nonce the announcement of the lock is looked at too: without it another process can take the lock. */
  whyGone(nonce: string | null): string | null;
};

/** Whether the tree a daemon was started for is still there, and still its own. */
export function createTreeWatch(root: string, stateDir: string): TreeWatch {
  const placeOf = (path: string): string | null => {
    const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return found === undefined ? null : `${found.dev}:${found.ino}`;
  };
  const known = placeOf(root);
  const knownData = placeOf(stateDir);
  return {
    whyGone(nonce) {
      try {
        if (placeOf(root) !== known) return `the work tree ${root} is gone, or another one is in its place`;
        if (placeOf(stateDir) !== knownData) return `${stateDir} was removed`;
        if (nonce !== null && readWriterIdentity(stateDir)?.nonce !== nonce)
          return `${stateDir}/run was removed or taken over`;
        return null;
      } catch (error) {
        return `the work tree ${root} cannot be looked at (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`;
      }
    },
  };
}
