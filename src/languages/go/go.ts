/** Go. */

import { defineLanguage } from '../language.ts';

const keywords = `break case chan const continue default defer else fallthrough for func go goto if import interface map package range return
  select struct switch type var _`;

export default defineLanguage({
  name: 'go',
  title: 'Go',
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
  names: { shape: /^[\p{L}_][\p{L}\p{Nd}_]*$/u },
  byReference: { unary_expression: /^&$/ },
  reserved: {
    always: keywords,
    members: keywords,
    types: 'init',
    functions: 'init',
  },
  indexers: ['scip-go'],
});
