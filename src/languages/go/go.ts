/** Go. */

import { defineLanguage } from '../language.ts';

export default defineLanguage({
  name: 'go',
  extensions: ['go'],
  grammars: {
    go: {
      wasm: '@vscode/tree-sitter-wasm/wasm/tree-sitter-go.wasm',
      pin: { version: '0.3.1', blake3: '006b2b9778d3078e066d1ddd1715e71bddf18d190269654ad600ba207047f72f' },
    },
  },
  tokens: {
    names: {
      identifier: 'name',
      type_identifier: 'type',
      field_identifier: 'property',
      package_identifier: 'name',
      label_name: 'label',
    },
    strings: new Set(['interpreted_string_literal', 'raw_string_literal', 'rune_literal']),
    comments: new Set(['comment']),
  },
  names: {},
  byReference: { unary_expression: /^&$/ },
});
