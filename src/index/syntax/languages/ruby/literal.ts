/** A name that is written down: `:name`, `"name"` without interpolation. The position is that of the name itself. */

import type { Node } from 'web-tree-sitter';

export type WrittenName = { readonly name: string; readonly start: number; readonly end: number };

export function writtenName(node: Node | undefined | null, text: string): WrittenName | undefined {
  if (node?.type === 'simple_symbol') return nameAt(node.startIndex + 1, node.endIndex, text);
  if (node?.type !== 'string' && node?.type !== 'delimited_symbol') return undefined;
  const { namedChildren } = node;
  const [content] = namedChildren;
  if (content?.type !== 'string_content' || namedChildren.length !== 1) return undefined;
  return nameAt(content.startIndex, content.endIndex, text);
}

function nameAt(start: number, end: number, text: string): WrittenName | undefined {
  return start < end ? { name: text.slice(start, end), start, end } : undefined;
}
