/** What the parts of the C extractor share: where a declaration stands and what is collected. */

import type { Node } from 'web-tree-sitter';
import type { FactSheet } from '../shared/fact-sheet.ts';

export type Scope = {
  readonly kind: 'file' | 'class' | 'local';
  /** The class around, without template arguments. */
  readonly name: string;
  readonly parent: number;
  /** Namespaces around, written before the text of every record. */
  readonly path: string;
  readonly guard: string;
  /** What is declared here can be seen outside: no anonymous namespace, no `private`. */
  readonly exported: boolean;
};

/** A declaration, beginning with the `template <…>` or `friend` before it. */
export type Item = { readonly node: Node; readonly start: number; readonly scope: Scope };

export type Walk = {
  readonly sheet: FactSheet;
  readonly text: string;
  readonly isHeader: boolean;
  readonly pending: Item[];
};

export function spanOf(node: Node, start: number): { start: number; end: number } {
  return { start, end: node.endIndex };
}
