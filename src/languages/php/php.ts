/** PHP. */

import { defineLanguage } from '../language.ts';

const keywords = `__halt_compiler abstract and array as break callable case catch class clone const continue declare default die do echo else
  elseif empty enddeclare endfor endforeach endif endswitch endwhile eval exit extends final finally fn for foreach function global
  goto if implements include include_once instanceof insteadof interface isset list match namespace new or print private protected
  public readonly require require_once return static switch throw trait try unset use var while xor yield __class__ __dir__ __file__
  __function__ __line__ __method__ __namespace__ __trait__`;

export default defineLanguage({
  name: 'php',
  title: 'PHP',
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
  names: { shape: /^\$?[a-zA-Z_\u{80}-\u{10ffff}][a-zA-Z0-9_\u{80}-\u{10ffff}]*$/u, prefix: /^\$/, sigils: true },
  byReference: { by_ref: /^&$/ },
  reserved: {
    always: keywords,
    members: 'class',
    types: 'self parent int float bool string true false null void iterable object mixed never',
  },
  holders: /\.(?:phtml|twig)$/i,
  importsTypes: true,
});
