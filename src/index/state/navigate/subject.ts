/** What a question is about, once its position or name is understood. */

import { importsTypes, isJavaScript } from '../../../languages/language-family.ts';
import type { Token } from '../../../languages/tokens.ts';
import type { SymbolRow } from '../../store/rows.ts';
import { findRowAt } from './follow-exports.ts';
import { findHeld } from './member-holders.ts';
import type { Question } from './question.ts';
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

export const nameReasons = ['member', 'unbound', 'string', 'comment', 'regex', 'error'] as const;
export type NameReason = (typeof nameReasons)[number];

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
    const row = question
      .imports(facts.path)
      .find(({ names }) => names.some((entry) => (entry.alias ?? entry.name) === token.text || entry.start === byte));
    const original = row?.names.find(
      (entry) => (entry.alias ?? entry.name) === token.text || entry.start === byte,
    )?.name;
    if (row !== undefined && original !== undefined && row.targets.length > 0)
      return { kind: 'export', facts, paths: row.targets, name: original, token };
    const own = symbols.filter(({ name, kind }) => name === token.text && kind !== 'constructor');
    const [only] = own;
    if (own.length === 1 && only !== undefined) return { kind: 'symbol', facts, symbol: only, token };
  }
  return { kind: 'name', facts, token, why: isMember || declared !== undefined ? 'member' : 'unbound' };
}
