/**
 * Text search (code-plane.md §9): the index names candidates, the disk decides. Invariants:
 * - T13: hits are exactly those a scan of the same files gives;
 * - T14: a count says `eq` only if no file that was not searched, and no hit that was left out, could add to it;
 * - T15: an answer that was cut short says so.
 * Files are read in order of path and reading stops at the limit, so a common word costs no more than a rare one.
 */

import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sha256Hex } from '../../kernel/base/hash.ts';
import { canonicalJson, compareCodeUnits } from '../../kernel/base/json.ts';
import { textLimits } from '../../kernel/base/limits.ts';
import { decodeText } from '../../kernel/tree/content-kind.ts';
import { compileGlobs } from '../../kernel/tree/path-patterns.ts';
import { createDiskLook, type DiskLook, readSource } from '../../kernel/tree/safe-read.ts';
import type { SkipReason } from '../store/file-rows.ts';
import { type LiteralFormula, requiredLiterals } from '../text/regex-literals.ts';
import { compilePattern, compileRegex, type FindMatches, type TextMatch, type TextPattern } from './find-matches.ts';
import { requiredNames, type TrigramQuery, trigramQuery } from './index-query.ts';
import { createLineTexts, type KnownSecrets, lineTextOf } from './line-texts.ts';
import { createRegexMatcher, type RegexMatcher } from './match-regex.ts';

// ---- what searching asks of the index and the disk, and what it answers (code-plane.md §9)

export type SearchAsk = {
  readonly query: string;
  /** A regular expression is JavaScript's, matched line by line. */
  readonly kind: 'literal' | 'regex';
  readonly ignoreCase: boolean;
  readonly wholeWord: boolean;
  /** Root-relative globs of `path-patterns.ts`; with a leading `!` they exclude. Empty: every path. */
  readonly pathGlobs: readonly string[];
  /** Empty: every language. */
  readonly languages: readonly string[];
  readonly limit: number;
  /** From an earlier answer, to go on where it ended. */
  readonly continueToken: string | null;
  readonly deadlineMs: number;
};

export const searchDefaults = { limit: 200, deadlineMs: 2_000 } as const;

export type SearchCandidate = { readonly path: string; readonly language: string | null };

type UnsearchedFile = SearchCandidate & { readonly reason: SkipReason };

/** What every text has in which the pattern is found, as far as the index knows texts. */
export type IndexQuery = {
  /** null: nothing can be said. */
  readonly trigrams: TrigramQuery | null;
  /** Members of its identifier set. */
  readonly names: readonly string[];
  /** The pattern is one name: the trigrams say no more. */
  readonly isOneName: boolean;
};

/** A file as it is on disk now, up to the text cap. */
export type SearchRead =
  | { readonly kind: 'read'; readonly bytes: Uint8Array }
  | { readonly kind: 'absent' }
  | { readonly kind: 'skipped'; readonly reason: SkipReason };

/** The index as one generation shows it, together with what is known to have changed since. */
export interface SearchSource {
  readonly generation: number;
  /** Every file in scope was screened for this question: what is not listed as changed is unchanged. */
  readonly swept: boolean;
  /** Files of which the index knows the whole text, and which may hold what is required. They have no secrets. */
  listCandidates(query: IndexQuery): readonly SearchCandidate[];
  /**
   * Files whose index entry does not say all about their text, redacted ones and those new or changed since it was written, as far as
   * nothing else rules them out. None is a candidate too.
   */
  listSuspects(query: IndexQuery): readonly SearchCandidate[];
  /** Files that are in scope and not searched. */
  listUnsearched(): readonly UnsearchedFile[];
  /** Of a search for a literal the bytes are good until the next read. */
  readFile(path: string): SearchRead;
  /** What is known of where secrets lie in these bytes of a suspect, to be completed. */
  secretsOf(path: string, bytes: Uint8Array): KnownSecrets;
}

/** 1-based lines and UTF-16 columns; `endColumn` is the column after the last character. Bytes count a BOM, columns do not. */
type SearchHit = {
  readonly line: number;
  readonly column: number;
  readonly endColumn: number;
  readonly byteStart: number;
  readonly byteEnd: number;
  /** For people: redacted, without control characters, cut around the match. */
  readonly lineText: string;
};

type FileHits = { readonly path: string; readonly hits: readonly SearchHit[] };

type SearchCount = {
  readonly value: number;
  /** `eq` only if nothing that was left out could add to the value (T14). */
  readonly relation: 'eq' | 'gte';
  /** Files in question that were not searched and may hold text. */
  readonly unresolved: number;
};

export type SearchAnswer = {
  readonly kind: 'answer';
  /** In order of path. */
  readonly files: readonly FileHits[];
  readonly count: SearchCount;
  /** There may be more: the limit was reached or the time was up (T15). */
  readonly truncated: boolean;
  readonly timedOut: boolean;
  readonly continue: string | null;
  readonly notSearched: Readonly<Partial<Record<SkipReason, number>>>;
  /** Those of them that could hold a hit: all but binaries that are no code by their name. */
  readonly hidden: Readonly<Partial<Record<SkipReason, number>>>;
};

type SearchOutcome =
  | SearchAnswer
  | { readonly kind: 'invalid_query'; readonly detail: string }
  /** The token is of another question or generation: ask again from the start. */
  | { readonly kind: 'stale_continue' };

// ---- searching

