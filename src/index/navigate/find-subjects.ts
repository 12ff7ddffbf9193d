/** From what was written to what is meant: the token at a place, or the declarations a name path has. */

import { listNearest, plural, shown } from '../../kernel/base/text.ts';
import { findSymbols } from '../search/find-symbols.ts';
import type { StoredFile } from '../store/stored-files.ts';
import { listNames, type SymbolHit } from '../store/stored-symbols.ts';
import { isNotAnswered, type NotAnswered, notAnswered } from '../view/not-answered.ts';
import { findTargetFile } from './find-target-file.ts';
import { bindingKey } from './name-family.ts';
import { parseTarget, type Target } from './parse-target.ts';
import type { Question } from './question.ts';
import type { FileFacts } from './read-file-facts.ts';
import { findSubject, findTokenAt, type Subject } from './subject.ts';

/** `cwd`: where a relative path may be meant from; the root otherwise. */
export type SubjectAsk = { readonly target: string; readonly cwd?: string | undefined };

export type FoundSubjects =
  | { readonly kind: 'position'; readonly subject: Subject; readonly facts: FileFacts; readonly index: number }
  /** All symbols the name has, best first; `exact` of them have it from the top level of their file. `cut`: there are more. */
  | {
      readonly kind: 'name';
      readonly symbols: readonly SymbolHit[];
      readonly exact: number;
      readonly cut: boolean;
    };

/** Declarations of one name that are opened to see whether they are the same thing. */
const openedSymbols = 200;

export async function findSubjects(question: Question, ask: SubjectAsk): Promise<FoundSubjects | NotAnswered> {
  let problem: NotAnswered | undefined;
  for (const target of parseTarget(ask.target)) {
    const found =
      target.kind === 'position' ? await findAtPosition(question, target, ask) : findByName(question, target, ask);
    if (!isNotAnswered(found)) return found;
    problem ??= found;
  }
  return problem ?? notAnswered('invalid', `target: ${shown(ask.target)} names nothing`);
}

/** One subject; a name with several is a question back. */
export async function findOneSubject(
  question: Question,
  ask: SubjectAsk,
): Promise<(FoundSubjects & { kind: 'position' }) | NotAnswered> {
  const found = await findSubjects(question, ask);
  if (isNotAnswered(found) || found.kind === 'position') return found;
  const distinct = new Map<string, FoundSubjects & { kind: 'position' }>();
  // `total` means the function of that name before the method `Order/total`.
  const meant = found.exact > 0 ? found.symbols.slice(0, found.exact) : found.symbols;
  for (const symbol of meant.slice(0, openedSymbols)) {
    const facts = await question.facts(symbol.path);
    const opened = facts === undefined ? undefined : openSymbol(question, facts, symbol);
    if (opened === undefined) continue;
    const { subject } = opened;
    const key =
      subject.kind === 'binding' ? bindingKey(symbol.path, subject.binding) : `${symbol.path}:${symbol.nameStart}`;
    if (!distinct.has(key)) distinct.set(key, opened);
  }
  const [only] = distinct.values();
  const isCut = found.cut || meant.length > openedSymbols;
  if (distinct.size === 1 && only !== undefined && !isCut) return only;
  const what = shown(ask.target, 120);
  if (only === undefined) return notAnswered('not_found', `target: the file of ${what} has changed; ask again`);
  const [best] = meant;
  const names = meant.map(describeSymbol);
  const example = best === undefined ? '' : ` (${placeOf(best)})`;
  return notAnswered(
    'ambiguous',
    `target: ${isCut ? '≥ ' : ''}${plural(distinct.size, 'declaration')} of ${what}; name one by its place${example} or as file#name`,
    names,
  );
}

function openSymbol(
  question: Question,
  facts: FileFacts,
  symbol: Pick<SymbolHit, 'nameStart'>,
): (FoundSubjects & { kind: 'position' }) | undefined {
  if (!facts.isIndexed) return undefined;
  const index = facts.toIndex(symbol.nameStart);
  const token = facts.tokens.find(({ start }) => start === index) ?? findTokenAt(facts, index);
  if (token === undefined) return undefined;
  return { kind: 'position', subject: findSubject(question, facts, token), facts, index };
}

// ---- a place

