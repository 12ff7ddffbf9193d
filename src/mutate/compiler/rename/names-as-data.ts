/**
 * `name_as_data`: functions, classes and members of enums carry their names into the running program, and here the program reads one that
 * is renamed: `f.name`, `x.constructor.name`, `String(f)`, an instance that is printed, a decorator, `E[0]`. A read counts where what is
 * renamed can reach it: the receiver is it, or has it for a type, or is a parameter that it is given for. What only shows in the message
 * of an error is not read as data.
 */

import { lazy } from '../../../kernel/base/lazy.ts';
import * as ts from '../../../languages/typescript/compiler/typescript-api.ts';
import { declarationOf } from '../job/declarations.ts';
import type { OpenProgram, RenameWorld } from '../job/job-types.ts';
import { askOr, tokensNamed } from '../job/name-tokens.ts';
import type { ItemDraft } from '../session/messages.ts';
import { listDeclared } from './declared-elsewhere.ts';
import {
  beforeAssertions,
  isFixedKey,
  isUntyped,
  outermost,
  type Site,
  tellFirst,
  typesAt,
  walkNodes,
} from './doubted-family.ts';
import { isFunctionLike } from './lexical-scope.ts';
import { holdsInstance, listPrinted, partsOfType, prints } from './printed-instances.ts';

const K = ts.SyntaxKind;

export function findNamesAsData(world: RenameWorld): readonly ItemDraft[] {
  if (world.oldName.startsWith('#')) return [];
  const subjects = listSubjects(world);
  const reads = [
    ...(subjects.length === 0 ? [] : findReads(world, subjects)),
    ...findParameterReads(world),
    ...findDecorators(world),
    ...findEnumReads(world),
  ];
  return tellFirst('name_as_data', reads, `The program reads the name \`${world.oldName}\` as a value here`);
}

/** A function or class whose name at run time is the renamed one. */
export type Subject = { readonly program: OpenProgram; readonly path: string; readonly node: ts.Node };

export function listSubjects(world: RenameWorld): readonly Subject[] {
  return listDeclared(world).flatMap(({ program, token }) => {
    const node = namedBy(declarationOf(token.node), token.node);
    return node === undefined ? [] : [{ program, path: token.path, node }];
  });
}

function namedBy(declaration: ts.Node, name: ts.Node): ts.Node | undefined {
  if ((declaration as { readonly name?: ts.Node }).name === name) {
    if (hasOwnName.has(declaration.kind)) return declaration;
    const { initializer } = declaration as { readonly initializer?: ts.Node };
    return initializer === undefined ? undefined : anonymous(initializer);
  }
  // `exports.a = function () {}`
  const { parent } = declaration;
  if (!ts.isPropertyAccessExpression(declaration) || !ts.isBinaryExpression(parent)) return undefined;
  return parent.left === declaration ? anonymous(parent.right) : undefined;
}

const hasOwnName: ReadonlySet<ts.SyntaxKind> = new Set([
  K.FunctionDeclaration,
  K.ClassDeclaration,
  K.FunctionExpression,
  K.ClassExpression,
  K.MethodDeclaration,
]);

function anonymous(value: ts.Node): ts.Node | undefined {
  const made = beforeAssertions(value);
  if (made.kind === K.ArrowFunction) return made;
  const isOpen = made.kind === K.FunctionExpression || made.kind === K.ClassExpression;
  return isOpen && (made as { readonly name?: ts.Node }).name === undefined ? made : undefined;
}

function findReads(world: RenameWorld, subjects: readonly Subject[]): readonly Site[] {
  const uses = world.occurrences.flatMap(({ program, token }) => {
    const value = expressionOf(token.node);
    return value === undefined ? [] : [{ program, path: token.path, value }];
  });
  const direct = uses.flatMap(({ path, value }): Site[] => {
    const read = readsName(value);
    return read === undefined ? [] : [{ path, node: read }];
  });
  if (direct.length > 0) return direct;
  const isClass = subjects.some(({ node }) => ts.isClassLikeDeclaration(node));
  const given = uses.filter(({ program, value }) => isGivenAway(world, program, value));
  const others = subjects.some(({ node }) => node.kind === K.FunctionExpression || node.kind === K.ClassExpression);
  const reads = isClass || given.length > 0 || others || isShownUnderOtherNames(world) ? listNameReads(world) : [];
  const found = reads.filter((read) => askOr(() => reaches(world, subjects, given, read), true));
  const onward = found.length > 0 ? [] : given.flatMap((use) => askOr(() => readsInside(world, use, readsName), []));
  const printed = isClass ? listPrinted(world).filter((one) => holdsInstance(subjects, one)) : [];
  return [...found, ...onward, ...printed].map(({ path, node }) => ({ path, node }));
}

