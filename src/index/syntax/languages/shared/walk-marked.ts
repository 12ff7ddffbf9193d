/**
 * A walk that leaves out what cannot matter. A regular expression over the text marks the places where something may be found; a
 * subtree of a prunable type without a mark inside is never entered. Reading bodies is most of the cost of an extractor, and most
 * bodies hold nothing that is looked for. No recursion, so nesting in the source cannot exhaust the stack.
 */

import type { Language, Node, TreeCursor } from 'web-tree-sitter';

/** As in `walk-tree.ts`, but a `Node` is made only by visitors that ask the cursor for it. */
export type CursorVisitors = Readonly<Record<string, (cursor: TreeCursor) => (() => void) | 'skip' | undefined>>;

/** Types whose subtrees are left out where they hold no mark, as long as the function says so. */
export type Prunable = Readonly<Record<string, () => boolean>>;

/** Offsets in ascending order. */
export type Marks = readonly number[];

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
