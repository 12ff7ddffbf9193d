/**
 * Of a union of object literals, each literal that lacks a property gets it filled in by the compiler, as `undefined`. The filled-in one is
 * made once for each name, with the declarations of the first literal in the program that happened to have it: a name that has nothing to
 * do with this one, and another one whenever files are checked in another order. Such declarations are left out here.
 */

import {
  type Node,
  SymbolFlags,
  SyntaxKind,
  type Symbol as TsSymbol,
  type Type,
  TypeFlags,
} from '../../../languages/typescript/compiler/typescript-api.ts';
import type { Questions } from './ask-compiler.ts';

type DeclarationsOf = (symbol: TsSymbol) => readonly Node[];

/** Whether `listOwn` could leave something out: only then is it worth to ask for the type. */
export function mayBeFilledIn(symbol: TsSymbol, declarationsOf: DeclarationsOf): boolean {
  if ((symbol.flags & SymbolFlags.Optional) === 0) return false;
  const declarations = declarationsOf(symbol);
  return declarations.length > 1 && declarations.some(isLiteralKey);
}

/** The declarations of a property that its type has itself. */
export function listOwn(
  type: Type | undefined,
  symbol: TsSymbol,
  questions: Questions,
  declarationsOf: DeclarationsOf,
): readonly Node[] {
  const all = declarationsOf(symbol);
  if (type === undefined || !mayBeFilledIn(symbol, declarationsOf)) return all;
  const own = new Set<Node>();
  for (const part of questions.constituentsOf(type)) {
    const property = questions.propertyOf(part, symbol.name);
    if (property === undefined || isFilledIn(property)) continue;
    for (const declaration of declarationsOf(property)) own.add(declaration);
  }
  const kept = all.filter((declaration) => own.has(declaration));
  return kept.length === 0 ? all : kept;

  function isFilledIn(property: TsSymbol): boolean {
    if ((property.flags & SymbolFlags.Optional) === 0 || !declarationsOf(property).every(isLiteralKey)) return false;
    return ((questions.typeOf(property)?.flags ?? 0) & TypeFlags.Undefined) !== 0;
  }
}

function isLiteralKey({ kind, parent }: Node): boolean {
  switch (kind) {
    case SyntaxKind.PropertyAssignment:
    case SyntaxKind.ShorthandPropertyAssignment:
      return true;
    case SyntaxKind.MethodDeclaration:
    case SyntaxKind.GetAccessor:
    case SyntaxKind.SetAccessor:
      return parent?.kind === SyntaxKind.ObjectLiteralExpression;
    default:
      return false;
  }
}
