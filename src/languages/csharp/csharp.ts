/** C#. */

import { defineLanguage } from '../language.ts';

const keywords = `abstract as base bool break byte case catch char checked class const continue decimal default delegate do double else
  enum event explicit extern false finally fixed float for foreach goto if implicit in int interface internal is lock long namespace
  new null object operator out override params private protected public readonly ref return sbyte sealed short sizeof stackalloc
  static string struct switch this throw true try typeof uint ulong unchecked unsafe ushort using virtual void volatile while await`;

export default defineLanguage({
  name: 'csharp',
  title: 'C#',
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
  names: {
    shape: /^@?[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}]*$/u,
    prefix: /^@/,
    escapes: true,
    ignoresFormatting: true,
    form: 'NFC',
  },
  byReference: { argument: /^(?:ref|out|in)$/, prefix_unary_expression: /^&$/ },
  reserved: {
    always: keywords,
    members: keywords,
    types: 'var dynamic record file required scoped nint nuint notnull unmanaged where partial',
    functions: 'nameof',
  },
  holders: /\.(?:razor|cshtml)$/i,
  importsTypes: true,
  indexers: ['scip-dotnet'],
});
