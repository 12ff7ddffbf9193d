/**
 * Facts of a C# file. Types are visited body by body; the bodies of members are searched only if their text says that there is
 * something to find. Invariants S2, S3: a record is a declaration without bodies; of initialisers only those of `const` count, and
 * accessors with their modifiers.
 */

import {
  addRecord,
  addSymbol,
  type FactSheet,
  finishSheet,
  knowsItsNames,
  type NamedSpan,
  nameOf,
  startSheet,
  within,
} from '../extraction/fact-sheet.ts';
import { closedBy, normaliseSource, quotedEnd, runLength, type TokenRules } from '../extraction/source-tokens.ts';
import type { RawFacts, SourceTree, SymbolKind } from '../facts.ts';
import type { Node } from '../parsing/syntax-node.ts';
import { spanOf } from '../parsing/walk-tree.ts';

type Scope = {
  /** What is around: a namespace or the file itself, an interface, or another type, whose members are private unless they say so. */
  readonly kind: 'namespace' | 'interface' | 'type';
  /** The type around, or nothing. */
  readonly name: string;
  readonly parent: number;
  /** Written before the text of every record inside: `Acme.Orders.Order.` */
  readonly path: string;
  /** And before that the conditions of `#if` under which it is there. */
  readonly guard: string;
  readonly exported: boolean;
};

type Walk = {
  readonly sheet: FactSheet;
  readonly text: string;
  readonly pending: { readonly node: Node; readonly scope: Scope }[];
  readonly searchBody: BodySearch;
};

const noNames: ReadonlySet<string> = new Set();

export default function extractCSharp(source: SourceTree): RawFacts {
  const { root, text } = source;
  const sheet = startSheet();
  const walk: Walk = { sheet, text, pending: [], searchBody: createBodySearch(sheet, text) };
  enter(walk, root, { kind: 'namespace', name: '', parent: -1, path: '', guard: '', exported: true });
  for (let task = walk.pending.pop(); task !== undefined; task = walk.pending.pop()) {
    visitors[task.node.type]?.(walk, task.node, task.scope);
  }
  return finishSheet(sheet, source, knowsItsNames(sheet, noNames));
}

function enter(walk: Walk, container: Node | null, around: Scope): void {
  let scope = around;
  const tasks: { node: Node; scope: Scope }[] = [];
  for (const node of container?.namedChildren ?? []) {
    // `namespace X;` is not closed: all that follows is inside.
    if (node.type === 'file_scoped_namespace_declaration') {
      scope = addNamespace(walk, node, scope, container?.endIndex ?? node.endIndex);
    } else tasks.push({ node, scope });
  }
  for (const task of tasks.reverse()) walk.pending.push(task);
}

type Visit = (walk: Walk, node: Node, scope: Scope) => void;

const addMethod: Visit = (walk, node, scope) => addMember(walk, node, scope, 'method');
const enterCondition: Visit = (walk, node, scope) =>
  enter(walk, node, { ...scope, guard: within(scope.guard, guardOf(walk, node)) });

const visitors: Readonly<Record<string, Visit>> = {
  class_declaration: (walk, node, scope) => addType(walk, node, scope, 'class'),
  struct_declaration: (walk, node, scope) => addType(walk, node, scope, 'struct'),
  interface_declaration: (walk, node, scope) => addType(walk, node, scope, 'interface'),
  enum_declaration: (walk, node, scope) => addType(walk, node, scope, 'enum'),
  record_declaration: (walk, node, scope) => addType(walk, node, scope, 'record'),
  delegate_declaration: addDelegate,
  method_declaration: addMethod,
  operator_declaration: addMethod,
  conversion_operator_declaration: addMethod,
  destructor_declaration: addMethod,
  constructor_declaration: (walk, node, scope) => addMember(walk, node, scope, 'constructor'),
  property_declaration: (walk, node, scope) => addMember(walk, node, scope, 'property'),
  indexer_declaration: (walk, node, scope) => addMember(walk, node, scope, 'property'),
  event_declaration: (walk, node, scope) => addMember(walk, node, scope, 'event'),
  field_declaration: addFields,
  event_field_declaration: addFields,
  namespace_declaration: (walk, node, scope) =>
    enter(walk, node.childForFieldName('body'), addNamespace(walk, node, scope, node.endIndex)),
  using_directive: (walk, node) => addUsing(walk.sheet, node, walk.text),
  extern_alias_directive: (walk, node) => addUsing(walk.sheet, node, walk.text),
  global_statement: (walk, node, scope) => walk.searchBody(node, node.startIndex, scope.parent),
  global_attribute: (walk, node, scope) => addText(walk, node, true, [], scope, node.endIndex),
  preproc_if: enterCondition,
  preproc_elif: enterCondition,
  preproc_else: enterCondition,
  ERROR: enter,
};

