/**
 * What a question is about: from what was written to the token at a place or the declarations a name path has, and from a token to what
 * it stands for: a name of the file, of another file, or a member.
 */

import { countWhile } from '../../kernel/base/count-while.ts';
import { listNearest, plural, quotedPath, shown } from '../../kernel/base/text.ts';
import { importsTypes, isJavaScript } from '../../languages/language-family.ts';
import type { Binding } from '../../languages/scopes/scope-tree.ts';
import type { Token } from '../../languages/tokens.ts';
import { findSymbols } from '../search/find-symbols.ts';
import type { SymbolRow } from '../store/file-rows.ts';
import type { StoredFile } from '../store/stored-files.ts';
import type { StoredImport } from '../store/stored-imports.ts';
import { listNames, type SymbolHit } from '../store/stored-symbols.ts';
import { isNotAnswered, type NotAnswered, notAnswered } from '../view/not-answered.ts';
import { findImportRow, findRowAt, publicNameOf, splitTargets } from './follow-exports.ts';
import type { Question } from './question.ts';
import { findTargetFile, parseTarget, type Target } from './question-target.ts';
import type { FileFacts } from './read-file-facts.ts';

export type Subject =
  /** A name of this file, by lexical scope. */
  | { readonly kind: 'binding'; readonly facts: FileFacts; readonly binding: number; readonly token: Token }
  /** A name on the far side of an import or export: what these files export under it. */
  | {
      readonly kind: 'export';
      readonly facts: FileFacts;
      readonly paths: readonly string[];
      readonly name: string;
      readonly token: Token;
    }
  /** A declaration that the scope model does not bind: a type of Java, a function of another file of the Go package. */
  | { readonly kind: 'symbol'; readonly facts: FileFacts; readonly symbol: SymbolRow; readonly token: Token }
  /** Whatever bears the name. */
  | { readonly kind: 'name'; readonly facts: FileFacts; readonly token: Token; readonly why: NameReason };

const nameReasons = ['member', 'unbound', 'string', 'comment', 'regex', 'error'] as const;
type NameReason = (typeof nameReasons)[number];

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
    return notAnswered(
      'invalid',
      `target: ${quotedPath(path)} is not parsed, so nothing in it can be named by its place`,
    );
  }
  const { text } = facts.source;
  const line = lineAt(text, target.line);
  if (line === undefined) return notAnswered('invalid', `target: ${quotedPath(path)} has no line ${target.line}`);
  if (target.col === null) return findOnLine(question, facts, target.line, line);
  const index = line.start + target.col - 1;
  const token = target.col < 1 || index > line.end ? undefined : findTokenAt(facts, index);
  if (token === undefined || token.start < line.start) {
    const near = facts.tokens.filter(
      ({ start, class: kind }) => start >= line.start && start < line.end && kind === 'code',
    );
    const names = near.map(({ start, text }) => `${path}:${target.line}:${start - line.start + 1} ${shown(text, 80)}`);
    return notAnswered('not_found', `target: no identifier at ${quotedPath(path)}:${target.line}:${target.col}`, names);
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
    ? notAnswered('not_found', `target: nothing is declared at ${quotedPath(facts.path)}:${number}; add a column`)
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
    const where = inFile === undefined ? '' : ` in ${quotedPath(inFile.path)}`;
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
  return `${quotedPath(path)}:${line + 1}:${column + 1}`;
}

function describeSymbol(symbol: SymbolHit): string {
  const overload = symbol.overload === 0 ? '' : `[${symbol.overload}]`;
  return `${placeOf(symbol)} ${symbol.kind} ${shown(symbol.namePath, 120)}${overload}`;
}

// ---- a token

/** The token that a position is in or right behind. */
export function findTokenAt(facts: FileFacts, index: number): Token | undefined {
  const inside = facts.tokens.find(({ start, end }) => start <= index && index < end);
  return inside ?? facts.tokens.find(({ end }) => end === index);
}

export function findSubject(question: Question, facts: FileFacts, token: Token): Subject {
  if (token.class !== 'code') return { kind: 'name', facts, token, why: token.class };
  const bound = facts.boundAt.get(token.start);
  if (bound !== undefined) return { kind: 'binding', facts, binding: bound.binding, token };
  return (
    findClauseName(question, facts, token) ?? findHeldName(question, facts, token) ?? findLoose(question, facts, token)
  );
}

