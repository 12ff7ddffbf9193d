/**
 * From what a text must contain to a question that the index can answer: an FTS5 MATCH expression over encoded trigrams, or null
 * where nothing is required and every text has to be read. Requiring less is always right, because candidates are verified; so of a
 * long literal only the trigrams that are likely to be rare are asked for.
 */

import type { LiteralFormula } from './regex-literals.ts';
import { requiredTrigrams } from './trigrams.ts';

/** Each word costs a pass over its list of files; beyond a few, more of them turn nobody away. */
const MAX_WORDS_PER_LITERAL = 8;
const MAX_WORDS = 256;

export function trigramQuery(formula: LiteralFormula, options: { readonly ignoreCase: boolean }): string | null {
  const words = (perLiteral: number) => render(formula, { ...options, perLiteral });
  const query = words(MAX_WORDS_PER_LITERAL);
  if (query === null || query.count <= MAX_WORDS) return query?.text ?? null;
  return words(1)?.text ?? null;
}

type Rendered = { readonly text: string; readonly count: number };

/** Formulas are shallow (`regex-literals.ts`), so this may recurse. */
function render(
  formula: LiteralFormula,
  options: { readonly ignoreCase: boolean; readonly perLiteral: number },
): Rendered | null {
  if (formula.kind === 'any') return null;
  if (formula.kind === 'literal') {
    const words = chooseRare(formula.text, options);
    return words.length === 0 ? null : { text: words.join(' AND '), count: words.length };
  }
  const parts: Rendered[] = [];
  for (const part of formula.parts) {
    const rendered = render(part, options);
    // One alternative that requires nothing makes the choice require nothing.
    if (rendered === null && formula.kind === 'some') return null;
    if (rendered !== null) parts.push(rendered);
  }
  if (parts.length === 0) return null;
  const texts = [...new Set(parts.map(({ text }) => text))];
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  if (texts.length === 1) return { text: texts[0] as string, count };
  return { text: texts.map((text) => `(${text})`).join(formula.kind === 'all' ? ' AND ' : ' OR '), count };
}

/** Printable ASCII from common to rare, as counted in 59 MB of code. */
const byFrequency = 'etarsnoicpl0dum.fh*,gyb/:()\'v=xw}{"k;_`>1-2\\|q<z?j36[]54897@&!$+#%^~';
const COMMON = 24;

function chooseRare(literal: string, options: { readonly ignoreCase: boolean; readonly perLiteral: number }): string[] {
  const all = requiredTrigrams(literal, options);
  if (all.length <= options.perLiteral) return all;
  const rarity = new Map<string, number>();
  const chars = [...literal];
  for (let at = 0; at + 2 < chars.length; at += 1) {
    const three = chars.slice(at, at + 3);
    const score = three.reduce((sum, char) => sum + rank(char), 0);
    for (const word of requiredTrigrams(three.join(''), options))
      rarity.set(word, Math.max(rarity.get(word) ?? 0, score));
  }
  // A stable order: equal questions ask for the same words.
  return all
    .map((word, index) => ({ word, index, score: rarity.get(word) ?? 0 }))
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, options.perLiteral)
    .map(({ word }) => word);
}

function rank(char: string): number {
  const at = byFrequency.indexOf(char.toLowerCase());
  // Outside ASCII a byte says less than its character, and in most code there is none of them.
  return at < 0 ? COMMON * 2 : at;
}
