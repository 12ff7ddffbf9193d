/**
 * From what a text must contain to a question about its trigrams, or null where nothing is required and every text has to be read.
 * Requiring less is always right, because candidates are verified; so of a long literal only the trigrams that are likely to be rare
 * are asked for. The store is asked by an FTS5 MATCH expression, what is known in memory by `mayHold`.
 */

import type { LiteralFormula } from '../text/regex-literals.ts';
import { MAX_RUN_CHARS } from '../text/scan-bytes.ts';
import { requiredTrigramNumbers, trigramToken } from '../text/trigrams.ts';

export type TrigramQuery =
  | { readonly kind: 'trigram'; readonly trigram: number }
  | { readonly kind: 'all' | 'some'; readonly parts: readonly TrigramQuery[] };

/** Each word costs a pass over its list of files; beyond a few, more of them rule no file out. */
const MAX_WORDS_PER_LITERAL = 8;
const MAX_WORDS = 256;

export function trigramQuery(formula: LiteralFormula, options: { readonly ignoreCase: boolean }): TrigramQuery | null {
  const query = build(formula, { ...options, perLiteral: MAX_WORDS_PER_LITERAL });
  if (query === null || countWords(query) <= MAX_WORDS) return query;
  return build(formula, { ...options, perLiteral: 1 });
}

/** `abcd AND (efgh OR ijkl)`. */
export function renderMatch(query: TrigramQuery): string {
  if (query.kind === 'trigram') return trigramToken(query.trigram);
  const texts = [
    ...new Set(query.parts.map((part) => (part.kind === 'trigram' ? renderMatch(part) : `(${renderMatch(part)})`))),
  ];
  return texts.join(query.kind === 'all' ? ' AND ' : ' OR ');
}

/** Whether a text can satisfy the query, of which is known which trigrams it may have. */
export function mayHold(query: TrigramQuery, has: (trigram: number) => boolean): boolean {
  if (query.kind === 'trigram') return has(query.trigram);
  return query.kind === 'all'
    ? query.parts.every((part) => mayHold(part, has))
    : query.parts.some((part) => mayHold(part, has));
}

function countWords(query: TrigramQuery): number {
  return query.kind === 'trigram' ? 1 : query.parts.reduce((sum, part) => sum + countWords(part), 0);
}

/** Formulas are shallow (`regex-literals.ts`), so this may recurse. */
function build(
  formula: LiteralFormula,
  options: { readonly ignoreCase: boolean; readonly perLiteral: number },
): TrigramQuery | null {
  if (formula.kind === 'any') return null;
  if (formula.kind === 'literal') {
    return join(
      'all',
      chooseRare(formula.text, options).map((trigram) => ({ kind: 'trigram', trigram })),
    );
  }
  const parts: TrigramQuery[] = [];
  for (const part of formula.parts) {
    const built = build(part, options);
    // One alternative that requires nothing makes the choice require nothing.
    if (built === null && formula.kind === 'some') return null;
    if (built !== null) parts.push(built);
  }
  return join(formula.kind, parts);
}

function join(kind: 'all' | 'some', parts: readonly TrigramQuery[]): TrigramQuery | null {
  return parts.length === 0 ? null : parts.length === 1 ? (parts[0] as TrigramQuery) : { kind, parts };
}

/** Printable ASCII from common to rare, as counted in 59 MB of code. */
const byFrequency = 'etarsnoicpl0dum.fh*,gyb/:()\'v=xw}{"k;_`>1-2\\|q<z?j36[]54897@&!$+#%^~';
const COMMON = 24;

function chooseRare(literal: string, options: { readonly ignoreCase: boolean; readonly perLiteral: number }): number[] {
  const all = requiredTrigramNumbers(literal, options);
  if (all.length <= options.perLiteral) return all;
  const rarity = new Map<number, number>();
  const chars = [...literal];
  for (let at = 0; at + 2 < chars.length; at += 1) {
    const three = chars.slice(at, at + 3);
    const score = three.reduce((sum, char) => sum + rank(char), 0);
    for (const trigram of requiredTrigramNumbers(three.join(''), options))
      rarity.set(trigram, Math.max(rarity.get(trigram) ?? 0, score));
  }
  // A stable order: equal questions ask for the same words.
  return all
    .map((trigram, index) => ({ trigram, index, score: rarity.get(trigram) ?? 0 }))
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, options.perLiteral)
    .map(({ trigram }) => trigram);
}

function rank(char: string): number {
  const at = byFrequency.indexOf(char.toLowerCase());
  // Outside ASCII a byte says less than its character, and in most code there is none of them.
  return at < 0 ? COMMON * 2 : at;
}

// ---- names that every text must have in which a pattern is found: whole runs of identifier characters, with what ends them on both sides.
// A file has far fewer names than trigrams, so they tell files apart better. Promise (T13): such a run is in the identifier set of
// the text (`scan-text.ts`).

/** Each costs a pass over its list of files. */
const MAX_NAMES = 3;

/** `wholeWord`: no character of a word stands beside the whole of the literal. */
export function requiredNames(
  formula: LiteralFormula,
  options: { readonly ignoreCase: boolean; readonly wholeWord: boolean },
): string[] {
  // Letters outside ASCII may be the same in another case.
  if (options.ignoreCase) return [];
  const names = new Set(listNames(formula, options.wholeWord));
  // Long ones are rare.
  return [...names].sort((a, b) => b.length - a.length).slice(0, MAX_NAMES);
}

function listNames(formula: LiteralFormula, wholeWord: boolean): string[] {
  if (formula.kind === 'literal') return namesIn(formula.text, wholeWord);
  return formula.kind === 'all' ? formula.parts.flatMap((part) => listNames(part, false)) : [];
}

/** Runs of which nothing outside the literal can be a part. What is beside them is ASCII: other characters may be part of names. */
function namesIn(literal: string, wholeWord: boolean): string[] {
  const names: string[] = [];
  for (const { 0: run, index } of literal.matchAll(/\w+/g)) {
    const end = index + run.length;
    const isClosed = (at: number) => {
      const char = literal[at];
      return char === undefined ? wholeWord : char < '\x80';
    };
    if (isClosed(index - 1) && isClosed(end) && run.length <= MAX_RUN_CHARS && !/^[0-9]/.test(run)) names.push(run);
  }
  return names;
}
