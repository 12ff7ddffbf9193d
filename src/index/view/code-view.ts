/**
 * One root as a question sees it: a store, and what the disk says about it now (P1, T1). Every read operation gets one.
 * `swept`: every file in scope was compared with the disk after the question began. With the writer lock at hand what differs was
 * reconciled first, so nothing differs; without it `differences` names the files that the answer must call dirty, and a store whose
 * writer is in the middle of something, or died there, is not swept.
 */

import { textLimits } from '../../kernel/base/limits.ts';
import { silentLogger } from '../../kernel/base/log.ts';
import { createExecHost } from '../../kernel/exec/exec-host.ts';
import { decodeText } from '../../kernel/tree/content-kind.ts';
import { createTreeLister } from '../../kernel/tree/list-tree.ts';
import { createDirectoryGuard, type DirectoryGuard, type DiskLook, readSource } from '../../kernel/tree/safe-read.ts';
import type { AskedScope } from '../refresh/asked-scope.ts';
import type { Refresher, RunSummary, SemanticSettings } from '../refresh/refresher.ts';
import { openFactsForRead } from '../store/facts-file.ts';
import type { FactsHandle, ReadSession } from '../store/read-session.ts';
import type { StoredContext } from '../store/stored-contexts.ts';
import { findRepoState } from '../store/stored-files.ts';
import { estimateJobMs, findQueuedJob } from '../store/stored-jobs.ts';
import type { WriterIdentity } from '../store/writer-lock.ts';
import { isPending } from '../sync/config-epoch.ts';
import { loadFileTable } from '../sync/file-table.ts';
import { countDifferences, type Differences, findDifferences, noDifferences } from '../sync/find-differences.ts';
import {
  createGit,
  type IndexSession,
  identityOf,
  openIndexSession,
  type SessionSettings,
} from '../sync/index-session.ts';
import type { ReconcileOutcome } from '../sync/reconcile.ts';

export type SourceText = {
  readonly bytes: Buffer;
  readonly text: string;
  readonly bom: boolean;
  readonly isAscii: boolean;
};

export interface CodeView {
  readonly root: string;
  readonly head: string;
  readonly generation: number;
  readonly watch: 'ok' | 'degraded' | 'off';
  readonly swept: boolean;
  /** Not swept, because only what the answer names is compared, after it was found. */
  readonly comparesNamed?: true | undefined;
  /** Where the view is of one question: what it has seen of the disk, to be completed. */
  readonly look?: DiskLook | undefined;
  /** Why git could not say which files are in scope, if it could not: then the view is not swept. */
  readonly scopeProblem: string | null;
  readonly differences: Differences;
  /** What this process did to the store to answer; null for a reader. */
  readonly reconciled: ReconcileOutcome | null;
  /** What indexers were run to answer, and how that went; null where none was asked to. */
  readonly refreshed: RunSummary | null;
  /** What is wrong with `.codegenie/contexts.json`, for a person; nothing for a reader, which leaves contexts to the writer. */
  readonly contextProblems: readonly string[];
  /** Why the store was built anew, if it was. */
  readonly rebuilt: string | null;
  /** Who else writes this root, when this is a reader. */
  readonly writer: WriterIdentity | null;
  /** A daemon runs what is queued, without anybody's doing. */
  readonly indexesItself: boolean;
  /** One read transaction. All answers of one view are of one generation: only its own session writes, or it is pinned. */
  read<T>(ask: (session: ReadSession) => T): T;
  /** The bytes of now; undefined for what is gone, too large, binary or not text. `guard`: of a caller that reads several for one question. */
  readText(path: string, guard?: DirectoryGuard): SourceText | undefined;
  /**
   * Indexers look at what of these contexts, and of those that they use, is not up to date; where they can be run here. The view that is
   * returned takes this one's place, also for closing.
   */
  readonly catchUp?: ((contexts: readonly string[]) => Promise<CodeView>) | undefined;
  close(): Promise<void>;
}

/**
 * How long a question may wait for compilers. `aboutMs`: what is reckoned to take longer is not begun. `waitMs`: what takes longer is left to
 * itself. A command shows what it waits for, and its jobs end with it: what was begun is waited for. Clients of a daemon give up after a minute.
 */
