/**
 * Which grammar reads which file, and where its wasm is.
 * A grammar is loaded once per thread, when its first file comes; threads that never see Rust never compile Rust.
 */

import { createRequire } from 'node:module';
import { Language, Parser } from 'web-tree-sitter';

export const grammarNames = [
  'typescript',
  'tsx',
  'javascript',
  'python',
  'go',
  'rust',
  'java',
  'c',
  'cpp',
  'c-sharp',
  'ruby',
  'php',
] as const;
export type GrammarName = (typeof grammarNames)[number];

const require = createRequire(import.meta.url);
const loaded = new Map<GrammarName, Promise<Language>>();
let runtime: Promise<void> | undefined;

export async function loadGrammar(name: GrammarName): Promise<Language> {
  await startRuntime();
  let language = loaded.get(name);
  if (language === undefined) {
    language = Language.load(require.resolve(wasmOf(name)));
    loaded.set(name, language);
  }
  return language;
}

export function wasmOf(name: GrammarName): string {
  return name === 'c' ? 'tree-sitter-c/tree-sitter-c.wasm' : `@vscode/tree-sitter-wasm/wasm/tree-sitter-${name}.wasm`;
}

/** The tree-sitter runtime itself, once per thread. */
export function startRuntime(): Promise<void> {
  runtime ??= Parser.init();
  return runtime;
}
