/**
 * `string_reference`: a string that says the name of a renamed member where strings stand for members: a key that types demand, the
 * argument of a call that looks members up, decorator metadata. A string of equal text anywhere else is just text.
 */

import * as ts from '../../../../kernel/compiler/typescript-api.ts';
import type { OpenProgram, RenameWorld } from '../../in-job.ts';
import type { CompilerItem } from '../../types.ts';
import { attempt } from '../attempt.ts';
import { holdsFamily, isUntyped, type Owner, walkNodes } from './doubted-family.ts';
import { countCut } from './sites.ts';

const K = ts.SyntaxKind;

export function findStringReferences(world: RenameWorld, owners: readonly Owner[]): readonly CompilerItem[] {
  if (owners.length === 0 || world.oldName.startsWith('#')) return [];
  const { oldName, question } = world;
  const planned = new Set(world.occurrences.map(({ token }) => `${token.path}\0${token.start}`));
  const found = new Map<string, CompilerItem>();
  const namesOwner = createNaming(owners);
  for (const program of world.programs.open)
    for (const path of program.files) {
      const file = program.sourceFile(path);
      if (file === undefined || !saysString(file.text, oldName)) continue;
      walkNodes(file, (node) => {
        if (!isString(node) || node.text !== oldName) return;
        const [start, end] = [node.getStart() + 1, node.end - 1];
        const key = `${path}\0${start}`;
        // A name with escapes in it is spelt in a way that is not ours to rewrite.
        if (planned.has(key) || found.has(key) || file.text.slice(start, end) !== oldName) return;
        const why = attempt(
          () => findReason(world, program, owners, node) ?? findLooseReason(world, program, node, namesOwner(file)),
          'The compiler failed on what is expected here.',
        );
        if (why === undefined) return;
        const edit = { path, start, end, oldText: oldName, newText: question.newName, form: 'string' as const };
        found.set(key, { path, start, end, kind: 'string_reference', detail: why, edits: { rename: [edit] } });
      });
    }
  return countCut([...found.values()]);
}

type StringNode = ts.Node & { readonly text: string };

function isString(node: ts.Node): node is StringNode {
  return node.kind === K.StringLiteral || node.kind === K.NoSubstitutionTemplateLiteral;
}

function saysString(text: string, name: string): boolean {
  return ['"', "'", '`'].some((quote) => text.includes(`${quote}${name}${quote}`));
}

function findReason(
  world: RenameWorld,
  program: OpenProgram,
  owners: readonly Owner[],
  node: StringNode,
): string | undefined {
  const { oldName } = world;
  if (isInDecorator(owners, node)) return `Metadata of a decorator says \`${oldName}\` on its owner.`;
  if (node.parent.kind === K.LiteralType) return findTypeReason(world, program, owners, node);
  if (isDynamicSite(world, program, node)) return `This looks \`${oldName}\` up by its name.`;
  return isKeyByType(world, program, owners, node)
    ? `A key of a type that has \`${oldName}\` is expected here.`
    : undefined;
}

/** Does a file say the name of an owner? */
function createNaming(owners: readonly Owner[]): (file: ts.SourceFile) => boolean {
  const names = new Set(owners.flatMap(({ name }) => (name === undefined ? [] : [name])));
  const known = new Map<ts.SourceFile, boolean>();
  return (file) => {
    const said = known.get(file) ?? file.text.split(/[^\p{ID_Continue}$]+/u).some((word) => names.has(word));
    known.set(file, said);
    return said;
  };
}

/**
 * No type says that the string is a key, and the place does: beside an owner in a call (`sortBy(rows, "a")`), or compared with a string that
 * may be anything (`key !== "a"`) where an owner is spoken of.
 */
function findLooseReason(
  world: RenameWorld,
  program: OpenProgram,
  node: StringNode,
  namesOwner: boolean,
): string | undefined {
  const { checker } = program.project;
  const self: ts.Node = node;
  const { parent } = self;
  if (ts.isCallExpression(parent) && parent.arguments.length > 1) {
    const others = parent.arguments.filter((argument) => argument !== self && !isString(argument));
    if (!others.some((argument) => holdsOwners(world, program, checker.getTypeAtLocation(argument)))) return undefined;
    return isAnyString(checker.getContextualType(node as unknown as ts.Expression))
      ? `This stands beside something that has \`${world.oldName}\`.`
      : undefined;
  }
  if (!namesOwner || !ts.isBinaryExpression(parent) || !comparisons.has(parent.operatorToken.kind)) return undefined;
  const other = parent.left === self ? parent.right : parent.left;
  return isAnyString(checker.getTypeAtLocation(other))
    ? `A string that may be anything is compared with \`${world.oldName}\` where its owner is spoken of.`
    : undefined;
}

const comparisons: ReadonlySet<ts.SyntaxKind> = new Set([
  K.EqualsEqualsToken,
  K.EqualsEqualsEqualsToken,
  K.ExclamationEqualsToken,
  K.ExclamationEqualsEqualsToken,
]);

function isAnyString(type: ts.Type | undefined): boolean {
  return type !== undefined && (type.flags & ts.TypeFlags.String) !== 0;
}

/** An owner, or a list of owners. */
function holdsOwners(world: RenameWorld, program: OpenProgram, type: ts.Type | undefined): boolean {
  if (type === undefined) return false;
  if (holdsFamily(world, program, type)) return true;
  const { checker } = program.project;
  if (!checker.isArrayLikeType(type) || !type.isTypeReference()) return false;
  return checker.getTypeArguments(type).some((held) => holdsFamily(world, program, held));
}

