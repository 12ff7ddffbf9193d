/**
 * The freshness gate (mutation.md §2.5): which files a rename rests on, and which of them no indexer has seen as they are now. Files in
 * no live context cannot become clean by waiting; what they hold is an item instead.
 */

import { neverIndexed } from '../../index/state/explain-node.ts';
import type { FileState } from '../../index/state/file-states.ts';
import type { Question } from '../../index/state/navigate/question.ts';
import { findContext } from '../../index/store/queries/list-contexts.ts';
import { findQueuedJob, findRunningJob, listJobs } from '../../index/store/queries/list-jobs.ts';
import { compareCodeUnits } from '../../kernel/base/json.ts';
import type { NotClean } from './types.ts';

/** `uses`: files that define or use the family; what they import counts too. `holds`: files in reach with the name in code. */
export function listAffected(question: Question, uses: Iterable<string>, holds: Iterable<string>): readonly string[] {
  const affected = new Set(holds);
  for (const path of uses) {
    affected.add(path);
    for (const { targets } of question.imports(path)) for (const target of targets) affected.add(target);
  }
  return [...affected].sort(compareCodeUnits);
}

export function describeNotClean(question: Question, paths: Iterable<string>): readonly NotClean[] {
  const { states } = question.semantic();
  const found: NotClean[] = [];
  for (const path of paths) {
    const state = states.of(path);
    if (state.freshness === 'clean' || state.freshness === 'unsupported' || isHopeless(question, state)) continue;
    const unsettled = state.contexts.filter(({ freshness }) => freshness !== 'clean' && freshness !== 'unsupported');
    if (unsettled.length === 0)
      found.push({ path, state: state.freshness, why: state.reason ?? state.freshness, context: null, scope: path });
    for (const { key, freshness, why } of unsettled)
      found.push({ path, state: freshness, why: why ?? freshness, context: key, scope: path });
  }
  return found;
}

/**
 * The last run had the present inputs and gave no document for the file (another platform's build constraint): where no job waits, none
 * would help.
 */
export function isHopeless(question: Question, { freshness, contexts }: FileState): boolean {
  const unsettled = contexts.filter((one) => one.freshness !== 'clean' && one.freshness !== 'unsupported');
  if (freshness !== 'unindexed' || unsettled.length === 0) return false;
  return unsettled.every(({ key, freshness: own, why }) => {
    if (own !== 'unindexed' || why !== neverIndexed) return false;
    return question.ask((session) => {
      const context = findContext(session, key);
      if (context === undefined) return false;
      const isWaiting =
        findQueuedJob(session, context.id) !== undefined || findRunningJob(session, context.id) !== undefined;
      return !isWaiting && listJobs(session, context.id, 1)[0]?.status === 'completed';
    });
  });
}
