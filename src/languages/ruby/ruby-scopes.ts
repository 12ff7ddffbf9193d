/** Ruby: a local is born where it is first assigned, and seen by the blocks inside, not by methods and classes. Anything else is a call. */

import { childByField } from '../parsing/flat-tree.ts';
import { byTable } from '../scopes/scope-table.ts';

const closed = { kind: 'function', barrier: true } as const;
const open = { kind: 'block' } as const;

export default byTable({
  names: new Set(['identifier']),
  members: new Set(['hash_key_symbol']),
  memberPlaces: [
    'call.method',
    'method.name',
    'singleton_method.name',
    'alias.name',
    'alias.alias',
    'undef.*',
    'setter.name',
  ],
  types: new Set(['constant']),
  elsewhere: [],
  // `f(x:)` passes the local x or calls x: either way it is not only a key.
  roleAt: (tree, node) =>
    tree.type[node] === 'hash_key_symbol' && childByField(tree, tree.parent[node] ?? -1, 'value') < 0
      ? 'elsewhere'
      : undefined,
  opaque: new Set(),
  scopes: {
    method: closed,
    singleton_method: closed,
    class: closed,
    module: closed,
    singleton_class: closed,
    lambda: open,
    block: open,
    do_block: open,
  },
  declares: {
    method_parameters: [{ child: '*', kind: 'parameter' }],
    lambda_parameters: [{ child: '*', kind: 'parameter' }],
    block_parameters: [
      { child: '*', kind: 'parameter' },
      { child: 'locals', kind: 'variable' },
    ],
    optional_parameter: [{ child: 'name', kind: 'parameter' }],
    splat_parameter: [{ child: 'name', kind: 'parameter' }],
    hash_splat_parameter: [{ child: 'name', kind: 'parameter' }],
    block_parameter: [{ child: 'name', kind: 'parameter' }],
    keyword_parameter: [{ child: 'name', kind: 'parameter', isMemberToo: true }],
  },
  through: {
    destructured_parameter: ['*'],
    left_assignment_list: ['*'],
    destructured_left_assignment: ['*'],
    rest_assignment: ['*'],
    array_pattern: ['*'],
    find_pattern: ['*'],
    hash_pattern: ['*'],
    keyword_pattern: ['value'],
    as_pattern: ['value', 'name'],
    alternative_pattern: ['*'],
  },
  writes: {
    assignment: { child: 'left', access: 'write' },
    operator_assignment: { child: 'left', access: 'readwrite' },
    for: { child: 'pattern', access: 'write' },
    exception_variable: { child: '*', access: 'write' },
    in_clause: { child: 'pattern', access: 'write' },
  },
  writesDeclare: true,
  dynamicNames: new Set(['binding', 'eval', 'instance_eval', 'class_eval', 'local_variable_get', 'local_variable_set']),
  isModule: false,
});
