/** TypeScript and TSX, read like JavaScript. */

import { javascriptTokens, javascriptWords } from '../javascript/javascript.ts';
import { defineLanguage } from '../language.ts';

export default defineLanguage({
  name: 'typescript',
  title: 'TypeScript',
  extensions: ['ts', 'tsx', 'mts', 'cts'],
  grammars: {
    typescript: {
      wasm: '@vscode/tree-sitter-wasm/wasm/tree-sitter-typescript.wasm',
      pin: { version: '0.3.1', blake3: '54531d7f858516451e7442686af449b1f30a460fd3cb3506e00d6956960395eb' },
    },
    tsx: {
      wasm: '@vscode/tree-sitter-wasm/wasm/tree-sitter-tsx.wasm',
      pin: { version: '0.3.1', blake3: 'e962e1f42274da22b750c193072bdad99fc9cc4b98cd1dfc62984f4b549c3712' },
    },
  },
  grammarOf: (path) => (path.endsWith('.tsx') ? 'tsx' : 'typescript'),
  readsLike: 'javascript',
  tokens: javascriptTokens,
  names: { shape: /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u, escapes: true },
  reserved: {
    ...javascriptWords,
    types:
      'any unknown never string number boolean symbol object bigint keyof infer unique readonly asserts intrinsic globalThis',
  },
  holders: /\.(?:vue|svelte|astro|mdx|html?|ejs|hbs)$/i,
  // The first reads a project unless the user chose (decision 0027).
  indexers: ['tsgo', 'scip-typescript'],
});
