/**
 * The scope proof (mutation.md §3.2): in the scope tree after the edits every identifier resolves lexically to the image of what it did
 * before. Two names of one binding stay two names of one binding, no other name joins them, and what nothing in the file binds stays so.
 * It looks at one file; what a name means in others is not its business.
 */

import { withSourceTree } from '../../index/state/navigate/read-file-facts.ts';
import { analyseScopes, hasScopeModel } from '../../index/syntax/scopes/analyse-scopes.ts';
import type { ScopeTree } from '../../index/syntax/scopes/scope-tree.ts';
import { applyEdits, boundOffset, type EditedText, type TextEdit } from './apply-edits.ts';
import type { BrokenPlace } from './parse-proof.ts';

export type ScopeProof =
  | { readonly kind: 'holds' }
  | { readonly kind: 'breaks'; readonly places: readonly BrokenPlace[] }
  /** There is nothing to prove by: no scope model, or the edits do not fit the text. */
  | { readonly kind: 'cannot'; readonly why: string };

const maxPlaces = 20;

export async function scopeProof(
  path: string,
  language: string,
  oldText: string,
  edits: readonly TextEdit[],
): Promise<ScopeProof> {
  if (!hasScopeModel(language)) return { kind: 'cannot', why: `${language} has no scope model` };
  const edited = applyEdits(oldText, edits);
  if (edited.kind === 'unfit') return { kind: 'cannot', why: edited.why };
  const before = await readScopes(path, language, oldText);
  const after = await readScopes(path, language, edited.text);
  return compareScopes(path, before, after, edited);
}

/** For who has both trees at hand. */
export function compareScopes(
  path: string,
  before: ScopeTree,
  after: ScopeTree,
  { edits, moved }: Pick<Extract<EditedText, { kind: 'edited' }>, 'edits' | 'moved'>,
): ScopeProof {
  const editAt = new Map(edits.map((edit) => [edit.start, edit]));
  return compare(path, before, after, (start) => {
    const edit = editAt.get(start);
    const base = moved(start);
    return edit === undefined ? base : base + (boundOffset(edit) ?? 0);
  });
}

function readScopes(path: string, language: string, text: string): Promise<ScopeTree> {
  return withSourceTree(path, language, text, (source) => analyseScopes(source, language));
}

/** By where a name begins: the binding's first declaration, which names the binding. -1: bound by nothing here. */
type Bound = ReadonlyMap<number, { readonly home: number; readonly end: number }>;

function compare(path: string, before: ScopeTree, after: ScopeTree, image: (start: number) => number): ScopeProof {
  const old = indexNames(before);
  const now = indexNames(after);
  const places: BrokenPlace[] = [];
  let found = 0;
  for (const [start, { home, end }] of old) {
    if (places.length >= maxPlaces) break;
    const there = now.get(image(start));
    if (there !== undefined) found += 1;
    const isSame = there !== undefined && (home < 0 ? there.home < 0 : there.home === image(home));
    if (isSame) continue;
    const says =
      there === undefined || there.home < 0
        ? 'it would be bound to nothing in the file'
        : home < 0
          ? 'it would be bound to a declaration of the file'
          : 'it would be bound to another declaration';
    places.push({ path, start, end, says });
  }
  if (places.length === 0 && found !== now.size)
    places.push({ path, start: 0, end: 0, says: 'there are names that were none before' });
  return places.length === 0 ? { kind: 'holds' } : { kind: 'breaks', places };
}

function indexNames({ bindings, labels, unbound }: ScopeTree): Bound {
  const names = new Map<number, { home: number; end: number }>();
  for (const { start, end, isMember } of unbound) if (!isMember) names.set(start, { home: -1, end });
  for (const { declarations, references } of [...bindings, ...labels]) {
    const home = declarations[0]?.start ?? references[0]?.start ?? -1;
    for (const { start, end } of references) if (!names.has(start)) names.set(start, { home, end });
    for (const { start, end } of declarations) names.set(start, { home, end });
  }
  return names;
}