export const compilerLimits = {
  command: { aboutMs: 60_000, waitMs: null },
  daemon: { aboutMs: 30_000, waitMs: 50_000 },
} as const;
type CompilerLimits = (typeof compilerLimits)[keyof typeof compilerLimits];

export type OpenedView =
  | { readonly kind: 'open'; readonly view: CodeView }
  | {
      readonly kind: 'busy';
      readonly holder: WriterIdentity | null;
      /** `other_version`: there is a store, and it is not one that this program reads. */
      readonly reason: 'building' | 'other_version';
    }
  | { readonly kind: 'refused'; readonly path: string; readonly why: string };

/** How long a reader waits for the process that writes to catch up with the disk. */
const catchUpMs = 1_000;
const catchUpStepMs = 50;
const otherVersionMs = 10_000;

/** What a question needs of the semantic layer before it is answered. */
export type SemanticAsk = SemanticSettings & {
  /** Indexers run until nothing is left to do, or this long; without it contexts and the queue are brought up to date and no more. */
  readonly run: {
    readonly waitMs: number | null;
    /** Everything, also what is up to date. */
    readonly again?: boolean | undefined;
    /** This alone; without it all that is not up to date. */
    readonly scopes?: readonly AskedScope[] | undefined;
    /** What is not up to date in these contexts alone. */
    readonly only?: ((context: StoredContext) => boolean) | undefined;
    /** Those that these use, too: what is not known of them leaves these in doubt. And nothing at all, where it is reckoned to take longer. */
    readonly used?: { readonly aboutMs: number } | undefined;
  } | null;
};

/** For one command. `waitMs`: how long to wait for a store that another process is building; `lockWaitMs`: for one that writes at all. */
export async function openCodeView(
  settings: SessionSettings & {
    readonly waitMs: number;
    readonly lockWaitMs?: number | undefined;
    readonly semantic?: SemanticAsk | undefined;
  },
): Promise<OpenedView> {
  const startedMs = settings.nowMs();
  for (;;) {
    const opened = await openIndexSession({
      ...settings,
      ...(settings.semantic && { onReading: () => getReady(settings, settings.semantic) }),
      waitMs: settings.lockWaitMs ?? 0,
    });
    if (opened.kind === 'refused') return opened;
    if (opened.kind === 'open') {
      const { session } = opened;
      const { semantic } = settings;
      const settled = semantic === undefined ? {} : await settle(session, settings, semantic);
      const view = viewOfSession(settings.root, session, session.first);
      return { kind: 'open', view: { ...view, ...settled, catchUp: semantic && catchUp } };

      async function catchUp(contexts: readonly string[]): Promise<CodeView> {
        const run = runOf(contexts, compilerLimits.command);
        const caught = await settle(session, settings, { ...(semantic as SemanticAsk), run });
        return { ...viewOfSession(settings.root, session, session.first), ...caught, catchUp };
      }
    }
    const reading = await openReader(settings, opened.holder);
    if (typeof reading !== 'string') {
      const mayWait = reading.kind === 'open' && settings.semantic !== undefined && settings.lockWaitMs === undefined;
      if (!mayWait || reading.view.indexesItself) return reading;
      return { kind: 'open', view: waitingForWriter(reading.view, settings) };
    }
    // The holder of a store of another version may be replacing it; after a while it plainly is not.
    const patienceMs = reading === 'building' ? settings.waitMs : Math.min(settings.waitMs, otherVersionMs);
    if (settings.nowMs() >= startedMs + patienceMs) return { ...opened, reason: reading };
    await pause(catchUpStepMs);
    settings.signal.throwIfAborted();
  }
}

/** Another command writes: it is waited for, and what it leaves undone is done by whoever asks then. */
function waitingForWriter(view: CodeView, settings: Parameters<typeof openCodeView>[0]): CodeView {
  return {
    ...view,
    async catchUp() {
      const opened = await openCodeView({ ...settings, lockWaitMs: compilerLimits.daemon.waitMs });
      if (opened.kind !== 'open') return view;
      await view.close();
      return opened.view;
    },
  };
}

/** Of these contexts and what they use. */
export function runOf(contexts: readonly string[], { aboutMs, waitMs }: CompilerLimits): SemanticAsk['run'] {
  return { waitMs, only: ({ key }) => contexts.includes(key), used: { aboutMs } };
}

