/**
 * A tree copied out of wasm memory once (or told by `oxc-tree.ts`), as plain arrays in document order, for analyses that ask the same node many questions.
 * A node is a number: its children come after it, `after[node]` is the first number behind its subtree. One loop from 0 to `count`
 * visits parents before children and needs no stack, so nesting in the source cannot exhaust one.
 */

import type { SourceTree, TextSpan } from '../facts.ts';
import { OxcTreeNode } from './oxc-node.ts';
import { listInside, type Part } from './oxc-parts.ts';

export type FlatTree = {
  readonly count: number;
  readonly text: string;
  /** Keywords and punctuation are written in quotes (`'var'`), named nodes bare, so that the two never meet. */
  readonly type: readonly string[];
  /** The field by which the parent knows the node, `''` for none. */
  readonly field: readonly string[];
  readonly parent: Int32Array;
  /** -1 for none. */
  readonly next: Int32Array;
  readonly after: Int32Array;
  readonly start: Uint32Array;
  readonly end: Uint32Array;
};

const flattened = new WeakMap<SourceTree, FlatTree>();

/** Asking twice for the same source costs nothing. The result holds nothing of the wasm tree. */
export function flattenTree(source: SourceTree): FlatTree {
  let tree = flattened.get(source);
  if (tree === undefined) {
    tree = source.root instanceof OxcTreeNode ? flattenParts(source.root, source.text) : copyTree(source);
    flattened.set(source, tree);
  }
  return tree;
}

export function firstChild(tree: FlatTree, node: number): number {
  return (tree.after[node] ?? 0) > node + 1 ? node + 1 : -1;
}

export function listChildNodes(tree: FlatTree, node: number): number[] {
  const children: number[] = [];
  for (let child = firstChild(tree, node); child >= 0; child = tree.next[child] ?? -1) children.push(child);
  return children;
}

/** The first child with that field, -1 for none. */
export function childByField(tree: FlatTree, node: number, field: string): number {
  for (let child = firstChild(tree, node); child >= 0; child = tree.next[child] ?? -1)
    if (tree.field[child] === field) return child;
  return -1;
}

/** The first child of that type, -1 for none. */
export function childByType(tree: FlatTree, node: number, type: string): number {
  for (let child = firstChild(tree, node); child >= 0; child = tree.next[child] ?? -1)
    if (tree.type[child] === type) return child;
  return -1;
}

export function textOf(tree: FlatTree, node: number): string {
  return tree.text.slice(tree.start[node], tree.end[node]);
}

export function spanAt(tree: FlatTree, node: number): TextSpan {
  return { start: tree.start[node] ?? 0, end: tree.end[node] ?? 0 };
}

/** A type name, not a quoted keyword or sign. */
export function isNamed(type: string): boolean {
  return type.charCodeAt(0) !== 39;
}

const errorId = 65535;

type Names = { readonly nameOfId: readonly string[]; readonly nameOfField: readonly string[] };
type Grammar = SourceTree['root']['tree']['language'];

const namesByGrammar = new WeakMap<Grammar, Names>();

/** Asked of the parser once: it has some four hundred types, and is asked across a border. */
function namesOf(grammar: Grammar): Names {
  let names = namesByGrammar.get(grammar);
  if (names === undefined) {
    const nameOfId = grammar.types.map((type, id) => (grammar.nodeTypeIsNamed(id) ? type : `'${type}'`));
    names = { nameOfId, nameOfField: grammar.fields.map((field) => field ?? '') };
    namesByGrammar.set(grammar, names);
  }
  return names;
}

/** The columns of a tree while its nodes come, each before those in it. */
function createColumns() {
  const type: string[] = [];
  const field: string[] = [];
  const parent: number[] = [];
  const next: number[] = [];
  const after: number[] = [];
  const start: number[] = [];
  const end: number[] = [];
  return {
    type,
    next,
    after,
    end,
    /** Which node it is. */
    add(itsType: string, itsField: string, above: number, from: number, to: number): number {
      const node = type.length;
      type.push(itsType);
      field.push(itsField);
      parent.push(above);
      next.push(-1);
      after.push(node + 1);
      start.push(from);
      end.push(to);
      return node;
    },
    seal: (text: string): FlatTree => ({
      count: type.length,
      text,
      type,
      field,
      parent: Int32Array.from(parent),
      next: Int32Array.from(next),
      after: Int32Array.from(after),
      start: Uint32Array.from(start),
      end: Uint32Array.from(end),
    }),
  };
}

function copyTree(source: SourceTree): FlatTree {
  const { nameOfId, nameOfField } = namesOf(source.root.tree.language);
  const columns = createColumns();
  const { type, next, after, end } = columns;
  const open: number[] = [];
  const cursor = source.root.walk();
  try {
    for (;;) {
      const id = cursor.nodeTypeId;
      const fieldId = cursor.currentFieldId;
      const node = columns.add(
        id === errorId ? 'ERROR' : (nameOfId[id] ?? 'ERROR'),
        fieldId === 0 ? '' : (nameOfField[fieldId] ?? ''),
        open.at(-1) ?? -1,
        cursor.startIndex,
        0,
      );
      open.push(node);
      if (cursor.gotoFirstChild()) continue;
      end[node] = cursor.endIndex;
      for (;;) {
        const closed = open.pop() ?? 0;
        after[closed] = type.length;
        if (cursor.gotoNextSibling()) {
          next[closed] = type.length;
          break;
        }
        const above = open.at(-1);
        if (above === undefined || !cursor.gotoParent()) return columns.seal(source.text);
        end[above] = cursor.endIndex;
      }
    }
  } finally {
    cursor.delete();
  }
}

/** A tree of oxc, without making its nodes. `text` has the length of what was parsed, and other words in the place of secrets. */
function flattenParts({ part: root, tree: { text: parsed } }: OxcTreeNode, text: string): FlatTree {
  const columns = createColumns();
  const { type, next, after } = columns;
  /** The nodes that are open, with what is still to come in each. */
  const open: { readonly node: number; readonly parts: readonly Part[]; index: number; last: number }[] = [];

  enter(root, -1);
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const part = top.parts[top.index];
    if (part === undefined) {
      after[top.node] = type.length;
      open.pop();
      continue;
    }
    top.index += 1;
    if (top.last >= 0) next[top.last] = type.length;
    top.last = type.length;
    enter(part, top.node);
  }
  return columns.seal(text);

  function enter(part: Part, above: number): void {
    const node = columns.add(part.type, part.field, above, part.start, part.end);
    if (part.open !== null) open.push({ node, parts: listInside(part, parsed), index: 0, last: -1 });
  }
}
