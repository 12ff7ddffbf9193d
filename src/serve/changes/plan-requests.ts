/** What can be asked about the plans of a root: list, show, commit, cancel, undo. */

import { strictInput, z } from '../../kernel/base/schema.ts';
import type { Plan } from '../../mutate/plans/plan.ts';
import { planKinds, planStatuses, provenances } from '../../mutate/vocabulary.ts';
import { columns, plural, shown } from '../operations/answer-words.ts';
import { Limit, planFields, requestFields } from '../operations/input.ts';
import { defineChange } from './change.ts';
import { ChangeAnswer, ProofInput } from './change-answer.ts';
import { statusWords } from './outcome-words.ts';
import { renderChange } from './render-change.ts';

const PlanLine = z.object({
  id: z.string(),
  kind: z.enum(planKinds),
  status: z.enum(planStatuses),
  provenance: z.enum(provenances),
  name: z.string(),
  new_name: z.string(),
  created_at: z.string(),
  expires_at: z.string(),
  questions: z.number().int(),
  edits: z.number().int(),
  files: z.number().int(),
});

const defaultLimit = 20;

/** The plans of this root, newest first. */
export const planList = defineChange({
  name: 'plan_list',
  says: 'List the plans of this root, newest first, with what became of each',
  input: strictInput({ limit: Limit.optional() }),
  output: z.object({ outcome: z.literal('ok'), plans: z.array(PlanLine), next: z.string() }),
  async run({ plans, nowMs }, { limit = defaultLimit }) {
    plans.tidy(nowMs());
    const listed = plans.list(limit).map((plan) => {
      const main = plan.groups.filter(({ itemId }) => itemId === null);
      return {
        id: plan.id,
        kind: plan.operation.kind,
        status: plan.status,
        provenance: plan.provenance,
        name: plan.symbol.name,
        new_name: plan.newName,
        created_at: new Date(plan.createdMs).toISOString(),
        expires_at: new Date(plan.expiresMs).toISOString(),
        questions: plan.items.length,
        edits: main.reduce((sum, { edits }) => sum + edits.length, 0),
        files: plan.files.filter(({ role }) => role === 'edited').length,
      };
    });
    const open = listed.find(({ status }) => status === 'open');
    const next = open === undefined ? 'plan a rename' : `look at ${open.id} with plan_show, then commit or cancel it`;
    return { outcome: 'ok' as const, plans: listed, next };
  },
  render({ plans }) {
    if (plans.length === 0) return 'no plans';
    const rows = plans.map((plan) => [
      plan.id,
      plan.status,
      `${plan.kind.replaceAll('_', ' ')} ${shown(plan.name, 60)} → ${shown(plan.new_name, 60)}`,
      `${plural(plan.edits, 'edit')} in ${plural(plan.files, 'file')}, ${plan.questions === 0 ? plan.provenance : plural(plan.questions, 'question')}`,
      statusWords[plan.status],
    ]);
    return columns(rows, '').join('\n');
  },
});

/** A plan again, which extends its life, with the proof that a commit of it needs as a form to fill in. */
export const planShow = defineChange({
  name: 'plan_show',
  says: 'Show a plan again and extend its life, its questions beginning with number `from`; `proof_template` names the places whose text a commit has to supply',
  input: strictInput({ ...planFields, from: z.number().int().min(1).optional() }),
  /** Null for a plan that cannot be committed any more. */
  output: ChangeAnswer.extend({ proof_template: ProofInput.nullable() }),
  async run(world, input) {
    const { showPlan } = await import('../../mutate/plans/show-plan.ts');
    const answer = await showPlan(world, input.plan_id, (input.from ?? 1) - 1);
    const plan = world.plans.find(input.plan_id);
    return { ...answer, proof_template: plan?.status === 'open' ? await proofTemplateOf(plan) : null };
  },
  render: (answer, look) => renderChange(answer, look),
});

