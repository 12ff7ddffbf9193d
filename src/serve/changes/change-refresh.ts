/**
 * Indexers for a change that rests on their facts (mutation.md §2.5): which contexts there are follows from the disk of now, and exactly
 * what is not clean is looked at again, for no longer than the request allows.
 */

import type { Refresher, SemanticSettings } from '../../index/refresh/refresher.ts';
import type { IndexSession, SessionSettings } from '../../index/sync/index-session.ts';
import { shown } from '../../kernel/base/text.ts';
import type { MutationWorld } from '../../mutate/world.ts';

export type ChangeRefresh = {
  readonly discover: () => Promise<void>;
  /** Undefined where no indexer may be run: what is not fresh stays so. */
  readonly refresh: MutationWorld['refresh'];
};

export function createChangeRefresh(
  session: IndexSession,
  settings: SessionSettings & {
    readonly semantic: Omit<SemanticSettings, 'onEvent'>;
    readonly onStep: (says: string) => void;
  },
): ChangeRefresh {
  const withRefresher = async <T>(act: (refresher: Refresher) => Promise<T>): Promise<T> => {
    const { openRefresher } = await import('../../index/refresh/refresher.ts');
    const refresher = openRefresher(session, {
      ...settings,
      ...settings.semantic,
      onEvent: (event) => {
        if (event.kind === 'job_started') settings.onStep(`indexing ${shown(event.context, 120)}`);
      },
    });
    try {
      return await act(refresher);
    } finally {
      await refresher.close();
    }
  };
  return {
    discover: () => withRefresher((refresher) => changeRefreshWith(refresher).discover()),
    refresh: (asks, waitMs) => withRefresher((refresher) => changeRefreshWith(refresher).refresh(asks, waitMs)),
  };
}

/** The same with an open refresher. */
export function changeRefreshWith(
  refresher: Refresher,
): ChangeRefresh & { readonly refresh: NonNullable<ChangeRefresh['refresh']> } {
  return {
    discover: async () => void (await refresher.refreshContexts()),
    async refresh(asks, waitMs) {
      await refresher.refreshContexts();
      for (const { context, files } of asks)
        await refresher.request(context, { files, packages: [] }, { trigger: 'rename', priority: askedPriority });
      return refresher.runUntilIdle({ skipGuard: true, waitMs, contexts: asks.map(({ context }) => context) });
    },
  };
}

/** Before background jobs; what is up to date is not run again for it. */
const askedPriority = 5;
