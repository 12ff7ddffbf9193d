/**
 * Can a name in an inferred type be one of ours? A type of a library that happens to have the name is spelled alike, and comes in where a
 * declaration uses something that no document here defines. Where the declaration itself says the name as often as its type does, or uses
 * nothing from outside, it does not. A declaration reaches from one definition that is no part of another to the next.
 */

import { parseScipSymbol, roleBits, type ScipDocument, type ScipOccurrence } from '../../../kernel/formats/scip.ts';

export type Surroundings = { mayMean(raw: string, count: number): boolean };

export function createSurroundings(
  { occurrences }: ScipDocument,
  definedHere: ReadonlySet<string>,
  isEdited: (range: readonly number[]) => boolean,
): Surroundings {
  let parts: readonly Part[] | undefined;
  let partOf: ReadonlyMap<string, Part> | undefined;
  return {
    mayMean(raw, count) {
      parts ??= divide(occurrences);
      partOf ??= new Map(parts.flatMap((part) => part.defines.map((symbol) => [symbol, part] as const)));
      const part = partOf.get(raw);
      if (part === undefined) return false;
      const edited = new Set(part.all.filter(({ range }) => isEdited(range)).map(({ range }) => range.join()));
      if (edited.size >= count) return true;
      return part.all.every(({ symbol }) => symbol === '' || symbol.startsWith('local ') || definedHere.has(symbol));
    },
  };
}

type Part = { readonly all: ScipOccurrence[]; readonly defines: string[] };

function divide(occurrences: readonly ScipOccurrence[]): readonly Part[] {
  const ordered = occurrences.toSorted((a, b) => compareRanges(a.range, b.range));
  const parts: Part[] = [];
  for (const occurrence of ordered) {
    const isDefinition = (occurrence.roles & roleBits.definition) !== 0;
    if (parts.length === 0 || (isDefinition && isDeclaration(occurrence.symbol))) parts.push({ all: [], defines: [] });
    parts.at(-1)?.all.push(occurrence);
    if (isDefinition) parts.at(-1)?.defines.push(occurrence.symbol);
  }
  return parts;
}

/** Parameters and keys of literals belong to what they stand in. */
function isDeclaration(raw: string): boolean {
  if (raw.startsWith('local ')) return false;
  const symbol = parseScipSymbol(raw);
  const suffix = symbol?.kind === 'global' ? symbol.descriptors.at(-1)?.suffix : undefined;
  return suffix === 'type' || suffix === 'term' || suffix === 'method';
}

function compareRanges(a: readonly number[], b: readonly number[]): number {
  return (a[0] ?? 0) - (b[0] ?? 0) || (a[1] ?? 0) - (b[1] ?? 0);
}
