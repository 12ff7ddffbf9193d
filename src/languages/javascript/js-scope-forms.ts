/** What single forms of TypeScript and JavaScript mean for scopes, apart from where they stand. */

import { childByField, type FlatTree, firstChild, listChildNodes, textOf } from '../parsing/flat-tree.ts';
import { meaning } from '../scopes/scope-builder.ts';
import type { BindingKind } from '../scopes/scope-tree.ts';

/** What a name declared in this way can stand for. */
export const meaningsOfKind: Readonly<Record<BindingKind, number>> = {
  var: meaning.value,
  let: meaning.value,
  const: meaning.value,
  using: meaning.value,
  variable: meaning.value,
  function: meaning.value,
  class: meaning.value | meaning.type,
  parameter: meaning.value,
  catch: meaning.value,
  import: meaning.any,
  type: meaning.type,
  interface: meaning.type,
  enum: meaning.any,
  enum_member: meaning.value,
  namespace: meaning.value | meaning.namespace,
  type_parameter: meaning.type,
  private_name: meaning.privateName,
  arguments: meaning.value,
  label: meaning.label,
};

/** What the keyword of a declaration makes. */
export function kindNamed(keyword: string): BindingKind {
  return keyword === 'var' || keyword === 'const' || keyword === 'using' ? keyword : 'let';
}

/** A JSX name that means an element of the platform, not a variable. */
export function isIntrinsic(name: string): boolean {
  return /^[a-z]/.test(name) || name.includes('-');
}

export function hasModuleSyntax(tree: FlatTree): boolean {
  return listChildNodes(tree, 0).some((child) => {
    const type = tree.type[child];
    return type === 'import_statement' || type === 'export_statement';
  });
}

/** `export { … }`, `export *`, `export =` or `export default x`: after one of these an ambient block exports only what it says. */
export function hasExportClause(tree: FlatTree, block: number): boolean {
  return listChildNodes(tree, block).some(
    (child) => tree.type[child] === 'export_statement' && childByField(tree, child, 'declaration') < 0,
  );
}

/** Begins with `"use strict"`. */
export function startsStrict(tree: FlatTree, block: number): boolean {
  for (let child = firstChild(tree, block); child >= 0; child = tree.next[child] ?? -1) {
    if (tree.type[child] === "'{'" || tree.type[child] === 'comment') continue;
    if (tree.type[child] !== 'expression_statement') return false;
    const text = textOf(tree, child);
    if (/^(['"])use strict\1/.test(text)) return true;
    if (!/^['"]/.test(text)) return false;
  }
  return false;
}
