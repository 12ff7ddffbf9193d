/** The refresher of a session, under a name that no other process has or had. */

import { randomBytes } from 'node:crypto';
import { processStart } from '../../kernel/base/processes.ts';
import type { TypeScriptIndexer } from '../../languages/context-spec.ts';
import type { IndexSession, SessionSettings } from '../sync/index-session.ts';
import type { ImportThreads } from '../sync/refresh/import-thread.ts';
import { createRefresher, type RefreshEvent, type Refresher } from '../sync/refresh/refresher.ts';

export type SemanticSettings = {
  /** See `RefresherSettings`. */
  readonly isFresh?: boolean | undefined;
  /** `tools.<name>.path` of the user's configuration. */
  readonly toolPaths: Readonly<Record<string, string>>;
  /** `scip.max_file_mb`. */
  readonly maxFileMb: number;
  /** `scip.indexer`; see `DiscoveryWorld`. */
  readonly typeScriptIndexer?: TypeScriptIndexer | undefined;
  /** See `PartsSettings`. */
  readonly importThreads?: ImportThreads | undefined;
  readonly onEvent: (event: RefreshEvent) => void;
};

type Settings = Pick<SessionSettings, 'root' | 'dataDir' | 'environment' | 'nowMs' | 'signal'> & SemanticSettings;

export function openRefresher(session: IndexSession, settings: Settings): Refresher {
  // Another process may once have this one's number.
  const owner = `${process.pid}:${processStart(process.pid)}:${randomBytes(4).toString('hex')}`;
  return createRefresher({ ...settings, session, owner });
}
