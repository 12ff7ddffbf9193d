/**
 * Facts of a Java file. Types are visited body by body; a method's body is entered only if its text says that a type may be declared
 * in it. Invariants S2, S3: a record is a declaration without bodies; of initialisers only those of constant variables count, because
 * the compiler copies them into other classes.
 */

import {
  addRecord,
  addSymbol,
  type FactSheet,
  finishSheet,
  knowsItsNames,
  nameOf,
  startSheet,
  within,
} from '../extraction/fact-sheet.ts';
import { normaliseSource, quotedEnd, type TokenRules } from '../extraction/source-tokens.ts';
import type { RawFacts, SourceTree, SymbolKind } from '../facts.ts';
import type { Node } from '../parsing/syntax-node.ts';
import { spanOf } from '../parsing/walk-tree.ts';

type TypeKind = 'class' | 'interface' | 'enum' | 'record';

type Scope = {
  /** The type around, null at the top of the file. */
  readonly type: TypeKind | null;
  readonly name: string;
  readonly parent: number;
  /** Written before the text of every record inside: `Order.Line.` */
  readonly path: string;
  readonly exported: boolean;
  /** Inside the body of a method: symbols, but no records. */
  readonly local: boolean;
};

type Walk = {
  readonly sheet: FactSheet;
  readonly text: string;
  readonly pending: { readonly node: Node; readonly scope: Scope }[];
  readonly search: ReflectionSearch;
  /** The package and a dot, or nothing. */
  prefix: string;
};

export default function extractJava(source: SourceTree): RawFacts {
  const sheet = startSheet();
  const search = createReflectionSearch(sheet, source.text);
  const walk: Walk = { sheet, text: source.text, pending: [], search, prefix: '' };
  enter(walk, source.root, { type: null, name: '', parent: -1, path: '', exported: true, local: false });
  for (let task = walk.pending.pop(); task !== undefined; task = walk.pending.pop()) {
    visitors[task.node.type]?.(walk, task.node, task.scope);
  }
  return finishSheet(sheet, source, knowsItsNames(sheet, javaLang));
}

function enter(walk: Walk, container: Node | null, scope: Scope): void {
  if (container === null) return;
  for (const node of container.namedChildren.toReversed()) walk.pending.push({ node, scope });
}

type Visit = (walk: Walk, node: Node, scope: Scope) => void;

const visitors: Readonly<Record<string, Visit>> = {
  class_declaration: (walk, node, scope) => addType(walk, node, scope, 'class'),
  interface_declaration: (walk, node, scope) => addType(walk, node, scope, 'interface'),
  annotation_type_declaration: (walk, node, scope) => addType(walk, node, scope, 'interface'),
  enum_declaration: (walk, node, scope) => addType(walk, node, scope, 'enum'),
  record_declaration: (walk, node, scope) => addType(walk, node, scope, 'record'),
  method_declaration: (walk, node, scope) =>
    addCallable(walk, node, scope, scope.type === null ? 'function' : 'method'),
  annotation_type_element_declaration: (walk, node, scope) => addCallable(walk, node, scope, 'method'),
  constructor_declaration: (walk, node, scope) => addCallable(walk, node, scope, 'constructor'),
  compact_constructor_declaration: (walk, node, scope) => addCallable(walk, node, scope, 'constructor'),
  field_declaration: addFields,
  constant_declaration: addFields,
  enum_constant: addConstant,
  static_initializer: (walk, node, scope) => enterBody(walk, node, scope.parent, scope),
  block: (walk, node, scope) => enterBody(walk, node, scope.parent, scope),
  package_declaration: addPackage,
  module_declaration: addModule,
  import_declaration: addImport,
  enum_body_declarations: enter,
  ERROR: enter,
};
const typeDeclarations = [
  'class_declaration',
  'interface_declaration',
  'annotation_type_declaration',
  'enum_declaration',
  'record_declaration',
];

