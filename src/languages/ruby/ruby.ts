/** Ruby. */

import { defineLanguage } from '../language.ts';

const keywords = `BEGIN END alias and begin break case class def do else elsif end ensure false for if in module next nil not or redo rescue
  retry return self super then true undef unless until when while yield __FILE__ __LINE__ __ENCODING__`;

export default defineLanguage({
  name: 'ruby',
  title: 'Ruby',
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
  names: {
    shape: /^(?:@@?|\$)?[a-zA-Z_\u{80}-\u{10ffff}][a-zA-Z0-9_\u{80}-\u{10ffff}]*[?!=]?$/u,
    prefix: /^(?:@@|[@$:])/,
    suffix: /[?!=:]$/,
    sigils: true,
  },
  reserved: {
    always: keywords,
  },
  holders: /\.erb$/i,
});
