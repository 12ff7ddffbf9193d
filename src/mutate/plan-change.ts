/**
 * A request for a change, from its words to its answer (mutation.md §1, §2, §3, §5): planned and kept first, whatever it is; committed in the
 * same call only if it is one proven group without a question, or, forced, nothing but the lexical tier. `draftPlan` has the steps every
 * change takes and none can skip: no recovery is pending; the texts it was found in are those on disk; no clash; vendored files never,
 * generated ones by choice; the proof of exactly the main group. Nothing here writes to the tree. A heart of the program: one flow, read
 * from top to bottom.
 */

import { createQuestion, type Question } from '../index/navigate/question.ts';
import { listContexts } from '../index/store/stored-contexts.ts';
import { describeFailure, findStanding } from '../index/store/stored-jobs.ts';
import { sha256Hex } from '../kernel/base/hash.ts';
import { compareCodeUnits } from '../kernel/base/json.ts';
import { formatCount } from '../kernel/base/quantities.ts';
import { plural, quotedPath } from '../kernel/base/text.ts';
import type { Answer, WitnessFact } from './answer.ts';
import { refuseTargets } from './apply/check-targets.ts';
import { findConflicts } from './apply/recover.ts';
import {
  type CompilerEdit,
  type CompilerJob,
  type ItemDraft,
  type ProofQuestion,
  type ProofReport,
  proofQuestion,
} from './compiler/session/messages.ts';
import {
  asAnswer,
  blockedAnswer,
  invariantOf,
  lineOf,
  placeOf,
  plannedAnswer,
  plannedSyntactic,
  refusedAnswer,
  refusedByClashes,
  refusedFiles,
  unsupportedAnswer,
} from './plans/answers.ts';
import { commitPlan, type Replan } from './plans/commit.ts';
import { buildGroups } from './plans/groups.ts';
import type { Drafted, Plan, PlanDraft } from './plans/plan.ts';
import { scopeDigestOf, scopeFacts } from './plans/plan-files.ts';
import { conflictAnswer, keepPlan } from './plans/plan-life.ts';
import { findProved, type LongProof, openLongProof, operationOf, withRequestId } from './plans/requests.ts';
import { findMainGroup, isForced } from './plans/selection.ts';
import { showOpen } from './plans/show-plan.ts';
import { findInnerRepository, isListed, setUnreadableAside } from './plans/uneditable-files.ts';
import { emptyWitness, makeWitness } from './questions/candidates.ts';
import type { Findings, FoundOrNot, NotFresh, Refactoring } from './refactoring.ts';
import { refactorings } from './refactorings.gen.ts';
import { itemKinds, type PlanKind, type Provenance } from './vocabulary.ts';
import type { MutationWorld } from './world.ts';

/** What this program can change. A kind that is declared and not here is `unsupported`. */
const byKind: ReadonlyMap<PlanKind, Refactoring<unknown>> = new Map(
  refactorings.map((refactoring) => [refactoring.kind, refactoring as Refactoring<unknown>]),
);

/** What is asked, for a refactoring to parse, and how. */
export type ChangeRequest = Readonly<Record<string, unknown>> & {
  /** Commits in the same call, if the plan is one proven group without a question. */
  readonly apply: boolean;
  readonly request_id?: string | undefined;
};

export async function planChange(world: MutationWorld, kind: PlanKind, request: ChangeRequest): Promise<Answer> {
  const refactoring = byKind.get(kind);
  if (refactoring === undefined)
    return unsupportedAnswer('operation', `${kind} is not implemented`, { can_force_syntactic: false });
  const { apply, request_id, ...asked } = request;
  const input = refactoring.input.parse(asked) as Readonly<Record<string, unknown>>;
  return withRequestId(world, request_id, { op: refactoring.name, ...input, apply }, async () => {
    const answer = await planOnce(world, refactoring, input, apply);
    const next = answer.outcome.kind === 'refused' ? refactoring.nextAfterRefused?.[answer.outcome.reason] : undefined;
    return next === undefined ? answer : { ...answer, next };
  });
}

