/**
 * Scopes of C. Names of the file are bound as well as locals. A name that this file defines as a macro is never bound; what other files
 * define as macros cannot be known.
 */

import { childByField, type FlatTree, listChildNodes, textOf } from '../parsing/flat-tree.ts';
import { byTable, type ScopeTable } from '../scopes/scope-table.ts';

const block = { kind: 'block' } as const;

export const cScopes: ScopeTable = {
  names: new Set(['identifier']),
  members: new Set(['field_identifier']),
  memberPlaces: [],
  types: new Set(['type_identifier', 'statement_identifier', 'namespace_identifier']),
  elsewhere: ['preproc_def.name', 'preproc_function_def.name', 'preproc_ifdef.name'],
  opaque: new Set(['preproc_params', 'preproc_defined', 'attribute_specifier', 'gnu_asm_expression']),
  scopes: {
    function_definition: { kind: 'function' },
    parameter_list: { kind: 'type', unless: belongsToDefinition },
    compound_statement: block,
    for_statement: { kind: 'for' },
  },
  declares: {
    declaration: [{ child: 'declarator', kind: 'variable' }],
    function_definition: [{ child: 'declarator', kind: 'function', into: 'outer' }],
    parameter_declaration: [{ child: 'declarator', kind: 'parameter' }],
    parameter_list: [{ child: '<identifier>', kind: 'parameter' }],
    enumerator: [{ child: 'name', kind: 'enum_member' }],
  },
  through: {
    init_declarator: ['declarator'],
    pointer_declarator: ['declarator'],
    array_declarator: ['declarator'],
    function_declarator: ['declarator'],
    attributed_declarator: ['*'],
    parenthesized_declarator: ['*'],
  },
  writes: {
    assignment_expression: { child: 'left', access: 'by_sign' },
    update_expression: { child: 'argument', access: 'readwrite' },
  },
  late: 'file',
  macros: ['preproc_def', 'preproc_function_def'],
  isFileLocal: isStatic,
  isModule: false,
};

export default byTable(cScopes);

/** The parameters of a function that is being defined, as against those of a prototype or of a pointer to a function. */
function belongsToDefinition(tree: FlatTree, node: number): boolean {
  const declarator = tree.parent[node] ?? -1;
  if (tree.type[declarator] !== 'function_declarator') return true;
  const name = childByField(tree, declarator, 'declarator');
  if (name < 0 || /_declarator$/.test(tree.type[name] ?? '')) return false;
  let above = tree.parent[declarator] ?? -1;
  while (/^(pointer|reference|parenthesized)_declarator$|^function_declarator$/.test(tree.type[above] ?? ''))
    above = tree.parent[above] ?? -1;
  return tree.type[above] === 'function_definition';
}

function isStatic(tree: FlatTree, owner: number): boolean {
  return listChildNodes(tree, owner).some(
    (child) => tree.type[child] === 'storage_class_specifier' && textOf(tree, child) === 'static',
  );
}