/** `@Index(["a"]) class X { a }`, `@Column("a") a`. */
function isInDecorator(owners: readonly Owner[], node: ts.Node): boolean {
  for (let at: ts.Node | undefined = node; at !== undefined; at = at.parent) {
    if (at.kind !== K.Decorator) continue;
    const host = at.parent;
    return owners.some((owner) => owner.node === host || owner.node === host.parent);
  }
  return false;
}

/** `Pick<X, "a">`, `Extract<keyof X, "a">`, `` `on${"a"}` ``: a type that is made of the name. */
function findTypeReason(
  world: RenameWorld,
  program: OpenProgram,
  owners: readonly Owner[],
  node: ts.Node,
): string | undefined {
  const { checker } = program.project;
  let at: ts.Node = node.parent;
  while (at.parent.kind === K.UnionType || at.parent.kind === K.ParenthesizedType) at = at.parent;
  if (at.parent.kind === K.TemplateLiteralTypeSpan && owners.some(({ program: own }) => own === program))
    return `A template type is made of \`${world.oldName}\`.`;
  const reference = at.parent as ts.Node & { readonly typeArguments?: readonly ts.TypeNode[] };
  const others = reference.typeArguments?.filter((argument) => argument !== at) ?? [];
  const isAbout = others.some((argument) => {
    const type = checker.getTypeFromTypeNode(argument);
    return type !== undefined && (holdsFamily(world, program, type) || areKeysOf(program, owners, type, world.oldName));
  });
  return isAbout ? `A type is made of \`${world.oldName}\` and a type that has it.` : undefined;
}

const lookups: ReadonlySet<string> = new Set([
  'get',
  'set',
  'has',
  'deleteProperty',
  'defineProperty',
  'getOwnPropertyDescriptor',
  'hasOwn',
  'hasOwnProperty',
  'propertyIsEnumerable',
]);

/** `Reflect.get(o, "a")`, `Object.hasOwn(o, "a")`, `o.hasOwnProperty("a")`, `"a" in o`. */
function isDynamicSite(world: RenameWorld, program: OpenProgram, node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isBinaryExpression(parent) && parent.operatorToken.kind === K.InKeyword && parent.left === node)
    return mayBeOwner(world, program, parent.right);
  if (!ts.isCallExpression(parent) || !ts.isPropertyAccessExpression(parent.expression)) return false;
  const { expression: object, name } = parent.expression;
  if (!ts.isIdentifier(name) || !lookups.has(name.text)) return false;
  const [first, second] = parent.arguments;
  if (ts.isIdentifier(object) && (object.text === 'Reflect' || object.text === 'Object'))
    return second === node && first !== undefined && mayBeOwner(world, program, first);
  // Maps and caches have methods of these names, too, and are about their own keys.
  return name.text === 'hasOwnProperty' && first === node && mayBeOwner(world, program, object);
}

function mayBeOwner(world: RenameWorld, program: OpenProgram, node: ts.Node): boolean {
  const type = program.project.checker.getTypeAtLocation(node);
  return isUntyped(type) || holdsFamily(world, program, type);
}

/** The type that is expected here is a list of keys of an owner, or a key of what another argument is. */
function isKeyByType(world: RenameWorld, program: OpenProgram, owners: readonly Owner[], node: ts.Node): boolean {
  const { checker } = program.project;
  const expected = checker.getContextualType(node as unknown as ts.Expression);
  if (expected === undefined) return false;
  if (areKeysOf(program, owners, expected, world.oldName)) return true;
  const { parent } = node;
  if (!ts.isCallExpression(parent) || !isKeyParameter(program, parent, node)) return false;
  return parent.arguments.some(
    (argument) => argument !== node && holdsFamily(world, program, checker.getTypeAtLocation(argument)),
  );
}

/** `<T, K extends keyof T>(o: T, key: K)`: the declaration of the parameter says `keyof`, itself or through its type parameter. */
function isKeyParameter({ project }: OpenProgram, call: ts.CallExpression, node: ts.Node): boolean {
  const handle = project.checker.getResolvedSignature(call)?.declaration;
  const declaration = handle?.resolve(project) as
    | (ts.Node & {
        readonly parameters?: readonly ts.ParameterDeclaration[];
        readonly typeParameters?: readonly ts.TypeParameterDeclaration[];
      })
    | undefined;
  const parameters = declaration?.parameters ?? [];
  const at = call.arguments.indexOf(node as ts.Expression);
  const parameter = parameters[Math.min(at, parameters.length - 1)];
  const type = parameter?.type;
  if (type === undefined) return false;
  const text = type.getText();
  if (/\bkeyof\b/.test(text)) return true;
  return (declaration?.typeParameters ?? []).some(
    ({ name, constraint }) =>
      constraint !== undefined && /\bkeyof\b/.test(constraint.getText()) && text.split(/\W+/).includes(name.text),
  );
}

/** A union of strings, all of them members of one owner, the old name among them; one string alone proves nothing. */
function areKeysOf(program: OpenProgram, owners: readonly Owner[], type: ts.Type, oldName: string): boolean {
  if (!type.isUnionType()) return false;
  const keys = (type.getTypes() ?? []).flatMap((part) => (part.isStringLiteralType() ? [part.value] : []));
  if (keys.length < 2 || keys.length !== type.getTypes()?.length || !keys.includes(oldName)) return false;
  const { checker } = program.project;
  return owners.some(
    (owner) =>
      owner.program === program && keys.every((key) => checker.getPropertyOfType(owner.type, key) !== undefined),
  );
}
