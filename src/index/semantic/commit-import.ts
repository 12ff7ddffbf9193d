/**
 * One transaction that makes an indexer's output part of the store, or changes nothing (code-plane.md §6.3).
 *
 * R12  Only documents whose file had the same bytes before the run, after it, and now in the store.
 * R13  A dependency that moved during the run is recorded as unknown, and its dependents are queued again.
 * R14  Documents outside of the scope, and members without one, keep their rows.
 * R15  Too few documents change nothing.
 * R22  What moved is queued again in the same transaction.
 * R28  It completes the job before it writes anything: a lost job writes nothing.
 */

import { isWithin } from '../../languages/resolving/root-paths.ts';
import type { DocumentFacts } from '../store/document-facts.ts';
import type { WritableFacts } from '../store/facts-file.ts';
import type { ReadSession } from '../store/read-session.ts';
import { findContextById, isLive, listMembers, type StoredContext } from '../store/stored-contexts.ts';
import { listDependents, listFactsOfFile, listPatched } from '../store/stored-facts.ts';
import { findFile } from '../store/stored-files.ts';
import { listItemsOfFile } from '../store/stored-items.ts';
import { isEmptyScope, type Job, makeScope, type RefreshScope } from '../store/stored-jobs.ts';
import type { FileMoment, PreparedImport } from './prepare-import.ts';
import { Unfit } from './renaming.ts';
import { createSnapshots, type SettledStates, type Snapshots } from './snapshot-dependencies.ts';

export type CommitOptions = {
  readonly job: Pick<Job, 'id' | 'priority' | 'head'>;
  readonly owner: string;
  readonly context: StoredContext;
  /** As the adapter widened it. */
  readonly scope: RefreshScope;
  /** After the run. */
  readonly post: (path: string) => FileMoment | undefined;
  /** Before the import. */
  readonly states: SettledStates;
  readonly nowMs: number;
  /**
   * Asked between documents, and last, with `true`, when nothing is left but to commit; false: everything is undone. For a caller that
   * commits where others can go on meanwhile and may want to stop it.
   */
  readonly mayGoOn?: ((isLast: boolean) => boolean) | undefined;
};

export type CommitOutcome =
  | {
      readonly kind: 'committed';
      readonly accepted: number;
      readonly rejected: number;
      /** Members in scope whose bytes are not those from before the run; queued again. */
      readonly moved: readonly string[];
    }
  | { readonly kind: 'lost' }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly failure: 'too_few_documents'; readonly detail: string };

/** Of the members that could have a document, so many in ten must have one that fits. */
const neededInTen = 9;
/** Of a few files a share says nothing: so many may be without one, and are not asked for again as long as nothing changes. */
const fewInPart = 4;

export function commitImport(facts: WritableFacts, prepared: PreparedImport, options: CommitOptions): CommitOutcome {
  try {
    return facts.writer.transaction(() => commit(facts, prepared, options));
  } catch (error) {
    if (error instanceof RolledBack) return error.outcome;
    throw error;
  }
}

/** Undoes the transaction and carries out of it what to answer. */
class RolledBack extends Error {
  readonly outcome: CommitOutcome;
  constructor(outcome: CommitOutcome) {
    super(outcome.kind);
    this.outcome = outcome;
  }
}

function commit(facts: WritableFacts, prepared: PreparedImport, options: CommitOptions): CommitOutcome {
  const { job, owner, context, nowMs, mayGoOn } = options;
  const { accepted, moved, expected, rejected } = facts.read((session) => plan(session, prepared, options));
  const detail = whyRejected(prepared, rejected);
  const result = { nowMs, outputHash: prepared.outputHash, accepted: accepted.length, rejected, detail };
  if (!facts.jobs.complete(job.id, owner, result)) throw new RolledBack({ kind: 'lost' });
  const mayLack = options.scope === null ? 0 : fewInPart;
  if (accepted.length * 10 < expected * neededInTen && expected - accepted.length > mayLack) {
    const [first] = prepared.rejected;
    const why = first === undefined ? '' : `; ${first.path}: ${first.why}`;
    const said = `${accepted.length} of ${expected} files have a document that fits${why}`;
    throw new RolledBack({ kind: 'failed', failure: 'too_few_documents', detail: said });
  }
  const snapshots = createSnapshots(prepared, accepted, options);
  const origin = { configHash: context.configHash, toolId: context.toolId ?? '', jobId: job.id };
  const stale = createFollowUps();
  for (const path of moved) stale.add(context.id, path);
  for (const document of facts.read((session) => snapshots.close(session))) {
    const deps = facts.read((session) => snapshots.of(session, document.path));
    if (deps.some(({ path }) => snapshots.hasMoved(path))) stale.add(context.id, document.path);
    facts.read((session) => noteDependents(session, document, snapshots, context.id, stale));
    facts.semantic.putDocument(context.id, document, {
      ...origin,
      deps,
      ownIface: snapshots.ownIfaceOf(document.path),
      scip: prepared.scip.get(document.path),
    });
    if (mayGoOn?.(false) === false) throw new RolledBack({ kind: 'stopped' });
  }
  for (const [contextId, paths] of stale.byContext) {
    if (!isLive(facts.read((session) => findContextById(session, contextId)))) continue;
    const scope = makeScope(paths);
    const { priority, head } = job;
    facts.jobs.enqueue({ contextId, scope, trigger: 'import', priority, notBeforeMs: nowMs, nowMs, head });
  }
  if (mayGoOn?.(true) === false) throw new RolledBack({ kind: 'stopped' });
  return { kind: 'committed', accepted: accepted.length, rejected, moved };
}

