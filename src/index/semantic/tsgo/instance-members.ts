/**
 * Members of what a function of a script makes with `new`: by `F.prototype.a = …`, by `F.prototype = { a: … }`, and by `this.a = …` in the
 * function or in one that is its member. Version 7 infers none of them, and what is read of an instance elsewhere stays unknown; but
 * what is said of `this` and of the prototype in the same file can be found by its name.
 */

import { type Node, type SourceFile, SyntaxKind } from '../../../languages/typescript/compiler/typescript-api.ts';
import { findDeclared, readAssigned } from './commonjs.ts';
import { textOfName } from './text-of-name.ts';

type Shape = Node & {
  readonly name?: Node;
  readonly expression?: Node;
  readonly left?: Node;
  readonly right?: Node;
  readonly operatorToken?: Node;
  readonly properties?: readonly Node[];
};

/** What first declares it; of an access `this.a` or `F.prototype.a`, by its name. */
export function findInstanceMember(name: Node): Node | undefined {
  const access = name.parent as Shape | undefined;
  if (access?.kind !== SyntaxKind.PropertyAccessExpression || access.name !== name) return undefined;
  const receiver = access.expression as Shape;
  const owner = receiver.kind === SyntaxKind.ThisKeyword ? findMaker(access) : findPrototypeOwner(receiver);
  return owner === undefined ? undefined : listMembers(name.getSourceFile()).get(owner)?.get(textOfName(name));
}

/** `F` in `F.prototype`: what the file declares under that name. */
export function findPrototypeOwner(node: Shape): Node | undefined {
  if (node.kind !== SyntaxKind.PropertyAccessExpression || textOfName(node.name) !== 'prototype') return undefined;
  const { expression } = node;
  if (expression?.kind !== SyntaxKind.Identifier) return undefined;
  return findDeclared(node.getSourceFile(), textOfName(expression));
}

/** The function that makes what `this` is here. */
export function findMaker(node: Node): Node | undefined {
  for (let around = node.parent as Shape | undefined; around !== undefined; around = around.parent as Shape | undefined)
    switch (around.kind) {
      case SyntaxKind.FunctionDeclaration:
        return isKnownMaker(around) ? around : undefined;
      case SyntaxKind.FunctionExpression:
      case SyntaxKind.MethodDeclaration:
      case SyntaxKind.GetAccessor:
      case SyntaxKind.SetAccessor:
        return findMakerOf(around);
      case SyntaxKind.ClassDeclaration:
      case SyntaxKind.ClassExpression:
      case SyntaxKind.SourceFile:
        return undefined;
    }
  return undefined;
}

/** Of a member's function, or of a function that a variable holds. */
function findMakerOf(made: Shape): Node | undefined {
  const around = made.parent as Shape | undefined;
  if (around?.kind === SyntaxKind.VariableDeclaration) return isKnownMaker(around) ? around : undefined;
  if (around?.kind === SyntaxKind.BinaryExpression && around.right === made) {
    const access = around.left as Shape | undefined;
    return access?.kind === SyntaxKind.PropertyAccessExpression
      ? findPrototypeOwner(access.expression as Shape)
      : undefined;
  }
  const literal = made.kind === SyntaxKind.FunctionExpression ? around?.parent : around;
  const assignment = literal?.parent as Shape | undefined;
  return assignment?.kind === SyntaxKind.BinaryExpression && assignment.right === literal
    ? findPrototypeOwner(assignment.left as Shape)
    : undefined;
}

/** A function that gives its prototype something is one that makes instances; what `this` is in others, nobody knows. */
function isKnownMaker(declaration: Shape): boolean {
  const file = declaration.getSourceFile();
  const name = textOfName(declaration.name);
  return findDeclared(file, name) === declaration && makersIn(file).has(name);
}

const makers = new WeakMap<SourceFile, ReadonlySet<string>>();

function makersIn(file: SourceFile): ReadonlySet<string> {
  let found = makers.get(file);
  if (found === undefined) {
    const said = file.text.matchAll(/([\w$]+)\s*\.\s*prototype\s*(?:\.\s*[\w$]+\s*)?=(?!=)/g);
    found = new Set([...said].map(([, name = '']) => name));
    makers.set(file, found);
  }
  return found;
}

type Members = ReadonlyMap<Node, ReadonlyMap<string, Node>>;

const members = new WeakMap<SourceFile, Members>();

function listMembers(file: SourceFile): Members {
  let found = members.get(file);
  if (found === undefined) {
    found = makersIn(file).size === 0 ? new Map() : collectMembers(file);
    members.set(file, found);
  }
  return found;
}

function collectMembers(file: SourceFile): Members {
  const found = new Map<Node, Map<string, Node>>();
  const add = (owner: Node | undefined, name: Node, declaration: Node): void => {
    if (owner === undefined) return;
    const own = found.get(owner) ?? new Map<string, Node>();
    found.set(owner, own);
    const before = own.get(textOfName(name));
    if (before === undefined || declaration.pos < before.pos) own.set(textOfName(name), declaration);
  };
  const pending: Node[] = [file];
  for (let node = pending.pop() as Shape | undefined; node !== undefined; node = pending.pop() as Shape | undefined) {
    const assigned = readAssigned(node);
    if (assigned?.of === 'this') add(findMaker(node), assigned.name, node);
    else if (assigned?.of === 'prototype') add(findPrototypeOwner(assigned.owner), assigned.name, node);
    else if (assigned?.of === 'named' && node.right?.kind === SyntaxKind.ObjectLiteralExpression) {
      const owner = findPrototypeOwner(node.left as Shape);
      for (const property of (node.right as Shape).properties ?? []) {
        const { name } = property as Shape;
        if (name?.kind === SyntaxKind.Identifier) add(owner, name, property);
      }
    }
    node.forEachChild((child) => {
      pending.push(child);
    });
  }
  return found;
}
