import { quotedPath, singleLine, truncate } from '../../kernel/base/text.ts';
import type { Answer, ApplyResult, Proof } from '../answer.ts';
import { type ApplyOutcome, applyChanges, finishApply } from '../apply/apply-changes.ts';
import { patchFacts } from '../apply/patch-facts.ts';
import { readTarget } from '../apply/target.ts';
import { evictUndo } from '../apply/undo.ts';
import type { Binding } from '../proof/prove-selection.ts';
import { makeDecision } from '../questions/remember.ts';
import type { MutationWorld } from '../world.ts';
import { appliedAnswer, blockedAnswer, fileStates, refusedAnswer, refusedFiles } from './answers.ts';
import type { Edit, FileChange, Plan } from './plan.ts';
import { type DiskFiles, type Hider, scopeFacts } from './plan-files.ts';
import type { DecisionRow } from './plan-store.ts';
import { isForced, type Selection } from './selection.ts';

type Selected = {
  readonly plan: Plan;
  readonly selection: Selection;
  readonly selections: readonly string[];
  readonly edits: readonly Edit[];
  readonly disk: DiskFiles;
  readonly proof: Proof;
  readonly binding: Binding;
  readonly hider: Hider;
};

export async function applySelection(world: MutationWorld, selected: Selected): Promise<Answer> {
  const { plan, selection, selections, hider } = selected;
  const changes = listChanges(world.root, selected);
  if (changes.kind === 'answer') return changes.answer;
  const proofJson = JSON.stringify(hider.json(selected.proof));
  const decision = makeDecision(
    plan,
    selection.options,
    { edits: selected.edits, changes: changes.changes },
    world.nowMs(),
  );
  const { root, home, stateDir, plans, nowMs, random } = world;
  const outcome = applyChanges({
    root,
    home,
    stateDir,
    planId: plan.id,
    changes: changes.changes,
    onReady: () => plans.setStatus(plan.id, ['open'], 'committing'),
    nowMs,
    random,
    ledger: { selections, proofJson, decision },
    ...scopeFacts(world.view),
  });
  if (outcome.kind !== 'applied') return notApplied(world, plan, outcome);
  return settleApplied(world, selected, { outcome, proofJson, decision });
}

type Applied = {
  readonly outcome: Extract<ApplyOutcome, { kind: 'applied' }>;
  readonly proofJson: string;
  readonly decision: DecisionRow | null;
};

/** K11 to K13. All files are new: a failure or an abort from here on becomes a note of the answer. */
async function settleApplied(world: MutationWorld, selected: Selected, applied: Applied): Promise<Answer> {
  const { plan, selection, selections, edits, binding } = selected;
  const { root, home, stateDir, plans, nowMs } = world;
  const { files, lateWrites } = applied.outcome;
  const { proofJson, decision } = applied;
  const notes = [...applied.outcome.notes];
  const isTold = await afterCommit(notes, 'the ledger could not be told; the next command does it', () => {
    const result = { files, lateWrites, notes: applied.outcome.notes };
    const undo = { planId: plan.id, ...applied.outcome.undo, createdMs: nowMs() };
    plans.finish(plan.id, { nowMs: nowMs(), result, selections, proofJson, decision, undo });
    return true;
  });
  // E12: a patch that is lost costs time; the files are then dirty and read again.
  await afterCommit(notes, 'the index does not know the changed files yet; the next question reads them', () => {
    return patchFacts(world, { plan, edits, files, isProven: binding === 'proven' });
  });
  // Until the ledger knows, the journal stays: it says what the ledger is to be told.
  const isWhole = isTold === true;
  const late = await afterCommit(notes, 'what is left of the change is removed by the next command', () => {
    const found = isWhole ? finishApply({ root, home, stateDir, planId: plan.id }) : [];
    if (isWhole) evictUndo({ stateDir, plans, nowMs });
    return found;
  });
  const known = await afterCommit(notes, 'the ledger cannot be read', () => ({
    plan: plans.find(plan.id),
    hasUndo: plans.listUndo().some(({ planId }) => planId === plan.id),
  }));
  const result: ApplyResult = {
    files,
    late_writes: [...lateWrites, ...(late ?? [])],
    notes,
    undo: known?.hasUndo === true ? `codegenie plan undo ${plan.id}` : null,
  };
  const written = new Set(selection.groupIds);
  const committed = isWhole && known?.plan !== undefined ? known.plan : { ...plan, status: 'committed' as const };
  return appliedAnswer(committed, result, isForced(plan) ? { binding, written } : null);
}

type Changes =
  | { readonly kind: 'changes'; readonly changes: readonly FileChange[] }
  | { readonly kind: 'answer'; readonly answer: Answer };

