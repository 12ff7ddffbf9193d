/** The value of a Python string that is nothing but text: no interpolation, no bytes, no escapes, no concatenation. */

import type { Node } from 'web-tree-sitter';

export function stringLiteral(node: Node | null | undefined, text: string): string | null {
  if (node?.type !== 'string') return null;
  const written = /^[rRuU]?("""|'''|"|')([^\\]*)\1$/s.exec(text.slice(node.startIndex, node.endIndex));
  return written?.[2] ?? null;
}