function findClauseName(question: Question, facts: FileFacts, token: Token): Subject | undefined {
  const member = facts.memberAt.get(token.start);
  if (member === undefined || !(isJavaScript(facts.language) || facts.language === 'python')) return undefined;
  // Inside `declare module '…'` the file is not the module.
  if (isJavaScript(facts.language) && facts.scopes.scopes[member.scope]?.kind !== 'module') return undefined;
  const row = findRowAt(question, facts, token.start);
  if (row === undefined || row.kind === 'dynamic' || row.kind === 'require') {
    const isExport = member.access === 'export';
    return isExport ? { kind: 'export', facts, paths: [facts.path], name: token.text, token } : undefined;
  }
  const byte = facts.toByte(token.start);
  const named = row.names.find((entry) => entry.start === byte);
  if (row.kind === 'reexport' && (named === undefined || named.alias === null))
    return { kind: 'export', facts, paths: [facts.path], name: token.text, token };
  return { kind: 'export', facts, paths: row.targets, name: token.text, token };
}

/** `ns.x`, `Enum.A`: what is left of the dot says what is right of it. */
function findHeldName(question: Question, facts: FileFacts, token: Token): Subject | undefined {
  const held = findHeld(question, facts, token);
  if (held === undefined) return undefined;
  if (held.kind === 'binding') return { kind: 'binding', facts, binding: held.binding, token };
  return { kind: 'export', facts, paths: held.paths, name: token.text, token };
}

function findLoose(question: Question, facts: FileFacts, token: Token): Subject {
  const byte = facts.toByte(token.start);
  const symbols = facts.isIndexed ? question.symbols(facts.path) : [];
  const declared = symbols.find(({ nameStart, name }) => nameStart === byte && name === token.text);
  const isMember = facts.memberAt.has(token.start) || token.role === 'property';
  if (declared !== undefined && (declared.parent < 0 || importsTypes(facts.language)) && !isMember)
    return { kind: 'symbol', facts, symbol: declared, token };
  if (!isMember && importsTypes(facts.language)) {
    const isMeant = (entry: StoredImport['names'][number]) =>
      publicNameOf(entry) === token.text || entry.start === byte;
    const row = question.imports(facts.path).find(({ names }) => names.some(isMeant));
    const original = row?.names.find(isMeant)?.name;
    if (row !== undefined && original !== undefined && row.targets.length > 0)
      return { kind: 'export', facts, paths: row.targets, name: original, token };
    const own = symbols.filter(({ name, kind }) => name === token.text && kind !== 'constructor');
    const [only] = own;
    if (own.length === 1 && only !== undefined) return { kind: 'symbol', facts, symbol: only, token };
  }
  return { kind: 'name', facts, token, why: isMember || declared !== undefined ? 'member' : 'unbound' };
}

export function bindingKey(path: string, binding: number): string {
  return `${path}\0${binding}`;
}

// ---- the few members whose owner lexical scope knows: of a module that is imported as a whole, of an enum, of a namespace. Everything else
// behind a dot is bound by types, which are not computed here.

type Held =
  | { readonly kind: 'module'; readonly paths: readonly string[] }
  | { readonly kind: 'binding'; readonly binding: number };

/** The binding left of the dot before this token. */
export function findHolder(facts: FileFacts, token: Pick<Token, 'start'>): number | undefined {
  const end = beforeDot(facts.source.text, token.start);
  return end === undefined ? undefined : facts.boundEnd.get(end);
}

/** Is the name that ends here used for nothing but a member of it? */
export function isHeldOpen(text: string, end: number): boolean {
  return /^\s*(?:\?\.|\.(?!\.))\s*[\p{ID_Start}$_]/u.test(text.slice(end, end + 200));
}

function beforeDot(text: string, start: number): number | undefined {
  let at = start;
  while (at > 0 && isSpace(text.charCodeAt(at - 1))) at -= 1;
  if (text[at - 1] !== '.' || text[at - 2] === '.') return undefined;
  at -= text[at - 2] === '?' ? 2 : 1;
  while (at > 0 && isSpace(text.charCodeAt(at - 1))) at -= 1;
  return at;
}

