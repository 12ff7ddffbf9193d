/**
 * `dynamic_access`: `o[key]` where `o` has the renamed member and `key` is any string, so that nobody can say from the code which member
 * is meant; and `eval` where a renamed variable is in scope. A key whose type lists the members is checked by the compiler and is no
 * doubt, nor is a loop's own key over the same object.
 */

import * as ts from '../../../../kernel/compiler/typescript-api.ts';
import { type OpenProgram, placeKey, type RenameWorld } from '../../in-job.ts';
import { isTakenAsValue } from '../../taken-modules.ts';
import type { CompilerItem } from '../../types.ts';
import { holdsNode, type Scope, scopeOfDeclaration } from '../lexical-scope.ts';
import type { Write } from '../list-writes.ts';
import { beforeAssertions } from './claims.ts';
import { filesNaming, holdsFamily, isUntyped, type Owner, typesAt, walkNodes } from './doubted-family.ts';
import { countCut, site, sitesMax } from './sites.ts';

const K = ts.SyntaxKind;

export function findDynamicAccesses(world: RenameWorld, owners: readonly Owner[]): readonly CompilerItem[] {
  const isModule = !world.isMember && world.reach === 'repo';
  if ((owners.length === 0 && !isModule) || world.oldName.startsWith('#')) return [];
  if (isModule && isTypeAlone(world)) return [];
  const found = new Map<string, CompilerItem>();
  for (const { program, path, file } of isModule ? filesWithModules(world) : filesNaming(world, owners)) {
    const accesses: Access[] = [];
    walkNodes(file, (node) => {
      const access = readAccess(node);
      if (access !== undefined && !isLiteral(access.key)) accesses.push(access);
    });
    const keys = typesAt(
      program,
      accesses.map(({ key }) => key),
    );
    const open = accesses.filter((_, at) => isOpenKey(keys[at]));
    const receivers = typesAt(
      program,
      open.map(({ receiver }) => receiver),
    );
    open.forEach(({ key }, at) => {
      if (!holdsFamily(world, program, receivers[at])) return;
      const detail = `A member of what has \`${world.oldName}\` is looked up by a string that only the running program knows.`;
      found.set(`${path}\0${key.getStart()}`, site('dynamic_access', path, key, detail));
    });
  }
  return countCut([...found.values()]);
}

type Access = { readonly receiver: ts.Node; readonly key: ts.Node };

/** `o[key]`, `key in o`, `Reflect.get(o, key)`. What is asserted of either is what somebody says and not what the compiler knows. */
function readAccess(node: ts.Node): Access | undefined {
  const access = (receiver: ts.Node | undefined, key: ts.Node | undefined) =>
    receiver === undefined || key === undefined
      ? undefined
      : { receiver: beforeAssertions(receiver), key: beforeAssertions(key) };
  if (ts.isElementAccessExpression(node))
    return isLoopKey(node) ? undefined : access(node.expression, node.argumentExpression);
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === K.InKeyword) return access(node.right, node.left);
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
  const { expression: object } = node.expression;
  return ts.isIdentifier(object) && object.text === 'Reflect' ? access(...pair(node.arguments)) : undefined;
}

function pair(nodes: readonly ts.Node[]): readonly [ts.Node | undefined, ts.Node | undefined] {
  return [nodes[0], nodes[1]];
}

/** Where a module that exports it can be had as an object. */
function* filesWithModules(world: RenameWorld): ReturnType<typeof filesNaming> {
  const isOfModules = isDeclaredByModules(world);
  for (const program of world.programs.open) {
    if (isOfModules && !isTakenAsValue(program, program.files, new Set([world.oldName]))) continue;
    for (const path of program.files) {
      const file = program.sourceFile(path);
      if (file !== undefined && /\*\s*as\b|\bimport\s*\(|\brequire\s*\(/.test(file.text)) yield { program, path, file };
    }
  }
}

/** And not by a namespace, which is an object wherever it is seen. */
function isDeclaredByModules({ occurrences, familyKeys }: RenameWorld): boolean {
  return occurrences.every(({ token }) => {
    if (!familyKeys.has(placeKey({ ...token, outside: false }))) return true;
    for (let at: ts.Node | undefined = token.node; at !== undefined; at = at.parent)
      if (at.kind === K.ModuleDeclaration) return false;
    return true;
  });
}

/** Types are not there when the program runs. */
function isTypeAlone({ occurrences, familyKeys }: RenameWorld): boolean {
  const isType = new Set([K.InterfaceDeclaration, K.TypeAliasDeclaration]);
  const isName = new Set([K.ImportSpecifier, K.ExportSpecifier, K.ImportClause]);
  const declared = occurrences.flatMap(({ token }) =>
    familyKeys.has(placeKey({ ...token, outside: false })) ? (token.node.parent?.kind ?? []) : [],
  );
  return declared.some((kind) => isType.has(kind)) && declared.every((kind) => isType.has(kind) || isName.has(kind));
}

/** A direct `eval` sees the names in scope around it; any of them may be in its text. */
export function findEvals(world: RenameWorld, writes: readonly Write[]): readonly CompilerItem[] {
  const found = new Map<string, CompilerItem>();
  const scopes = new Map<OpenProgram, Scope[]>();
  for (const { program, declares } of writes) {
    const scope = declares === null ? undefined : scopeOfDeclaration(program, declares);
    if (scope !== undefined) scopes.set(program, [...(scopes.get(program) ?? []), scope]);
  }
  for (const [program, own] of scopes) {
    const paths = new Set(writes.filter((write) => write.program === program).map(({ token }) => token.path));
    for (const path of paths) {
      const file = program.sourceFile(path);
      if (file === undefined || !/\beval\s*(?:\?\.)?\(/.test(file.text)) continue;
      walkNodes(file, (node) => {
        if (!ts.isCallExpression(node) || !ts.isIdentifier(node.expression) || node.expression.text !== 'eval') return;
        if (found.size >= sitesMax || !own.some((scope) => holdsNode(scope, node))) return;
        const detail = `\`${world.oldName}\` is in scope of this \`eval\`, whose text may say it.`;
        found.set(`${path}\0${node.getStart()}`, site('dynamic_access', path, node.expression, detail));
      });
    }
  }
  return [...found.values()];
}

function isLiteral(node: ts.Node): boolean {
  return (
    node.kind === K.StringLiteral || node.kind === K.NoSubstitutionTemplateLiteral || node.kind === K.NumericLiteral
  );
}

/** Any string at all could be in it. */
function isOpenKey(type: ts.Type | undefined): boolean {
  if (type === undefined) return false;
  return isUntyped(type) || (type.flags & (ts.TypeFlags.String | ts.TypeFlags.TemplateLiteral)) !== 0;
}

/** `for (const key in o) … o[key]`: the keys come from the object and are renamed with it. */
function isLoopKey({ expression, argumentExpression: key }: ts.ElementAccessExpression): boolean {
  if (!ts.isIdentifier(key)) return false;
  for (let at: ts.Node | undefined = key; at !== undefined; at = at.parent) {
    if (!ts.isForInStatement(at) || at.expression.getText() !== expression.getText()) continue;
    if (new RegExp(`\\b${key.text.replaceAll('$', '\\$')}$`).test(at.initializer.getText())) return true;
  }
  return false;
}
