/** The parts of a refresh as they are: real discovery, real indexers, the real import. */

import { statSync } from 'node:fs';
import { silentLogger } from '../../../kernel/base/log.ts';
import { createExecHost } from '../../../kernel/exec/exec-host.ts';
import { redactScip } from '../../../kernel/formats/rewrite-scip.ts';
import type { Family, TypeScriptIndexer } from '../../../languages/context-spec.ts';
import { discoverWithProblems } from '../../semantic/contexts/discover-contexts.ts';
import { recogniseOnce } from '../../semantic/import/recognise-secrets.ts';
import { indexers } from '../../semantic/indexers/indexers.ts';
import { makeJobDir, removeJobDir, sweepJobDirs } from '../../semantic/indexers/job-dir.ts';
import { probeIndexer } from '../../semantic/indexers/probe-indexer.ts';
import { runIndexer } from '../../semantic/indexers/run-indexer.ts';
import type { WritableFacts } from '../../store/open-facts.ts';
import { commitOutput, createReadBytes, listSecretBearers, prepareOutput } from './import-output.ts';
import { type ImportThreads, prepareInThread } from './import-thread.ts';
import type { RefreshParts } from './refresh-parts.ts';

export type PartsSettings = {
  /** Realpath. */
  readonly root: string;
  /** The user's own. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** `tools.<name>.path` of the user's configuration. */
  readonly toolPaths: Readonly<Record<string, string>>;
  /** `scip.max_file_mb`. */
  readonly maxFileMb: number;
  /** `scip.indexer`; see `DiscoveryWorld`. */
  readonly typeScriptIndexer?: TypeScriptIndexer | undefined;
  /** Where others wait for this thread: large outputs are imported in one of their own. */
  readonly importThreads?: ImportThreads | undefined;
  readonly signal: AbortSignal;
};

export function connectParts(settings: PartsSettings): RefreshParts {
  const { root, environment, toolPaths, maxFileMb, typeScriptIndexer, signal } = settings;
  // A host remembers where tools are: one for each question, so that a tool that was installed meanwhile is found.
  const createHost = () => createExecHost({ root, environment, toolPaths, logger: silentLogger });
  return {
    discover: (world) => discoverWithProblems({ ...world, typeScriptIndexer }),
    findAdapter: (id) => indexers[id],
    probe(adapter, directory) {
      const host = createHost();
      const exec = host.bind({ name: 'refresh', signal, workspace: root });
      const contextRoot = directory === '' ? root : `${root}/${directory}`;
      return probeIndexer(adapter, { host, exec, repoRoot: root, environment, contextRoot });
    },
    runIndexer(adapter, context, place) {
      const exec = createHost().bind({ name: 'refresh', signal: place.signal, workspace: place.jobDir });
      return runIndexer(adapter, context, { ...place, exec, repoRoot: root, maxFileMb });
    },
    expectImport({ family }, facts, signal) {
      // Whatever is the matter is said by the import itself.
      readSecretBearers(root, facts, family, signal).catch(() => {});
    },
    ...importParts(root, settings.importThreads),
    makeJobDir: (job) => makeJobDir({ root, environment, job }),
    removeJobDir,
    sweepJobDirs: () => void sweepJobDirs({ root, environment }),
  };
}

/** What turns an output into facts; the same whoever made the output. */
export function importParts(root: string, threads?: ImportThreads): Pick<RefreshParts, 'prepareImport'> {
  return {
    async prepareImport(ask) {
      const { facts, hold, outputPath } = ask;
      const bytes = statSync(outputPath, { throwIfNoEntry: false })?.size ?? 0;
      if (threads !== undefined && bytes >= threads.fromBytes) return prepareInThread(root, ask, threads);
      const prepared = await prepareOutput(root, ask);
      if (prepared.kind !== 'prepared') return prepared;
      return {
        kind: 'ready',
        commit: (take) =>
          hold.write(() => {
            const asked = take();
            return asked === undefined ? { kind: 'stopped' } : commitOutput(facts, prepared, asked);
          }),
        redactOutput: async (to) => redactScip(outputPath, to, prepared.redactors).kind === 'redacted',
        close: async () => {},
      };
    },
  };
}

/** While the tool works there is nothing else to do. What has changed until the import is looked at again there. */
async function readSecretBearers(
  root: string,
  facts: Pick<WritableFacts, 'read'>,
  family: Family,
  signal: AbortSignal,
) {
  const readBytes = createReadBytes(root);
  for (const path of listSecretBearers(facts, family)) {
    await new Promise((resolve) => setImmediate(resolve));
    if (signal.aborted) return;
    const bytes = readBytes(path);
    if (bytes !== undefined) recogniseOnce(bytes);
  }
}
