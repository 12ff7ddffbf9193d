/**
 * φ of the shadow proof (mutation.md §3.1): where everything of the *before* programs stands after the edits. Positions shift, edited
 * names are their new texts, moved files have new paths, and a name that is written out in two (`{ a }` as `{ a: b }`) becomes two
 * tokens whose roles are fixed by what it stood in. Pure; nothing here asks the compiler.
 */

import { countWhile } from '../../../kernel/base/count-while.ts';
import { type Node, SyntaxKind } from '../../../languages/typescript/compiler/typescript-api.ts';
import { type NameToken, placeKey } from '../job/job-types.ts';
import type { CompilerEdit, DeclarationPlace, ProofSubject } from '../session/messages.ts';

/** What a name that means two things stood in, which decides what each half means. */
export type Pair = 'shorthand' | 'destructuring' | 'specifier';

export type Image = {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  /** Null: the text is not compared, because quotes and escapes are its writer's choice. */
  readonly text: string | null;
  /** `first` and `second` of a name that was written out. */
  readonly half: 'whole' | 'first' | 'second';
  readonly pair: Pair | null;
};

export type EditMap = {
  /** Root-relative paths of edited and moved files, as they were. */
  readonly touched: readonly string[];
  path(path: string): string;
  /** The file that has this path after the edits, by the path it had. */
  pathBefore(path: string): string;
  offset(path: string, offset: number): number;
  /** Offsets after the edits, those within a written-out name moved to its start, so that both halves are one place. */
  settle(path: string, offset: number): number;
  /** `placeKey` after the edits. */
  placeKey(place: DeclarationPlace): string;
  /** Empty when an edit cuts through the token. */
  images(token: NameToken): readonly Image[];
  textAfter(path: string, text: string): string;
};

type Written = { readonly pair: Pair; readonly firstEnd: number; readonly secondStart: number };
type Shifted = CompilerEdit & {
  readonly newStart: number;
  readonly newEnd: number;
  readonly written: Written | undefined;
};

/** `tokens` gives the name tokens of an edited file as it was. */
export function mapEdits(question: ProofSubject, tokens: (path: string) => readonly NameToken[]): EditMap {
  const files = new Map<string, readonly Shifted[]>();
  for (const [path, edits] of groupByPath(question.edits)) files.set(path, shiftEdits(edits, tokens(path)));
  const movedTo = new Map(question.moves.map(({ from, to }) => [from, to]));
  const movedFrom = new Map(question.moves.map(({ from, to }) => [to, from]));
  const path = (before: string) => movedTo.get(before) ?? before;

  const offset = (before: string, at: number): number => {
    const edits = files.get(before);
    if (edits === undefined) return at;
    const edit = lastStartingAt(edits, at);
    if (edit === undefined) return at;
    if (at < edit.end || at === edit.start)
      return edit.newStart + Math.min(at - edit.start, edit.newEnd - edit.newStart);
    return at + edit.newEnd - edit.end;
  };

  return {
    touched: [...new Set([...files.keys(), ...movedTo.keys()])].sort(),
    path,
    pathBefore: (after) => movedFrom.get(after) ?? after,
    offset,
    settle: (before, at) => {
      const edit = files.get(before)?.find((one) => one.written !== undefined && at >= one.newStart && at < one.newEnd);
      return edit === undefined ? at : edit.newStart;
    },
    placeKey: (place) => {
      if (place.outside) return placeKey(place);
      const edit = findAt(files.get(place.path), place.start);
      // A shorthand property declares the property, which its first half names; the others declare what their second half names.
      const isSecond = edit?.written !== undefined && edit.written.pair !== 'shorthand';
      const start = isSecond && edit.written !== undefined ? edit.written.secondStart : offset(place.path, place.start);
      return placeKey({ path: path(place.path), start, outside: false });
    },
    images: (token) => imagesOf(token, path(token.path), files.get(token.path) ?? [], offset, question.newName),
    textAfter: (before, text) => replaceAll(text, files.get(before) ?? []),
  };
}

