/**
 * Bytes or text → tree, in this thread. A file with syntax errors still has a tree; `hasErrors` says that facts may be missing.
 * The tree lives in wasm memory and is freed when `use` returns: nothing of it may be kept.
 */

import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Language, type Node, Parser, type Tree } from 'web-tree-sitter';
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
  const tree = parseText(parser, text, grammar);
  try {
    return use({ grammar, root: tree.rootNode, text, hasErrors: tree.rootNode.hasError });
  } finally {
    tree.delete();
  }
}

// ---- a call signature with type parameters on a line of its own, after a member without `;`: to these grammars the line goes on with the type
// before it, and much of the file is an error. There a blank before the line is read as the `;` that the language reads; positions stay.

const joinsLines: ReadonlySet<GrammarName> = new Set(['typescript', 'tsx']);
const signatureLine = /(?<=[\w$)\]}>'"`][ \t]*(?:\/\/.*)?\r?\n)[ \t](?=[ \t]*<)/g;
/** A file with more of them keeps its errors: each is a parse of the whole file. */
const mostEnded = 50;

function parseText(parser: Parser, text: string, grammar: GrammarName): Tree {
  let tree = parseOnce(parser, text);
  if (!joinsLines.has(grammar)) return tree;
  let read = text;
  let from = 0;
  for (let ended = 0; ended < mostEnded; ended += 1) {
    const error = findError(tree.rootNode, from);
    if (error === undefined) return tree;
    const line = findFrom(signatureLine, read, Math.max(from, read.lastIndexOf('\n', error - 1) + 1));
    if (line === undefined) return tree;
    from = line + 1;
    const before = findError(tree.rootNode, line);
    if (before === undefined) return tree;
    const other = `${read.slice(0, line)};${read.slice(line + 1)}`;
    const mended = parseOnce(parser, other);
    const after = findError(mended.rootNode, line);
    if (after !== undefined && after <= Math.max(line, before)) mended.delete();
    else {
      tree.delete();
      [tree, read] = [mended, other];
    }
  }
  return tree;
}

function parseOnce(parser: Parser, text: string): Tree {
  const tree = parser.parse(text);
  assert(tree !== null, 'a parse without a progress callback always ends in a tree');
  return tree;
}

function findFrom(pattern: RegExp, text: string, from: number): number | undefined {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index;
}

/** Where the first error begins that does not end before `from`. */
function findError(root: Node, from: number): number | undefined {
  const waiting = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (!node.hasError || node.endIndex < from) continue;
    if (node.isError || node.isMissing) return node.startIndex;
    waiting.push(...node.children.toReversed());
  }
  return undefined;
}

const require = createRequire(import.meta.url);
const loaded = new Map<GrammarName, Promise<Language>>();
let runtime: Promise<void> | undefined;

/** A grammar is loaded once per thread, when its first file comes: threads that never see Rust never compile Rust. */
async function loadGrammar(name: GrammarName): Promise<Language> {
  await startRuntime();
  let language = loaded.get(name);
  if (language === undefined) {
    language = Language.load(findGrammar(wasmOf(name)));
    loaded.set(name, language);
  }
  return language;
}

/** In its package; the published form carries those whose package has much besides. */
function findGrammar(wasm: string): string {
  const carried = fileURLToPath(new URL(`./${basename(wasm)}`, import.meta.url));
  return existsSync(carried) ? carried : require.resolve(wasm);
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
