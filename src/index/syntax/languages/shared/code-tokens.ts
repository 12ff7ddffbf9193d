/**
 * Tokens of a node for languages whose comments cannot be told from code by looking at characters alone (`#` in Ruby's patterns and
 * interpolations, `#[` in PHP): the tree says where the comments are, so they are cut out before the text is joined.
 */

import type { Node } from 'web-tree-sitter';
import type { TextSpan } from '../../facts.ts';

/** What of `node` lies before `end` and in no comment. */
export function spansWithoutComments(node: Node, text: string, end = node.endIndex): TextSpan[] {
  const { startIndex } = node;
  if (!/[#/]/.test(text.slice(startIndex, end))) return [{ start: startIndex, end }];
  const spans: TextSpan[] = [];
  let start = startIndex;
  for (const comment of node.descendantsOfType('comment')) {
    if (comment.startIndex >= end) break;
    spans.push({ start, end: comment.startIndex });
    start = comment.endIndex;
  }
  spans.push({ start, end: Math.max(start, end) });
  return spans;
}

const stringOrSpace = /("(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*')|\s+/g;

/** Code without comments in one line, a gap only between two words and between two signs that could become one. */
export function joinCode(code: string): string {
  const spaced = code.replace(stringOrSpace, (_, kept: string | undefined) => kept ?? ' ');
  return spaced.replace(/ (?=(\S?))/g, (_, after: string, at: number) => {
    const before = spaced.charAt(at - 1);
    return (isWord(before) && isWord(after)) || (before === after && /[-+&|<>=!?*/.:$@]/.test(before)) ? ' ' : '';
  });
}

function isWord(character: string): boolean {
  return /[\p{L}\p{N}_$@]/u.test(character);
}
