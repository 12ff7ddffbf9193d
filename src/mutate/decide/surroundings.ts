/** What the syntax says around a place that is asked about: for a reader, never an input of an edit. */

import type { Question } from '../../index/state/navigate/question.ts';
import { withSourceTree } from '../../index/state/navigate/read-file-facts.ts';
import { type FlatTree, firstChild, flattenTree } from '../../index/syntax/flat-tree.ts';
import type { ScopeTree } from '../../index/syntax/scopes/scope-tree.ts';
import { singleLine, truncate } from '../../kernel/base/text.ts';
import { createLines, type Lines } from '../plans/anchors.ts';
import type { Item, Loc } from '../types.ts';

export type Surroundings = {
  /** From the inside out. */
  readonly scopeChain: readonly { readonly kind: string; readonly line: number }[];
  /** Declarations of the name in these scopes. */
  readonly visible: readonly Loc[];
  /** Kinds of the nodes around it, from the inside out. */
  readonly ancestors: readonly string[];
  /** The call or property that a string is given to. */
  readonly consumer: string | null;
  /** Of what stands left of the dot. */
  readonly receiver: {
    readonly variable: string;
    readonly definitions: readonly (Loc & { readonly kind: string })[];
    readonly uses: readonly Loc[];
  } | null;
};

const consumerChars = 120;

/** Undefined where the file is not parsed. */
export async function surroundingsOf(question: Question, item: Item): Promise<Surroundings | undefined> {
  const facts = await question.facts(item.path);
  if (facts === undefined) return undefined;
  const { path, language, scopes, source } = facts;
  const { sliceDefUse } = await import('../../index/syntax/def-use.ts');
  const lines = createLines(source.text);
  const offset = lines.offsetOf(item.line - 1, item.col - 1) ?? 0;
  const placed = (at: { readonly start: number }): Loc => locOf(path, lines, at.start);
  const { slice, ancestors, consumer } = await withSourceTree(path, language, source.text, (tree) => {
    const flat = flattenTree(tree);
    const nodes = nodesAround(flat, offset);
    const receiver = receiverEnd(source.text, offset);
    return {
      slice: receiver === undefined ? null : sliceDefUse(tree, language, receiver),
      ancestors: nodes.slice(1).map((node) => flat.type[node] ?? ''),
      consumer: consumerOf(flat, nodes),
    };
  });
  const chain = scopesAround(scopes, offset);
  const inChain = new Set(chain);
  return {
    scopeChain: chain.map((scope) => ({
      kind: scopes.scopes[scope]?.kind ?? 'module',
      line: lines.lineOf(scopes.scopes[scope]?.start ?? 0) + 1,
    })),
    visible: scopes.bindings
      .filter(({ name, scope }) => name === item.text && inChain.has(scope))
      .flatMap(({ declarations: [first] }) => (first === undefined ? [] : [placed(first)])),
    ancestors,
    consumer,
    receiver:
      slice === null
        ? null
        : {
            variable: slice.variable,
            definitions: slice.definitions.map((one) => ({ ...placed(one), kind: one.kind })),
            uses: slice.uses.map(placed),
          },
  };
}

/** From the smallest node outwards. */
function nodesAround(tree: FlatTree, offset: number): readonly number[] {
  const path: number[] = [];
  for (let node = 0; node >= 0; ) {
    path.push(node);
    let inner = -1;
    for (let child = firstChild(tree, node); child >= 0; child = tree.next[child] ?? -1) {
      if ((tree.start[child] ?? 0) <= offset && offset < (tree.end[child] ?? 0)) inner = child;
    }
    node = inner;
  }
  return path.reverse();
}

function consumerOf(tree: FlatTree, nodes: readonly number[]): string | null {
  const found = nodes.find((node) =>
    /call|new_expression|pair|attribute|decorator|subscript|keyword_argument/.test(tree.type[node] ?? ''),
  );
  if (found === undefined) return null;
  return truncate(singleLine(tree.text.slice(tree.start[found], tree.end[found])), consumerChars);
}

/** Where the name left of `.`, `?.`, `->`, `::` or `[` ends. */
function receiverEnd(text: string, offset: number): number | undefined {
  const before = text.slice(Math.max(0, offset - 8), offset);
  const found = /(?:\?\.|\.|->|::|\[)\s*["'`]?$/.exec(before);
  return found === null ? undefined : offset - found[0].length;
}

function scopesAround({ scopes }: ScopeTree, offset: number): readonly number[] {
  let inner = -1;
  for (const [at, { start, end }] of scopes.entries()) if (start <= offset && offset < end) inner = at;
  const chain: number[] = [];
  for (let at = inner; at >= 0; at = scopes[at]?.parent ?? -1) chain.push(at);
  return chain;
}

function locOf(file: string, lines: Lines, start: number): Loc {
  const line = lines.lineOf(start);
  return { file, line: line + 1, col: start - (lines.offsetOf(line, 0) ?? start) + 1 };
}
