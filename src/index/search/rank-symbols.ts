/**
 * Which symbols a query means, best first (code-plane.md §9). The order is total: it depends on the rows and not on the order in which
 * they came.
 *
 * A query is a name or a name path: `b`, `A/b`, `/A/b` from the file's top level, `A/b[1]` for the second overload. The last part may
 * be abbreviated; the parts before it are whole names.
 */

import { compareCodeUnits } from '../../kernel/base/json.ts';

export type SymbolCandidate = {
  readonly name: string;
  /** `A/b/c` from the top level of the file. */
  readonly namePath: string;
  readonly overload: number;
  readonly kind: string;
  readonly exported: boolean;
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly test: boolean;
  readonly generated: boolean;
};

export type SymbolQuery = {
  /** The names around the one asked for, outermost first. */
  readonly parents: readonly string[];
  readonly name: string;
  readonly fromTop: boolean;
  readonly overload: number | null;
};

/** From best to worst. */
export const symbolTiers = ['exact_path', 'exact_name', 'prefix', 'folded_prefix', 'word_parts', 'substring'] as const;
type SymbolTier = (typeof symbolTiers)[number];

export type RankedSymbol<T extends SymbolCandidate> = { readonly symbol: T; readonly tier: SymbolTier };

export function parseSymbolQuery(text: string): SymbolQuery {
  const overload = /\[([0-9]{1,6})\]$/.exec(text);
  const path = overload === null ? text : text.slice(0, overload.index);
  const fromTop = path.startsWith('/');
  const names = (fromTop ? path.slice(1) : path).split('/');
  return {
    parents: names.slice(0, -1),
    name: names.at(-1) ?? '',
    fromTop,
    overload: overload === null ? null : Number(overload[1]),
  };
}

/** The candidates that the query can mean, best first. */
export function rankSymbols<T extends SymbolCandidate>(
  query: SymbolQuery,
  candidates: readonly T[],
): RankedSymbol<T>[] {
  const ranked: (RankedSymbol<T> & { readonly rank: number })[] = [];
  const ways = waysToSplit(query.name);
  for (const symbol of candidates) {
    const tier = tierOf(query, ways, symbol);
    if (tier !== undefined) ranked.push({ symbol, tier, rank: symbolTiers.indexOf(tier) });
  }
  return ranked
    .sort((a, b) => a.rank - b.rank || compareSymbols(a.symbol, b.symbol))
    .map(({ symbol, tier }) => ({ symbol, tier }));
}

function tierOf(query: SymbolQuery, ways: Ways, symbol: SymbolCandidate): SymbolTier | undefined {
  if (query.overload !== null && query.overload !== symbol.overload) return undefined;
  const parents = symbol.namePath.slice(0, Math.max(0, symbol.namePath.length - symbol.name.length - 1));
  const asked = query.parents.join('/');
  const isWhole = parents === asked;
  if (query.fromTop ? !isWhole : !(isWhole || asked === '' || parents.endsWith(`/${asked}`))) return undefined;
  const byName = tierOfName(query.name, ways, symbol.name);
  return byName === 'exact_name' && isWhole ? 'exact_path' : byName;
}

function tierOfName(asked: string, ways: Ways, name: string): SymbolTier | undefined {
  if (asked === '') return undefined;
  if (name === asked) return 'exact_name';
  if (name.startsWith(asked)) return 'prefix';
  const folded = name.toLowerCase();
  const askedFolded = asked.toLowerCase();
  if (folded.startsWith(askedFolded)) return 'folded_prefix';
  if (matchesWordParts(ways, name)) return 'word_parts';
  return folded.includes(askedFolded) ? 'substring' : undefined;
}

/** Whether a name has any tier, for a look through all names: most of them are told apart without taking them to pieces. */
export function compileNameTest(asked: string): (name: string, nameFold: string) => boolean {
  const askedFolded = asked.toLowerCase();
  const ways = waysToSplit(asked);
  // In lower case other letters than these may depend on what follows them.
  const isPlain = /^[\0-\x7f]*$/.test(asked);
  return (name, nameFold) => {
    if (asked === '') return false;
    if (nameFold.includes(askedFolded) || name.startsWith(asked)) return true;
    if (isPlain && name.length === nameFold.length && !ways.some((parts) => mayBeginWords(parts, name, nameFold)))
      return false;
    return ways.length > 0 && matchesWordParts(ways, name);
  };
}

/** False where the parts do not come in this order, each where a word could begin. */
function mayBeginWords(parts: readonly string[], name: string, nameFold: string): boolean {
  let from = 0;
  for (const part of parts) {
    let at = nameFold.indexOf(part, from);
    while (at > 0 && isInsideWord(name, at)) at = nameFold.indexOf(part, at + 1);
    if (at < 0) return false;
    from = at + 1;
  }
  return true;
}

/** Certainly, that is: between two small letters or two digits of the Latin alphabet. */
function isInsideWord(name: string, at: number): boolean {
  const [before, here] = [name.charCodeAt(at - 1), name.charCodeAt(at)];
  return (isSmall(before) && isSmall(here)) || (isDigit(before) && isDigit(here));
}

function isSmall(code: number): boolean {
  return code >= 97 && code <= 122;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** `gUN` → `getUserName`, `g_n` → `get_user_name`: the first part begins the first word, each further one a later word. */
function matchesWordParts(ways: Ways, name: string): boolean {
  if (ways.length === 0) return false;
  const words = splitWords(name);
  return ways.some((parts) => beginWords(parts, words));
}

/** Of two parts or more each. */
type Ways = readonly (readonly string[])[];

/** `UN` may be two initials or the beginning of an acronym. */
function waysToSplit(asked: string): Ways {
  const ways = [splitWords(asked.replace(/\p{Lu}(?=\p{Lu})/gu, '$&_')), splitWords(asked)];
  return ways.filter((parts) => parts.length > 1);
}

function beginWords(parts: readonly string[], words: readonly string[]): boolean {
  let next = 0;
  for (const [index, part] of parts.entries()) {
    while (next < words.length && !(words[next] as string).startsWith(part)) {
      if (index === 0) return false;
      next += 1;
    }
    if (next === words.length) return false;
    next += 1;
  }
  return true;
}

/** In lower case. A word begins at a capital, a digit after a letter, and after what is neither. */
export function splitWords(name: string): string[] {
  const words = name.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lt}\p{Lm}\p{M}]+|\p{Lu}|\p{N}+/gu) ?? [];
  return words.map((word) => word.toLowerCase());
}

/** Exported before internal, production before tests, written before generated; then by place. */
function compareSymbols(a: SymbolCandidate, b: SymbolCandidate): number {
  return (
    Number(b.exported) - Number(a.exported) ||
    Number(a.test) - Number(b.test) ||
    Number(a.generated) - Number(b.generated) ||
    compareCodeUnits(a.path, b.path) ||
    a.line - b.line ||
    a.column - b.column ||
    compareCodeUnits(a.namePath, b.namePath) ||
    a.overload - b.overload ||
    compareCodeUnits(a.kind, b.kind)
  );
}
