/**
 * A tree of the oxc parser, asked as one of tree-sitter's is. A node is made when it is first asked for, and made once: readers that look at
 * few nodes pay for few. Such a tree has no errors.
 */

import { listInside, type Part } from './oxc-parts.ts';
import type { Language, Node, TreeCursor } from './syntax-node.ts';

type Tree = {
  readonly language: Language;
  readonly text: string;
  readonly typeIds: ReadonlyMap<string, number>;
  count: number;
  lines: readonly number[] | undefined;
};

export function createOxcTree(root: Part, text: string, language: Language): OxcTreeNode {
  return new OxcTreeNode({ language, text, typeIds: typeIdsOf(language), count: 0, lines: undefined }, root, null, 0);
}

export class OxcTreeNode implements Node {
  readonly id: number;
  readonly tree: Tree;
  readonly part: Part;
  readonly parent: OxcTreeNode | null;
  /** Its place among the children of its parent. */
  readonly place: number;
  readonly isError = false;
  readonly isMissing = false;
  readonly hasError = false;
  #children: OxcTreeNode[] | undefined;

  constructor(tree: Tree, part: Part, parent: OxcTreeNode | null, place: number) {
    tree.count += 1;
    this.id = tree.count;
    this.tree = tree;
    this.part = part;
    this.parent = parent;
    this.place = place;
  }

  get type(): string {
    const { type } = this.part;
    return type.charCodeAt(0) === 39 ? type.slice(1, -1) : type;
  }

  get typeId(): number {
    return this.tree.typeIds.get(this.part.type) ?? 0;
  }

  get isNamed(): boolean {
    return this.part.type.charCodeAt(0) !== 39;
  }

  get isExtra(): boolean {
    return this.part.type === 'comment' || this.part.type === 'html_comment';
  }

  get startIndex(): number {
    return this.part.start;
  }

  get endIndex(): number {
    return this.part.end;
  }

  get startPosition(): { readonly row: number; readonly column: number } {
    const lines = linesOf(this.tree);
    let row = 0;
    for (let high = lines.length; row < high; ) {
      const middle = (row + high) >> 1;
      if ((lines[middle] ?? 0) <= this.part.start) row = middle + 1;
      else high = middle;
    }
    return { row: row - 1, column: this.part.start - (lines[row - 1] ?? 0) };
  }

  get text(): string {
    return this.tree.text.slice(this.part.start, this.part.end);
  }

  get children(): OxcTreeNode[] {
    this.#children ??= listInside(this.part, this.tree.text).map(
      (part, place) => new OxcTreeNode(this.tree, part, this, place),
    );
    return this.#children;
  }

  get childCount(): number {
    return this.children.length;
  }

  get namedChildren(): OxcTreeNode[] {
    return this.children.filter(({ isNamed }) => isNamed);
  }

  get namedChildCount(): number {
    return this.namedChildren.length;
  }

  get firstChild(): OxcTreeNode | null {
    return this.children[0] ?? null;
  }

  get lastChild(): OxcTreeNode | null {
    return this.children.at(-1) ?? null;
  }

  get firstNamedChild(): OxcTreeNode | null {
    return this.children.find(({ isNamed }) => isNamed) ?? null;
  }

  get lastNamedChild(): OxcTreeNode | null {
    return this.children.findLast(({ isNamed }) => isNamed) ?? null;
  }

  get nextSibling(): OxcTreeNode | null {
    return this.parent?.children[this.place + 1] ?? null;
  }

  get previousSibling(): OxcTreeNode | null {
    return this.parent?.children[this.place - 1] ?? null;
  }

  get nextNamedSibling(): OxcTreeNode | null {
    let node = this.nextSibling;
    while (node !== null && !node.isNamed) node = node.nextSibling;
    return node;
  }

  get previousNamedSibling(): OxcTreeNode | null {
    let node = this.previousSibling;
    while (node !== null && !node.isNamed) node = node.previousSibling;
    return node;
  }

  child(index: number): OxcTreeNode | null {
    return this.children[index] ?? null;
  }

  namedChild(index: number): OxcTreeNode | null {
    return this.namedChildren[index] ?? null;
  }

  childForFieldName(field: string): OxcTreeNode | null {
    return this.children.find(({ part }) => part.field === field) ?? null;
  }

  childrenForFieldName(field: string): OxcTreeNode[] {
    return this.children.filter(({ part }) => part.field === field);
  }

  firstChildForIndex(index: number): OxcTreeNode | null {
    const { children } = this;
    let low = 0;
    for (let high = children.length; low < high; ) {
      const middle = (low + high) >> 1;
      if ((children[middle]?.part.end ?? 0) <= index) low = middle + 1;
      else high = middle;
    }
    return children[low] ?? null;
  }

  descendantForIndex(start: number, end = start): OxcTreeNode | null {
    let node: OxcTreeNode = this;
    for (;;) {
      const inner = node.firstChildForIndex(start) ?? node.lastChild;
      if (inner === null || inner.part.start > start || inner.part.end < end) return node;
      node = inner;
    }
  }

  descendantsOfType(types: string | string[]): OxcTreeNode[] {
    const wanted = new Set(typeof types === 'string' ? [types] : types);
    const found: OxcTreeNode[] = [];
    const waiting: OxcTreeNode[] = [this];
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      if (wanted.has(node.type)) found.push(node);
      for (let place = node.children.length - 1; place >= 0; place -= 1) waiting.push(node.children[place] ?? node);
    }
    return found;
  }

  equals(other: Node): boolean {
    return this === other;
  }

  walk(): TreeCursor {
    return new OxcCursor(this);
  }
}

