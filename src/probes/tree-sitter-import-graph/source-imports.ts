/**
 * What a file asks for and which names it provides: the imports of the code plane's own extractors, by line.
 * Where a file does not parse, what lies in its broken parts is guesswork and left out.
 */

import { assert } from '../../kernel/base/assert.ts';
import { countWhile } from '../../kernel/base/count-while.ts';
import type { Extract, ImportKind, TextSpan } from '../../languages/facts.ts';
import extractGo from '../../languages/go/go-facts.ts';
import extractJava from '../../languages/java/java-facts.ts';
import extractJavaScript from '../../languages/javascript/javascript-facts.ts';
import type { GrammarName } from '../../languages/languages.ts';
import type { PinnedGrammar } from '../../languages/parsing/grammar-pins.ts';
import type { ParsedSource } from '../../languages/parsing/parse-source.ts';
import { walkTree } from '../../languages/parsing/walk-tree.ts';
import extractPython from '../../languages/python/python-facts.ts';
import extractRust from '../../languages/rust/rust-facts.ts';

export type ImportFact = {
  readonly specifier: string;
  readonly kind: ImportKind;
  readonly literal: boolean;
  readonly typeOnly: boolean;
  readonly names: readonly string[];
  /** 1-based. */
  readonly line: number;
};

type ImportFacts = { readonly imports: readonly ImportFact[]; readonly provides: readonly string[] };

const extractByGrammar: Partial<Record<GrammarName, Extract>> = {
  typescript: extractJavaScript,
  tsx: extractJavaScript,
  javascript: extractJavaScript,
  python: extractPython,
  go: extractGo,
  rust: extractRust,
  java: extractJava,
} satisfies Record<PinnedGrammar, Extract>;

export function extractImports({ grammar, root, text, hasErrors }: ParsedSource): ImportFacts {
  const extract = extractByGrammar[grammar];
  assert(extract !== undefined, `no import is recognised in ${grammar}`);
  // None of these languages reads anything into the path.
  const facts = extract({ root, text, path: '', hasErrors });
  const broken = hasErrors ? listErrors(root) : [];
  const lineOf = createLineCounter(text);
  const imports = facts.imports
    .filter((entry) => !isInside(broken, entry))
    .sort((a, b) => a.start - b.start)
    .map(({ specifier, kind, literal, typeOnly, names, start }) => ({
      specifier,
      kind,
      literal,
      typeOnly,
      names: names.map(({ name }) => name),
      line: lineOf(start),
    }));
  return { imports, provides: [...new Set(facts.provides)] };
}

/** Outermost error nodes, in order and apart from each other. */
function listErrors(root: ParsedSource['root']): TextSpan[] {
  const spans: TextSpan[] = [];
  walkTree(root, {
    ERROR: ({ startIndex: start, endIndex: end }) => {
      spans.push({ start, end });
      return 'skip';
    },
  });
  return spans;
}

function isInside(spans: readonly TextSpan[], { start, end }: TextSpan): boolean {
  const last = spans[countWhile(spans, (span) => span.start <= start) - 1];
  return last !== undefined && end <= last.end;
}

/** For positions that never go back. */
function createLineCounter(text: string): (position: number) => number {
  let line = 1;
  let next = text.indexOf('\n');
  return (position) => {
    for (; next !== -1 && next < position; next = text.indexOf('\n', next + 1)) line += 1;
    return line;
  };
}