/** What the function that it is given to does with it, whatever that says of its types. */
export function readsInside(
  world: RenameWorld,
  { program, value }: Use,
  reads: (value: ts.Node) => ts.Node | undefined,
  depth = 0,
): readonly Site[] {
  const at = outermost(value);
  const call = at.parent;
  if ((!ts.isCallExpression(call) && !ts.isNewExpression(call)) || depth > callersMax) return [];
  const place = (call.arguments ?? []).findIndex((one) => (one as ts.Node) === at);
  if (place < 0 || isOfOthers(world, program, call.expression)) return [];
  const handle = program.project.checker.getResolvedSignature(call)?.declaration;
  if (handle === undefined || world.programs.place(handle.path).outside) return [];
  const called = handle.resolve(program.project) as
    | { readonly parameters?: readonly ts.ParameterDeclaration[]; readonly body?: ts.Node }
    | undefined;
  const name = called?.parameters?.[place]?.name;
  if (called?.body === undefined || name === undefined || !ts.isIdentifier(name)) return [];
  const { path } = world.programs.place(handle.path);
  const sites: Site[] = [];
  const pending = [called.body];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const inner = ts.isIdentifier(node) && node.text === name.text ? expressionOf(node) : undefined;
    if (inner === node) {
      const read = reads(inner);
      if (read !== undefined && !isMessage(inner)) sites.push({ path, node: read });
      else sites.push(...readsInside(world, { program, path, value: inner }, reads, depth + 1));
    }
    node.forEachChild((child) => {
      pending.push(child);
    });
  }
  return sites;
}

/** A function or a method that only others declare, whatever it is given: what a call comes to is dear to ask, for it looks into what is given. */
function isOfOthers({ programs }: RenameWorld, { project: { checker } }: OpenProgram, called: ts.Node): boolean {
  const name = ts.isPropertyAccessExpression(called) ? called.name : called;
  if (!ts.isIdentifier(name)) return false;
  const own = checker.getSymbolAtLocation(name);
  const isAlias = own !== undefined && (own.flags & ts.SymbolFlags.Alias) !== 0;
  const symbol = isAlias ? checker.getAliasedSymbol(own) : own;
  if (symbol === undefined || (symbol.flags & (ts.SymbolFlags.Function | ts.SymbolFlags.Method)) === 0) return false;
  return symbol.declarations.every(({ path }) => programs.place(path).outside);
}

type Use = { readonly program: OpenProgram; readonly path: string; readonly value: ts.Node };

/** The expression that a name stands for, if it is one: `f`, `o.f`. */
export function expressionOf(name: ts.Node): ts.Node | undefined {
  const { parent } = name;
  if (ts.isPropertyAccessExpression(parent) && parent.name === name) return parent;
  if (ts.isShorthandPropertyAssignment(parent)) return name;
  return ts.isIdentifier(name) && (parent as { readonly name?: ts.Node }).name !== name && isValuePosition(name)
    ? name
    : undefined;
}

function isValuePosition(name: ts.Node): boolean {
  const { parent } = name;
  return !noValues.has(parent.kind) && !(parent.kind >= K.FirstTypeNode && parent.kind <= K.LastTypeNode);
}

const noValues: ReadonlySet<ts.SyntaxKind> = new Set([
  K.ImportSpecifier,
  K.ImportClause,
  K.ExportSpecifier,
  K.NamespaceImport,
  K.QualifiedName,
  K.TypeReference,
  K.ExpressionWithTypeArguments,
  K.BindingElement,
]);

