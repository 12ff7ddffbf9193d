/**
 * What a JavaScript or TypeScript file leaves to run time: evaluated text, computed members, computed modules, changed prototypes,
 * decorators, middleware, and the environment. Counts of what is written; nothing is executed or followed into other files.
 */

import type { Node } from 'web-tree-sitter';
import type { ParsedSource } from '../parse-source.ts';
import { classifyValue, createDeclaredValues } from './reflection/declared-values.ts';
import {
  countRead,
  createEnvironmentReads,
  isEnvironment,
  mayBeEnvironment,
  namesOfPattern,
  spanOf,
} from './reflection/environment.ts';
import { type IndexForm, isAsConst, isLiteral, readIndexForm } from './reflection/index-form.ts';
import { findReceiver, isServerMaker, isServerName } from './reflection/middleware.ts';
import { walkWithAncestors } from './reflection/walk-with-ancestors.ts';

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
