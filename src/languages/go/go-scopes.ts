/** Go: every block is a scope; package-level names are visible in the whole file, those of other files of the package are unbound. */

import { childByType, type FlatTree } from '../parsing/flat-tree.ts';
import { byTable } from '../scopes/scope-table.ts';

const declaresByColon = (tree: FlatTree, node: number): boolean => childByType(tree, node, "':='") >= 0;
const block = { kind: 'block' } as const;
const func = { kind: 'function' } as const;

export default byTable({
  names: new Set(['identifier', 'type_identifier', 'package_identifier']),
  members: new Set(['field_identifier']),
  memberPlaces: [],
  types: new Set(['label_name']),
  elsewhere: ['keyed_element.key', 'qualified_type.name'],
  opaque: new Set(['package_clause']),
  scopes: {
    function_declaration: func,
    method_declaration: func,
    func_literal: func,
    function_type: { kind: 'type' },
    method_elem: { kind: 'type' },
    type_spec: { kind: 'type' },
    block,
    if_statement: block,
    for_statement: block,
    expression_switch_statement: block,
    type_switch_statement: block,
    select_statement: block,
    expression_case: block,
    type_case: block,
    default_case: block,
    communication_case: block,
  },
  declares: {
    import_spec: [{ child: 'name', kind: 'import' }],
    const_spec: [{ child: 'name', kind: 'const', visible: 'after' }],
    var_spec: [{ child: 'name', kind: 'var', visible: 'after' }],
    type_spec: [{ child: 'name', kind: 'type', into: 'outer' }],
    type_alias: [{ child: 'name', kind: 'type' }],
    function_declaration: [{ child: 'name', kind: 'function', into: 'outer' }],
    method_declaration: [{ child: 'receiver', kind: 'type_parameter' }],
    parameter_declaration: [{ child: 'name', kind: 'parameter' }],
    variadic_parameter_declaration: [{ child: 'name', kind: 'parameter' }],
    type_parameter_declaration: [{ child: 'name', kind: 'type_parameter' }],
    short_var_declaration: [{ child: 'left', kind: 'variable', visible: 'after', reuses: true }],
    range_clause: [{ child: 'left', kind: 'variable', visible: 'after', when: declaresByColon }],
    receive_statement: [{ child: 'left', kind: 'variable', visible: 'after', when: declaresByColon }],
    type_switch_statement: [{ child: 'alias', kind: 'variable', visible: ['type_case', 'default_case'] }],
  },
  through: {
    expression_list: ['*'],
    // Only a receiver's type arguments are declared on this way: `func (r *T[P]) m()` declares P.
    parameter_list: ['*'],
    parameter_declaration: ['<pointer_type>', '<generic_type>'],
    pointer_type: ['<generic_type>'],
    generic_type: ['type_arguments'],
    type_arguments: ['*'],
    type_elem: ['*'],
  },
  writes: {
    assignment_statement: { child: 'left', access: 'by_sign' },
    range_clause: { child: 'left', access: 'write' },
    receive_statement: { child: 'left', access: 'write' },
    inc_statement: { child: '*', access: 'readwrite' },
    dec_statement: { child: '*', access: 'readwrite' },
  },
  late: 'file',
  shadows: true,
  isFileLocal: (tree, owner) => tree.type[owner] === 'import_spec',
  dynamicTypes: new Set(['dot']),
  isModule: false,
});
