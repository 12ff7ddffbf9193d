/**
 * Text search (code-plane.md §9): the index names candidates, the disk decides. Invariants:
 * - T13: hits are exactly those a scan of the same files gives;
 * - T14: a count says `eq` only if no file that was not searched, and no hit that was left out, could add to it;
 * - T15: an answer that was cut short says so.
 * Files are read in order of path and reading stops at the limit, so a common word costs no more than a rare one.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { compareCodeUnits } from '../../kernel/base/json.ts';
import { compileGlobs } from '../../kernel/tree/path-patterns.ts';
import type { SkipReason } from '../store/rows.ts';
import { type LiteralFormula, requiredLiterals } from '../text/regex-literals.ts';
import { readContinueToken, type SearchPosition, writeContinueToken } from './continue-token.ts';
import { compilePattern, compileRegex, type FindMatches, type TextMatch, type TextPattern } from './find-matches.ts';
import { createLineTexts, lineTextOf } from './line-texts.ts';
import { createRegexMatcher, type RegexMatcher } from './match-regex.ts';
import { requiredNames } from './required-names.ts';
import { trigramQuery } from './trigram-query.ts';
import type { FileHits, IndexQuery, SearchAsk, SearchCandidate, SearchOutcome, SearchSource } from './types.ts';

export type SearchTools = {
  /** Milliseconds of a clock that only goes forward. */
  readonly now: () => number;
  /** Kept between searches by a program that answers many; without one a thread is started for each regular expression. */
  readonly matcher?: RegexMatcher;
};

export async function searchText(ask: SearchAsk, source: SearchSource, tools: SearchTools): Promise<SearchOutcome> {
  const compiled = compilePattern(ask);
  if (compiled.kind === 'invalid') return { kind: 'invalid_query', detail: compiled.detail };
  const from = ask.continueToken === null ? start : readContinueToken(ask.continueToken, ask, source.generation);
  if (from === undefined) return { kind: 'stale_continue' };

  const accepts = compileFilter(ask);
  const ahead = (file: SearchCandidate) => file.path >= from.path && accepts(file);
  const query = indexQueryOf(ask);
  const suspects = source.listSuspects(query).filter(ahead);
  const candidates = listInOrder([...source.listCandidates(query).filter(ahead), ...suspects]);
  const suspected = new Set(suspects.map(({ path }) => path));
  const notSearched = new Map<SkipReason, number>();
  for (const file of source.listUnsearched()) if (accepts(file)) addOne(notSearched, file.reason);

  const own = ask.kind === 'regex' && tools.matcher === undefined ? createRegexMatcher() : undefined;
  const match = ask.kind === 'regex' ? inThread(ask, own ?? (tools.matcher as RegexMatcher)) : inPlace(compiled.find);
  try {
    const found = await collect({ ask, source, candidates, suspected, from, match, now: tools.now, notSearched });
    return answer(ask, source, from, found, notSearched);
  } finally {
    await own?.close();
  }
}

const start: SearchPosition = { path: '', from: 0, counted: 0 };

/** The question for the index. */
export function indexQueryOf(ask: TextPattern): IndexQuery {
  const formula = formulaOf(ask);
  const names = requiredNames(formula, { ...ask, wholeWord: ask.wholeWord && ask.kind === 'literal' });
  const isOneName = formula.kind === 'literal' && names[0] === formula.text;
  return { trigrams: trigramQuery(formula, ask), names, isOneName };
}

function formulaOf(ask: TextPattern): LiteralFormula {
  if (ask.kind === 'literal') return { kind: 'literal', text: ask.query };
  const regex = compileRegex(ask);
  return regex.kind === 'invalid' ? { kind: 'any' } : requiredLiterals(ask.query, regex);
}

function compileFilter(ask: SearchAsk): (file: SearchCandidate) => boolean {
  const excluded = ask.pathGlobs.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1));
  const included = ask.pathGlobs.filter((glob) => !glob.startsWith('!'));
  const isExcluded = excluded.length === 0 ? () => false : compileGlobs(excluded);
  const isIncluded = included.length === 0 ? () => true : compileGlobs(included);
  const languages = new Set(ask.languages);
  return ({ path, language }) =>
    (languages.size === 0 || (language !== null && languages.has(language))) && isIncluded(path) && !isExcluded(path);
}

function listInOrder(all: SearchCandidate[]): SearchCandidate[] {
  // The index orders by bytes, everything else by UTF-16 units; they nearly always agree.
  const isSorted = all.every((file, at) => at === 0 || (all[at - 1] as SearchCandidate).path <= file.path);
  return isSorted ? all : all.sort((a, b) => compareCodeUnits(a.path, b.path));
}

type Text = { readonly path: string; readonly bytes: Uint8Array; readonly from: number };
type Batch = { readonly texts: readonly Text[]; readonly next: number };
/** Matches of the texts in order, as far as there is room for them; undefined when the time was up. */
type Match = {
  /**
   * How many files at most to give at once: a message to a thread costs as much as reading some dozen files. One where bytes are good
   * until the next read.
   */
  readonly filesPerBatch: number;
  run(texts: readonly Text[], max: number, timeoutMs: number): Promise<readonly (readonly TextMatch[])[] | undefined>;
};

