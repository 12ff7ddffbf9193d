/**
 * The only way to apply a plan (mutation.md §6; M2). Eleven checks in this order, each with its own failure; nothing is written before the
 * last, and a failure of any before it leaves the plan open.
 *
 *   1 life ─ 2 selection ─ 3 proof complete ─ 4 fresh ─ 5 same questions ─ 6 hashes ─ 7 anchors ─ 8 lines ─ 9 identity ─ 10 proof ─ 11 apply
 *
 * M22: commits of one store run one after the other here, and the change of status at K6 is compare-and-set, so of many commits of one
 * plan one applies it. M41: commits of other users, who have other stores, wait for the tree's own lock.
 */

import { findSecretSpans, maskSpans } from '../../index/text/redact-secrets.ts';
import type { CodeView } from '../../index/view/code-view.ts';
import { compareCodeUnits } from '../../kernel/base/json.ts';
import { quotedPath, singleLine, truncate } from '../../kernel/base/text.ts';
import { inTurn } from '../../kernel/base/turns.ts';
import type { Answer, CommitRequest, Proof, RequiredProof } from '../answer.ts';
import { recoverJournals, resolveConflict } from '../apply/recover.ts';
import { withTreeLock } from '../apply/tree-lock.ts';
import { proveSelection } from '../proof/prove-selection.ts';
import { isQuoted, placeKey, requiredProofOf } from '../questions/required-proof.ts';
import type { Loc } from '../vocabulary.ts';
import type { MutationWorld } from '../world.ts';
import { anchorsOf, createLines, equalText, isHashOf, isQuoteOf, type Lines, quoteAt } from './anchors.ts';
import { appliedAnswer, blockedAnswer, fileStates, plannedAnswer, refusedAnswer } from './answers.ts';
import { afterCommit, applySelection } from './apply-selection.ts';
import { ambiguityFingerprint, planHash } from './ids.ts';
import {
  type Anchor,
  type Edit,
  type Group,
  type Plan,
  type PlanDraft,
  type PlanFile,
  type PlanOperation,
  unnamedHash,
} from './plan.ts';
import { createHider, type DiskFile, type DiskFiles, type Hider, readPlanFiles, scopeDigestOf } from './plan-files.ts';
import {
  conflictAnswer,
  extendLife,
  findOwnPlan,
  isOfAnotherHour,
  keepPlan,
  refuseStatus,
  settleDraft,
} from './plan-life.ts';
import { withRequestId } from './requests.ts';
import { findMainGroup, isForced, mergeEdits, readSelection, selectedPart } from './selection.ts';
import { isQuoteOfLine, lineKey, placesToQuote, readShortAnswers, type ShortAnswers } from './short-answers.ts';
import { showOpen } from './show-plan.ts';

export function commitPlan(world: MutationWorld, request: CommitRequest, replan: Replan): Promise<Answer> {
  const { request_id: requestId, ...operation } = request;
  return withRequestId(world, requestId, { op: 'commit', ...operation }, () =>
    inTurn(world.plans, () => {
      const commit = () => commitInTurn(world, request, replan);
      return world.handOver === undefined ? withTreeLock(world, commit) : commit();
    }),
  );
}

async function commitInTurn(world: MutationWorld, request: CommitRequest, replan: Replan): Promise<Answer> {
  const { root, home, stateDir, plans, nowMs } = world;
  const recovery = recoverJournals({ root, home, stateDir, plans, nowMs });
  const found = findOwnPlan(world, request.plan_id, request.root_hash);
  if (found.kind === 'answer') return found.answer;
  const { plan } = found;
  if (plan.status === 'conflict') return finishConflict(world, plan);
  const refused = refuseStatus(plan);
  if (refused !== undefined) return refused;
  if (request.plan_hash !== undefined && plan.hash !== request.plan_hash)
    return refusedAnswer('plan_mismatch', `plan ${plan.id} has the hash ${plan.hash}, not ${request.plan_hash}`);
  const [conflict] = recovery.conflicts;
  if (conflict !== undefined) return conflictAnswer(conflict.planId, conflict.files);
  const answer = await commitOpen(world, plan, request, replan);
  // A failed commit is a use.
  if (plans.find(plan.id)?.status === 'open') extendLife(world, plan);
  return answer;
}

