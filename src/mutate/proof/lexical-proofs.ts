/**
 * The proofs that need no compiler (mutation.md §3.2), from the texts a plan was made from: an edited file parses as before, every name in
 * it resolves lexically to what it did before, and the new name is fresh. `proveEdits` runs the first two over a whole plan.
 */

import { mayHold } from '../../index/navigate/find-in-text.ts';
import type { Question } from '../../index/navigate/question.ts';
import { withSourceTree } from '../../index/navigate/read-file-facts.ts';
import { listSearchableFiles } from '../../index/store/stored-files.ts';
import { listFilesMatchingName, listRedactedFiles } from '../../index/store/stored-text.ts';
import { MAX_RUN_CHARS } from '../../index/text/scan-bytes.ts';
import { countWhile } from '../../kernel/base/count-while.ts';
import { compareCodeUnits } from '../../kernel/base/json.ts';
import { textLimits } from '../../kernel/base/limits.ts';
import { quotedPath } from '../../kernel/base/text.ts';
import type { SourceTree } from '../../languages/facts.ts';
import { familyOf } from '../../languages/language-family.ts';
import { hasSyntax } from '../../languages/languages.ts';
import { type FlatTree, flattenTree, spanAt } from '../../languages/parsing/flat-tree.ts';
import { analyseScopes } from '../../languages/readers.ts';
import type { ScopeTree } from '../../languages/scopes/scope-tree.ts';
import { type CompilerEdit, type Refusal, refuse } from '../compiler/session/messages.ts';
import type { EditForm } from '../vocabulary.ts';

type ProofState = 'holds' | 'breaks' | 'not_run';

export type LexicalProofs = {
  readonly parse: ProofState;
  readonly scope: ProofState;
  readonly places: readonly BrokenPlace[];
};

type ProvedEdits = { readonly kind: 'proved'; readonly proofs: LexicalProofs } | Refusal;

export async function proveEdits(question: Question, edits: readonly CompilerEdit[]): Promise<ProvedEdits> {
  for (const [path, own] of Map.groupBy(edits, (edit) => edit.path)) {
    const source = question.source(path);
    const language = question.file(path)?.language ?? null;
    if (source === undefined) return refuse('parse_breaks', `${quotedPath(path)} cannot be read`);
    const edited = applyEdits(source.text, own);
    if (edited.kind === 'unfit')
      return refuse('overlap', edited.why, [{ path, start: edited.start, end: edited.end, says: edited.why }]);
    if (!mayParse(language, source.text)) continue;
    const before = await read(path, language, source.text);
    const after = await read(path, language, edited.text);
    const parse = compareLeaves(path, before.leaves, after.leaves, { oldText: source.text, ...edited });
    if (parse.kind === 'breaks')
      return refuse('parse_breaks', 'the edited file does not parse as before', parse.places);
    const scope = compareScopes(path, before.scopes, after.scopes, edited);
    if (scope.kind === 'breaks')
      return refuse('bindings_change', 'a name would mean something else than before', scope.places);
  }
  return { kind: 'proved', proofs: { parse: 'holds', scope: 'holds', places: [] } };
}

/** Each text is parsed once for both proofs. */
function read(path: string, language: string, text: string) {
  return withSourceTree(path, language, text, (source) => ({
    leaves: listLeaves(source),
    scopes: analyseScopes(source, language),
  }));
}

// The parse proof (mutation.md §3.2), for every language: an edited file parses again without a new error, and nothing but the planned
// tokens differs. A name that becomes a word of the language shows here, because the leaf it is changes its kind.
//
// Pure over texts. A file that is not parsed (data, prose, too large) is held to its bytes alone: only the planned spans may differ.

type BrokenPlace = {
  readonly path: string;
  /** In the old text. */
  readonly start: number;
  readonly end: number;
  readonly says: string;
};

type ParseProof =
  | { readonly kind: 'holds'; readonly parsed: boolean }
  | { readonly kind: 'breaks'; readonly places: readonly BrokenPlace[] };

/** `ERROR` nodes count as leaves: what is below them follows no grammar. */
type Leaf = { readonly type: string; readonly start: number; readonly end: number };

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

function mayParse(language: string | null, text: string): language is string {
  return language !== null && hasSyntax(language) && text.length <= textLimits.parseBytes;
}