/** The place that makes a value of the name, where it is one of these. */
function readsName(value: ts.Node): ts.Node | undefined {
  const at = outermost(value);
  const { parent } = at;
  if (ts.isPropertyAccessExpression(parent) && parent.expression === at && readers.has(parent.name.getText()))
    return parent.name;
  if (
    ts.isElementAccessExpression(parent) &&
    parent.expression === at &&
    /^['"`]name/.test(parent.argumentExpression.getText())
  )
    return parent.argumentExpression;
  if (
    ts.isVariableDeclaration(parent) &&
    ts.isObjectBindingPattern(parent.name) &&
    /\bname\b/.test(parent.name.getText())
  )
    return parent.name;
  if (parent.kind === K.TemplateSpan && !isTagged(parent)) return at;
  if (ts.isBinaryExpression(parent) && parent.operatorToken.kind === K.PlusToken) return at;
  const call = enclosingCall(at);
  if (call !== undefined && isReflectedName(call, at)) return at;
  return call !== undefined && (makesStrings.test(call.expression.getText()) || prints.test(call.expression.getText()))
    ? at
    : undefined;
}

/** `Reflect.get(f, 'name')`, and by a key that is computed. */
function isReflectedName({ expression, arguments: [first, key] }: ts.CallExpression, at: ts.Node): boolean {
  if (!/^Reflect\s*\.\s*get$/.test(expression.getText()) || (first as ts.Node | undefined) !== at) return false;
  return key === undefined || !isFixedKey(key) || /^['"`]name['"`]$/.test(key.getText());
}

const readers: ReadonlySet<string> = new Set(['name', 'toString', 'displayName']);
const makesStrings = /^(?:String|Function\.prototype\.toString\.call)$/;

function isTagged(span: ts.Node): boolean {
  return span.parent.parent.kind === K.TaggedTemplateExpression;
}

/** The call that a value is an argument of, also as part of a literal. */
function enclosingCall(value: ts.Node): ts.CallExpression | undefined {
  let at = value;
  while (literals.has(at.parent.kind)) at = at.parent;
  const { parent } = at;
  return ts.isCallExpression(parent) && parent.expression !== at ? parent : undefined;
}

const literals: ReadonlySet<ts.SyntaxKind> = new Set([
  K.ArrayLiteralExpression,
  K.ObjectLiteralExpression,
  K.PropertyAssignment,
  K.ShorthandPropertyAssignment,
  K.SpreadElement,
  K.SpreadAssignment,
  K.ParenthesizedExpression,
  K.AsExpression,
]);

/** Kept or passed on, and not merely called, extended or compared: then other code may read its name. */
function isGivenAway(world: RenameWorld, program: OpenProgram, value: ts.Node): boolean {
  const at = outermost(value);
  const { parent } = at;
  if (ts.isCallExpression(parent) || ts.isNewExpression(parent))
    return parent.expression !== at && !isOfLibrary(world, program, parent);
  if (ts.isPropertyAccessExpression(parent) || ts.isElementAccessExpression(parent)) return false;
  if (ts.isBinaryExpression(parent)) return parent.operatorToken.kind === K.EqualsToken && parent.right === at;
  return keeps.has(parent.kind) && !isExported(at);
}

/** `module.exports = { f }`: importers have it under its name. */
function isExported(value: ts.Node): boolean {
  let at = value;
  while (literals.has(at.parent.kind)) at = at.parent;
  const { parent } = at;
  return ts.isBinaryExpression(parent) && parent.right === at && /^(?:module\.)?exports\b/.test(parent.left.getText());
}

const keeps: ReadonlySet<ts.SyntaxKind> = new Set([
  K.ShorthandPropertyAssignment,
  K.PropertyAssignment,
  K.ArrayLiteralExpression,
  K.VariableDeclaration,
  K.PropertyDeclaration,
  K.Parameter,
  K.ReturnStatement,
  K.ArrowFunction,
  K.ConditionalExpression,
  K.SpreadElement,
  K.YieldExpression,
  K.JsxExpression,
]);

/** `list.map(f)`, `setTimeout(f)`: what calls it lies outside the repository, and so does whatever it reads; unless it keeps it. */
function isOfLibrary(
  { programs }: RenameWorld,
  { project }: OpenProgram,
  call: ts.CallExpression | ts.NewExpression,
): boolean {
  if (isKeptBy(call)) return false;
  const handle = project.checker.getResolvedSignature(call)?.declaration;
  return handle !== undefined && programs.place(handle.path).outside;
}

function isKeptBy({ expression }: ts.CallExpression | ts.NewExpression): boolean {
  return ts.isPropertyAccessExpression(expression) && keepers.has(expression.name.getText());
}

const keepers: ReadonlySet<string> = new Set([
  'push',
  'unshift',
  'splice',
  'set',
  'add',
  'concat',
  'of',
  'from',
  'freeze',
]);

/** `export default f`, `import { f as g }`: its uses elsewhere are under other names. */
function isShownUnderOtherNames(world: RenameWorld): boolean {
  return world.occurrences.some(({ token: { node } }) => {
    const { parent } = node;
    if (ts.isExportAssignment(parent)) return true;
    const { name, propertyName } = parent as { readonly name?: ts.Node; readonly propertyName?: ts.Node };
    return (
      (ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent)) && propertyName !== undefined && name !== node
    );
  });
}

/** A read of some function's name. `of`: what the function is had from: itself, or something that it made. */
type Read = {
  readonly program: OpenProgram;
  readonly path: string;
  readonly node: ts.Node;
  readonly of: ts.Node;
  readonly way: 'function' | 'instance' | 'new.target';
};

const knownReads = new WeakMap<OpenProgram, readonly Read[]>();

function listNameReads({ programs }: RenameWorld): readonly Read[] {
  return programs.open.flatMap((program) => {
    const known = knownReads.get(program) ?? program.files.flatMap((path) => readsIn(program, path));
    knownReads.set(program, known);
    return known;
  });
}

function readsIn(program: OpenProgram, path: string): readonly Read[] {
  const file = program.sourceFile(path);
  if (file === undefined || file.isDeclarationFile || !/\bname\b/.test(file.text)) return [];
  const open: Read[] = [];
  walkNodes(file, (node) => {
    const receiver = receiverOfName(node);
    if (receiver === undefined || isMessage(receiver)) return;
    const of = beforeAssertions(receiver);
    if (of.kind === K.MetaProperty) open.push({ program, path, node, of, way: 'new.target' });
    else if (ts.isPropertyAccessExpression(of) && of.name.getText() === 'constructor')
      open.push({ program, path, node, of: beforeAssertions(of.expression), way: 'instance' });
    else open.push({ program, path, node, of, way: 'function' });
  });
  const types = typesAt(
    program,
    open.map(({ of }) => of),
  );
  return open.filter(({ way }, at) => way !== 'function' || mayBeFunction(program, types[at]));
}

/** `x` of `x.name`, `x["name"]` and `const { name } = x`. */
function receiverOfName(node: ts.Node): ts.Node | undefined {
  if (ts.isPropertyAccessExpression(node)) return node.name.getText() === 'name' ? node.expression : undefined;
  if (ts.isElementAccessExpression(node))
    return /^['"]name['"]$/.test(node.argumentExpression.getText()) ? node.expression : undefined;
  if (!ts.isVariableDeclaration(node) || !ts.isObjectBindingPattern(node.name)) return undefined;
  const takes = node.name.elements.some((element) => (element.propertyName ?? element.name)?.getText() === 'name');
  return takes ? node.initializer : undefined;
}

/** Callable, or made by `new`; a type of which nothing is known is one of many other things. */
function mayBeFunction({ project: { checker } }: OpenProgram, type: ts.Type | undefined): boolean {
  if (type === undefined || isUntyped(type)) return false;
  const bare = checker.getBaseConstraintOfType(type) ?? type;
  const parts = bare.isUnionType() ? (bare.getTypes() ?? []) : [bare];
  return parts.some((part) => {
    const symbol = part.getSymbol();
    if (symbol?.name === 'Function') return true;
    return (
      askOr(() => checker.getSignaturesOfType(part, ts.SignatureKind.Call).length > 0, true) ||
      askOr(() => checker.getSignaturesOfType(part, ts.SignatureKind.Construct).length > 0, true)
    );
  });
}

/** `throw new Error(`… ${f.name}`)`. */
function isMessage(node: ts.Node): boolean {
  for (let at: ts.Node = node; at.parent !== undefined; at = at.parent) {
    const { parent } = at;
    if (parent.kind === K.ThrowStatement) return true;
    if (ts.isNewExpression(parent) && /(?:Error|Exception)$/.test(parent.expression.getText())) return true;
    if (ts.isCallExpression(parent) && /\.(?:error|warn|debug|trace)$/.test(parent.expression.getText())) return true;
    if (isFunctionLike(parent) || parent.kind === K.Block) return false;
  }
  return false;
}

function reaches(world: RenameWorld, subjects: readonly Subject[], given: readonly Use[], read: Read): boolean {
  const { program, of, way } = read;
  const classes = subjects.filter(({ node }) => ts.isClassLikeDeclaration(node));
  if (way === 'new.target' || of.kind === K.ThisKeyword) {
    const owner = enclosingClass(of);
    return owner !== undefined && classes.some((subject) => derives(subject, owner));
  }
  const [type] = typesAt(program, [of]);
  const parts = partsOfType(program, type);
  const known = parts.flatMap((part) => part.getSymbol()?.declarations ?? []).filter(({ kind }) => isDefinition(kind));
  const isOwn = known.some((handle) => {
    const node = world.programs.place(handle.path).outside ? undefined : handle.resolve(program.project);
    if (node === undefined) return false;
    return subjects.some((subject) => subject.node === node || (classes.includes(subject) && derives(subject, node)));
  });
  if (isOwn) return true;
  if (way === 'instance') {
    if (parts.every((part) => !isLoose(part)))
      return classes.some((subject) => parts.some((part) => isInstanceOf(subject, part)));
    const origins = traceOrigins(world, program, of);
    return classes.some((subject) => origins.some((value) => isInstance(program, subject, value)));
  }
  if (given.length === 0 && !isShownUnderOtherNames(world)) return false;
  const values = new Set(given.map(({ value }) => value));
  const origins = traceOrigins(world, program, of);
  if (origins.some((value) => values.has(value))) return true;
  if (!given.some((use) => isHeldLoosely(use))) return false;
  return origins.some((origin) => {
    if (isCalledByName(program, origin)) return false;
    const [its] = typesAt(program, [origin]);
    const types = partsOfType(program, its);
    const made = types.flatMap((part) => part.getSymbol()?.declarations ?? []).filter(({ kind }) => isDefinition(kind));
    // Each is a function or class of its own; but of a list, types of equal shape stand for one another.
    if (made.length > 0 && made.length >= types.length && !isFromList(program, origin)) return false;
    return subjects.some((subject) => types.some((part) => fits(subject, part)));
  });
}

/** `for (const f of list)`, `list.map((f) => …)`, `list[0]`. */
function isFromList({ project }: OpenProgram, value: ts.Node): boolean {
  if (ts.isElementAccessExpression(value)) return true;
  if (!ts.isIdentifier(value)) return false;
  const handle = project.checker.getSymbolAtLocation(value)?.valueDeclaration;
  if (handle?.kind === K.Parameter) return true;
  return handle?.resolve(project)?.parent.parent.kind === K.ForOfStatement;
}

function isDefinition(kind: ts.SyntaxKind): boolean {
  return hasOwnName.has(kind) || kind === K.ArrowFunction;
}

/** Instances of any class can be in it. */
function isLoose(type: ts.Type): boolean {
  const { flags } = type;
  if (isUntyped(type) || (flags & (ts.TypeFlags.NonPrimitive | ts.TypeFlags.TypeParameter)) !== 0) return true;
  const name = type.getSymbol()?.name;
  return name === 'Object' || name === '__type';
}

function fits(subject: Subject, type: ts.Type): boolean {
  const { checker } = subject.program.project;
  const symbol = symbolOf(subject);
  const own = symbol === undefined ? checker.getTypeAtLocation(subject.node) : checker.getTypeOfSymbol(symbol);
  return own === undefined || checker.isTypeAssignableTo(own, type);
}

function symbolOf({ program, node }: Subject): ts.Symbol | undefined {
  const { name } = node as { readonly name?: ts.Node };
  return name === undefined ? undefined : program.project.checker.getSymbolAtLocation(name);
}

function isInstanceOf(subject: Subject, type: ts.Type): boolean {
  const { checker } = subject.program.project;
  const symbol = symbolOf(subject);
  return symbol !== undefined && checker.isTypeAssignableTo(checker.getDeclaredTypeOfSymbol(symbol), type);
}

/** `catch (e)`: whatever was thrown. */
function isCaught({ project }: OpenProgram, value: ts.Node): boolean {
  if (!ts.isIdentifier(value)) return false;
  const handle = project.checker.getSymbolAtLocation(value)?.valueDeclaration;
  return handle?.resolve(project)?.parent.kind === K.CatchClause;
}

/** It extends something, and errors do. */
function isThrown({ node }: Subject): boolean {
  const { heritageClauses } = node as { readonly heritageClauses?: readonly ts.HeritageClause[] };
  return (
    heritageClauses?.some(
      ({ token, types }) => token === K.ExtendsKeyword && /(?:Error|Exception)/.test(types[0]?.getText() ?? ''),
    ) === true
  );
}

function isInstance(program: OpenProgram, subject: Subject, value: ts.Node): boolean {
  if (isCaught(program, value)) return isThrown(subject);
  return partsOfType(program, typesAt(program, [value])[0]).some((part) =>
    (part.getSymbol()?.declarations ?? []).some((handle) => {
      const node =
        handle.kind === K.ClassDeclaration || handle.kind === K.ClassExpression
          ? handle.resolve(program.project)
          : undefined;
      return node !== undefined && (node === subject.node || derives(subject, node));
    }),
  );
}

function enclosingClass(node: ts.Node): ts.Node | undefined {
  for (let at: ts.Node | undefined = node; at !== undefined; at = at.parent)
    if (ts.isClassLikeDeclaration(at)) return at;
  return undefined;
}

const depthMax = 20;

/** Is it this class, or does it extend it, however far up? */
function derives({ program, node }: Subject, base: ts.Node): boolean {
  let at: ts.Node | undefined = node;
  for (let depth = 0; at !== undefined && depth < depthMax; depth++) {
    if (at === base) return true;
    at = askOr(() => parentClass(program, at as ts.Node), undefined);
  }
  return false;
}

function parentClass({ project }: OpenProgram, node: ts.Node): ts.Node | undefined {
  const clauses = (node as { readonly heritageClauses?: readonly ts.HeritageClause[] }).heritageClauses ?? [];
  const base = clauses.find(({ token }) => token === K.ExtendsKeyword)?.types[0];
  const symbol = base === undefined ? undefined : project.checker.getTypeAtLocation(base)?.getSymbol();
  const handle = symbol?.declarations.find(({ kind }) => kind === K.ClassDeclaration || kind === K.ClassExpression);
  return handle?.resolve(project);
}

/** In a list, a table or a variable without a type of its own: no type says where it goes from there. */
function isHeldLoosely({ program, value }: Use): boolean {
  const at = outermost(value);
  const { parent } = at;
  if ((ts.isCallExpression(parent) || ts.isNewExpression(parent)) && !isKeptBy(parent)) return false;
  const expected = askOr(() => program.project.checker.getContextualType(at as unknown as ts.Expression), undefined);
  return expected === undefined || isUntyped(expected) || expected.getSymbol()?.name === 'Function';
}

// Parameters: what is read of one is read of what its function is called with, and of what their callers were called with.

const callersMax = 3;

/** The value itself, and all that it can have been given as. */
function traceOrigins(world: RenameWorld, program: OpenProgram, of: ts.Node): readonly ts.Node[] {
  const found = new Set([of]);
  let level = [of];
  for (let depth = 0; depth < callersMax && level.length > 0; depth++) {
    const values = level.flatMap((value) => argumentsFor(world, program, value));
    level = values.map(beforeAssertions);
    for (const value of [...values, ...level]) found.add(value);
  }
  return [...found];
}

/** A parameter of something that callers can say; what a callback is given comes from elsewhere. */
function isCalledByName(program: OpenProgram, value: ts.Node): boolean {
  const parameter = parameterOf(program, value);
  return parameter !== undefined && !ts.isCallExpression(parameter.of.parent);
}

type Parameter = { readonly of: ts.Node; readonly at: number; readonly isRest: boolean };

function parameterOf({ project }: OpenProgram, value: ts.Node): Parameter | undefined {
  if (!ts.isIdentifier(value)) return undefined;
  const handle = project.checker.getSymbolAtLocation(value)?.valueDeclaration;
  const declaration = handle?.kind === K.Parameter ? handle.resolve(project) : undefined;
  if (declaration === undefined) return undefined;
  const { parameters } = declaration.parent as unknown as { readonly parameters: readonly ts.Node[] };
  const isRest = (declaration as { readonly dotDotDotToken?: ts.Node }).dotDotDotToken !== undefined;
  const isThisFirst = parameters[0]?.getText().startsWith('this') === true ? 1 : 0;
  return { of: declaration.parent, at: parameters.indexOf(declaration) - isThisFirst, isRest };
}

/** What stands in calls where the parameter takes its value from, or in the list that a callback is called for. */
function argumentsFor(world: RenameWorld, program: OpenProgram, value: ts.Node): readonly ts.Node[] {
  const list = askOr(() => findList(program, value), undefined);
  if (list !== undefined) return elementsOf(world, program, list, 0);
  const parameter = askOr(() => parameterOf(program, value), undefined);
  if (parameter === undefined) return [];
  return callsOf(world, parameter.of).flatMap((call) => {
    const given = [...(call.arguments ?? [])];
    return parameter.isRest ? given.slice(parameter.at) : given.slice(parameter.at, parameter.at + 1);
  });
}

/** `list` of `list.map((f) => …)` and `for (const f of list)`. */
function findList(program: OpenProgram, value: ts.Node): ts.Node | undefined {
  if (ts.isElementAccessExpression(value)) return value.expression;
  if (!ts.isIdentifier(value)) return undefined;
  const { project } = program;
  const handle = project.checker.getSymbolAtLocation(value)?.valueDeclaration;
  const declaration = handle?.resolve(project);
  const holder = declaration?.parent?.parent;
  if (holder === undefined) return undefined;
  if (holder.kind === K.ForOfStatement) return (holder as ts.Node & { readonly expression: ts.Node }).expression;
  if (handle?.kind !== K.Parameter || !ts.isCallExpression(holder)) return undefined;
  const { expression } = holder;
  return ts.isPropertyAccessExpression(expression) ? expression.expression : undefined;
}

function elementsOf(world: RenameWorld, program: OpenProgram, list: ts.Node, depth: number): readonly ts.Node[] {
  const made = beforeAssertions(list);
  if (made.kind === K.ArrayLiteralExpression)
    return [...(made as ts.Node & { readonly elements: readonly ts.Node[] }).elements];
  if (!ts.isIdentifier(made) || depth > callersMax) return [];
  const parameter = askOr(() => parameterOf(program, made), undefined);
  if (parameter !== undefined) {
    const given = argumentsFor(world, program, made);
    return parameter.isRest ? given : given.flatMap((one) => elementsOf(world, program, one, depth + 1));
  }
  const { project } = program;
  const handle = askOr(() => project.checker.getSymbolAtLocation(made)?.valueDeclaration, undefined);
  const declaration = handle?.kind === K.VariableDeclaration ? handle.resolve(project) : undefined;
  const { initializer } = (declaration ?? {}) as { readonly initializer?: ts.Node };
  return initializer === undefined ? [] : elementsOf(world, program, initializer, depth + 1);
}

function callsOf(world: RenameWorld, callee: ts.Node): readonly { readonly arguments?: readonly ts.Node[] }[] {
  const named = callee.kind === K.Constructor ? callee.parent : callee;
  const holder = (named as { readonly name?: ts.Node }).name === undefined ? named.parent : named;
  const { name } = holder as { readonly name?: ts.Node };
  if (name === undefined || !ts.isIdentifier(name)) return [];
  return tokensNamed(world.programs, name.text).flatMap(({ program, token: { node } }) => {
    const at = ts.isPropertyAccessExpression(node.parent) ? node.parent : node;
    const { parent } = at;
    const isCall = (ts.isCallExpression(parent) || ts.isNewExpression(parent)) && parent.expression === at;
    return isCall && means(program, node, holder) ? [parent] : [];
  });
}

/** Through imports, to where it is declared. */
export function means({ project }: OpenProgram, name: ts.Node, declaration: ts.Node): boolean {
  return askOr(() => {
    const found = project.checker.getSymbolAtLocation(name);
    const isAlias = found !== undefined && (found.flags & ts.SymbolFlags.Alias) !== 0;
    const symbol = isAlias ? project.checker.getAliasedSymbol(found) : found;
    return symbol?.declarations.some((handle) => handle.resolve(project) === declaration) === true;
  }, true);
}

// Names of parameters are read from the text of a function, by programs that give it what is called so.

function findParameterReads(world: RenameWorld): readonly Site[] {
  const isGiven = listDeclared(world).some(({ program, token }) => {
    const { parent } = token.node;
    if (!ts.isParameterDeclaration(parent) && !ts.isBindingElement(parent)) return false;
    const owner = enclosingFunction(parent);
    return owner !== undefined && isHandedOn(world, program, owner);
  });
  if (!isGiven) return [];
  return world.programs.open.flatMap((program) => program.files.flatMap((path) => textReadsIn(program, path)));
}

function enclosingFunction(node: ts.Node): ts.Node | undefined {
  for (let at: ts.Node | undefined = node; at !== undefined; at = at.parent) if (isFunctionLike(at)) return at;
  return undefined;
}

/** The function, or the class that it makes instances of, goes elsewhere as a value. */
function isHandedOn(world: RenameWorld, program: OpenProgram, owner: ts.Node): boolean {
  const named = owner.kind === K.Constructor ? owner.parent : owner;
  const holder = hasOwnName.has(named.kind) ? named : named.parent;
  const { name } = holder as { readonly name?: ts.Node };
  if (holder.parent.kind === K.ObjectLiteralExpression || name === undefined || !ts.isIdentifier(name))
    return holder !== named ? isGivenAway(world, program, named) : holder.parent.kind === K.ObjectLiteralExpression;
  return tokensNamed(world.programs, name.text).some(({ program: its, token: { node } }) => {
    const value = expressionOf(node);
    return value !== undefined && isGivenAway(world, its, value) && means(its, node, holder);
  });
}

/** `/\(([^)]*)\)/.exec(f.toString())`, `String(f).match(…)`: the text of a function is taken apart. */
function textReadsIn(program: OpenProgram, path: string): readonly Site[] {
  const file = program.sourceFile(path);
  if (file === undefined || file.isDeclarationFile || !/\btoString\b|\bString\s*\(/.test(file.text)) return [];
  const calls: { readonly node: ts.Node; readonly of: ts.Node }[] = [];
  walkNodes(file, (node) => {
    const of = ts.isCallExpression(node) ? madeText(node) : undefined;
    if (of !== undefined && isTakenApart(node)) calls.push({ node, of });
  });
  const types = typesAt(
    program,
    calls.map(({ of }) => of),
  );
  const isAboutCode = /\\\(|['"\x60](?:function\b|\()/.test(file.text);
  return calls.flatMap(({ node }, at): Site[] => {
    const type = types[at];
    const isRead = type === undefined || isUntyped(type) ? isAboutCode : mayBeFunction(program, type);
    return isRead ? [{ path, node }] : [];
  });
}

/** `f` of `f.toString()`, `String(f)`, `Function.prototype.toString.call(f)`. */
function madeText({ expression, arguments: given }: ts.CallExpression): ts.Node | undefined {
  if (makesStrings.test(expression.getText())) return given[0];
  const isText = ts.isPropertyAccessExpression(expression) && expression.name.getText() === 'toString';
  return isText && given.length === 0 ? expression.expression : undefined;
}

function isTakenApart(text: ts.Node): boolean {
  const at = outermost(text);
  const { parent } = at;
  if (ts.isPropertyAccessExpression(parent) && parent.expression === at) return takers.test(parent.name.getText());
  return ts.isCallExpression(parent) && /\.(?:exec|matchAll)$/.test(parent.expression.getText());
}

const takers = /^(?:match|matchAll|split|replace|replaceAll|slice|substring|substr|indexOf|search)$/;

// Decorators are given the name, or the class that has it. One that is written here is read; of others nothing is known but for a few.

function findDecorators(world: RenameWorld): readonly Site[] {
  return listDeclared(world).flatMap(({ program, token }) => {
    const declaration = declarationOf(token.node);
    const isClass = ts.isClassLikeDeclaration(declaration);
    const isReadLater = lazy(() => isClass && isReadOfAny(world, { program, path: token.path, node: declaration }));
    return [...decoratorsOf(declaration), ...decoratorsInside(declaration)].flatMap((decorator): Site[] =>
      askOr(() => mayReadName(world, program, decorator, isClass, isReadLater), true)
        ? [{ path: token.path, node: decorator }]
        : [],
    );
  });
}

/** Somewhere the name of a function is read that is not known, and may be this class: what a decorator keeps of it comes back there. */
function isReadOfAny(world: RenameWorld, subject: Subject): boolean {
  return listNameReads(world).some(({ program, of, way }) => {
    if (way !== 'function' || program !== subject.program) return false;
    const [type] = typesAt(program, [of]);
    return partsOfType(program, type).some((part) => {
      const declared = part.getSymbol()?.declarations ?? [];
      return !declared.some(({ kind }) => isDefinition(kind)) && fits(subject, part);
    });
  });
}

function decoratorsOf(node: ts.Node): readonly ts.Node[] {
  const { modifiers } = node as { readonly modifiers?: readonly ts.Node[] };
  return modifiers?.filter(({ kind }) => kind === K.Decorator) ?? [];
}

/** On parameters: those of a method are given its key, those of a constructor its class. */
function decoratorsInside(node: ts.Node): readonly ts.Node[] {
  const { members = [], parameters = [] } = node as {
    readonly members?: readonly ts.Node[];
    readonly parameters?: readonly ts.Node[];
  };
  const made = members.find(({ kind }) => kind === K.Constructor) as
    | { readonly parameters?: readonly ts.Node[] }
    | undefined;
  return [...parameters, ...(made?.parameters ?? [])].flatMap(decoratorsOf);
}

function mayReadName(
  world: RenameWorld,
  program: OpenProgram,
  decorator: ts.Node,
  isClass: boolean,
  isReadLater: () => boolean,
): boolean {
  const { checker } = program.project;
  const { expression } = decorator as unknown as { readonly expression: ts.Node };
  const callee = ts.isCallExpression(expression) ? expression.expression : expression;
  const found = checker.getSymbolAtLocation(callee);
  const symbol =
    found !== undefined && (found.flags & ts.SymbolFlags.Alias) !== 0 ? checker.getAliasedSymbol(found) : found;
  const handles = symbol?.declarations ?? [];
  const nodes = handles.flatMap((handle) =>
    world.programs.place(handle.path).outside ? [] : (handle.resolve(program.project) ?? []),
  );
  if (nodes.length === 0 || nodes.length < handles.length) return !isKnownSilent(callee, isClass);
  return nodes.some((node) => {
    if (!isClass) return takesParameter(node, 1);
    return /\bname\b|\btoString\b/.test(node.getText()) || (takesParameter(node, 0) && isReadLater());
  });
}

/**
 * A function, itself or inside its factory, that does something with the parameter at this place: the first is the class, the second the
 * key, or the context with the name.
 */
function takesParameter(node: ts.Node, place: 0 | 1): boolean {
  const functions: ts.Node[] = [];
  const pending = [node];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (isFunctionLike(at)) functions.push(at);
    at.forEachChild((child) => {
      pending.push(child);
    });
  }
  if (functions.length === 0) return true;
  return functions.some((one) => {
    const { parameters, body } = one as unknown as {
      readonly parameters?: readonly ts.ParameterDeclaration[];
      readonly body?: ts.Node;
    };
    const first = parameters?.[0];
    const taken = parameters?.[place];
    if (body === undefined) return parameters !== undefined && parameters.length > place;
    if (first?.dotDotDotToken !== undefined || /\barguments\b/.test(body.getText())) return true;
    if (taken === undefined) return false;
    if (!ts.isIdentifier(taken.name)) return /\bname\b/.test(taken.name.getText());
    return new RegExp(`\\b${taken.name.text.replaceAll('$', '\\$')}\\b`).test(body.getText());
  });
}

/**
 * Decorators of packages that make nothing of the name, as their documentation has it: those of Angular and Nest register the class
 * itself, and Nest's handlers are found by their routes (docs.nestjs.com/controllers, angular.dev/guide/di).
 */
function isKnownSilent(callee: ts.Node, isClass: boolean): boolean {
  return (isClass ? silentOnClasses : silentOnMembers).has(callee.getText());
}

const silentOnClasses: ReadonlySet<string> = new Set(
  'Injectable Component Directive Pipe NgModule Controller Module Catch Global WebSocketGateway Inject Optional Self SkipSelf Host Attribute'.split(
    ' ',
  ),
);
const silentOnMembers: ReadonlySet<string> = new Set(
  'Get Post Put Patch Delete Head Options All UseGuards UseInterceptors UsePipes UseFilters HttpCode Header HostListener Body Param Query Headers Req Res Request Response Session'.split(
    ' ',
  ),
);

// Enums are objects whose keys are the names of their members, and of numbers the names again.

function findEnumReads(world: RenameWorld): readonly Site[] {
  return listDeclared(world).flatMap(({ token }) => {
    const declaration = declarationOf(token.node);
    if (declaration.kind !== K.EnumMember) return [];
    const { name } = declaration.parent as unknown as { readonly name: ts.Node };
    return tokensNamed(world.programs, name.getText()).flatMap(({ program, token: { path, node } }): Site[] =>
      isWhole(node) && means(program, node, declaration.parent) ? [{ path, node }] : [],
    );
  });
}

/** Used as an object, and not for one of its members by name. */
function isWhole(node: ts.Node): boolean {
  const value = expressionOf(node);
  if (value === undefined) return false;
  const at = outermost(value);
  const { parent } = at;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression !== at;
  if (ts.isElementAccessExpression(parent))
    return parent.expression === at && !ts.isStringLiteral(parent.argumentExpression);
  return parent.kind !== K.TypeQuery && !ts.isExportAssignment(parent);
}
