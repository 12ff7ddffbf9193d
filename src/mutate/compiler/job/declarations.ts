/**
 * Where the name of something stands: the one place that says at which offset a declaration or a name token begins, so that a token and
 * the declaration it is the name of have the same offset. Of quoted names it is the offset behind the quote.
 */

import {
  type Node,
  type NodeHandle,
  SyntaxKind,
  type Symbol as TsSymbol,
} from '../../../languages/typescript/compiler/typescript-api.ts';
import type { DeclarationPlace } from '../session/messages.ts';
import type { OpenProgram } from './job-types.ts';
import { placeFile } from './programs.ts';

/** The node that holds a declaration's name; a bracketed literal counts as its literal. Undefined where there is no name. */
function findDeclarationName(declaration: Node): Node | undefined {
  const name = findName(declaration);
  if (name?.kind === SyntaxKind.ComputedPropertyName) {
    const { expression } = name as Node & { readonly expression?: Node };
    return expression !== undefined && isStringLike(expression) ? expression : name;
  }
  // `@param options.name`: the tag is about what stands last.
  if (name?.kind === SyntaxKind.QualifiedName) return (name as Node & { readonly right: Node }).right;
  return name;
}

/** Offset of the declaration's name, or of the declaration where it has none. */
export function declarationStart(declaration: Node): number {
  if (declaration.kind === SyntaxKind.SourceFile) return 0;
  return nameStart(findDeclarationName(declaration) ?? declaration);
}

export function nameStart(name: Node): number {
  return isStringLike(name) ? name.getStart() + 1 : name.getStart();
}

export function isStringLike(node: Node): boolean {
  return node.kind === SyntaxKind.StringLiteral || node.kind === SyntaxKind.NoSubstitutionTemplateLiteral;
}

type Named = Node & {
  readonly name?: Node;
  readonly left?: Node;
  readonly argumentExpression?: Node;
  readonly arguments?: readonly Node[];
};

function findName(node: Named): Node | undefined {
  switch (node.kind) {
    // `exports.a = …`, `this.a = …` in JavaScript declare what they assign to.
    case SyntaxKind.BinaryExpression:
      return node.left === undefined ? undefined : findAccessedName(node.left);
    case SyntaxKind.PropertyAccessExpression:
    case SyntaxKind.ElementAccessExpression:
      return findAccessedName(node);
    // `Object.defineProperty(exports, "a", …)`
    case SyntaxKind.CallExpression: {
      const second = node.arguments?.[1];
      return second !== undefined && isStringLike(second) ? second : undefined;
    }
    case SyntaxKind.ExportAssignment:
      return undefined;
    default:
      return node.name;
  }
}

function findAccessedName(node: Named): Node | undefined {
  if (node.kind === SyntaxKind.PropertyAccessExpression) return node.name;
  if (node.kind !== SyntaxKind.ElementAccessExpression) return undefined;
  const { argumentExpression } = node;
  return argumentExpression !== undefined && isStringLike(argumentExpression) ? argumentExpression : undefined;
}

// The places where a symbol is declared. Of unions, intersections, mapped types and instantiations the checker makes symbols of its
// own; they carry the declarations of what they come from, and those are listed.

/** Sorted as the symbol has them, each once. Empty for what the compiler brings along without a declaration, such as `undefined`. */
export type FindPlaces = (symbol: TsSymbol) => readonly DeclarationPlace[];

export function createPlaces(program: OpenProgram): FindPlaces {
  const { root } = program;
  const bySymbol = new WeakMap<TsSymbol, readonly DeclarationPlace[]>();
  const byHandle = new Map<string, DeclarationPlace>();

  const locate = (handle: NodeHandle): DeclarationPlace => {
    const key = `${handle.index}.${handle.path}`;
    const known = byHandle.get(key);
    if (known !== undefined) return known;
    const node = handle.resolve(program.project) ?? handle.resolve();
    const place =
      node === undefined
        ? // The file is in no program that can be asked; its number still tells declarations apart.
          { path: handle.path, outside: true, start: -1 - handle.index }
        : { ...placeFile(root, node.getSourceFile().fileName), start: declarationStart(node) };
    byHandle.set(key, place);
    return place;
  };

  return (symbol) => {
    const known = bySymbol.get(symbol);
    if (known !== undefined) return known;
    const [only, ...more] = symbol.declarations;
    if (only !== undefined && more.length === 0) {
      const alone = [locate(only)];
      bySymbol.set(symbol, alone);
      return alone;
    }
    const places = [...new Set(symbol.declarations.map(locate))];
    const seen = new Set<string>();
    const distinct = places.filter(({ path, start }) => {
      const key = `${path}\0${start}`;
      return seen.has(key) ? false : seen.add(key);
    });
    bySymbol.set(symbol, distinct);
    return distinct;
  };
}
