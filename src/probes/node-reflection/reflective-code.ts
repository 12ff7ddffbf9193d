/**
 * What a JavaScript or TypeScript file leaves to run time: evaluated text, computed members, computed modules, changed prototypes,
 * decorators, middleware, and the environment. Counts of what is written; nothing is executed or followed into other files.
 */

import type { ParsedSource } from '../../languages/parsing/parse-source.ts';
import type { Node } from '../../languages/parsing/syntax-node.ts';
import { type Visit, walkWithAncestors } from '../../languages/parsing/walk-tree.ts';

export type DecoratorFact = {
  readonly name: string;
  /** Where it is imported from; null if it is not imported by this file. */
  readonly module: string | null;
};

export type ReflectionFacts = {
  readonly evals: number;
  readonly functionConstructors: number;
  readonly dynamicRequires: number;
  readonly dynamicImports: number;
  readonly dynamicAccesses: number;
  /** Of these, the ones that are called. */
  readonly dynamicCalls: number;
  readonly prototypeChanges: number;
  readonly middlewareChains: number;
  readonly envReads: number;
  readonly envReadsInConditions: number;
  readonly envNames: readonly string[];
  readonly decorators: readonly DecoratorFact[];
};

export function extractReflection({ root, text }: ParsedSource): ReflectionFacts {
  const count = { eval: 0, constructor: 0, require: 0, import: 0, prototype: 0, consumer: 0 };
  const values = createDeclaredValues();
  const env = createEnvironmentReads();
  const modules = new Map<string, string>();
  const decorators: { readonly root: string; readonly name: string }[] = [];
  const subscripts: { readonly form: IndexForm; readonly called: boolean }[] = [];
  const servers = {
    made: new Set<string>(),
    otherwise: new Set<string>(),
    used: new Set<string>(),
    places: new Set<number>(),
  };
  /** Counting variables of the loops around the current node. */
  const counters = new Map<string, number>();

  const read = (node: Node | null) => (node === null ? '' : text.slice(node.startIndex, node.endIndex));
  const begins = (node: Node, length = 60) =>
    text.slice(node.startIndex, Math.min(node.endIndex, node.startIndex + length));

  const declareAny = (node: Node | null) => {
    if (node?.type === 'identifier' || node?.type === 'shorthand_property_identifier_pattern')
      values.declare(read(node), 'any');
  };
  const declareParameter = (parameter: Node) => {
    const pattern = parameter.childForFieldName('pattern') ?? parameter.childForFieldName('left') ?? parameter;
    if (pattern.type !== 'identifier') return;
    const typed = read(parameter.childForFieldName('type')).replace(/^:\s*/, '') === 'number';
    const initial = parameter.childForFieldName('value') ?? parameter.childForFieldName('right');
    values.declare(read(pattern), typed || initial?.type === 'number' ? 'number' : 'any');
  };
  const declareVariables = (declaration: Node): void => {
    const isConst = text.startsWith('const', declaration.startIndex);
    for (const declarator of declaration.namedChildren) {
      const name = declarator.childForFieldName('name');
      if (declarator.type !== 'variable_declarator' || name?.type !== 'identifier') continue;
      const value = declarator.childForFieldName('value');
      const typed = read(declarator.childForFieldName('type')).replace(/^:\s*/, '') === 'number';
      values.declare(read(name), typed ? 'number' : classifyValue(value, text, isConst));
      if (value !== null) (isServerMaker(begins(value)) ? servers.made : servers.otherwise).add(read(name));
    }
  };

  const visitCall = (call: Node): void => {
    const callee = call.childForFieldName('function');
    if (callee === null) return;
    const source = begins(callee);
    const first = call.childForFieldName('arguments')?.firstNamedChild ?? null;
    if (callee.type === 'import') {
      if (first !== null && !isLiteral(first)) count.import += 1;
    } else if (callee.type === 'identifier') {
      if (source === 'eval') count.eval += 1;
      else if (source === 'Function') count.constructor += 1;
      else if (source === 'require' && first !== null && !isLiteral(first)) count.require += 1;
    } else if (callee.type === 'parenthesized_expression') {
      if (/^\(\s*[\w$]+\s*,\s*eval\s*\)$/.test(source)) count.eval += 1;
    } else if (callee.type === 'member_expression') visitMethod(callee, source, first);
    else if (callee.type === 'subscript_expression') calledSubscripts.add(spanOf(callee));
  };
  const calledSubscripts = new Set<string>();

  const visitMethod = (callee: Node, source: string, first: Node | null): void => {
    const method = read(callee.childForFieldName('property'));
    if (/^(?:globalThis|window|global|self)\s*\.\s*eval$/.test(source)) count.eval += 1;
    else if (/^(?:Object|Reflect)\s*\.\s*setPrototypeOf$/.test(source)) count.prototype += 1;
    else if (/^(?:Object|Reflect)\s*\.\s*(?:assign|definePropert(?:y|ies))$/.test(source)) {
      if (first !== null && isPrototype(first)) count.prototype += 1;
    } else if (method === 'apply' && /^consumer\b/.test(source)) count.consumer += 1;
    else if (method === 'use') {
      const receiver = findReceiver(callee, text);
      if (receiver?.kind === 'made') servers.places.add(receiver.at);
      else if (receiver !== undefined) servers.used.add(receiver.name);
    }
  };

  const isPrototype = (node: Node): boolean =>
    node.type === 'member_expression' && read(node.childForFieldName('property')) === 'prototype';
  const changesPrototype = (target: Node): boolean => {
    const property = read(target.childForFieldName('property') ?? target.childForFieldName('index'));
    if (/^(?:prototype|['"]?__proto__['"]?)$/.test(property)) return true;
    const object = target.childForFieldName('object');
    return object !== null && isPrototype(object);
  };

  walkWithAncestors(root, {
    lexical_declaration: { enter: (node) => void declareVariables(node) },
    variable_declaration: { enter: (node) => void declareVariables(node) },
    formal_parameters: { enter: (node) => void node.namedChildren.forEach(declareParameter) },
    arrow_function: { enter: (node) => void declareAny(node.childForFieldName('parameter')) },
    shorthand_property_identifier_pattern: { enter: (node) => void declareAny(node) },
    array_pattern: { enter: (node) => void node.namedChildren.forEach(declareAny) },
    pair_pattern: { enter: (node) => void declareAny(node.childForFieldName('value')) },
    for_in_statement: {
      enter: (node) => {
        const left = node.childForFieldName('left');
        const right = node.childForFieldName('right');
        if (left?.type !== 'identifier' || right === null) return undefined;
        const isOf = node.childForFieldName('operator')?.type === 'of';
        if (isOf && isAsConst(right)) values.declare(read(left), 'constant');
        else if (isOf && right.type === 'identifier') values.declareElement(read(left), read(right));
        else values.declare(read(left), 'any');
        return undefined;
      },
    },
    for_statement: {
      enter: (node) => {
        const names = countersOf(node, text);
        for (const name of names) counters.set(name, (counters.get(name) ?? 0) + 1);
        return () => {
          for (const name of names) counters.set(name, (counters.get(name) ?? 1) - 1);
        };
      },
    },
    import_statement: { enter: (node) => void readImport(node, modules, read) },
    call_expression: { enter: (node) => void visitCall(node) },
    new_expression: {
      when: (start) => /^new\s+(?:globalThis\.|window\.)?Function\b/.test(text.slice(start, start + 40)),
      enter: () => {
        count.constructor += 1;
        return undefined;
      },
    },
    assignment_expression: {
      enter: (node) => {
        const left = node.childForFieldName('left');
        const right = node.childForFieldName('right');
        if (left === null) return undefined;
        if (left.type === 'identifier') values.declare(read(left), classifyValue(right, text, false));
        else if (left.type === 'member_expression' || left.type === 'subscript_expression') {
          if (changesPrototype(left)) count.prototype += 1;
          if (isEnvironment(left.childForFieldName('object'), text)) markWritten(left);
        } else if (left.type === 'object_pattern' && isEnvironment(right, text)) env.done.add(spanOf(right));
        return undefined;
      },
    },
    unary_expression: {
      when: (start) => text.startsWith('delete', start),
      enter: (node) => {
        const argument = node.childForFieldName('argument');
        if (argument !== null && isEnvironment(argument.childForFieldName('object'), text)) markWritten(argument);
        return undefined;
      },
    },
    pair: {
      when: (start) => /^['"]?__proto__\b/.test(text.slice(start, start + 11)),
      enter: () => {
        count.prototype += 1;
        return undefined;
      },
    },
    decorator: {
      enter: (node) => {
        const called = node.firstNamedChild;
        const callee = called?.type === 'call_expression' ? called.childForFieldName('function') : called;
        if (callee !== null && callee !== undefined) {
          const path = begins(callee, 200).split(/\s*\??\.\s*/);
          decorators.push({ root: path[0] ?? '', name: path.at(-1) ?? '' });
        }
        return undefined;
      },
    },
    variable_declarator: {
      enter: (node, visit) => {
        const value = node.childForFieldName('value');
        const name = node.childForFieldName('name');
        if (name?.type === 'object_pattern' && isEnvironment(value, text)) {
          env.done.add(spanOf(value));
          countRead(env, visit, namesOfPattern(name, text));
        }
        return undefined;
      },
    },
    member_expression: {
      when: (start) => mayBeEnvironment(text, start),
      enter: (node, visit) => {
        const object = node.childForFieldName('object');
        if (env.done.has(spanOf(node))) return undefined;
        if (isEnvironment(object, text)) {
          env.done.add(spanOf(object)).add(spanOf(unwrapAssertion(object)));
          countRead(env, visit, [read(node.childForFieldName('property'))]);
        } else if (isEnvironment(node, text)) countRead(env, visit, []);
        return undefined;
      },
    },
    subscript_expression: {
      enter: (node, visit) => {
        const index = node.childForFieldName('index');
        const object = node.childForFieldName('object');
        if (index === null || object === null) return undefined;
        if (isEnvironment(object, text)) {
          env.done.add(spanOf(object)).add(spanOf(unwrapAssertion(object)));
          const name = index.type === 'string' ? [read(index).slice(1, -1)] : [];
          if (!env.done.has(spanOf(node))) countRead(env, visit, name);
        }
        const form = readIndexForm(index, text);
        if (isCounted(form, counters)) return undefined;
        subscripts.push({ form, called: calledSubscripts.has(spanOf(node)) });
        return undefined;
      },
    },
  });

  function markWritten(target: Node): void {
    env.done.add(spanOf(target));
    const object = target.childForFieldName('object');
    if (object !== null) env.done.add(spanOf(object)).add(spanOf(unwrapAssertion(object)));
  }

  const isDynamic = (form: IndexForm): boolean => {
    if (form.kind === 'name') return (values.find(form.name) ?? 'any') === 'any';
    return (
      form.kind === 'dynamic' || (form.kind === 'number' && form.names.some((name) => values.find(name) !== 'number'))
    );
  };
  const dynamic = subscripts.filter(({ form }) => isDynamic(form));
  for (const name of servers.used) {
    const isServer = servers.made.has(name) || (!servers.otherwise.has(name) && isServerName(name));
    if (!isServer) servers.used.delete(name);
  }
  return {
    evals: count.eval,
    functionConstructors: count.constructor,
    dynamicRequires: count.require,
    dynamicImports: count.import,
    dynamicAccesses: dynamic.length,
    dynamicCalls: dynamic.filter(({ called }) => called).length,
    prototypeChanges: count.prototype,
    middlewareChains: servers.used.size + servers.places.size + count.consumer,
    envReads: env.reads,
    envReadsInConditions: env.inConditions,
    envNames: [...env.names].sort(),
    decorators: decorators.map(({ root: first, name }) => ({ name, module: modules.get(first) ?? null })),
  };
}

/** `process.env!` is written around `process.env`. */
function unwrapAssertion(node: Node): Node {
  return node.type === 'non_null_expression' ? (node.firstNamedChild ?? node) : node;
}

/** Variables that a `for (let i = 0; …)` counts with. */
function countersOf(loop: Node, text: string): string[] {
  const initializer = loop.childForFieldName('initializer');
  if (initializer === null) return [];
  return initializer.namedChildren.flatMap((declarator) => {
    const name = declarator.childForFieldName('name');
    const value = declarator.childForFieldName('value');
    return name?.type === 'identifier' && classifyValue(value, text, false) === 'number'
      ? [text.slice(name.startIndex, name.endIndex)]
      : [];
  });
}

function isCounted(form: IndexForm, counters: ReadonlyMap<string, number>): boolean {
  if (form.kind === 'static') return true;
  const names = form.kind === 'name' ? [form.name] : form.kind === 'number' ? form.names : null;
  return names?.every((name) => (counters.get(name) ?? 0) > 0) ?? false;
}

function readImport(statement: Node, modules: Map<string, string>, read: (node: Node | null) => string): void {
  const source = read(statement.childForFieldName('source')).slice(1, -1);
  const clause = statement.namedChildren.find((child) => child.type === 'import_clause');
  for (const part of clause?.namedChildren ?? []) {
    if (part.type === 'identifier') modules.set(read(part), source);
    else if (part.type === 'namespace_import') modules.set(read(part.firstNamedChild), source);
    else if (part.type === 'named_imports') {
      for (const each of part.namedChildren)
        modules.set(read(each.childForFieldName('alias') ?? each.childForFieldName('name')), source);
    }
  }
}

// What the index of `object[index]` is: static (a literal, a well-known symbol), a number by its form, or a name whose declarations
// decide. Only the form is looked at: a property that is reached by a number is an element of a list, not a member by name.

type IndexForm =
  | { readonly kind: 'static' }
  /** A number, if all of these names are numbers. */
  | { readonly kind: 'number'; readonly names: readonly string[] }
  /** A name, or a member of one: static, if the name is a table of constants or a literal. */
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'dynamic' };

const wrappers: ReadonlySet<string> = new Set([
  'parenthesized_expression',
  'non_null_expression',
  'as_expression',
  'satisfies_expression',
]);
const literals: ReadonlySet<string> = new Set(['string', 'number', 'true', 'false', 'null', 'undefined']);
const arithmetic: ReadonlySet<string> = new Set(['-', '*', '/', '%', '**', '&', '|', '^', '<<', '>>', '>>>']);
const numberCall = /^(?:Math\.|Number\(|parseInt\(|Number\.parse|[\w$.]{1,100}\.(?:lastIndexOf|indexOf|charCodeAt)\()/;
/** Longer sums are no index. */
const termsMax = 16;

function readIndexForm(index: Node, text: string): IndexForm {
  if (isSaidToBeNumber(index, text)) return { kind: 'number', names: [] };
  const node = unwrap(index);
  if (isLiteral(node)) return { kind: 'static' };
  const source = text.slice(node.startIndex, Math.min(node.endIndex, node.startIndex + 120));
  if (node.type === 'member_expression') {
    if (/^Symbol\s*\./.test(source)) return { kind: 'static' };
    if (/\.\s*(?:length|size)$/.test(text.slice(Math.max(node.startIndex, node.endIndex - 12), node.endIndex)))
      return { kind: 'number', names: [] };
    const object = node.childForFieldName('object');
    return object?.type === 'identifier'
      ? { kind: 'name', name: text.slice(object.startIndex, object.endIndex) }
      : { kind: 'dynamic' };
  }
  if (node.type === 'identifier') return { kind: 'name', name: text.slice(node.startIndex, node.endIndex) };
  const names = numbersIn(node, text);
  return names === undefined ? { kind: 'dynamic' } : { kind: 'number', names };
}

/** Names it takes for a number to be the result; none where arithmetic itself makes one; undefined where nothing says so. */
function numbersIn(node: Node, text: string): readonly string[] | undefined {
  const names: string[] = [];
  const pending = [node];
  for (let terms = 0; terms < termsMax; terms += 1) {
    const next = pending.pop();
    if (next === undefined) return names;
    if (isSaidToBeNumber(next, text)) continue;
    const term = unwrap(next);
    const source = text.slice(term.startIndex, Math.min(term.endIndex, term.startIndex + 120));
    if (term.type === 'identifier') names.push(source);
    else if (term.type === 'binary_expression') {
      const operator = term.childForFieldName('operator')?.type ?? '';
      if (operator === '+') pending.push(...term.namedChildren);
      else if (!arithmetic.has(operator)) return undefined;
    } else if (term.type === 'unary_expression') {
      if (!/^[-+~]/.test(source)) return undefined;
    } else if (term.type === 'call_expression') {
      if (!numberCall.test(source)) return undefined;
    } else if (term.type === 'member_expression') {
      if (!/\.\s*(?:length|size)$/.test(text.slice(Math.max(term.startIndex, term.endIndex - 12), term.endIndex)))
        return undefined;
    } else if (term.type !== 'number' && term.type !== 'update_expression') return undefined;
  }
  return undefined;
}

function isLiteral(node: Node): boolean {
  return literals.has(node.type) || (node.type === 'template_string' && !hasSubstitution(node));
}

/** `x as number`: the author's word, as good as an annotation. */
function isSaidToBeNumber(node: Node, text: string): boolean {
  if (node.type !== 'as_expression') return false;
  const type = node.namedChildCount === 2 ? node.lastNamedChild : null;
  return type !== null && text.slice(type.startIndex, type.endIndex) === 'number';
}

/** `x as const` says that it never changes. */
function isAsConst(node: Node): boolean {
  return node.type === 'as_expression' && node.namedChildCount === 1;
}

function hasSubstitution(node: Node): boolean {
  return node.namedChildren.some((child) => child.type === 'template_substitution');
}

function unwrap(node: Node): Node {
  let inner = node;
  for (let depth = 0; depth < termsMax && wrappers.has(inner.type); depth += 1) {
    const next = inner.firstNamedChild;
    if (next === null) break;
    inner = next;
  }
  return inner;
}

// What the names of a file stand for, as far as an index can be judged by it: a number, a constant, or anything. Scopes are not
// told apart: a name counts as a number or a constant only where every declaration and assignment in the file makes it one.

type DeclaredValue = 'number' | 'constant' | 'any';

interface DeclaredValues {
  declare(name: string, value: DeclaredValue): void;
  /** `for (const x of list)`: an element of a table of constants is a constant. */
  declareElement(name: string, list: string): void;
  find(name: string): DeclaredValue | undefined;
}

function createDeclaredValues(): DeclaredValues {
  const values = new Map<string, DeclaredValue>();
  const lists = new Map<string, string>();
  const find = (name: string): DeclaredValue | undefined => {
    const list = lists.get(name);
    if (list === undefined) return values.get(name);
    return values.get(list) === 'constant' && !values.has(name) ? 'constant' : 'any';
  };
  return {
    declare(name, value) {
      const before = values.get(name);
      values.set(name, before === undefined || before === value ? value : 'any');
    },
    declareElement(name, list) {
      const before = lists.get(name);
      if (before === undefined || before === list) lists.set(name, list);
      else values.set(name, 'any');
    },
    find,
  };
}

function classifyValue(value: Node | null, text: string, isConst: boolean): DeclaredValue {
  if (value === null) return 'any';
  if (value.type === 'number') return 'number';
  if (isAsConst(value) || (isConst && isLiteral(value))) return 'constant';
  // A number that depends on other names may be none.
  return numbersIn(value, text)?.length === 0 ? 'number' : 'any';
}

// Reads of environment variables: `process.env.NAME`, `import.meta.env.NAME`, destructured or as a whole. Writes are none.

interface EnvironmentReads {
  reads: number;
  inConditions: number;
  readonly names: Set<string>;
  /** Nodes that were counted with the one around them, or are no reads; by their span. */
  readonly done: Set<string>;
}

function createEnvironmentReads(): EnvironmentReads {
  return { reads: 0, inConditions: 0, names: new Set(), done: new Set() };
}

/** Where a chain that may lead to the environment begins. */
function mayBeEnvironment(text: string, start: number): boolean {
  return (
    text.startsWith('process', start) || text.startsWith('import.meta', start) || text.startsWith('globalThis', start)
  );
}

const environment = /^(?:(?:globalThis\s*\??\.\s*)?process\s*[?!]?\.\s*env|import\.meta\s*\??\.\s*env)!?$/;
/** Enough for every way to write it. */
const longest = 60;

function isEnvironment(node: Node | null, text: string): node is Node {
  if (node === null || node.endIndex - node.startIndex > longest) return false;
  return environment.test(text.slice(node.startIndex, node.endIndex));
}

const conditional: ReadonlySet<string> = new Set([
  'if_statement',
  'switch_statement',
  'while_statement',
  'do_statement',
  'ternary_expression',
]);
const conditionDistance = 4;

function countRead(env: EnvironmentReads, visit: Visit, names: readonly string[]): void {
  const reads = Math.max(1, names.length);
  env.reads += reads;
  for (const name of names) env.names.add(name);
  for (let distance = 1; distance <= conditionDistance; distance += 1) {
    if (conditional.has(visit.above(distance) ?? '')) {
      env.inConditions += reads;
      return;
    }
  }
}

const spanOf = ({ startIndex, endIndex }: Node): string => `${startIndex} ${endIndex}`;

/** Property names of `const { A, B: b = 1, ...rest } = process.env`. */
function namesOfPattern(pattern: Node, text: string): string[] {
  return pattern.namedChildren.flatMap((child) => {
    const key =
      child.type === 'shorthand_property_identifier_pattern'
        ? child
        : child.type === 'pair_pattern'
          ? child.childForFieldName('key')
          : child.type === 'object_assignment_pattern'
            ? child.childForFieldName('left')
            : null;
    return key === null ? [] : [text.slice(key.startIndex, key.endIndex).replace(/^['"]|['"]$/g, '')];
  });
}

// Chains of middleware: a server object on which `.use(…)` is called, counted once however many are hung on it, and every
// `consumer.apply(…)` of NestJS. An object is a server if this file makes it with a known maker; where the file does not make it,
// its name decides.

const maker =
  /^(?:new\s+(?:Koa|Hono|Elysia|Router|KoaRouter|OpenAPIHono)\b|(?:express|Express|fastify|Fastify|connect|polka|restana|Router|restify\.createServer|express\.Router)\s*\()/;
const serverName = /^(?:app|router|server|api)$|(?:App|Router|Server)$/;
const chainMax = 32;

function isServerMaker(value: string): boolean {
  return maker.test(value);
}

/** What the chain hangs on: the name of the object, or where it is made. */
type Receiver = { readonly kind: 'name'; readonly name: string } | { readonly kind: 'made'; readonly at: number };

function findReceiver(called: Node, text: string): Receiver | undefined {
  let object = called.childForFieldName('object');
  for (let links = 0; object !== null && links < chainMax; links += 1) {
    const source = text.slice(object.startIndex, Math.min(object.endIndex, object.startIndex + 60));
    if (object.type === 'identifier') return { kind: 'name', name: source };
    if (object.type === 'member_expression') {
      const property = object.childForFieldName('property');
      return property === null ? undefined : { kind: 'name', name: text.slice(property.startIndex, property.endIndex) };
    }
    if (isServerMaker(source)) return { kind: 'made', at: object.startIndex };
    const inner: Node | null = object.type === 'call_expression' ? object.childForFieldName('function') : null;
    object = inner?.type === 'member_expression' ? inner.childForFieldName('object') : null;
  }
  return undefined;
}

function isServerName(name: string): boolean {
  return serverName.test(name);
}
