/**
 * An answer within its budget (M21): what can be looked up again is cut first, what has to be answered last. Whatever was cut is said:
 * `truncated` for the surface, counts and notes inside. The plan itself is never cut; it is in the ledger.
 */

import type { Answer, ApplyResult, GroupView, Outcome, PlanView, WitnessPacket } from '../answer.ts';

export const answerBytes = 8 * 1024;

type FittedAnswer = { readonly answer: Answer; readonly truncated: boolean };

/** How much of each list stays. */
type Cut = {
  readonly capsules: number;
  readonly edits: number;
  readonly evidence: number;
  readonly facts: number;
  readonly files: number;
  readonly items: number;
};

/** From everything to hardly anything. */
const cuts: readonly Cut[] = [
  { capsules: 5, edits: 10, evidence: 20, facts: 20, files: 50, items: 20 },
  { capsules: 2, edits: 5, evidence: 10, facts: 10, files: 20, items: 20 },
  { capsules: 0, edits: 3, evidence: 5, facts: 5, files: 20, items: 20 },
  { capsules: 0, edits: 1, evidence: 1, facts: 1, files: 10, items: 20 },
  { capsules: 0, edits: 0, evidence: 0, facts: 0, files: 10, items: 10 },
  { capsules: 0, edits: 0, evidence: 0, facts: 0, files: 5, items: 5 },
  { capsules: 0, edits: 0, evidence: 0, facts: 0, files: 1, items: 2 },
  { capsules: 0, edits: 0, evidence: 0, facts: 0, files: 0, items: 1 },
];

export function fitAnswer(answer: Answer, maxBytes: number = answerBytes): FittedAnswer {
  if (sizeOf(answer) <= maxBytes) return { answer, truncated: false };
  let cut = answer;
  for (const by of cuts) {
    cut = { outcome: cutOutcome(answer.outcome, by), next: answer.next };
    if (sizeOf(cut) <= maxBytes) break;
  }
  return { answer: cut, truncated: true };
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

function cutOutcome(outcome: Outcome, by: Cut): Outcome {
  switch (outcome.kind) {
    case 'ok':
      return { ...outcome, plan: cutPlan(outcome.plan, by), ...cutResult(outcome, by) };
    case 'ok_syntactic':
      return {
        ...outcome,
        plan: cutPlan(outcome.plan, by),
        review: outcome.review.slice(0, by.items),
        auto_applied: outcome.auto_applied.slice(0, by.items),
        pending_review: outcome.pending_review.slice(0, by.items),
        review_checklist: outcome.review_checklist.map(({ check, groups }) => ({
          check,
          groups: groups.slice(0, by.items),
        })),
        ...cutResult(outcome, by),
      };
    case 'blocked':
      return {
        ...outcome,
        files: outcome.files.slice(0, by.files),
        jobs: outcome.jobs.slice(0, by.files),
        suggested_refresh_scope: outcome.suggested_refresh_scope
          .slice(0, by.files)
          .map(({ context, files }) => ({ context, files: files.slice(0, by.files) })),
        witness: cutWitness(outcome.witness, by),
        ...(outcome.current === undefined ? {} : { current: outcome.current.slice(0, by.facts) }),
      };
    case 'needs_decision': {
      const { plan, required_proof: required } = outcome;
      return {
        ...outcome,
        plan: plan === null ? null : cutPlan(plan, by),
        candidate_sets: outcome.candidate_sets.slice(0, by.items).map((set) => ({
          ...set,
          members: set.members.map((member) => ({ ...member, evidence: member.evidence.slice(0, by.evidence) })),
        })),
        capsules: outcome.capsules.slice(0, by.capsules),
        ...(outcome.remembered === undefined ? {} : { remembered: outcome.remembered.slice(0, by.items) }),
        witness: cutWitness(outcome.witness, by, outcome.candidate_sets.length > by.items),
        required_proof: {
          ...required,
          anchors: required.anchors.slice(0, by.files * 2 + 1),
          lines: required.lines.slice(0, by.files * 2 + 1),
        },
      };
    }
    case 'refused':
      return {
        ...outcome,
        evidence: outcome.evidence.slice(0, by.evidence),
        alternatives: outcome.alternatives.slice(0, by.evidence),
      };
    case 'unsupported':
      return outcome;
  }
}

function cutPlan(plan: PlanView, by: Cut): PlanView {
  const items = plan.items.slice(0, by.items);
  const shown = new Set(items.map(({ id }) => id));
  const groups = plan.groups.filter(({ item }) => item === undefined || shown.has(item)).slice(0, by.items + 1);
  const cut: string[] = [];
  if (items.length < plan.items.length) cut.push(`${plan.items.length - items.length} more questions are not shown`);
  if (groups.length < plan.groups.length) cut.push(`${plan.groups.length - groups.length} more groups are not shown`);
  if (plan.files.length > by.files) cut.push(`${plan.files.length - by.files} more files are not shown`);
  return {
    ...plan,
    items,
    groups: groups.map((group) => cutGroup(group, by.edits)),
    files: plan.files.slice(0, by.files),
    notes: [...plan.notes.slice(0, by.files + 1), ...cut],
  };
}

function cutGroup(group: GroupView, edits: number): GroupView {
  const left = Math.max(0, group.edits.length - edits);
  return { ...group, edits: group.edits.slice(0, edits), more: group.more + left };
}

function cutWitness(witness: WitnessPacket, by: Cut, isCut = false): WitnessPacket {
  const { bounds, facts, checklist } = witness;
  const truncated = bounds.truncated || isCut || facts.length > by.facts || checklist.length > by.items;
  return {
    ...witness,
    bounds: { ...bounds, files_not_scanned: bounds.files_not_scanned.slice(0, by.files), truncated },
    facts: facts.slice(0, by.facts),
    checklist: checklist.slice(0, Math.min(by.items, by.evidence)),
  };
}

function cutResult(
  outcome: Extract<Outcome, { kind: 'ok' | 'ok_syntactic' }>,
  by: Cut,
): { readonly result?: ApplyResult } {
  const { result } = outcome;
  if (result === undefined) return {};
  const left = result.files.length - by.files;
  const notes = left > 0 ? [...result.notes, `${left} more changed files are not shown`] : result.notes;
  return { result: { ...result, files: result.files.slice(0, by.files), notes } };
}
