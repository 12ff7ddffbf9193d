/**
 * The symbols a query can mean, fetched best first: whole names, beginnings, then parts of names, which no index finds and a look through
 * all names must. What is fetched is bounded; `cut` says that there were more.
 */

import { parseSymbolQuery, type RankedSymbol, rankSymbols, type SymbolQuery } from '../../search/rank-symbols.ts';
import type { ReadSession } from '../../store/facts-handle.ts';
import { oncePerGeneration } from '../../store/once-per-generation.ts';
import type { StoredFile } from '../../store/queries/find-file.ts';
import { listNames } from '../../store/queries/list-names.ts';
import {
  listSymbolsAtNamePath,
  listSymbolsFolded,
  listSymbolsNamed,
  listSymbolsOfNames,
  listSymbolsWithPrefix,
} from '../../store/queries/list-symbols.ts';
import { listSymbolsOfFile } from '../../store/queries/list-symbols-of-file.ts';
import type { SymbolHit } from '../../store/queries/symbol-rows.ts';
import { createNameText, listMeant } from './name-text.ts';

export type SymbolsAsk = {
  readonly query: string;
  readonly exact: boolean;
  readonly accepts: (symbol: SymbolHit) => boolean;
  /** Only its symbols, however many others have the same names. */
  readonly file?: StoredFile | undefined;
};
export type FoundSymbols = { readonly ranked: readonly RankedSymbol<SymbolHit>[]; readonly cut: boolean };

/** Symbols looked at per question; names that hold a part of the query. */
export const symbolLimits = { symbols: 10_000, names: 5_000 } as const;

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
  add(listSymbolsAtNamePath(session, { namePath, name, nameFold }, limit));
  if (ask.exact) return { ranked: rankSymbols(query, [...found.values()]).filter(isExact), cut };
  add(listSymbolsNamed(session, { name, nameFold }, limit));
  add(listSymbolsFolded(session, nameFold, limit));
  add(listSymbolsWithPrefix(session, nameFold, limit));
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
