/**
 * Python source without comments and without the white space that means nothing. Indentation means something, so blocks keep marks
 * (`»` and `«`, which no Python token contains) and lines that end a statement become `;`: two spans with equal tokens and equal
 * nesting give the same string, whatever the width of their indentation.
 */

import type { TextSpan } from '../../facts.ts';

const strings = [
  String.raw`"""(?:[^"\\]|\\[\s\S]|"(?!""))*"""`,
  String.raw`'''(?:[^'\\]|\\[\s\S]|'(?!''))*'''`,
  String.raw`"(?:[^"\\\n]|\\[\s\S])*"`,
  String.raw`'(?:[^'\\\n]|\\[\s\S])*'`,
].join('|');
const skipped = String.raw`#[^\n]*|\\\r?\n|[ \t\f\r]+`;
/** Groups: what counts for nothing, a line end with the indentation after it, a word. */
const token = new RegExp(String.raw`${strings}|(${skipped})|(\n[ \t\f]*)|([\p{L}\p{N}_]+)|[\s\S]`, 'gu');

export function normalisePython(text: string, { start, end }: TextSpan): string {
  const levels = [indentBefore(text, start)];
  let out = '';
  let afterWord = false;
  let depth = 0;
  let pending: string | undefined;
  let last = '';
  for (const [found, skip, line, word] of text.slice(start, end).matchAll(token)) {
    if (skip !== undefined) continue;
    if (line !== undefined) {
      if (depth === 0) pending = line;
      continue;
    }
    if (pending !== undefined) {
      const marks = blockMarks(levels, widthOf(pending.slice(1)));
      if (marks !== ';' || (last !== '' && last !== ';')) out += marks;
      afterWord = false;
      pending = undefined;
    }
    // A gap is needed only between two words; `in"x"` and `in "x"` are the same tokens.
    out += word !== undefined && afterWord ? ` ${found}` : found;
    afterWord = word !== undefined;
    last = found;
    if (found === '(' || found === '[' || found === '{') depth += 1;
    else if (found === ')' || found === ']' || found === '}') depth = Math.max(0, depth - 1);
  }
  return last === ';' ? out.slice(0, -1) : out;
}

function blockMarks(levels: number[], width: number): string {
  if (width > (levels.at(-1) ?? 0)) {
    levels.push(width);
    return '»';
  }
  let marks = '';
  while (levels.length > 1 && width < (levels.at(-1) ?? 0)) {
    levels.pop();
    marks += '«';
  }
  return marks === '' ? ';' : marks;
}

/** The indentation of the line that a span begins on, if nothing else stands before it. */
function indentBefore(text: string, start: number): number {
  return widthOf(/^[ \t\f]*/.exec(text.slice(text.lastIndexOf('\n', start - 1) + 1, start))?.[0] ?? '');
}

function widthOf(indent: string): number {
  let width = 0;
  for (const character of indent) width = character === '\t' ? (Math.floor(width / 8) + 1) * 8 : width + 1;
  return width;
}
