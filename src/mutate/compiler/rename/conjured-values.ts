/**
 * Values that a generic function makes up: its type parameter is in what it gives, or hands to a callback, and no argument fixes it. What
 * they are is told by the call, and known to nothing.
 */

import * as ts from '../../../languages/typescript/compiler/typescript-api.ts';
import type { OpenProgram, RenameWorld } from '../job/job-types.ts';
import { askOr } from '../job/name-tokens.ts';
import { typesAt, walkNodes } from './doubted-family.ts';
import { findAssertion, looksAtNothing } from './quiet-callees.ts';
import { originOf, readCall, readRoles, resolveSignature } from './type-shapes.ts';

const K = ts.SyntaxKind;

/** What the walk over the border knows of types. */
type Walk = {
  /** It has the member, at any depth. */
  carries(type: ts.Type): boolean;
  /** It is a function that takes what has the member. */
  isGivenTo(type: ts.Type): boolean;
  isSpent(): boolean;
};

/** The callees. */
export function findConjured(
  world: RenameWorld,
  program: OpenProgram,
  file: ts.SourceFile,
  walk: Walk,
): readonly ts.Node[] {
  const calls: ts.Node[] = [];
  walkNodes(file, (node) => {
    if (node.kind === K.CallExpression || node.kind === K.NewExpression) calls.push(node);
  });
  const types = typesAt(program, calls);
  const callees = typesAt(
    program,
    calls.map((call) => (call as ts.CallExpression).expression),
  );
  return calls.flatMap((call, at) => {
    const type = types[at];
    if (type === undefined || walk.isSpent() || !mayConjure(program, call, type, walk)) return [];
    // `expectTypeOf<Owner>()` makes nothing.
    if (looksAtNothing(findAssertion(program, call as ts.CallExpression, 0))) return [];
    const target = askOr(() => resolveSignature(program, call, callees[at])?.getTarget(), undefined);
    const origin = originOf(world.programs, target?.declaration?.path);
    if (target === undefined || origin === 'library' || (call.kind === K.NewExpression && origin === 'here')) return [];
    const declared = readCall(program, target);
    // `(x: unknown): x is T` gives a `T` to what comes after.
    const claimed = askOr(() => program.project.checker.getTypePredicateOfSignature(target)?.type, undefined);
    const signature = claimed === undefined ? declared : { ...declared, returns: claimed };
    const isMadeUp = target.getTypeParameters().some((parameter) => {
      const { gives, takes } = readRoles(world.programs, program, signature, parameter);
      return gives && !takes;
    });
    const name = (call as ts.CallExpression).expression;
    return isMadeUp ? [name] : [];
  });
}

/** It gives an owner, or hands one to a callback. */
function mayConjure(program: OpenProgram, call: ts.Node, type: ts.Type, walk: Walk): boolean {
  if (walk.carries(type)) return true;
  const { typeArguments = [], arguments: given = [] } = call as {
    readonly typeArguments?: readonly ts.TypeNode[];
    readonly arguments?: readonly ts.Node[];
  };
  const isGiven = typeArguments.some((argument) => {
    const its = askOr(() => program.project.checker.getTypeFromTypeNode(argument), undefined);
    return its !== undefined && walk.carries(its);
  });
  if (isGiven || typeArguments.length > 0) return isGiven;
  // What the callback says of its parameters tells the type then.
  const callbacks = given.filter(({ kind }) => mayBeCallback.has(kind));
  return typesAt(program, callbacks).some((its) => its !== undefined && walk.isGivenTo(its));
}

const mayBeCallback: ReadonlySet<ts.SyntaxKind> = new Set([
  K.ArrowFunction,
  K.FunctionExpression,
  K.Identifier,
  K.PropertyAccessExpression,
]);
