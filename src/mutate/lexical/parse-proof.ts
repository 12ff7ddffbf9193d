/**
 * The parse proof (mutation.md §3.2), for every language: an edited file parses again without a new error, and nothing but the planned
 * tokens differs. A name that becomes a word of the language shows here, because the leaf it is changes its kind.
 *
 * Pure over texts. A file that is not parsed (data, prose, too large) is held to its bytes alone: only the planned spans may differ.
 */

import { withSourceTree } from '../../index/state/navigate/read-file-facts.ts';
import type { SourceTree } from '../../index/syntax/facts.ts';
import { type FlatTree, flattenTree } from '../../index/syntax/flat-tree.ts';
import { hasSyntax } from '../../index/syntax/has-syntax.ts';
import { textLimits } from '../../index/syntax/text-limits.ts';
import { applyEdits, type EditedText, type TextEdit } from './apply-edits.ts';

export type BrokenPlace = {
  readonly path: string;
  /** In the old text. */
  readonly start: number;
  readonly end: number;
  readonly says: string;
};

export type ParseProof =
  | { readonly kind: 'holds'; readonly parsed: boolean }
  | { readonly kind: 'breaks'; readonly places: readonly BrokenPlace[] };

/** `ERROR` nodes count as leaves: what is below them is nobody's grammar. */
export type Leaf = { readonly type: string; readonly start: number; readonly end: number };

const maxPlaces = 20;

export async function parseProof(
  path: string,
  language: string | null,
  oldText: string,
  newText: string,
  edits: readonly TextEdit[],
): Promise<ParseProof> {
  const edited = applyEdits(oldText, edits);
  if (edited.kind === 'unfit') return breaks(path, [{ ...edited, says: edited.why }]);
  if (edited.text !== newText) {
    const at = firstDifference(edited.text, newText);
    return breaks(path, [{ start: at, end: at, says: 'the new text is not the old one with the planned edits' }]);
  }
  if (!mayParse(language, oldText)) return { kind: 'holds', parsed: false };
  const before = await withSourceTree(path, language, oldText, listLeaves);
  const after = await withSourceTree(path, language, newText, listLeaves);
  return compareLeaves(path, before, after, { oldText, ...edited });
}

export function mayParse(language: string | null, text: string): language is string {
  return language !== null && hasSyntax(language) && text.length <= textLimits.parseBytes;
}

/** For who has both trees at hand. */
export function compareLeaves(
  path: string,
  before: readonly Leaf[],
  after: readonly Leaf[],
  { oldText, text, edits, moved }: { readonly oldText: string } & Omit<Extract<EditedText, { kind: 'edited' }>, 'kind'>,
): ParseProof {
  const places = findDifferences(before, after, oldText, text, edits, moved);
  return places.length === 0 ? { kind: 'holds', parsed: true } : breaks(path, places);
}

type Place = Omit<BrokenPlace, 'path'>;

function breaks(path: string, places: readonly Place[]): ParseProof {
  const listed = places.slice(0, maxPlaces).map(({ start, end, says }) => ({ path, start, end, says }));
  return { kind: 'breaks', places: listed };
}

export function listLeaves(source: SourceTree): readonly Leaf[] {
  const tree: FlatTree = flattenTree(source);
  const leaves: Leaf[] = [];
  for (let node = 0; node < tree.count; node++) {
    const type = tree.type[node] ?? '';
    const after = tree.after[node] ?? node + 1;
    const isLeaf = after === node + 1 || type === 'ERROR';
    if (isLeaf) leaves.push({ type, start: tree.start[node] ?? 0, end: tree.end[node] ?? 0 });
    if (isLeaf) node = after - 1;
  }
  return leaves;
}

/** Both lists in document order. Every old leaf must be found again; what an edit writes anew may be several leaves, none of them an error. */
function findDifferences(
  before: readonly Leaf[],
  after: readonly Leaf[],
  oldText: string,
  newText: string,
  edits: readonly TextEdit[],
  moved: (index: number) => number,
): readonly Place[] {
  const places: Place[] = [];
  let next = 0;
  let edit = 0;
  for (const leaf of before) {
    if (places.length >= maxPlaces) return places;
    while (edit < edits.length && (edits[edit]?.end ?? 0) <= leaf.start) edit += 1;
    const touching = edits[edit];
    const isTouched = touching !== undefined && leaf.start < leaf.end && touching.start < leaf.end;
    const start = moved(leaf.start);
    const end =
      isTouched && leaf.end <= touching.end ? moved(touching.start) + touching.newText.length : moved(leaf.end);
    const isExpanded = isTouched && leaf.start === touching.start && leaf.end === touching.end && !isWhole(touching);
    const found: Leaf[] = [];
    for (
      let one = after[next];
      one !== undefined && (one.start < end || (one.start === start && one.end === start));
    ) {
      found.push(one);
      next += 1;
      one = after[next];
      if (leaf.start === leaf.end) break;
    }
    const [only] = found;
    const isSame =
      found.length === 1 && only !== undefined && only.type === leaf.type && only.start === start && only.end === end;
    const isSameText = isTouched || oldText.slice(leaf.start, leaf.end) === newText.slice(start, end);
    if (isSame && isSameText) continue;
    const isFine = isExpanded && found.every(({ type, start: from, end: to }) => type !== 'ERROR' && from < to);
    if (isFine && found[0]?.start === start && found.at(-1)?.end === end) continue;
    const says = found.some(({ type }) => type === 'ERROR')
      ? 'it does not parse any more'
      : 'it parses as something else';
    places.push({ start: leaf.start, end: leaf.end, says });
  }
  const left = after[next];
  if (left !== undefined && places.length === 0)
    places.push({ start: oldText.length, end: oldText.length, says: `a ${left.type} more than before` });
  return places;
}

function isWhole({ form }: TextEdit): boolean {
  return form === 'plain' || form === 'string' || form === 'jsdoc';
}

function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
}
