/**
 * The life of a plan (mutation.md §5): a draft gets its names and goes to the ledger, is extended when it is used, expires, or is cancelled.
 * What is returned is what was kept, so the plan shown is the plan that can be committed.
 */

import type { SourceText } from '../../index/view/code-view.ts';
import { assert } from '../../kernel/base/assert.ts';
import { formatTime } from '../../kernel/base/quantities.ts';
import { inTurn } from '../../kernel/base/turns.ts';
import type { Answer } from '../answer.ts';
import type { PlanStatus } from '../vocabulary.ts';
import type { MutationWorld } from '../world.ts';
import { anchorsOf, createLines } from './anchors.ts';
import { blockedAnswer, plannedAnswer, refusedAnswer } from './answers.ts';
import { ambiguityFingerprint, planHash, planId } from './ids.ts';
import type { Anchor, Edit, Isomorphism, Item, Plan, PlanDraft } from './plan.ts';
import { createHider, type Hider } from './plan-files.ts';

/** From the last use, where the user has not said how long (`plans.life_hours`): the gate looks at every byte again, however old a plan is. */
const defaultLifeMs = 24 * 60 * 60 * 1000;
/** What a plan rests on outside the scope, packages that are installed above all, is in none of its hashes. */
const outsideMs = 60 * 60 * 1000;

export type KeepingWorld = Pick<
  MutationWorld,
  'plans' | 'rootHash' | 'worktree' | 'nowMs' | 'random' | 'stateDir' | 'planLifeMs'
> & {
  readonly view: Pick<MutationWorld['view'], 'readText'>;
};

export function keepPlan(world: KeepingWorld, given: PlanDraft, status: 'open' | 'proving' = 'open'): Plan {
  const plan = makePlan(world, given, status);
  world.plans.tidy(plan.createdMs);
  world.plans.add(plan);
  const kept = world.plans.find(plan.id);
  assert(kept !== undefined, 'a plan that was added is there');
  return kept;
}

/** A plan that was `proving` is open, as its proof left it; undefined if it was given up meanwhile. */
export function settlePlan(world: KeepingWorld, given: PlanDraft, id: string): Plan | undefined {
  return world.plans.replaceProving({ ...makePlan(world, given, 'open'), id }) ? world.plans.find(id) : undefined;
}

function makePlan(world: KeepingWorld, given: PlanDraft, status: 'open' | 'proving'): Plan {
  const draft = settleDraft(world, given);
  const ambiguityFp = ambiguityFingerprint(draft.items);
  const createdMs = world.nowMs();
  const { rootHash, worktree } = world;
  return {
    ...draft,
    id: planId({ ...draft, rootHash, ambiguityFp, random: world.random() }),
    hash: planHash(draft),
    rootHash,
    worktree,
    ambiguityFp,
    status,
    createdMs,
    expiresMs: expiryAt(world),
    committedMs: null,
  };
}

function expiryAt({ nowMs, planLifeMs = defaultLifeMs }: Pick<MutationWorld, 'nowMs' | 'planLifeMs'>): number {
  return nowMs() + planLifeMs;
}

/** Equal files in scope are not enough any more to say that nothing has changed: the change is planned again, and the two are compared. */
export function isOfAnotherHour({ nowMs }: Pick<MutationWorld, 'nowMs'>, plan: Pick<Plan, 'createdMs'>): boolean {
  return nowMs() - plan.createdMs >= outsideMs;
}

/** As it will be kept: secrets in what is quoted from files are hashed, and no group says the same thing twice. */
export function settleDraft(world: Pick<KeepingWorld, 'stateDir' | 'view'>, draft: PlanDraft): PlanDraft {
  const hider = createHider(world.stateDir);
  const hiddenFiles = new Map<string, HiddenFile | undefined>();
  const hiddenFile = (path: string): HiddenFile | undefined => {
    if (!hiddenFiles.has(path)) hiddenFiles.set(path, readHidden(world.view.readText(path), hider));
    return hiddenFiles.get(path);
  };
  return {
    ...draft,
    groups: draft.groups.map((group) => ({ ...group, edits: hideAnchors(distinct(group.edits), hiddenFile) })),
    items: hideAnchors(draft.items, hiddenFile).map((item) => ({
      ...item,
      text: hider.text(item.text),
      detail: hider.text(item.detail),
    })),
    notes: draft.notes.map(hider.text),
    isomorphism: draft.isomorphism == null ? null : hideFamily(draft.isomorphism, hider),
  };
}

/** A declaration in a file whose name holds a token: nothing is edited there, so a proof that does not know it only asks for more. */
function hideFamily(of: Isomorphism, hider: Hider): Isomorphism {
  return { ...of, family: of.family.map((place) => ({ ...place, path: hider.text(place.path) })) };
}

/** Of a file that has secrets, where they are hidden. */
type HiddenFile = { readonly text: string; readonly lines: ReturnType<typeof createLines> };

function readHidden(source: SourceText | undefined, hider: Hider): HiddenFile | undefined {
  if (source === undefined) return undefined;
  const text = hider.file(source);
  return text === source.text ? undefined : { text, lines: createLines(text) };
}

type Anchored = Pick<Edit | Item, 'path' | 'line' | 'col'> & { readonly anchor: Anchor };

