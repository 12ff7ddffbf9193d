/**
 * Types as far as values and their names are concerned: what a type is made of, asked of the compiler once and kept for the program.
 * A type that has a name outside the repository is looked into by its arguments and signatures alone: its members are its own.
 */

import { lazy } from '../../../kernel/base/lazy.ts';
import * as ts from '../../../languages/typescript/compiler/typescript-api.ts';
import type { OpenProgram, Programs } from '../job/job-types.ts';
import { askOr } from '../job/name-tokens.ts';
import { isCompilerLibrary } from '../job/programs.ts';

export type Origin = 'here' | 'library' | 'package';

export type Call = {
  readonly parameters: readonly ts.Type[];
  readonly hasRest: boolean;
  readonly returns: ts.Type | undefined;
};

/** Each part is asked for when it is first looked at. */
export type Shape = {
  /** `open`: any value, of whose members nothing is said. `plain`: no members of ours. */
  readonly kind: 'open' | 'plain' | 'parameter' | 'union' | 'object';
  readonly parts: readonly ts.Type[];
  readonly origin: Origin;
  /** Declared under a name of its own, and not written out where it stands. */
  readonly isNamed: boolean;
  /** Root-relative, of what is declared once in the repository. */
  readonly declaredIn: string | undefined;
  /** The file in which it is written out; absolute if that is outside. */
  readonly writtenIn: string | undefined;
  /** Of an object that is written out, and is not what a `Proxy` stands before: it has what is written there, and nothing else. */
  readonly isLiteral: boolean;
  property(name: string): ts.Symbol | undefined;
  readonly properties: readonly { readonly name: string; readonly type: ts.Type }[];
  readonly args: readonly ts.Type[];
  /** The generic type that the arguments are given to, and its parameters. */
  readonly generic: { readonly type: ts.Type; readonly parameters: readonly ts.Type[] } | undefined;
  readonly calls: readonly Call[];
  /** Of what makes instances: by `new`. */
  readonly makes: readonly Call[];
  /** What a key that is any string leads to. */
  readonly indexed: ts.Type | undefined;
};

/** Of values that have no members of ours. */
export const simple =
  ts.TypeFlags.StringLike |
  ts.TypeFlags.NumberLike |
  ts.TypeFlags.BooleanLike |
  ts.TypeFlags.Void |
  ts.TypeFlags.Undefined |
  ts.TypeFlags.Null;

const knownShapes = new WeakMap<OpenProgram, Map<number, Shape>>();

export function shapeOf(programs: Programs, program: OpenProgram, type: ts.Type): Shape {
  const known = knownShapes.get(program) ?? new Map<number, Shape>();
  knownShapes.set(program, known);
  const shape = known.get(type.id) ?? createShape(programs, program, type);
  known.set(type.id, shape);
  return shape;
}

const untyped = ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.NonPrimitive;

