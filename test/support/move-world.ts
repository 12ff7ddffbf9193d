/** A git repository in which files are moved for good: real index, real compiler, real journal. */

import { chmodSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Answer, Proof } from '../../src/mutate/answer.ts';
import { openCompiler } from '../../src/mutate/compiler/session/open-compiler.ts';
import { planChange, replanWith } from '../../src/mutate/plan-change.ts';
import { quoteAt } from '../../src/mutate/plans/anchors.ts';
import { commitPlan } from '../../src/mutate/plans/commit.ts';
import type { Plan } from '../../src/mutate/plans/plan.ts';
import { undoPlan } from '../../src/mutate/plans/undo-plan.ts';
import { createIndexedTree } from './indexed-tree.ts';
import { openPlanWorld, type PlanWorld } from './plan-world.ts';

export type MoveWorld = PlanWorld & {
  move(file: string, to: string, options?: { readonly apply?: boolean; readonly cwd?: string }): Promise<Answer>;
  /** The plan of an answer, committed with these options by kind of question. */
  finish(answer: Answer, options?: Readonly<Record<string, string>>): Promise<Answer>;
  undo(plan: Plan): Promise<Answer>;
  planOf(answer: Answer): Plan;
  /** `path  old → new` of the main group, in order. */
  edits(answer: Answer): readonly string[];
  mode(path: string): number;
};

export async function openMoveWorld(
  files: Readonly<Record<string, string | Uint8Array>>,
  modes: Readonly<Record<string, number>> = {},
): Promise<MoveWorld> {
  const tree = createIndexedTree(files);
  for (const [path, mode] of Object.entries(modes)) chmodSync(join(tree.root, path), mode);
  const opened = await openPlanWorld(files, {
    tree,
    overrides: {
      openCompiler: (programs) =>
        openCompiler({
          root: tree.root,
          programs,
          environment: process.env,
          signal: new AbortController().signal,
        }),
    },
  });
  const { world } = opened;
  const now = async () => ({ ...world, view: await world.sweep() });
  const planOf = (answer: Answer): Plan => {
    const id = 'plan' in answer.outcome ? answer.outcome.plan?.id : undefined;
    const plan = id === undefined ? undefined : world.plans.find(id);
    if (plan === undefined) throw new Error(JSON.stringify(answer.outcome, null, 1));
    return plan;
  };
  return {
    ...opened,
    planOf,
    move: async (file, to, { apply = false, cwd } = {}) =>
      planChange(await now(), 'move_file', { file, to, apply, wait_ms: 0, ...(cwd === undefined ? {} : { cwd }) }),
    finish: async (answer, options = {}) => {
      const plan = planOf(answer);
      const at = await now();
      const selections = opened.select(plan, options);
      const asked = opened.request(plan, selections);
      return commitPlan(at, { ...asked, proof: proofOf(plan, asked.proof, opened.read) }, replanWith(at));
    },
    undo: async (plan) => undoPlan(await now(), { plan_id: plan.id }),
    edits: (answer) =>
      planOf(answer)
        .groups.filter(({ itemId }) => itemId === null)
        .flatMap((group) => group.edits.map(({ path, oldText, newText }) => `${path}  ${oldText} → ${newText}`)),
    mode: (path) => lstatSync(join(tree.root, path)).mode & 0o777,
  };
}

/** What stands at each place, as long as the plan says it is there. */
function proofOf(plan: Plan, proof: Proof, read: (path: string) => string): Proof {
  const places = [...plan.groups.flatMap(({ edits }) => edits), ...plan.items];
  const anchors = proof.anchors.map(({ file, line, col }) => {
    const text = read(file).replace(/^\ufeff/, '');
    const lines = text.split('\n').slice(0, line - 1);
    const start = lines.reduce((sum, { length }) => sum + length + 1, 0) + col - 1;
    const place = places.find((one) => one.path === file && one.line === line && one.col === col);
    return { file, line, col, ...quoteAt(text, start, start + (place?.anchor.text.length ?? 5)) };
  });
  return { ...proof, anchors };
}