async function planOnce(
  world: MutationWorld,
  refactoring: Refactoring<unknown>,
  input: Readonly<Record<string, unknown>>,
  apply: boolean,
): Promise<Answer> {
  const operation = operationOf(refactoring.kind, input);
  const proved = findProved(world, operation);
  if (proved !== undefined) return proved.kind === 'answer' ? proved.answer : answerWith(world, proved.plan, { apply });
  const long = openLongProof(world, operation);
  try {
    const drafted = await draftPlan(world, refactoring, input, long);
    const settled = long?.finish(drafted);
    // The request was answered before its proof ended: the plan is kept and not applied.
    if (settled !== undefined)
      return settled.kind === 'answer' ? settled.answer : answerWith(world, settled.plan, { apply: false });
    if (drafted.kind === 'answer') return drafted.answer;
    return answerWith(world, keepPlan(world, drafted.draft), { apply, bounds: drafted.bounds });
  } catch (error) {
    long?.abandon();
    throw error;
  }
}

async function answerWith(
  world: MutationWorld,
  plan: Plan,
  { apply, bounds }: { readonly apply: boolean; readonly bounds?: Findings['bounds'] },
): Promise<Answer> {
  if (plan.items.length > 0) return showOpen(world, plan, bounds === undefined ? {} : { bounds });
  const answer = isForced(plan) ? plannedSyntactic(plan) : plannedAnswer(plan);
  if (!apply || !mayApply(plan)) return answer;
  return commitPlan(
    world,
    {
      plan_id: plan.id,
      plan_hash: plan.hash,
      root_hash: plan.rootHash,
      selections: [findMainGroup(plan)?.id ?? ''],
      proof: { identity: plan.symbol.key, lines: [], anchors: [] },
    },
    replanWith(world),
  );
}

/** How a commit looks again at what it is about. */
export function replanWith(world: MutationWorld): Replan {
  return async ({ kind, input }, view) => {
    const refactoring = byKind.get(kind);
    if (refactoring === undefined)
      return { kind: 'other', answer: refusedAnswer('plan_mismatch', `this program does not know ${kind}`) };
    const drafted = await draftPlan({ ...world, view }, refactoring, input);
    return drafted.kind === 'answer'
      ? { kind: 'other', answer: drafted.answer }
      : { kind: 'draft', draft: drafted.draft };
  };
}

/** Of a plan without questions. */
function mayApply(plan: Plan): boolean {
  return isForced(plan) ? plan.risks.length === 0 : plan.provenance === 'proven';
}

// From what a refactoring found to a plan that can be committed.

type Patience = Pick<LongProof, 'waitMs' | 'begin'>;

export async function draftPlan<I>(
  world: MutationWorld,
  refactoring: Refactoring<I>,
  given: Readonly<Record<string, unknown>>,
  /** Told when the proof takes longer than it may; it goes on. */
  patience?: Patience,
): Promise<Drafted> {
  const [conflict] = findConflicts(world);
  if (conflict !== undefined) return asAnswer(conflictAnswer(conflict.planId, conflict.files));
  const first = await findIn(world, refactoring, given);
  const { found, question } =
    first.found.kind === 'not_fresh' ? await refreshAndFind(world, refactoring, given, first) : first;
  if (found.kind === 'answer') return found;
  if (found.kind === 'not_fresh') return asAnswer(blockedNotFresh(world, found));
  try {
    return await settle(world, refactoring, question, setUnreadableAside(found, question), given, patience);
  } finally {
    await found.job?.close();
  }
}

type Looked = { readonly question: Question; readonly found: FoundOrNot };

async function findIn<I>(
  world: MutationWorld,
  refactoring: Refactoring<I>,
  given: Readonly<Record<string, unknown>>,
): Promise<Looked> {
  const { view, settings, root, stateDir, rootHash, worktree, nowMs, random, signal, openCompiler, onProgress } = world;
  const question = createQuestion(view, world);
  // M35: no plans, no session, no way to the disk.
  const looking = {
    view,
    settings,
    root,
    stateDir,
    rootHash,
    worktree,
    nowMs,
    random,
    signal,
    openCompiler,
    onProgress,
    question,
  };
  return { question, found: await refactoring.find(looking, refactoring.input.parse(given)) };
}