class OxcCursor implements TreeCursor {
  /** Where it began: it does not leave what is below. */
  #root: OxcTreeNode;
  #node: OxcTreeNode;

  constructor(root: OxcTreeNode) {
    this.#root = root;
    this.#node = root;
  }

  get currentNode(): OxcTreeNode {
    return this.#node;
  }

  get currentFieldId(): number {
    const { field } = this.#node.part;
    return field === '' || this.#node === this.#root ? 0 : this.#node.tree.language.fields.indexOf(field);
  }

  get currentFieldName(): string | null {
    const { field } = this.#node.part;
    return field === '' || this.#node === this.#root ? null : field;
  }

  get nodeType(): string {
    return this.#node.type;
  }

  get nodeTypeId(): number {
    return this.#node.typeId;
  }

  get startIndex(): number {
    return this.#node.part.start;
  }

  get endIndex(): number {
    return this.#node.part.end;
  }

  gotoFirstChild(): boolean {
    return this.#goto(this.#node.firstChild);
  }

  gotoLastChild(): boolean {
    return this.#goto(this.#node.lastChild);
  }

  gotoNextSibling(): boolean {
    return this.#node !== this.#root && this.#goto(this.#node.nextSibling);
  }

  gotoPreviousSibling(): boolean {
    return this.#node !== this.#root && this.#goto(this.#node.previousSibling);
  }

  gotoParent(): boolean {
    return this.#node !== this.#root && this.#goto(this.#node.parent);
  }

  reset(node: Node): void {
    this.#root = node as OxcTreeNode;
    this.#node = this.#root;
  }

  delete(): void {}

  #goto(node: OxcTreeNode | null): boolean {
    if (node === null) return false;
    this.#node = node;
    return true;
  }
}

function linesOf(tree: Tree): readonly number[] {
  if (tree.lines === undefined) {
    const lines = [0];
    for (let at = tree.text.indexOf('\n'); at >= 0; at = tree.text.indexOf('\n', at + 1)) lines.push(at + 1);
    tree.lines = lines;
  }
  return tree.lines;
}

const idsByLanguage = new WeakMap<Language, ReadonlyMap<string, number>>();

/** The first id of each type. Several may share a name; readers go by the name. */
function typeIdsOf(language: Language): ReadonlyMap<string, number> {
  let ids = idsByLanguage.get(language);
  if (ids === undefined) {
    const found = new Map<string, number>();
    language.types.forEach((type, id) => {
      const name = language.nodeTypeIsNamed(id) ? type : `'${type}'`;
      if (type !== null && !found.has(name)) found.set(name, id);
    });
    ids = found;
    idsByLanguage.set(language, ids);
  }
  return ids;
}
