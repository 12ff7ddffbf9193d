/** Edits as a reader wants them: the line before and after, file by file, not more than fit on a screen. */

import type { EditView } from '../../../mutate/answer.ts';
import { plural, shown } from '../../operations/shared/words.ts';
import type { Look } from '../mutation.ts';

/** Lines of code shown for one plan, and of one file of many. */
const shownLines = { all: 24, ofFile: 4 } as const;
const lineWidth = 110;
/** What is kept before the first edit of a line that is too long. */
const leadWidth = 40;

/**
 * `more`: edits of the plan that the answer does not carry, in files that may be among these; `files`: how many files there are;
 * `editsIn`: how many edits a file has, where the answer carries only some of them.
 */
export function renderEdits(
  edits: readonly EditView[],
  look: Look,
  plan: { readonly more: number; readonly files: number; readonly editsIn?: ReadonlyMap<string, number> },
): readonly string[] {
  const byFile = Map.groupBy(edits, ({ file }) => file);
  const perFile = byFile.size === 1 ? shownLines.all : shownLines.ofFile;
  const lines: string[] = [];
  let changedLines = 0;
  let shownEdits = 0;
  let shownFiles = 0;
  for (const [file, ofFile] of byFile) {
    if (changedLines >= shownLines.all) break;
    const byLine = [...Map.groupBy(ofFile, ({ line }) => line)].sort(([a], [b]) => a - b);
    const picked = byLine.slice(0, Math.min(perFile, shownLines.all - changedLines));
    const width = String(picked.at(-1)?.[0] ?? 0).length;
    const count = plan.editsIn?.get(file) ?? ofFile.length;
    lines.push(`${shown(file)}  ${plural(count, 'edit')}`);
    for (const [line, ones] of picked) {
      const [before, after] = lineBeforeAndAfter(ones, look);
      lines.push(`  ${String(line).padStart(width)} - ${before}`, `  ${''.padStart(width)} + ${after}`);
      shownEdits += ones.length;
    }
    changedLines += picked.length;
    shownFiles += 1;
  }
  const hidden = edits.length - shownEdits + plan.more;
  const hiddenFiles = Math.max(0, Math.max(plan.files, byFile.size) - shownFiles);
  const where = hiddenFiles === 0 ? '' : `, also in ${plural(hiddenFiles, 'file that is', 'files that are')} not shown`;
  return hidden === 0 ? lines : [...lines, `and ${plural(hidden, 'more edit')}${where}`];
}

/** One edit as one line: its place and what it does. */
export function renderEdit(edit: EditView, look: Look): readonly string[] {
  const [before, after] = lineBeforeAndAfter([edit], look);
  return [`- ${before}`, `+ ${after}`];
}

/** The code at a place with a mark under it. */
export function renderPlace(
  { file, line, col }: { readonly file: string; readonly line: number; readonly col: number },
  length: number,
  look: Look,
): readonly string[] {
  const text = look.line(file, line);
  if (text === undefined || text.trim() === '') return [];
  const { view, offset } = windowOf(text, col - 1);
  const number = String(line);
  const at = col - 1 - offset;
  const mark =
    at < 0 || at > view.length ? '' : `${' '.repeat(at)}${'^'.repeat(Math.max(1, Math.min(length, view.length - at)))}`;
  return [`${number} | ${shown(view)}`, ...(mark === '' ? [] : [`${' '.repeat(number.length)} | ${mark}`])];
}

function lineBeforeAndAfter(edits: readonly EditView[], look: Look): readonly [before: string, after: string] {
  const sorted = [...edits].sort((a, b) => a.col - b.col);
  const [first] = sorted;
  if (first === undefined) return ['', ''];
  const text = look.line(first.file, first.line);
  const isAsPlanned = sorted.every(({ col, before }) => text?.startsWith(before, col - 1) === true);
  // A file that changed meanwhile, or has been written already: what the plan remembers of the place.
  if (text === undefined || !isAsPlanned) {
    const { before, text: token, after } = first.anchor;
    const around = (middle: string) => shown(`${before.trimStart()}${middle}${after}`);
    return [around(token), around(first.after)];
  }
  const { view, offset, isCutBefore, isCutAfter } = windowOf(text, first.col - 1);
  let after = '';
  let from = 0;
  for (const edit of sorted) {
    const at = edit.col - 1 - offset;
    if (at < from || at + edit.before.length > view.length) continue;
    after += view.slice(from, at) + edit.after;
    from = at + edit.before.length;
  }
  const marked = (line: string) => shown(`${isCutBefore ? '…' : ''}${line}${isCutAfter ? '…' : ''}`);
  return [marked(view), marked(after + view.slice(from))];
}

type Window = {
  readonly view: string;
  readonly offset: number;
  readonly isCutBefore: boolean;
  readonly isCutAfter: boolean;
};

/** Without indentation; of a long line, the part around `at`. */
function windowOf(text: string, at: number): Window {
  const indent = text.length - text.trimStart().length;
  const offset = text.length - indent <= lineWidth ? indent : Math.max(indent, at - leadWidth);
  const isCutAfter = offset + lineWidth < text.length;
  return { view: text.slice(offset, offset + lineWidth).trimEnd(), offset, isCutBefore: offset > indent, isCutAfter };
}
