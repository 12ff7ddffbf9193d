/** Java. */

import { defineLanguage } from '../language.ts';

const keywords = `abstract assert boolean break byte case catch char class const continue default do double else enum extends final finally
  float for goto if implements import instanceof int interface long native new package private protected public return short static
  strictfp super switch synchronized this throw throws transient try void volatile while true false null _`;

export default defineLanguage({
  name: 'java',
  title: 'Java',
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
  names: { shape: /^[\p{L}\p{Nl}\p{Sc}\p{Pc}][\p{L}\p{Nl}\p{Sc}\p{Pc}\p{Nd}\p{Mn}\p{Mc}]*$/u, escapes: true },
  reserved: {
    always: keywords,
    members: keywords,
    types: 'var yield record sealed permits',
    functions: 'yield',
  },
  holders: /\.(?:kts?|scala|jsp)$/,
  importsTypes: true,
  indexers: ['scip-java'],
  indexesToo: ['kotlin', 'scala'],
});
