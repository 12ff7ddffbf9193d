/**
 * The symbols a query can mean, fetched best first: whole names, beginnings, then parts of names, which no index finds and a look through
 * all names must. What is fetched is bounded; `cut` says that there were more.
 */

import { oncePerGeneration, type ReadSession } from '../store/read-session.ts';
import type { StoredFile } from '../store/stored-files.ts';
import {
  listNames,
  listSymbolsAtNamePath,
  listSymbolsFolded,
  listSymbolsNamed,
  listSymbolsOfFile,
  listSymbolsOfNames,
  listSymbolsWithPrefix,
  type SymbolHit,
  type SymbolName,
} from '../store/stored-symbols.ts';
import {
  compileNameTest,
  parseSymbolQuery,
  type RankedSymbol,
  rankSymbols,
  type SymbolQuery,
  splitWords,
} from './rank-symbols.ts';

type SymbolsAsk = {
  readonly query: string;
  readonly exact: boolean;
  readonly accepts: (symbol: SymbolHit) => boolean;
  /** Only its symbols, however many others have the same names. */
  readonly file?: StoredFile | undefined;
};
type FoundSymbols = { readonly ranked: readonly RankedSymbol<SymbolHit>[]; readonly cut: boolean };

/** Symbols looked at per question; names that hold a part of the query. */
const symbolLimits = { symbols: 10_000, names: 5_000 } as const;

/** How many names are fetched before it is asked whether there are enough symbols. */
const namesAtOnce = 100;

/** What `cut` makes uncertain. */
export const symbolsCut = `more than ${symbolLimits.symbols} symbols or ${symbolLimits.names} names match; only the best were ranked`;