function addType(walk: Walk, node: Node, scope: Scope, type: TypeKind): void {
  const name = nameOf(walk, node);
  const body = node.childForFieldName('body');
  const isPrivate = modifiersOf(walk, node).has('private');
  const exported = scope.exported && !isPrivate;
  const symbol = addSymbol(walk.sheet, type, name, spanOf(node), scope.parent, exported);
  const path = within(scope.path, `${name.text}.`);
  if (exported && name.text !== '') walk.sheet.provides.add(`java:${walk.prefix}${path.slice(0, -1)}`);
  const components = type === 'record' ? node.childForFieldName('parameters') : null;
  for (const component of components?.namedChildren ?? []) {
    addSymbol(walk.sheet, 'field', nameOf(walk, component), spanOf(component), symbol, exported);
  }
  if (!scope.local) {
    const head = { start: node.startIndex, end: body?.startIndex ?? node.endIndex };
    const constants = type === 'enum' ? listConstants(walk, body) : '';
    addText(walk, node, exported, isPrivate ? [name.text] : [name.text, scope.name], scope, head, constants);
  }
  enter(walk, body, { type, name: name.text, parent: symbol, path, exported, local: scope.local });
}

/** Names and annotations in order: a switch in another file may depend on it. No other file sees arguments and bodies. */
function listConstants(walk: Walk, body: Node | null): string {
  const constants = body?.namedChildren.filter((child) => child.type === 'enum_constant') ?? [];
  const spans = constants.map((child) => ({
    start: child.startIndex,
    end: child.childForFieldName('name')?.endIndex ?? child.endIndex,
  }));
  return `{${spans.map(({ start, end }) => normaliseJava(walk.text.slice(start, end))).join(',')}}`;
}

function addCallable(walk: Walk, node: Node, scope: Scope, kind: SymbolKind): void {
  const name = nameOf(walk, node);
  const body = node.childForFieldName('body');
  const isPrivate = modifiersOf(walk, node).has('private') || (kind === 'constructor' && scope.type === 'enum');
  const exported = scope.exported && !isPrivate;
  const symbol = addSymbol(walk.sheet, kind, name, spanOf(node), scope.parent, exported);
  if (!scope.local) {
    const head = { start: node.startIndex, end: body?.startIndex ?? node.endIndex };
    addText(walk, node, exported, isPrivate ? [kind === 'constructor' ? '' : name.text] : [scope.name], scope, head);
  }
  if (body !== null) enterBody(walk, body, symbol, scope);
}

const mayHoldTypes = /(?<![.\w])(?:class|interface|enum|record)\b/;

/** Types of a body are found one level deep: a class inside a method inside a class inside a method is left out. */
function enterBody(walk: Walk, body: Node, parent: number, around: Scope): void {
  if (around.local) return;
  const inside = walk.text.slice(body.startIndex, body.endIndex);
  walk.search(body, inside);
  if (!mayHoldTypes.test(inside)) return;
  const scope: Scope = { type: null, name: '', parent, path: '', exported: false, local: true };
  const found: Node[] = [];
  let end = -1;
  for (const node of body.descendantsOfType(typeDeclarations)) {
    if (node === null || node.startIndex < end) continue;
    end = node.endIndex;
    found.push(node);
  }
  for (const node of found.reverse()) walk.pending.push({ node, scope });
}

const constantTypes = /^(?:byte|short|int|long|char|float|double|boolean|String|java\s*\.\s*lang\s*\.\s*String)$/;

