/**
 * Names that scopes decide about (mutation.md §2.7): would the new name stand beside one that is already declared there, would a renamed
 * reference find somebody nearer, would the renamed declaration come between an existing reference and what it means? Asked of the
 * compiler's own lookup at each place, so that the special rules of the language need not be told again here.
 */

import * as ts from '../../../kernel/compiler/typescript-api.ts';
import type { OpenProgram, RenameWorld } from '../in-job.ts';
import type { Clash } from '../types.ts';
import { makeClash, placeOfNode, placeOfSymbol, tellPlace } from './clash-words.ts';
import {
  globalScope,
  holdsNode,
  isGlobal,
  isSameScope,
  nearerScope,
  type Scope,
  scopeOfDeclaration,
  scopesOfSymbol,
  wordForScope,
} from './lexical-scope.ts';
import type { Write } from './list-writes.ts';
import { flagsOf, type Meaning, meaningOfDeclaration, meanings, positionOf } from './name-positions.ts';
import { createNewNameResolver } from './resolve-new-name.ts';
import { listStandingNames, type StandingName } from './standing-names.ts';

/** A scope that gets the new name. */
type Gain = {
  readonly program: OpenProgram;
  readonly scope: Scope;
  readonly meaning: Meaning;
  readonly by: Write;
};

export function findLexicalClashes(world: RenameWorld, writes: readonly Write[]): readonly Clash[] {
  const gains = listGains(writes);
  const others = listStandingNames(world, world.question.newName);
  return [
    ...findCollisions(world, gains, others),
    ...findCapturedReferences(world, writes),
    ...findCapturingDeclarations(world, gains, others),
  ];
}

function listGains(writes: readonly Write[]): readonly Gain[] {
  return writes.flatMap((by) => {
    // Inside its enum a member is in scope by its bare name.
    const isEnumMember = by.isMember && by.token.node.parent.kind === ts.SyntaxKind.EnumMember;
    const declaration = by.declares ?? (isEnumMember ? by.token.node.parent : null);
    if (declaration === null) return [];
    const scope = scopeOfDeclaration(by.program, declaration);
    if (scope === undefined) return [];
    return [{ program: by.program, scope, meaning: meaningOf(by.program, declaration, by.token.node), by }];
  });
}

/** An import means whatever it stands for. */
function meaningOf({ project: { checker } }: OpenProgram, declaration: ts.Node, name: ts.Node): Meaning {
  const meaning = meaningOfDeclaration(declaration);
  if (meaning !== meanings.all) return meaning;
  const symbol = checker.getSymbolAtLocation(name);
  if (symbol === undefined || (symbol.flags & ts.SymbolFlags.Alias) === 0) return meaning;
  const target = checker.getAliasedSymbol(symbol);
  const isKnown = !checker.isUnknownSymbol(target);
  return isKnown ? meaningOfFlags(target.flags) : meaning;
}

function meaningOfFlags(flags: ts.SymbolFlags): Meaning {
  let meaning = 0;
  if (flags & ts.SymbolFlags.Value) meaning |= meanings.value;
  if (flags & ts.SymbolFlags.Type) meaning |= meanings.type;
  if (flags & ts.SymbolFlags.Namespace) meaning |= meanings.namespace;
  return meaning === 0 ? meanings.all : meaning;
}

/** Types and values of one name in one scope are one symbol to the compiler: whoever uses one would then use both. */
function findCollisions(world: RenameWorld, gains: readonly Gain[], others: readonly StandingName[]): readonly Clash[] {
  const { programs, question } = world;
  const clashes: Clash[] = [];
  for (const { program, token } of others) {
    const position = positionOf(token.node);
    if (position.kind !== 'declares') continue;
    const scope = scopeOfDeclaration(program, position.declaration);
    if (scope === undefined) continue;
    for (const gain of gains) {
      if (gain.program !== program || !isSameScope(gain.scope, scope)) continue;
      const place = placeOfNode(programs, token.node);
      const detail = `\`${question.newName}\` is already declared ${wordForScope(scope)} at ${tellPlace(programs, place)}.`;
      clashes.push(makeClash('collision', gain.by.token, place, detail));
    }
  }
  return [...clashes, ...gains.flatMap((gain) => findGlobalCollision(world, gain))];
}

