/**
 * From edits and doubts over UTF-16 text to the groups, items and files of a plan, over bytes of hashed files. One main group; one group
 * for each option of an item that edits something (mutation.md §4).
 */

import type { SourceText } from '../../index/view/code-view.ts';
import { blake3Hex } from '../../kernel/base/hash.ts';
import { compareCodeUnits } from '../../kernel/base/json.ts';
import { plural } from '../../kernel/base/text.ts';
import { createTextOffsets, type TextOffsets } from '../../kernel/tree/positions.ts';
import { findStandIn } from '../../kernel/tree/shown-names.ts';
import type { CompilerEdit, ItemDraft } from '../compiler/session/messages.ts';
import {
  type ImportStep,
  type ItemKind,
  itemKinds,
  type PlanKind,
  type Provenance,
  type RiskReason,
  type Tier,
} from '../vocabulary.ts';
import { anchorsOf } from './anchors.ts';
import { groupId, itemId } from './ids.ts';
import {
  type Anchor,
  type Edit,
  type Group,
  type Item,
  type ItemOption,
  type PlanFile,
  type PlanRisk,
  unnamedHash,
} from './plan.ts';

/** An edit without a proof, to be chosen by itself (§10). */
export type RiskyDraft = {
  readonly edit: CompilerEdit;
  readonly tier: Exclude<Tier, 'lexical'>;
  readonly risk: 'medium' | 'high';
  readonly reasons: readonly RiskReason[];
  readonly importChain: readonly ImportStep[];
};

type Sources = (path: string) => SourceText | undefined;

type BuiltGroups = {
  readonly groups: readonly Group[];
  readonly items: readonly Item[];
  readonly files: readonly PlanFile[];
  readonly risks: readonly PlanRisk[];
};

export function buildGroups(given: {
  readonly kind: PlanKind;
  readonly title: string;
  readonly symbolKeys: readonly string[];
  readonly provenance: Provenance;
  readonly edits: readonly CompilerEdit[];
  readonly items: readonly ItemDraft[];
  readonly risky?: readonly RiskyDraft[];
  /** Files that take part without being edited. */
  readonly affected: readonly string[];
  readonly unnamed?: Readonly<Record<string, string>> | undefined;
  readonly sources: Sources;
}): BuiltGroups {
  const files = createFileReader(given.sources);
  const main: Group = {
    id: groupId({ kind: given.kind, symbolKeys: given.symbolKeys, class: 'main' }),
    title: given.title,
    provenance: given.provenance,
    itemId: null,
    option: null,
    edits: toEdits(given.edits, files),
  };
  // A plan whose every edit is to be selected by itself has no group that could be committed without one.
  const groups: Group[] = main.edits.length === 0 && (given.risky ?? []).length > 0 ? [] : [main];
  const items: Item[] = [];
  const seen = new Set<string>();
  for (const draft of given.items) {
    const made = toItem(draft, given, files, groups);
    if (seen.has(made.id)) continue;
    seen.add(made.id);
    items.push(made);
  }
  const risks = (given.risky ?? []).map((draft): PlanRisk => {
    const edits = toEdits([draft.edit], files);
    const [at] = edits;
    const group: Group = {
      id: groupId({ kind: given.kind, symbolKeys: given.symbolKeys, class: draft.tier, at: at ?? null }),
      title: `${draft.edit.path}:${at?.line}:${at?.col}`,
      provenance: draft.tier === 'text' ? 'text' : 'syntactic',
      itemId: null,
      option: null,
      edits,
    };
    groups.push(group);
    const { tier, risk, reasons, importChain } = draft;
    return { groupId: group.id, tier, risk, reasons, importChain };
  });
  const edited = new Set(groups.flatMap(({ edits }) => edits.map(({ path }) => path)));
  const named = new Set([...edited, ...given.affected, ...items.map(({ path }) => path)]);
  const planFiles = [...named].sort(compareCodeUnits).flatMap((path): PlanFile[] => {
    const file = files(path);
    if (file === undefined || findStandIn(path) !== undefined) return [];
    return [{ path, role: edited.has(path) ? 'edited' : 'affected', hash: file.hash, newHash: null, mode: null }];
  });
  const unnamed = Object.entries(given.unnamed ?? {}).map(([path, hash]): PlanFile => {
    return { path, role: 'affected', hash: `${unnamedHash}${hash}`, newHash: null, mode: null };
  });
  return { groups, items: items.sort(byPlace), files: [...planFiles, ...unnamed], risks };
}

