/** The edits of a forced plan that nothing but a reader can vouch for (mutation.md §10), each with what to look at. */

import type { RiskReason, RiskyEdit } from '../answer.ts';
import type { Plan } from '../types.ts';
import { viewEdit } from './view-plan.ts';

const lookAt: Readonly<Record<RiskReason, string>> = {
  shadowing: 'an inner declaration of the same name may be the one meant',
  multiple_definitions: 'several definitions have this name: which is meant here?',
  dynamic_import: 'the module is loaded by a computed name',
  metaprogramming: 'code here makes or reaches names at run time',
  member_without_type: 'the receiver’s type is not known: can it be the owner?',
  string: 'a string: is it used as the name?',
  comment: 'a comment: does it speak of the symbol?',
  generated: 'a generated file: is it written anew?',
  parse_error: 'the code around it does not parse',
  star_import: 'the name may come from a star import',
  stale_facts: 'what is known of the file is older than the file',
  exported: 'the name can be used from elsewhere',
};

/** `selected`: only of these groups. */
export function reviewOf(plan: Plan, selected?: ReadonlySet<string>): readonly RiskyEdit[] {
  const groups = new Map(plan.groups.map((group) => [group.id, group]));
  return plan.risks.flatMap(({ groupId, tier, risk, reasons }) => {
    if (tier === 'lexical' || (selected !== undefined && !selected.has(groupId))) return [];
    const checklist = reasons.map((reason) => lookAt[reason]);
    const edits = groups.get(groupId)?.edits ?? [];
    return edits.map((edit) => ({ edit: viewEdit(edit), group: groupId, tier, risk, reasons, checklist }));
  });
}
