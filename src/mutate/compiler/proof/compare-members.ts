/**
 * Condition 3 of the shadow proof (mutation.md §3.1): in the *after* program, a member of the new name that a base or derived type of a
 * renamed member's owner has is itself a renamed one, inside and outside the repository. Overriding happens without a reference, so
 * no token's binding would show it.
 */

import {
  isClassLikeDeclaration,
  isInterfaceDeclaration,
  type Node,
  SyntaxKind,
  type Symbol as TsSymbol,
  type Type,
} from '../../../languages/typescript/compiler/typescript-api.ts';
import { createPlaces, type FindPlaces, tellLine } from '../job/declarations.ts';
import { type NameToken, type OpenProgram, placeKey } from '../job/job-types.ts';
import { listNameTokens } from '../job/name-tokens.ts';
import type { DeclarationPlace, ProofPlace } from '../session/messages.ts';
import type { EditMap } from './map-edits.ts';

/** `family` as it was before; `paths`: files after the edits in which derived types can stand. */
export function compareMembers(
  after: OpenProgram,
  map: EditMap,
  family: readonly DeclarationPlace[],
  newName: string,
  paths: readonly string[],
): readonly ProofPlace[] {
  const renamed = new Set(family.map(map.placeKey));
  const world: World = { program: after, findPlaces: createPlaces(after), renamed, newName };
  const owners = findOwners(world, family, map);
  if (owners.length === 0) return [];
  const ownerKeys = new Set(owners.flatMap(({ places }) => places.map(placeKey)));
  return [...owners.flatMap((owner) => checkBases(world, owner)), ...checkDerived(world, ownerKeys, paths)];
}

type World = {
  readonly program: OpenProgram;
  readonly findPlaces: FindPlaces;
  /** `placeKey` of the family after the edits. */
  readonly renamed: ReadonlySet<string>;
  readonly newName: string;
};

type Owner = {
  readonly member: NameToken;
  readonly symbol: TsSymbol;
  readonly places: readonly DeclarationPlace[];
  readonly isStatic: boolean;
};

type Shape = Node & {
  readonly name?: Node;
  readonly heritageClauses?: readonly (Node & { readonly token: SyntaxKind; readonly types: readonly Node[] })[];
  readonly modifiers?: readonly Node[];
  readonly expression?: Node;
};

function findOwners(
  { program, findPlaces }: World,
  family: readonly DeclarationPlace[],
  map: EditMap,
): readonly Owner[] {
  const owners: Owner[] = [];
  for (const place of family) {
    if (place.outside) continue;
    const [path = '', start = ''] = map.placeKey(place).split('\0');
    const member = listNameTokens(program, path).find((token) => token.start === Number(start));
    // A private name belongs to its class alone.
    if (member === undefined || member.kind === 'private') continue;
    const symbol = program.project.checker.getSymbolAtLocation(member.node)?.getParent();
    if (symbol === undefined) continue;
    const isStatic =
      (member.node.parent as Shape | undefined)?.modifiers?.some(({ kind }) => kind === SyntaxKind.StaticKeyword) ??
      false;
    owners.push({ member, symbol, places: findPlaces(symbol), isStatic });
  }
  return owners;
}

function checkBases(world: World, { member, symbol, isStatic }: Owner): readonly ProofPlace[] {
  const bases = isStatic ? listStaticBases(world, symbol) : listBases(world, symbol);
  return bases.flatMap((base) => sayForeign(world, base, member));
}

function checkDerived(world: World, ownerKeys: ReadonlySet<string>, paths: readonly string[]): readonly ProofPlace[] {
  const { checker } = world.program.project;
  return paths.flatMap((path) =>
    listNameTokens(world.program, path).flatMap((token) => {
      const declaration = token.node.parent as Shape | undefined;
      if (
        declaration?.name !== token.node ||
        !isClassOrInterface(declaration) ||
        declaration.heritageClauses === undefined
      )
        return [];
      const symbol = checker.getSymbolAtLocation(token.node);
      if (symbol === undefined) return [];
      const sides = [checker.getDeclaredTypeOfSymbol(symbol), checker.getTypeOfSymbol(symbol)];
      const foreign = sides.flatMap((type) => (type === undefined ? [] : sayForeign(world, type, token)));
      return foreign.length > 0 && descendsFrom(world, symbol, ownerKeys) ? foreign : [];
    }),
  );
}

/** The member of the new name, unless it is a renamed one. */
function sayForeign(
  { program, findPlaces, renamed, newName }: World,
  type: Type,
  at: NameToken,
): readonly ProofPlace[] {
  const property = program.project.checker.getPropertyOfType(type, newName);
  const places = property === undefined ? [] : findPlaces(property);
  const other = places.find((place) => !renamed.has(placeKey(place)));
  if (other === undefined) return [];
  const span = { path: at.path, start: at.start, end: at.end };
  return [
    {
      at: span,
      before: 'no member in common',
      after: `\`${newName}\` is also declared at ${tellLine(program, other)}`,
    },
  ];
}

function descendsFrom(world: World, symbol: TsSymbol, ownerKeys: ReadonlySet<string>): boolean {
  return listBases(world, symbol).some((base) => {
    const own = base.getSymbol();
    return own !== undefined && world.findPlaces(own).some((place) => ownerKeys.has(placeKey(place)));
  });
}

/** All types above: those extended and those that a class says it implements. */
function listBases(world: World, symbol: TsSymbol): readonly Type[] {
  const { checker } = world.program.project;
  const found = new Map<number, Type>();
  const pending: TsSymbol[] = [symbol];
  const seen = new Set<TsSymbol>(pending);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const type of listDirectBases(world, next)) {
      if (found.has(type.id)) continue;
      found.set(type.id, type);
      const parts = type.isIntersectionType() ? type.getTypes() : [type];
      for (const part of parts) {
        found.set(part.id, part);
        const own = part.getSymbol();
        if (own === undefined || seen.has(own) || checker.isUnknownSymbol(own)) continue;
        seen.add(own);
        pending.push(own);
      }
    }
  }
  return [...found.values()];
}

function listDirectBases({ program }: World, symbol: TsSymbol): readonly Type[] {
  const { checker } = program.project;
  const declared = checker.getDeclaredTypeOfSymbol(symbol);
  const extended = declared.isClassOrInterface() ? checker.getBaseTypes(declared) : [];
  const implemented = listClauses(program, symbol, SyntaxKind.ImplementsKeyword).map((node) =>
    checker.getTypeAtLocation(node),
  );
  return [...extended, ...implemented.filter((type) => type !== undefined)];
}

function listStaticBases({ program }: World, symbol: TsSymbol): readonly Type[] {
  const types = listClauses(program, symbol, SyntaxKind.ExtendsKeyword).map(({ expression }) =>
    expression === undefined ? undefined : program.project.checker.getTypeAtLocation(expression),
  );
  return types.filter((type) => type !== undefined);
}

function listClauses(program: OpenProgram, symbol: TsSymbol, keyword: SyntaxKind): readonly Shape[] {
  return symbol.declarations.flatMap((handle) => {
    const declaration = handle.resolve(program.project) as Shape | undefined;
    if (declaration === undefined || declaration.kind === SyntaxKind.InterfaceDeclaration) return [];
    return (declaration.heritageClauses ?? []).flatMap(({ token, types }) =>
      token === keyword ? (types as readonly Shape[]) : [],
    );
  });
}

function isClassOrInterface(node: Node): boolean {
  return isClassLikeDeclaration(node) || isInterfaceDeclaration(node);
}
