/**
 * Bytes or text → tree, in this thread. A file with syntax errors still has a tree; `hasErrors` says that facts may be missing.
 *
 * TypeScript and JavaScript are read by oxc, which knows the language as its compilers do; what it does not accept, and every other
 * language, is read by tree-sitter, which finds a tree in anything. Readers see one kind of tree (`syntax-node.ts`, decision 0032).
 */

import { type Node as GrammarNode, Language, Parser, type Tree } from 'web-tree-sitter';
import { assert } from '../../kernel/base/assert.ts';
import { locateCarried } from '../../kernel/base/package-files.ts';
import { decodePlain } from '../../kernel/base/text.ts';
import type { Language as Declared } from '../language.ts';
import type { GrammarName } from '../languages.ts';
import { languages } from '../registry.gen.ts';
import { createOxcTree } from './oxc-node.ts';
import { type OxcReading, parseWithOxc } from './oxc-parser.ts';
import { UntoldTree } from './oxc-parts.ts';
import { shapeProgram } from './oxc-tree.ts';
import type { Node } from './syntax-node.ts';

export type ParsedSource = {
  readonly grammar: GrammarName;
  readonly root: Node;
  /** What was parsed: positions of the tree count its UTF-16 units. */
  readonly text: string;
  readonly hasErrors: boolean;
};

/**
 * The tree may live in wasm memory that is freed when `use` returns: nothing of it may be kept. `use` may be called again with the tree
 * of the other parser, so it answers and changes nothing.
 */
export async function withParsedSource<T>(
  grammar: GrammarName,
  source: Uint8Array | string,
  use: (source: ParsedSource) => T,
): Promise<T> {
  const text = typeof source === 'string' ? source : decodePlain(source);
  const language = await loadGrammar(grammar);
  const useOxc = () => useOxcTree(language, { grammar, text, use });
  if (text.length <= firstForOxc) {
    const answer = useOxc();
    if (answer !== undefined) return answer.value;
  }
  return withGrammarTree(grammar, text, (parsed) => {
    const answer = parsed.hasErrors && text.length > firstForOxc ? useOxc() : undefined;
    return answer === undefined ? use(parsed) : answer.value;
  });
}

/** The tree of tree-sitter, whatever oxc would say of the text. */
export async function withGrammarTree<T>(
  grammar: GrammarName,
  text: string,
  use: (source: ParsedSource) => T,
): Promise<T> {
  const tree = parseText(parserOf(grammar, await loadGrammar(grammar)), text, grammar);
  try {
    return use({ grammar, root: tree.rootNode, text, hasErrors: tree.rootNode.hasError });
  } finally {
    tree.delete();
  }
}

/**
 * How oxc may read a file of a grammar, in this order: the first reading that accepts the text counts. A path would say more, but not all:
 * `.ts` files are scripts or modules, `.js` files also bodies of CommonJS functions.
 */
const oxcReadings: Readonly<Partial<Record<GrammarName, readonly OxcReading[]>>> = {
  typescript: [
    { lang: 'ts', sourceType: 'module' },
    { lang: 'dts', sourceType: 'module' },
    { lang: 'ts', sourceType: 'script' },
  ],
  tsx: [
    { lang: 'tsx', sourceType: 'module' },
    { lang: 'tsx', sourceType: 'script' },
  ],
  javascript: [
    { lang: 'jsx', sourceType: 'unambiguous' },
    { lang: 'jsx', sourceType: 'commonjs' },
  ],
};

/** UTF-16 units. A tree as data takes some hundred bytes for each; of longer texts only those that tree-sitter cannot read take them. */
const firstForOxc = 500_000;

/** The answer of a tree of oxc; `undefined` where there is none. */
function useOxcTree<T>(
  language: Language,
  { grammar, text, use }: Pick<ParsedSource, 'grammar' | 'text'> & { readonly use: (source: ParsedSource) => T },
): { readonly value: T } | undefined {
  for (const reading of oxcReadings[grammar] ?? []) {
    const program = parseWithOxc(text, reading);
    if (program === undefined) continue;
    try {
      const root = createOxcTree(shapeProgram(program, text, grammar === 'javascript'), text, language);
      return { value: use({ grammar, root, text, hasErrors: false }) };
    } catch (error) {
      if (error instanceof UntoldTree) return undefined;
      throw error;
    }
  }
  return undefined;
}

const parsers = new Map<GrammarName, Parser>();

function parserOf(grammar: GrammarName, language: Language): Parser {
  let parser = parsers.get(grammar);
  if (parser === undefined) {
    parser = new Parser().setLanguage(language);
    parsers.set(grammar, parser);
  }
  return parser;
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
function findError(root: GrammarNode, from: number): number | undefined {
  const waiting = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (!node.hasError || node.endIndex < from) continue;
    if (node.isError || node.isMissing) return node.startIndex;
    waiting.push(...node.children.toReversed());
  }
  return undefined;
}

const loaded = new Map<GrammarName, Promise<Language>>();
let runtime: Promise<void> | undefined;

/** A grammar is loaded once per thread, when its first file comes: threads that never see Rust never compile Rust. */
async function loadGrammar(name: GrammarName): Promise<Language> {
  await startRuntime();
  let language = loaded.get(name);
  if (language === undefined) {
    language = Language.load(locateCarried(wasmOf(name)));
    loaded.set(name, language);
  }
  return language;
}

export function wasmOf(name: GrammarName): string {
  const grammar = languages.map(({ grammars }: Declared) => grammars[name]).find((found) => found !== undefined);
  assert(grammar !== undefined, `${name} is a grammar of some language`);
  return grammar.wasm;
}

/** The tree-sitter runtime itself, once per thread. */
export function startRuntime(): Promise<void> {
  runtime ??= Parser.init();
  return runtime;
}
