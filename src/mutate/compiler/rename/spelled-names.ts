/**
 * Doubts where a name is reached by its text (mutation.md §2.6): strings that stand for members, computed keys, `eval` and `with`. A
 * string of equal text anywhere else is just text.
 */

import * as ts from '../../../languages/typescript/compiler/typescript-api.ts';
import { type OpenProgram, placeKey, type RenameWorld } from '../job/job-types.ts';
import { isTakenAsValue } from '../job/modules-as-values.ts';
import { askOr } from '../job/name-tokens.ts';
import type { ItemDraft } from '../session/messages.ts';
import {
  beforeAssertions,
  countCut,
  filesNaming,
  holdsFamily,
  isFixedKey,
  isUntyped,
  type Owner,
  type Site,
  site,
  sitesMax,
  tellFirst,
  typesAt,
  walkNodes,
} from './doubted-family.ts';
import { listKeyEdits } from './key-literals.ts';
import { holdsNode, type Scope, scopeOfDeclaration } from './lexical-scope.ts';
import { spanKey, type Write } from './occurrences.ts';

const K = ts.SyntaxKind;

/** `string_reference`: a key that types demand, the argument of a call that looks members up, decorator metadata. */
export function findStringReferences(world: RenameWorld, owners: readonly Owner[]): readonly ItemDraft[] {
  if (owners.length === 0 || world.oldName.startsWith('#')) return [];
  const { oldName, question } = world;
  const planned = new Set([...world.occurrences.map(({ token }) => token), ...listKeyEdits(world)].map(spanKey));
  const found = new Map<string, ItemDraft>();
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
        const why = askOr(
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
  if (isDynamicSite(world, program, owners, node)) return `This looks \`${oldName}\` up by its name.`;
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
function isDynamicSite(world: RenameWorld, program: OpenProgram, owners: readonly Owner[], node: ts.Node): boolean {
  const { parent } = node;
  const mayBe = (object: ts.Node) => mayBeOwner(world, program, owners, object);
  if (ts.isBinaryExpression(parent) && parent.operatorToken.kind === K.InKeyword && parent.left === node)
    return mayBe(parent.right);
  if (!ts.isCallExpression(parent) || !ts.isPropertyAccessExpression(parent.expression)) return false;
  const { expression: object, name } = parent.expression;
  if (!ts.isIdentifier(name) || !lookups.has(name.text)) return false;
  const [first, second] = parent.arguments;
  if (ts.isIdentifier(object) && (object.text === 'Reflect' || object.text === 'Object'))
    return second === node && first !== undefined && mayBe(first);
  // Maps and caches have methods of these names, too, and are about their own keys.
  return name.text === 'hasOwnProperty' && first === node && mayBe(object);
}

/** Nothing is known of it, or it has the member, or owners are of its type as well: an `Error`, an `object`, a base. */
function mayBeOwner(world: RenameWorld, program: OpenProgram, owners: readonly Owner[], node: ts.Node): boolean {
  const { checker } = program.project;
  const [type] = typesAt(program, [node]);
  if (type === undefined || isUntyped(type) || holdsFamily(world, program, type)) return true;
  const parts = type.isUnionType() ? (type.getTypes() ?? []) : [type];
  return owners.some(
    (owner) => owner.program === program && parts.some((part) => checker.isTypeAssignableTo(owner.type, part)),
  );
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

/**
 * `dynamic_access`: `o[key]` where `o` has the renamed member and `key` is any string, so that the code does not say which member
 * is meant; and `eval` where a renamed variable is in scope. A key whose type lists the members is checked by the compiler and is no
 * doubt, nor is a loop's own key over the same object.
 */
export function findDynamicAccesses(world: RenameWorld, owners: readonly Owner[]): readonly ItemDraft[] {
  const isModule = !world.isMember && world.reach === 'repo';
  if ((owners.length === 0 && !isModule) || world.oldName.startsWith('#')) return [];
  if (isModule && isTypeAlone(world)) return [];
  const found = new Map<string, ItemDraft>();
  for (const { program, path, file } of isModule ? filesWithModules(world) : filesNaming(world, owners)) {
    const accesses: Access[] = [];
    walkNodes(file, (node) => {
      const access = readAccess(node);
      if (access !== undefined && !isFixedKey(access.key)) accesses.push(access);
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

/** `o[key]`, `key in o`, `Reflect.get(o, key)`. What is asserted of either is a claim and not what the compiler knows. */
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
export function findEvals(world: RenameWorld, writes: readonly Write[]): readonly ItemDraft[] {
  const found = new Map<string, ItemDraft>();
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

/** Inside `with`, names are looked up in an object first, and only the running program knows which it finds there. */
export function findWiths(world: RenameWorld, owners: readonly Owner[]): readonly ItemDraft[] {
  const sites: Site[] = [];
  for (const program of world.programs.open)
    for (const path of program.files) {
      const file = program.sourceFile(path);
      if (file === undefined || !/\bwith\s*\(/.test(file.text)) continue;
      walkNodes(file, (node) => {
        if (node.kind !== K.WithStatement) return;
        const { expression, statement } = node as ts.Node & { expression: ts.Expression; statement: ts.Node };
        if (world.isMember ? mayBeOwner(world, program, owners, expression) : holdsWrite(world, path, statement))
          sites.push({ path, node: expression });
      });
    }
  return tellFirst(
    'dynamic_access',
    sites,
    `Inside this \`with\`, names are looked up in the object first; it may have \`${world.oldName}\` or \`${world.question.newName}\``,
  );
}

function holdsWrite(world: RenameWorld, path: string, body: ts.Node): boolean {
  return world.occurrences.some(
    ({ token, edit }) =>
      edit !== null && token.path === path && token.start >= body.getStart() && token.end <= body.end,
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
