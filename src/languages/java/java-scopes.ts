/**
 * Java: locals and parameters. A class body inside a method is a barrier, because a member inherited from another file may hide a local.
 * Pattern variables of `instanceof` stay unbound: where they are visible depends on control flow.
 */

import { byTable } from '../scopes/scope-table.ts';

const block = { kind: 'block' } as const;
const func = { kind: 'function' } as const;
const type = { kind: 'class', barrier: true } as const;

export default byTable({
  names: new Set(['identifier']),
  members: new Set(),
  memberPlaces: ['field_access.field', 'method_invocation.name', 'method_reference.*1', 'element_value_pair.key'],
  types: new Set(['type_identifier']),
  elsewhere: [
    'labeled_statement.<identifier>',
    'break_statement.*',
    'continue_statement.*',
    'switch_label.<identifier>',
    'annotation.name',
    'marker_annotation.name',
    'class_declaration.name',
    'interface_declaration.name',
    'enum_declaration.name',
    'record_declaration.name',
    'annotation_type_declaration.name',
    'annotation_type_element_declaration.name',
    'method_declaration.name',
    'constructor_declaration.name',
    'compact_constructor_declaration.name',
    'enum_constant.name',
    'record_pattern.<identifier>',
    'record_pattern_component.<identifier>',
    'instanceof_expression.name',
  ],
  opaque: new Set(['package_declaration', 'import_declaration', 'module_declaration', 'scoped_identifier']),
  scopes: {
    method_declaration: func,
    constructor_declaration: func,
    compact_constructor_declaration: func,
    static_initializer: func,
    lambda_expression: func,
    class_body: type,
    interface_body: type,
    enum_body: type,
    annotation_type_body: type,
    block,
    constructor_body: block,
    for_statement: block,
    enhanced_for_statement: block,
    try_with_resources_statement: block,
    catch_clause: { kind: 'catch' },
    switch_block: { kind: 'switch' },
    switch_rule: block,
  },
  declares: {
    formal_parameter: [{ child: 'name', kind: 'parameter' }],
    inferred_parameters: [{ child: '*', kind: 'parameter' }],
    lambda_expression: [{ child: 'parameters', kind: 'parameter' }],
    variable_declarator: [{ child: 'name', kind: 'variable' }],
    enhanced_for_statement: [{ child: 'name', kind: 'variable', visible: ['body'] }],
    resource: [{ child: 'name', kind: 'variable' }],
    catch_formal_parameter: [{ child: 'name', kind: 'catch' }],
    type_pattern: [
      {
        child: '<identifier>',
        kind: 'variable',
        when: (tree, node) => tree.type[tree.parent[tree.parent[node] ?? -1] ?? -1] === 'switch_label',
      },
    ],
  },
  through: {},
  writes: {
    assignment_expression: { child: 'left', access: 'by_sign' },
    update_expression: { child: '*', access: 'readwrite' },
  },
  closers: new Set(['catch_clause', 'finally_clause']),
  localOnly: true,
  isModule: false,
});
