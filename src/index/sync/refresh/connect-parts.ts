/** The parts of a refresh as they are: real discovery, real indexers, the real import. */

import { silentLogger } from '../../../kernel/base/log.ts';
import { createExecHost } from '../../../kernel/exec/exec-host.ts';
import { readSource } from '../../../kernel/repo/read-source.ts';
import { createDirectoryGuard } from '../../../kernel/repo/safe-read.ts';
import { discoverWithProblems } from '../../semantic/contexts/discover-contexts.ts';
import { commitImport } from '../../semantic/import/commit-import.ts';
import { type ImportFailure, type PreparedImport, prepareImport } from '../../semantic/import/prepare-import.ts';
import { recogniseOnce } from '../../semantic/import/recognise-secrets.ts';
import { createRepoPackages } from '../../semantic/import/repo-packages.ts';
import type { IndexerAdapter } from '../../semantic/indexers/adapter.ts';
import { indexers } from '../../semantic/indexers/indexers.ts';
import { makeJobDir, removeJobDir, sweepJobDirs } from '../../semantic/indexers/job-dir.ts';
import { probeIndexer } from '../../semantic/indexers/probe-indexer.ts';
import { runIndexer } from '../../semantic/indexers/run-indexer.ts';
import { redactScip } from '../../semantic/scip/redact-index.ts';
import type { Family, TypeScriptIndexer } from '../../semantic/types.ts';
import { isIndexedBy } from '../../state/indexed-languages.ts';
import type { WritableFacts } from '../../store/open-facts.ts';
import { listFactsOfFile } from '../../store/queries/list-file-facts.ts';
import { listDefiningPaths } from '../../store/queries/list-occurrences.ts';
import { listRedactedFiles } from '../../store/queries/list-text-candidates.ts';
import { textLimits } from '../../syntax/text-limits.ts';
import type { ImportAsk, RefreshParts } from './refresh-parts.ts';

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
    ...importParts(root),
    makeJobDir: (job) => makeJobDir({ root, environment, job }),
    removeJobDir,
    sweepJobDirs: () => void sweepJobDirs({ root, environment }),
  };
}

/** What turns an output into facts; the same whoever made the output. */
export function importParts(root: string): Pick<RefreshParts, 'prepareImport'> {
  return {
    async prepareImport(ask) {
      const { facts } = ask;
      const prepared = await prepareOutput(root, ask);
      if (prepared.kind !== 'prepared') return prepared;
      return {
        kind: 'ready',
        commit: (about) => commitImport(facts, prepared, about),
        redactOutput: (to) => redactScip(ask.outputPath, to, prepared.redactors).kind === 'redacted',
      };
    },
  };
}

/** An output as facts that nobody has written yet. */
export function prepareOutput(
  root: string,
  {
    resolve,
    facts,
    ...ask
  }: Omit<ImportAsk, 'adapter'> & { readonly adapter: Pick<IndexerAdapter, 'positionEncoding'> },
): Promise<PreparedImport | ImportFailure> {
  return prepareImport({
    ...ask,
    packages: createRepoPackages(resolve),
    readBytes: createReadBytes(root),
    storedDefinitions: (keys) => facts.read((session) => listDefiningPaths(session, keys)),
    isStored: (path) =>
      facts.read((session) => listFactsOfFile(session, path)).some(({ contextId }) => contextId === ask.context.id),
    secretBearers: listSecretBearers(facts, ask.context.family),
  });
}

function listSecretBearers(facts: Pick<WritableFacts, 'read'>, family: Family): readonly string[] {
  return facts.read(listRedactedFiles).flatMap(({ path, language }) => (isIndexedBy(family, language) ? [path] : []));
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

function createReadBytes(root: string): (path: string) => Uint8Array | undefined {
  const guard = createDirectoryGuard(root);
  return (path) => {
    const read = readSource(root, path, textLimits.textBytes, guard);
    return read.kind === 'read' ? read.bytes : undefined;
  };
}