async function commitOpen(world: MutationWorld, plan: Plan, request: CommitRequest, replan: Replan): Promise<Answer> {
  const short = readShortAnswers(plan, request.answers ?? {});
  const { selections, proof } = settleRequest(plan, request, short);
  const selection = readSelection(plan, selections);
  if (selection.stops) {
    world.plans.setStatus(plan.id, ['open'], 'cancelled');
    return refusedAnswer('plan_cancelled', `an option of plan ${plan.id} that was selected ends it`);
  }
  // Of a question that was answered wrongly it is no news that it has no answer.
  const isSaid = (problem: string) => short.problems.some((other) => other.split(')')[0] === problem.split(')')[0]);
  const problems = [...short.problems, ...selection.problems.filter((problem) => !isSaid(problem))];
  if (problems.length > 0) return refusedAnswer('selection_invalid', problems.slice(0, 10).join('; '));
  const merged = mergeEdits(selection.groups);
  if (merged.kind === 'overlap') {
    const { path, line, col } = merged.second;
    return refusedAnswer('overlap', `two selected edits meet at ${path}:${line}:${col}`);
  }
  const { edits } = merged;
  const required = requiredOf(plan, selection.groups, request.proof !== undefined);
  const incomplete = checkComplete(required, proof) ?? checkQuoted(plan, request, short);
  if (incomplete !== undefined) return incomplete;
  const hider = createHider(world.stateDir);
  const part = selectedPart(plan, new Set(selection.groupIds));
  // The definition is quoted in a proof, also where it is not edited.
  const paths = new Set([...part.files.map(({ path }) => path), plan.symbol.definedAt.file]);
  const readFiles = () => readPlanFiles(world.root, paths, hider);
  const view = await world.sweep();
  const moved = await checkScope({ ...world, view }, part, replan, readFiles, hider);
  if (moved !== undefined) return moved;
  const disk = readFiles();
  const mismatch =
    checkFiles(part, disk, hider) ??
    checkAnchors(plan, edits, proof, disk) ??
    checkLines(plan, edits, proof, disk) ??
    checkQuotes(short, disk) ??
    checkIdentity(plan, required, proof);
  if (mismatch !== undefined) return mismatch;
  const proven = await proveSelection({ ...world, view }, plan, selection, edits, disk);
  if (proven.kind === 'answer') return proven.answer;
  world.signal.throwIfAborted();
  if (world.handOver !== undefined) return handOver(world, plan, edits);
  const { binding } = proven;
  // What was quoted is kept with the decision.
  const read: Proof = { ...proof, lines: [...proof.lines, ...short.quotes] };
  return applySelection({ ...world, view }, { plan, selection, selections, edits, disk, proof: read, binding, hider });
}

/** Step 11 where the texts are an editor's: it writes, and can take back what it wrote. */
function handOver(world: MutationWorld, plan: Plan, edits: readonly Edit[]): Answer {
  if (plan.moves.length > 0)
    return refusedAnswer(
      'plan_mismatch',
      'a file is moved on disk, which its editor’s unsaved text is not of; save first',
    );
  world.handOver?.(edits);
  world.plans.setStatus(plan.id, ['open'], 'cancelled');
  const next = 'Nothing was written: the edits are at unsaved text, and are the editor’s to apply and to undo.';
  return { ...plannedAnswer(plan), next };
}

