/** Java. */

import { defineLanguage } from '../language.ts';

export default defineLanguage({
  name: 'java',
  extensions: ['java'],
  grammars: {
    java: {
      wasm: '@vscode/tree-sitter-wasm/wasm/tree-sitter-java.wasm',
      pin: { version: '0.3.1', blake3: 'a9f4714922f7d7599966a18e58040e6f0b288c5d63ed14511260fcae03823adf' },
    },
  },
  tokens: {
    names: { identifier: 'name', type_identifier: 'type' },
    members: new Set(['field_access.field', 'method_invocation.name']),
    strings: new Set(['string_literal', 'character_literal']),
    comments: new Set(['line_comment', 'block_comment']),
    insertions: new Set(['string_interpolation']),
  },
  names: { escapes: true },
});
