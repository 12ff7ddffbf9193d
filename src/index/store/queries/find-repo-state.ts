/** What the last reconcile saw of the repository as a whole; the tripwire compares it (code-plane.md §2). */

import type { ReadSession } from '../facts-handle.ts';

export type RepoState = {
  /** A commit id, `unborn` or `none`. */
  readonly head: string;
  readonly gitIndexSig: string | null;
  readonly ignoreEpoch: string;
  readonly configEpoch: string;
  readonly watch: 'ok' | 'degraded' | 'off';
  readonly reconciledMs: number | null;
};

export const repoStateSql = `
  SELECT head, git_index_sig AS gitIndexSig, ignore_epoch AS ignoreEpoch, config_epoch AS configEpoch, watch,
    reconciled_ms AS reconciledMs
  FROM repo_state WHERE id = 1
`;

/** `undefined` before the first reconcile. */
export function findRepoState(session: ReadSession): RepoState | undefined {
  const row = session.statement(repoStateSql).get() as RepoState | undefined;
  return row === undefined ? undefined : { ...row };
}
