/**
 * What was answered before to the same question: of this place and for this reason, whatever was changed then (mutation.md §7). A place is a
 * line as it reads, so a line that was edited since is another one. M31: a hint and nothing else: it supplies no edit, selects nothing and
 * replaces no proof.
 */

import { decodeText } from '../../kernel/tree/content-kind.ts';
import type { Remembered } from '../answer.ts';
import { anchorsOf } from '../plans/anchors.ts';
import { candidateId, itemId } from '../plans/ids.ts';
import type { Edit, FileChange, Item, Plan } from '../plans/plan.ts';
import type { DecisionRow, PlanStore } from '../plans/plan-store.ts';

/** What is written, for the places as they read afterwards. */
type Written = { readonly edits: readonly Edit[]; readonly changes: readonly FileChange[] };

/** Null where nothing was asked. Each question is named twice: as it was asked, and as it would be asked of the files that are written. */
export function makeDecision(
  plan: Plan,
  chosen: Readonly<Record<string, string>>,
  written: Written,
  nowMs: number,
): DecisionRow | null {
  if (plan.items.length === 0) return null;
  const later = plan.items.flatMap((item) => {
    const option = chosen[item.id];
    const after = option === undefined ? undefined : idAfter(plan, item, written);
    return option === undefined || after === undefined ? [] : [[after, option] as const];
  });
  return {
    key: plan.id,
    op: plan.operation.kind,
    symbolKey: plan.symbol.key,
    chosen: { ...Object.fromEntries(later), ...chosen },
    fileHashes: hashesOf(plan),
    planId: plan.id,
    createdMs: nowMs,
  };
}

/** Undefined where its file stays as it is. */
function idAfter(
  plan: Plan,
  { kind, path, startByte, endByte }: Item,
  { edits, changes }: Written,
): string | undefined {
  const to = plan.moves.find(({ from }) => from === path)?.to ?? path;
  const change = changes.find((one) => one.path === to && one.kind !== 'remove');
  if (change === undefined || change.kind === 'remove') return undefined;
  const bytes = Buffer.from(change.newBytes.buffer, change.newBytes.byteOffset, change.newBytes.byteLength);
  const source = decodeText(bytes);
  if (source.kind !== 'text') return undefined;
  const own = new Map(edits.filter((edit) => edit.path === path).map((edit) => [edit.startByte, edit]));
  const grownBefore = (byte: number) =>
    [...own.values()]
      .filter((edit) => edit.startByte < byte)
      .reduce((sum, edit) => sum + Buffer.byteLength(edit.newText) - (edit.endByte - edit.startByte), 0);
  const indexOf = (byte: number) => bytes.toString('utf8', source.bom ? 3 : 0, byte).length;
  const span = { start: indexOf(startByte + grownBefore(startByte)), end: indexOf(endByte + grownBefore(endByte)) };
  const [anchor] = anchorsOf(source.text, [span]);
  return anchor === undefined ? undefined : itemId({ kind, path: to, anchor });
}

/** In the order of the questions; those that nothing is known of are left out. */
export function listRemembered(plans: PlanStore, plan: Plan): readonly Remembered[] {
  const now = hashesOf(plan);
  return plan.items.flatMap(({ id, options }): Remembered[] => {
    const found = plans.findDecision(id);
    const option = found?.chosen[id];
    if (found === undefined || option === undefined || !options.some((one) => one.id === option)) return [];
    return [
      {
        item: id,
        chosen: candidateId(id, option),
        option,
        symbol: found.symbolKey,
        when: new Date(found.createdMs).toISOString(),
        plan_id: found.planId,
        same_files: Object.entries(found.fileHashes).every(([path, hash]) => now[path] === hash),
      },
    ];
  });
}

function hashesOf(plan: Plan): Readonly<Record<string, string>> {
  return Object.fromEntries(plan.files.map(({ path, hash }) => [path, hash]));
}
