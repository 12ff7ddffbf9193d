/**
 * Steps 4 to 6 of a commit (mutation.md §6): is everything that the plan rests on still so? If no file in scope has changed, it is. If one
 * has, the same change is planned again and the two are compared: what could not be settled, what is asked, what takes part.
 * M28: any change of any byte of an edited or affected file prevents the commit. M29: a new question gives a new plan, once.
 */

import type { CodeView } from '../../index/state/code-view.ts';
import { compareCodeUnits } from '../../kernel/base/json.ts';
import { singleLine, truncate } from '../../kernel/base/text.ts';
import type { Answer } from '../answer.ts';
import type { Plan, PlanDraft, PlanOperation } from '../types.ts';
import type { MutationWorld } from '../world.ts';
import { blockedAnswer, fileStates } from './answers.ts';
import type { Hider } from './hide-secrets.ts';
import { ambiguityFingerprint, planHash } from './ids.ts';
import { keepPlan, settleDraft } from './keep-plan.ts';
import type { DiskFiles } from './read-plan-files.ts';
import { scopeDigestOf } from './scope-digest.ts';
import { selectedPart } from './selected-part.ts';
import { showOpen } from './show-plan.ts';

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
export async function checkScope(
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
  if (scopeDigestOf(view) === plan.scopeDigest) return undefined;
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

/** Step 6. */
export function checkFiles(plan: Plan, disk: DiskFiles, hider: Hider): Answer | undefined {
  const changed = plan.files.filter(({ path, hash }) => disk.get(path)?.hash !== hash);
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
