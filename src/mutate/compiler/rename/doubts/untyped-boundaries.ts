/**
 * `untyped_boundary`: a value of type `any` or `unknown` is declared to be an owner of the renamed property (`JSON.parse(text) as X`,
 * `const x: X = body`). Whoever made that value did so under the old name, and the compiler cannot know.
 */

import type { OpenProgram, RenameWorld } from '../../in-job.ts';
import type { CompilerItem } from '../../types.ts';
import * as ts from '../../typescript-api.ts';
import { filesNaming, holdsFamily, isUntyped, type Owner, walkNodes } from './doubted-family.ts';
import { site } from './dynamic-accesses.ts';

const sitesMax = 20;

export function findUntypedBoundaries(world: RenameWorld, owners: readonly Owner[]): readonly CompilerItem[] {
  const data = owners.filter(({ isData }) => isData);
  if (data.length === 0) return [];
  const found = new Map<string, CompilerItem>();
  for (const { program, path, file } of filesNaming(world, data)) {
    walkNodes(file, (node) => {
      const claim = found.size >= sitesMax ? undefined : readClaim(program, node);
      if (claim === undefined || !isUntyped(program.project.checker.getTypeAtLocation(claim.value))) return;
      if (!holdsFamily(world, program, claim.type())) return;
      const detail = `What this is was not made under the eyes of the compiler; it may carry \`${world.oldName}\`.`;
      found.set(`${path}\0${claim.value.getStart()}`, site('untyped_boundary', path, claim.value, detail));
    });
  }
  return [...found.values()];
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
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken)
    return { value: node.right, type: () => checker.getTypeAtLocation(node.left) };
  return undefined;
}
