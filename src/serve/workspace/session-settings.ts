/** What a session of one root is opened with: read from the configuration of now, for a command and for a daemon alike. */

import { loadConfig } from '../../gather/config.ts';
import { openDataDir } from '../../gather/data-dir.ts';
import type { SemanticSettings } from '../../index/refresh/refresher.ts';
import { giveUpStore } from '../../index/store/current-file.ts';
import { StoreFailed } from '../../index/store/store-failed.ts';
import type { SessionSettings } from '../../index/sync/index-session.ts';
import { OutputRefused } from '../../kernel/base/write-file.ts';
import { readExtraExtensions } from '../../languages/file-language.ts';
import type { ConfigInvalid, LocalSettings } from './workspace.ts';

export type ReadySettings = {
  readonly kind: 'settings';
  readonly settings: SessionSettings;
  readonly semantic: Omit<SemanticSettings, 'onEvent'>;
  /** `daemon.idle_exit_minutes`. */
  readonly idleExitMinutes: number;
};

/** The data dir is made when the first question comes; asking about a repository writes nowhere else. */
export async function readSessionSettings(
  of: LocalSettings,
  onProgress: SessionSettings['onProgress'],
): Promise<ReadySettings | ConfigInvalid> {
  const { root, home } = of;
  const config = await loadConfig({ root, home, overrides: {} });
  if (config.kind === 'invalid') return { kind: 'config_invalid', problems: config.problems };
  const dataDir = openDataDir(root);
  return {
    kind: 'settings',
    settings: {
      root,
      isGit: of.isGit,
      dataDir,
      environment: of.environment,
      extraExtensions: readExtraExtensions(config.values['languages.extra_extensions']),
      nowMs: of.nowMs,
      signal: of.signal,
      onProgress,
      workers: forcedCpuCount(of.environment),
      pool: of.pool,
      recover: () => recover(of, dataDir),
    },
    semantic: {
      toolPaths: config.values['tools.paths'],
      maxFileMb: config.values['scip.max_file_mb'],
      typeScriptIndexer: config.values['scip.indexer'],
    },
    idleExitMinutes: config.values['daemon.idle_exit_minutes'],
  };
}

/** Start-up step 2: before anything is read, files are all old or all new. */
export async function recover({ root, home, nowMs }: LocalSettings, dataDir: string): Promise<void> {
  const { recoverRoot } = await import('../../mutate/apply/recover-root.ts');
  await recoverRoot({ root, home, dataDir, nowMs });
}

export function forcedCpuCount(environment: LocalSettings['environment']): number | undefined {
  const count = Number(environment['CODEGENIE_FORCE_CPU_COUNT']);
  return Number.isInteger(count) && count > 0 ? count : undefined;
}

/** I/O errors of the store become refusals with a way out. */
export function asStoreRefusal(
  error: unknown,
  dataDir: string,
): { readonly kind: 'refused'; readonly message: string } {
  if (error instanceof OutputRefused) return { kind: 'refused', message: error.message };
  if (!(error instanceof StoreFailed)) throw error;
  // Derived, and not what it was: the next question finds none and builds it.
  if (error.damaged) giveUpStore(dataDir);
  const advice = error.damaged ? 'ask again, and it is built anew' : 'look for space and permissions, then ask again';
  return { kind: 'refused', message: `the index in ${dataDir}/index cannot be used (${error.detail}); ${advice}` };
}