/** What a reader of a plan compares: one of its files as it is, and as it would be. */
export const planFile = defineChange({
  name: 'plan_file',
  says: 'One file of a plan before and after it, with the options that are looked at; of a committed plan, as it was and as it is',
  input: strictInput({
    ...planFields,
    path: z.string().min(1).max(10_000),
    /** By the number of the question, its option; what is left out edits nothing yet. */
    options: z.record(z.string().max(20), z.string().max(200)).optional(),
  }),
  output: z.union([
    z.object({
      outcome: z.literal('ok'),
      path: z.string(),
      /** Secrets are masked. Null where they cannot be shown, and then why. */
      sides: z.object({ before: z.string(), after: z.string(), edits: z.number().int() }).nullable(),
      why: z.string().nullable(),
    }),
    ChangeAnswer,
  ]),
  async run(world, { plan_id: id, path, options = {} }) {
    const { findOwnPlan } = await import('../../mutate/plans/plan-life.ts');
    const { viewPlanFile } = await import('../../mutate/plans/view-plan-file.ts');
    const { findSecretSpans, maskSpans } = await import('../../index/text/redact-secrets.ts');
    const found = findOwnPlan(world, id);
    if (found.kind === 'answer') return found.answer as z.infer<typeof ChangeAnswer>;
    const { plan } = found;
    // What is no file of the plan is not read for it.
    const isOfPlan = plan.files.some((file) => file.path === path && file.role === 'edited');
    const source = isOfPlan ? world.view.readText(path) : undefined;
    const view = isOfPlan
      ? viewPlanFile(plan, path, options, source?.bytes)
      : { kind: 'not_shown' as const, why: 'the plan does not edit this file' };
    if (view.kind === 'not_shown') return { outcome: 'ok' as const, path, sides: null, why: view.why };
    const [before, after] = [view.before, view.after].map((bytes) => {
      const text = bytes.toString('utf8');
      return maskSpans(text, findSecretSpans(text, bytes));
    }) as [string, string];
    return { outcome: 'ok' as const, path, sides: { before, after, edits: view.edits }, why: null };
  },
  render: (answer, look) =>
    answer.outcome === 'ok'
      ? (answer.why ?? answer.sides?.after ?? '')
      : renderChange(answer as Parameters<typeof renderChange>[0], look),
});

/** The only way to apply a plan: with one option of every question, and with what was read at the places it names. */
export const planCommit = defineChange({
  name: 'plan_commit',
  says: 'Apply a plan: by its id, with an option of every question by its number, and the lines that it asks to be quoted; or with ids of candidates and a whole proof',
  semantic: true,
  input: strictInput({
    ...planFields,
    answers: z
      .record(z.string().min(1).max(200), z.string().max(5_000))
      .describe(
        'by number, id or kind of the question its option, and behind a colon the line that was read there; `definition`: its line',
      )
      .optional(),
    /** As the plan was shown, and as in `repo.root_hash`: looked up where they are not said. */
    plan_hash: z.string().min(1).optional(),
    root_hash: z.string().min(1).optional(),
    selections: z.array(z.string()).optional(),
    proof: ProofInput.optional(),
    request_id: requestFields.request_id,
  }),
  output: ChangeAnswer,
  async run(world, input) {
    const { commitPlan } = await import('../../mutate/plans/commit.ts');
    const { replanWith } = await import('../../mutate/plan-change.ts');
    return commitPlan(world, input, replanWith(world));
  },
  render: renderChange,
});

/** Giving a plan up before it is committed. */
export const planCancel = defineChange({
  name: 'plan_cancel',
  says: 'Give a plan up; nothing was written, and it cannot be committed any more',
  input: strictInput(planFields),
  output: ChangeAnswer,
  async run(world, input) {
    const { cancelPlan } = await import('../../mutate/plans/plan-life.ts');
    return cancelPlan(world, input.plan_id);
  },
  render(answer, look) {
    const { outcome } = answer;
    if (outcome.kind !== 'ok') return renderChange(answer, look);
    const { id, symbol, new_name: newName } = outcome.plan;
    return `cancelled plan ${id} (${shown(symbol.name, 120)} → ${shown(newName, 120)}); nothing was written`;
  },
});

/** Taking a committed plan back, byte by byte, while none of its files has changed. */
export const planUndo = defineChange({
  name: 'plan_undo',
  says: 'Restore every file of a committed plan as it was, if none of them has changed since',
  input: strictInput({ ...planFields, request_id: requestFields.request_id }),
  output: ChangeAnswer,
  async run(world, input) {
    const { undoPlan } = await import('../../mutate/plans/undo-plan.ts');
    return undoPlan(world, input);
  },
  render: renderChange,
});

/**
 * The proof a plan requires (mutation.md §6) with its places named and its texts left out: the committer has to read them. `identity` is
 * left out too, because it shows that the right thing was read.
 */
async function proofTemplateOf(plan: Plan): Promise<z.infer<typeof ProofInput>> {
  const { requiredProofOf } = await import('../../mutate/questions/required-proof.ts');
  const required = requiredProofOf(plan);
  return {
    identity: '',
    lines: required.lines.map(({ file, line }) => ({ file, line, text: '' })),
    anchors: required.anchors.map(({ file, line, col }) => ({ file, line, col, before: '', text: '', after: '' })),
    reasoning: '',
  };
}
