/**
 * One transaction that replaces the facts of a context by those that follow from a change of ours, without a run of the indexer (mutation.md
 * §8 "Facts patch"). The same documents, dependencies and interfaces that an import would write; and a job behind them that looks again when
 * there is time, whose result then replaces these.
 */

import type { ReadSession } from '../../store/facts-handle.ts';
import type { WritableFacts } from '../../store/open-facts.ts';
import { findFile } from '../../store/queries/find-file.ts';
import type { StoredContext } from '../../store/queries/list-contexts.ts';
import { listFactsOfFile, listPatched } from '../../store/queries/list-file-facts.ts';
import { listItemsOfFile } from '../../store/queries/list-items.ts';
import { Unfit } from '../patch/types.ts';
import { isEmptyScope, makeScope } from '../scope.ts';
import type { PreparedImport } from './prepare-import.ts';
import { createSnapshots, type SettledStates } from './snapshot-dependencies.ts';

export type PatchOptions = {
  readonly context: StoredContext;
  /** Before the patch. */
  readonly states: SettledStates;
  readonly head: string | null;
  readonly nowMs: number;
};

/** Behind everything that somebody waits for. */
const confirmPriority = -10;

/** Throws `Unfit`, and then nothing is written. */
export function commitPatch(facts: WritableFacts, prepared: PreparedImport, options: PatchOptions): void {
  facts.writer.transaction(() => commit(facts, prepared, options));
}

function commit(facts: WritableFacts, prepared: PreparedImport, options: PatchOptions): void {
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
