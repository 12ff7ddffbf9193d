/**
 * `untyped_boundary`: a value of type `any` or `unknown` is declared to be an owner of the renamed property (`JSON.parse(text) as X`,
 * `const x: X = body`). Whoever made that value did so under the old name, and the compiler cannot know.
 */

import type { OpenProgram, RenameWorld } from '../../in-job.ts';
import type { CompilerItem } from '../../types.ts';
import * as ts from '../../typescript-api.ts';
import { attempt } from '../attempt.ts';
import { filesNaming, holdsFamily, isUntyped, type Owner, typesAt, walkNodes } from './doubted-family.ts';
import { site } from './dynamic-accesses.ts';

const K = ts.SyntaxKind;
const sitesMax = 20;

export function findUntypedBoundaries(world: RenameWorld, owners: readonly Owner[]): readonly CompilerItem[] {
  const data = owners.filter(({ isData }) => isData);
  if (data.length === 0) return [];
  const found = new Map<string, CompilerItem>();
  for (const { program, path, file } of filesNaming(world, data)) {
    const claims: Claim[] = [];
    walkNodes(file, (node) => {
      const claim = readClaim(program, node);
      if (claim !== undefined && !isMadeHere(claim.value)) claims.push(claim);
    });
    const values = typesAt(
      program,
      claims.map(({ value }) => value),
    );
    claims.forEach(({ value, type }, at) => {
      if (found.size >= sitesMax || !isUntyped(values[at])) return;
      if (!holdsFamily(world, program, attempt(type, undefined))) return;
      const detail = `What this is was not made under the eyes of the compiler; it may carry \`${world.oldName}\`.`;
      found.set(`${path}\0${value.getStart()}`, site('untyped_boundary', path, value, detail));
    });
  }
  return [...found.values()];
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

type Claim = { readonly value: ts.Node; readonly type: () => ts.Type | undefined };

function readClaim({ project: { checker } }: OpenProgram, node: ts.Node): Claim | undefined {
  if (ts.isAsExpression(node) || ts.isTypeAssertion(node))
    return { value: node.expression, type: () => checker.getTypeFromTypeNode(node.type) };
  if (ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node)) {
    const { type, initializer } = node;
    if (type === undefined || initializer === undefined) return undefined;
    return { value: initializer, type: () => checker.getTypeFromTypeNode(type) };
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === K.EqualsToken)
    return { value: node.right, type: () => checker.getTypeAtLocation(node.left) };
  return undefined;
}
