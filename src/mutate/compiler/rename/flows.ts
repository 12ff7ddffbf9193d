/**
 * Where values go: every place of a file at which a value is taken for something else than it is declared to be, with what is wanted of it
 * there. Also places that read the names of a value's members: loops over keys, `in`, computed keys.
 */

import * as ts from '../../../languages/typescript/compiler/typescript-api.ts';
import type { OpenProgram, Programs } from '../job/job-types.ts';
import { askOr } from '../job/name-tokens.ts';
import { beforeAssertions, isFixedKey, isUntyped, typesAt, walkNodes } from './doubted-family.ts';
import { isFunctionLike } from './lexical-scope.ts';
import { hasModifier } from './member-types.ts';
import {
  type Assertion,
  type Called,
  findAssertion,
  findCompared,
  type Glance,
  isQuietInLibrary,
  lentMethod,
  looksAtNothing,
  prepareAssertions,
} from './quiet-callees.ts';
import { type Call, findOnly, type Origin, originOf, parameterAt, readCall, resolveSignature } from './type-shapes.ts';

const K = ts.SyntaxKind;

/** The function that takes a value. `name` is what it is called by. */
export type Taker = {
  readonly origin: Origin;
  readonly name: string;
  readonly call: ts.Node;
  /** The types that it has for its own, and does not look into unless it says so. */
  readonly isGeneric: boolean;
};

/** `null`: no type says what is wanted. */
export type Wanted = {
  readonly type: ts.Type | null;
  readonly taker: Taker | undefined;
  /** How little the taker looks at. */
  readonly assertion?: Glance | undefined;
  /** The type of what the taker compares the value with. */
  readonly comparedWith?: ts.Type | undefined;
};

/**
 * `taken`: checked by the compiler. `asserted`: claimed. `copied`: its members become members of the other. `read`: the names of its own
 * members are read. `inherited`: not the value itself, but what its class promises. `thrown`: what catches it
 * knows nothing of it.
 */
export type Flow = {
  readonly value: ts.Node;
  readonly how: 'taken' | 'asserted' | 'copied' | 'read' | 'inherited' | 'thrown';
  readonly source: ts.Type | undefined;
  readonly wanted: () => readonly Wanted[];
};

type Draft = Omit<Flow, 'source'> & {
  readonly sourceAt: ts.Node;
  /** Where nothing that is written here is of the type that the value comes with. */
  readonly comesAs?: () => ts.Type | undefined;
};

const knownFlows = new WeakMap<OpenProgram, WeakMap<ts.SourceFile, readonly Flow[]>>();

export function listFlows(programs: Programs, program: OpenProgram, file: ts.SourceFile): readonly Flow[] {
  const known = knownFlows.get(program) ?? new WeakMap<ts.SourceFile, readonly Flow[]>();
  knownFlows.set(program, known);
  const read = known.get(file);
  if (read !== undefined) return read;
  const drafts: Draft[] = [];
  const calls: ts.Node[] = [];
  walkNodes(file, (node) => {
    const own = readFlows(programs, program, node);
    drafts.push(...own);
    const isCall = node.kind === K.CallExpression || node.kind === K.NewExpression;
    if (isCall && own.length > 0) calls.push(node);
  });
  // What callees are is asked for nearly all of them, one by one; together it is one question.
  const types = typesAt(program, [...drafts.map(({ sourceAt }) => sourceAt), ...calls.map(held)]);
  prepareAssertions(program, calls);
  const flows = drafts.map(({ value, how, wanted, sourceAt, comesAs }, at) => ({
    value,
    how: how === 'taken' && isHushed(value) ? ('asserted' as const) : how,
    wanted: () => (isMadeEmpty(programs, program, sourceAt) ? [] : wanted()),
    source: comesAs === undefined ? types[at] : askOr(comesAs, undefined),
  }));
  known.set(file, flows);
  return flows;
}

const hushes = /@ts-(?:ignore|expect-error)\b/;

/** An error of this line is not heard, and hides others that would come. */
function isHushed(value: ts.Node): boolean {
  const { text } = value.getSourceFile();
  const line = text.lastIndexOf('\n', value.getStart()) + 1;
  return line > 0 && hushes.test(text.slice(text.lastIndexOf('\n', line - 2) + 1, line));
}

