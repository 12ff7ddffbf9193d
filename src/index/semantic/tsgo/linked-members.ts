/**
 * `{@link A#length}` of a class means the member of its instances. The compiler looks at the class itself first, which is a function and has
 * what every function has; version 5 looked at the instances. Where they have a member of that name, that is the answer.
 */

import {
  type Node,
  SyntaxKind,
  type Symbol as TsSymbol,
} from '../../../languages/typescript/compiler/typescript-api.ts';
import type { DocumentWorld } from './index-document.ts';
import { isLink } from './list-names.ts';
import { textOfName } from './text-of-name.ts';

type Shape = Node & { readonly name?: Node; readonly left?: Node; readonly right?: Node };

/** Undefined: the compiler's answer holds. `meantBy` says what a name stands for in the end. */
export function findLinkedMember(
  node: Node,
  symbol: TsSymbol,
  meantBy: (name: Node) => TsSymbol | undefined,
  { questions, declarationsOf }: Pick<DocumentWorld, 'questions' | 'declarationsOf'>,
): TsSymbol | undefined {
  const parent = node.parent as Shape | undefined;
  if (parent?.kind !== SyntaxKind.QualifiedName || parent.right !== node || !isLinked(parent)) return undefined;
  if (!declarationsOf(symbol).some(isOfEveryFunction)) return undefined;
  const left = parent.left as Shape | undefined;
  const name = left?.kind === SyntaxKind.QualifiedName ? left.right : left;
  const owner = name === undefined ? undefined : meantBy(name);
  if (owner === undefined || !declarationsOf(owner).some(isClass)) return undefined;
  const instance = questions.declaredType(owner);
  return instance === undefined ? undefined : questions.propertyOf(instance, textOfName(node));
}

function isLinked(name: Node): boolean {
  let around: Node | undefined = name.parent;
  while (around?.kind === SyntaxKind.QualifiedName) around = around.parent;
  return around !== undefined && isLink(around);
}

function isOfEveryFunction({ parent }: Node): boolean {
  if (parent?.kind !== SyntaxKind.InterfaceDeclaration) return false;
  return /^(?:(?:Callable|Newable)?Function|Object)$/.test(textOfName((parent as Shape).name));
}

function isClass({ kind }: Node): boolean {
  return kind === SyntaxKind.ClassDeclaration || kind === SyntaxKind.ClassExpression;
}
