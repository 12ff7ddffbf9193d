/** From an indexer's output to rows, in whatever thread has the store: what is read of it to prepare, and what is known when it is written. */

import { textLimits } from '../../../kernel/base/limits.ts';
import { createDirectoryGuard, readSource } from '../../../kernel/tree/safe-read.ts';
import { type Family, isIndexedBy } from '../../../languages/context-spec.ts';
import type { ResolveWorld } from '../../resolve/types.ts';
import { type CommitOptions, type CommitOutcome, commitImport } from '../../semantic/import/commit-import.ts';
import {
  type ImportFailure,
  type ImportSource,
  type PreparedImport,
  prepareImport,
} from '../../semantic/import/prepare-import.ts';
import { createRepoPackages } from '../../semantic/import/repo-packages.ts';
import { createFileStates, type FileStates } from '../../state/file-states.ts';
import type { WritableFacts } from '../../store/open-facts.ts';
import type { StoredContext } from '../../store/queries/list-contexts.ts';
import { listFactsOfFile } from '../../store/queries/list-file-facts.ts';
import { listDefiningPaths } from '../../store/queries/list-occurrences.ts';
import { listRedactedFiles } from '../../store/queries/list-text-candidates.ts';
import { loadInterfaces } from '../../store/queries/load-interfaces.ts';
import { noDifferences } from '../find-differences.ts';

export type OutputAsk = Pick<ImportSource, 'outputPath' | 'documentBase' | 'members' | 'adapter' | 'canonicalOf'> & {
  readonly context: StoredContext;
  readonly isPart: boolean;
  readonly resolve: ResolveWorld;
  readonly pre: ImportSource['pre'];
  readonly facts: Pick<WritableFacts, 'read'>;
  readonly signal: Pick<AbortSignal, 'aborted'>;
};

/** An output as facts that nobody has written yet. */
export function prepareOutput(
  root: string,
  { resolve, facts, ...ask }: OutputAsk,
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

/** What is known when nobody else writes any more. Plain data: it may have to go to another thread. */
export type CommitAsk = Pick<CommitOptions, 'job' | 'owner' | 'context' | 'scope' | 'nowMs'> & {
  /** Files that were written to since before the run, or use what has gone since: nobody can say what the indexer read there. */
  readonly disturbed: ReadonlySet<string>;
};

export function commitOutput(
  facts: WritableFacts,
  prepared: PreparedImport,
  { disturbed, ...ask }: CommitAsk,
  mayGoOn?: CommitOptions['mayGoOn'],
): CommitOutcome {
  const interfaces = facts.read(loadInterfaces);
  return commitImport(facts, prepared, {
    ...ask,
    post: (path) => (disturbed.has(path) ? undefined : interfaces.get(path)),
    states: statesBefore(facts),
    mayGoOn,
  });
}

/** As they are before anything is written, whenever they are asked for. */
function statesBefore(facts: WritableFacts): FileStates {
  const generation = facts.read((session) => session.generation);
  const states = createFileStates({ read: facts.read, differences: noDifferences, generation });
  states.unsettled();
  return states;
}

export function listSecretBearers(facts: Pick<WritableFacts, 'read'>, family: Family): readonly string[] {
  return facts.read(listRedactedFiles).flatMap(({ path, language }) => (isIndexedBy(family, language) ? [path] : []));
}

export function createReadBytes(root: string): (path: string) => Uint8Array | undefined {
  const guard = createDirectoryGuard(root);
  return (path) => {
    const read = readSource(root, path, textLimits.textBytes, guard);
    return read.kind === 'read' ? read.bytes : undefined;
  };
}
