/** The façade in this process. */

import { randomBytes } from 'node:crypto';
import { loadConfig } from '../../gather/config.ts';
import { DATA_DIR } from '../../gather/data-dir.ts';
import { sha256Hex } from '../../kernel/base/hash.ts';
import { silentLogger } from '../../kernel/base/log.ts';
import { createExecHost } from '../../kernel/exec/exec-host.ts';
import { readExtraExtensions } from '../../languages/file-language.ts';
import { examine } from './doctor.ts';
import type { Gathering } from './local-gathering.ts';
import { asStoreRefusal, readSessionSettings } from './session-settings.ts';
import type { LocalSettings, Workspace } from './workspace.ts';

export function createLocalWorkspace(settings: LocalSettings): Workspace {
  const { root, home } = settings;
  const dataDir = `${root}/${DATA_DIR}`;
  const gathering = async (): Promise<Gathering> => {
    const { createGathering } = await import('./local-gathering.ts');
    return createGathering(settings);
  };

  return {
    root,
    repo: () => ({
      root,
      root_hash: sha256Hex(root).slice(0, 16),
      worktree: root,
      head: null,
      generation: null,
    }),
    gather: async (ask) => (await gathering()).gather(ask),
    report: async () => (await gathering()).report(),
    explain: async (fieldPath) => (await gathering()).explain(fieldPath),
    audit: async () => (await gathering()).audit(),
    async ask(operation, input, options) {
      const { runOperation } = await import('../operations/run-operation.ts');
      try {
        const opened = await readSessionSettings(settings, options.onProgress);
        if (opened.kind === 'config_invalid') return opened;
        const semantic = { ...opened.semantic, run: options.refresh ?? null, onEvent: options.onRefresh ?? (() => {}) };
        return await runOperation(operation, input, { ...opened.settings, waitMs: options.waitMs, semantic });
      } catch (error) {
        return asStoreRefusal(error, dataDir);
      }
    },
    async change(change, input, options) {
      const { runChange } = await import('../changes/run-change.ts');
      try {
        const opened = await readSessionSettings(settings, options.onProgress);
        if (opened.kind === 'config_invalid') return opened;
        const random = () => randomBytes(8).toString('hex');
        return await runChange(change, input, {
          ...opened.settings,
          ...options,
          random,
          semantic: opened.semantic,
        });
      } catch (error) {
        return asStoreRefusal(error, dataDir);
      }
    },
    doctor: async () => {
      const config = await loadConfig({ root, home, overrides: {} });
      const toolPaths = config.kind === 'loaded' ? config.values['tools.paths'] : {};
      const host = createExecHost({ root, environment: settings.environment, toolPaths, logger: silentLogger });
      const extraExtensions = readExtraExtensions(
        config.kind === 'loaded' ? config.values['languages.extra_extensions'] : {},
      );
      return examine({
        root,
        home,
        dataDir,
        host,
        signal: settings.signal,
        config,
        isGit: settings.isGit,
        examineIndex: async () => {
          const { examineIndex } = await import('../../index/view/examine-index.ts');
          return examineIndex({ root, dataDir, extraExtensions }, Math.random);
        },
        findDaemon: async () => {
          const { findDaemon } = await import('../daemon/find-daemon.ts');
          return findDaemon({ root, version: settings.cliVersion, signal: settings.signal });
        },
        lookAtJournals: async () => {
          const { lookAtJournals } = await import('../../mutate/apply/recover.ts');
          return lookAtJournals({ root, home, dataDir });
        },
      });
    },
  };
}
