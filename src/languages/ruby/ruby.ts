/** Ruby. */

import { defineLanguage } from '../language.ts';

export default defineLanguage({
  name: 'ruby',
  extensions: ['rb'],
  grammars: { ruby: { wasm: '@vscode/tree-sitter-wasm/wasm/tree-sitter-ruby.wasm' } },
  tokens: {
    names: {
      identifier: 'name',
      constant: 'name',
      instance_variable: 'name',
      class_variable: 'name',
      global_variable: 'name',
      hash_key_symbol: 'property',
    },
    members: new Set(['call.method']),
    strings: new Set([
      'string',
      'string_array',
      'symbol_array',
      'subshell',
      'heredoc_body',
      'heredoc_beginning',
      'character',
      'simple_symbol',
      'delimited_symbol',
    ]),
    stringRole: (type) => (type === 'simple_symbol' ? 'symbol' : undefined),
    comments: new Set(['comment', 'uninterpreted']),
    regexes: new Set(['regex']),
    insertions: new Set(['interpolation']),
  },
  names: { prefix: /^(?:@@|[@$:])/, suffix: /[?!=:]$/, sigils: true },
});
