/** Names that Go reaches at run time: `reflect` by name, symbols of a plugin. */

import type { Node } from 'web-tree-sitter';
import type { DynamicSite } from '../../facts.ts';
import { listChildren } from '../../walk-tree.ts';

/** `Lookup` is a common name of other things, so it counts only where plugins are loaded. */
export function readReflection(call: Node, text: string, hasPlugins: boolean): DynamicSite | undefined {
  const callee = call.childForFieldName('function');
  const field = callee?.type === 'selector_expression' ? callee.childForFieldName('field') : null;
  if (field === null) return undefined;
  const method = text.slice(field.startIndex, field.endIndex);
  if (!/^(?:Method|Field)ByName$|^FieldByNameFunc$/.test(method) && !(hasPlugins && method === 'Lookup'))
    return undefined;
  const [argument] = listChildren(call.childForFieldName('arguments'));
  return { start: call.startIndex, end: call.endIndex, kind: 'reflection', name: stringLiteral(argument, text) };
}

function stringLiteral(node: Node | undefined, text: string): string | null {
  if (node?.type !== 'interpreted_string_literal' && node?.type !== 'raw_string_literal') return null;
  const written = text.slice(node.startIndex + 1, node.endIndex - 1);
  return node.type === 'interpreted_string_literal' && written.includes('\\') ? null : written;
}
