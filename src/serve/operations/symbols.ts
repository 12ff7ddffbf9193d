/** Declarations by name or name path, best first. */

import { createFileStates } from '../../index/freshness/file-states.ts';
import { findSymbols, symbolsCut } from '../../index/search/find-symbols.ts';
import { type RankedSymbol, symbolTiers } from '../../index/search/rank-symbols.ts';
import type { ReadSession } from '../../index/store/read-session.ts';
import { countParses } from '../../index/store/store-counts.ts';
import { listDefinedAt } from '../../index/store/stored-occurrences.ts';
import type { SymbolHit } from '../../index/store/stored-symbols.ts';
import type { CodeView } from '../../index/view/code-view.ts';
import { oneOf, strictInput, z } from '../../kernel/base/schema.ts';
import { symbolKinds } from '../../languages/facts.ts';
import { dataLanguages } from '../../languages/file-language.ts';
import { hasSyntax } from '../../languages/languages.ts';
import {
  columns,
  countOf,
  countWith,
  plural,
  quotedPath,
  renderMore,
  shown,
  whyMore,
  whyStale,
} from './answer-words.ts';
import { compilePathFilter, Limit, readPathGlobs } from './input.ts';
import { Count, defineOperation, Place, provenances } from './operation.ts';
import { pageOf, startOfPage } from './page.ts';

const SymbolAnswer = Place.extend({
  kind: z.enum(symbolKinds),
  name: z.string(),
  name_path: z.string(),
  /** Its number among equal name paths of the file: `A/b[1]` asks for the second. */
  overload: z.number().int(),
  language: z.string().nullable(),
  marks: z.array(z.enum(['exported', 'test', 'generated', 'vendored'])),
  /** How the query means it. */
  match: z.enum(symbolTiers),
  provenance: z.enum(provenances),
  /** As the compiler writes it; null where no indexer has seen the file as it is. */
  signature: z.string().nullable(),
  /** `changed`: the file on disk is not the one this was read from. */
  state: z.enum(['clean', 'changed']),
});
type SymbolAnswer = z.infer<typeof SymbolAnswer>;

export default defineOperation({
  name: 'symbols',
  says: 'Symbols by name or name path (Class/method), by any part of the name unless exact',
  semantic: true,
  input: strictInput({
    query: z.string().min(1, 'name what you look for'),
    kind: z.array(oneOf(symbolKinds)).optional(),
    path: z.array(z.string()).optional(),
    exact: z.boolean().optional(),
    limit: Limit.optional(),
    continue: z.string().optional(),
  }),
  output: z.object({
    symbols: z.array(SymbolAnswer),
    count: Count,
    truncated: z.boolean(),
    continue: z.string().nullable(),
  }),
  async run(view, input) {
    return view.read((session) => {
      const { query, kind = [], path = [], exact = false } = input;
      const question = ['symbols', query, kind, path, exact];
      const page = { generation: session.generation, question, limit: input.limit ?? 200, token: input.continue };
      const start = startOfPage(page);
      if (typeof start !== 'number') return start;
      const inPath = compilePathFilter(readPathGlobs(path));
      const { gone } = view.differences;
      const accepts = (symbol: SymbolHit) =>
        (kind.length === 0 || kind.includes(symbol.kind)) && inPath(symbol.path) && !gone.has(symbol.path);
      const { ranked, cut } = findSymbols(session, { query, exact, accepts });
      const { items, ...rest } = pageOf(ranked, start, page);
      const unresolved = [...(cut ? [symbolsCut] : []), ...whySymbolsMayLack(session, view)];
      return {
        symbols: describeHits(session, view, items),
        count: countWith(ranked.length, unresolved),
        ...rest,
      };
    });
  },
  render({ symbols, count, ...page }) {
    const rows = symbols.map((symbol) => [
      symbol.kind,
      `${shown(symbol.name_path, 120)}${symbol.overload === 0 ? '' : `[${symbol.overload}]`}`,
      `${quotedPath(symbol.path)}:${symbol.line}:${symbol.col}`,
      [...symbol.marks, ...(symbol.state === 'changed' ? ['file changed since'] : [])].join(', '),
    ]);
    return [...columns(rows, ''), countOf(count, 'symbol'), ...whyMore(count), ...renderMore(page.continue)].join('\n');
  },
});

/** With what an indexer that has seen the file as it is says is declared there. */
function describeHits(
  session: ReadSession,
  view: CodeView,
  hits: readonly RankedSymbol<SymbolHit>[],
): readonly SymbolAnswer[] {
  const states = createFileStates(view);
  const clean = hits.filter(({ symbol }) => states.of(symbol.path).freshness === 'clean');
  const said = listDefinedAt(
    session,
    clean.map(({ symbol: { path, nameStart } }) => ({ path, start: nameStart })),
  );
  const defined = new Map(clean.map(({ symbol }, at) => [symbol, said[at]]));
  return hits.map(({ symbol, tier }) => {
    const here = defined.get(symbol);
    return {
      ...describeHit(view, symbol),
      provenance: here === undefined ? 'syntactic' : 'resolved',
      // An indexer has one signature for all overloads: that of the first.
      signature: symbol.overload === 0 ? (here?.signature ?? null) : null,
      match: tier,
    };
  });
}

function describeHit(view: CodeView, symbol: SymbolHit): Omit<SymbolAnswer, 'match' | 'provenance' | 'signature'> {
  return {
    kind: symbol.kind,
    name: symbol.name,
    name_path: symbol.namePath,
    overload: symbol.overload,
    path: symbol.path,
    line: symbol.line + 1,
    col: symbol.column + 1,
    language: symbol.language,
    marks: (['exported', 'test', 'generated', 'vendored'] as const).filter((mark) => symbol[mark]),
    state: view.differences.changed.has(symbol.path) ? 'changed' : 'clean',
  };
}

/** Files that may declare something and could not be read (P2). */
function whySymbolsMayLack(session: ReadSession, view: CodeView): readonly string[] {
  let broken = 0;
  let unread = 0;
  const foreign = new Map<string, number>();
  for (const { language, parse, skipReason, count } of countParses(session)) {
    if (parse === 'errors') broken += count;
    else if (parse === 'failed' || parse === 'skipped' || (skipReason !== null && hasSyntax(language ?? '')))
      unread += count;
    else if (parse === null && language !== null && !dataLanguages.has(language)) {
      foreign.set(language, (foreign.get(language) ?? 0) + count);
    }
  }
  const names = [...foreign.keys()].sort();
  return [
    ...whyStale(view),
    ...(broken === 0 ? [] : [`parts of ${plural(broken, 'file')} could not be parsed`]),
    ...(unread === 0
      ? []
      : [`${plural(unread, 'file')} could not be parsed or ${unread === 1 ? 'is' : 'are'} too large`]),
    ...(names.length === 0 ? [] : [`there is no grammar for ${names.join(', ')}`]),
  ];
}
