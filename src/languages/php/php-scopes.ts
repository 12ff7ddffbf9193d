/**
 * PHP: a variable belongs to its whole function; a closure has its own variables and those it takes over; an arrow function sees the
 * variables around it. Everything without `$` is unbound.
 */

import { byTable } from '../scopes/scope-table.ts';

const closed = { kind: 'function', barrier: true } as const;

export default byTable({
  names: new Set(['variable_name']),
  members: new Set(),
  memberPlaces: [
    'member_access_expression.name',
    'nullsafe_member_access_expression.name',
    'member_call_expression.name',
    'nullsafe_member_call_expression.name',
    'scoped_call_expression.name',
    'scoped_property_access_expression.name',
    'class_constant_access_expression.*1',
    'property_element.name',
    'method_declaration.name',
    'argument.name',
    'const_element.*',
    'enum_case.name',
  ],
  types: new Set(['name']),
  elsewhere: [],
  opaque: new Set(['namespace_definition', 'namespace_use_declaration']),
  nameChild: 'name',
  scopes: {
    function_definition: closed,
    method_declaration: closed,
    anonymous_function: closed,
    arrow_function: { kind: 'function', keepsWrites: true },
    class_declaration: { kind: 'class', barrier: true },
    trait_declaration: { kind: 'class', barrier: true },
    interface_declaration: { kind: 'class', barrier: true },
    enum_declaration: { kind: 'class', barrier: true },
  },
  declares: {
    simple_parameter: [{ child: 'name', kind: 'parameter' }],
    variadic_parameter: [{ child: 'name', kind: 'parameter' }],
    property_promotion_parameter: [{ child: 'name', kind: 'parameter', isMemberToo: true }],
    static_variable_declaration: [{ child: 'name', kind: 'variable' }],
    catch_clause: [{ child: 'name', kind: 'catch' }],
  },
  through: {
    list_literal: ['*'],
    array_creation_expression: ['*'],
    array_element_initializer: ['*'],
    pair: ['*'],
    by_ref: ['*'],
  },
  writes: {
    assignment_expression: { child: 'left', access: 'write' },
    reference_assignment_expression: { child: 'left', access: 'write' },
    augmented_assignment_expression: { child: 'left', access: 'readwrite' },
    update_expression: { child: 'argument', access: 'readwrite' },
    foreach_statement: { child: '*1', access: 'write' },
    unset_statement: { child: '*', access: 'write' },
  },
  late: 'function',
  writesDeclare: true,
  takesOver: { anonymous_function_use_clause: 'outer', global_declaration: 'file' },
  reserved: new Set([
    'this',
    'GLOBALS',
    '_GET',
    '_POST',
    '_COOKIE',
    '_FILES',
    '_SERVER',
    '_ENV',
    '_REQUEST',
    '_SESSION',
  ]),
  dynamicTypes: new Set([
    'dynamic_variable_name',
    'include_expression',
    'include_once_expression',
    'require_expression',
    'require_once_expression',
  ]),
  dynamicNames: new Set(['compact', 'extract', 'get_defined_vars', 'parse_str', 'eval']),
  isModule: false,
});
