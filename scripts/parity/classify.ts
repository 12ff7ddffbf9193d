/**
 * Names for differences between the two indexers. A class says who is right; what fits none is `other`, and is to be looked at.
 */

import type { Difference } from './compare-indexes.ts';

export type DifferenceClass = {
  readonly name: string;
  readonly side: Difference['side'];
  readonly found: readonly Difference[];
};

type LineOf = (path: string, line: number) => string;

export function classifyDifferences(differences: readonly Difference[], lineOf: LineOf): readonly DifferenceClass[] {
  const classes = new Map<string, { name: string; side: Difference['side']; found: Difference[] }>();
  for (const difference of differences) {
    const name = difference.side === 'oracle' ? nameLoss(difference, lineOf) : nameGain(difference, lineOf);
    const key = `${difference.side} ${name}`;
    const known = classes.get(key) ?? { name, side: difference.side, found: [] };
    known.found.push(difference);
    classes.set(key, known);
  }
  return [...classes.values()].sort(
    (a, b) => a.side.localeCompare(b.side, 'en') * -1 || b.found.length - a.found.length,
  );
}

/** Unbound names are open to every question about them (`take-census.ts`), so nothing is concluded from the loss. */
const notInferred =
  'not inferred: version 7 knows less of the types of JavaScript; the name is left unbound, and counts as a possible use';

/** What scip-typescript alone says. */
function nameLoss({ mark, others, isNamed }: Difference, lineOf: LineOf): string {
  const line = lineOf(mark.path, mark.range[0] ?? 0);
  const [, from = 0, to = 0] = mark.range;
  const inScript = /\.[cm]?jsx?$/.test(mark.path);
  if (inScript && others.length === 0) return notInferred;
  if (isLibrary(mark.symbol)) return 'the library of another compiler version declares it elsewhere';
  if (inScript && /^(?:module|exports)$/.test(line.slice(from, to)))
    return 'wrong there: `module` and `exports` mean what is assigned to them';
  if (isNamed) return 'wrong there: a local that nothing defines, in each document another one; it has a symbol here';
  const before = line.slice(0, from);
  if (/^local .*`<constructor>`/.test(mark.raw)) return 'wrong there: a constructor of a local class is no symbol';
  if (/\.\.\.$/.test(before)) return 'wrong there: a rest binding is tied to a property of its own name';
  if (/:\s*$/.test(before) && others.some(({ isDefinition }) => isDefinition))
    return 'wrong there: a renamed binding is tied to a property of its new name';
  const isKey =
    /^\s*[,}\n]|^\s*$/.test(line.slice(to)) && others.some(({ isDefinition, raw }) => isDefinition && /:$/.test(raw));
  if (isKey) return 'wrong there: a shorthand of an import means the type of what is imported';
  if (others.some(({ symbol }) => symbol === mark.symbol)) return 'numbered differently: that tool counts across files';
  if (mark.places !== null) return 'a local without a definition that stands at fewer places here';
  return 'other';
}

/** What tsgo alone says. */
function nameGain({ mark, others }: Difference, lineOf: LineOf): string {
  if (isLibrary(mark.symbol)) return 'the library of another compiler version declares it elsewhere';
  const line = lineOf(mark.path, mark.range[0] ?? 0);
  const [, from = 0, to = 0] = mark.range;
  if (mark.isDefinition) {
    if (line.slice(from, to) === 'constructor') return 'a constructor behind a modifier';
    return others.length > 0
      ? 'a key of a literal is a property of its own, besides what is expected'
      : 'a definition that has no occurrence there';
  }
  if (others.some(({ isDefinition, raw }) => isDefinition && /:$/.test(raw)))
    return 'what is expected of a key, by some constituents of a union';
  if (/^\s*(?:[,})]|$)/.test(line.slice(to)) && others.length > 0) return 'the variable a shorthand takes';
  if (others.length === 0) return 'a name without any occurrence there';
  return others.some(({ symbol }) => symbol === mark.symbol)
    ? 'numbered differently: that tool counts across files'
    : 'a further declaration of what is named';
}

function isLibrary(symbol: string): boolean {
  return symbol.startsWith('scip-typescript npm typescript * ');
}
