/** Scopes of C++: members, overloads and namespaces can hide the names of a file, so only locals and parameters are bound. */

import { cScopes } from '../c/c-scopes.ts';
import { byTable } from '../scopes/scope-table.ts';

const block = { kind: 'block' } as const;

export default byTable({
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
});
