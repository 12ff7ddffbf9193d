/**
 * Keeps a root's store equal to its disk for as long as it runs (code-plane.md §2).
 *
 *   watcher ─▶ debounce (quiet 200 ms, at most 2 s) ─┐
 *   safety poll 60 s, 10 s while the watcher is ill ─┼─▶ reconcile queue
 *   HEAD and git-index tripwire 5 s ─────────────────┘
 *
 * R7: events that arrive while it starts are kept and worked off before it says that it is ready.
 * No answer depends on any of this: a question verifies what it says by itself.
 */

import { releaseMemory } from '../../kernel/base/processes.ts';
import { gitSignature } from '../../kernel/tree/git-facts.ts';
import { type IndexSession, type OpenedSession, openIndexSession, type SessionSettings } from './index-session.ts';
import type { ReconcileAsk, ReconcileOutcome } from './reconcile.ts';
import { type WatchState, watchTree } from './watch-tree.ts';

const syncLimits = {
  quietMs: 200,
  maxWaitMs: 2_000,
  pollMs: 60_000,
  degradedPollMs: 10_000,
  tripwireMs: 5_000,
  /** Warm threads are worth keeping while a person types, not over lunch. */
  restAfterMs: 30_000,
} as const;

export type SyncTimes = { readonly [K in keyof typeof syncLimits]: number };

export type SyncEvent =
  | { readonly kind: 'ready'; readonly first: ReconcileOutcome }
  | { readonly kind: 'reconciled'; readonly why: string; readonly outcome: ReconcileOutcome; readonly ms: number }
  | { readonly kind: 'watch'; readonly state: WatchState; readonly detail: string | null }
  | { readonly kind: 'failed'; readonly why: string; readonly error: unknown };

export interface SyncLoop {
  readonly session: IndexSession;
  readonly watch: WatchState;
  close(): Promise<void>;
}

type StartedSync = { readonly kind: 'started'; readonly loop: SyncLoop } | Exclude<OpenedSession, { kind: 'open' }>;

export async function startSyncLoop(
  settings: SessionSettings & {
    readonly waitMs: number;
    readonly watch: boolean;
    readonly onEvent: (event: SyncEvent) => void;
    readonly times?: Partial<SyncTimes> | undefined;
  },
): Promise<StartedSync> {
  const times = { ...syncLimits, ...settings.times };
  let session: IndexSession | undefined;
  let closed = false;
  const waiting = new Set<string>();
  let quiet: NodeJS.Timeout | undefined;
  let firstHintMs: number | undefined;
  let restTimer: NodeJS.Timeout | undefined;

  const restLater = () => {
    clearTimeout(restTimer);
    if (closed) return;
    restTimer = setTimeout(async () => {
      await session?.rest();
      releaseMemory();
    }, times.restAfterMs);
    restTimer.unref();
  };

  const reconcile = async (ask: ReconcileAsk, why: string): Promise<void> => {
    if (session === undefined || closed) return;
    const started = settings.nowMs();
    try {
      const outcome = await session.reconcile(ask);
      if (outcome.written + outcome.deleted + outcome.resolvedAgain > 0) {
        settings.onEvent({ kind: 'reconciled', why, outcome, ms: settings.nowMs() - started });
      }
    } catch (error) {
      if (!closed) {
        settings.onEvent({ kind: 'failed', why, error });
        // Whatever it was about is looked at again with the next hint, together with everything else.
        waiting.add('');
      }
    }
    restLater();
  };

  const flush = (): Promise<void> => {
    clearTimeout(quiet);
    quiet = undefined;
    firstHintMs = undefined;
    const paths = new Set(waiting);
    waiting.clear();
    if (paths.size === 0) return Promise.resolve();
    return reconcile(paths.has('') ? 'all' : paths, 'watcher');
  };

  const hint = (paths: readonly string[]) => {
    for (const path of paths) waiting.add(path);
    if (session === undefined || closed) return;
    const now = settings.nowMs();
    firstHintMs ??= now;
    clearTimeout(quiet);
    const afterMs = Math.max(0, Math.min(times.quietMs, firstHintMs + times.maxWaitMs - now));
    quiet = setTimeout(() => void flush(), afterMs);
  };

  let poll: NodeJS.Timeout | undefined;
  const schedulePoll = (state: WatchState) => {
    clearInterval(poll);
    if (closed) return;
    poll = setInterval(() => void reconcile('all', 'poll'), state === 'ok' ? times.pollMs : times.degradedPollMs);
  };

  // Beside taking the lock and opening the stores; the first look at the tree waits until it listens.
  const watching = settings.watch
    ? watchTree({
        root: settings.root,
        onPaths: hint,
        onState: (state, detail) => {
          settings.onEvent({ kind: 'watch', state, detail });
          if (session === undefined) return;
          session.setWatch(state);
          schedulePoll(state);
        },
      })
    : undefined;
  const endWatching = async () => (await watching)?.close();
  // Before the first look at the tree: what git does meanwhile is seen at the next tick.
  let tripped = settings.isGit ? gitSignature(settings.root) : '';
  const opened = await openIndexSession({ ...settings, watching: watching?.then(({ state }) => state) }).catch(
    async (error: unknown) => {
      await endWatching();
      throw error;
    },
  );
  if (opened.kind !== 'open') {
    await endWatching();
    return opened;
  }
  const watcher = await watching;
  session = opened.session;
  session.setWatch(watcher?.state ?? 'off');
  await flush();
  releaseMemory();
  restLater();
  settings.onEvent({ kind: 'ready', first: session.first });

  schedulePoll(watcher?.state ?? 'off');
  const tripwire = setInterval(() => {
    const now = settings.isGit ? gitSignature(settings.root) : '';
    if (now === tripped) return;
    tripped = now;
    void reconcile('all', 'git');
  }, times.tripwireMs);

  return {
    kind: 'started',
    loop: {
      session,
      get watch() {
        return watcher?.state ?? 'off';
      },
      async close() {
        closed = true;
        for (const timer of [quiet, restTimer]) clearTimeout(timer);
        clearInterval(poll);
        clearInterval(tripwire);
        await watcher?.close();
        await session?.close();
      },
    },
  };
}
