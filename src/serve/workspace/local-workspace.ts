/** The façade in this process, and what a session of its root is opened with: the configuration of now, for a command and for a daemon alike. */

import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { loadConfig } from '../../gather/config.ts';
import type { SemanticSettings } from '../../index/refresh/refresher.ts';
import { giveUpStore } from '../../index/store/current-file.ts';
import { StoreFailed } from '../../index/store/store-failed.ts';
import type { SessionSettings } from '../../index/sync/index-session.ts';
import { sha256Hex } from '../../kernel/base/hash.ts';
import { silentLogger } from '../../kernel/base/log.ts';
import { type OwnDirsPlace, openOwnDirs, ownDirsOf } from '../../kernel/base/own-dirs.ts';
import { OutputRefused } from '../../kernel/base/write-file.ts';
import { createExecHost } from '../../kernel/exec/exec-host.ts';
import { readExtraExtensions } from '../../languages/file-language.ts';
import { trustableKinds } from '../../mutate/vocabulary.ts';
import { whyRefused } from '../operations/answer-words.ts';
import type { ConfigInvalid, LocalSettings, Workspace } from './workspace.ts';

export type ReadySettings = {
  readonly kind: 'settings';
  readonly settings: SessionSettings;
  readonly semantic: Omit<SemanticSettings, 'onEvent'>;
  /** `rename.trust` of this root. */
  readonly trusted: ReadonlySet<string>;
  /** `plans.life_hours`. */
  readonly planLifeMs: number;
  /** `daemon.idle_exit_minutes`. */
  readonly idleExitMinutes: number;
};

export function createLocalWorkspace(settings: LocalSettings): Workspace {
  const { root, home } = settings;
  const gathering = async () => {
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
    facts: async (ask) => (await gathering()).facts(ask),
    audit: async () => (await gathering()).audit(),
    async ask(operation, input, options) {
      const { runOperation } = await import('../operations/run-operation.ts');
      try {
        const opened = await readSessionSettings(settings, options.onProgress);
        if (opened.kind === 'config_invalid') return opened;
        const semantic = { ...opened.semantic, run: options.refresh ?? null, onEvent: options.onRefresh ?? (() => {}) };
        return await runOperation(operation, input, { ...opened.settings, waitMs: options.waitMs, semantic });
      } catch (error) {
        return asStoreRefusal(error, settings);
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
          // Indexers read the disk.
          semantic: settings.apart === undefined ? opened.semantic : undefined,
          handOver: settings.apart?.handOver,
          trusted: opened.trusted,
          planLifeMs: opened.planLifeMs,
        });
      } catch (error) {
        return asStoreRefusal(error, settings);
      }
    },
    doctor: async () => {
      const { examine } = await import('./doctor.ts');
      const config = await loadConfig({ root, home, overrides: {} });
      const toolPaths = config.kind === 'loaded' ? config.values['tools.paths'] : {};
      const host = createExecHost({ root, environment: settings.environment, toolPaths, logger: silentLogger });
      const extraExtensions = readExtraExtensions(
        config.kind === 'loaded' ? config.values['languages.extra_extensions'] : {},
      );
      const { stateDir, cacheDir } = ownDirsOf(settings);
      return examine({
        root,
        home,
        stateDir,
        cacheDir,
        host,
        signal: settings.signal,
        config,
        isGit: settings.isGit,
        examineIndex: async () => {
          const { examineIndex } = await import('../../index/view/examine-index.ts');
          return examineIndex({ root, stateDir, cacheDir, extraExtensions }, Math.random);
        },
        findDaemon: async () => {
          const { findDaemon } = await import('../daemon/find-daemon.ts');
          return findDaemon({ ...settings, version: settings.cliVersion });
        },
        hasProgram: (name) => isOnPath(settings.environment['PATH'], name),
        isAdministrator: process.geteuid?.() === 0,
        lookAtJournals: async () => {
          const { lookAtJournals } = await import('../../mutate/apply/recover.ts');
          return lookAtJournals({ root, home, stateDir });
        },
      });
    },
  };
}