/** Exactly what is not clean is looked at again, once, for as long as the request allows (§2.5). */
async function refreshAndFind<I>(
  world: MutationWorld,
  refactoring: Refactoring<I>,
  given: Readonly<Record<string, unknown>>,
  before: Looked,
): Promise<Looked> {
  const waitMs = Number(given['wait_ms'] ?? 0);
  if (before.found.kind !== 'not_fresh' || world.refresh === undefined || waitMs <= 0) return before;
  const byContext = Map.groupBy(before.found.files, ({ context }) => context ?? '');
  byContext.delete('');
  if (byContext.size === 0) return before;
  world.onProgress('waiting for the index');
  await world.refresh(
    [...byContext].map(([context, files]) => ({ context, files: files.map(({ path }) => path) })),
    waitMs,
  );
  return findIn({ ...world, view: await world.sweep() }, refactoring, given);
}

function blockedNotFresh(world: MutationWorld, { detail, files }: NotFresh): Answer {
  const contexts = new Set(files.flatMap(({ context }) => context ?? []));
  const standings = world.view.read((session) =>
    listContexts(session)
      .filter(({ key }) => contexts.has(key))
      .map(({ id, key, configPath }) => ({ key, configPath, ...findStanding(session, id, world.nowMs()) })),
  );
  const failed = standings.find(({ status }) => status === 'failed');
  const under = standings.flatMap(({ readyInMs }) => readyInMs ?? []);
  const why =
    failed?.failure == null ? detail : `the indexer of ${failed.key} failed (${describeFailure(failed.failure)})`;
  return blockedAnswer(failed === undefined ? 'not_fresh' : 'refresh_failed', why, {
    files: files.slice(0, 20).map(({ path, state, why }) => ({ path, state, why })),
    jobs: standings.map(({ key, status, failure }) => ({
      context: key,
      status,
      detail: failure === null ? '' : describeFailure(failure),
    })),
    retry_after_ms: failed === undefined && under.length > 0 ? Math.max(...under) : null,
    witness: makeWitness({
      bounds: {
        ...emptyWitness.bounds,
        files_not_scanned: files.map(({ path, state, why }) => ({ path, why: `${state}: ${why}` })),
        contexts: [...contexts],
      },
      facts: standings.map(({ key, configPath, status, failure }) => ({
        type: 'job',
        at: { file: configPath ?? '.', line: 1, col: 1 },
        text: `${key}: ${status}${failure === null ? '' : `, the last run failed (${describeFailure(failure)})`}`,
        provenance: 'resolved',
      })),
      invariantsFailed: [invariantOf.not_fresh],
      checklist: [...contexts].map((context) => ({
        question: `${context}: what do its files say now?`,
        fact_needed: 'what its indexer says of the bytes on disk',
        how: '`codegenie index --semantic`',
      })),
    }),
    suggested_refresh_scope: [...Map.groupBy(files, ({ context }) => context ?? '')]
      .filter(([context]) => context !== '')
      .map(([context, of]) => ({ context, files: of.map(({ path }) => path).slice(0, 200) })),
    can_force_syntactic: true,
  });
}

