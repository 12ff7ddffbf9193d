/**
 * What a definition leans on, breadth first (mutation.md §11): the names inside its range that lexical scope and imports lead to other
 * definitions, then the names inside those. Each once, on the shortest way. M34: equal bytes give equal slices, a cut one says so.
 */

import type { Token } from '../../languages/tokens.ts';
import type { SymbolRow } from '../store/file-rows.ts';
import { type Ending, followExport, followImport } from './follow-exports.ts';
import type { Question } from './question.ts';
import type { FileFacts } from './read-file-facts.ts';
import { findHeld } from './subject.ts';

export const linkKinds = ['calls', 'reads', 'type', 'extends', 'imports'] as const;
type LinkKind = (typeof linkKinds)[number];

type ChainLink = {
  /** `path#Name/path`, or `specifier#name` for what lies outside. */
  readonly symbol: string;
  readonly from: string;
  readonly via: LinkKind;
  /** The first use that leads there. */
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly depth: number;
};

type ChainSlice = { readonly from: string; readonly links: readonly ChainLink[]; readonly truncated: boolean };

export const chainLimits = { depth: 8, links: 200 } as const;

type Definition = { readonly facts: FileFacts; readonly symbol: SymbolRow };

export async function sliceChain(question: Question, facts: FileFacts, symbol: SymbolRow): Promise<ChainSlice> {
  const from = nameOf(facts.path, symbol);
  const seen = new Set([from]);
  const links: ChainLink[] = [];
  let truncated = false;
  let level: Definition[] = [{ facts, symbol }];
  for (let depth = 1; level.length > 0; depth += 1) {
    const next: Definition[] = [];
    for (const definition of level) {
      for (const { token, ending } of await listUses(question, definition)) {
        const name = nameOfEnding(question, ending);
        if (name === undefined || seen.has(name)) continue;
        if (depth > chainLimits.depth || links.length >= chainLimits.links || question.isOver())
          return { from, links, truncated: true };
        seen.add(name);
        const via = ending.kind === 'outside' ? 'imports' : linkKind(definition.facts, token);
        const { path } = definition.facts;
        links.push({
          symbol: name,
          from: nameOf(path, definition.symbol),
          via,
          path,
          start: token.start,
          end: token.end,
          depth,
        });
        const found = await openEnding(question, ending);
        if (found !== undefined) next.push(found);
      }
    }
    level = next;
  }
  truncated ||= question.isOver();
  return { from, links, truncated };
}

/** The innermost symbol around a place, or the one that bears its name there. */
export function findSymbolAround(question: Question, facts: FileFacts, index: number): SymbolRow | undefined {
  if (!facts.isIndexed) return undefined;
  const byte = facts.toByte(index);
  const around = question.symbols(facts.path).filter(({ start, end }) => start <= byte && byte < end);
  return around.at(-1);
}

function nameOf(path: string, { namePath, overload }: SymbolRow): string {
  return `${path}#${namePath}${overload === 0 ? '' : `[${overload}]`}`;
}

/** In the order of the text. */
async function listUses(
  question: Question,
  { facts, symbol }: Definition,
): Promise<readonly { readonly token: Token; readonly ending: Ending }[]> {
  const start = facts.toIndex(symbol.start);
  const end = facts.toIndex(symbol.end);
  const uses: { token: Token; ending: Ending }[] = [];
  for (const token of facts.tokens) {
    if (token.start < start || token.class !== 'code') continue;
    if (token.start >= end) break;
    for (const ending of await endingsOf(question, facts, token, start, end)) uses.push({ token, ending });
  }
  return uses;
}

async function endingsOf(
  question: Question,
  facts: FileFacts,
  token: Token,
  start: number,
  end: number,
): Promise<readonly Ending[]> {
  const bound = facts.boundAt.get(token.start);
  if (bound === undefined) {
    const held = facts.memberAt.has(token.start) ? findHeld(question, facts, token) : undefined;
    if (held?.kind === 'binding') return [{ kind: 'binding', path: facts.path, binding: held.binding, facts }];
    if (held === undefined) return [];
    const endings: Ending[] = [];
    for (const path of held.paths) endings.push(...(await followExport(question, path, token.text)).endings);
    return endings;
  }
  const binding = facts.bindings[bound.binding];
  if (binding === undefined || bound.role === 'definition') return [];
  if (binding.importOf !== undefined) return (await followImport(question, facts, bound.binding)).endings;
  // What is declared inside is part of the definition itself.
  const isInside = binding.declarations.some((span) => span.start >= start && span.end <= end);
  return isInside ? [] : [{ kind: 'binding', path: facts.path, binding: bound.binding, facts }];
}

function nameOfEnding(question: Question, ending: Ending): string | undefined {
  switch (ending.kind) {
    case 'outside':
      return `${ending.external ?? ending.specifier}#${ending.name}`;
    case 'module':
      return undefined;
    case 'symbol':
      return nameOf(ending.path, ending.symbol);
    case 'binding': {
      const symbol = symbolOfBinding(question, ending);
      return symbol === undefined ? undefined : nameOf(ending.path, symbol);
    }
  }
}

function symbolOfBinding(question: Question, ending: Ending & { kind: 'binding' }): SymbolRow | undefined {
  const { facts } = ending;
  if (!facts.isIndexed) return undefined;
  const starts = new Set(facts.bindings[ending.binding]?.declarations.map(({ start }) => facts.toByte(start)));
  return question.symbols(facts.path).find(({ nameStart }) => starts.has(nameStart));
}

async function openEnding(question: Question, ending: Ending): Promise<Definition | undefined> {
  if (ending.kind === 'binding') {
    const symbol = symbolOfBinding(question, ending);
    return symbol === undefined ? undefined : { facts: ending.facts, symbol };
  }
  if (ending.kind !== 'symbol') return undefined;
  const facts = await question.facts(ending.path);
  return facts === undefined || !facts.isIndexed ? undefined : { facts, symbol: ending.symbol };
}

function linkKind(facts: FileFacts, token: Token): LinkKind {
  const { text } = facts.source;
  const before = text.slice(Math.max(0, token.start - 60), token.start);
  if (/\b(?:extends|implements)\s+(?:[\w$.]+\s*,\s*)*(?:[\w$]+\s*\.\s*)*$/.test(before)) return 'extends';
  if (facts.boundAt.get(token.start)?.role === 'type' || facts.memberAt.get(token.start)?.access === 'type')
    return 'type';
  const isCalled = /^\s*(?:\?\.\s*)?\(/.test(text.slice(token.end, token.end + 20));
  return isCalled || /\bnew\s+$/.test(before) ? 'calls' : 'reads';
}