/** Where questions are answered, or nothing is said, the main group is meant. */
function settleRequest(
  plan: Plan,
  { selections, answers, proof }: CommitRequest,
  short: ShortAnswers,
): { readonly selections: readonly string[]; readonly proof: Proof } {
  const main = findMainGroup(plan);
  const isImplied = main !== undefined && (selections === undefined || answers !== undefined);
  const isNamed = selections?.includes(main?.id ?? '') === true;
  return {
    selections: [...(isImplied && !isNamed ? [main.id] : []), ...(selections ?? []), ...short.selections],
    proof: proof ?? { identity: '', lines: [], anchors: [] },
  };
}

/** The user finishes a commit that was cut off: what is still as it was becomes new, what was edited stays. */
async function finishConflict(world: MutationWorld, plan: Plan): Promise<Answer> {
  const { root, home, stateDir, plans, nowMs, session } = world;
  const resolved = resolveConflict({ root, home, stateDir, plans, nowMs, planId: plan.id, by: 'commit' });
  if (resolved.kind !== 'resolved') return conflictAnswer(plan.id, plan.files);
  const result = plans.result(plan.id);
  const notes = resolved.untouched.map((path) => `${quotedPath(path)} was edited meanwhile and stays as it is`);
  const paths = new Set([...plan.files.map(({ path }) => path), ...plan.moves.map(({ to }) => to)]);
  await afterCommit(notes, 'the index does not know the changed files yet; the next question reads them', () =>
    session.reconcile(paths),
  );
  return appliedAnswer(
    plans.find(plan.id) ?? plan,
    {
      files: (result?.files ?? []).filter(({ path }) => !resolved.untouched.includes(path)),
      late_writes: result?.lateWrites ?? [],
      notes: [...(result?.notes ?? []), ...notes],
      undo: `codegenie plan undo ${plan.id}`,
    },
    null,
  );
}

// Steps 4 to 6 of a commit (mutation.md §6): is everything that the plan rests on still so? If no file in scope has changed, it is. If one
// has, the same change is planned again and the two are compared: what could not be settled, what is asked, what takes part.
// M28: any change of any byte of an edited or affected file prevents the commit. M29: a new question gives a new plan, once.

export type Replan = (
  operation: PlanOperation,
  view: CodeView,
) => Promise<
  { readonly kind: 'draft'; readonly draft: PlanDraft } | { readonly kind: 'other'; readonly answer: Answer }
>;

const shown = 20;
const lineChars = 200;

/**
 * Steps 4 and 5, over a view that was swept for this commit. `plan` is what is selected of it. `readFiles` reads its files: what they say
 * decides where planning again leads nowhere.
 */
async function checkScope(
  world: MutationWorld,
  plan: Plan,
  replan: Replan,
  readFiles: () => DiskFiles,
  hider: Hider,
): Promise<Answer | undefined> {
  const { view } = world;
  if (!view.swept) {
    const why = view.scopeProblem ?? 'the files could not all be compared with the disk';
    return blockedAnswer('not_fresh', why, { plan_id: plan.id, retry_after_ms: 1_000 });
  }
  // The digest knows nothing of a file whose name may not be kept: only planning again finds it.
  const isSame = scopeDigestOf(view) === plan.scopeDigest && plan.files.every(isNamed);
  if (isSame && !isOfAnotherHour(world, plan)) return undefined;
  const again = await replan(plan.operation, view);
  if (again.kind === 'other') {
    const { outcome, next } = again.answer;
    if (outcome.kind === 'blocked') return { outcome: { ...outcome, plan_id: plan.id }, next };
    // The change cannot be planned any more: because its own files changed, or because of others.
    return checkFiles(plan, readFiles(), hider) ?? again.answer;
  }
  const draft = selectedPart(settleDraft(world, again.draft), new Set(plan.groups.map(({ id }) => id)));
  // Something else stands where the target was.
  if (draft.symbol.key !== plan.symbol.key) return checkFiles(plan, readFiles(), hider) ?? differs(plan, draft);
  if (ambiguityFingerprint(draft.items) !== plan.ambiguityFp) return askAnew(world, plan, again.draft);
  if (planHash(draft) === planHash(plan)) return undefined;
  return checkFiles(plan, readFiles(), hider) ?? differs(plan, draft);
}