function guardOf(walk: Walk, node: Node): string {
  const condition = node.childForFieldName('condition');
  return condition === null
    ? '#else '
    : `#if ${normaliseCSharp(walk.text.slice(condition.startIndex, condition.endIndex))} `;
}

function addNamespace(walk: Walk, node: Node, scope: Scope, end: number): Scope {
  const name = node.childForFieldName('name');
  if (name === null) return scope;
  const text = normaliseCSharp(walk.text.slice(name.startIndex, name.endIndex));
  const named = { text, ...spanOf(name) };
  const parent = addSymbol(walk.sheet, 'namespace', named, { start: node.startIndex, end }, scope.parent, true);
  const path = within(scope.path, `${text}.`);
  walk.sheet.provides.add(`csharp:${path.slice(0, -1)}`);
  addRecord(walk.sheet, [], true, () => `namespace ${path.slice(0, -1)}`);
  return { ...scope, kind: 'namespace', name: '', parent, path };
}

function addType(walk: Walk, node: Node, scope: Scope, kind: SymbolKind): void {
  const { sheet } = walk;
  const name = bareName(walk, node);
  const body = node.childForFieldName('body');
  const { exported, names } = accessOf(walk, node, scope, name.text);
  const parent = addSymbol(sheet, kind, name, spanOf(node), scope.parent, exported);
  const path = within(scope.path, `${name.text}.`);
  if (exported && name.text !== '') sheet.provides.add(`csharp:${path.slice(0, -1)}`);
  const head = kind === 'enum' ? node.endIndex : (body?.startIndex ?? node.endIndex);
  addText(walk, node, exported, [name.text, ...names], scope, head);
  if (kind === 'record') addComponents(walk, node, parent, exported);
  if (kind === 'enum') addEnumMembers(walk, body, parent, exported);
  else {
    const inner = kind === 'interface' ? kind : 'type';
    enter(walk, body, { kind: inner, name: name.text, parent, path, guard: scope.guard, exported });
  }
}

/** The parameters of a record are its properties. */
function addComponents(walk: Walk, record: Node, parent: number, exported: boolean): void {
  const components = record.namedChildren.find((child) => child.type === 'parameter_list');
  for (const part of components?.namedChildren ?? []) {
    if (part.type !== 'parameter') continue;
    addSymbol(walk.sheet, 'property', bareName(walk, part), spanOf(part), parent, exported);
  }
}

function addEnumMembers(walk: Walk, body: Node | null, parent: number, exported: boolean): void {
  for (const member of body?.namedChildren ?? []) {
    if (member.type !== 'enum_member_declaration') continue;
    addSymbol(walk.sheet, 'enum_member', bareName(walk, member), spanOf(member), parent, exported);
  }
}

function addDelegate(walk: Walk, node: Node, scope: Scope): void {
  const name = bareName(walk, node);
  const { exported, names } = accessOf(walk, node, scope, name.text);
  addSymbol(walk.sheet, 'delegate', name, spanOf(node), scope.parent, exported);
  if (exported && name.text !== '') walk.sheet.provides.add(`csharp:${scope.path}${name.text}`);
  addText(walk, node, exported, [name.text, ...names], scope, node.endIndex);
}