/** Literals take time linear in the text, so a file is never too much. */
function inPlace(find: FindMatches): Match {
  return { filesPerBatch: 1, run: async (texts, max) => texts.map(({ bytes, from }) => find(bytes, { max, from })) };
}

function inThread({ query, kind, ignoreCase, wholeWord }: TextPattern, matcher: RegexMatcher): Match {
  return {
    filesPerBatch: 512,
    async run(texts, max, timeoutMs) {
      const sent = texts.map(({ bytes, from }) => ({ bytes, from }));
      const outcome = await matcher.match({ query, kind, ignoreCase, wholeWord }, sent, { max, timeoutMs });
      return outcome.kind === 'found' ? outcome.matches : undefined;
    },
  };
}

type Search = {
  readonly ask: SearchAsk;
  readonly source: SearchSource;
  readonly candidates: readonly SearchCandidate[];
  /** Those of them that may hold secrets. */
  readonly suspected: ReadonlySet<string>;
  readonly from: SearchPosition;
  readonly match: Match;
  readonly now: () => number;
  readonly notSearched: Map<SkipReason, number>;
};
type Found = {
  readonly files: readonly FileHits[];
  readonly hits: number;
  /** Where the next answer begins, if this one was cut short. */
  readonly end: { readonly path: string; readonly from: number } | null;
  readonly timedOut: boolean;
};

const BATCH_BYTES = 4 * 1024 * 1024;
/** The first batch is small, because the limit is often reached in it; each one after is twice as large. */
const FIRST_BATCH_FILES = 16;
/** Others get a turn after as much work. */
const TURN_MS = 20;

async function collect(search: Search): Promise<Found> {
  const { ask, candidates, match, now } = search;
  const files: FileHits[] = [];
  let hits = 0;
  const began = now();
  let turned = began;
  let size = FIRST_BATCH_FILES;
  for (let at = 0; at < candidates.length; ) {
    const time = now();
    const place = { path: (candidates[at] as SearchCandidate).path, from: startIn(search, at) };
    if (time - began >= ask.deadlineMs) return { files, hits, end: place, timedOut: true };
    if (time - turned >= TURN_MS) {
      await nextTurn();
      turned = now();
    }
    const batch = readBatch(search, at, Math.min(size, match.filesPerBatch));
    size *= 2;
    // One more than may be shown tells whether there is more.
    const lists = await match.run(batch.texts, ask.limit + 1 - hits, ask.deadlineMs - (now() - began));
    if (lists === undefined) return { files, hits, end: place, timedOut: true };
    for (const [index, matches] of lists.entries()) {
      if (matches.length === 0) continue;
      const text = batch.texts[index] as Text;
      const shown = matches.slice(0, ask.limit - hits);
      hits += shown.length;
      if (shown.length > 0) files.push(toHits(text, shown, search));
      const omitted = matches[shown.length];
      if (omitted !== undefined)
        return { files, hits, end: { path: text.path, from: omitted.byteStart }, timedOut: false };
    }
    at = batch.next;
  }
  return { files, hits, end: null, timedOut: false };
}

function readBatch(search: Search, at: number, maxFiles: number): Batch {
  const texts: Text[] = [];
  let bytes = 0;
  let next = at;
  while (next < search.candidates.length && texts.length < maxFiles && bytes < BATCH_BYTES) {
    const { path } = search.candidates[next] as SearchCandidate;
    const read = search.source.readFile(path);
    if (read.kind === 'read') {
      texts.push({ path, bytes: read.bytes, from: startIn(search, next) });
      bytes += read.bytes.length;
    } else if (read.kind === 'skipped') addOne(search.notSearched, read.reason);
    next += 1;
  }
  return { texts, next };
}

function startIn({ candidates, from }: Search, at: number): number {
  return candidates[at]?.path === from.path ? from.from : 0;
}

function toHits({ path, bytes }: Text, matches: readonly TextMatch[], { suspected, source }: Search): FileHits {
  const lineText = suspected.has(path)
    ? createLineTexts(bytes, source.secretsOf(path, bytes))
    : (match: TextMatch) => lineTextOf(bytes, match);
  const hits = matches.map((match) => {
    const { line, column, endColumn, byteStart, byteEnd } = match;
    return { line, column, endColumn, byteStart, byteEnd, lineText: lineText(match) };
  });
  return { path, hits };
}

function answer(
  ask: SearchAsk,
  source: SearchSource,
  from: SearchPosition,
  found: Found,
  notSearched: ReadonlyMap<SkipReason, number>,
): SearchOutcome {
  const value = from.counted + found.hits;
  let unresolved = 0;
  for (const [reason, count] of notSearched) if (reason !== 'binary') unresolved += count;
  const truncated = found.end !== null;
  // What earlier answers counted may have changed since; only a search from the start can be exact.
  const isExact = source.swept && !truncated && unresolved === 0 && ask.continueToken === null;
  return {
    kind: 'answer',
    files: found.files,
    count: { value, relation: isExact ? 'eq' : 'gte', unresolved },
    truncated,
    timedOut: found.timedOut,
    continue: found.end === null ? null : writeContinueToken({ ...found.end, counted: value }, ask, source.generation),
    notSearched: Object.fromEntries([...notSearched].sort(([a], [b]) => compareCodeUnits(a, b))),
  };
}

function addOne(counts: Map<SkipReason, number>, reason: SkipReason): void {
  counts.set(reason, (counts.get(reason) ?? 0) + 1);
}
