/** A PHP string that is nothing but text. */

import type { Node } from 'web-tree-sitter';

export function stringLiteral(node: Node | null | undefined, text: string): string | null {
  if (node?.type !== 'string' && node?.type !== 'encapsed_string') return null;
  const written = text.slice(node.startIndex, node.endIndex);
  if (node.type === 'string') return /^'((?:[^'\\]|\\[^'])*)'$/.exec(written)?.[1]?.replace(/\\\\/g, '\\') ?? null;
  return /^"([^"\\${]*)"$/.exec(written)?.[1] ?? null;
}
