/** What the semantic index says about the files in question: the name of each definition, and who refers to whom. Locals aside. */

import { limits } from '../../../kernel/base/limits.ts';
import { readScipBytes } from '../../../kernel/formats/read-scip.ts';
import { roleBits, type ScipDocument } from '../../../kernel/formats/scip.ts';

export type DocumentNames = {
  /** The symbol defined at a line (from 1) and column. */
  readonly definitions: ReadonlyMap<string, string>;
  /** In the order of the document; lines from 1. */
  readonly references: readonly { readonly line: number; readonly symbol: string }[];
};
/** By path; null where there is no index, or none that can be read. */
export type SemanticNames = ReadonlyMap<string, DocumentNames> | null;

export const placeKey = (line: number, column: number): string => `${line}:${column}`;

export function readSemanticNames(index: Uint8Array | undefined, wanted: (path: string) => boolean): SemanticNames {
  if (index === undefined) return null;
  const byPath = new Map<string, DocumentNames>();
  const outcome = readScipBytes(
    index,
    (part) => {
      // Of a file that several projects describe, one description is enough.
      if (part.kind !== 'document' || !wanted(part.document.relativePath) || byPath.has(part.document.relativePath))
        return;
      byPath.set(part.document.relativePath, namesOf(part.document));
    },
    { maxBytes: limits.scipBytes, onUndecodable: () => {} },
  );
  return outcome.kind === 'read' && byPath.size > 0 ? byPath : null;
}

function namesOf({ occurrences }: ScipDocument): DocumentNames {
  const definitions = new Map<string, string>();
  const references: { line: number; symbol: string }[] = [];
  for (const { range, roles, symbol } of occurrences) {
    if (symbol === '' || symbol.startsWith('local ')) continue;
    const [line = 0, column = 0] = range;
    if ((roles & roleBits.definition) === 0) references.push({ line: line + 1, symbol });
    // The file itself is defined at its first character.
    else if (!symbol.endsWith('/')) definitions.set(placeKey(line + 1, column), symbol);
  }
  return { definitions, references };
}
