/**
 * C#: locals, parameters, pattern and `out` variables. Names in type position, members and labels stay unbound; a type declaration is a
 * barrier, because a member inherited from another file may hide a local.
 */

import type { FlatTree } from '../parsing/flat-tree.ts';
import { byTable } from '../scopes/scope-table.ts';

const block = { kind: 'block' } as const;
const func = { kind: 'function' } as const;
const type = { kind: 'class', barrier: true } as const;

export default byTable({
  names: new Set(['identifier', 'implicit_parameter']),
  members: new Set(),
  memberPlaces: [
    'member_access_expression.name',
    'member_binding_expression.name',
    'argument.name',
    'subpattern.<identifier>',
    'property_declaration.name',
    'event_declaration.name',
    'enum_member_declaration.name',
    'method_declaration.name',
    'name_colon.*',
    'name_equals.*',
  ],
  types: new Set(),
  elsewhere: [
    'generic_name.*',
    'class_declaration.name',
    'struct_declaration.name',
    'interface_declaration.name',
    'record_declaration.name',
    'enum_declaration.name',
    'delegate_declaration.name',
    'namespace_declaration.name',
    'file_scoped_namespace_declaration.name',
    'constructor_declaration.name',
    'destructor_declaration.name',
    'labeled_statement.<identifier>',
    'goto_statement.*',
    'is_expression.right',
    'as_expression.right',
    'constant_pattern.*',
  ],
  elsewhereFields: new Set(['type', 'returns']),
  opaque: new Set([
    'using_directive',
    'qualified_name',
    'alias_qualified_name',
    'type_argument_list',
    'type_parameter_list',
    'type_parameter_constraints_clause',
    'base_list',
    'attribute_list',
    'explicit_interface_specifier',
    'anonymous_object_creation_expression',
    'with_initializer',
  ]),
  roleAt: (tree, node) => (isInitialised(tree, node) ? 'member' : undefined),
  scopes: {
    method_declaration: func,
    constructor_declaration: func,
    destructor_declaration: func,
    operator_declaration: func,
    conversion_operator_declaration: func,
    indexer_declaration: func,
    property_declaration: func,
    accessor_declaration: func,
    local_function_statement: func,
    lambda_expression: func,
    anonymous_method_expression: func,
    delegate_declaration: { kind: 'type' },
    class_declaration: type,
    struct_declaration: type,
    interface_declaration: type,
    record_declaration: type,
    declaration_list: type,
    block,
    for_statement: { kind: 'for' },
    foreach_statement: { kind: 'for' },
    using_statement: block,
    fixed_statement: block,
    while_statement: block,
    do_statement: block,
    lock_statement: block,
    switch_section: { kind: 'switch' },
    switch_expression_arm: { kind: 'switch' },
    catch_clause: { kind: 'catch' },
    query_expression: block,
  },
  declares: {
    parameter: [{ child: 'name', kind: 'parameter' }],
    parameter_list: [{ child: 'name', kind: 'parameter' }],
    lambda_expression: [{ child: 'parameters', kind: 'parameter' }],
    variable_declarator: [
      { child: 'name', kind: 'variable' },
      { child: '<tuple_pattern>', kind: 'variable' },
    ],
    foreach_statement: [{ child: 'left', kind: 'variable', visible: ['body'] }],
    catch_declaration: [{ child: 'name', kind: 'catch' }],
    declaration_pattern: [{ child: 'name', kind: 'variable' }],
    recursive_pattern: [{ child: 'name', kind: 'variable' }],
    declaration_expression: [{ child: 'name', kind: 'variable' }],
    local_function_statement: [{ child: 'name', kind: 'function', into: 'outer' }],
    from_clause: [{ child: 'name', kind: 'variable', visible: 'after' }],
  },
  through: { tuple_pattern: ['name', '*'], tuple_expression: ['*'], argument: ['*'] },
  writes: {
    assignment_expression: { child: 'left', access: 'by_sign' },
    postfix_unary_expression: { child: '*', access: 'readwrite' },
  },
  localOnly: true,
  isModule: false,
});

/** `new A { name = x }`: the name is a member of A. */
function isInitialised(tree: FlatTree, node: number): boolean {
  const assignment = tree.parent[node] ?? -1;
  if (tree.type[assignment] !== 'assignment_expression' || tree.field[node] !== 'left') return false;
  return tree.type[tree.parent[assignment] ?? -1] === 'initializer_expression';
}
