/**
 * What the compiler ties each name token to (β of mutation.md §3.1), as links to declaration places. Symbols are asked in batches, a
 * batch that fails is halved until what fails stands alone: `failed` is said of that token and no other (M18). What the checker says
 * nothing about although the language does — labels, names of tuple members — is bound by syntax.
 */

import { askInBatches, describeFailure } from '../../kernel/compiler/ask-in-batches.ts';
import { type Node, SymbolFlags, SyntaxKind, type Symbol as TsSymbol } from '../../kernel/compiler/typescript-api.ts';
import { bindBySyntax, findMentionedParameter } from './bind-by-syntax.ts';
import { bindContext, createContexts, findPatternHolder } from './bind-context.ts';
import { createPlaces, type FindPlaces } from './declaration-places.ts';
import type { Binding, Link, NameToken, OpenProgram } from './in-job.ts';
import type { DeclarationPlace } from './types.ts';

/** `CheckFlags.Unresolved`, which the interface does not name. */
const unresolvedFlag = 1 << 20;

/** Tokens are shared by programs and snapshots, what they mean is not. */
const knownBindings = new WeakMap<OpenProgram, Map<NameToken, Binding>>();

/** In the order of the tokens. What was asked before is not asked again: a program never changes. */
export function bindTokens(program: OpenProgram, tokens: readonly NameToken[]): readonly Binding[] {
  const known = knownBindings.get(program) ?? new Map<NameToken, Binding>();
  knownBindings.set(program, known);
  const unknown = tokens.filter((token) => !known.has(token));
  const found = askForBindings(program, unknown, 'all');
  for (const [at, binding] of found.entries()) known.set(unknown[at] as NameToken, binding);
  return tokens.map((token) => known.get(token) as Binding);
}

const knownMeanings = new WeakMap<OpenProgram, Map<NameToken, Binding>>();

/**
 * The same without what a literal's or an element's contextual type expects of a key: that ties names to each other, and says nothing
 * about what the program does (docs/decisions/0018). What a pattern takes is part of it, as everywhere.
 */
export function bindMeanings(program: OpenProgram, tokens: readonly NameToken[]): readonly Binding[] {
  const known = knownMeanings.get(program) ?? new Map<NameToken, Binding>();
  knownMeanings.set(program, known);
  const unknown = tokens.filter((token) => !known.has(token));
  const patterns = new Set(unknown.flatMap(({ node }) => findPatternHolder(node) ?? []));
  createContexts(program).prepare([...patterns]);
  const found = askForBindings(program, unknown, 'patterns');
  for (const [at, binding] of found.entries()) known.set(unknown[at] as NameToken, binding);
  return tokens.map((token) => known.get(token) as Binding);
}

function askForBindings(
  program: OpenProgram,
  tokens: readonly NameToken[],
  holders: 'all' | 'patterns',
): readonly Binding[] {
  const { checker } = program.project;
  const findPlaces = placesOf(program);
  const contexts = createContexts(program);
  const asked = tokens.map((token) => findMentionedParameter(token.node) ?? token.node);
  const symbols = askInBatches(asked, (nodes) => checker.getSymbolAtLocation(nodes));
  return tokens.map((token, at): Binding => {
    const bySyntax = bindBySyntax(token);
    if (bySyntax !== undefined) return bySyntax;
    const answer = symbols[at];
    if (answer === undefined || answer.kind === 'failed')
      return { kind: 'failed', detail: answer?.detail ?? 'no answer' };
    try {
      const links = linkToken(token, answer.value, findPlaces, checker);
      if (holders === 'all' || findPatternHolder(token.node) !== undefined)
        links.push(...bindContext(token.node, token.text, links, contexts, findPlaces));
      return links.length === 0 ? { kind: 'none' } : { kind: 'bound', links };
    } catch (error) {
      return { kind: 'failed', detail: describeFailure(error) };
    }
  });
}

const knownPlaces = new WeakMap<OpenProgram, FindPlaces>();

function placesOf(program: OpenProgram): FindPlaces {
  const known = knownPlaces.get(program) ?? createPlaces(program);
  knownPlaces.set(program, known);
  return known;
}

function linkToken(
  { node, path, start }: NameToken,
  symbol: TsSymbol | undefined,
  findPlaces: FindPlaces,
  checker: OpenProgram['project']['checker'],
): Link[] {
  // `{ ['a']: b }` in a pattern: the checker answers for `b`; what `a` is, the destructured type says.
  if (symbol === undefined || isUnresolved(symbol) || checker.isUnknownSymbol(symbol) || isBracketedInPattern(node))
    return [];
  const places = findPlaces(symbol);
  const links: Link[] = [{ role: 'symbol', symbol, places }];
  // An alias is followed where it is made, and from there one step.
  if ((symbol.flags & SymbolFlags.Alias) !== 0 && isAmong(places, path, start)) {
    const target = checker.getImmediateAliasedSymbol(symbol);
    if (target !== undefined && !checker.isUnknownSymbol(target))
      links.push({ role: 'alias', symbol: target, places: findPlaces(target) });
  }
  if (node.parent?.kind === SyntaxKind.ShorthandPropertyAssignment) {
    const value = checker.getShorthandAssignmentValueSymbol(node.parent);
    if (value !== undefined) links.push({ role: 'value', symbol: value, places: findPlaces(value) });
  }
  return links;
}

/** What the checker puts in the place of a type it did not find. */
function isUnresolved({ checkFlags, declarations }: TsSymbol): boolean {
  return (checkFlags & unresolvedFlag) !== 0 && declarations.length === 0;
}

function isAmong(places: readonly DeclarationPlace[], path: string, start: number): boolean {
  return places.some((place) => place.start === start && place.path === path);
}

function isBracketedInPattern(node: Node): boolean {
  return (
    node.parent?.kind === SyntaxKind.ComputedPropertyName && node.parent.parent?.kind === SyntaxKind.BindingElement
  );
}