/** What has a body, accessors, or neither. */
function addMember(walk: Walk, node: Node, scope: Scope, kind: SymbolKind): void {
  const name = memberName(walk, node);
  const { exported, names } = accessOf(walk, node, scope, kind === 'constructor' ? '' : name.text);
  const symbol = addSymbol(walk.sheet, kind, name, spanOf(node), scope.parent, exported);
  const accessors = node.childForFieldName('accessors');
  const value = node.childForFieldName('value');
  const initializer =
    kind === 'constructor' ? node.namedChildren.find((child) => child.type === 'constructor_initializer') : null;
  const rest = accessors ?? value ?? initializer ?? node.childForFieldName('body');
  const isComputed = accessors === null && value?.type === 'arrow_expression_clause';
  const more = accessors === null ? (isComputed ? '{get}' : '') : listAccessors(walk, accessors);
  addText(walk, node, exported, names, scope, rest?.startIndex ?? node.endIndex, more);
  if (rest) walk.searchBody(node, rest.startIndex, symbol);
}

function listAccessors(walk: Walk, accessors: Node): string {
  const written = accessors.namedChildren
    .filter((child) => child.type === 'accessor_declaration')
    .map((child) => walk.text.slice(child.startIndex, child.childForFieldName('body')?.startIndex ?? child.endIndex))
    .map((text) => normaliseCSharp(text).replace(/;$/, ''));
  return `{${written.join(';')}}`;
}

function addFields(walk: Walk, node: Node, scope: Scope): void {
  const { sheet, text } = walk;
  const declaration = node.namedChildren.find((child) => child.type === 'variable_declaration');
  const type = declaration?.childForFieldName('type');
  if (declaration === undefined || !type) return;
  const { modifiers, isPrivate } = accessOf(walk, node, scope, '');
  const exported = scope.exported && !isPrivate;
  if (!exported) sheet.hidden.add(node.id);
  const isConstant = modifiers.has('const');
  const kind = node.type === 'event_field_declaration' ? 'event' : isConstant ? 'constant' : 'field';
  const typeEnd = type.endIndex;
  const { startIndex } = node;
  walk.searchBody(node, typeEnd, scope.parent);
  for (const declarator of declaration.namedChildren) {
    if (declarator.type !== 'variable_declarator') continue;
    const name = bareName(walk, declarator);
    addSymbol(sheet, kind, name, spanOf(node), scope.parent, exported);
    // The length of a fixed buffer belongs to its type.
    const length = declarator.namedChildren.find((child) => child.type === 'bracketed_argument_list');
    const span = {
      start: declarator.startIndex,
      end: isConstant ? declarator.endIndex : (length?.endIndex ?? name.end),
    };
    addRecord(
      sheet,
      [isPrivate ? name.text : scope.name],
      exported,
      () =>
        `${scope.guard}${scope.path}${normaliseCSharp(text.slice(startIndex, typeEnd))} ${normaliseCSharp(text.slice(span.start, span.end))}`,
    );
  }
}

type Access = {
  readonly exported: boolean;
  readonly isPrivate: boolean;
  /** Names that mean a member: of a private one its own, of others that of the type around. */
  readonly names: readonly string[];
  readonly modifiers: ReadonlySet<string>;
};

function accessOf(walk: Walk, node: Node, scope: Scope, name: string): Access {
  const modifiers = new Set<string>();
  let isExplicit = false;
  for (const child of node.namedChildren) {
    if (child.type === 'modifier') modifiers.add(walk.text.slice(child.startIndex, child.endIndex));
    else if (child.type === 'explicit_interface_specifier') isExplicit = true;
    else if (child.type === 'parameter_list' || child.type === 'declaration_list') break;
  }
  const says = modifiers.has('public') || modifiers.has('internal') || modifiers.has('protected') || isExplicit;
  const isPrivate = scope.kind === 'type' ? !says : modifiers.has(scope.kind === 'namespace' ? 'file' : 'private');
  const names = [isPrivate ? name : scope.name].filter((part) => part !== '');
  return { exported: scope.exported && !isPrivate, isPrivate, names, modifiers };
}

