/**
 * Two indexes of the same sources, occurrence by occurrence. Before they are compared, what two tools number differently is made equal: locals
 * are named after where they are defined, keys of object literals and type literals lose their numbers (and are compared by where they are
 * defined, where both say it once), and the compiler's own library has no version.
 */

import { readScip } from '../../src/kernel/formats/read-scip.ts';
import type { ScipDocument, ScipSymbol } from '../../src/kernel/formats/scip.ts';

export type ReadIndex = {
  readonly documents: ReadonlyMap<string, ScipDocument>;
  /** Where a numbered symbol is defined; null: more than once. */
  readonly definitions: ReadonlyMap<string, string | null>;
};

export type Mark = {
  readonly path: string;
  readonly range: readonly number[];
  readonly symbol: string;
  /** As the tool spells it. */
  readonly raw: string;
  readonly isDefinition: boolean;
  /** Of a local that is defined elsewhere: everywhere it stands. Which of them comes first depends on what else was found. */
  readonly places: ReadonlySet<string> | null;
  /** Of these, where nothing is defined: a binding is tied to properties by rules of its own. */
  readonly uses: ReadonlySet<string> | null;
};

export type Difference = {
  readonly side: 'oracle' | 'ours';
  readonly mark: Mark;
  /** What the other has at the same range. */
  readonly others: readonly Mark[];
  /** What the same one has there. */
  readonly own: readonly Mark[];
  /** A local that its tool defines nowhere, and the other has one symbol at all the places where it has any. */
  readonly isNamed: boolean;
  /** The other has a symbol there that implements or overrides another one. */
  readonly isTied: boolean;
};

export type Comparison = {
  readonly documents: { readonly both: number; readonly oracle: readonly string[]; readonly ours: readonly string[] };
  readonly equal: number;
  readonly differences: readonly Difference[];
  readonly relations: { readonly equal: number; readonly oracle: readonly string[]; readonly ours: readonly string[] };
  /** Symbols of the files themselves that are named and defined nowhere. */
  readonly dangling: { readonly oracle: number; readonly ours: number };
};

export function readIndex(path: string): ReadIndex {
  const documents = new Map<string, ScipDocument>();
  const definitions = new Map<string, string | null>();
  const outcome = readScip(path, (part) => {
    if (part.kind !== 'document') return;
    documents.set(part.document.relativePath, part.document);
    for (const { symbol, roles, range } of part.document.occurrences) {
      if ((roles & 1) === 0 || !isNumbered(symbol)) continue;
      const place = `${part.document.relativePath}:${range.join(':')}`;
      definitions.set(symbol, definitions.has(symbol) ? null : place);
    }
  });
  if (outcome.kind === 'failed') throw new Error(`${path}: ${outcome.reason} ${outcome.detail}`);
  return { documents, definitions };
}

export function compareIndexes(oracle: ReadIndex, ours: ReadIndex): Comparison {
  const differences: Difference[] = [];
  const tied = new Set(
    [...ours.documents.values()].flatMap(({ symbols }) =>
      symbols.flatMap(({ symbol, relationships }) => (relationships.length > 0 ? [symbol] : [])),
    ),
  );
  let equal = 0;
  let both = 0;
  const relations = { equal: 0, oracle: [] as string[], ours: [] as string[] };
  for (const [path, theirs] of oracle.documents) {
    const mine = ours.documents.get(path);
    if (mine === undefined) continue;
    both += 1;
    const left = listMarks(theirs, path);
    const right = listMarks(mine, path);
    for (const [range, marks] of left) {
      const others = right.get(range) ?? [];
      for (const mark of marks) {
        if (others.some((other) => isSame(mark, other, oracle, ours))) equal += 1;
        else
          differences.push({
            side: 'oracle',
            mark,
            others,
            own: marks,
            isNamed: hasOneSymbol(mark, others, right),
            isTied: others.some(({ raw }) => tied.has(raw)),
          });
      }
    }
    for (const [range, marks] of right) {
      const others = left.get(range) ?? [];
      for (const mark of marks) {
        if (!others.some((other) => isSame(other, mark, oracle, ours)))
          differences.push({ side: 'ours', mark, others, own: marks, isNamed: false, isTied: false });
      }
    }
    const said = listRelations(theirs.symbols);
    const found = listRelations(mine.symbols);
    for (const relation of said) {
      if (found.has(relation)) relations.equal += 1;
      else relations.oracle.push(`${path}: ${relation}`);
    }
    for (const relation of found) if (!said.has(relation)) relations.ours.push(`${path}: ${relation}`);
  }
  return {
    documents: {
      both,
      oracle: [...oracle.documents.keys()].filter((path) => !ours.documents.has(path)),
      ours: [...ours.documents.keys()].filter((path) => !oracle.documents.has(path)),
    },
    equal,
    differences,
    relations,
    dangling: { oracle: countDangling(oracle), ours: countDangling(ours) },
  };
}

