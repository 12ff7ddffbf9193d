/**
 * `untyped_boundary` by a type parameter: a literal that is passed where a parameter is `T extends Owner` is of a type of its own, and its
 * keys are its own. Where the member of that name is optional, the literal fits if only one of the two is renamed, and is silently ignored.
 * Nothing that the compiler says changes, so somebody has to look: asked once, at the first such key.
 */

import * as ts from '../../../../kernel/compiler/typescript-api.ts';
import { declarationStart } from '../../declaration-name.ts';
import { type OpenProgram, placeKey, type RenameWorld } from '../../in-job.ts';
import { tokensNamed } from '../../tokens-named.ts';
import type { CompilerItem } from '../../types.ts';
import { attempt } from '../attempt.ts';
import { isFamilySymbol, memberDeclaration } from '../member-types.ts';
import { isOptional, lookUp, type Owner } from './doubted-family.ts';
import { type Site, tellFirst } from './sites.ts';

export function findGenericArguments(world: RenameWorld, owners: readonly Owner[]): readonly CompilerItem[] {
  if (owners.length === 0) return [];
  const found = new Map<string, Site & { readonly says: string }>();
  for (const { program, token } of tokensNamed(world.programs, world.oldName)) {
    const declaration = memberDeclaration(token.node);
    const literal = declaration?.parent;
    if (declaration === undefined || literal?.kind !== ts.SyntaxKind.ObjectLiteralExpression) continue;
    const key = placeKey({ path: token.path, start: declarationStart(declaration), outside: false });
    const isOurs = world.familyKeys.has(key);
    if (!isOurs && !owners.some((owner) => owner.isOptional)) continue;
    if (!attempt(() => isExpected(world, program, literal, !isOurs), false)) continue;
    const says = isOurs
      ? `What is expected here may have \`${world.oldName}\`, and this would no longer give it`
      : `This is passed on by its own \`${world.oldName}\`, which stays as it is and would no longer be seen`;
    found.set(key, { path: token.path, node: token.node, says });
  }
  const sites = [...found.values()];
  return tellFirst('untyped_boundary', sites, sites[0]?.says ?? '');
}

/** Does the parameter, before it is known what is passed, want the renamed member there, or one of its name that is another? */
function isExpected(world: RenameWorld, program: OpenProgram, literal: ts.Node, isRenamed: boolean): boolean {
  const { checker } = program.project;
  const passed = findCall(literal);
  const generic = passed === undefined ? undefined : checker.getResolvedSignature(passed.call)?.getTarget();
  if (passed === undefined || generic === undefined) return false;
  const parameters = generic.getParameters();
  const parameter = parameters[passed.at];
  if (parameter === undefined || (generic.hasRestParameter && passed.at >= parameters.length - 1)) return false;
  const constraintOf = (type: ts.Type | undefined) =>
    type === undefined ? undefined : (checker.getBaseConstraintOfType(type) ?? type);
  let wanted = constraintOf(checker.getTypeOfSymbol(parameter));
  for (const key of passed.keys) {
    const [inner] = wanted === undefined ? [] : lookUp(program, wanted, key);
    wanted = inner === undefined ? undefined : constraintOf(checker.getTypeOfSymbol(inner));
  }
  if (wanted === undefined) return false;
  return lookUp(program, wanted, world.oldName).some(
    (one) => isOptional(one) && isFamilySymbol(world, program, one) === isRenamed,
  );
}

type Passed = { readonly call: ts.Node; readonly at: number; readonly keys: readonly string[] };

/** The call that gets the literal, alone or inside another one: below which keys. */
function findCall(literal: ts.Node): Passed | undefined {
  const keys: string[] = [];
  for (let [node, parent] = [literal, literal.parent]; parent !== undefined; [node, parent] = [parent, parent.parent]) {
    if (ts.isCallExpression(parent) || ts.isNewExpression(parent)) {
      const at = (parent.arguments ?? ([] as readonly ts.Node[])).indexOf(node as ts.Expression);
      return at < 0 ? undefined : { call: parent, at, keys };
    }
    if (ts.isPropertyAssignment(parent)) {
      if (!ts.isIdentifier(parent.name) && !ts.isStringLiteral(parent.name)) return undefined;
      keys.unshift(parent.name.text);
    } else if (!passesOn.has(parent.kind)) return undefined;
  }
  return undefined;
}

/** What is inside is what it is. */
const passesOn: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.ObjectLiteralExpression,
  ts.SyntaxKind.ParenthesizedExpression,
  ts.SyntaxKind.AsExpression,
  ts.SyntaxKind.SatisfiesExpression,
  ts.SyntaxKind.ConditionalExpression,
]);
