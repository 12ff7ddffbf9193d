/**
 * Who implements or overrides what: a class and its ancestors, a member and the equally named members of theirs. Ancestors are found as
 * scip-typescript finds them, by the names of `extends` and `implements` clauses, which it looks up for classes and for methods and
 * properties of classes; here interfaces, their properties, accessors and members that are assigned (`this.a = …`) count too.
 */

import type { ScipRelationship } from '../../../kernel/formats/scip.ts';
import type { Shape } from '../compiler/node-shape.ts';
import { type Node, SyntaxKind, type Symbol as TsSymbol } from '../compiler/typescript-api.ts';
import { failed, type Questions } from './ask-compiler.ts';
import { isProperty, isStatic } from './spell-declarations.ts';
import { findThisClass, isScript, readAssigned } from './tsgo-scripts.ts';

export type Ancestry = {
  /** Declarations that this one implements or overrides, each with whether it is a member. */
  overriddenBy(declaration: Node): readonly { readonly node: Node; readonly isMember: boolean }[];
};

export function createAncestry(
  questions: Questions,
  declarationsOf: (symbol: TsSymbol) => readonly Node[],
  meaningOf: (node: Node, symbol: TsSymbol) => TsSymbol,
): Ancestry {
  const parents = new Map<Node, readonly Node[]>();
  const ancestors = new Map<Node, readonly Node[]>();
  const members = new Map<Node, ReadonlyMap<string, readonly Node[]>>();

  const parentsOf = (declaration: Shape): readonly Node[] => {
    let found = parents.get(declaration);
    if (found === undefined) {
      const named = (declaration.heritageClauses ?? []).flatMap(({ types }) =>
        (types ?? []).flatMap(({ expression }) => expression ?? []),
      );
      const symbols = named.length === 0 ? [] : questions.symbolsAt(named);
      found = symbols.flatMap((symbol, at) =>
        symbol === undefined || symbol === failed ? [] : declarationsOf(meaningOf(named[at] as Node, symbol)),
      );
      parents.set(declaration, found);
    }
    return found;
  };

  /** Without itself. */
  const ancestorsOf = (declaration: Node): readonly Node[] => {
    const known = ancestors.get(declaration);
    if (known !== undefined) return known;
    const seen = new Set<Node>([declaration]);
    const pending = [declaration];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      for (const parent of isClassOrInterface(next) ? parentsOf(next) : []) {
        if (seen.has(parent)) continue;
        seen.add(parent);
        pending.push(parent);
      }
    }
    seen.delete(declaration);
    const found = [...seen].filter(isClassOrInterface);
    ancestors.set(declaration, found);
    return found;
  };

  const membersOf = (declaration: Shape): ReadonlyMap<string, readonly Node[]> => {
    let found = members.get(declaration);
    if (found === undefined) {
      const byName = new Map<string, Node[]>();
      const add = (name: string | undefined, member: Node): void => {
        if (name === undefined) return;
        const named = byName.get(name);
        if (named === undefined) byName.set(name, [member]);
        else named.push(member);
      };
      for (const member of declaration.members ?? []) {
        add((member as Shape).name?.getText(), member);
        if (member.kind === SyntaxKind.Constructor) {
          for (const given of (member as Shape).parameters ?? [])
            if (isProperty(given)) add((given as Shape).name?.getText(), given);
          for (const assignment of listAssignments(member)) add(readAssigned(assignment)?.name.getText(), assignment);
        }
      }
      found = byName;
      members.set(declaration, found);
    }
    return found;
  };

  const overriddenMembers = (parent: Node | undefined, name: string | undefined, isOfClass = false) => {
    if (parent === undefined || name === undefined || !isClassOrInterface(parent)) return [];
    return ancestorsOf(parent).flatMap((ancestor) =>
      (membersOf(ancestor).get(name) ?? [])
        .filter((node) => isStatic(node) === isOfClass)
        .map((node) => ({ node, isMember: true })),
    );
  };

  return {
    overriddenBy(declaration: Shape) {
      switch (declaration.kind) {
        case SyntaxKind.ClassDeclaration:
        case SyntaxKind.ClassExpression:
        case SyntaxKind.InterfaceDeclaration:
          return ancestorsOf(declaration).map((node) => ({ node, isMember: false }));
        case SyntaxKind.MethodDeclaration:
        case SyntaxKind.MethodSignature:
        case SyntaxKind.PropertyDeclaration:
        case SyntaxKind.PropertySignature:
        case SyntaxKind.GetAccessor:
        case SyntaxKind.SetAccessor:
          return overriddenMembers(declaration.parent, declaration.name?.getText(), isStatic(declaration));
        case SyntaxKind.Parameter:
          return isProperty(declaration)
            ? overriddenMembers(declaration.parent?.parent, declaration.name?.getText())
            : [];
        case SyntaxKind.BinaryExpression: {
          const assigned = readAssigned(declaration);
          return assigned?.of === 'this' ? overriddenMembers(findThisClass(declaration), assigned.name.getText()) : [];
        }
        default:
          return [];
      }
    },
  };
}

/** Of spelled ancestors, each once, and never oneself. */
export function renderRelationships(
  own: string,
  overridden: readonly { readonly symbol: string; readonly isMember: boolean }[],
): readonly ScipRelationship[] {
  const seen = new Set([own, '']);
  return overridden.flatMap(({ symbol, isMember }) => {
    if (seen.has(symbol)) return [];
    seen.add(symbol);
    return [{ symbol, isImplementation: true, isReference: isMember, isTypeDefinition: false, isDefinition: false }];
  });
}

/** `this.a = …` among the statements of a script's constructor. */
function listAssignments(made: Node): readonly Node[] {
  if (!isScript(made.getSourceFile().fileName)) return [];
  const { statements } = ((made as Shape).body ?? {}) as { readonly statements?: readonly Node[] };
  return (statements ?? []).flatMap((statement) => {
    const { expression } = statement as { readonly expression?: Node };
    return expression !== undefined && readAssigned(expression)?.of === 'this' ? [expression] : [];
  });
}

function isClassOrInterface({ kind }: Node): boolean {
  return (
    kind === SyntaxKind.ClassDeclaration ||
    kind === SyntaxKind.ClassExpression ||
    kind === SyntaxKind.InterfaceDeclaration
  );
}
