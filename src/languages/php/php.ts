/** PHP. */

import { defineLanguage } from '../language.ts';

export default defineLanguage({
  name: 'php',
  extensions: ['php'],
  grammars: { php: { wasm: '@vscode/tree-sitter-wasm/wasm/tree-sitter-php.wasm' } },
  tokens: {
    names: { name: 'name' },
    members: new Set([
      'member_access_expression.name',
      'nullsafe_member_access_expression.name',
      'member_call_expression.name',
    ]),
    strings: new Set(['string', 'encapsed_string', 'heredoc', 'nowdoc', 'shell_command_expression', 'text']),
    comments: new Set(['comment']),
    insertions: new Set([
      'variable_name',
      'dynamic_variable_name',
      'member_access_expression',
      'nullsafe_member_access_expression',
      'subscript_expression',
      'member_call_expression',
      'scoped_property_access_expression',
      'scoped_call_expression',
      'function_call_expression',
      'class_constant_access_expression',
    ]),
  },
  names: { prefix: /^\$/, sigils: true },
  byReference: { by_ref: /^&$/ },
});