function addText(
  walk: Walk,
  node: Node,
  isPublic: boolean,
  names: readonly string[],
  scope: Scope,
  end: number,
  more = '',
): void {
  const { sheet, text } = walk;
  const { startIndex } = node;
  if (!isPublic) sheet.hidden.add(node.id);
  addRecord(
    sheet,
    [...new Set(names)],
    isPublic,
    () => scope.guard + scope.path + normaliseCSharp(text.slice(startIndex, end)) + more,
  );
}

/** Operators, indexers and finalisers have no name of their own. */
function memberName(walk: Walk, node: Node): NamedSpan {
  const marks: Readonly<Record<string, readonly [string, Node | null]>> = {
    operator_declaration: ['operator', node.childForFieldName('operator')],
    conversion_operator_declaration: ['operator', node.childForFieldName('type')],
    destructor_declaration: ['~', node.childForFieldName('name')],
    indexer_declaration: ['this', null],
  };
  const [mark, last] = marks[node.type] ?? [];
  const first = mark === undefined ? undefined : node.children.find((child) => child.type === mark);
  if (first === undefined) return bareName(walk, node);
  const span = { start: first.startIndex, end: (last ?? first).endIndex };
  return { text: normaliseCSharp(walk.text.slice(span.start, span.end)), ...span };
}

/** The name without `@`, which only says that it is no keyword here. */
function bareName(walk: Walk, node: Node): NamedSpan {
  const name = nameOf(walk, node);
  return { ...name, text: name.text.replace(/^@/, '') };
}

// What is looked for inside a member: local functions, calls that reach a type or a member by a name in a string, and `dynamic`,
// whose members are looked up when the program runs. `nameof` is no such call: the compiler checks it. The text is asked first, so
// that most bodies are never searched; a reflective site begins at the method's name, because calls of one chain begin together.

const reflective = new Set([
  'GetMethod',
  'GetMethods',
  'GetProperty',
  'GetProperties',
  'GetField',
  'GetFields',
  'GetMember',
  'GetMembers',
  'GetEvent',
  'GetConstructor',
  'GetConstructors',
  'GetNestedType',
  'InvokeMember',
  'CreateInstance',
  'CreateDelegate',
  'GetType',
]);
const mayReflect = new RegExp(`\\b(?:${[...reflective].join('|')})\\b`);
const typesAsValues = /\btypeof\b|\bGetType\b|\bSystem\.Reflection\b|\bActivator\b|\bType\b|\bAssembly\b/;

const isDynamic = /\bdynamic\b/;

