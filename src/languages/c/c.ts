/** C. Headers are read as C where nothing near them is C++ (`file-language.ts`). */

import { defineLanguage, type TokenTable } from '../language.ts';

const tokens: TokenTable = {
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

const keywords = `alignas alignof auto bool break case char const constexpr continue default do double else enum extern false float for goto if
  inline int long nullptr register restrict return short signed sizeof static static_assert struct switch thread_local true typedef
  typeof typeof_unqual union unsigned void volatile while _Alignas _Alignof _Atomic _BitInt _Bool _Complex _Decimal128 _Decimal32
  _Decimal64 _Generic _Imaginary _Noreturn _Static_assert _Thread_local`;

/** What C++ writes like C. */
export const cWriting = {
  tokens,
  names: { shape: /^[\p{XID_Start}_]\p{XID_Continue}*$/u, escapes: true },
  byReference: { pointer_expression: /^&$/ },
} as const;

export default defineLanguage({
  name: 'c',
  title: 'C',
  extensions: ['c', 'h'],
  grammars: { c: { wasm: '@repomix/tree-sitter-wasms/out/tree-sitter-c.wasm' } },
  ...cWriting,
  reserved: { always: keywords, members: keywords },
  holders: /\.mm?$/,
  indexers: ['scip-clang'],
});
