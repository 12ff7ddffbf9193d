/** C. Headers are read as C where nothing near them is C++ (`file-language.ts`). */

import { defineLanguage, type TokenTable } from '../language.ts';

export const cTokens: TokenTable = {
  names: {
    identifier: 'name',
    type_identifier: 'type',
    primitive_type: 'type',
    field_identifier: 'property',
    namespace_identifier: 'name',
    statement_identifier: 'label',
  },
  typeWords: new Set(['void', 'char', 'int', 'float', 'double', 'bool', 'short', 'long', 'signed', 'unsigned']),
  strings: new Set(['string_literal', 'char_literal', 'raw_string_literal', 'system_lib_string']),
  comments: new Set(['comment']),
  rawCode: new Set(['preproc_arg']),
};

export default defineLanguage({
  name: 'c',
  extensions: ['c', 'h'],
  grammars: { c: { wasm: 'tree-sitter-c/tree-sitter-c.wasm' } },
  tokens: cTokens,
  names: { escapes: true },
  byReference: { pointer_expression: /^&$/ },
});
