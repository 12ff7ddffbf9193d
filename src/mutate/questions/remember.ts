/**
 * What was decided before about the same questions (mutation.md §7). M31: a hint and nothing else: it supplies no edit, selects nothing and
 * replaces no proof. It holds only as long as every file it was about is byte for byte what it was.
 */

import { canonicalJson, compareCodeUnits } from '../../kernel/base/json.ts';
import type { Remembered } from '../answer.ts';
import { candidateId, longId, placeOf } from '../plans/ids.ts';
import type { Plan } from '../plans/plan.ts';
import type { DecisionRow, PlanStore } from '../plans/plan-store.ts';

/** Not of the new name: the same questions under another one are the same questions. */
function decisionKey(plan: Pick<Plan, 'operation' | 'symbol' | 'items'>): string {
  const items = plan.items.map((item) => canonicalJson([item.kind, placeOf(item)])).sort(compareCodeUnits);
  return longId([plan.operation.kind, plan.symbol.key, items]);
}

/** Null where nothing was asked. */
export function makeDecision(plan: Plan, chosen: Readonly<Record<string, string>>, nowMs: number): DecisionRow | null {
  if (plan.items.length === 0) return null;
  return {
    key: decisionKey(plan),
    op: plan.operation.kind,
    symbolKey: plan.symbol.key,
    chosen,
    fileHashes: hashesOf(plan),
    planId: plan.id,
    createdMs: nowMs,
  };
}

/** A changed hash drops the entry. */
export function findRemembered(plans: PlanStore, plan: Plan): Remembered | undefined {
  if (plan.items.length === 0) return undefined;
  const key = decisionKey(plan);
  const found = plans.findDecision(key);
  if (found === undefined) return undefined;
  const now = hashesOf(plan);
  const isSame =
    Object.keys(now).length === Object.keys(found.fileHashes).length &&
    Object.entries(found.fileHashes).every(([path, hash]) => now[path] === hash);
  if (!isSame) {
    plans.dropDecision(key);
    return undefined;
  }
  const chosen = plan.items.flatMap(({ id, options }) => {
    const option = found.chosen[id];
    return option !== undefined && options.some((one) => one.id === option) ? [candidateId(id, option)] : [];
  });
  if (chosen.length !== plan.items.length) return undefined;
  return { chosen, when: new Date(found.createdMs).toISOString(), plan_id: found.planId };
}

function hashesOf(plan: Plan): Readonly<Record<string, string>> {
  return Object.fromEntries(plan.files.map(({ path, hash }) => [path, hash]));
}
