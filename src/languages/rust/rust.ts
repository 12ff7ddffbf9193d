/** Rust. */

import { defineLanguage } from '../language.ts';

export default defineLanguage({
  name: 'rust',
  extensions: ['rs'],
  grammars: {
    rust: {
      wasm: '@vscode/tree-sitter-wasm/wasm/tree-sitter-rust.wasm',
      pin: { version: '0.3.1', blake3: '224b8049210561e8f294f7a9a6ba0f5e473d9b31ea6815f3b40777b596057fd3' },
    },
  },
  tokens: {
    names: {
      identifier: 'name',
      type_identifier: 'type',
      primitive_type: 'type',
      field_identifier: 'property',
      shorthand_field_identifier: 'shorthand',
    },
    typeWords: new Set(['char', 'bool']),
    strings: new Set(['string_literal', 'raw_string_literal', 'char_literal']),
    comments: new Set(['line_comment', 'block_comment', 'doc_comment']),
    rawCode: new Set(['metavariable']),
  },
  names: { prefix: /^r#/, form: 'NFC' },
  byReference: { reference_expression: /^&/ },
});
