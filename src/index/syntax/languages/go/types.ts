/** A type declaration with its fields and methods as symbols. Anonymous structs inside it are read too, below the field they type. */

import type { Node } from 'web-tree-sitter';
import type { SymbolKind, TextSpan } from '../../facts.ts';
import { listChildren } from '../../walk-tree.ts';

export type AddSymbol = (name: Node, kind: SymbolKind, whole: TextSpan, parent: number) => number;

export function addType(spec: Node, whole: TextSpan, parent: number, add: AddSymbol): number | undefined {
  const name = spec.childForFieldName('name');
  if (name === null || name.startIndex === name.endIndex) return undefined;
  const type = spec.childForFieldName('type');
  const symbol = add(name, kindOfType(type), whole, parent);
  if (type !== null) addMembers(type, symbol, add);
  return symbol;
}

function kindOfType(type: Node | null): SymbolKind {
  if (type?.type === 'struct_type') return 'struct';
  return type?.type === 'interface_type' ? 'interface' : 'type';
}

function addMembers(type: Node, owner: number, add: AddSymbol): void {
  const pending: [Node, number][] = [[type, owner]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [node, parent] = next;
    if (node.type === 'struct_type') {
      const fields = listChildren(node).flatMap((list) =>
        list.type === 'field_declaration_list' ? listChildren(list) : [],
      );
      const nested = fields.flatMap((field) => addField(field, parent, add));
      pending.push(...nested.reverse());
    } else if (node.type === 'interface_type') {
      for (const member of listChildren(node)) {
        const name = member.type === 'method_elem' ? member.childForFieldName('name') : null;
        if (name !== null && name.startIndex < name.endIndex)
          add(name, 'method', { start: member.startIndex, end: member.endIndex }, parent);
      }
    } else if (wrappers.has(node.type)) {
      pending.push(...listChildren(node).map((child): [Node, number] => [child, parent]));
    }
  }
}

const wrappers = new Set([
  'pointer_type',
  'slice_type',
  'array_type',
  'map_type',
  'channel_type',
  'parenthesized_type',
  'generic_type',
]);

/** An embedded field goes by the last name of its type. Answered are the types that may hold further fields. */
function addField(field: Node, parent: number, add: AddSymbol): [Node, number][] {
  if (field.type !== 'field_declaration') return [];
  const whole = { start: field.startIndex, end: field.endIndex };
  const type = field.childForFieldName('type');
  const written = field.childrenForFieldName('name').filter((name) => name.isNamed && name.startIndex < name.endIndex);
  if (written.length === 0) {
    const name = type === null ? undefined : lastTypeName(type);
    if (name !== undefined) add(name, 'field', whole, parent);
    return [];
  }
  const symbols = written.map((name) => add(name, 'field', whole, parent));
  const [first] = symbols;
  return type === null || first === undefined ? [] : [[type, first]];
}

/** `pkg.Name[T]` → the node of `Name`. */
export function lastTypeName(type: Node): Node | undefined {
  let at: Node | null = type;
  for (let depth = 0; at !== null && depth < 8; depth += 1) {
    if (at.type === 'type_identifier') return at.startIndex < at.endIndex ? at : undefined;
    if (at.type === 'qualified_type') at = at.childForFieldName('name');
    else if (at.type === 'generic_type') at = at.childForFieldName('type');
    else if (at.type === 'pointer_type' || at.type === 'parenthesized_type') at = listChildren(at)[0] ?? null;
    else return undefined;
  }
  return undefined;
}