function createShape(programs: Programs, program: OpenProgram, type: ts.Type): Shape {
  const { checker } = program.project;
  const symbol = lazy(() => askOr(() => type.getSymbol(), undefined));
  const origin = lazy(() => originOf(programs, symbol()?.declarations[0]?.path));
  const isTuple = lazy(() => askOr(() => type.isTypeReference() && type.getTarget().isTupleType(), false));
  const isOwn = () => !isTuple() && (origin() === 'here' || /^__(?:type|object)$/.test(symbol()?.name ?? '__type'));
  const listed = lazy(() => (isMethod(symbol()) ? [] : askOr(() => checker.getPropertiesOfType(type), [])));
  const properties = lazy(() => (isOwn() ? withTypes(program, listed()) : []));
  const calls = lazy(() => listCalls(program, type));
  const makes = lazy(() => listMakes(program, type));
  // Nothing that a function is declared as gives it one.
  const isCallable = () => isFunction(symbol()) && listSignatures(program, type).length > 0;
  const indexed = lazy(() => (isOwn() && !isCallable() ? findIndexed(program, type) : undefined));
  /** What it has is what it lists, and what all objects have. */
  const isListed = () =>
    kind() === 'object' &&
    (type.flags & ts.TypeFlags.Object) !== 0 &&
    (((type as { readonly objectFlags?: number }).objectFlags ?? 0) & ts.ObjectFlags.Mapped) === 0 &&
    isOwn();
  const generic = lazy(() => askOr(() => readGeneric(type), undefined));
  const args = lazy(() => askOr(() => readArguments(checker, type), []));
  const declaredIn = lazy(() => {
    const { name = '__type', declarations = [] } = symbol() ?? {};
    const [only, ...more] = declarations;
    if (only === undefined || more.length > 0 || name.startsWith('__')) return undefined;
    const { path, outside } = programs.place(only.path);
    return outside ? undefined : path;
  });
  const byName = new Map<string, ts.Symbol | undefined>();
  const parts = lazy(() => readParts(type));
  const kind = lazy(() => kindOf(type, symbol(), origin, () => isEmpty(program, type)));
  return {
    get kind() {
      return kind();
    },
    get parts() {
      return parts();
    },
    get origin() {
      return origin();
    },
    get isNamed() {
      return !(symbol()?.name ?? '__type').startsWith('__');
    },
    get declaredIn() {
      return declaredIn();
    },
    get writtenIn() {
      const path = symbol()?.declarations[0]?.path;
      return path === undefined ? undefined : programs.place(path).path;
    },
    get isLiteral() {
      return symbol()?.name === '__object' && !isProxied(program, symbol());
    },
    property(name) {
      if (byName.has(name)) return byName.get(name);
      const found =
        isListed() && !isEverywhere(program, name)
          ? listed().find((one) => one.name === name)
          : askOr(() => checker.getPropertyOfType(type, name), undefined);
      byName.set(name, found);
      return found;
    },
    get properties() {
      return properties();
    },
    get args() {
      return args();
    },
    get generic() {
      return generic();
    },
    get calls() {
      return calls();
    },
    get makes() {
      return makes();
    },
    get indexed() {
      return indexed();
    },
  };
}

/** `new Proxy({}, handler)` is of the type of `{}`. */
function isProxied({ project }: OpenProgram, symbol: ts.Symbol | undefined): boolean {
  let at = askOr(() => symbol?.declarations[0]?.resolve(project), undefined);
  while (at !== undefined && wrappers.has(at.parent.kind)) at = at.parent;
  const { parent } = at ?? {};
  if (parent?.kind !== ts.SyntaxKind.NewExpression) return false;
  return /(?:^|\.)Proxy$/.test((parent as ts.Node & { readonly expression: ts.Node }).expression.getText());
}

const wrappers: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.ParenthesizedExpression,
  ts.SyntaxKind.AsExpression,
  ts.SyntaxKind.SatisfiesExpression,
]);

/** Types of any value that is a function, or an object, whatever it has. */
const openNames: ReadonlySet<string> = new Set(['Function', 'Object', 'CallableFunction', 'NewableFunction']);

function kindOf(
  type: ts.Type,
  symbol: ts.Symbol | undefined,
  origin: () => Origin,
  isBare: () => boolean,
): Shape['kind'] {
  if ((type.flags & untyped) !== 0 || type.isErrorType()) return 'open';
  if (type.isTypeParameter()) return 'parameter';
  if (type.isUnionType() || type.isIntersectionType()) return 'union';
  if ((type.flags & ts.TypeFlags.Object) === 0) return 'plain';
  if (symbol !== undefined && openNames.has(symbol.name) && origin() === 'library') return 'open';
  return isBare() ? 'open' : 'object';
}

/** `{}`: anything but nothing. What has signatures is asked first: most are functions, whose signatures are looked at later. */
function isEmpty(program: OpenProgram, type: ts.Type): boolean {
  const { checker } = program.project;
  if (type.isClassOrInterface() || type.isTypeReference() || type.getSymbol()?.name === '__object') return false;
  return (
    listSignatures(program, type).length === 0 &&
    askOr(() => checker.getPropertiesOfType(type).length === 0, false) &&
    askOr(() => checker.getIndexInfosOfType(type).length === 0, false) &&
    askOr(() => checker.getSignaturesOfType(type, ts.SignatureKind.Construct).length === 0, false)
  );
}

export function originOf(programs: Programs, path: string | undefined): Origin {
  if (path === undefined) return 'here';
  if (isLibraryFile(path)) return 'library';
  return programs.place(path).outside ? 'package' : 'here';
}

/** The compiler's own, and the runtime's: they say of their parameters what they do with them. */
function isLibraryFile(path: string): boolean {
  return isCompilerLibrary(path) || /\/node_modules\/@types\/node\//.test(path);
}