/** Of programs that are only named, and never started. */
function isOnPath(path: string | undefined, name: string): boolean {
  const directories = (path ?? '').split(delimiter).filter((one) => isAbsolute(one));
  return directories.some((one) => statSync(join(one, name), { throwIfNoEntry: false })?.isFile() === true);
}

/** Our directories are made when the first question comes; asking about a repository writes nowhere else, and nothing in its tree. */
export async function readSessionSettings(
  of: LocalSettings,
  onProgress: SessionSettings['onProgress'],
): Promise<ReadySettings | ConfigInvalid> {
  const { root, home } = of;
  const config = await loadConfig({ root, home, overrides: {} });
  if (config.kind === 'invalid') return { kind: 'config_invalid', problems: config.problems };
  const trust = readTrust(config.values['rename.trust'], of);
  if (trust.kind === 'config_invalid') return trust;
  const { stateDir, cacheDir } = of.apart?.dirs ?? openOwnDirs(of);
  return {
    kind: 'settings',
    trusted: trust.trusted,
    planLifeMs: config.values['plans.life_hours'] * 60 * 60 * 1000,
    settings: {
      root,
      isGit: of.isGit,
      stateDir,
      cacheDir,
      environment: of.environment,
      extraExtensions: readExtraExtensions(config.values['languages.extra_extensions']),
      nowMs: of.nowMs,
      signal: of.signal,
      onProgress,
      workers: forcedCpuCount(of.environment),
      pool: of.pool,
      recover: of.apart === undefined ? () => recover(of, stateDir) : undefined,
    },
    semantic: {
      toolPaths: config.values['tools.paths'],
      maxFileMb: config.values['scip.max_file_mb'],
      typeScriptIndexer: config.values['scip.indexer'],
      extraProjects: config.values['scip.extra_projects'],
    },
    idleExitMinutes: config.values['daemon.idle_exit_minutes'],
  };
}

/** Of this root. A reason that cannot be trusted is a mistake, whichever project it was written for. */
function readTrust(
  byProject: Readonly<Record<string, readonly string[]>>,
  { root, home }: Pick<LocalSettings, 'root' | 'home'>,
): { readonly kind: 'trust'; readonly trusted: ReadonlySet<string> } | ConfigInvalid {
  const unknown = Object.values(byProject)
    .flat()
    .find((reason) => !trustableKinds.has(reason));
  if (unknown !== undefined) {
    const known = [...trustableKinds].join(', ');
    const message = `rename.trust: ${unknown} is no reason that can be trusted; these are: ${known}`;
    return { kind: 'config_invalid', problems: [{ file: '~/.codegenie/config.yaml', key: 'rename.trust', message }] };
  }
  const own = Object.entries(byProject).filter(([path]) => resolve(path.replace(/^~(?=\/)/, home)) === root);
  return { kind: 'trust', trusted: new Set(own.flatMap(([, reasons]) => reasons)) };
}

/** Start-up step 2: before anything is read, files are all old or all new. */
export async function recover({ root, home, nowMs }: LocalSettings, stateDir: string): Promise<void> {
  const { recoverRoot } = await import('../../mutate/apply/recover-root.ts');
  await recoverRoot({ root, home, stateDir, nowMs });
}

export function forcedCpuCount(environment: LocalSettings['environment']): number | undefined {
  const count = Number(environment['CODEGENIE_FORCE_CPU_COUNT']);
  return Number.isInteger(count) && count > 0 ? count : undefined;
}

/** I/O errors of the store become refusals with a way out. */
export function asStoreRefusal(
  error: unknown,
  place: OwnDirsPlace & Pick<LocalSettings, 'apart'>,
): { readonly kind: 'refused'; readonly message: string } {
  if (error instanceof OutputRefused) return { kind: 'refused', message: whyRefused(error) };
  if (!(error instanceof StoreFailed)) throw error;
  // Derived, and not what it was: the next question finds none and builds it.
  const { cacheDir } = place.apart?.dirs ?? ownDirsOf(place);
  if (error.damaged) giveUpStore(cacheDir);
  const advice = error.damaged ? 'ask again, and it is built anew' : 'look for space and permissions, then ask again';
  return { kind: 'refused', message: `the index in ${cacheDir}/index cannot be used (${error.detail}); ${advice}` };
}