function imagesOf(
  token: NameToken,
  path: string,
  edits: readonly Shifted[],
  offset: EditMap['offset'],
  newName: string,
): readonly Image[] {
  const edit = findAt(edits, token.start);
  if (edit === undefined) {
    if (edits.some((one) => one.start < token.end && one.end > token.start)) return [];
    const start = offset(token.path, token.start);
    return [{ path, start, end: start + token.end - token.start, text: token.text, half: 'whole', pair: null }];
  }
  if (edit.end !== token.end) return [];
  const { newStart, newEnd, written, newText } = edit;
  if (written === undefined) {
    const isQuoted = token.kind === 'string' || token.kind === 'template';
    const text = isQuoted ? (newText.includes('\\') ? null : newText) : newText === newName ? newName : newText;
    return [{ path, start: newStart, end: newEnd, text, half: 'whole', pair: null }];
  }
  const { pair, firstEnd, secondStart } = written;
  const slice = (from: number, to: number) => newText.slice(from - newStart, to - newStart);
  return [
    { path, start: newStart, end: firstEnd, text: slice(newStart, firstEnd), half: 'first', pair },
    { path, start: secondStart, end: newEnd, text: slice(secondStart, newEnd), half: 'second', pair },
  ];
}

function groupByPath(edits: readonly CompilerEdit[]): ReadonlyMap<string, readonly CompilerEdit[]> {
  const files = new Map<string, CompilerEdit[]>();
  for (const edit of edits) {
    const list = files.get(edit.path) ?? [];
    if (list.length === 0) files.set(edit.path, list);
    list.push(edit);
  }
  for (const list of files.values()) list.sort((a, b) => a.start - b.start);
  return files;
}

function shiftEdits(edits: readonly CompilerEdit[], tokens: readonly NameToken[]): readonly Shifted[] {
  const byStart = new Map(tokens.map((token) => [token.start, token]));
  let delta = 0;
  return edits.map((edit) => {
    const newStart = edit.start + delta;
    delta += edit.newText.length - (edit.end - edit.start);
    const token = byStart.get(edit.start);
    const written = token === undefined || token.end !== edit.end ? undefined : readPair(token, edit.newText, newStart);
    return { ...edit, newStart, newEnd: newStart + edit.newText.length, written };
  });
}

/** `a: b` where both names stood in one, `a as b` where a specifier had no name of its own. */
function readPair(token: NameToken, newText: string, newStart: number): Written | undefined {
  const pair = pairOf(token.node);
  const parts = /^(\S+?)(\s*:\s*|\s+as\s+)(\S+)$/u.exec(newText);
  const [, first = '', between = ''] = parts ?? [];
  if (pair === undefined || parts === null || (pair === 'specifier') !== between.includes('as')) return undefined;
  const firstEnd = newStart + first.length;
  return { pair, firstEnd, secondStart: firstEnd + between.length };
}

function pairOf(node: Node): Pair | undefined {
  const parent = node.parent as (Node & { readonly propertyName?: Node; readonly name?: Node }) | undefined;
  if (parent === undefined || parent.name !== node || parent.propertyName !== undefined) return undefined;
  switch (parent.kind) {
    case SyntaxKind.ShorthandPropertyAssignment:
      return 'shorthand';
    case SyntaxKind.BindingElement:
      return 'destructuring';
    case SyntaxKind.ImportSpecifier:
    case SyntaxKind.ExportSpecifier:
      return 'specifier';
    default:
      return undefined;
  }
}

/** Index of the last edit that starts at or before the offset; edits are sorted and do not overlap. */
function lastStartingAt(edits: readonly Shifted[], at: number): Shifted | undefined {
  return edits[countWhile(edits, ({ start }) => start <= at) - 1];
}

function findAt(edits: readonly Shifted[] | undefined, start: number): Shifted | undefined {
  const edit = edits === undefined ? undefined : lastStartingAt(edits, start);
  return edit?.start === start ? edit : undefined;
}

function replaceAll(text: string, edits: readonly Shifted[]): string {
  let result = '';
  let done = 0;
  for (const edit of edits) {
    result += text.slice(done, edit.start) + edit.newText;
    done = edit.end;
  }
  return result + text.slice(done);
}
