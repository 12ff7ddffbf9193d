/** A tree with a code index into which indexer output can be imported as a refresh job would: context, job, prepare, commit. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFileStates } from '../../src/index/freshness/file-states.ts';
import { type CommitOutcome, commitImport } from '../../src/index/semantic/commit-import.ts';
import { type FileMoment, type PreparedImport, prepareImport } from '../../src/index/semantic/prepare-import.ts';
import { createRepoPackages } from '../../src/index/semantic/symbol-key.ts';
import { findContext, listContexts, listMembers, type StoredContext } from '../../src/index/store/stored-contexts.ts';
import { loadInterfaces } from '../../src/index/store/stored-facts.ts';
import type { RefreshScope } from '../../src/index/store/stored-jobs.ts';
import { listDefiningPaths } from '../../src/index/store/stored-occurrences.ts';
import type { ContextRow } from '../../src/index/store/write-semantic.ts';
import { noDifferences } from '../../src/index/sync/find-differences.ts';
import type { IndexSession } from '../../src/index/sync/index-session.ts';
import { createTreeWorld } from '../../src/index/sync/tree-world.ts';
import type { ScipPart } from '../../src/kernel/formats/scip.ts';
import { encodeScip } from '../../src/kernel/formats/write-scip.ts';
import type { Family } from '../../src/languages/projects/context-spec.ts';
import { createIndexedTree, type IndexedTree } from './indexed-tree.ts';

export type ImportedTree = IndexedTree & {
  /** One context with these members, or with all files of these endings. */
  putContext(family: Family, members: readonly string[], key?: string): Promise<StoredContext>;
  /** Imports a file that an indexer has written, or parts. `during` happens between the run and the import. */
  importOutput(ask: ImportAsk): Promise<ImportReport>;
};

type ImportAsk = {
  readonly context: StoredContext;
  readonly output: string | Uint8Array | readonly ScipPart[];
  readonly documentBase?: string;
  readonly encoding?: 1 | 2 | 3;
  readonly scope?: RefreshScope;
  /** After the run and before it is reconciled. */
  readonly during?: () => void;
  /** After it was reconciled and prepared, before it is committed. */
  readonly before?: (session: IndexSession, prepared: PreparedImport | undefined) => void | Promise<void>;
  readonly owner?: string;
};

type ImportReport = CommitOutcome | { readonly kind: 'failed'; readonly failure: string; readonly detail: string };

const nowMs = 1_700_000_000_000;
const owner = 'test';

export function createImportedTree(files: Readonly<Record<string, string | Uint8Array>>): ImportedTree {
  const tree = createIndexedTree(files);
  let outputs = 0;
  return {
    ...tree,
    async putContext(family, members, key = `${family}:.`) {
      const { facts } = await tree.session();
      const row: ContextRow = { ...contextRow, family, key, members: [...members].sort() };
      facts.writer.transaction(() => facts.semantic.putContexts([...othersOf(facts, key), row]));
      const context = facts.read((session) => findContext(session, key));
      if (context === undefined) throw new Error('the context was not stored');
      return context;
    },
    async importOutput(ask) {
      const session = await tree.session();
      await session.reconcile('all');
      const { facts } = session;
      const pre = facts.read(loadInterfaces);
      const job = facts.writer.transaction(() => {
        const request = { contextId: ask.context.id, scope: ask.scope ?? null, trigger: 'test', priority: 0 };
        facts.jobs.enqueue({ ...request, notBeforeMs: 0, nowMs, head: null });
        return facts.jobs.claim({ owner, nowMs, leaseUntilMs: nowMs + 30_000, contextIds: [ask.context.id] });
      });
      if (job === undefined) throw new Error('no job to claim');
      outputs += 1;
      const outputPath = typeof ask.output === 'string' ? ask.output : join(tree.base, `out-${outputs}.scip`);
      if (typeof ask.output !== 'string') {
        writeFileSync(outputPath, ask.output instanceof Uint8Array ? ask.output : encodeScip(ask.output));
      }
      ask.during?.();
      await session.reconcile('all');
      const post: ReadonlyMap<string, FileMoment> = facts.read(loadInterfaces);
      const prepared = await prepareImport({
        outputPath,
        documentBase: ask.documentBase ?? '',
        context: ask.context,
        members: new Set(facts.read((moment) => listMembers(moment, ask.context.id))),
        adapter: { positionEncoding: ask.encoding ?? 2 },
        packages: createRepoPackages(createTreeWorld(tree.root, session.reconciler.table, () => [])),
        pre,
        readBytes: (path) => readOrNothing(join(tree.root, path)),
        canonicalOf: (path) => session.reconciler.table.get(path)?.canonicalPath ?? path,
        storedDefinitions: (keys) => facts.read((moment) => listDefiningPaths(moment, keys)),
      });
      await ask.before?.(session, prepared.kind === 'prepared' ? prepared : undefined);
      const outcome: ImportReport =
        prepared.kind === 'failed'
          ? prepared
          : commitImport(facts, prepared, {
              job,
              owner: ask.owner ?? owner,
              context: ask.context,
              scope: ask.scope ?? null,
              post: (path) => post.get(path),
              states: createFileStates({ read: facts.read, differences: noDifferences }),
              nowMs,
            });
      if (outcome.kind !== 'committed')
        facts.writer.remember(() => facts.jobs.supersede(job.id, { nowMs, detail: '' }));
      return outcome;
    },
  };
}

const contextRow: Omit<ContextRow, 'family' | 'key' | 'members'> = {
  root: '',
  configPath: null,
  indexer: 'scip-typescript',
  granularity: 'project',
  config: {},
  configHash: 'config',
  toolPath: null,
  toolId: 'tool@1',
  envHash: 'env',
  probe: 'ok',
  probeDetail: null,
  enabled: true,
};

/** Contexts are written all at once: the others stay as they are. */
function othersOf(facts: IndexSession['facts'], key: string): readonly ContextRow[] {
  return facts.read((session) =>
    listContexts(session)
      .filter((context) => context.key !== key)
      .map((context) => ({ ...context, members: listMembers(session, context.id) })),
  );
}

function readOrNothing(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