async function settle<I>(
  world: MutationWorld,
  refactoring: Refactoring<I>,
  question: Question,
  found: Findings,
  given: Readonly<Record<string, unknown>>,
  patience: Patience | undefined,
): Promise<Drafted> {
  const moved = Object.entries(found.texts).filter(([path, hash]) => {
    const text = question.source(path)?.text;
    return text === undefined || sha256Hex(text) !== hash;
  });
  if (moved.length > 0) {
    return asAnswer(
      blockedAnswer('files_changed', 'files changed while the change was planned; ask again', {
        files: moved.slice(0, 20).map(([path]) => ({ path, state: 'changed', why: 'written a moment ago' })),
        retry_after_ms: 500,
      }),
    );
  }
  const clash = refusedByClashes(found.clashes, question);
  if (clash !== undefined) return asAnswer(clash);
  const untouchable = refuseFiles(found, question);
  if (untouchable !== undefined) return asAnswer(untouchable);
  const { edits, items: asked } = askAboutGenerated(found, question);
  const isTrusted = ({ kind }: ItemDraft) => refactoring.kind === 'rename' && world.trusted?.has(kind) === true;
  const items = asked.filter((item) => !isTrusted(item));
  const trusted = asked.filter(isTrusted);
  const unfit = refuseUnfit(world, [...edits, ...found.moves.map(({ from }) => ({ path: from }))]);
  if (unfit !== undefined) return asAnswer(unfit);
  if (edits.length + found.moves.length + items.length + found.risky.length === 0)
    return asAnswer(refusedAnswer('no_symbol', `nothing in the repository means \`${found.symbol.name}\``));
  const scopeDigest = scopeDigestOf(world.view);
  const draftOf = (proof: Omit<Judged, 'kind'>): PlanDraft => ({
    operation: { kind: refactoring.kind, input: given },
    generation: world.view.generation,
    contextKeys: found.contextKeys,
    symbol: found.symbol,
    newName: found.newName,
    provenance: proof.provenance,
    ...buildGroups({
      kind: refactoring.kind,
      title: found.title,
      symbolKeys: [found.symbol.key],
      provenance: proof.provenance,
      edits,
      items: [...items, ...proof.items],
      risky: found.risky,
      affected: affectedBy(question, found, edits),
      unnamed: found.unnamed,
      sources: (path) => question.source(path),
    }),
    moves: found.moves,
    isomorphism: found.isomorphism,
    scopeDigest,
    census: found.census,
    notes: [...found.notes, ...proof.notes, ...trusted.map((item) => trustNote(question, item))],
  });
  const proving = proveDraft(world, question, found, { edits, items });
  const isLong = patience !== undefined && !(await endsWithin(proving, patience.waitMs));
  if (isLong) patience.begin(draftOf({ provenance: found.provenance, items: [], notes: [] }));
  const proof = await proving;
  world.signal.throwIfAborted();
  // Others may have changed the tree, and a plan is of one state of it.
  if (isLong && scopeDigestOf(await world.sweep()) !== scopeDigest)
    return asAnswer(
      blockedAnswer('files_changed', 'files changed while the change was proved', { retry_after_ms: 500 }),
    );
  if (proof.kind === 'answer') return proof;
  return { kind: 'draft', draft: draftOf(proof), bounds: found.bounds };
}

async function endsWithin(work: Promise<unknown>, waitMs: number): Promise<boolean> {
  const { promise: over, resolve } = Promise.withResolvers<false>();
  const giveUp = () => resolve(false);
  const timer = waitMs > 0 ? setTimeout(giveUp, waitMs) : undefined;
  // No time at all: in time is what asks no other process.
  if (timer === undefined) process.nextTick(giveUp);
  try {
    return await Promise.race([work.then(() => true as const), over]);
  } finally {
    clearTimeout(timer);
  }
}

/** M13, E8: what is never edited, said before anything is proved. */
function refuseFiles({ edits, moves }: Findings, question: Question): Answer | undefined {
  const paths = new Set([...edits.map(({ path }) => path), ...moves.map(({ from }) => from)]);
  for (const path of [...paths].sort(compareCodeUnits)) {
    const row = question.file(path);
    const at = edits.find((edit) => edit.path === path);
    const evidence =
      at === undefined
        ? []
        : [
            {
              type: 'reference' as const,
              at: placeOf(question, at),
              text: lineOf(question, at),
              provenance: 'resolved' as const,
            },
          ];
    if (row?.vendored === true)
      return refusedAnswer('vendored', `${quotedPath(path)} is vendored code, which is not edited`, { evidence });
    const inner = findInnerRepository(question, path);
    if (inner !== undefined) {
      const says = `${path} belongs to the repository in ${inner}, which is not edited from here: change it there first`;
      return refusedAnswer('vendored', says, { evidence });
    }
    if (row?.conflicted === true)
      return refusedAnswer('conflicted', `${quotedPath(path)} has merge conflict markers; resolve them first`, {
        evidence,
      });
  }
  return undefined;
}

