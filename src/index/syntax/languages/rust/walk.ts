/** What the parts of the Rust extractor share: where an item stands, what is collected, and how an item is read. */

import type { Node } from 'web-tree-sitter';
import { addRecord, type FactSheet } from '../shared/fact-sheet.ts';
import { normaliseRust } from './tokens.ts';

export type Scope = {
  readonly kind: 'module' | 'trait' | 'impl' | 'trait_impl' | 'foreign';
  /** Inside the body of a function: symbols, but no records. */
  readonly local: boolean;
  readonly parent: number;
  /** Written before the text of every record inside. */
  readonly path: string;
  /** Records inside are also meant by these names: the inline modules or the type around them. */
  readonly names: readonly string[];
  /** Everything around is visible to other files. */
  readonly open: boolean;
  /** The inline modules around, which `super` leaves one by one. */
  readonly modules: readonly string[];
};

/** An item with the attributes before it. */
export type Item = { readonly node: Node; readonly start: number; readonly attributes: string; readonly scope: Scope };

export type Walk = {
  readonly sheet: FactSheet;
  readonly text: string;
  readonly pending: Item[];
  readonly hiddenTypes: Set<string>;
  readonly usesSeen: Set<number>;
  hasModFiles: boolean;
  hasBodyUses: boolean;
  /** Some `use x::*` brings in names that no import lists. */
  hasGlob: boolean;
};

export function addRecordOf(
  walk: Walk,
  item: Item,
  names: readonly string[],
  isPublic: boolean,
  end: number,
  inferred = false,
): void {
  const { start, scope } = item;
  const { text } = walk;
  addRecord(walk.sheet, names, isPublic, () => scope.path + normaliseRust(text.slice(start, end)), inferred);
}

export function isVisible(walk: Walk, node: Node): boolean {
  const first = node.firstNamedChild;
  return first?.type === 'visibility_modifier' && !/^pub\s*\(\s*self/.test(sliceOf(walk, first));
}

/** The name without `r#`, which only says that it is no keyword here. */
export function nameOf(walk: Walk, node: Node): { text: string; start: number; end: number } {
  const name = node.childForFieldName('name');
  if (name === null) return { text: '', start: node.startIndex, end: node.startIndex };
  return { text: sliceOf(walk, name).replace(/^r#/, ''), start: name.startIndex, end: name.endIndex };
}

export function sliceOf(walk: Walk, node: Node): string {
  return walk.text.slice(node.startIndex, node.endIndex);
}
