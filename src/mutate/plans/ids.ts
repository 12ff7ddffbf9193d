/**
 * Names of things in a plan (mutation.md §4, §5). M20: equal inputs give equal ids, whatever the order they were found in, and no id
 * is a counter; so a choice that was made once can be recognised in a plan that is made anew.
 */

import { sha256Hex } from '../../kernel/base/hash.ts';
import { canonicalJson, compareCodeUnits, type Json } from '../../kernel/base/json.ts';
import type { ItemKind, PlanKind } from '../vocabulary.ts';
import type { Anchor, Item, PlanDraft } from './plan.ts';

/** Ids within one plan are short: they are typed and shown many times. */
const innerDigits = 12;
const outerDigits = 24;

type GroupName = {
  readonly kind: PlanKind;
  readonly symbolKeys: readonly string[];
  /** `main`, `item`, or the tier of a forced edit. */
  readonly class: string;
  readonly itemId?: string | null;
  readonly option?: string | null;
  /** Of a forced edit that is a group of its own. */
  readonly at?: { readonly path: string; readonly anchor: Anchor } | null;
};

export function groupId(of: GroupName): string {
  const keys = [...new Set(of.symbolKeys)].sort(compareCodeUnits);
  const at = of.at == null ? null : placeOf(of.at);
  return `g-${shortId([of.kind, keys, of.class, of.itemId ?? null, of.option ?? null, at])}`;
}

/** Not of the detail: it may speak of the new name, and the question is the same under another one. */
export function itemId(of: { readonly kind: ItemKind; readonly path: string; readonly anchor: Anchor }): string {
  return `i-${shortId([of.kind, placeOf(of)])}`;
}

/** What is selected for an option, also one without edits. */
export function candidateId(item: string, option: string): string {
  return `c-${shortId([item, option])}`;
}

/** Over the sorted (kind, path, anchor, detail) of all items (§2.6). */
export function ambiguityFingerprint(items: readonly Pick<Item, 'kind' | 'path' | 'anchor' | 'detail'>[]): string {
  return longId(items.map((item) => canonicalJson([item.kind, placeOf(item), item.detail])).sort(compareCodeUnits));
}

/**
 * Over what is done to what, groups, items, edits and file hashes: a commit names exactly what was shown. How it was asked for (the
 * spelling of the target, the directory, the wait) is no part of it, so the same plan has the same hash whichever way it was asked.
 */
export function planHash(
  draft: Pick<PlanDraft, 'operation' | 'symbol' | 'newName' | 'groups' | 'items' | 'files' | 'moves'>,
): string {
  const sorted = (values: readonly Json[]): readonly string[] => values.map(canonicalJson).sort(compareCodeUnits);
  return longId([
    [draft.operation.kind, draft.symbol.key, draft.newName],
    sorted(
      draft.groups.map((group) => [
        group.id,
        group.provenance,
        group.itemId,
        group.option,
        sorted(group.edits.map((edit) => [edit.path, edit.startByte, edit.endByte, edit.oldText, edit.newText])),
      ]),
    ),
    sorted(draft.items.map((item) => [item.id, item.detail, item.options.map(({ id, groupId }) => [id, groupId])])),
    sorted(draft.files.map((file) => [file.path, file.role, file.hash, file.newHash])),
    sorted(draft.moves.map((move) => [move.from, move.to])),
  ]);
}

/** The random part makes each plan its own, also where two are equal in all they do. */
export function planId(
  of: Pick<PlanDraft, 'operation' | 'symbol' | 'files'> & {
    readonly rootHash: string;
    readonly ambiguityFp: string;
    readonly random: string;
  },
): string {
  const files = of.files.map(({ path, hash }) => `${path}\0${hash}`).sort(compareCodeUnits);
  const operation = of.operation as unknown as Json;
  return `p-${longId([operation, of.symbol.key, of.rootHash, files, of.ambiguityFp, of.random])}`;
}

function placeOf(of: { readonly path: string; readonly anchor: Anchor }): readonly Json[] {
  const { before, text, after, lineHash, ordinal } = of.anchor;
  return [of.path, before, text, after, lineHash, ordinal];
}

function longId(of: Json): string {
  return sha256Hex(canonicalJson(of)).slice(0, outerDigits);
}

function shortId(of: Json): string {
  return sha256Hex(canonicalJson(of)).slice(0, innerDigits);
}