function readFlows(programs: Programs, program: OpenProgram, node: ts.Node): readonly Draft[] {
  const { checker } = program.project;
  const byType = (type: ts.TypeNode) => () => wants(() => checker.getTypeFromTypeNode(type));
  const byContext = (at: ts.Node) => () => wants(() => checker.getContextualType(at as unknown as ts.Expression));
  /** What a function gives goes to what calls it. */
  const byCaller = (at: ts.Node) => () => {
    const assertion = findCaller(program, at);
    return looksAtNothing(assertion) ? [] : byContext(at)().map((one) => ({ ...one, assertion }));
  };
  switch (node.kind) {
    case K.AsExpression:
    case K.TypeAssertionExpression:
      return readAssertion(program, node as Asserted);
    case K.SatisfiesExpression: {
      const { expression, type } = node as Asserted;
      return take(expression, byType(type));
    }
    case K.VariableDeclaration:
    case K.PropertyDeclaration:
    case K.Parameter: {
      const { type, initializer } = node as Declared;
      if (type === undefined) return [];
      return hasModifier(node, K.DeclareKeyword)
        ? readRedeclared(program, node, type)
        : take(initializer, byType(type));
    }
    case K.BinaryExpression:
      return readBinary(program, node as Binary);
    case K.CallExpression:
    case K.NewExpression:
      return readCallFlows(programs, program, node as Called);
    case K.ReturnStatement:
    case K.YieldExpression: {
      const { expression } = node as { readonly expression?: ts.Node };
      if (expression === undefined) return [];
      const own = take(expression, byCaller(expression));
      return node.kind === K.ReturnStatement ? [...own, ...readOverloadedReturn(program, expression)] : own;
    }
    case K.FunctionDeclaration:
    case K.MethodDeclaration:
    case K.Constructor:
      return readOverloadedParameters(program, node as Overloaded);
    case K.ArrowFunction: {
      const { body } = node as ts.Node & { readonly body: ts.Node };
      return body.kind === K.Block ? [] : take(body, byCaller(body));
    }
    case K.JsxSpreadAttribute: {
      const { expression } = node as Held;
      return take(expression, byContext(node.parent));
    }
    case K.JsxExpression: {
      const { expression } = node as { readonly expression?: ts.Node };
      return expression === undefined ? [] : take(expression, byContext(expression));
    }
    case K.TemplateSpan: {
      if (node.parent.parent.kind !== K.TaggedTemplateExpression) return [];
      const { expression } = node as Held;
      return take(expression, byContext(expression));
    }
    case K.ThrowStatement:
      return [{ value: held(node), sourceAt: held(node), how: 'thrown', wanted: () => [] }];
    case K.ForInStatement:
      if (looksUpItsOwn(node as Loop)) return [];
      return [{ value: held(node), sourceAt: held(node), how: 'read', wanted: () => [] }];
    case K.ForOfStatement:
      return readRefill(program, node as Loop);
    case K.ElementAccessExpression: {
      const { argumentExpression } = node as ts.Node & { readonly argumentExpression: ts.Node };
      if (isFixedKey(argumentExpression)) return [];
      // `(x as Record<string, F>)[k]`: what is looked through is `x`.
      const looked = [...new Set([held(node), beforeAssertions(held(node))])];
      return looked.map((sourceAt) => ({ value: held(node), sourceAt, how: 'read', wanted: () => [] }));
    }
    case K.TypePredicate:
      return readPredicate(program, node as Predicate);
    case K.ClassDeclaration:
    case K.ClassExpression:
      return readHeritage(program, node as Heir);
    default:
      return [];
  }
}

/** The assertion that a function which is written out is given to. */
function findCaller(program: OpenProgram, at: ts.Node): Assertion | undefined {
  let made = at.parent;
  while (made.kind !== K.ArrowFunction && made.kind !== K.FunctionExpression) {
    if (made.kind === K.SourceFile || made.kind === K.FunctionDeclaration || made.kind === K.MethodDeclaration)
      return undefined;
    made = made.parent;
  }
  const call = made.parent as Called;
  if (call.kind !== K.CallExpression) return undefined;
  const place = (call.arguments ?? []).indexOf(made);
  return place < 0 ? undefined : findAssertion(program, call, place);
}

type Loop = ts.Node & { readonly initializer: ts.Node; readonly expression: ts.Node; readonly statement: ts.Node };

/** `for (const k in o) o[k]`, and nothing else with `k`. */
function looksUpItsOwn({ initializer, expression, statement }: Loop): boolean {
  const [key] = (initializer as { readonly declarations?: readonly { readonly name: ts.Node }[] }).declarations ?? [];
  if (key === undefined || key.name.kind !== K.Identifier) return false;
  const [name, object] = [key.name.getText(), expression.getText()];
  let isPlain = true;
  const pending: ts.Node[] = [statement];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const { parent } = node;
    if (node.kind === K.Identifier && node.getText() === name) {
      const isOwn = parent.kind === K.ElementAccessExpression && held(parent) !== node;
      isPlain &&= isOwn && held(parent).getText() === object;
    }
    node.forEachChild((child) => {
      pending.push(child);
      return undefined;
    });
  }
  return isPlain;
}

