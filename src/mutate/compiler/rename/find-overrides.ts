/**
 * Declarations that are one member although they stand apart (mutation.md §2.2): what a class or interface declares and the members of
 * that name in everything it extends or implements, however far up and through whichever of its merged declarations; the properties of
 * object types that a union spells out side by side, of which code before a check sees only the union's; and what literals pour together.
 */

import * as ts from '../../../kernel/compiler/typescript-api.ts';
import { createPlaces, type FindPlaces } from '../declaration-places.ts';
import { type OpenProgram, placeKey } from '../in-job.ts';
import type { DeclarationPlace } from '../types.ts';
import type { SidedToken } from './collect-family.ts';
import { findJointHeirs } from './find-joint-heirs.ts';
import { findSpreadTies, spreadLiteralOf } from './find-spread-ties.ts';

/** By place key, both directions. */
export type Overrides = ReadonlyMap<string, readonly DeclarationPlace[]>;

type Owner = ts.ClassDeclaration | ts.ClassExpression | ts.InterfaceDeclaration;
type Membership = { readonly owner: Owner; readonly ofClass: boolean };

export function findOverrides(
  programs: readonly OpenProgram[],
  tokens: readonly SidedToken[],
  name: string,
): Overrides {
  const ties = new Map<string, DeclarationPlace[]>();
  const tie = (from: DeclarationPlace, to: DeclarationPlace): void => {
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      const known = ties.get(placeKey(one));
      if (known === undefined) ties.set(placeKey(one), [other]);
      else known.push(other);
    }
  };
  for (const program of programs) {
    const findPlaces = createPlaces(program);
    const lookup = createLookup(program, name, findPlaces);
    const owns = tokens.filter((one) => one.program === program);
    for (const { token } of owns) {
      const own = { path: token.path, start: token.start, outside: false };
      for (const base of relatives(token.node, lookup)) tie(own, base);
    }
    const heirs = owns.some(({ token }) => membershipOf(token.node)) ? findJointHeirs(program, name, findPlaces) : [];
    for (const [first, ...others] of [...heirs, ...findSpreadTies(program, name, owns, findPlaces)]) {
      for (const other of others) if (first !== undefined) tie(first, other);
    }
  }
  return ties;
}

/** Whether a declaration of this name can have relatives at all. */
export function hasRelatives(name: ts.Node): boolean {
  return membershipOf(name) !== undefined || unionOf(name) !== undefined || spreadLiteralOf(name) !== undefined;
}

function relatives(name: ts.Node, lookup: Lookup): readonly DeclarationPlace[] {
  const member = membershipOf(name);
  if (member !== undefined) return lookup.inherited(member);
  const union = unionOf(name);
  return union === undefined ? [] : lookup.ofUnion(union);
}

type Lookup = {
  inherited(member: Membership): readonly DeclarationPlace[];
  ofUnion(union: ts.UnionTypeNode): readonly DeclarationPlace[];
};

function createLookup(program: OpenProgram, name: string, findPlaces: FindPlaces): Lookup {
  const { checker } = program.project;
  const byOwner = new Map<ts.Node, readonly DeclarationPlace[]>();
  const placesIn = (type: ts.Type | undefined): readonly DeclarationPlace[] => {
    const member = type && checker.getPropertyOfType(type, name);
    return member === undefined ? [] : findPlaces(member);
  };

  const climb = ({ owner, ofClass }: Membership): readonly DeclarationPlace[] => {
    const found: DeclarationPlace[] = [];
    const seen = new Set<ts.Node>();
    const pending: Owner[] = [owner, ...ownersOf(symbolOf(owner), program)];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      for (const heritage of heritageTypes(next, ofClass)) {
        const type = checker.getTypeAtLocation(heritage);
        found.push(...placesIn(type));
        pending.push(...ownersOf(type?.getSymbol(), program));
      }
    }
    return found;
  };
  const symbolOf = ({ name: named }: Owner): ts.Symbol | undefined =>
    named === undefined ? undefined : checker.getSymbolAtLocation(named);

  const unions = new Map<ts.Node, readonly DeclarationPlace[]>();
  return {
    inherited: (member) => {
      // Static and other members of one class are looked up apart; few classes have both of one name.
      const known = member.ofClass ? undefined : byOwner.get(member.owner);
      const places = known ?? climb(member);
      if (!member.ofClass) byOwner.set(member.owner, places);
      return places;
    },
    ofUnion: (union) => {
      const places = unions.get(union) ?? placesIn(checker.getTypeFromTypeNode(union));
      unions.set(union, places);
      return places;
    },
  };
}

/** All declarations of a class or interface: each may name further bases. */
function ownersOf(symbol: ts.Symbol | undefined, program: OpenProgram): readonly Owner[] {
  return (symbol?.declarations ?? []).flatMap((handle) => {
    const isOwnerKind =
      handle.kind === ts.SyntaxKind.ClassDeclaration ||
      handle.kind === ts.SyntaxKind.ClassExpression ||
      handle.kind === ts.SyntaxKind.InterfaceDeclaration;
    const node = isOwnerKind ? handle.resolve(program.project) : undefined;
    return node !== undefined && isOwner(node) ? [node] : [];
  });
}

/** What to ask the type of: `extends B` of a static member is the class itself, of an instance member what `new` gives. */
function heritageTypes(owner: Owner, ofClass: boolean): readonly ts.Node[] {
  const clauses = owner.heritageClauses ?? [];
  if (!ofClass) return clauses.flatMap(({ types }) => [...types]);
  return clauses
    .filter(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)
    .flatMap(({ types }) => types.map(({ expression }) => expression));
}

function membershipOf(name: ts.Node): Membership | undefined {
  const member = memberDeclaration(name);
  if (member === undefined) return undefined;
  const ofClass = isStatic(member);
  const owner = ts.isParameterDeclaration(member) ? ownerOfParameter(member) : member.parent;
  return owner !== undefined && isOwner(owner) ? { owner, ofClass } : undefined;
}

/** A parameter with a modifier declares a property of the class. */
function ownerOfParameter({ modifiers, parent }: ts.ParameterDeclaration): ts.Node | undefined {
  return (modifiers?.length ?? 0) > 0 && ts.isConstructorDeclaration(parent) ? parent.parent : undefined;
}

/** The union that the object type of this property is written into. */
function unionOf(name: ts.Node): ts.UnionTypeNode | undefined {
  const type = memberDeclaration(name)?.parent;
  return type !== undefined && ts.isTypeLiteralNode(type) && ts.isUnionTypeNode(type.parent) ? type.parent : undefined;
}

function memberDeclaration(node: ts.Node): ts.Node | undefined {
  const named = ts.isComputedPropertyName(node.parent) ? node.parent : node;
  const declaration = named.parent;
  const isMember =
    ts.isPropertyDeclaration(declaration) ||
    ts.isMethodDeclaration(declaration) ||
    ts.isGetAccessorDeclaration(declaration) ||
    ts.isSetAccessorDeclaration(declaration) ||
    ts.isPropertySignatureDeclaration(declaration) ||
    ts.isMethodSignatureDeclaration(declaration) ||
    ts.isParameterDeclaration(declaration);
  return isMember && declaration.name === named ? declaration : undefined;
}

function isOwner(node: ts.Node): node is Owner {
  return ts.isClassDeclaration(node) || ts.isClassExpression(node) || ts.isInterfaceDeclaration(node);
}

function isStatic(member: ts.Node): boolean {
  const { modifiers } = member as { readonly modifiers?: readonly ts.Node[] };
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword) ?? false;
}