function isSpace(unit: number): boolean {
  return unit === 32 || (unit >= 9 && unit <= 13);
}

export function findHeld(question: Question, facts: FileFacts, token: Token): Held | undefined {
  const holder = findHolder(facts, token);
  const owner = holder === undefined ? undefined : facts.bindings[holder];
  if (owner === undefined || holder === undefined) return undefined;
  const paths = listHeldModules(question, facts, owner);
  if (paths.length > 0) return { kind: 'module', paths };
  const scope = findScopeOf(facts, holder);
  if (scope === undefined) return undefined;
  const at = facts.bindings.findIndex((binding) => binding.scope === scope && isMemberOf(binding, token.text));
  return at < 0 ? undefined : { kind: 'binding', binding: at };
}

function isMemberOf({ name, exportedAs }: Binding, member: string): boolean {
  return name === member && exportedAs.includes(member);
}

/** The files a binding stands for as a whole; empty where it stands for something else. */
export function listHeldModules(question: Question, facts: FileFacts, binding: Binding): readonly string[] {
  const source = binding.importOf;
  if (source === undefined) return [];
  const row = findImportRow(question, facts, binding);
  if (row === undefined) return [];
  if (source.name === '=') {
    const isAssigned = (path: string) => question.exports(path).some(({ publicName }) => publicName === '=');
    return row.targets.filter((path) => !isAssigned(path));
  }
  if (source.name === '*') return source.specifier === row.specifier ? row.targets : [];
  return facts.language === 'python' ? splitTargets(row, source.name, facts.language).modules : [];
}

/** The scope that holds the names of an enum or namespace. */
export function findScopeOf(facts: FileFacts, binding: number): number | undefined {
  return ownership(facts).scopeOf.get(binding);
}

/** The enum or namespace whose names a scope holds. */
export function findOwnerOf(facts: FileFacts, scope: number): number | undefined {
  return ownership(facts).ownerOf.get(scope);
}

type Ownership = { readonly scopeOf: ReadonlyMap<number, number>; readonly ownerOf: ReadonlyMap<number, number> };

const known = new WeakMap<FileFacts, Ownership>();

/** `namespace A.B.C` has three names before its names begin. */
const maxDotted = 8;

function ownership(facts: FileFacts): Ownership {
  const seen = known.get(facts);
  if (seen !== undefined) return seen;
  const declared = facts.bindings
    .flatMap(({ kind, declarations, scope }, at) =>
      kind === 'enum' || kind === 'namespace' ? declarations.map(({ start }) => ({ start, at, home: scope })) : [],
    )
    .sort((a, b) => a.start - b.start);
  const scopeOf = new Map<number, number>();
  const ownerOf = new Map<number, number>();
  for (const [scope, span] of facts.scopes.scopes.entries()) {
    if (span.kind !== 'enum' && span.kind !== 'namespace') continue;
    let best: { readonly at: number; readonly distance: number } | undefined;
    const first = firstFrom(declared, span.start);
    for (const { start, at, home } of declared.slice(first, first + maxDotted)) {
      if (start >= span.end) break;
      const distance = distanceTo(facts, home, scope);
      if (distance > 0 && (best === undefined || distance < best.distance)) best = { at, distance };
    }
    // The names of a block come after the names that all blocks share: those are the ones to be found.
    if (best === undefined || scopeOf.has(best.at)) continue;
    scopeOf.set(best.at, scope);
    ownerOf.set(scope, best.at);
  }
  const found = { scopeOf, ownerOf };
  known.set(facts, found);
  return found;
}

function firstFrom(sorted: readonly { readonly start: number }[], start: number): number {
  return countWhile(sorted, (one) => one.start < start);
}

/** How many scopes `above` lies above; 0 where it does not. */
function distanceTo(facts: FileFacts, above: number, scope: number): number {
  let distance = 0;
  for (let at = scope; at >= 0 && distance < 100; at = facts.scopes.scopes[at]?.parent ?? -1) {
    if (at === above) return distance;
    distance += 1;
  }
  return 0;
}
