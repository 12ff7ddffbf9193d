/**
 * How typed a TypeScript file is, and what it declares for others: the type names it writes, how many of them are `any`, and where
 * the names of its exported top-level declarations begin.
 */

import extractJavaScript from '../../languages/javascript/javascript-facts.ts';
import type { ParsedSource } from '../../languages/parsing/parse-source.ts';
import { walkTree } from '../../languages/parsing/walk-tree.ts';

type TypingFacts = {
  /** Types that are written as a name: `string`, `Order`, `any`; the name a declaration gives to a type is not one. */
  readonly typeNames: number;
  /** Of these, `any`. */
  readonly anyTypes: number;
  /** `[line, column]` each, flat; 0-based, columns in UTF-16 units. */
  readonly exportedNames: readonly number[];
};

export function extractTyping({ root, text, hasErrors }: ParsedSource): TypingFacts {
  let [typeNames, anyTypes] = [0, 0];
  // The names that declarations give are of the same node type as those that are used.
  let declared = 0;
  const declares = () => {
    declared += 1;
    return undefined;
  };
  walkTree(root, {
    predefined_type: ({ startIndex, endIndex }) => {
      typeNames += 1;
      if (text.slice(startIndex, endIndex) === 'any') anyTypes += 1;
      return undefined;
    },
    type_identifier: () => {
      typeNames += 1;
      return undefined;
    },
    interface_declaration: declares,
    type_alias_declaration: declares,
    class_declaration: declares,
    abstract_class_declaration: declares,
    type_parameter: declares,
    infer_type: declares,
    mapped_type_clause: declares,
    class: ({ namedChildren }) => (namedChildren[0]?.type === 'type_identifier' ? declares() : undefined),
  });
  // The language reads nothing into the path.
  const { symbols } = extractJavaScript({ root, text, path: '', hasErrors });
  const starts = symbols.filter(({ parent, exported }) => parent === -1 && exported).map(({ nameStart }) => nameStart);
  return { typeNames: Math.max(typeNames - declared, anyTypes), anyTypes, exportedNames: locate(text, starts) };
}

function locate(text: string, offsets: readonly number[]): number[] {
  const places: number[] = [];
  let [line, lineStart] = [0, 0];
  for (const offset of [...new Set(offsets)].sort((a, b) => a - b)) {
    for (let next = text.indexOf('\n', lineStart); next !== -1 && next < offset; next = text.indexOf('\n', lineStart)) {
      line += 1;
      lineStart = next + 1;
    }
    places.push(line, offset - lineStart);
  }
  return places;
}