/** For callers that have both trees. */
function compareLeaves(
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

function listLeaves(source: SourceTree): readonly Leaf[] {
  const tree: FlatTree = flattenTree(source);
  const leaves: Leaf[] = [];
  for (let node = 0; node < tree.count; node++) {
    const type = tree.type[node] ?? '';
    const after = tree.after[node] ?? node + 1;
    const isLeaf = after === node + 1 || type === 'ERROR';
    if (isLeaf) leaves.push({ type, ...spanAt(tree, node) });
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

// The scope proof (mutation.md §3.2): in the scope tree after the edits every identifier resolves lexically to the image of what it did
// before. Two names of one binding stay two names of one binding, no other name joins them, and what nothing in the file binds stays so.
// It looks at one file; what a name means in others is not its business.

type ScopeProof =
  | { readonly kind: 'holds' }
  | { readonly kind: 'breaks'; readonly places: readonly BrokenPlace[] }
  /** There is nothing to prove by: no scope model, or the edits do not fit the text. */
  | { readonly kind: 'cannot'; readonly why: string };

export async function scopeProof(
  path: string,
  language: string,
  oldText: string,
  edits: readonly TextEdit[],
): Promise<ScopeProof> {
  if (!hasSyntax(language)) return { kind: 'cannot', why: `${language} has no scope model` };
  const edited = applyEdits(oldText, edits);
  if (edited.kind === 'unfit') return { kind: 'cannot', why: edited.why };
  const before = await readScopes(path, language, oldText);
  const after = await readScopes(path, language, edited.text);
  return compareScopes(path, before, after, edited);
}

/** For callers that have both trees. */
function compareScopes(
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
        ? 'nothing in the file would declare it any more'
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

// The fresh-name proof (mutation.md §3.2): no file that could mean the new name holds it as an identifier, and no base type outside the
// repository that can be listed has it. Where it fails, the files that hold the name are what the scope proof has to cover.

type FreshNameProof = {
  readonly kind: 'fresh' | 'taken';
  /** Files of the language's family whose text may hold the name, sorted. */
  readonly paths: readonly string[];
};

export function freshNameProof(question: Question, language: string, newName: string): FreshNameProof {
  const { code, holders } = familyOf(language);
  const paths = listFilesHolding(question, newName).filter((path) => {
    const written = question.file(path)?.language ?? null;
    if (holders?.test(path) !== true && (written === null || !code.includes(written))) return false;
    const source = question.source(path);
    return source !== undefined && mayHold(source, new Set([newName]), written ?? '');
  });
  return { kind: paths.length === 0 ? 'fresh' : 'taken', paths };
}

/** Every file in scope whose text may hold the name as a word, sorted; a superset. */
export function listFilesHolding(question: Question, name: string): readonly string[] {
  const { changed, added, gone } = question.view.differences;
  const rows = question.ask((session) => [
    // Longer names are stored as hashes of a key that a reader does not have.
    ...(name.length > MAX_RUN_CHARS ? listSearchableFiles(session) : listFilesMatchingName(session, name)),
    ...listRedactedFiles(session),
  ]);
  const paths = new Set([...rows.map(({ path }) => path), ...changed, ...added]);
  for (const path of gone) paths.delete(path);
  return [...paths].sort(compareCodeUnits);
}

// Edits over one text, and where each place of it lies afterwards. Pure; offsets are UTF-16 units.

export type TextEdit = {
  readonly start: number;
  readonly end: number;
  readonly oldText: string;
  readonly newText: string;
  readonly form: EditForm;
};

type EditedText =
  | {
      readonly kind: 'edited';
      readonly text: string;
      readonly edits: readonly TextEdit[];
      /** Where a place outside every edit, or at the beginning of one, lies afterwards. */
      readonly moved: (index: number) => number;
    }
  | { readonly kind: 'unfit'; readonly start: number; readonly end: number; readonly why: string };

/** Equal edits count once; edits that overlap, or stand on other text than they say, are unfit. */
export function applyEdits(text: string, edits: readonly TextEdit[]): EditedText {
  const sorted = [...edits].sort((a, b) => a.start - b.start || a.end - b.end);
  const kept: TextEdit[] = [];
  for (const edit of sorted) {
    const last = kept.at(-1);
    if (last !== undefined && edit.start < last.end) {
      if (last.start === edit.start && last.end === edit.end && last.newText === edit.newText) continue;
      return { kind: 'unfit', start: edit.start, end: edit.end, why: 'two edits overlap' };
    }
    if (text.slice(edit.start, edit.end) !== edit.oldText)
      return { kind: 'unfit', start: edit.start, end: edit.end, why: 'the text is not what the edit replaces' };
    kept.push(edit);
  }
  const parts: string[] = [];
  const starts: number[] = [];
  const shifts: number[] = [];
  let from = 0;
  let shift = 0;
  for (const { start, end, newText } of kept) {
    parts.push(text.slice(from, start), newText);
    from = end;
    shift += newText.length - (end - start);
    starts.push(start);
    shifts.push(shift);
  }
  parts.push(text.slice(from));
  const moved = (index: number): number => {
    return index + (shifts[countWhile(starts, (start) => start < index) - 1] ?? 0);
  };
  return { kind: 'edited', text: parts.join(''), edits: kept, moved };
}

/** Which side of an expansion lexical scope looks at. Undefined: none, the edit is text. */
const scopeSide: Readonly<Record<EditForm, 'whole' | 'left' | 'right' | undefined>> = {
  plain: 'whole',
  shorthand_value: 'right',
  shorthand_property: 'right',
  destructured_property: 'right',
  destructured_local: 'right',
  import_keeps_local: 'right',
  import_local: 'right',
  export_keeps_public: 'left',
  export_public: 'left',
  string: undefined,
  jsdoc: undefined,
  specifier: undefined,
};

/** Offset of the lexically bound name inside an edit's new text. */
function boundOffset({ form, newText }: TextEdit): number | undefined {
  switch (scopeSide[form]) {
    case 'whole':
    case 'left':
      return 0;
    case 'right':
      return newText.length - (/[^\s:]+$/u.exec(newText)?.[0].length ?? newText.length);
    default:
      return undefined;
  }
}
