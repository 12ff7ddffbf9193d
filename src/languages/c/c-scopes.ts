/**
 * C and C++. In C the names of a file are bound too; in C++ members, overloads and namespaces can hide them, so only locals and parameters
 * are. A name that this file defines as a macro is never bound; what other files define as macros cannot be known.
 */

import { childByField, type FlatTree, listChildNodes, textOf } from '../parsing/flat-tree.ts';
import type { ScopeTable } from '../scopes/scope-table.ts';

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

export const cppScopes: ScopeTable = {
  names: cScopes.names,
  members: cScopes.members,
  memberPlaces: [],
  types: cScopes.types,
  elsewhere: [...cScopes.elsewhere, 'template_function.name', 'enumerator.name'],
  opaque: new Set([...cScopes.opaque, 'qualified_identifier', 'using_declaration', 'concept_definition']),
  scopes: {
    ...cScopes.scopes,
    lambda_expression: { kind: 'function' },
    template_declaration: { kind: 'type' },
    field_declaration_list: { kind: 'class', barrier: true },
    for_range_loop: { kind: 'for' },
    if_statement: block,
    while_statement: block,
    switch_statement: block,
    catch_clause: { kind: 'catch' },
  },
  declares: {
    declaration: [{ child: 'declarator', kind: 'variable' }],
    function_definition: [{ child: 'declarator', kind: 'function', into: 'outer' }],
    parameter_declaration: [{ child: 'declarator', kind: 'parameter' }],
    optional_parameter_declaration: [{ child: 'declarator', kind: 'parameter' }],
    variadic_parameter_declaration: [{ child: 'declarator', kind: 'parameter' }],
    lambda_capture_initializer: [{ child: 'left', kind: 'variable', visible: 'after' }],
    for_range_loop: [{ child: 'declarator', kind: 'variable', visible: ['body'] }],
  },
  through: {
    ...cScopes.through,
    reference_declarator: ['*'],
    variadic_declarator: ['*'],
    structured_binding_declarator: ['*'],
  },
  writes: cScopes.writes,
  macros: ['preproc_def', 'preproc_function_def'],
  localOnly: true,
  isModule: false,
};

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
