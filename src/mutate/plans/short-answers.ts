/**
 * A commit in few words (mutation.md §6.1): a question is named by its number, its id or its kind, an option by its name, and the main group
 * goes without saying. Behind the option may stand a line as it reads at the place: it has to where no tool would notice a wrong answer
 * (`highRiskKinds`), and at the definition where no compiler has proved the plan. Answers name these places and do not print them, so that who
 * quotes one has read it. M43: what is quoted is compared with the disk of the commit.
 */

import { didYouMean, plural, quotedPath } from '../../kernel/base/text.ts';
import { isQuoted } from '../questions/required-proof.ts';
import { highRiskKinds, type Loc } from '../vocabulary.ts';
import { candidateId } from './ids.ts';
import type { Item, Plan } from './plan.ts';
import { describeQuestion, findMainGroup, isForced } from './selection.ts';

/** A line as the caller read it. */
type QuotedLine = { readonly file: string; readonly line: number; readonly text: string };

export type ShortAnswers = {
  /** As `readSelection` takes them. */
  readonly selections: readonly string[];
  readonly quotes: readonly QuotedLine[];
  /** What is wrong with them, for a person. */
  readonly problems: readonly string[];
};

/** The name under which the line of the definition is quoted. */
const definitionKey = 'definition';

export function readShortAnswers(plan: Plan, answers: Readonly<Record<string, string>>): ShortAnswers {
  const problems: string[] = [];
  const quotes: QuotedLine[] = [];
  const chosen = new Map<string, { readonly option: string; readonly by: string }>();
  const given = Object.entries(answers).map(([key, value]) => ({ key: key.trim(), value: value.trim() }));
  // One that names a single question says more than one that names all of a kind.
  const kinds = new Set<string>(plan.items.map(({ kind }) => kind));
  const sorted = [...given.filter(({ key }) => !kinds.has(key)), ...given.filter(({ key }) => kinds.has(key))];
  for (const { key, value } of sorted) {
    if (key === definitionKey) {
      const { file, line } = definitionOf(plan) ?? plan.symbol.definedAt;
      quotes.push({ file, line, text: value });
      continue;
    }
    const named = questionsNamed(plan, key);
    if (named.length === 0) problems.push(`${key} is no question: ${whatIsAsked(plan)}${didYouMean(key, [...kinds])}`);
    for (const item of named) {
      const before = chosen.get(item.id);
      if (before !== undefined && kinds.has(key)) continue;
      const read = readOption(item, value);
      if (read === undefined) {
        const options = item.options.map(({ id }) => id);
        const there = `these are: ${options.join(', ')}${didYouMean(value, options)}`;
        problems.push(`${describeQuestion(plan, item)} has no option ${quoted(value)}; ${there}`);
        continue;
      }
      if (before !== undefined)
        problems.push(`${describeQuestion(plan, item)} is answered by ${before.by} and by ${key}`);
      chosen.set(item.id, { option: read.option, by: key });
      if (read.line !== '') quotes.push({ file: item.path, line: item.line, text: read.line });
    }
  }
  return { selections: [...chosen].map(([id, { option }]) => candidateId(id, option)), quotes, problems };
}

/** Where a line has to be quoted if no whole proof is sent, under the name it is to be sent with. */
export function placesToQuote(plan: Plan): readonly PlaceToQuote[] {
  const asked = plan.items.flatMap(({ id, kind, anchor, path: file, line, col }, index) =>
    highRiskKinds.has(kind) && isQuoted({ anchor }) ? [{ file, line, col, key: String(index + 1), item: id }] : [],
  );
  const definition = definitionOf(plan);
  return definition === undefined ? asked : [{ ...definition, key: definitionKey, item: null }, ...asked];
}

type PlaceToQuote = Loc & { readonly key: string; readonly item: string | null };

/** Of a plan that no compiler has proved; where a file moves, which has no name in it, the first place that changes. */
function definitionOf(plan: Plan): Loc | undefined {
  if (plan.provenance === 'proven' || isForced(plan)) return undefined;
  const { kind, definedAt } = plan.symbol;
  if (kind !== 'file' && kind !== 'directory') return definedAt;
  const first = findMainGroup(plan)?.edits[0];
  return first === undefined ? undefined : { file: first.path, line: first.line, col: first.col };
}

/** As `file:line`: what has to be quoted is printed nowhere, also where something else is asked about on the same line. */
export function unsaidLines(plan: Plan): ReadonlySet<string> {
  return new Set(plan.status === 'open' ? placesToQuote(plan).map(lineKey) : []);
}

export function lineKey({ file, line }: Pick<Loc, 'file' | 'line'>): string {
  return `${file}:${line}`;
}

/** `"2": "accept: <the line at src/a.ts:5:3>"`, for people and agents alike. */
export function howToQuote({ key, file, line: row, col }: PlaceToQuote): string {
  const line = `<the line at ${quotedPath(file)}:${row}:${col}>`;
  return key === definitionKey ? `${key}=${line}` : `${key}=<option>: ${line}`;
}

/** White space does not count; of a line that is too long to be sent a piece is enough. */
export function isQuoteOfLine(line: string, quote: string): boolean {
  const [found, said] = [withoutRuns(line), withoutRuns(quote)];
  if (found === said) return said !== '';
  return found.length > longLine && said.length >= leastOfLong && found.includes(said);
}

const longLine = 240;
const leastOfLong = 80;

function withoutRuns(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function questionsNamed(plan: Plan, key: string): readonly Item[] {
  const byNumber = /^\d{1,6}$/.test(key) ? plan.items[Number(key) - 1] : undefined;
  if (byNumber !== undefined) return [byNumber];
  return plan.items.filter(({ id, kind }) => id === key || kind === key);
}

function readOption(item: Item, value: string): { readonly option: string; readonly line: string } | undefined {
  const [word = '', ...line] = value.split(':');
  const option = item.options.find(({ id }) => id === word.trim().toLowerCase());
  return option === undefined ? undefined : { option: option.id, line: line.join(':').trim() };
}

function whatIsAsked({ items }: Plan): string {
  if (items.length === 0) return 'the plan asks nothing';
  const kinds = [...new Set(items.map(({ kind }) => kind))].join(', ');
  return `the plan has ${plural(items.length, 'question')}, of these kinds: ${kinds}`;
}

function quoted(text: string): string {
  return `'${text.length > 60 ? `${text.slice(0, 60)}…` : text}'`;
}