async function findAtPosition(
  question: Question,
  target: Target & { kind: 'position' },
  ask: SubjectAsk,
): Promise<FoundSubjects | NotAnswered> {
  const file = question.ask((session) => findTargetFile(session, question.view, { path: target.path, cwd: ask.cwd }));
  if (isNotAnswered(file)) return file;
  const { path } = file.file;
  const facts = await question.facts(path);
  if (facts === undefined) {
    return notAnswered('invalid', `target: ${shown(path)} is not parsed, so nothing in it can be named by its place`);
  }
  const { text } = facts.source;
  const line = lineAt(text, target.line);
  if (line === undefined) return notAnswered('invalid', `target: ${shown(path)} has no line ${target.line}`);
  if (target.col === null) return findOnLine(question, facts, target.line, line);
  const index = line.start + target.col - 1;
  const token = target.col < 1 || index > line.end ? undefined : findTokenAt(facts, index);
  if (token === undefined || token.start < line.start) {
    const near = facts.tokens.filter(
      ({ start, class: kind }) => start >= line.start && start < line.end && kind === 'code',
    );
    const names = near.map(({ start, text }) => `${path}:${target.line}:${start - line.start + 1} ${shown(text, 80)}`);
    return notAnswered('not_found', `target: no identifier at ${shown(path)}:${target.line}:${target.col}`, names);
  }
  return { kind: 'position', subject: findSubject(question, facts, token), facts, index };
}

function findOnLine(
  question: Question,
  facts: FileFacts,
  number: number,
  line: { readonly start: number; readonly end: number },
): FoundSubjects | NotAnswered {
  const symbols = facts.isIndexed ? question.symbols(facts.path).filter((symbol) => symbol.line + 1 === number) : [];
  const starts = new Set(symbols.map(({ nameStart }) => facts.toIndex(nameStart)));
  if (starts.size === 0) {
    for (const { declarations } of facts.bindings)
      for (const { start } of declarations) if (start >= line.start && start < line.end) starts.add(start);
  }
  const tokens = facts.tokens.filter(({ start }) => starts.has(start));
  const [only] = tokens;
  if (tokens.length === 1 && only !== undefined)
    return { kind: 'position', subject: findSubject(question, facts, only), facts, index: only.start };
  const names = tokens.map(({ start, text }) => `${facts.path}:${number}:${start - line.start + 1} ${shown(text, 80)}`);
  return tokens.length === 0
    ? notAnswered('not_found', `target: nothing is declared at ${shown(facts.path)}:${number}; add a column`)
    : notAnswered('ambiguous', `target: ${plural(tokens.length, 'declaration')} on this line; add a column`, names);
}

export function lineAt(text: string, number: number): { readonly start: number; readonly end: number } | undefined {
  let start = 0;
  for (let line = 1; line < number; line += 1) {
    const feed = text.indexOf('\n', start);
    if (feed < 0) return undefined;
    start = feed + 1;
  }
  if (number < 1) return undefined;
  const feed = text.indexOf('\n', start);
  return { start, end: feed < 0 ? text.length : feed };
}

// ---- a name

function findByName(
  question: Question,
  target: Target & { kind: 'name' },
  ask: SubjectAsk,
): FoundSubjects | NotAnswered {
  const { gone } = question.view.differences;
  return question.ask((session) => {
    let inFile: StoredFile | undefined;
    if (target.path !== null) {
      const file = findTargetFile(session, question.view, { path: target.path, cwd: ask.cwd });
      if (isNotAnswered(file)) return file;
      inFile = file.file;
    }
    const accepts = (symbol: SymbolHit) => !gone.has(symbol.path);
    const among = { query: target.name, accepts, file: inFile };
    const { ranked, cut } = findSymbols(session, { ...among, exact: true });
    if (ranked.length > 0) {
      const exact = ranked.filter(({ tier }) => tier === 'exact_path').length;
      return { kind: 'name' as const, symbols: ranked.map(({ symbol }) => symbol), exact, cut };
    }
    const near = findSymbols(session, { ...among, exact: false }).ranked.map(({ symbol }) => symbol);
    const where = inFile === undefined ? '' : ` in ${shown(inFile.path)}`;
    const message = `target: no symbol ${shown(target.name, 120)}${where}`;
    if (near.length > 0) return notAnswered('not_found', `${message}; near it are`, near.map(describeSymbol));
    const last = target.name.split('/').at(-1) ?? '';
    const begins = last.toLowerCase().slice(0, 3);
    const alike = listNames(session).filter((name) => name.toLowerCase().includes(begins));
    const names = listNearest(last, alike.slice(0, 2_000), 5);
    return notAnswered('not_found', names.length === 0 ? message : `${message}; near it are`, names);
  });
}

function placeOf({ path, line, column }: SymbolHit): string {
  return `${shown(path)}:${line + 1}:${column + 1}`;
}

function describeSymbol(symbol: SymbolHit): string {
  const overload = symbol.overload === 0 ? '' : `[${symbol.overload}]`;
  return `${placeOf(symbol)} ${symbol.kind} ${shown(symbol.namePath, 120)}${overload}`;
}