/** `for (x of list)`, where `x` is declared elsewhere. */
function readRefill({ project: { checker } }: OpenProgram, { initializer, expression }: Loop): readonly Draft[] {
  if (initializer.kind === K.VariableDeclarationList) return [];
  const comesAs = () => {
    const list = checker.getTypeAtLocation(expression);
    if (list === undefined || isUntyped(list)) return list;
    return list.isTypeReference() ? checker.getTypeArguments(list)[0] : undefined;
  };
  const wanted = () => wants(() => checker.getTypeAtLocation(initializer));
  return [{ value: expression, sourceAt: expression, how: 'taken', wanted, comesAs }];
}

// Callers of a function with several signatures see those, and its body another: nothing makes sure that they say the same.

type Overloaded = ts.Node & {
  readonly name?: ts.Node;
  readonly type?: ts.TypeNode;
  readonly body?: ts.Node;
  readonly parameters: readonly ts.ParameterDeclaration[];
};

function overloadsOf(node: Overloaded): readonly Overloaded[] {
  if (node.body === undefined) return [];
  const { statements, members } = node.parent as {
    readonly statements?: readonly ts.Node[];
    readonly members?: readonly ts.Node[];
  };
  const name = node.name?.getText();
  return ((statements ?? members ?? []) as readonly Overloaded[]).filter(
    (one) => one.kind === node.kind && one.body === undefined && one.name?.getText() === name,
  );
}

function readOverloadedParameters({ project: { checker } }: OpenProgram, node: Overloaded): readonly Draft[] {
  return overloadsOf(node).flatMap(({ parameters }) =>
    parameters.flatMap(({ name }, at): Draft[] => {
      const own = node.parameters[at];
      if (own === undefined || own.dotDotDotToken !== undefined) return [];
      const wanted = () => wants(() => checker.getTypeAtLocation(own));
      return [{ value: own.name, sourceAt: name, how: 'asserted', wanted }];
    }),
  );
}

/** What it gives is taken for what each signature says that it fits; where it fits none, for what any says. */
function readOverloadedReturn({ project: { checker } }: OpenProgram, expression: ts.Node): readonly Draft[] {
  let made: ts.Node = expression;
  while (!isFunctionLike(made)) {
    if (made.kind === K.SourceFile) return [];
    made = made.parent;
  }
  const said = overloadsOf(made as Overloaded).flatMap(({ type }) => type ?? []);
  if (said.length === 0 || isMadeOfNothing(expression)) return [];
  const sourceAt = belowLooseAssertions(expression);
  const wanted = () => {
    const source = askOr(() => checker.getTypeAtLocation(sourceAt), undefined);
    if (source === undefined) return [];
    const parts = source.isUnionType() ? (source.getTypes() ?? []) : [source];
    const types = said.flatMap((type) => wants(() => checker.getTypeFromTypeNode(type)));
    const others = types.filter(({ type }) => parts.every(({ id }) => id !== type?.id));
    const fitting = others.filter(
      ({ type }) => type !== null && askOr(() => checker.isTypeAssignableTo(source, type), false),
    );
    return fitting.length > 0 || others.length < types.length ? fitting : others;
  };
  return [{ value: expression, sourceAt, how: 'asserted', wanted }];
}

type Held = ts.Node & { readonly expression: ts.Node };
type Asserted = Held & { readonly type: ts.TypeNode };
type Declared = ts.Node & { readonly type?: ts.TypeNode; readonly initializer?: ts.Node };
type Binary = ts.Node & { readonly left: ts.Node; readonly right: ts.Node; readonly operatorToken: ts.Node };
type Predicate = ts.Node & { readonly parameterName: ts.Node; readonly type?: ts.TypeNode };
type Heir = ts.Node & { readonly heritageClauses?: readonly ts.HeritageClause[]; readonly name?: ts.Node };

function held(node: ts.Node): ts.Node {
  return (node as Held).expression;
}

function wants(ask: () => ts.Type | undefined, taker?: Taker): readonly Wanted[] {
  const type = askOr(ask, undefined);
  return type === undefined ? [] : [{ type, taker }];
}

/** `x as any` says nothing of what `x` is; where it goes from there, `x` goes. */
function take(value: ts.Node | undefined, wanted: Flow['wanted']): readonly Draft[] {
  if (value === undefined || isMadeOfNothing(value)) return [];
  const made = belowLooseAssertions(value);
  if (made === value) return [{ value, sourceAt: value, how: 'taken', wanted }];
  const wantedOrAny = () => {
    const known = wanted();
    return known.length > 0 ? known : [{ type: null, taker: undefined }];
  };
  return [{ value, sourceAt: made, how: 'asserted', wanted: wantedOrAny }];
}