type SearchTools = {
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
  const unsearched: Unsearched = { all: new Map(), hidden: new Map() };
  for (const file of source.listUnsearched()) if (accepts(file)) noteUnsearched(unsearched, file, file.reason);

  const own = ask.kind === 'regex' && tools.matcher === undefined ? createRegexMatcher() : undefined;
  const match = ask.kind === 'regex' ? inThread(ask, own ?? (tools.matcher as RegexMatcher)) : inPlace(compiled.find);
  try {
    const found = await collect({ ask, source, candidates, suspected, from, match, now: tools.now, unsearched });
    return answer(ask, source, from, found, unsearched);
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
  readonly unsearched: Unsearched;
};
type Unsearched = { readonly all: Map<SkipReason, number>; readonly hidden: Map<SkipReason, number> };
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
    const candidate = search.candidates[next] as SearchCandidate;
    const { path } = candidate;
    const read = search.source.readFile(path);
    if (read.kind === 'read') {
      texts.push({ path, bytes: read.bytes, from: startIn(search, next) });
      bytes += read.bytes.length;
    } else if (read.kind === 'skipped') noteUnsearched(search.unsearched, candidate, read.reason);
    next += 1;
  }
  return { texts, next };
}

/** A picture holds no hit. A NUL byte in what is code by its name hides one: compilers read such a file. */
function noteUnsearched({ all, hidden }: Unsearched, { language }: SearchCandidate, reason: SkipReason): void {
  addOne(all, reason);
  if (reason !== 'binary' || language !== null) addOne(hidden, reason);
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
  { all, hidden }: Unsearched,
): SearchOutcome {
  const value = from.counted + found.hits;
  const unresolved = [...hidden.values()].reduce((sum, count) => sum + count, 0);
  const inOrder = (counts: ReadonlyMap<SkipReason, number>) =>
    Object.fromEntries([...counts].sort(([a], [b]) => compareCodeUnits(a, b)));
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
    notSearched: inOrder(all),
    hidden: inOrder(hidden),
  };
}

function addOne(counts: Map<SkipReason, number>, reason: SkipReason): void {
  counts.set(reason, (counts.get(reason) ?? 0) + 1);
}

// ---- continue tokens: where a truncated answer ended, in a form that callers pass back and do not read. It belongs to one question and
// one generation of the index: with any other it is worth nothing.

type SearchPosition = {
  readonly path: string;
  /** The first byte of that file at which the next hit may begin. */
  readonly from: number;
  /** Hits in the answers before. */
  readonly counted: number;
};

function writeContinueToken(position: SearchPosition, ask: SearchAsk, generation: number): string {
  const { path, from, counted } = position;
  return Buffer.from(JSON.stringify([fingerprint(ask, generation), path, from, counted])).toString('base64url');
}

/** Undefined if it is not of this question and generation. */
function readContinueToken(token: string, ask: SearchAsk, generation: number): SearchPosition | undefined {
  let read: unknown;
  try {
    read = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
  if (!Array.isArray(read) || read.length !== 4) return undefined;
  const [print, path, from, counted] = read as readonly unknown[];
  if (print !== fingerprint(ask, generation) || typeof path !== 'string') return undefined;
  return isCount(from) && isCount(counted) ? { path, from, counted } : undefined;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function fingerprint(ask: SearchAsk, generation: number): string {
  const { query, kind, ignoreCase, wholeWord, pathGlobs, languages } = ask;
  const question = {
    query,
    kind,
    ignoreCase,
    wholeWord,
    pathGlobs: [...pathGlobs],
    languages: [...languages],
    generation,
  };
  return sha256Hex(canonicalJson(question)).slice(0, 32);
}

// ---- files as searching reads them: from disk, through the one way files are opened, judged as the index judges them (F12)

/** Nearly every source is shorter. */
const SCRATCH_BYTES = 256 * 1024;

/**
 * For one question: what was seen of the directories is remembered, and of what was read its stat. `reuse`: what was read is good until
 * the next read, because memory that is new for each file takes as long to get as the bytes.
 */
export function createSearchReader(
  root: string,
  options: { readonly reuse: boolean; readonly look?: DiskLook | undefined } = { reuse: false },
): (path: string) => SearchRead {
  const { guard, stats } = options.look ?? createDiskLook(root);
  const scratch = options.reuse ? Buffer.allocUnsafeSlow(SCRATCH_BYTES) : undefined;
  return (path) => {
    const read = readSource(root, path, textLimits.textBytes, guard, scratch);
    if (read.kind === 'absent') return read;
    if (read.kind === 'too_large') return { kind: 'skipped', reason: 'large' };
    if (read.kind === 'read') stats.set(path, read.stat);
    if (read.kind === 'unreadable') return { kind: 'skipped', reason: 'unreadable' };
    if (isPlainText(read.bytes)) return { kind: 'read', bytes: read.bytes };
    const decoded = decodeText(read.bytes);
    return decoded.kind === 'skip' ? { kind: 'skipped', reason: decoded.reason } : { kind: 'read', bytes: read.bytes };
  };
}

/** What `decodeText` is sure to take for text, without decoding it: most files, and decoding takes longer than searching. */
function isPlainText(bytes: Buffer): boolean {
  const mayBePointer = bytes.length < 1024 && bytes[0] === 0x76;
  return !mayBePointer && !bytes.includes(0) && isUtf8(bytes);
}
