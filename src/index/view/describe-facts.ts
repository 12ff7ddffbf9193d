/** The store in numbers, for reports: files by freshness, symbols, contexts and their jobs. */

import { createFileStates, type Freshness, type StatesView } from '../freshness/file-states.ts';
import type { ReadSession } from '../store/read-session.ts';
import { countFiles, countSemantic } from '../store/store-counts.ts';
import { schemaVersion } from '../store/store-schema.ts';
import { listContexts, type StoredContext } from '../store/stored-contexts.ts';
import { findRepoState } from '../store/stored-files.ts';
import { listUnresolvedImports } from '../store/stored-imports.ts';
import { findTerminalFailure, listQueuedJobs, listRunningJobs } from '../store/stored-jobs.ts';

/** A context that cannot run says why; else its job if it has one, its failure if that ended it, and how much of it is indexed. */
type ContextStanding =
  | Exclude<StoredContext['probe'], 'ok'>
  | 'queued'
  | 'running'
  | 'failed'
  | 'unindexed'
  | 'partial'
  | 'clean';

export type FactsDescription = {
  readonly schemaVersion: number;
  readonly byFreshness: Readonly<Record<Freshness, number>>;
  /** Declarations of the syntactic layer. */
  readonly symbols: number;
  /** Of the semantic layer. */
  readonly occurrences: number;
  /** Imports that lead to no file and yet may mean one. `gte`: some files did not parse. */
  readonly unresolved: { readonly value: number; readonly relation: 'eq' | 'gte' };
  /** By key. */
  readonly contexts: readonly {
    readonly kind: string;
    readonly path: string;
    readonly state: ContextStanding;
    readonly indexer: string;
  }[];
  readonly jobs: { readonly queued: number; readonly running: number; readonly failed: number };
  readonly reconciledMs: number | null;
};

export function describeFacts(view: StatesView): FactsDescription {
  const states = createFileStates(view);
  const byFreshness = states.counts();
  return view.read((session) => {
    const files = countFiles(session);
    const sizes = countSemantic(session);
    const running = new Set(listRunningJobs(session).map(({ contextId }) => contextId));
    const queued = new Set(listQueuedJobs(session).map(({ contextId }) => contextId));
    const jobs = { queued: queued.size, running: running.size, failed: 0 };
    const contexts = listContexts(session).map((context) => {
      const state = judge(session, context, states.countsIn(context.id), { queued, running });
      if (state === 'failed') jobs.failed += 1;
      const { family: kind, indexer, configPath, root } = context;
      return { kind, path: configPath ?? (root === '' ? '.' : root), state, indexer };
    });
    const unparsed = ['errors', 'failed', 'too_large'].some((parse) => (files.byParse[parse] ?? 0) > 0);
    return {
      schemaVersion,
      byFreshness,
      symbols: files.symbols,
      occurrences: sizes.occurrences,
      unresolved: { value: listUnresolvedImports(session).length, relation: unparsed ? 'gte' : 'eq' },
      contexts,
      jobs,
      reconciledMs: findRepoState(session)?.reconciledMs ?? null,
    };
  });
}

function judge(
  session: ReadSession,
  context: StoredContext,
  counts: Readonly<Record<Freshness, number>>,
  jobs: { readonly queued: ReadonlySet<number>; readonly running: ReadonlySet<number> },
): ContextStanding {
  if (!context.enabled) return 'disabled';
  if (context.probe !== 'ok') return context.probe;
  if (jobs.running.has(context.id)) return 'running';
  if (jobs.queued.has(context.id)) return 'queued';
  if (findTerminalFailure(session, context.id) !== undefined) return 'failed';
  const open = counts.pending_check + counts.stale + counts.dirty + counts.unindexed;
  if (open === 0) return 'clean';
  return counts.unindexed === open && counts.clean === 0 ? 'unindexed' : 'partial';
}
