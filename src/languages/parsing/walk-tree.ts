/**
 * Three walks over a tree in document order: the plain one that most extractors share, one that leaves out what cannot matter, and one
 * that knows what each node stands in.
 * None recurses, so nesting in the source cannot exhaust the stack; each makes a `Node` only for the types asked for:
 * crossing the wasm border is what costs (0.3 µs per node without it).
 */

import type { TextSpan } from '../facts.ts';
import type { Language, Node, TreeCursor } from './syntax-node.ts';

/** What to do when a node of that type begins. An answered function is called where the node ends; `skip` leaves out what is inside. */
export type Visitors = Readonly<Record<string, (node: Node) => (() => void) | 'skip' | undefined>>;

export function walkTree(root: Node, visitors: Visitors): void {
  const ofNodes = Object.entries(visitors).map(([type, visit]) => [
    type,
    (cursor: TreeCursor) => visit(cursor.currentNode),
  ]);
  walkMarked(root, Object.fromEntries(ofNodes), [], {});
}

/** Named children without comments: what a grammar's rule talks about. */
export function listChildren(node: Node | null): Node[] {
  return node === null ? [] : node.namedChildren.filter((child) => !child.isExtra);
}

export function spanOf(node: Node): TextSpan {
  return { start: node.startIndex, end: node.endIndex };
}

// A walk that leaves out what cannot matter. A regular expression over the text marks the places where something may be found; a
// subtree of a prunable type without a mark inside is never entered. Reading bodies is most of the cost of an extractor, and most
// bodies hold nothing that is looked for.

/** As `Visitors`, but a `Node` is made only by visitors that ask the cursor for it. */
export type CursorVisitors = Readonly<Record<string, (cursor: TreeCursor) => (() => void) | 'skip' | undefined>>;

/** Types whose subtrees are left out where they hold no mark, as long as the function says so. */
export type Prunable = Readonly<Record<string, () => boolean>>;

/** Types that are left out wherever they hold no mark. */
export function pruneAlways(types: string): Prunable {
  return Object.fromEntries(types.split(/\s+/).map((type) => [type, () => true]));
}

/** Offsets in ascending order. */
type Marks = readonly number[];

export function findMarks(text: string, pattern: RegExp): Marks {
  const marks: number[] = [];
  for (const match of text.matchAll(pattern)) marks.push(match.index);
  return marks;
}

export function hasMark(marks: Marks, start: number, end: number): boolean {
  let low = 0;
  let high = marks.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((marks[middle] ?? 0) < start) low = middle + 1;
    else high = middle;
  }
  return (marks[low] ?? end) < end;
}

export function walkMarked(root: Node, visitors: CursorVisitors, marks: Marks, prunable: Prunable): void {
  const { language } = root.tree;
  const visitorById = byTypeId(language, visitors);
  const prunableById = byTypeId(language, prunable);
  const cursor = root.walk();
  const leave: ((() => void) | undefined)[] = [];
  try {
    for (;;) {
      const id = cursor.nodeTypeId;
      const answer = visitorById[id]?.(cursor);
      leave.push(answer === 'skip' ? undefined : answer);
      const enters =
        answer !== 'skip' &&
        (prunableById[id]?.() !== true || hasMark(marks, cursor.startIndex, cursor.endIndex)) &&
        cursor.gotoFirstChild();
      if (enters) continue;
      for (;;) {
        leave.pop()?.();
        if (cursor.gotoNextSibling()) break;
        if (!cursor.gotoParent()) return;
      }
    }
  } finally {
    cursor.delete();
  }
}

const idsByLanguage = new WeakMap<Language, ReadonlyMap<string, readonly number[]>>();

function byTypeId<T>(language: Language, table: Readonly<Record<string, T>>): (T | undefined)[] {
  let ids = idsByLanguage.get(language);
  if (ids === undefined) {
    ids = listIds(language);
    idsByLanguage.set(language, ids);
  }
  const byId: (T | undefined)[] = new Array(language.types.length).fill(undefined);
  for (const [type, value] of Object.entries(table)) {
    for (const id of ids.get(type) ?? []) byId[id] = value;
  }
  return byId;
}

/** Several ids may share a type's name; those of anonymous tokens (`class` the keyword) are left out. */
function listIds(language: Language): ReadonlyMap<string, readonly number[]> {
  const ids = new Map<string, number[]>();
  language.types.forEach((type, id) => {
    if (type === null || !language.nodeTypeIsNamed(id)) return;
    const known = ids.get(type);
    if (known === undefined) ids.set(type, [id]);
    else known.push(id);
  });
  return ids;
}

// A walk that knows what each node stands in. Asking the tree for a parent costs a search from the root, which hostile files can make
// long; here the types above are on a stack. A `Node` is made only where a visitor wants one, after a look at the text.

export type Visit = {
  /** Type of the nth node above: 1 is the parent. */
  readonly above: (distance: number) => string | undefined;
};

type AncestorVisitor = {
  /** Decides from the text at the node's beginning alone, so that most nodes need not be made. */
  readonly when?: (start: number) => boolean;
  /** An answered function is called where the node ends. */
  readonly enter: (node: Node, visit: Visit) => (() => void) | undefined;
};

export function walkWithAncestors(root: Node, visitors: Readonly<Record<string, AncestorVisitor>>): void {
  const { language } = root.tree;
  const { types } = language;
  const visitorById = types.map((type, id) =>
    Object.hasOwn(visitors, type) && language.nodeTypeIsNamed(id) ? visitors[type] : undefined,
  );
  const path: number[] = [];
  const leave: ((() => void) | undefined)[] = [];
  const visit: Visit = {
    above: (distance) => {
      const id = path[path.length - 1 - distance];
      return id === undefined ? undefined : (types[id] ?? undefined);
    },
  };
  const cursor = root.walk();
  try {
    for (;;) {
      const id = cursor.nodeTypeId;
      const visitor = visitorById[id];
      path.push(id);
      const wanted = visitor !== undefined && (visitor.when === undefined || visitor.when(cursor.startIndex));
      leave.push(wanted ? visitor.enter(cursor.currentNode, visit) : undefined);
      if (cursor.gotoFirstChild()) continue;
      for (;;) {
        leave.pop()?.();
        path.pop();
        if (cursor.gotoNextSibling()) break;
        if (!cursor.gotoParent()) return;
      }
    }
  } finally {
    cursor.delete();
  }
}