/** Two words and a parenthesis, `int Twice(`, where the words are not those of a statement or an expression. */
const mayHoldFunctions =
  /(?<=[\w>\]?])(?<!\b(?:new|return|await|throw|in|is|as|else|case|not|and|or|yield|out|ref|when|do))\s+(?!(?:if|for|foreach|while|switch|using|lock|catch|fixed|when|is|and|or|not|in)\b)\w+\s*(?:<[^()<>]*>\s*)?\(/;

type BodySearch = (member: Node, from: number, parent: number) => void;

/** `from` is where the member's own signature ends. */
function createBodySearch(sheet: FactSheet, text: string): BodySearch {
  const hasDynamic = isDynamic.test(text);
  const hasReflection = mayReflect.test(text) && typesAsValues.test(text);
  return (member, from, parent) => {
    const inside = text.slice(from, member.endIndex);
    const types: string[] = [];
    if (mayHoldFunctions.test(inside)) types.push('local_function_statement');
    if (hasReflection && mayReflect.test(inside)) types.push('invocation_expression');
    if (hasDynamic && isDynamic.test(text.slice(member.startIndex, member.endIndex))) types.push('identifier');
    if (types.length === 0) return;
    const around: { readonly end: number; readonly index: number }[] = [];
    for (const node of member.descendantsOfType(types)) {
      if (node === null) continue;
      while ((around.at(-1)?.end ?? Number.POSITIVE_INFINITY) <= node.startIndex) around.pop();
      if (node.type === 'local_function_statement') {
        around.push({ end: node.endIndex, index: addFunction(sheet, node, text, around.at(-1)?.index ?? parent) });
      } else if (node.type === 'identifier') addDynamic(sheet, node, text);
      else addCall(sheet, node, text);
    }
  };
}

function addFunction(sheet: FactSheet, node: Node, text: string, parent: number): number {
  const name = nameOf({ text }, node);
  return addSymbol(sheet, 'function', name, spanOf(node), parent, false);
}

function addDynamic(sheet: FactSheet, node: Node, text: string): void {
  const { startIndex: start, endIndex: end } = node;
  if (text.slice(start, end) === 'dynamic') sheet.dynamicSites.push({ kind: 'reflection', name: null, start, end });
}

function addCall(sheet: FactSheet, call: Node, text: string): void {
  const target = call.childForFieldName('function');
  // `a.b()`, and `a?.b()`, whose member stands in a binding of its own.
  const access = target?.type === 'conditional_access_expression' ? target.lastNamedChild : target;
  const name = access?.childForFieldName('name');
  if (!name) return;
  const method = text.slice(name.startIndex, name.endIndex).replace(/<[\s\S]*$/, '');
  const args = call.childForFieldName('arguments')?.namedChildren ?? [];
  // `x.GetType()` asks for the type of a value, which is no lookup by name.
  if (!reflective.has(method) || (method === 'GetType' && args.length === 0)) return;
  const site = { start: name.startIndex, end: call.endIndex };
  sheet.dynamicSites.push({ kind: 'reflection', name: firstString(args, text), ...site });
}

function firstString(args: readonly Node[], text: string): string | null {
  for (const argument of args) {
    const value = argument.firstNamedChild;
    if (value?.type !== 'string_literal') continue;
    const written = text.slice(value.startIndex, value.endIndex);
    return written.includes('\\') ? null : written.slice(1, -1);
  }
  return null;
}

/** `using`: everything of a namespace, everything static of a type, or another name for one. */
function addUsing(sheet: FactSheet, node: Node, text: string): void {
  const alias = node.childForFieldName('name');
  const target = node.namedChildren.findLast((child) => child.id !== alias?.id) ?? alias;
  if (target === null || target.isExtra) return;
  const specifier = normaliseCSharp(text.slice(target.startIndex, target.endIndex));
  const local = alias === null ? null : text.slice(alias.startIndex, alias.endIndex);
  const name = alias === null ? '*' : (/(\w+)(?:<.*)?$/.exec(specifier)?.[1] ?? specifier);
  const { startIndex: start, endIndex: end } = node;
  sheet.imports.push({
    specifier,
    kind: 'use',
    literal: true,
    typeOnly: false,
    names: [{ name, alias: local === name ? null : local, start: nameStart(target) }],
    start,
    end,
  });
  // It holds for every file of the project.
  if (text.startsWith('global', start)) addRecord(sheet, [], true, () => normaliseCSharp(text.slice(start, end)));
}

function nameStart(target: Node): number {
  return target.childForFieldName('name')?.startIndex ?? target.startIndex;
}

/** How C# writes literals: escaped, verbatim (`@"…""…"`) and raw (`"""…"""`) strings, each also with `$`. */
function normaliseCSharp(text: string): string {
  return normaliseSource(text, rules);
}

const rules: TokenRules = { literalEnd, nestedComments: false, directives: true };

function literalEnd(text: string, at: number): number {
  if (text[at] === "'") return quotedEnd(text, at);
  const before = text.slice(Math.max(0, at - 2), at);
  if (before.endsWith('@') || before === '@$') return verbatimEnd(text, at + 1);
  const quotes = runLength(text, at, '"');
  if (quotes >= 3) return closedBy(text, at + quotes, '"'.repeat(quotes));
  return quotedEnd(text, at);
}

function verbatimEnd(text: string, from: number): number {
  let end = text.indexOf('"', from);
  while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
  return end < 0 ? text.length : end + 1;
}
