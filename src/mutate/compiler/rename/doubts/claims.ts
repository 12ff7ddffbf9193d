/** Where a value is taken for something: with what type it stands there, and what type is said or expected of it. */

import * as ts from '../../../../kernel/compiler/typescript-api.ts';
import type { OpenProgram } from '../../in-job.ts';
import { typesAt, walkNodes } from './doubted-family.ts';

const K = ts.SyntaxKind;

/** `type` is asked for late: most values are of no interest. */
export type Claim = { readonly value: ts.Node; readonly type: () => ts.Type | undefined };

type Claims = { readonly claims: readonly Claim[]; readonly types: readonly (ts.Type | undefined)[] };

/** Several doubts look at the same files. */
const known = new WeakMap<ts.SourceFile, Claims>();

/** What is taken for something in a file, and the types of the values. */
export function readClaimsIn(program: OpenProgram, file: ts.SourceFile): Claims {
  const read = known.get(file);
  if (read !== undefined) return read;
  const claims = listClaims(program, file);
  const values = claims.map(({ value }) => value);
  const found = { claims, types: typesAt(program, values) };
  known.set(file, found);
  return found;
}

function listClaims(program: OpenProgram, file: ts.SourceFile): readonly Claim[] {
  const claims: Claim[] = [];
  walkNodes(file, (node) => {
    for (const claim of readClaims(program, node)) if (!isMadeHere(claim.value)) claims.push(claim);
  });
  return claims;
}

function readClaims({ project: { checker } }: OpenProgram, node: ts.Node): readonly Claim[] {
  const expected = (value: ts.Node | undefined, at: ts.Node | undefined = value): readonly Claim[] =>
    value === undefined ? [] : [{ value, type: () => checker.getContextualType(at as unknown as ts.Expression) }];
  if (ts.isAsExpression(node) || ts.isTypeAssertion(node))
    return [{ value: node.expression, type: () => checker.getTypeFromTypeNode(node.type) }];
  if (ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node) || ts.isParameterDeclaration(node)) {
    const { type, initializer } = node;
    if (type === undefined || initializer === undefined) return [];
    return [{ value: initializer, type: () => checker.getTypeFromTypeNode(type) }];
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === K.EqualsToken)
    return [{ value: node.right, type: () => checker.getTypeAtLocation(node.left) }];
  if (ts.isCallExpression(node) || ts.isNewExpression(node))
    return (node.arguments ?? []).flatMap((value) => expected(value));
  if (ts.isReturnStatement(node)) return expected(node.expression);
  if (ts.isArrowFunction(node) && node.body.kind !== K.Block) return expected(node.body);
  if (ts.isPropertyAssignment(node)) return expected(node.initializer);
  if (ts.isSpreadAssignment(node)) return expected(node.expression, node.parent);
  if (ts.isArrayLiteralExpression(node)) return node.elements.flatMap((value) => expected(value));
  return [];
}

/** What stands below `x as Y`, `(x)` and `x!`. */
export function beforeAssertions(value: ts.Node): ts.Node {
  let made = value;
  while (
    ts.isAsExpression(made) ||
    ts.isTypeAssertion(made) ||
    ts.isParenthesizedExpression(made) ||
    ts.isNonNullExpression(made)
  )
    made = made.expression;
  return made;
}

/** Written out on the spot: never untyped, and most of what is assigned anywhere. */
function isMadeHere({ kind }: ts.Node): boolean {
  switch (kind) {
    case K.ObjectLiteralExpression:
    case K.ArrayLiteralExpression:
    case K.ArrowFunction:
    case K.FunctionExpression:
    case K.ClassExpression:
    case K.StringLiteral:
    case K.NumericLiteral:
    case K.NoSubstitutionTemplateLiteral:
    case K.TemplateExpression:
    case K.RegularExpressionLiteral:
    case K.TrueKeyword:
    case K.FalseKeyword:
    case K.NullKeyword:
      return true;
    default:
      return false;
  }
}
