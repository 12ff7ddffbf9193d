/**
 * Names that every text must have in which a pattern is found: whole runs of identifier characters, with what ends them on both sides.
 * A file has far fewer names than trigrams, so they tell files apart better. Promise (T13): such a run is in the identifier set of
 * the text (`identifier-set.ts`).
 */

import type { LiteralFormula } from '../text/regex-literals.ts';
import { MAX_RUN_CHARS } from '../text/scan-bytes.ts';

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
