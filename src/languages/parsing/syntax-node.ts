/**
 * What readers ask of a tree. tree-sitter's nodes and cursors fit, and so do those of `oxc-node.ts`: a reader that keeps to this does not
 * know which parser read its file.
 */

export type Node = {
  /** Equal for the same node of a tree, and for no other. */
  readonly id: number;
  readonly type: string;
  readonly typeId: number;
  readonly startIndex: number;
  readonly endIndex: number;
  readonly startPosition: { readonly row: number; readonly column: number };
  readonly text: string;
  readonly isNamed: boolean;
  /** A comment: it may stand anywhere. */
  readonly isExtra: boolean;
  readonly isError: boolean;
  readonly isMissing: boolean;
  /** An error lies in it. */
  readonly hasError: boolean;
  readonly tree: { readonly language: Language };
  readonly parent: Node | null;
  readonly children: Node[];
  readonly namedChildren: Node[];
  readonly childCount: number;
  readonly namedChildCount: number;
  readonly firstChild: Node | null;
  readonly lastChild: Node | null;
  readonly firstNamedChild: Node | null;
  readonly lastNamedChild: Node | null;
  readonly nextSibling: Node | null;
  readonly previousSibling: Node | null;
  readonly nextNamedSibling: Node | null;
  readonly previousNamedSibling: Node | null;
  child(index: number): Node | null;
  namedChild(index: number): Node | null;
  childForFieldName(field: string): Node | null;
  childrenForFieldName(field: string): Node[];
  /** The first child that ends behind the place. */
  firstChildForIndex(index: number): Node | null;
  /** The smallest node that holds the places. */
  descendantForIndex(start: number, end?: number): Node | null;
  descendantsOfType(types: string | string[]): Node[];
  equals(other: Node): boolean;
  walk(): TreeCursor;
};

export type TreeCursor = {
  readonly currentNode: Node;
  readonly currentFieldId: number;
  readonly currentFieldName: string | null;
  readonly nodeType: string;
  readonly nodeTypeId: number;
  readonly startIndex: number;
  readonly endIndex: number;
  gotoFirstChild(): boolean;
  gotoLastChild(): boolean;
  gotoNextSibling(): boolean;
  gotoPreviousSibling(): boolean;
  gotoParent(): boolean;
  reset(node: Node): void;
  delete(): void;
};

/** The names that a grammar has. */
export type Language = {
  readonly types: readonly string[];
  readonly fields: readonly (string | null)[];
  nodeTypeIsNamed(id: number): boolean;
};