/** The first few: what `status` says of files that stay unindexed. */
function whyRejected(prepared: PreparedImport, count: number): string | null {
  const named = prepared.rejected.slice(0, 3).map(({ path, why }) => `${path}: ${why}`);
  return count === 0 ? null : `${named.join('; ')}${count > named.length ? `; and ${count - named.length} more` : ''}`;
}

type Plan = {
  readonly accepted: readonly DocumentFacts[];
  readonly moved: readonly string[];
  /** How many members of the scope could have a document. */
  readonly expected: number;
  readonly rejected: number;
};

function plan(session: ReadSession, prepared: PreparedImport, { context, scope, post }: CommitOptions): Plan {
  const files = new Set(scope?.files);
  const members = listMembers(session, context.id).filter((path) => files.has(path) || isInScope(scope, path));
  const documents = new Map(prepared.documents.map((document) => [document.path, document]));
  const accepted: DocumentFacts[] = [];
  const moved: string[] = [];
  let expected = 0;
  for (const path of members) {
    const file = findFile(session, path);
    if (file === undefined || file.kind !== 'file' || file.presence !== 'present') continue;
    const before = prepared.pre.get(path);
    const isSame = before !== undefined && before.hash === file.contentHash && before.hash === post(path)?.hash;
    if (!isSame && (before !== undefined || file.contentHash !== null)) moved.push(path);
    if (file.parse === 'ok' || file.parse === 'errors') expected += 1;
    const document = documents.get(path);
    if (document === undefined || !isSame || document.contentHash !== before.hash) continue;
    accepted.push(document);
  }
  const inScope = new Set(members);
  const rejected = prepared.rejected.filter(({ path }) => inScope.has(path)).length;
  return { accepted, moved, expected, rejected };
}

function isInScope(scope: RefreshScope, path: string): boolean {
  return scope === null || scope.packages.some((directory) => isWithin(path, directory));
}

type FollowUps = {
  readonly byContext: ReadonlyMap<number, ReadonlySet<string>>;
  add(contextId: number, path: string): void;
};

function createFollowUps(): FollowUps {
  const byContext = new Map<number, Set<string>>();
  return {
    byContext,
    add(id, path) {
      const known = byContext.get(id);
      if (known !== undefined) known.add(path);
      else byContext.set(id, new Set([path]));
    },
  };
}

/** Dependents that remember another interface of this file than the one that is being written, and are not being written as well. */
function noteDependents(
  session: ReadSession,
  document: DocumentFacts,
  snapshots: Snapshots,
  contextId: number,
  stale: FollowUps,
): void {
  const before = listFactsOfFile(session, document.path).find((row) => row.contextId === contextId);
  if (before === undefined) return;
  if (before.semIface === document.semIface && before.hashAtIndex === document.contentHash) return;
  const syn = snapshots.synOf(document.path);
  for (const dependent of listDependents(session, document.path)) {
    if (dependent.contextId === contextId && snapshots.isAccepted(dependent.path)) continue;
    const isSame =
      document.semIface !== null && dependent.sem !== null
        ? document.semIface === dependent.sem
        : syn !== null && syn === dependent.syn;
    if (!isSame) stale.add(dependent.contextId, dependent.path);
  }
}

// ---- after a committed rename: one transaction that replaces the facts of a context by those that follow from the change, without a run of
// the indexer (mutation.md §8 "Facts patch"). The same documents, dependencies and interfaces that an import would write; and a job behind
// them that looks again when there is time, whose result then replaces these.

type PatchOptions = {
  readonly context: StoredContext;
  /** Before the patch. */
  readonly states: SettledStates;
  readonly head: string | null;
  readonly nowMs: number;
};

/** Behind every job that a caller waits for. */
const confirmPriority = -10;

/** Throws `Unfit`, and then nothing is written. */
export function commitPatch(facts: WritableFacts, prepared: PreparedImport, options: PatchOptions): void {
  facts.writer.transaction(() => writePatch(facts, prepared, options));
}

function writePatch(facts: WritableFacts, prepared: PreparedImport, options: PatchOptions): void {
  const { context, head, nowMs } = options;
  facts.read((session) => mustFit(session, prepared, context));
  const post = (path: string) => prepared.pre.get(path);
  const snapshots = createSnapshots(prepared, prepared.documents, { ...options, post });
  const origin = { configHash: context.configHash, toolId: context.toolId ?? '', jobId: null, isPatch: true };
  for (const document of facts.read((session) => snapshots.close(session))) {
    const deps = facts.read((session) => snapshots.of(session, document.path));
    facts.semantic.putDocument(context.id, document, {
      ...origin,
      deps,
      ownIface: snapshots.ownIfaceOf(document.path),
    });
  }
  const isByFile = context.granularity === 'file';
  const scope = isByFile ? makeScope(facts.read((session) => listPatched(session, context.id))) : null;
  if (isEmptyScope(scope)) return;
  facts.jobs.enqueue({
    contextId: context.id,
    scope,
    trigger: 'patch',
    priority: confirmPriority,
    notBeforeMs: nowMs,
    nowMs,
    head,
  });
}

/** A rename answers no question and raises none: where items come or go, something was not understood. */
function mustFit(session: ReadSession, prepared: PreparedImport, { id }: StoredContext): void {
  const isKnownHere = (path: string) => listFactsOfFile(session, path).some(({ contextId }) => contextId === id);
  // What the indexer was not believed of before, it is not believed of now.
  for (const { path, why } of prepared.rejected) if (isKnownHere(path)) throw new Unfit(`${path}: ${why}`);
  for (const { path, contentHash, items } of prepared.documents) {
    if (findFile(session, path)?.contentHash !== contentHash) throw new Unfit(`${path} has changed`);
    const before = listItemsOfFile(session, path).filter(({ contextId }) => contextId === id);
    if (isKnownHere(path) && before.length !== items.length) throw new Unfit(`what is in doubt in ${path} changes`);
  }
}