/** E8: what a commit would refuse is refused before any question is asked. */
function refuseUnfit(world: MutationWorld, places: readonly { readonly path: string }[]): Answer | undefined {
  const paths = [...new Set(places.map(({ path }) => path))].sort(compareCodeUnits);
  const refusal = refuseTargets({ root: world.root, paths, ...scopeFacts(world.view) });
  return refusal === undefined ? undefined : refusedFiles(refusal);
}

/** One question for a generated file, or one that git ignores, which most often is generated too; with all its edits. */
function askAboutGenerated(
  { edits, items }: Findings,
  question: Question,
): { readonly edits: readonly CompilerEdit[]; readonly items: readonly ItemDraft[] } {
  const isGenerated = (path: string) => question.file(path)?.generated === true || !isListed(question, path);
  const generated = Map.groupBy(
    edits.filter(({ path }) => isGenerated(path)),
    ({ path }) => path,
  );
  const asked = [...generated].flatMap(([path, ones]): ItemDraft[] => {
    const [first] = ones;
    if (first === undefined) return [];
    const many = ones.length === 1 ? 'once' : `${ones.length} times`;
    return [
      {
        path,
        start: first.start,
        end: first.end,
        kind: 'generated_code',
        detail: isListed(question, path)
          ? `a generated file has it ${many}; its generator may write it anew`
          : `a file that git ignores has it ${many}; an edit of it is no part of any commit`,
        edits: { edit: ones },
      },
    ];
  });
  return { edits: edits.filter(({ path }) => !isGenerated(path)), items: [...items, ...asked] };
}

/** What was found stays told: nothing proves that it is no fault. */
function trustNote(question: Question, item: ItemDraft): string {
  const { file, line, col } = placeOf(question, item);
  return `trusted: ${item.kind} by your configuration, not proven: ${quotedPath(file)}:${line}:${col} ${item.detail}`;
}

/** Edited files, files that were looked at, and what these import (§2.5). */
function affectedBy(question: Question, found: Findings, edits: readonly CompilerEdit[]): readonly string[] {
  const paths = new Set(Object.keys(found.texts));
  for (const { path } of edits) {
    paths.add(path);
    for (const { targets } of question.imports(path)) for (const target of targets) paths.add(target);
  }
  return [...paths].sort(compareCodeUnits);
}

// The shadow proof of a plan that is being made (mutation.md §3.1), of exactly the main group (M30). Where every question can be answered
// by leaving things alone, the main group alone is a whole selection. If that one does not hold, answering every question with `rename` is
// tried, so that the decider knows what the compiler says to both. Where a question must be answered with edits there is nothing
// whole to prove yet: the selection is proved when it is committed.

type Proved = { readonly kind: 'answer'; readonly answer: Answer } | Judged;

type Judged = {
  readonly kind: 'judged';
  readonly provenance: Provenance;
  readonly items: readonly ItemDraft[];
  readonly notes: readonly string[];
};

type Draft = { readonly edits: readonly CompilerEdit[]; readonly items: readonly ItemDraft[] };
type Disproved = Extract<ProofReport, { kind: 'disproved' }>;

/** Beyond this many, what could not be compared is one question. */
const askedGaps = 20;

