/** C#. */

import { defineLanguage } from '../language.ts';

export default defineLanguage({
  name: 'csharp',
  extensions: ['cs'],
  grammars: { 'c-sharp': { wasm: '@vscode/tree-sitter-wasm/wasm/tree-sitter-c-sharp.wasm' } },
  tokens: {
    names: { identifier: 'name', implicit_parameter: 'name' },
    members: new Set(['member_access_expression.name', 'member_binding_expression.name']),
    strings: new Set([
      'string_literal',
      'character_literal',
      'verbatim_string_literal',
      'raw_string_literal',
      'interpolated_string_expression',
    ]),
    comments: new Set(['comment', 'shebang_directive']),
    insertions: new Set(['interpolation']),
    rawCode: new Set(['preproc_arg']),
  },
  names: { prefix: /^@/, escapes: true, ignoresFormatting: true, form: 'NFC' },
  byReference: { argument: /^(?:ref|out|in)$/, prefix_unary_expression: /^&$/ },
});