/** For a caller for whom indexers have to run: it waits for the writer lock, and does not read beside another writer. */
export async function openRefreshedView(
  settings: SessionSettings & { readonly waitMs: number; readonly semantic: SemanticAsk },
): Promise<OpenedView> {
  const opened = await openIndexSession({ ...settings, onReading: () => getReady(settings, settings.semantic) });
  if (opened.kind === 'refused') return opened;
  if (opened.kind === 'busy') return { ...opened, reason: 'building' };
  const { session } = opened;
  const settled = await settle(session, settings, settings.semantic);
  return { kind: 'open', view: { ...viewOfSession(settings.root, session, session.first), ...settled } };
}

/**
 * Of the open session; closing the view leaves the session as it is. `first`: what the session compared with the disk when
 * it opened is good enough, because it was opened for this question.
 */
export async function openSessionView(
  root: string,
  session: IndexSession,
  verify: 'sweep' | 'first' | 'none',
): Promise<CodeView> {
  const outcome = verify === 'sweep' ? await session.reconcile('all') : verify === 'first' ? session.first : null;
  const view = viewOfSession(root, session, outcome);
  return { ...view, swept: view.swept && outcome !== null, close: async () => {} };
}

/** Contexts come next, and whether their tools can run: what that needs is loaded and tested while others read. */
function getReady({ root, environment }: SessionSettings, semantic: SemanticAsk | undefined): void {
  const toolPaths = semantic?.toolPaths ?? {};
  const host = createExecHost({ root, environment, toolPaths, logger: silentLogger });
  host.sandbox().catch(() => {});
  import('../refresh/refresher.ts').catch(() => {});
}

/** P1: which contexts there are, and what waits for an indexer, follow from the disk of now. */
async function settle(
  session: IndexSession,
  settings: SessionSettings,
  ask: SemanticAsk,
): Promise<Pick<CodeView, 'refreshed' | 'contextProblems'>> {
  try {
    const { openRefresher } = await import('../refresh/refresher.ts');
    const refresher = openRefresher(session, { ...settings, ...ask, isFresh: true });
    // Nothing is left to be read unless something changes meanwhile, and a thread takes its time to end too.
    if (ask.run !== null && settings.pool === undefined) session.rest().catch(() => {});
    try {
      return await settleWith(refresher, session, ask.run);
    } finally {
      await refresher.close();
    }
  } catch (error) {
    await session.close();
    throw error;
  }
}

/** The same with a given refresher. */
export async function settleWith(
  refresher: Refresher,
  session: IndexSession,
  run: SemanticAsk['run'],
): Promise<Pick<CodeView, 'refreshed' | 'contextProblems'>> {
  const { contexts, problems: contextProblems } = await refresher.refreshContexts();
  if (run?.scopes !== undefined) return runScoped(refresher, session, run.scopes, run.waitMs, contextProblems);
  await refresher.enqueueUnsettled('question');
  if (run === null) return { refreshed: null, contextProblems };
  if (run.again === true) await refresher.requestAgain();
  // A question is waiting: what failed and would be tried again later is tried now.
  const wanted = run.only === undefined ? contexts : contexts.filter(run.only);
  const keys = run.used === undefined ? wanted.map(({ key }) => key) : refresher.withUsed(wanted.map(({ key }) => key));
  const queue = session.facts.read((moment) =>
    contexts
      .filter(({ key }) => keys.includes(key))
      .map(({ id, key }) => ({ key, queued: findQueuedJob(moment, id), aboutMs: estimateJobMs(moment, { id }) })),
  );
  const aboutMs = queue.reduce((sum, job) => sum + (job.queued === undefined ? 0 : job.aboutMs), 0);
  if (aboutMs > (run.used?.aboutMs ?? Number.POSITIVE_INFINITY)) return { refreshed: null, contextProblems };
  for (const { key, queued } of queue) {
    if (queued === undefined) continue;
    await refresher.request(key, queued.scope, { trigger: 'question', priority: queued.priority });
  }
  const only = run.only === undefined ? {} : { contexts: keys };
  const refreshed = await refresher.runUntilIdle({ skipGuard: true, waitMs: run.waitMs, ...only });
  return { refreshed, contextProblems };
}