function listChanges(root: string, { plan, edits, disk }: Selected): Changes {
  const moves = new Map(plan.moves.map(({ from, to }) => [from, to]));
  const byPath = Map.groupBy(edits, ({ path }) => path);
  const changes: FileChange[] = [];
  for (const path of new Set([...byPath.keys(), ...moves.keys()])) {
    const file = disk.get(path);
    if (file === undefined) return changed(plan, [path]);
    const spliced = splice(file.bytes, byPath.get(path) ?? []);
    if (spliced.kind === 'overlap')
      return { kind: 'answer', answer: refusedAnswer('overlap', `two edits of ${quotedPath(path)} overlap`) };
    if (spliced.kind === 'mismatch') return changed(plan, [path]);
    const to = moves.get(path);
    if (to === undefined) {
      changes.push({ kind: 'replace', path, oldHash: file.hash, newBytes: spliced.bytes });
      continue;
    }
    const found = readTarget(root, path);
    if (found.kind !== 'file') return changed(plan, [path]);
    changes.push({ kind: 'remove', path, oldHash: file.hash });
    const { mode, uid, gid } = found.inode;
    changes.push({ kind: 'create', path: to, newBytes: spliced.bytes, mode: mode & 0o777, owner: { uid, gid } });
  }
  return { kind: 'changes', changes };
}

function notApplied(world: MutationWorld, plan: Plan, outcome: Exclude<ApplyOutcome, { kind: 'applied' }>): Answer {
  // Not ours where another commit has it; then the status stays as that one left it.
  const isOurs = outcome.kind === 'changed' || outcome.reason !== 'plan_used';
  if (isOurs) world.plans.setStatus(plan.id, ['committing'], 'open');
  if (outcome.kind === 'changed') return changed(plan, outcome.paths).answer;
  return refusedFiles(outcome);
}

function changed(plan: Plan, paths: readonly string[]): { readonly kind: 'answer'; readonly answer: Answer } {
  const answer = blockedAnswer(
    'files_changed',
    `changed while the plan was committed: ${paths.slice(0, 5).join(', ')}`,
    {
      plan_id: plan.id,
      files: fileStates(paths, 'changed', 'changed while the plan was committed; nothing of it is applied'),
    },
  );
  return { kind: 'answer', answer };
}

/**
 * A step after the commit point (K11 to K13) may fail or be stopped, and the files are written all the same: the failure becomes a note of
 * the answer, and the next start does what was left undone. Undefined where it failed.
 */
export async function afterCommit<T>(notes: string[], says: string, act: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await act();
  } catch (error) {
    notes.push(noteOf(says, error));
    return undefined;
  }
}

function noteOf(says: string, error: unknown): string {
  const why = error instanceof Error ? error.message : String(error);
  return `${says} (${truncate(singleLine(why), 200)})`;
}

// Edits as byte splices on the hashed bytes.
// E1: exactly the given spans change, every other byte stays. E7: overlapping edits are refused, equal ones are applied once.

export type Splice = Pick<Edit, 'startByte' | 'endByte' | 'oldText' | 'newText'>;

type Spliced =
  | { readonly kind: 'spliced'; readonly bytes: Buffer }
  | { readonly kind: 'overlap'; readonly first: Splice; readonly second: Splice }
  /** The bytes at the span are not what the edit was made for. */
  | { readonly kind: 'mismatch'; readonly splice: Splice };

export function splice(bytes: Uint8Array, edits: readonly Splice[]): Spliced {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const ordered = [...edits].sort((a, b) => a.startByte - b.startByte || a.endByte - b.endByte);
  const distinct: Splice[] = [];
  for (const edit of ordered) {
    const last = distinct.at(-1);
    if (last !== undefined && isEqual(last, edit)) continue;
    if (last !== undefined && touches(last, edit)) return { kind: 'overlap', first: last, second: edit };
    const { startByte: start, endByte: end } = edit;
    const isInside = start >= 0 && start <= end && end <= source.length;
    if (!isInside || !source.subarray(start, end).equals(Buffer.from(edit.oldText))) {
      return { kind: 'mismatch', splice: edit };
    }
    distinct.push(edit);
  }
  // From the highest offset down, so that every offset means the hashed bytes.
  const parts: Buffer[] = [];
  let end = source.length;
  for (const edit of distinct.toReversed()) {
    parts.push(source.subarray(edit.endByte, end), Buffer.from(edit.newText));
    end = edit.startByte;
  }
  parts.push(source.subarray(0, end));
  return { kind: 'spliced', bytes: Buffer.concat(parts.reverse()) };
}

function isEqual(a: Splice, b: Splice): boolean {
  return a.startByte === b.startByte && a.endByte === b.endByte && a.newText === b.newText;
}

/** Two insertions at one place have no order of their own, so they overlap too. */
function touches(a: Splice, b: Splice): boolean {
  return b.startByte < a.endByte || b.startByte === a.startByte;
}