export function findSymbols(session: ReadSession, ask: SymbolsAsk): FoundSymbols {
  const asWritten = findFor(session, parseSymbolQuery(ask.query), ask);
  if (asWritten.ranked.length > 0) return asWritten;
  // `Order.total`, `Order::total` and `Order#total` are how languages write `Order/total`.
  const path = ask.query.replace(/(?<=[\w$])(?:\.|::|#)(?=[\w$~])/g, '/');
  return path === ask.query ? asWritten : findFor(session, parseSymbolQuery(path), ask);
}

function findFor(session: ReadSession, query: SymbolQuery, ask: SymbolsAsk): FoundSymbols {
  if (query.name === '') return { ranked: [], cut: false };
  const found = new Map<string, SymbolHit>();
  let cut = false;
  const add = (symbols: readonly SymbolHit[]) => {
    for (const symbol of symbols) {
      if (found.size >= symbolLimits.symbols) cut = true;
      else if (ask.accepts(symbol))
        found.set(`${symbol.path}\0${symbol.nameStart}\0${symbol.namePath}\0${symbol.kind}`, symbol);
    }
    cut ||= symbols.length >= symbolLimits.symbols;
  };
  const isExact = ({ tier }: RankedSymbol<SymbolHit>) => tier === 'exact_path' || tier === 'exact_name';
  if (ask.file !== undefined) {
    const ranked = rankSymbols(query, hitsOfFile(session, ask.file).filter(ask.accepts));
    return { ranked: ask.exact ? ranked.filter(isExact) : ranked, cut: false };
  }
  const { name } = query;
  const nameFold = name.toLowerCase();
  const limit = symbolLimits.symbols;
  const namePath = `${query.fromTop ? '/' : ''}${[...query.parents, name].join('/')}`;
  if (ask.exact) {
    add(listSymbolsAtNamePath(session, { namePath, name, nameFold }, limit));
    return { ranked: rankSymbols(query, [...found.values()]).filter(isExact), cut };
  }
  const beginning = listSymbolsWithPrefix(session, nameFold, limit);
  // The better ones are among these, unless there are too many: then they come first.
  if (beginning.length >= limit) {
    add(listSymbolsAtNamePath(session, { namePath, name, nameFold }, limit));
    add(listSymbolsNamed(session, { name, nameFold }, limit));
    add(listSymbolsFolded(session, nameFold, limit));
  }
  add(beginning);
  const text = oncePerGeneration(session, 'names', () => createNameText(listNames(session)));
  const names = listMeant(text, name, symbolLimits.names);
  cut ||= names.length >= symbolLimits.names;
  for (let from = 0; from < names.length; from += namesAtOnce) {
    if (found.size >= symbolLimits.symbols) {
      cut = true;
      break;
    }
    add(listSymbolsOfNames(session, names.slice(from, from + namesAtOnce), limit));
  }
  return { ranked: rankSymbols(query, [...found.values()]), cut };
}

function hitsOfFile(session: ReadSession, file: StoredFile): readonly SymbolHit[] {
  const { path, language, test, generated, vendored } = file;
  return listSymbolsOfFile(session, path).map(({ parent: _, ...row }) => {
    return { ...row, path, language, test, generated, vendored };
  });
}

/**
 * All names of a store as two texts with one name to a line, as they are written and in lower case. Looking through fifty thousand strings
 * takes 5 ms, because they lie anywhere in memory; through one text, less than 1 ms.
 */
type NameText = {
  readonly names: string;
  readonly folds: string;
  /** Where each line begins in either; one more than there are lines. */
  readonly nameStarts: Uint32Array;
  readonly foldStarts: Uint32Array;
  /** Names that do not fit on a line. */
  readonly odd: readonly string[];
};

function createNameText(all: readonly string[]): NameText {
  const plain = all.filter((name) => !name.includes('\n'));
  const folds = plain.map((name) => name.toLowerCase());
  return {
    names: joinLines(plain),
    folds: joinLines(folds),
    nameStarts: startsOf(plain),
    foldStarts: startsOf(folds),
    odd: all.filter((name) => name.includes('\n')),
  };
}

/** The first names, in their order, that a query for `asked` means and that do not begin with it. */
function listMeant(text: NameText, asked: string, limit: number): readonly SymbolName[] {
  const nameFold = asked.toLowerCase();
  const isMeant = compileNameTest(asked);
  const found: SymbolName[] = [];
  const consider = (name: string, fold: string) => {
    if (!fold.startsWith(nameFold) && isMeant(name, fold)) found.push({ name, nameFold: fold });
  };
  for (const line of linesThatMay(text, asked)) {
    if (found.length >= limit) return found;
    consider(lineAt(text.names, text.nameStarts, line), lineAt(text.folds, text.foldStarts, line));
  }
  for (const name of text.odd) if (found.length < limit) consider(name, name.toLowerCase());
  return found;
}

/** Every line on which the letters come in this order: more than is meant. */
function* linesThatMay({ folds, foldStarts }: NameText, asked: string): Generator<number> {
  const letters = splitWords(asked).join('');
  const count = foldStarts.length - 1;
  // In lower case other letters than these may depend on what follows them.
  if (!/^[a-z0-9]+$/.test(letters) || !/^[\0-\x7f]*$/.test(asked)) {
    for (let line = 0; line < count; line += 1) yield line;
    return;
  }
  // Each letter is the first of its kind after the one before: nothing to go back for, however long the line.
  const inOrder = new RegExp(`^${[...letters].map((letter) => `[^${letter}\n]*${letter}`).join('')}`, 'gm');
  let line = 0;
  while (inOrder.test(folds)) {
    while ((foldStarts[line + 1] as number) < inOrder.lastIndex) line += 1;
    yield line;
  }
}

function lineAt(text: string, starts: Uint32Array, line: number): string {
  return text.slice(starts[line], (starts[line + 1] as number) - 1);
}

/** Every line ends with a line feed, so that none is followed by nothing. */
function joinLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

function startsOf(lines: readonly string[]): Uint32Array {
  const starts = new Uint32Array(lines.length + 1);
  lines.forEach((line, at) => {
    starts[at + 1] = (starts[at] as number) + line.length + 1;
  });
  return starts;
}