function isNamed({ hash }: PlanFile): boolean {
  return !hash.startsWith(unnamedHash);
}

/** Step 6. */
function checkFiles(plan: Plan, disk: DiskFiles, hider: Hider): Answer | undefined {
  const changed = plan.files.filter((file) => isNamed(file) && disk.get(file.path)?.hash !== file.hash);
  if (changed.length === 0) return undefined;
  const current = changed.slice(0, shown).flatMap(({ path }) => {
    const line = firstLine(plan, path);
    const text = disk
      .get(path)
      ?.hidden()
      .lines.line(line - 1);
    return text === undefined ? [] : [{ path, line, text: truncate(singleLine(hider.text(text)), lineChars) }];
  });
  const gone = changed.filter(({ path }) => disk.get(path) === undefined).map(({ path }) => path);
  const paths = changed.map(({ path }) => path);
  return blockedAnswer(
    'files_changed',
    `${paths.length} files of the plan have changed: ${paths.slice(0, 5).join(', ')}`,
    {
      plan_id: plan.id,
      files: fileStates(
        paths,
        'changed',
        gone.length > 0 ? 'changed or gone since the plan was made' : 'changed since the plan was made',
      ),
      current,
    },
  );
}

/** Nothing new is asked, but the change is another one: other edits, or other files that take part. */
function differs(plan: Plan, draft: PlanDraft): Answer {
  const before = new Map(plan.files.map(({ path, hash }) => [path, hash]));
  const now = new Map(draft.files.map(({ path, hash }) => [path, hash]));
  const paths = [...new Set([...before.keys(), ...now.keys()])]
    .filter((path) => before.get(path) !== now.get(path))
    .sort(compareCodeUnits);
  const what =
    paths.length === 0
      ? 'the edits are others than planned'
      : `other files take part now: ${paths.slice(0, 5).join(', ')}`;
  return blockedAnswer('files_changed', what, {
    plan_id: plan.id,
    files: fileStates(paths, 'changed', 'takes part now and did not, or the other way round'),
  });
}

async function askAnew(world: MutationWorld, plan: Plan, draft: PlanDraft): Promise<Answer> {
  const made = keepPlan(world, draft);
  const answer = await showOpen(world, made, { isNewOf: { plan } });
  if (made.items.length > 0) return answer;
  return { ...answer, next: `Nothing is left to ask since plan ${plan.id}: this is a new plan. ${answer.next}` };
}

function firstLine(plan: Plan, path: string): number {
  const places = [...plan.groups.flatMap(({ edits }) => edits), ...plan.items].filter((place) => place.path === path);
  return places[0]?.line ?? 1;
}

// What the caller says they read, against the plan and the disk (mutation.md §6, steps 3 and 7 to 9). M27: an empty, partial, foreign or
// guessed proof never commits a plan that requires one. Text is compared exactly; where the file holds a secret, the kept anchor has
// its hash, and the caller may send either.

/**
 * Of a commit without a whole proof: what is proven needs none, questions of high risk and an unproven definition are quoted (`checkQuoted`), and
 * of a forced plan each doubtful edit that is selected is to be shown as ever (M33).
 */
function requiredOf(plan: Plan, selected: readonly Group[], hasProof: boolean): RequiredProof {
  const required = requiredProofOf(plan, selected);
  if (hasProof) return required;
  const asked = new Set(required.lines.map(lineKey));
  const anchors = isForced(plan) ? required.anchors.filter((place) => !asked.has(lineKey(place))) : [];
  return { identity: false, anchors, lines: [] };
}