/** Exactly what was asked for, before all else that waits. */
async function runScoped(
  refresher: Refresher,
  session: IndexSession,
  asked: readonly AskedScope[],
  waitMs: number | null,
  known: readonly string[],
): Promise<Pick<CodeView, 'refreshed' | 'contextProblems'>> {
  const { readAskedScopes } = await import('../refresh/asked-scope.ts');
  const { scopes, problems } = session.facts.read((moment) => readAskedScopes(moment, asked));
  for (const [key, scope] of scopes) await refresher.request(key, scope, { trigger: 'asked', priority: askedPriority });
  const contexts = [...scopes.keys()];
  const refreshed = await refresher.runUntilIdle({ skipGuard: true, waitMs, contexts });
  return { refreshed, contextProblems: [...known, ...problems] };
}

const askedPriority = 5;

function viewOfSession(root: string, session: IndexSession, reconciled: ReconcileOutcome | null): CodeView {
  const { scopeProblem, rebuilt } = session;
  const swept = scopeProblem === null;
  return viewOf(root, session.facts, { swept, scopeProblem, reconciled, rebuilt, close: () => session.close() });
}

/** What every view has, and what tells this one from others. */
export function viewOf(
  root: string,
  facts: Pick<FactsHandle, 'read'>,
  own: Pick<CodeView, 'swept' | 'scopeProblem' | 'close'> & Partial<CodeView>,
): CodeView {
  return {
    ...describeStore(facts),
    root,
    differences: noDifferences,
    reconciled: null,
    refreshed: null,
    contextProblems: [],
    rebuilt: null,
    writer: null,
    indexesItself: own.writer?.socket != null,
    read: (ask) => facts.read(ask),
    readText: (path, guard) => readText(root, path, guard),
    ...own,
  };
}

/** Why not, when there is no store that could be read. */
async function openReader(
  settings: SessionSettings,
  writer: WriterIdentity | null,
): Promise<Exclude<OpenedView, { kind: 'busy' }> | 'building' | 'other_version'> {
  const { root, signal } = settings;
  const git = createGit(settings);
  const lister = createTreeLister(root, git);
  const deadline = settings.nowMs() + catchUpMs;
  for (;;) {
    const opened = openFactsForRead(identityOf(settings));
    if (opened.kind === 'refused') return opened;
    if (opened.kind === 'unavailable') {
      return opened.reason === 'extractor' || opened.reason === 'schema' ? 'other_version' : 'building';
    }
    const { facts } = opened;
    // What is compared with the disk now is what every answer is read from.
    facts.pin();
    const differences = await findDifferences(root, lister, facts.read(loadFileTable), signal);
    const { problem } = differences.listing;
    const isSettled = !isPending(facts.read(findRepoState)?.configEpoch);
    const isWhole = isSettled && countDifferences(differences) === 0;
    // S14: what was read from a file that has been replaced meanwhile is no answer.
    if (facts.isCurrent() && (isWhole || settings.nowMs() >= deadline)) {
      const view = viewOf(root, facts, {
        // Of the disk, not of whenever the writer last looked.
        head: differences.listing.head,
        // Between writing files and resolving the imports of others, files say nothing about what is known of them.
        swept: isSettled && problem === null,
        scopeProblem: problem,
        differences,
        writer,
        close: async () => facts.close(),
      });
      return { kind: 'open', view };
    }
    facts.close();
    await pause(catchUpStepMs);
    signal.throwIfAborted();
  }
}

function describeStore(facts: Pick<FactsHandle, 'read'>): Pick<CodeView, 'head' | 'generation' | 'watch'> {
  return facts.read((session) => {
    const state = findRepoState(session);
    return { head: state?.head ?? 'none', watch: state?.watch ?? 'off', generation: session.generation };
  });
}

export function readText(
  root: string,
  path: string,
  guard: DirectoryGuard = createDirectoryGuard(root),
): SourceText | undefined {
  const read = readSource(root, path, textLimits.textBytes, guard);
  if (read.kind !== 'read') return undefined;
  const decoded = decodeText(read.bytes);
  if (decoded.kind !== 'text') return undefined;
  return { bytes: read.bytes, text: decoded.text, bom: decoded.bom, isAscii: decoded.isAscii };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
