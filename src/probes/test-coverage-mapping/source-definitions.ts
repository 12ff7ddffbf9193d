/**
 * Where a file defines what: every symbol with the lines it spans and the place of its name, as the code plane reads it. Lines count
 * from 1, columns from 0 in UTF-16 units.
 */

import { joinNamePath } from '../../index/text/file-record.ts';
import { assert } from '../../kernel/base/assert.ts';
import { createTextOffsets } from '../../kernel/tree/positions.ts';
import type { SymbolKind } from '../../languages/facts.ts';
import type { PinnedGrammar } from '../../languages/parsing/grammar-pins.ts';
import type { ParsedSource } from '../../languages/parsing/parse-source.ts';
import { extractFacts } from '../../languages/readers.ts';

export type DefinitionFact = {
  readonly name: string;
  /** `Cart/add`. */
  readonly namePath: string;
  readonly kind: SymbolKind;
  /** Position of the enclosing symbol in the same list, which always comes earlier; -1 at the top level. */
  readonly parent: number;
  readonly exported: boolean;
  readonly line: number;
  readonly column: number;
  readonly startLine: number;
  readonly endLine: number;
};
export type DefinitionFacts = { readonly lines: number; readonly definitions: readonly DefinitionFact[] };

/** The reader of a language looks at the extension alone, to tell its dialects apart. */
const dialects: Readonly<Record<PinnedGrammar, readonly [language: string, path: string]>> = {
  typescript: ['typescript', 'a.ts'],
  tsx: ['typescript', 'a.tsx'],
  javascript: ['javascript', 'a.js'],
  python: ['python', 'a.py'],
  go: ['go', 'a.go'],
  rust: ['rust', 'a.rs'],
  java: ['java', 'a.java'],
};

export function extractDefinitions({ grammar, root, text, hasErrors }: ParsedSource): DefinitionFacts {
  const [language, path] = dialects[grammar as PinnedGrammar] ?? [];
  assert(language !== undefined && path !== undefined, `no definition is recognised in ${grammar}`);
  const { symbols } = extractFacts({ root, text, path, hasErrors }, language);
  // Bytes are not asked for.
  const offsets = createTextOffsets(text, { isAscii: true, bom: false });
  const definitions: DefinitionFact[] = [];
  for (const { name, kind, parent, exported, nameStart, start, end } of symbols) {
    const above = parent < 0 ? undefined : definitions[parent];
    const { line, column } = offsets.toLineColumn(nameStart);
    definitions.push({
      name,
      namePath: above === undefined ? name : joinNamePath(above.namePath, name),
      kind,
      parent,
      exported,
      line: line + 1,
      column,
      startLine: offsets.toLineColumn(start).line + 1,
      endLine: offsets.toLineColumn(Math.max(start, end - 1)).line + 1,
    });
  }
  return { lines: offsets.toLineColumn(text.length).line + 1, definitions };
}
