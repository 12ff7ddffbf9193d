/** What searching asks of the index and the disk, and what it answers (code-plane.md §9). */

import type { SkipReason } from '../store/rows.ts';
import type { KnownSecrets } from './line-texts.ts';
import type { TrigramQuery } from './trigram-query.ts';

export type SearchAsk = {
  readonly query: string;
  /** A regular expression is JavaScript's, matched line by line. */
  readonly kind: 'literal' | 'regex';
  readonly ignoreCase: boolean;
  readonly wholeWord: boolean;
  /** Root-relative globs of `kernel/repo/glob.ts`; with a leading `!` they exclude. Empty: every path. */
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

export type UnsearchedFile = SearchCandidate & { readonly reason: SkipReason };

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
export type SearchHit = {
  readonly line: number;
  readonly column: number;
  readonly endColumn: number;
  readonly byteStart: number;
  readonly byteEnd: number;
  /** For people: redacted, without control characters, cut around the match. */
  readonly lineText: string;
};

export type FileHits = { readonly path: string; readonly hits: readonly SearchHit[] };

export type SearchCount = {
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
};

export type SearchOutcome =
  | SearchAnswer
  | { readonly kind: 'invalid_query'; readonly detail: string }
  /** The token is of another question or generation: ask again from the start. */
  | { readonly kind: 'stale_continue' };
