/**
 * One file of a plan before and after it, for a reader who decides: the same edits of the same groups that a commit would write, spliced into
 * the bytes that are on disk. Of a plan that was written they are taken out again, where the file is still as it was written. Pure.
 */

import { splice } from './apply-selection.ts';
import type { Edit, Plan } from './plan.ts';
import { mergeEdits, riskyGroups } from './selection.ts';

type PlanFileView =
  | { readonly kind: 'sides'; readonly before: Buffer; readonly after: Buffer; readonly edits: number }
  /** Why they cannot be shown, for a person. */
  | { readonly kind: 'not_shown'; readonly why: string };

/** `options`: by the number of a question, the option that is looked at; what is not answered edits nothing yet. */
export function viewPlanFile(
  plan: Plan,
  path: string,
  options: Readonly<Record<string, string>>,
  now: Buffer | undefined,
): PlanFileView {
  if (now === undefined) return { kind: 'not_shown', why: 'the file cannot be read as text now' };
  const isWritten = plan.status === 'committed';
  const risky = riskyGroups(plan);
  const chosen = new Set(
    plan.items.map(({ options: given }, at) => given.find(({ id }) => id === options[String(at + 1)])?.groupId ?? null),
  );
  const groups = plan.groups.filter(({ id, itemId, isSelected }) =>
    isWritten ? isSelected === true : itemId === null ? !risky.has(id) : chosen.has(id),
  );
  const merged = mergeEdits(groups);
  if (merged.kind === 'overlap') return { kind: 'not_shown', why: 'what is chosen edits one place in two ways' };
  const edits = merged.edits.filter((edit) => edit.path === path);
  const other = splice(now, isWritten ? invert(edits) : edits);
  if (other.kind !== 'spliced') return { kind: 'not_shown', why: 'the file has changed since' };
  const [before, after] = isWritten ? [other.bytes, now] : [now, other.bytes];
  return { kind: 'sides', before, after, edits: edits.length };
}

/** Of edits in the order of their places: where each stands when all are written, and what takes it back. */
function invert(edits: readonly Edit[]) {
  let moved = 0;
  return edits.map(({ startByte, endByte, oldText, newText }) => {
    const start = startByte + moved;
    const bytes = Buffer.byteLength(newText);
    moved += bytes - (endByte - startByte);
    return { startByte: start, endByte: start + bytes, oldText: newText, newText: oldText };
  });
}
