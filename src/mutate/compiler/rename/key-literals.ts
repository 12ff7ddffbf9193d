/**
 * Strings that are keys of the renamed member's owner and nothing else, so that they are edited with it (mutation.md §2.8): `Pick<X, "a">`,
 * and `f(x, "a")` where `f` takes a `keyof` and does nothing with it but look it up in an owner. What does more with the key, such as to
 * print it, makes data of it, and stays a question.
 */

import * as ts from '../../../languages/typescript/compiler/typescript-api.ts';
import type { OpenProgram, RenameWorld } from '../job/job-types.ts';
import { askOr } from '../job/name-tokens.ts';
import type { CompilerEdit } from '../session/messages.ts';
import { holdsFamily, typesAt, walkNodes } from './doubted-family.ts';
import { isFunctionLike } from './lexical-scope.ts';
import { originOf } from './type-shapes.ts';

const K = ts.SyntaxKind;

const known = new WeakMap<RenameWorld, readonly CompilerEdit[]>();

export function listKeyEdits(world: RenameWorld): readonly CompilerEdit[] {
  const before = known.get(world);
  if (before !== undefined) return before;
  const edits = world.isMember && !world.oldName.startsWith('#') ? findKeyEdits(world) : [];
  known.set(world, edits);
  return edits;
}

function findKeyEdits(world: RenameWorld): readonly CompilerEdit[] {
  const { oldName, question } = world;
  const planned = new Set(world.occurrences.map(({ token }) => `${token.path}\0${token.start}`));
  const verdicts = new Map<string, { readonly edit: CompilerEdit; isKey: boolean }>();
  for (const program of world.programs.open)
    for (const path of program.files) {
      const file = program.sourceFile(path);
      if (file === undefined || !['"', "'"].some((quote) => file.text.includes(`${quote}${oldName}${quote}`))) continue;
      walkNodes(file, (node) => {
        if (!ts.isStringLiteral(node) || node.text !== oldName) return;
        const [start, end] = [node.getStart() + 1, node.end - 1];
        const key = `${path}\0${start}`;
        if (planned.has(key) || file.text.slice(start, end) !== oldName) return;
        const isKey = askOr(() => isPicked(world, program, node) || isLookedUp(world, program, node), false);
        const edit = { path, start, end, oldText: oldName, newText: question.newName, form: 'string' as const };
        // Where programs differ, it is asked about.
        verdicts.set(key, { edit, isKey: isKey && (verdicts.get(key)?.isKey ?? true) });
      });
    }
  return [...verdicts.values()].flatMap(({ edit, isKey }) => (isKey ? [edit] : []));
}

/** Types are not there when the program runs. */
function isPicked(world: RenameWorld, program: OpenProgram, node: ts.Node): boolean {
  if (node.parent.kind !== K.LiteralType) return false;
  let at: ts.Node = node.parent;
  while (at.parent.kind === K.UnionType || at.parent.kind === K.ParenthesizedType) at = at.parent;
  const { typeName, typeArguments } = at.parent as ts.Node & {
    readonly typeName?: ts.Node;
    readonly typeArguments?: readonly ts.TypeNode[];
  };
  const [from, keys] = typeArguments ?? [];
  if (from === undefined || keys !== at || !/^(?:Pick|Omit)$/.test(typeName?.getText() ?? '')) return false;
  const { checker } = program.project;
  const symbol = typeName === undefined ? undefined : checker.getSymbolAtLocation(typeName);
  if (originOf(world.programs, symbol?.declarations[0]?.path) !== 'library') return false;
  return holdsFamily(world, program, checker.getTypeFromTypeNode(from));
}

type Declared = ts.Node & {
  readonly parameters: readonly ts.ParameterDeclaration[];
  readonly typeParameters?: readonly ts.TypeParameterDeclaration[];
  readonly body?: ts.Node;
};

function isLookedUp(world: RenameWorld, program: OpenProgram, node: ts.Node): boolean {
  const call = node.parent;
  if (!ts.isCallExpression(call)) return false;
  const at = call.arguments.findIndex((argument) => (argument as ts.Node) === node);
  if (at < 0 || call.arguments.slice(0, at).some(({ kind }) => kind === K.SpreadElement)) return false;
  const { project } = program;
  const handle = project.checker.getResolvedSignature(call)?.declaration;
  if (handle === undefined || world.programs.place(handle.path).outside) return false;
  const declared = handle.resolve(project) as Declared | undefined;
  // One without a body has another that does the work.
  if (declared?.body === undefined || !isFunctionLike(declared)) return false;
  const parameter = declared.parameters[at];
  if (parameter?.type === undefined || parameter.dotDotDotToken !== undefined || !ts.isIdentifier(parameter.name))
    return false;
  const owner = ownerOfKey(declared, parameter.type);
  if (owner === undefined) return false;
  const isOwner = ownerTest(world, program, declared, call, owner);
  return isOwner !== undefined && isOnlyAKey(program, declared.body, parameter.name.text, isOwner);
}

/** `X` of `keyof X`, said of the parameter or of its type parameter. */
function ownerOfKey({ typeParameters = [] }: Declared, type: ts.TypeNode): ts.TypeNode | undefined {
  const said = typeParameters.find(({ name }) => name.text === type.getText())?.constraint ?? type;
  const { operator, type: of } = said as ts.Node & { readonly operator?: ts.SyntaxKind; readonly type?: ts.TypeNode };
  return said.kind === K.TypeOperator && operator === K.KeyOfKeyword ? of : undefined;
}

/** What a key may be looked up in: an owner, or what is of the type parameter that this call gives an owner for. */
function ownerTest(
  world: RenameWorld,
  program: OpenProgram,
  { typeParameters = [], parameters }: Declared,
  call: ts.CallExpression,
  owner: ts.TypeNode,
): ((type: ts.Type | undefined) => boolean) | undefined {
  const { checker } = program.project;
  const name = owner.getText();
  if (!typeParameters.some((one) => one.name.text === name)) {
    if (!holdsFamily(world, program, checker.getTypeFromTypeNode(owner))) return undefined;
    return (type) => holdsFamily(world, program, type);
  }
  const given = parameters.flatMap(({ type }, at) => (type?.getText() === name ? (call.arguments[at] ?? []) : []));
  const isGiven = given.length > 0 && typesAt(program, given).every((type) => holdsFamily(world, program, type));
  return isGiven ? (type) => type?.isTypeParameter() === true && type.getSymbol()?.name === name : undefined;
}

function isOnlyAKey(
  program: OpenProgram,
  body: ts.Node,
  name: string,
  isOwner: (type: ts.Type | undefined) => boolean,
): boolean {
  const receivers: ts.Node[] = [];
  let isPlain = true;
  const pending = [body];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (ts.isIdentifier(at) && (at.text === name || at.text === 'arguments')) {
      const { parent } = at;
      if (ts.isElementAccessExpression(parent) && parent.argumentExpression === at) receivers.push(parent.expression);
      else if (!ts.isPropertyAccessExpression(parent) || parent.name !== at) isPlain = false;
    }
    at.forEachChild((child) => {
      pending.push(child);
    });
  }
  return isPlain && receivers.length > 0 && typesAt(program, receivers).every(isOwner);
}
