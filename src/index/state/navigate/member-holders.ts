/**
 * The few members whose owner lexical scope knows: of a module that is imported as a whole, of an enum, of a namespace. Everything else
 * behind a dot is bound by types, which nobody computes here.
 */

import type { Binding } from '../../../languages/scopes/scope-tree.ts';
import type { Token } from '../../../languages/tokens.ts';
import { findImportRow, splitTargets } from './follow-exports.ts';
import type { Question } from './question.ts';
import type { FileFacts } from './read-file-facts.ts';

export type Held =
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
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.start ?? 0) < start) low = middle + 1;
    else high = middle;
  }
  return low;
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