function toItem(
  draft: ItemDraft,
  given: { readonly kind: PlanKind; readonly symbolKeys: readonly string[] },
  files: FileReader,
  groups: Group[],
): Item {
  const path = findStandIn(draft.path) ?? draft.path;
  const file = files(path);
  const [anchor] = file === undefined ? [emptyAnchor] : anchorsOf(file.source.text, [draft]);
  const at = file?.offsets.toLineColumn(draft.start) ?? { line: 0, column: 0 };
  const item = {
    kind: draft.kind,
    path,
    startByte: file?.offsets.toByte(draft.start) ?? 0,
    endByte: file?.offsets.toByte(draft.end) ?? 0,
    line: at.line + 1,
    col: at.column + 1,
    text: file?.source.text.slice(draft.start, draft.end) ?? '',
    anchor: anchor ?? emptyAnchor,
    detail: draft.detail,
    chosen: null,
  };
  const id = itemId(item);
  const options = (draft.options ?? itemKinds[draft.kind]).map((option): ItemOption => {
    const edits = draft.edits[option] ?? [];
    const means = `${describeOption(draft.kind, option)}${countOf(edits)}`;
    if (edits.length === 0) return { id: option, means, groupId: null };
    const name = { kind: given.kind, symbolKeys: given.symbolKeys, class: 'item', itemId: id, option };
    const group: Group = {
      id: groupId(name),
      title: means,
      provenance: 'text',
      itemId: id,
      option,
      edits: toEdits(edits, files),
    };
    if (!groups.some((known) => known.id === group.id)) groups.push(group);
    return { id: option, means, groupId: group.id };
  });
  return { id, ...item, options };
}

/** Said where one answer decides about many places. */
function countOf(edits: readonly CompilerEdit[]): string {
  const files = new Set(edits.map(({ path }) => path)).size;
  return edits.length < 2 ? '' : `: ${plural(edits.length, 'edit')} in ${plural(files, 'file')}`;
}

function toEdits(edits: readonly CompilerEdit[], files: FileReader): readonly Edit[] {
  const byPath = Map.groupBy(edits, ({ path }) => path);
  return [...byPath]
    .sort(([a], [b]) => compareCodeUnits(a, b))
    .flatMap(([path, ones]) => {
      const file = files(path);
      if (file === undefined) throw new Error(`an edit in ${path}, which cannot be read`);
      const { source, offsets } = file;
      const sorted = [...ones].sort((a, b) => a.start - b.start);
      const anchors = anchorsOf(source.text, sorted);
      return sorted.map((edit, index): Edit => {
        const { line, column } = offsets.toLineColumn(edit.start);
        return {
          path,
          startByte: offsets.toByte(edit.start),
          endByte: offsets.toByte(edit.end),
          oldText: edit.oldText,
          newText: edit.newText,
          form: edit.form,
          line: line + 1,
          col: column + 1,
          anchor: anchors[index] ?? emptyAnchor,
        };
      });
    });
}

type ReadFile = { readonly source: SourceText; readonly offsets: TextOffsets; readonly hash: string };
type FileReader = (path: string) => ReadFile | undefined;

function createFileReader(sources: Sources): FileReader {
  const known = new Map<string, ReadFile | undefined>();
  return (path) => {
    if (known.has(path)) return known.get(path);
    const source = sources(path);
    const file =
      source === undefined
        ? undefined
        : { source, offsets: createTextOffsets(source.text, source), hash: blake3Hex(source.bytes) };
    known.set(path, file);
    return file;
  };
}

const emptyAnchor: Anchor = { before: '', text: '', after: '', lineHash: '', ordinal: 0 };

function byPlace(a: Item, b: Item): number {
  return compareCodeUnits(a.path, b.path) || a.startByte - b.startByte || compareCodeUnits(a.kind, b.kind);
}

/** What each option of a question means, in words for the reader. */
const words: Readonly<Record<string, string>> = {
  rename: 'rename it here too',
  leave: 'leave it as it is',
  accept: 'go on: it does not reach the renamed thing, or that is seen to elsewhere',
  stop: 'give the change up',
  edit: 'edit the generated file',
  keep_alias: 'keep the public name, as an alias of the new one',
};

const special: Partial<Record<ItemKind, Readonly<Record<string, string>>>> = {
  public_api: {
    rename:
      'rename the public name as well; users of the package have to follow (`--public-names rename` says so at once)',
    keep_alias: 'keep the public name for users of the package, as an alias of the new one',
  },
  structural_tie: {
    rename: 'rename the other side too, with all its uses',
    leave: 'leave the other side as it is',
  },
  generated_code: { edit: 'edit the generated file', leave: 'leave it to the next generation' },
  unreadable_file: { leave: 'leave the file as it is' },
  proof_unavailable: { accept: 'go on without the compiler’s proof' },
  computed_path: { accept: 'go on: it does not lead there, or is seen to by hand' },
  file_listing: { accept: 'go on: it does not matter there, or is seen to by hand' },
  own_path: { accept: 'go on: its new path serves as well, or is seen to by hand' },
  module_system: { accept: 'go on: it runs the same in its new place' },
  module_shadow: { accept: 'go on: it leads where it should' },
  file_convention: { accept: 'go on: the new path is what the tool is to see' },
  companion_file: { accept: 'go on: the other file stays, or is moved by hand' },
};

function describeOption(kind: ItemKind, option: string): string {
  return special[kind]?.[option] ?? words[option] ?? option;
}