export async function proveDraft(
  world: { readonly onProgress: (says: string) => void },
  question: Question,
  found: Findings,
  { edits, items }: Draft,
): Promise<Proved> {
  const { job, isomorphism, provenance } = found;
  const judged = (notes: readonly string[], asked: readonly ItemDraft[] = [], as: Provenance = provenance): Proved => ({
    kind: 'judged',
    provenance: as,
    items: asked,
    notes,
  });
  if (job === null || isomorphism === null || !items.every(isLeavable)) return judged([]);
  world.onProgress('proving that every name keeps its meaning');
  const ask = proofQuestion(isomorphism, edits, found.moves);
  const report = await job.ask(ask);
  switch (report.kind) {
    case 'proven':
      return judged([proofNote(report)], [], 'proven');
    case 'disproved':
      // Going on and stopping are the only answers, and neither mends it.
      if (items.every(({ kind, options = itemKinds[kind] }) => options.every((one) => /^(?:accept|stop)$/.test(one))))
        return { kind: 'answer', answer: refuseDisproved(report, question) };
      return judged(await tryRenaming(job, ask, items, report));
    case 'gaps':
      return judged(
        [],
        asGaps(report) ?? asUnproved(edits, `${report.places.length + report.more} names could not be compared`),
      );
    default:
      return judged([], asUnproved(edits, report.detail));
  }
}

/** Editing nothing is one of the answers. */
function isLeavable({ kind, options = itemKinds[kind], edits }: ItemDraft): boolean {
  return options.some((option) => option !== 'stop' && (edits[option] ?? []).length === 0);
}

async function tryRenaming(
  job: CompilerJob,
  ask: ProofQuestion,
  items: readonly ItemDraft[],
  leaving: Disproved,
): Promise<readonly string[]> {
  const refused = `if every question is answered without an edit, ${saysOf(leaving)}`;
  // E7: several questions may be about the same place.
  const keyOf = ({ path, start, newText }: CompilerEdit) => JSON.stringify([path, start, newText]);
  const more = new Map(items.flatMap(({ edits }) => edits['rename'] ?? []).map((edit) => [keyOf(edit), edit]));
  if (more.size === 0) return [refused];
  const report = await job.ask({ ...ask, edits: [...ask.edits, ...more.values()] });
  if (report.kind !== 'proven') return [refused];
  return [refused, `if every question is answered with \`rename\`, the whole is ${proofNote(report)}`];
}

function refuseDisproved(report: Disproved, question: Question): Answer {
  const { reason, places, more } = report;
  const evidence = places.map(
    ({ at, before, after }): WitnessFact => ({
      type: 'diagnostic',
      at: placeOf(question, at),
      text: `before: ${before}; after: ${after}`,
      provenance: 'proven',
    }),
  );
  const count = more === 0 ? '' : ` (${plural(places.length + more, 'place')})`;
  return refusedAnswer(reason, `${saysOf(report)}${count}`, { evidence });
}

function saysOf({ reason, places: [first] }: Disproved): string {
  const what =
    reason === 'bindings_change'
      ? 'a name would come to mean something else'
      : 'the compiler would report other errors than before';
  if (first === undefined) return what;
  return `${what}, first in ${quotedPath(first.at.path)}: ${first.after === '' || first.after === 'none' ? first.before : first.after}`;
}

/** M18: what the compiler failed on never counts as equal; it is a question. */
function asGaps({ places, more }: Extract<ProofReport, { kind: 'gaps' }>): readonly ItemDraft[] | undefined {
  if (places.length + more > askedGaps) return undefined;
  return places.map(({ at, before, after }) => ({
    ...at,
    kind: 'indexer_gap',
    detail: `the compiler could not say what it means (before: ${before}; after: ${after})`,
    edits: {},
    options: ['leave', 'stop'],
  }));
}

function asUnproved([first]: readonly CompilerEdit[], detail: string): readonly ItemDraft[] {
  if (first === undefined) return [];
  const { path, start, end } = first;
  return [{ path, start, end, kind: 'proof_unavailable', detail, edits: {} }];
}

/** Errors of the files that were looked at: where a name is argued about, not all of them are. */
function proofNote({ tokens, files, diagnostics }: Extract<ProofReport, { kind: 'proven' }>): string {
  const stay = diagnostics === 1 ? '1 that was there stays' : `${formatCount(diagnostics)} that were there stay`;
  const errors = `no error comes or goes${diagnostics === 0 ? '' : ` (${stay})`}`;
  const keep = tokens === 1 ? 'keeps its' : 'keep their';
  return `proven: ${plural(tokens, 'name')} in ${plural(files, 'file')} ${keep} meaning, and ${errors}`;
}
