/** The plans of this root, newest first. */

import { z } from '../../kernel/base/schema.ts';
import { planKinds, planStatuses, provenances } from '../../mutate/vocabulary.ts';
import { columns, plural, shown } from '../operations/answer-words.ts';
import { Limit, strictInput } from '../operations/input.ts';
import { defineMutation } from './change.ts';
import { statusWords } from './outcome-words.ts';

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

export default defineMutation({
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