function checkQuoted(plan: Plan, { proof }: CommitRequest, { quotes }: ShortAnswers): Answer | undefined {
  if (proof !== undefined) return undefined;
  const quoted = new Set(quotes.map(lineKey));
  const missing = placesToQuote(plan).filter((place) => !quoted.has(lineKey(place)));
  if (missing.length === 0) return undefined;
  const more = missing.length > 20 ? ` and ${missing.length - 20} more` : '';
  // In no surface's words: each says in its own how a line is sent.
  const named = missing.slice(0, 20).map(({ key, item, file, line, col }) => {
    return `the line at ${quotedPath(file)}:${line}:${col} for ${item === null ? key : `question ${key}`}`;
  });
  return refusedAnswer('proof_incomplete', `missing: ${named.join(', ')}${more}`);
}

/** Step 3: everything that is required is there, whatever it says. */
function checkComplete(required: RequiredProof, proof: Proof): Answer | undefined {
  const anchors = new Set(proof.anchors.map(placeKey));
  const lines = new Set(proof.lines.filter(({ text, hash }) => text !== undefined || hash !== undefined).map(lineKey));
  const missing = [
    ...(required.identity && proof.identity === '' ? ['identity'] : []),
    ...required.anchors.filter((place) => !anchors.has(placeKey(place))).map((place) => `anchor ${placeKey(place)}`),
    ...required.lines.filter((place) => !lines.has(lineKey(place))).map((place) => `line ${lineKey(place)}`),
  ];
  if (missing.length === 0) return undefined;
  const shown = missing.slice(0, 20).join(', ');
  const more = missing.length > 20 ? ` and ${missing.length - 20} more` : '';
  return refusedAnswer('proof_incomplete', `missing: ${shown}${more}`);
}

type Planned = { readonly path: string; readonly line: number; readonly col: number; readonly anchor: Anchor };

/** Step 7. */
function checkAnchors(plan: Plan, edits: readonly Edit[], proof: Proof, disk: DiskFiles): Answer | undefined {
  const planned: readonly Planned[] = [...edits, ...plan.items.filter(isQuoted)];
  const moved = [...Map.groupBy(planned, ({ path }) => path)].flatMap(([path, places]) =>
    listMoved(places, disk.get(path)),
  );
  if (moved.length > 0) {
    return notAsMade(moved);
  }
  const lengths = new Map(
    planned.map(({ path, line, col, anchor }) => [placeKey({ file: path, line, col }), anchor.text.length]),
  );
  const { definedAt, name, kind } = plan.symbol;
  // A file's name does not stand in it: as much as was sent is looked at.
  if (kind !== 'file' && kind !== 'directory' && !lengths.has(placeKey(definedAt)))
    lengths.set(placeKey(definedAt), name.length);
  for (const supplied of proof.anchors) {
    const file = disk.get(supplied.file);
    if (file === undefined) return mismatch(supplied, 'is not a place of this plan');
    const length = lengths.get(placeKey(supplied)) ?? supplied.text.length;
    const found = textAt(file, supplied, length);
    if (found === undefined) return mismatch(supplied, 'is not there');
    if (!found.some((one) => isQuoteOf(one, supplied))) return mismatch(supplied, 'does not read as it was sent');
  }
  return undefined;
}

/** The files are those of the plan, to the byte, and yet its places are not in them: what is stored is not what was made. */
function notAsMade(places: readonly Planned[]): Answer {
  const [first] = places;
  const where = first === undefined ? '' : `, first ${quotedPath(first.path)}:${first.line}`;
  return refusedAnswer('plan_mismatch', `${places.length} places of the stored plan are not in its files${where}`);
}

