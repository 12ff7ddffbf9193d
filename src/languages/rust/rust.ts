/** Rust. */

import { defineLanguage } from '../language.ts';

const keywords = `as break const continue crate else enum extern false fn for if impl in let loop match mod move mut pub ref return self Self
  static struct super trait true type unsafe use where while async await dyn abstract become box do final macro override priv typeof
  unsized virtual yield try gen _`;

export default defineLanguage({
  name: 'rust',
  title: 'Rust',
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
  names: { shape: /^(?:r#)?[\p{XID_Start}_]\p{XID_Continue}*$/u, prefix: /^r#/, form: 'NFC' },
  byReference: { reference_expression: /^&/ },
  reserved: {
    always: keywords,
    members: keywords,
  },
  importsTypes: true,
  indexers: ['rust-analyzer'],
});
