/** Python. */

import { defineLanguage } from '../language.ts';

const keywords = `False None True and as assert async await break class continue def del elif else except finally for from global if
  import in is lambda nonlocal not or pass raise return try while with yield __debug__`;

export default defineLanguage({
  name: 'python',
  title: 'Python',
  extensions: ['py', 'pyi'],
  grammars: {
    python: {
      wasm: '@vscode/tree-sitter-wasm/wasm/tree-sitter-python.wasm',
      pin: { version: '0.3.1', blake3: '0bade44054aa795718a0e578a4e1ee7a178ae2701b03f2fffff6dcc036569bbb' },
    },
  },
  tokens: {
    names: { identifier: 'name' },
    members: new Set(['attribute.attribute', 'keyword_argument.name']),
    strings: new Set(['string']),
    // A string that is a statement of its own is documentation.
    stringRole: (type, parent) => (type === 'string' && parent === 'expression_statement' ? 'docstring' : undefined),
    comments: new Set(['comment']),
    insertions: new Set(['interpolation']),
  },
  names: { shape: /^[\p{XID_Start}_]\p{XID_Continue}*$/u, form: 'NFKC' },
  reserved: {
    // Soft keywords are names too, but a lexical use can stand where the statement of that name begins.
    always: `${keywords} match case type _`,
    members: keywords,
  },
  holders: /\.ipynb$/i,
  indexers: ['scip-python'],
});
