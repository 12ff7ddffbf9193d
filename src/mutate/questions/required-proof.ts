/**
 * What a caller must have read before a plan is committed (mutation.md §6): the server names the places, the caller supplies the text
 * found there. A proven plan needs none; what could not be proved needs a reader.
 */

import type { RequiredProof } from '../answer.ts';
import type { Edit, Group, Item, Plan } from '../plans/plan.ts';
import { findMainGroup, isForced, riskyGroups } from '../plans/selection.ts';
import type { Loc } from '../vocabulary.ts';

/** Above this, the definition, each item and the first edit of each file are enough. */
const manyEdits = 50;

/** `selected`: the groups of a commit; without it, all that a selection could ask for. */
export function requiredProofOf(plan: Plan, selected: readonly Group[] = plan.groups): RequiredProof {
  const items = plan.items.filter(isQuoted).map(placeOf);
  const risky = riskyGroups(plan);
  if (isForced(plan)) {
    const doubtful = selected.filter(({ id }) => risky.has(id)).flatMap(({ edits }) => edits);
    const anchors = doubtful.length > manyEdits ? firstOfEachFile(doubtful, new Set()) : doubtful.map(placeOf);
    return { identity: false, anchors: distinct([...items, ...anchors]), lines: distinct(items) };
  }
  const isSelectedProven = plan.provenance === 'proven' && plan.items.length === 0;
  if (isSelectedProven) return { identity: false, anchors: [], lines: [] };
  const main = findMainGroup(plan);
  const others = selected.filter(({ id }) => id !== main?.id).flatMap(({ edits }) => edits);
  const shown = new Set(items.map(({ file }) => file));
  const firsts = firstOfEachFile([...(main?.edits ?? []), ...others], shown);
  return { identity: true, anchors: distinct([plan.symbol.definedAt, ...items, ...firsts]), lines: distinct(items) };
}

/** False for a question about a file that could not be read as text: there is nothing to quote from it. */
export function isQuoted({ anchor }: Pick<Item, 'anchor'>): boolean {
  return anchor.lineHash !== '';
}

export function placeKey({ file, line, col }: Loc): string {
  return `${file}:${line}:${col}`;
}

function placeOf({ path, line, col }: Pick<Edit | Item, 'path' | 'line' | 'col'>): Loc {
  return { file: path, line, col };
}

/** In the order given, so that the main group speaks for a file before an option does: the place is the same for every selection. */
function firstOfEachFile(edits: readonly Edit[], shown: ReadonlySet<string>): readonly Loc[] {
  const seen = new Set(shown);
  return edits.flatMap((edit) => {
    if (seen.has(edit.path)) return [];
    seen.add(edit.path);
    return [placeOf(edit)];
  });
}

function distinct(places: readonly Loc[]): readonly Loc[] {
  const seen = new Set<string>();
  return places.filter((place) => {
    const key = placeKey(place);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
