/**
 * What a parameter `T extends Owner` wants of a value before it is known what is passed. Once it is, the compiler expects of the value what
 * the value is, and no longer says who takes it.
 */

import * as ts from '../../../../kernel/compiler/typescript-api.ts';
import type { OpenProgram } from '../../in-job.ts';
import { lookUp, partsOf } from './doubted-family.ts';

export function wantedByParameter(program: OpenProgram, value: ts.Node): ts.Type | undefined {
  const { checker } = program.project;
  const passed = findCall(program, value);
  const generic = passed === undefined ? undefined : checker.getResolvedSignature(passed.call)?.getTarget();
  if (passed === undefined || generic === undefined) return undefined;
  const parameters = generic.getParameters();
  const parameter = parameters[passed.at];
  if (parameter === undefined || (generic.hasRestParameter && passed.at >= parameters.length - 1)) return undefined;
  const constraintOf = (type: ts.Type | undefined) =>
    type === undefined ? undefined : (checker.getBaseConstraintOfType(type) ?? type);
  let wanted = constraintOf(checker.getTypeOfSymbol(parameter));
  for (const step of passed.steps) wanted = wanted === undefined ? undefined : constraintOf(step(wanted));
  return wanted;
}

/** From what is wanted of the whole to what is wanted of a part. */
type Step = (type: ts.Type) => ts.Type | undefined;

type Passed = { readonly call: ts.Node; readonly at: number; readonly steps: readonly Step[] };

/** The call that gets the value, alone or as a part of something, and the way to that part. */
function findCall(program: OpenProgram, value: ts.Node): Passed | undefined {
  const steps: Step[] = [];
  for (let [node, parent] = [value, value.parent]; parent !== undefined; [node, parent] = [parent, parent.parent]) {
    if (ts.isCallExpression(parent) || ts.isNewExpression(parent)) {
      const at = (parent.arguments ?? ([] as readonly ts.Node[])).indexOf(node as ts.Expression);
      return at < 0 ? undefined : { call: parent, at, steps };
    }
    if (ts.isReturnStatement(parent)) parent = functionAround(parent);
    if (parent === undefined) return undefined;
    const step = stepInto(program, parent);
    if (step !== undefined) steps.unshift(step);
    else if (!passesOn.has(parent.kind)) return undefined;
  }
  return undefined;
}

function stepInto(program: OpenProgram, whole: ts.Node): Step | undefined {
  const { checker } = program.project;
  if (ts.isPropertyAssignment(whole)) {
    const { name } = whole;
    if (!ts.isIdentifier(name) && !ts.isStringLiteral(name)) return undefined;
    return (type) => {
      const [member] = lookUp(program, type, name.text);
      return member === undefined ? undefined : checker.getTypeOfSymbol(member);
    };
  }
  if (ts.isArrayLiteralExpression(whole))
    return (type) => {
      const infos = partsOf(program, type).flatMap((part) => checker.getIndexInfosOfType(part));
      return infos.find(({ keyType }) => (keyType.flags & ts.TypeFlags.Number) !== 0)?.valueType;
    };
  if (ts.isArrowFunction(whole) || ts.isFunctionExpression(whole))
    return (type) => {
      const [signature] = checker.getSignaturesOfType(type, ts.SignatureKind.Call);
      return signature === undefined ? undefined : checker.getReturnTypeOfSignature(signature);
    };
  return undefined;
}

function functionAround(statement: ts.Node): ts.Node {
  let at = statement;
  while (at.parent !== undefined && !functions.has(at.kind)) at = at.parent;
  return at;
}

const functions: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.ArrowFunction,
  ts.SyntaxKind.FunctionExpression,
  ts.SyntaxKind.FunctionDeclaration,
  ts.SyntaxKind.MethodDeclaration,
  ts.SyntaxKind.GetAccessor,
]);

/** What is inside is what it is, or a part of it. */
const passesOn: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.ObjectLiteralExpression,
  ts.SyntaxKind.SpreadAssignment,
  ts.SyntaxKind.ParenthesizedExpression,
  ts.SyntaxKind.AsExpression,
  ts.SyntaxKind.SatisfiesExpression,
  ts.SyntaxKind.ConditionalExpression,
]);