/** Has no members that a program could name. */
function isMadeOfNothing({ kind }: ts.Node): boolean {
  switch (kind) {
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

/** `new Map()` is a map of anything to the compiler, `new Array(3)` a list of anything: there is nothing in them yet. */
function isMadeEmpty(programs: Programs, program: OpenProgram, value: ts.Node): boolean {
  let made = value;
  while (made.kind === K.ParenthesizedExpression) made = held(made);
  const { expression, arguments: given = [] } = made as Partial<Called>;
  const [first, ...more] = given;
  if (expression === undefined || more.length > 0) return false;
  const isNew = made.kind === K.NewExpression && expression.kind === K.Identifier;
  const name = expression.getText();
  const isCollection = isNew && first === undefined && /^(?:Weak)?(?:Map|Set)$/.test(name);
  const isList = isNew && name === 'Array' && (first === undefined || first.kind === K.NumericLiteral);
  const isBare = made.kind === K.CallExpression && name === 'Object.create' && first?.kind === K.NullKeyword;
  if (!isCollection && !isList && !isBare) return false;
  const symbol = askOr(
    () => program.project.checker.getSymbolAtLocation(isBare ? held(expression) : expression),
    undefined,
  );
  const declared = symbol?.declarations ?? [];
  return declared.length > 0 && declared.every(({ path }) => originOf(programs, path) === 'library');
}

const loose: ReadonlySet<ts.SyntaxKind> = new Set([K.AnyKeyword, K.UnknownKeyword, K.NeverKeyword, K.ObjectKeyword]);

/** Also a list of it. */
function isLooseType(type: ts.Node): boolean {
  const { elementType } = type as { readonly elementType?: ts.Node };
  return (
    loose.has(type.kind) || (type.kind === K.ArrayType && elementType !== undefined && loose.has(elementType.kind))
  );
}

function isAssertion(node: ts.Node): node is Asserted {
  return node.kind === K.AsExpression || node.kind === K.TypeAssertionExpression;
}

function belowLooseAssertions(value: ts.Node): ts.Node {
  let bare = value;
  while (bare.kind === K.ParenthesizedExpression || bare.kind === K.NonNullExpression) bare = held(bare);
  return isAssertion(bare) && isLooseType(bare.type) ? beforeAssertions(bare) : value;
}

/** The outermost of several says what all of them are for. */
function readAssertion({ project: { checker } }: OpenProgram, node: Asserted): readonly Draft[] {
  let outer: ts.Node = node;
  while (outer.parent.kind === K.ParenthesizedExpression || outer.parent.kind === K.NonNullExpression)
    outer = outer.parent;
  if (isAssertion(outer.parent)) return [];
  const isConst = node.type.kind === K.TypeReference && node.type.getText() === 'const';
  // `(x as any).a`: what is looked up there is known by its name; `f(x as any)` is looked at as what `f` takes.
  if (isConst || (isLooseType(node.type) && (isLookedUp(outer) || isTaken(outer)))) return [];
  // `o[x as keyof O]` is a question of its own.
  if (outer.parent.kind === K.ElementAccessExpression && held(outer.parent) !== outer) return [];
  const made = beforeAssertions(node);
  if (isMadeOfNothing(made)) return [];
  const wanted = () => wants(() => checker.getTypeFromTypeNode(node.type));
  return [{ value: made, sourceAt: made, how: 'asserted', wanted }];
}

function isLookedUp(node: ts.Node): boolean {
  const { parent } = node;
  if (parent.kind === K.PropertyAccessExpression) return held(parent) === node;
  if (parent.kind !== K.ElementAccessExpression || held(parent) !== node) return false;
  return isFixedKey((parent as ts.Node & { readonly argumentExpression: ts.Node }).argumentExpression);
}

/** By one of the flows above. */
function isTaken(node: ts.Node): boolean {
  const { parent } = node;
  switch (parent.kind) {
    case K.CallExpression:
    case K.NewExpression:
      return held(parent) !== node && !isCopy(parent as Called);
    case K.VariableDeclaration:
    case K.PropertyDeclaration:
    case K.Parameter:
      return (parent as Declared).type !== undefined;
    case K.BinaryExpression:
      return assignments.has((parent as Binary).operatorToken.kind) && (parent as Binary).right === node;
    case K.ReturnStatement:
    case K.YieldExpression:
    case K.ArrowFunction:
    case K.JsxExpression:
    case K.JsxSpreadAttribute:
      return true;
    default:
      return false;
  }
}

const assignments: ReadonlySet<ts.SyntaxKind> = new Set([
  K.EqualsToken,
  K.QuestionQuestionEqualsToken,
  K.BarBarEqualsToken,
  K.AmpersandAmpersandEqualsToken,
]);

function readBinary(program: OpenProgram, node: Binary): readonly Draft[] {
  const { checker } = program.project;
  const { left, right, operatorToken } = node;
  if (operatorToken.kind === K.InKeyword) return [{ value: right, sourceAt: right, how: 'read', wanted: () => [] }];
  if (operatorToken.kind === K.InstanceOfKeyword) return readInstanceTest(program, left, right);
  if (!assignments.has(operatorToken.kind)) return [];
  return take(right, () => wants(() => checker.getTypeAtLocation(left)));
}

const judges = '[Symbol.hasInstance]';
const knownJudges = new WeakMap<OpenProgram, boolean>();

/** `x instanceof C`, where `C` has a word of its own on what its instances are. */
function readInstanceTest(program: OpenProgram, left: ts.Node, right: ts.Node): readonly Draft[] {
  const { checker } = program.project;
  const mayJudge =
    knownJudges.get(program) ?? program.files.some((path) => program.sourceFile(path)?.text.includes(judges) === true);
  knownJudges.set(program, mayJudge);
  if (!mayJudge) return [];
  const wanted = () =>
    wants(() => {
      const made = checker.getTypeAtLocation(right);
      const handles = made?.getSymbol()?.declarations ?? [];
      const isJudged = handles.some((handle) => handle.resolve(program.project)?.getText().includes(judges) === true);
      const instance = isJudged && made !== undefined ? checker.getPropertyOfType(made, 'prototype') : undefined;
      return instance === undefined ? undefined : checker.getTypeOfSymbol(instance);
    });
  return [{ value: left, sourceAt: left, how: 'asserted', wanted }];
}

/** `(x: unknown): x is T`: the caller takes the word of the function for it. */
function readPredicate({ project: { checker } }: OpenProgram, node: Predicate): readonly Draft[] {
  const { type, parameterName } = node;
  if (type === undefined) return [];
  const byType = () => wants(() => checker.getTypeFromTypeNode(type));
  if (parameterName.kind === K.ThisType) {
    const owner = node.parent.parent;
    const isMember = owner.kind === K.InterfaceDeclaration || ts.isClassLikeDeclaration(owner);
    return isMember ? [{ value: parameterName, sourceAt: owner, how: 'asserted', wanted: byType }] : [];
  }
  if (parameterName.kind !== K.Identifier) return [];
  const name = parameterName.getText();
  const { parameters = [] } = node.parent as { readonly parameters?: readonly ts.ParameterDeclaration[] };
  const parameter = parameters.find((one) => one.name.getText() === name);
  if (parameter === undefined || isToldByClass(node.parent, name, type)) return [];
  return [{ value: parameterName, sourceAt: parameter.name, how: 'asserted', wanted: byType }];
}

/** `return x instanceof C && …` in `(x): x is C`: what is an instance was made by the class. */
function isToldByClass(guard: ts.Node, name: string, type: ts.TypeNode): boolean {
  const { body } = guard as { readonly body?: ts.Node & { readonly statements?: readonly ts.Node[] } };
  const [only, ...more] = body?.statements ?? [];
  const isReturn = only?.kind === K.ReturnStatement && more.length === 0;
  const returned = isReturn ? (only as Held).expression : body?.kind === K.Block ? undefined : body;
  for (let at: ts.Node | undefined = returned; at !== undefined; ) {
    while (at.kind === K.ParenthesizedExpression) at = held(at);
    if (at.kind !== K.BinaryExpression) return false;
    const { left, right, operatorToken }: Binary = at as Binary;
    if (operatorToken.kind === K.InstanceOfKeyword)
      return left.getText() === name && right.kind === K.Identifier && right.getText() === type.getText();
    if (operatorToken.kind !== K.AmpersandAmpersandToken) return false;
    at = left;
  }
  return false;
}

/** `declare cause: T` in a class: what the base has there is taken for a `T`. */
function readRedeclared({ project: { checker } }: OpenProgram, node: ts.Node, type: ts.TypeNode): readonly Draft[] {
  const { name } = node as ts.Node & { readonly name: ts.Node };
  const clauses = (node.parent as Heir).heritageClauses ?? [];
  const bases = clauses.flatMap((one) => (one.token === K.ExtendsKeyword ? [...one.types] : []));
  const comesAs = (of: ts.Node) => () => {
    const base = checker.getTypeAtLocation(of);
    const inherited = base === undefined ? undefined : checker.getPropertyOfType(base, name.getText());
    return inherited === undefined ? undefined : checker.getTypeOfSymbol(inherited);
  };
  const wanted = () => wants(() => checker.getTypeFromTypeNode(type));
  return bases.map((base) => ({ value: name, sourceAt: name, how: 'asserted', wanted, comesAs: comesAs(base) }));
}

function readHeritage({ project: { checker } }: OpenProgram, node: Heir): readonly Draft[] {
  const clauses = node.heritageClauses ?? [];
  const value = node.name ?? node;
  return clauses
    .flatMap(({ types }) => [...types])
    .map((base) => ({
      value,
      sourceAt: node,
      how: 'inherited' as const,
      // A base of which nothing is known is asked about as such.
      wanted: () =>
        wants(() => checker.getTypeAtLocation(base)).filter(({ type }) => type !== null && !isUntyped(type)),
    }));
}

// Arguments: what the compiler expects of them, what the declaration says before it is known what is passed, and what other signatures
// of the same function would take.

function readCallFlows(programs: Programs, program: OpenProgram, node: Called): readonly Draft[] {
  const { arguments: given = [] } = node;
  if (given.length === 0) return [];
  const name = calledName(node);
  const { checker } = program.project;
  if (isCopy(node)) return readCopies(program, given);
  let callee: Callee | undefined;
  const whose = () => {
    callee ??= readCallee(programs, program, node, name);
    return callee;
  };
  const set = readSetter(program, node);
  const looked = looksUp(node) ? given.slice(0, 1) : [];
  const reads = looked.map((value) => ({ value, sourceAt: value, how: 'read' as const, wanted: () => [] }));
  const taken = given.flatMap((argument, at) => {
    const value = argument.kind === K.SpreadElement ? held(argument) : argument;
    // A descriptor that is read here.
    if (set.length > 0 && at > 0) return [];
    const wanted = (): readonly Wanted[] => {
      const { taker, signatures, only, isUnknown } = whose();
      const assertion = findAssertion(program, node, at);
      const compared = () => {
        const other = assertion?.compares === true ? findCompared(node, at) : undefined;
        return other === undefined ? undefined : askOr(() => checker.getTypeAtLocation(other), undefined);
      };
      if (looksAtNothing(assertion)) return [];
      if (isUnknown || isNameReader(taker, at)) return [{ type: null, taker, assertion, comparedWith: compared() }];
      if (at === 0 && isCalledWithAnything(program, node)) return [{ type: null, taker }];
      if (at === 0 && isLent(programs, program, taker)) return [{ type: null, taker, assertion: lentMethod }];
      if (taker.origin === 'library' && isQuietInLibrary(program, name, node)) return [];
      if (at === 0 && isItsOwn(taker)) return [];
      const fixed = only === undefined || isSpread(given, at) ? undefined : fixedAt(program, only, at);
      const expected = wants(() => fixed ?? checker.getContextualType(argument as unknown as ts.Expression), taker);
      const declared = signatures.flatMap((signature) => {
        const type = askOr(() => parameterAt(program, signature, at), undefined);
        return type === undefined ? [] : [{ type, taker }];
      });
      return [...expected, ...declared].map((one) => ({ ...one, assertion, comparedWith: compared() }));
    };
    return take(value, wanted);
  });
  return [...taken, ...reads, ...set, ...readReflectedMaking(program, node)];
}

/** `Reflect.get(o, key)`: as `o[key]`. */
function looksUp({ expression, arguments: given = [] }: Called): boolean {
  const [, key] = given;
  return reflects.test(expression.getText()) && key !== undefined && !isFixedKey(key);
}

const reflects = /^Reflect\s*\.\s*(?:get|set|has|deleteProperty|defineProperty|getOwnPropertyDescriptor)$/;

/** `Reflect.apply(f, o, list)`, where nothing says what is in the list. */
function isCalledWithAnything(
  { project: { checker } }: OpenProgram,
  { expression, arguments: given = [] }: Called,
): boolean {
  const [, , key] = given;
  const [, method] = /^Reflect\s*\.\s*(apply|construct)$/.exec(expression.getText()) ?? [];
  const list = method === 'construct' ? given[1] : key;
  if (method === undefined || list === undefined) return false;
  const type = askOr(() => checker.getTypeAtLocation(list), undefined);
  if (type === undefined || isUntyped(type)) return true;
  return type.isTypeReference() && askOr(() => checker.getTypeArguments(type).some(isUntyped), true);
}

/** `Object.defineProperty(o, 'k', { value: x })` and `Reflect.set(o, 'k', x)`: as `o.k = x`. */
function readSetter(
  { project: { checker } }: OpenProgram,
  { expression, arguments: given = [] }: Called,
): readonly Draft[] {
  const [, method] =
    /^(?:Object|Reflect)\s*\.\s*(defineProperty|defineProperties|set)$/.exec(expression.getText()) ?? [];
  const [target, key, last] = given;
  if (method === undefined || target === undefined || key === undefined) return [];
  const set = (name: string, values: readonly ts.Node[]) => {
    const wanted = (): readonly Wanted[] => {
      const holder = askOr(() => checker.getTypeAtLocation(target), undefined);
      const property = askOr(
        () => (holder === undefined ? undefined : checker.getPropertyOfType(holder, name)),
        undefined,
      );
      if (property === undefined) return [{ type: null, taker: undefined }];
      return wants(() => checker.getTypeOfSymbol(property));
    };
    return values.flatMap((value) => take(value, wanted));
  };
  if (method === 'defineProperties')
    return propertiesOf(key).flatMap(({ name, initializer }) =>
      name === undefined || initializer === undefined
        ? []
        : set(name.getText().replace(/^['"]|['"]$/g, ''), describedValues(initializer)),
    );
  if (last === undefined || !isFixedKey(key)) return [];
  return set((key as ts.Node & { readonly text: string }).text, method === 'set' ? [last] : describedValues(last));
}

type Property = Declared & { readonly name?: ts.Node; readonly body?: ts.Node };

function propertiesOf(literal: ts.Node): readonly Property[] {
  return [...((literal as { readonly properties?: readonly Property[] }).properties ?? [])];
}

/** What `value` says, or what `get` gives. */
function describedValues(descriptor: ts.Node): readonly ts.Node[] {
  return propertiesOf(descriptor).flatMap((property) => {
    const { name, initializer } = property;
    if (name?.getText() === 'value')
      return initializer ?? (property.kind === K.ShorthandPropertyAssignment ? name : []);
    if (name?.getText() !== 'get') return [];
    const { body } = (initializer ?? property) as { readonly body?: ts.Node };
    if (body === undefined || body.kind !== K.Block) return body ?? [];
    const { statements } = body as ts.Node & { readonly statements: readonly ts.Node[] };
    return [...statements].flatMap((one) => (one.kind === K.ReturnStatement ? (held(one) ?? []) : []));
  });
}

/** `Reflect.construct(C, list)`, where nothing says what is in the list. */
function readReflectedMaking(program: OpenProgram, node: Called): readonly Draft[] {
  const { checker } = program.project;
  const [made, list] = node.arguments ?? [];
  if (!/^Reflect\s*\.\s*construct$/.test(node.expression.getText()) || made === undefined || list === undefined)
    return [];
  const wanted = () => {
    const type = askOr(() => checker.getTypeAtLocation(made), undefined);
    const signatures =
      type === undefined ? [] : askOr(() => checker.getSignaturesOfType(type, ts.SignatureKind.Construct), []);
    return signatures.flatMap((one) =>
      readCall(program, one).parameters.map((each) => ({ type: each, taker: undefined })),
    );
  };
  const comesAs = () => (isCalledWithAnything(program, node) ? checker.getAnyType() : undefined);
  return [{ value: list, sourceAt: list, how: 'taken', wanted, comesAs }];
}

/** Behind what is spread, nothing is known of places. */
function isSpread(given: readonly ts.Node[], at: number): boolean {
  return given.slice(0, at + 1).some(({ kind }) => kind === K.SpreadElement);
}

/** What a signature of which nothing is inferred takes at a place, whatever stands there; of a rest the compiler says it. */
function fixedAt(program: OpenProgram, only: ts.Signature, at: number): ts.Type | undefined {
  const { parameters, hasRest } = readCall(program, only);
  return hasRest && at >= parameters.length - 1 ? undefined : parameters[at];
}

function calledName({ expression }: Held): string {
  if (expression.kind === K.PropertyAccessExpression)
    return (expression as ts.Node & { readonly name: ts.Node }).name.getText();
  return expression.kind === K.Identifier ? expression.getText() : '';
}

/** Generic, and yet it is about the names of members. */
function isNameReader({ origin, name, call }: Taker, at: number): boolean {
  if (origin !== 'library' || at > 0) return false;
  if (name === 'Proxy') return true;
  if (name !== 'defineProperty' && name !== 'defineProperties') return false;
  const key = (call as Called).arguments?.[1];
  return key === undefined || !isFixedKey(key);
}

/** `o.m.bind(o)`: in `m`, `this` is what it is when `o.m()` is called. */
function isItsOwn({ origin, name, call }: Taker): boolean {
  if (origin !== 'library' || !/^(?:bind|call|apply)$/.test(name)) return false;
  const [self] = (call as Called).arguments ?? [];
  const method = held(held(call));
  if (self === undefined || method?.kind !== K.PropertyAccessExpression) return false;
  return steady.test(self.getText()) && held(method).getText() === self.getText();
}

/** `Array.prototype.join.call(o)`: a method of the library is called on something that is none of its own. */
function isLent(programs: Programs, { project: { checker } }: OpenProgram, { origin, name, call }: Taker): boolean {
  if (origin !== 'library' || !/^(?:call|apply)$/.test(name)) return false;
  const method = held(held(call));
  const path = askOr(() => checker.getSymbolAtLocation(method)?.declarations[0]?.path, undefined);
  return path !== undefined && originOf(programs, path) === 'library';
}

const steady = /^(?:this|[\w$]+(?:\.[\w$]+)*)$/;

/** `Object.assign(target, …)`, `Object.setPrototypeOf(o, base)`: the members of one become members of another. */
function isCopy(node: Called): boolean {
  return /^Object\s*\.\s*(?:assign|setPrototypeOf)$/.test(node.expression.getText());
}

function readCopies({ project: { checker } }: OpenProgram, [target, ...sources]: readonly ts.Node[]): readonly Draft[] {
  if (target === undefined) return [];
  return sources.map((source) => {
    const value = source.kind === K.SpreadElement ? held(source) : source;
    const wanted = () => wants(() => checker.getTypeAtLocation(target));
    return { value, sourceAt: belowLooseAssertions(value), how: 'copied' as const, wanted };
  });
}

type Callee = {
  readonly taker: Taker;
  readonly signatures: readonly Call[];
  /** It has no other, and nothing of it is inferred. */
  readonly only: ts.Signature | undefined;
  readonly isUnknown: boolean;
};

function readCallee(programs: Programs, program: OpenProgram, node: Called, name: string): Callee {
  const { checker } = program.project;
  const callee = askOr(() => checker.getTypeAtLocation(node.expression), undefined);
  const isUnknown = callee === undefined || isUntyped(callee);
  // What is called without being known has no signature that says anything.
  const signature = isUnknown ? undefined : resolveSignature(program, node, callee);
  const path = signature?.declaration?.path;
  const origin: Origin = isUnknown ? 'package' : originOf(programs, path ?? callee.getSymbol()?.declarations[0]?.path);
  const target = askOr(() => signature?.getTarget(), undefined);
  const kind = node.kind === K.NewExpression ? ts.SignatureKind.Construct : ts.SignatureKind.Call;
  const all = isUnknown || origin === 'library' ? [] : askOr(() => checker.getSignaturesOfType(callee, kind), []);
  const declared = origin === 'library' ? [] : target === undefined ? [] : [target];
  const signatures = (all.length > 1 ? all : declared).map((one) => readCall(program, one));
  const only = findOnly(isUnknown ? [] : askOr(() => checker.getSignaturesOfType(callee, kind), []));
  const isGeneric = target !== undefined;
  return { taker: { origin, name, call: node, isGeneric }, signatures, only, isUnknown };
}

/** The key, or the part of a value that is written out, by which it has the name. */
export function pinpoint(program: OpenProgram, value: ts.Node, name: string): ts.Node {
  const parts: ts.Node[] = [];
  const pending = [value];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const found = listInner(at);
    const key = found.find((part) => isKeyNamed(part, name));
    if (key !== undefined) return (key as ts.Node & { readonly name: ts.Node }).name;
    if (found.length === 0 && at !== value) parts.push(at);
    pending.push(...found.map(valueIn).reverse());
  }
  const types = typesAt(program, parts);
  const at = types.findIndex(
    (type) =>
      type !== undefined && askOr(() => program.project.checker.getPropertyOfType(type, name), undefined) !== undefined,
  );
  return parts[at] ?? value;
}

function isKeyNamed(part: ts.Node, name: string): boolean {
  const { name: key } = part as { readonly name?: ts.Node & { readonly text?: string } };
  return part.parent.kind === K.ObjectLiteralExpression && key?.text === name;
}

function valueIn(part: ts.Node): ts.Node {
  const { initializer, expression } = part as { readonly initializer?: ts.Node; readonly expression?: ts.Node };
  if (part.kind === K.PropertyAssignment) return initializer ?? part;
  if (part.kind === K.SpreadAssignment || part.kind === K.SpreadElement) return expression ?? part;
  return part.kind === K.ShorthandPropertyAssignment ? (part as ts.Node & { readonly name: ts.Node }).name : part;
}

/** What stands in something that is written out. */
function listInner(node: ts.Node): readonly ts.Node[] {
  const { properties, elements, expression, body } = node as {
    readonly properties?: readonly ts.Node[];
    readonly elements?: readonly ts.Node[];
    readonly expression?: ts.Node;
    readonly body?: ts.Node;
  };
  switch (node.kind) {
    case K.ObjectLiteralExpression:
      return [...(properties ?? [])];
    case K.ArrayLiteralExpression:
      return [...(elements ?? [])];
    case K.ParenthesizedExpression:
    case K.AsExpression:
    case K.SatisfiesExpression:
      return expression === undefined ? [] : [expression];
    case K.ArrowFunction:
    case K.FunctionExpression:
    case K.MethodDeclaration:
      return body === undefined ? [] : body.kind === K.Block ? listReturned(body) : [body];
    default:
      return [];
  }
}

function listReturned(body: ts.Node): readonly ts.Node[] {
  const { statements } = body as ts.Node & { readonly statements: readonly ts.Node[] };
  return [...statements].flatMap((statement) => {
    const { expression } = statement as { readonly expression?: ts.Node };
    return statement.kind === K.ReturnStatement && expression !== undefined ? [expression] : [];
  });
}