/** A hash is as long as its secret: the place of an anchor is the same, only what it quotes is not. */
function hideAnchors<T extends Anchored>(
  places: readonly T[],
  hiddenFile: (path: string) => HiddenFile | undefined,
): readonly T[] {
  const hidden = new Map<T, Anchor>();
  for (const [path, ones] of Map.groupBy(places, (place) => place.path)) {
    const file = hiddenFile(path);
    if (file === undefined) continue;
    const spans = ones.map(({ line, col, anchor }) => {
      const start = file.lines.offsetOf(line - 1, col - 1) ?? 0;
      return { start, end: start + anchor.text.length };
    });
    for (const [at, anchor] of anchorsOf(file.text, spans).entries()) hidden.set(ones[at] as T, anchor);
  }
  return places.map((place) => {
    const anchor = hidden.get(place);
    return anchor === undefined ? place : { ...place, anchor };
  });
}

function distinct(edits: readonly Edit[]): readonly Edit[] {
  const seen = new Set<string>();
  return edits.filter((edit) => {
    const name = `${edit.path}\0${edit.startByte}\0${edit.endByte}\0${edit.newText}`;
    if (seen.has(name)) return false;
    seen.add(name);
    return true;
  });
}

// Step 1 of a commit (mutation.md §6): the plan is there, is of this root, is open and not expired, and is the one that was shown.

export type LifeWorld = Pick<MutationWorld, 'plans' | 'rootHash' | 'worktree' | 'nowMs' | 'longProofs' | 'planLifeMs'>;

export type OwnPlan =
  | { readonly kind: 'found'; readonly plan: Plan }
  | { readonly kind: 'answer'; readonly answer: Answer };

/** Of this root, whatever its status. An open plan whose time is over expires here. */
export function findOwnPlan(world: LifeWorld, id: string, rootHash: string = world.rootHash): OwnPlan {
  const found = world.plans.find(id);
  if (found === undefined) return ended(refusedAnswer('plan_not_found', `there is no plan ${id} here`));
  if (found.rootHash !== rootHash || found.rootHash !== world.rootHash || found.worktree !== world.worktree) {
    const isHere = found.rootHash === world.rootHash && found.worktree === world.worktree;
    const detail = isHere
      ? `root_hash: ${rootHash} was given; that of ${world.worktree} is ${world.rootHash}`
      : `plan ${id} was made in ${found.worktree}; this is ${world.worktree}`;
    return ended(refusedAnswer('wrong_worktree', detail));
  }
  const isOver = world.nowMs() >= found.expiresMs;
  if (isOver && world.plans.setStatus(id, ['open', 'proving'], 'expired'))
    return { kind: 'found', plan: { ...found, status: 'expired' } };
  // The process that proved it is gone.
  const isOrphan = found.status === 'proving' && world.longProofs?.isRunning(id) !== true;
  if (isOrphan && world.plans.setStatus(id, ['proving'], 'cancelled'))
    return { kind: 'found', plan: { ...found, status: 'cancelled' } };
  return { kind: 'found', plan: found };
}

/** M25: refused by name. Undefined for an open plan. */
export function refuseStatus(plan: Plan): Answer | undefined {
  const says = statusAnswers[plan.status];
  return says?.(plan);
}

/** From the last show, extension or failed commit. */
export function extendLife(world: LifeWorld, plan: Plan): void {
  world.plans.setExpiry(plan.id, expiryAt(world));
}

const used = (plan: Plan, says: string) => refusedAnswer('plan_used', `plan ${plan.id} ${says}`);

const statusAnswers: Readonly<Record<PlanStatus, ((plan: Plan) => Answer) | undefined>> = {
  open: undefined,
  proving: (plan) =>
    blockedAnswer('proof_running', `plan ${plan.id} is still being proved`, {
      plan_id: plan.id,
      retry_after_ms: 1_000,
    }),
  committing: (plan) => used(plan, 'is being committed'),
  committed: (plan) => used(plan, `was committed at ${formatTime(new Date(plan.committedMs ?? 0).toISOString())}`),
  undone: (plan) => used(plan, 'was committed and undone'),
  expired: (plan) =>
    refusedAnswer('plan_expired', `plan ${plan.id} expired at ${formatTime(new Date(plan.expiresMs).toISOString())}`),
  cancelled: (plan) => refusedAnswer('plan_cancelled', `plan ${plan.id} was cancelled`),
  conflict: (plan) => conflictAnswer(plan.id, plan.files),
};

export function conflictAnswer(planId: string, files: readonly { readonly path: string }[]): Answer {
  return blockedAnswer(
    'recovery_conflict',
    `the commit of plan ${planId} was interrupted, and its files were edited since`,
    {
      plan_id: planId,
      files: files.slice(0, 20).map(({ path }) => ({ path, state: 'conflict', why: 'part of an interrupted commit' })),
    },
  );
}

function ended(answer: Answer): OwnPlan {
  return { kind: 'answer', answer };
}

/** A plan given up before it is committed. Cancelling twice is cancelling once. */
export function cancelPlan(world: MutationWorld, id: string): Promise<Answer> {
  return inTurn(world.plans, async () => {
    const found = findOwnPlan(world, id);
    if (found.kind === 'answer') return found.answer;
    const { plan } = found;
    const isCancelled = world.plans.setStatus(id, ['open', 'proving'], 'cancelled') || plan.status === 'cancelled';
    if (!isCancelled) return refuseStatus(plan) ?? cancelled(plan);
    return cancelled(world.plans.find(id) ?? plan);
  });
}

/** There is no outcome of its own: nothing was asked that could fail, and the plan's status says it. */
function cancelled(plan: Plan): Answer {
  return { ...plannedAnswer(plan), next: 'Nothing was written; plan again if the change is wanted after all.' };
}