function addFields(walk: Walk, node: Node, scope: Scope): void {
  const { text, sheet } = walk;
  const modifiers = modifiersOf(walk, node);
  const type = node.childForFieldName('type');
  const ofInterface = scope.type === 'interface';
  const isPrivate = modifiers.has('private');
  const exported = scope.exported && !isPrivate;
  const isFinal = ofInterface || modifiers.has('final');
  const kind = isFinal && (ofInterface || modifiers.has('static')) ? 'constant' : 'field';
  const typeEnd = type?.endIndex ?? node.startIndex;
  const hasConstantType = type !== null && constantTypes.test(text.slice(type.startIndex, typeEnd));
  if (!exported) sheet.hidden.add(node.id);
  if (!scope.local) walk.search(node, text.slice(typeEnd, node.endIndex));
  for (const declarator of node.childrenForFieldName('declarator')) {
    const name = nameOf(walk, declarator);
    const value = declarator.childForFieldName('value');
    addSymbol(sheet, kind, name, spanOf(node), scope.parent, exported);
    if (scope.local) continue;
    const bare = declarator.childForFieldName('dimensions')?.endIndex ?? name.end;
    const end = value === null || (isFinal && hasConstantType) ? declarator.endIndex : bare;
    const { startIndex } = declarator;
    addRecord(sheet, isPrivate ? [name.text] : [scope.name], exported, () =>
      [
        scope.path,
        normaliseJava(text.slice(node.startIndex, typeEnd)),
        ' ',
        normaliseJava(text.slice(startIndex, end)),
      ].join(''),
    );
  }
}

function addConstant(walk: Walk, node: Node, scope: Scope): void {
  const symbol = addSymbol(walk.sheet, 'enum_member', nameOf(walk, node), spanOf(node), scope.parent, scope.exported);
  const body = node.childForFieldName('body');
  if (!scope.local) walk.search(node, walk.text.slice(node.startIndex, node.endIndex));
  // What a constant overrides is seen through the enum alone.
  enter(walk, body, { ...scope, type: 'class', parent: symbol, exported: false, local: true });
}

function addPackage(walk: Walk, node: Node): void {
  const path = node.namedChildren.find((child) => child.type === 'scoped_identifier' || child.type === 'identifier');
  if (path === undefined) return;
  const name = { text: dotted(walk, path), ...spanOf(path) };
  addSymbol(walk.sheet, 'package', name, spanOf(node), -1, true);
  walk.prefix = `${name.text}.`;
  walk.sheet.provides.add(`java:${name.text}.*`);
  const { startIndex, endIndex } = node;
  addRecord(walk.sheet, [], true, () => normaliseJava(walk.text.slice(startIndex, endIndex)));
}

function addModule(walk: Walk, node: Node): void {
  const path = node.childForFieldName('name');
  if (path === null) return;
  const name = { text: dotted(walk, path), ...spanOf(path) };
  addSymbol(walk.sheet, 'namespace', name, spanOf(node), -1, true);
  const { startIndex, endIndex } = node;
  addRecord(walk.sheet, [name.text], true, () => normaliseJava(walk.text.slice(startIndex, endIndex)));
}

/** The specifier is the whole name as it is written: `a.B`, `a.B.member` for a static one, `a.b.*`. */
function addImport(walk: Walk, node: Node): void {
  const path = node.namedChildren.find((child) => child.type === 'scoped_identifier' || child.type === 'identifier');
  if (path === undefined) return;
  const star = node.namedChildren.find((child) => child.type === 'asterisk');
  const whole = dotted(walk, path);
  const dot = whole.lastIndexOf('.');
  const last = path.childForFieldName('name') ?? path;
  walk.sheet.imports.push({
    specifier: star === undefined ? whole : `${whole}.*`,
    kind: 'import',
    literal: true,
    typeOnly: false,
    names: [
      star === undefined
        ? { name: whole.slice(dot + 1), alias: null, start: last.startIndex }
        : { name: '*', alias: null, start: star.startIndex },
    ],
    ...spanOf(node),
  });
}

function addText(
  walk: Walk,
  node: Node,
  isPublic: boolean,
  names: readonly string[],
  scope: Scope,
  { start, end }: { readonly start: number; readonly end: number },
  more = '',
): void {
  const { text, sheet } = walk;
  if (!isPublic) sheet.hidden.add(node.id);
  addRecord(sheet, names.filter(Boolean), isPublic, () => scope.path + normaliseJava(text.slice(start, end)) + more);
}

function modifiersOf(walk: Walk, node: Node): ReadonlySet<string> {
  const first = node.firstNamedChild;
  if (first?.type !== 'modifiers') return new Set();
  const written = walk.text.slice(first.startIndex, first.endIndex);
  // Annotations and comments could hold any word.
  return new Set(/[@/]/.test(written) ? first.children.map((child) => child.type) : written.split(/\s+/));
}