/** A script's top level is shared with the standard library and the packages the program includes. */
function findGlobalCollision({ programs, question }: RenameWorld, { program, scope, by }: Gain): readonly Clash[] {
  if (!isGlobal(scope)) return [];
  const file = by.token.node.getSourceFile();
  const symbol = program.project.checker.resolveName(question.newName, flagsOf(meanings.all), file, false);
  if (symbol === undefined || !symbol.declarations.some(({ path }) => programs.place(path).outside)) return [];
  const place = placeOfSymbol(programs, program.project, symbol);
  const where = place === null ? 'by the language' : `in ${tellPlace(programs, place)}`;
  return [makeClash('collision', by.token, place, `\`${question.newName}\` is already declared globally, ${where}.`)];
}

/** Reference side: what would the new name find here, and is that nearer than what the old one finds? */
function findCapturedReferences(world: RenameWorld, writes: readonly Write[]): readonly Clash[] {
  const { programs, question, oldName } = world;
  const resolveNewName = createNewNameResolver(world);
  return writes.flatMap(({ program, token, refers, declares }) => {
    const meaning = declares !== null && isHoisted(declares) ? meanings.value : refers;
    if (meaning === 0) return [];
    const { checker } = program.project;
    const found = resolveNewName(program, token, meaning);
    if (found === undefined) return [];
    const own = checker.resolveName(oldName, flagsOf(meaning), token.node, false);
    if (own === undefined) return [];
    const nearer = nearerScope(
      token.node,
      scopesOfSymbol(programs, program, found),
      scopesOfSymbol(programs, program, own),
    );
    if (nearer !== 'a') return [];
    const place = placeOfSymbol(programs, program.project, found);
    const where = place === null ? '' : ` at ${tellPlace(programs, place)}`;
    const detail = `Here \`${question.newName}\` would mean the one declared${where}, which is nearer than what \`${oldName}\` means.`;
    return [makeClash('capture', token, place, detail)];
  });
}

/** A `var` in an inner block belongs to the function: a `let` of its new name around it would be in the way. */
function isHoisted(declaration: ts.Node): boolean {
  let at = declaration;
  while (ts.isBindingElement(at)) at = at.parent.parent;
  return (
    at.kind === ts.SyntaxKind.VariableDeclaration &&
    at.parent.kind === ts.SyntaxKind.VariableDeclarationList &&
    (at.parent.flags & (ts.NodeFlags.Let | ts.NodeFlags.Const | ts.NodeFlags.Using)) === 0
  );
}

/** Declaration side: who says the new name today, means somebody further out or nobody, and would find the renamed one first? */
function findCapturingDeclarations(
  world: RenameWorld,
  gains: readonly Gain[],
  others: readonly StandingName[],
): readonly Clash[] {
  const { programs, question } = world;
  return others.flatMap(({ program, token }) => {
    const position = positionOf(token.node);
    if (position.kind !== 'refers') return [];
    const { checker } = program.project;
    const near = gains.filter(
      (gain) => gain.program === program && gain.meaning & position.meaning && holdsNode(gain.scope, token.node),
    );
    if (near.length === 0) return [];
    const found = checker.resolveName(question.newName, flagsOf(position.meaning), token.node, false);
    const foundScopes = found === undefined ? [] : scopesOfSymbol(programs, program, found);
    const gain = near.find(
      ({ scope, meaning }) =>
        nearerScope(token.node, [scope], foundScopes) === 'a' && isVisible(world, program, scope, meaning, token.node),
    );
    if (gain === undefined) return [];
    const here = placeOfNode(programs, token.node);
    const today = tellMeaning(world, program, found);
    const detail = `\`${question.newName}\` at ${tellPlace(programs, here)} means ${today} today and would mean the renamed \`${world.oldName}\`.`;
    return [makeClash('capture', gain.by.token, here, detail)];
  });
}

/** Not everything inside a scope sees all of it: a parameter's default does not see the body. The old name shows what is seen. */
function isVisible(world: RenameWorld, program: OpenProgram, scope: Scope, meaning: Meaning, at: ts.Node): boolean {
  const own = program.project.checker.resolveName(world.oldName, flagsOf(meaning), at, false);
  if (own === undefined) return false;
  const scopes = scopesOfSymbol(world.programs, program, own);
  return nearerScope(at, scopes.length === 0 ? [globalScope] : scopes, [scope]) !== 'b';
}

function tellMeaning({ programs }: RenameWorld, program: OpenProgram, found: ts.Symbol | undefined): string {
  const place = found === undefined ? null : placeOfSymbol(programs, program.project, found);
  if (place !== null) return `the one declared at ${tellPlace(programs, place)}`;
  return found === undefined ? 'nothing the compiler knows' : 'what the language brings along';
}