function readParts(type: ts.Type): readonly ts.Type[] {
  return type.isUnionType() || type.isIntersectionType() ? askOr(() => type.getTypes() ?? [], []) : [type];
}

function withTypes({ project: { checker } }: OpenProgram, symbols: readonly ts.Symbol[]): Shape['properties'] {
  if (symbols.length === 0) return [];
  const types = askOr(
    () => checker.getTypeOfSymbol(symbols),
    symbols.map(() => undefined),
  );
  return symbols.flatMap(({ name }, at) => {
    const its = types[at];
    return its === undefined ? [] : [{ name, type: its }];
  });
}

function isFunction(symbol: ts.Symbol | undefined): boolean {
  return symbol !== undefined && (symbol.flags & (ts.SymbolFlags.Function | ts.SymbolFlags.Method)) !== 0;
}

/** Nothing can be put on one, as on a function. */
function isMethod(symbol: ts.Symbol | undefined): boolean {
  return symbol !== undefined && (symbol.flags & ~ts.SymbolFlags.Optional) === ts.SymbolFlags.Method;
}

type Everywhere = ReadonlySet<string> | 'anything';
const knownEverywhere = new WeakMap<OpenProgram, Everywhere>();
const ofEverything = ['Object', 'Function', 'CallableFunction', 'NewableFunction'];

/** Objects or functions have a property of that name which no type of theirs lists. */
function isEverywhere(program: OpenProgram, name: string): boolean {
  const found = knownEverywhere.get(program) ?? askOr<Everywhere>(() => listEverywhere(program), 'anything');
  knownEverywhere.set(program, found);
  return found === 'anything' || found.has(name);
}

function listEverywhere({ project: { checker } }: OpenProgram): ReadonlySet<string> {
  return new Set(
    ofEverything.flatMap((name) => {
      const symbol = checker.resolveName(name, ts.SymbolFlags.Interface);
      if (symbol === undefined) return [];
      return checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol)).map((one) => one.name);
    }),
  );
}

const overloadsMax = 2;

function listCalls(program: OpenProgram, type: ts.Type): readonly Call[] {
  // Of many overloads, the first say what kind of values it is about.
  return listSignatures(program, type)
    .slice(0, overloadsMax)
    .map((signature) => readCall(program, signature));
}

function listMakes(program: OpenProgram, type: ts.Type): readonly Call[] {
  if ((type.flags & ts.TypeFlags.Object) === 0) return [];
  // Instances of a class make nothing.
  const { flags = 0 } = askOr(() => type.getSymbol(), undefined) ?? {};
  if (type.isClassOrInterface() && (flags & ts.SymbolFlags.Class) !== 0) return [];
  const { checker } = program.project;
  return askOr(() => checker.getSignaturesOfType(type, ts.SignatureKind.Construct), [])
    .slice(0, 1)
    .map((signature) => readCall(program, signature));
}

/** How many there are costs one question; what each is about, several, and the compiler has to find out what it gives. */
function listSignatures({ project: { checker } }: OpenProgram, type: ts.Type) {
  if ((type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) === 0) return [];
  return askOr(() => checker.getSignaturesOfType(type, ts.SignatureKind.Call), []);
}

const knownCalls = new WeakMap<OpenProgram, Map<number, Call>>();

/** What it gives is asked when it is first looked at: of a function without a type of its result it is inference over a body. */
export function readCall(program: OpenProgram, signature: ts.Signature): Call {
  const known = knownCalls.get(program) ?? new Map<number, Call>();
  knownCalls.set(program, known);
  const read = known.get(signature.id);
  if (read !== undefined) return read;
  const { checker } = program.project;
  const symbols = signature.getParameters();
  const types = symbols.length === 0 ? [] : askOr(() => checker.getTypeOfSymbol(symbols), []);
  const returns = lazy(() => askOr(() => checker.getReturnTypeOfSignature(signature), undefined));
  const call: Call = {
    parameters: types.flatMap((one) => one ?? checker.getAnyType()),
    hasRest: signature.hasRestParameter,
    get returns() {
      return returns();
    },
  };
  known.set(signature.id, call);
  return call;
}

/**
 * The signature that a call comes to. Where what is called has one, and nothing of it is inferred, that is it, and asked once for all
 * calls; `called` is what is called, or undefined where nothing is known of it.
 */
