/** C++: read like C, with scopes of its own. */

import { cTokens } from '../c/c.ts';
import { defineLanguage } from '../language.ts';

export default defineLanguage({
  name: 'cpp',
  extensions: ['cc', 'cpp', 'cxx', 'hpp', 'hh'],
  grammars: { cpp: { wasm: '@vscode/tree-sitter-wasm/wasm/tree-sitter-cpp.wasm' } },
  readsLike: 'c',
  tokens: cTokens,
  names: { escapes: true },
  byReference: { pointer_expression: /^&$/ },
});
