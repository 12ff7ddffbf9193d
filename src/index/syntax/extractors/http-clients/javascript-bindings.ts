/** Local name → module, for imports and `require` at any level of one file. Named imports map to their module as well. */

import type { Node } from 'web-tree-sitter';

export function listBindings(imports: readonly Node[], declarators: readonly Node[]): Map<string, string> {
  const bindings = new Map<string, string>();
  for (const statement of imports) {
    const module = statement.childForFieldName('source')?.text.slice(1, -1);
    const clause = statement.namedChildren.find((child) => child.type === 'import_clause');
    if (module === undefined || clause === undefined) continue;
    for (const name of listLocalNames(clause)) bindings.set(name, module);
  }
  for (const declarator of declarators) {
    const module = requiredModule(declarator.childForFieldName('value'));
    const target = declarator.childForFieldName('name');
    if (module === undefined || target === null) continue;
    for (const name of target.type === 'identifier' ? [target.text] : listPatternNames(target))
      bindings.set(name, module);
  }
  return bindings;
}

function listLocalNames(clause: Node): string[] {
  return clause.namedChildren.flatMap((part) => {
    if (part.type === 'identifier') return [part.text];
    if (part.type === 'namespace_import') return part.namedChildren.map((name) => name.text);
    return part.namedChildren
      .filter((specifier) => specifier.type === 'import_specifier')
      .map((specifier) => (specifier.childForFieldName('alias') ?? specifier.childForFieldName('name'))?.text ?? '');
  });
}

function listPatternNames(pattern: Node): string[] {
  return pattern.namedChildren.flatMap((part) => {
    if (part.type === 'shorthand_property_identifier_pattern') return [part.text];
    return part.type === 'pair_pattern' ? [part.childForFieldName('value')?.text ?? ''] : [];
  });
}

/** `require('x')`, also `require('x').default` and `await import('x')`. */
function requiredModule(value: Node | null): string | undefined {
  let node = value;
  if (node?.type === 'member_expression') node = node.childForFieldName('object');
  if (node?.type === 'await_expression') node = node.namedChildren[0] ?? null;
  if (node?.type !== 'call_expression') return undefined;
  const callee = node.childForFieldName('function');
  if (callee?.text !== 'require' && callee?.type !== 'import') return undefined;
  const argument = node.childForFieldName('arguments')?.namedChildren[0];
  return argument?.type === 'string' ? argument.text.slice(1, -1) : undefined;
}