export function resolveSignature(
  { project: { checker } }: OpenProgram,
  call: ts.Node,
  called: ts.Type | undefined,
): ts.Signature | undefined {
  const kind = call.kind === ts.SyntaxKind.NewExpression ? ts.SignatureKind.Construct : ts.SignatureKind.Call;
  const all = called === undefined ? [] : askOr(() => checker.getSignaturesOfType(called, kind), []);
  return findOnly(all) ?? askOr(() => checker.getResolvedSignature(call), undefined);
}

/** Without type parameters of its own. */
export function findOnly(signatures: readonly ts.Signature[]): ts.Signature | undefined {
  const [only, ...more] = signatures;
  return only === undefined || more.length > 0 || (only.typeParameters ?? []).length > 0 ? undefined : only;
}

/** What the parameter at this place takes. */
export function parameterAt(program: OpenProgram, { parameters, hasRest }: Call, at: number): ts.Type | undefined {
  const last = parameters.length - 1;
  if (!hasRest || at < last) return parameters[at];
  const rest = parameters[last];
  if (rest === undefined) return undefined;
  if ((rest.flags & ts.TypeFlags.Any) !== 0) return rest;
  const { checker } = program.project;
  if (!rest.isTypeReference()) return rest;
  const held = askOr(() => checker.getTypeArguments(rest), []);
  return askOr(() => checker.isTupleType(rest), false) ? held[at - last] : held[0];
}

function findIndexed(program: OpenProgram, type: ts.Type): ts.Type | undefined {
  const { checker } = program.project;
  const infos = askOr(() => checker.getIndexInfosOfType(type), []);
  return infos.find(({ keyType }) => (keyType.flags & ts.TypeFlags.String) !== 0)?.valueType;
}

function readArguments(checker: ts.Checker, type: ts.Type): readonly ts.Type[] {
  if (type.isTypeReference()) return checker.getTypeArguments(type);
  return type.getAliasTypeArguments();
}

function readGeneric(type: ts.Type): Shape['generic'] {
  if (!type.isTypeReference()) return undefined;
  const target = type.getTarget();
  return target.isClassOrInterface() ? { type: target, parameters: target.getTypeParameters() } : undefined;
}

// What a generic function does with a type parameter of its own.

type Roles = { readonly gives: boolean; readonly takes: boolean };

/** A type parameter belongs to one signature, and a function may be called in hundreds of places. */
const knownRoles = new WeakMap<OpenProgram, Map<number, Roles>>();

/** Whether a function gives values of its type parameter, and whether it is given some. */
export function readRoles(
  programs: Programs,
  program: OpenProgram,
  { parameters, returns }: Call,
  parameter: ts.Type,
): Roles {
  const known = knownRoles.get(program) ?? new Map<number, Roles>();
  knownRoles.set(program, known);
  const read = known.get(parameter.id);
  if (read !== undefined) return read;
  let [gives, takes] = [false, false];
  /** How near each type was met, on either side: what was met nearer, or as near, has nothing new in it. */
  const met = [new Map<number, number>(), new Map<number, number>()] as const;
  const look = (type: ts.Type, isGiven: boolean, depth: number): void => {
    if (takes) return;
    if (type.id === parameter.id) {
      if (isGiven) gives = true;
      else takes = true;
      return;
    }
    const side = met[isGiven ? 0 : 1];
    if (depth > 4 || (side.get(type.id) ?? Number.POSITIVE_INFINITY) <= depth) return;
    side.set(type.id, depth);
    const own = shapeOf(programs, program, type);
    if (own.kind === 'open' || own.kind === 'plain' || own.kind === 'parameter') return;
    if (own.kind === 'union') {
      for (const one of own.parts) look(one, isGiven, depth + 1);
      return;
    }
    // What an alias is given says nothing of who gives and who takes; its members and calls do.
    const isSpelledOut = own.properties.length > 0 || own.calls.length > 0;
    if (isGiven || !isSpelledOut) for (const one of own.args) look(one, isGiven, depth + 1);
    for (const one of own.properties) look(one.type, isGiven, depth + 1);
    if (own.indexed !== undefined) look(own.indexed, isGiven, depth + 1);
    for (const call of own.calls) {
      for (const one of call.parameters) look(one, !isGiven, depth + 1);
      if (call.returns !== undefined) look(call.returns, isGiven, depth + 1);
    }
  };
  for (const one of parameters) look(one, false, 0);
  if (returns !== undefined) look(returns, true, 0);
  known.set(parameter.id, { gives, takes });
  return { gives, takes };
}