function countDangling({ documents }: ReadIndex): number {
  const defined = new Set<string>();
  const named = new Set<string>();
  const files = new Set<string>();
  for (const { occurrences, symbols } of documents.values()) {
    for (const { symbol, roles, range } of occurrences) {
      if (symbol.startsWith('local ')) continue;
      ((roles & 1) === 0 ? named : defined).add(symbol);
      if (range.join() === '0,0,0') files.add(symbol);
    }
    for (const { relationships } of symbols) for (const { symbol } of relationships) named.add(symbol);
  }
  const isOwn = (symbol: string): boolean => files.has(/^.*?`[^`]+\.[cm]?[jt]sx?`\//.exec(symbol)?.[0] ?? '');
  return [...named].filter((symbol) => !defined.has(symbol) && isOwn(symbol)).length;
}

function listMarks(document: ScipDocument, path: string): Map<string, Mark[]> {
  const locals = new Map<string, string>();
  const places = new Map<string, Set<string>>();
  const uses = new Map<string, Set<string>>();
  const defining = new Set<string>();
  for (const { symbol, roles, range } of document.occurrences) {
    if ((roles & 1) !== 0) defining.add(range.join(':'));
    if (!symbol.startsWith('local ')) continue;
    if ((roles & 1) !== 0) locals.set(symbol, `local@${range.join(':')}`);
  }
  for (const { symbol, range } of document.occurrences) {
    if (!symbol.startsWith('local ')) continue;
    if (!locals.has(symbol)) {
      locals.set(symbol, `local@${range.join(':')}`);
      places.set(symbol, new Set());
      uses.set(symbol, new Set());
    }
    places.get(symbol)?.add(range.join(':'));
    if (!defining.has(range.join(':'))) uses.get(symbol)?.add(range.join(':'));
  }
  const marks = new Map<string, Mark[]>();
  for (const { symbol, roles, range } of document.occurrences) {
    const key = range.join(':');
    const named = locals.get(symbol) ?? normalise(symbol);
    const isDefinition = (roles & 1) !== 0;
    const list = marks.get(key) ?? [];
    marks.set(key, list);
    if (!list.some((other) => other.raw === symbol && other.isDefinition === isDefinition))
      list.push({
        path,
        range,
        symbol: named,
        raw: symbol,
        isDefinition,
        places: places.get(symbol) ?? null,
        uses: uses.get(symbol) ?? null,
      });
  }
  return marks;
}

function isSame(theirs: Mark, mine: Mark, oracle: ReadIndex, ours: ReadIndex): boolean {
  if (theirs.places !== null && mine.places !== null && isSubset(theirs.places, mine.places)) return true;
  if (theirs.uses !== null && mine.uses !== null && theirs.uses.size > 0 && isSubset(theirs.uses, mine.uses))
    return true;
  if (theirs.symbol !== mine.symbol) return false;
  const [left, right] = [oracle.definitions.get(theirs.raw), ours.definitions.get(mine.raw)];
  return left == null || right == null || left === right;
}

/** `exports` and `module` are the file to one and what is assigned to the other: they do not count. */
function hasOneSymbol({ places }: Mark, others: readonly Mark[], marks: ReadonlyMap<string, readonly Mark[]>): boolean {
  if (places === null || others.length === 0) return false;
  const own = marks.get('0:0:0')?.[0]?.symbol;
  let common: Set<string> | undefined;
  for (const place of places) {
    const here = (marks.get(place) ?? [])
      .map(({ symbol }) => symbol.replace(/`<constructor>`\(\)\.$/, ''))
      .filter((symbol) => symbol !== own);
    if (here.length > 0) common = new Set(here.filter((symbol) => common?.has(symbol) ?? true));
  }
  return common !== undefined && common.size > 0;
}

function isSubset(some: ReadonlySet<string>, all: ReadonlySet<string>): boolean {
  for (const one of some) if (!all.has(one)) return false;
  return true;
}

function isNumbered(symbol: string): boolean {
  return /\d`?:/.test(symbol);
}

function normalise(symbol: string): string {
  return symbol
    .replace(/^scip-typescript npm typescript [\d.]+ /, 'scip-typescript npm typescript * ')
    .replace(/typeLiteral\d+:/g, 'typeLiteral*:')
    .replace(/\d+(`?):/g, '*$1:');
}

/** Which file of the library declares something depends on the version, and is no fact about who implements what. */
const libraryFile = /^(scip-typescript npm typescript \* lib\/)`[^`]+`\/(?:global\/)?/;

function listRelations(symbols: readonly ScipSymbol[]): Set<string> {
  const found = new Set<string>();
  for (const { symbol, relationships } of symbols) {
    if (symbol.startsWith('local ')) continue;
    for (const to of relationships) {
      if (to.symbol.startsWith('local ')) continue;
      const kinds = [to.isImplementation ? 'implements' : '', to.isReference ? 'reference' : ''].join(' ').trim();
      found.add(`${normalise(symbol)} ${kinds} ${normalise(to.symbol).replace(libraryFile, '$1')}`);
    }
  }
  return found;
}
