/**
 * Bytes or text → tree, in this thread. A file with syntax errors still has a tree; `hasErrors` says that facts may be missing.
 * The tree lives in wasm memory and is freed when `use` returns: nothing of it may be kept.
 */

import { createRequire } from 'node:module';
import { Language, type Node, Parser } from 'web-tree-sitter';
import { assert } from '../../kernel/base/assert.ts';
import { decodeLenient } from '../../kernel/base/text.ts';
import type { Language as Declared } from '../language.ts';
import type { GrammarName } from '../languages.ts';
import { languages } from '../registry.gen.ts';

export type ParsedSource = {
  readonly grammar: GrammarName;
  readonly root: Node;
  /** What was parsed: positions of the tree count its UTF-16 units. */
  readonly text: string;
  readonly hasErrors: boolean;
};

const parsers = new Map<GrammarName, Parser>();

export async function withParsedSource<T>(
  grammar: GrammarName,
  source: Uint8Array | string,
  use: (source: ParsedSource) => T,
): Promise<T> {
  let parser = parsers.get(grammar);
  if (parser === undefined) {
    const language = await loadGrammar(grammar);
    parser = new Parser().setLanguage(language);
    parsers.set(grammar, parser);
  }
  const text = typeof source === 'string' ? source : decodeLenient(source);
  const tree = parser.parse(text);
  assert(tree !== null, 'a parse without a progress callback always ends in a tree');
  try {
    return use({ grammar, root: tree.rootNode, text, hasErrors: tree.rootNode.hasError });
  } finally {
    tree.delete();
  }
}

const require = createRequire(import.meta.url);
const loaded = new Map<GrammarName, Promise<Language>>();
let runtime: Promise<void> | undefined;

/** A grammar is loaded once per thread, when its first file comes: threads that never see Rust never compile Rust. */
async function loadGrammar(name: GrammarName): Promise<Language> {
  await startRuntime();
  let language = loaded.get(name);
  if (language === undefined) {
    language = Language.load(require.resolve(wasmOf(name)));
    loaded.set(name, language);
  }
  return language;
}

function wasmOf(name: GrammarName): string {
  const grammar = languages.map(({ grammars }: Declared) => grammars[name]).find((found) => found !== undefined);
  assert(grammar !== undefined, `${name} is a grammar of some language`);
  return grammar.wasm;
}

/** The tree-sitter runtime itself, once per thread. */
export function startRuntime(): Promise<void> {
  runtime ??= Parser.init();
  return runtime;
}