function dotted(walk: Walk, path: Node): string {
  return normaliseJava(walk.text.slice(path.startIndex, path.endIndex));
}

// Calls that reach a class or a member by a name in a string. A name that other libraries use too (`invoke`, `getField`) counts only
// in a file that speaks of classes as values. The site begins at the method's name: calls of one chain begin at the same place.

const certain = new Set([
  'forName',
  'getDeclaredMethod',
  'getDeclaredMethods',
  'getDeclaredField',
  'getDeclaredFields',
]);
const likely = new Set([
  'loadClass',
  'getMethod',
  'getMethods',
  'getField',
  'getFields',
  'getConstructor',
  'getConstructors',
  'getDeclaredConstructor',
  'getDeclaredConstructors',
  'getRecordComponents',
  'newInstance',
  'newProxyInstance',
  'invoke',
  'invokeExact',
  'findVirtual',
  'findStatic',
  'findSpecial',
  'findConstructor',
  'findGetter',
  'findSetter',
  'findStaticGetter',
  'findStaticSetter',
  'findVarHandle',
]);
const classesAsValues = /\bClass\b|\.\s*class\b|\bgetClass\b|\bjava\.lang\.(?:reflect|invoke)\b/;

type ReflectionSearch = (node: Node, inside: string) => void;

/** Searches a body or an initialiser, whose text is asked first. */
function createReflectionSearch(sheet: FactSheet, text: string): ReflectionSearch {
  const isLikely = classesAsValues.test(text);
  const mayReflect = callOf(isLikely ? [...certain, ...likely] : [...certain]);
  if (!mayReflect.test(text)) return () => {};
  return (node, inside) => {
    if (!mayReflect.test(inside)) return;
    for (const call of node.descendantsOfType('method_invocation')) {
      const name = call?.childForFieldName('name');
      if (!call || !name) continue;
      const method = text.slice(name.startIndex, name.endIndex);
      if (!certain.has(method) && !(isLikely && likely.has(method))) continue;
      sheet.dynamicSites.push({
        kind: 'reflection',
        name: firstString(call.childForFieldName('arguments'), text),
        start: name.startIndex,
        end: call.endIndex,
      });
    }
  };
}

function callOf(methods: readonly string[]): RegExp {
  return new RegExp(`\\b(?:${methods.join('|')})\\s*\\(`);
}

function firstString(args: Node | null, text: string): string | null {
  const literal = args?.namedChildren.find((child) => child.type === 'string_literal');
  if (literal === undefined) return null;
  const written = text.slice(literal.startIndex, literal.endIndex);
  return written.startsWith('"""') || written.includes('\\') ? null : written.slice(1, -1);
}

/** How Java writes literals: strings with escapes, and text blocks over several lines. */
function normaliseJava(text: string): string {
  return normaliseSource(text, rules);
}

const rules: TokenRules = { literalEnd, nestedComments: false, directives: false };

function literalEnd(text: string, at: number): number {
  return text.startsWith('"""', at) ? blockEnd(text, at + 3) : quotedEnd(text, at);
}

function blockEnd(text: string, from: number): number {
  const mark = /\\[\s\S]|"""/g;
  mark.lastIndex = from;
  for (let match = mark.exec(text); match !== null; match = mark.exec(text)) {
    if (match[0] === '"""') return mark.lastIndex;
  }
  return text.length;
}

// Types of `java.lang` that signatures mention: they need no import and come from no file of a repository.

const javaLang: ReadonlySet<string> = new Set(
  `Appendable AssertionError AutoCloseable Boolean Byte CharSequence Character Class ClassLoader Cloneable Comparable Deprecated
   Double Enum Error Exception Float FunctionalInterface IllegalArgumentException IllegalStateException Integer
   InterruptedException Iterable Long Math NullPointerException Number Object Override Record Runnable RuntimeException SafeVarargs
   Short String StringBuffer StringBuilder SuppressWarnings System Thread Throwable UnsupportedOperationException Void`.split(
    /\s+/,
  ),
);