/** Step 8. */
function checkLines(plan: Plan, edits: readonly Edit[], proof: Proof, disk: DiskFiles): Answer | undefined {
  const moved = [...edits, ...plan.items.filter(isQuoted)].filter(
    (place) => !isLineAsPlanned(place, disk.get(place.path)),
  );
  if (moved.length > 0) {
    return notAsMade(moved);
  }
  for (const supplied of proof.lines) {
    const file = disk.get(supplied.file);
    const found =
      file === undefined ? [] : [file.lines().line(supplied.line - 1), file.hidden().lines.line(supplied.line - 1)];
    const hasText = supplied.text === undefined || found.includes(supplied.text);
    const { hash } = supplied;
    const hasHash = hash === undefined || found.some((line) => line !== undefined && isHashOf(line, hash));
    const hasContext = (supplied.context ?? []).every((text) => standsAround(file, supplied.line, text));
    const saysSomething = supplied.text !== undefined || supplied.hash !== undefined;
    if (!saysSomething || !hasText || !hasHash || !hasContext) {
      return refusedAnswer('proof_mismatch', `line ${lineKey(supplied)} does not read as it was sent`);
    }
  }
  return undefined;
}

/** Step 8 of a commit in few words. M43: a line that reads otherwise on disk than it was quoted is no evidence. */
function checkQuotes({ quotes }: ShortAnswers, disk: DiskFiles): Answer | undefined {
  const wrong = quotes.find(({ file, line, text }) => {
    const found = disk.get(file);
    if (found === undefined) return true;
    const reads = (lines: Lines) => isQuoteOfLine(lines.line(line - 1) ?? '', text);
    return !reads(found.lines()) && !reads(found.hidden().lines) && !reads(maskedLines(found));
  });
  if (wrong === undefined) return undefined;
  return refusedAnswer('proof_mismatch', `line ${lineKey(wrong)} does not read as it was quoted`);
}

/** As questions about code show a line that holds a secret. */
function maskedLines({ source }: DiskFile): Lines {
  return createLines(source === undefined ? '' : maskSpans(source.text, findSecretSpans(source.text, source.bytes)));
}

/** A line that is said to stand beside another: at most this far from it, and not that line itself. */
const contextLines = 3;

function standsAround(file: DiskFile | undefined, line: number, text: string): boolean {
  if (file === undefined) return false;
  const beside = Array.from({ length: 2 * contextLines + 1 }, (_, at) => line - 1 - contextLines + at);
  return [file.lines(), file.hidden().lines].some((lines) =>
    beside.some((at) => at >= 0 && at !== line - 1 && lines.line(at) === text),
  );
}

/** Step 9. */
function checkIdentity(plan: Plan, required: RequiredProof, proof: Proof): Answer | undefined {
  const { key, namePath } = plan.symbol;
  const isNothing = proof.identity === '' && !required.identity;
  if (isNothing || proof.identity === key || proof.identity === namePath) return undefined;
  return refusedAnswer(
    'proof_mismatch',
    'identity is not the symbol of this plan: it is the symbol’s key or name path',
  );
}

/** Of one file, those whose anchor is not what the disk says. */
function listMoved(places: readonly Planned[], file: DiskFile | undefined): readonly Planned[] {
  if (file === undefined) return places;
  const { text, lines } = file.hidden();
  const spans = places.map(({ line, col, anchor }) => {
    const start = lines.offsetOf(line - 1, col - 1) ?? text.length;
    return { start, end: start + anchor.text.length };
  });
  const found = anchorsOf(text, spans);
  return places.filter(({ anchor }, at) => {
    const now = found[at];
    return now === undefined || !equalText(now, anchor) || now.ordinal !== anchor.ordinal;
  });
}

function isLineAsPlanned({ line, anchor }: Planned, file: DiskFile | undefined): boolean {
  return file?.hidden().lines.hashOf(line - 1) === anchor.lineHash;
}

/** As it is, and as it may be kept. */
function textAt(file: DiskFile, at: Loc, length: number): readonly ReturnType<typeof quoteAt>[] | undefined {
  const start = file.lines().offsetOf(at.line - 1, at.col - 1);
  if (start === undefined || file.source === undefined) return undefined;
  return [file.source.text, file.hidden().text].map((text) => quoteAt(text, start, start + length));
}

function mismatch(at: Loc, says: string): Answer {
  return refusedAnswer('proof_mismatch', `anchor ${placeKey(at)} ${says}`);
}
