/** What a declarator declares, as far as the words around it tell. */

import type { Node } from 'web-tree-sitter';
import type { SymbolKind } from '../../facts.ts';
import type { Declared } from './declarators.ts';
import type { Scope } from './walk.ts';

export function functionKind(declared: Declared, scope: Scope, type: Node | null): SymbolKind {
  const owner = declared.qualifier === '' ? scope.name : declared.qualifier.replace(/<.*$/, '').replace(/^.*::/, '');
  if (owner === '') return 'function';
  return type === null && declared.text === owner ? 'constructor' : 'method';
}

export function variableKind(declared: Declared, scope: Scope, head: string): SymbolKind {
  const isConstant = /\bconstexpr\b/.test(head) || (/\bconst\b/.test(head) && !declared.isPointer);
  const isField = scope.kind === 'class' || scope.kind === 'local';
  if (isConstant && (!isField || /\bstatic\b/.test(head))) return 'constant';
  return isField ? 'field' : 'variable';
}

/** `auto` or `decltype(auto)` without a type behind the arrow: the body or the value says what it is. */
export function hasPlaceholder(type: Node | null, node: Node): boolean {
  if (type?.type !== 'placeholder_type_specifier') return false;
  const declarator = node.childForFieldName('declarator');
  return !declarator?.namedChildren.some((child) => child.type === 'trailing_return_type');
}
