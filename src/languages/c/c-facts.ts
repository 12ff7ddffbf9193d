/**
 * Facts of a C or C++ file. Declarations are visited container by container; of function bodies only the types declared in them are
 * looked for. Invariants S2, S3: a file that includes a header sees all its tokens, so each of its declarations is a record with bodies
 * and all; of a source file the linker sees external definitions, which count without bodies and initialisers.
 */

import { addRecord, addSymbol, type FactSheet, finishSheet, startSheet, within } from '../extraction/fact-sheet.ts';
import { closedBy, normaliseSource, quotedEnd, type TokenRules } from '../extraction/source-tokens.ts';
import type { DynamicSite, RawFacts, SourceTree, SymbolKind } from '../facts.ts';
import type { Node } from '../parsing/syntax-node.ts';

export default function extractC(source: SourceTree): RawFacts {
  const { root, text } = source;
  const isHeader = !/\.(?:c|cc|cpp|cxx|c\+\+|m|mm|cu)$/i.test(source.path);
  const walk: Walk = { sheet: startSheet(), text, isHeader, pending: [] };
  enter(walk, root, { kind: 'file', name: '', parent: -1, path: '', guard: '', exported: true });
  for (let item = walk.pending.pop(); item !== undefined; item = walk.pending.pop()) {
    visitors[item.node.type]?.(walk, item);
  }
  walk.sheet.dynamicSites.push(...findDynamicSymbols(root, text));
  // Names come out of included files without being listed anywhere.
  return finishSheet(walk.sheet, source, walk.sheet.imports.length === 0);
}

/** `first` is what can be seen before any `public:` or `private:`. */
function enter(walk: Walk, container: Node | null, around: Scope, first = around.exported): void {
  if (container === null) return;
  let scope = first === around.exported ? around : { ...around, exported: first };
  const items: Item[] = [];
  for (const node of container.namedChildren) {
    if (node.type === 'access_specifier' || node.type === 'labeled_statement') {
      scope = { ...around, exported: around.exported && !walk.text.startsWith('private', node.startIndex) };
      const labelled = node.type === 'labeled_statement' ? node.lastNamedChild : null;
      if (labelled !== null) items.push({ node: labelled, start: labelled.startIndex, scope });
    } else if (node.type !== 'comment' && !isIncludeGuard(node, container, walk.text)) {
      items.push({ node, start: node.startIndex, scope });
    }
  }
  for (const item of items.reverse()) walk.pending.push(item);
}

type Visit = (walk: Walk, item: Item) => void;

const addSpecifier: Visit = (walk, item) =>
  addItemRecord(walk, item, addTypeSpecifier(walk, item.node, item.start, item.scope));
const addAlias: Visit = (walk, item) => addNamed(walk, item, 'type');
const addDefine: Visit = (walk, { node, scope }) => addMacro(walk.sheet, node, walk.text, scope.guard, walk.isHeader);
const addWhole: Visit = (walk, item) => addItemRecord(walk, item, []);
const enterCondition: Visit = (walk, { node, scope }) =>
  enter(walk, node, { ...scope, guard: within(scope.guard, guardOf(node, walk.text)) });

const visitors: Readonly<Record<string, Visit>> = {
  declaration: addDeclaration,
  field_declaration: addDeclaration,
  type_definition: addDeclaration,
  function_definition: addFunction,
  inline_method_definition: addFunction,
  struct_specifier: addSpecifier,
  class_specifier: addSpecifier,
  union_specifier: addSpecifier,
  enum_specifier: addSpecifier,
  alias_declaration: addAlias,
  concept_definition: addAlias,
  namespace_alias_definition: (walk, item) => addNamed(walk, item, 'namespace'),
  namespace_definition: addNamespace,
  template_declaration: enterTemplate,
  friend_declaration: enterFriend,
  linkage_specification: (walk, item) => enterMarked(walk, item, item.node.childForFieldName('body'), 'extern "C" '),
  export_declaration: (walk, item) => enterMarked(walk, item, item.node.lastNamedChild, 'export '),
  preproc_include: (walk, { node }) => addInclude(walk.sheet, node, walk.text),
  preproc_def: addDefine,
  preproc_function_def: addDefine,
  preproc_call: (walk, { node, scope }) => addDirective(walk.sheet, node, walk.text, scope.guard, walk.isHeader),
  preproc_if: enterCondition,
  preproc_ifdef: enterCondition,
  preproc_elif: enterCondition,
  preproc_elifdef: enterCondition,
  preproc_else: enterCondition,
  import_declaration: addImport,
  template_instantiation: addInstantiation,
  using_declaration: addWhole,
  module_declaration: addWhole,
  expression_statement: addInvocation,
  ERROR: (walk, { node, scope }) => enter(walk, node, scope),
};

function enterTemplate(walk: Walk, { node, start, scope }: Item): void {
  const inner = node.namedChildren.findLast((child) => child.type !== 'comment');
  if (inner !== undefined) walk.pending.push({ node: inner, start, scope });
}

/** A function that a friend declaration defines is no member. */
function enterFriend(walk: Walk, { node, start, scope }: Item): void {
  const inner = node.namedChildren.findLast((child) => child.type === 'function_definition');
  if (inner !== undefined) walk.pending.push({ node: inner, start, scope: { ...scope, name: '' } });
}

function addInstantiation(walk: Walk, item: Item): void {
  // The grammar misses a name where none belongs: no error of the file.
  walk.sheet.hidden.add(item.node.id);
  addItemRecord(walk, item, []);
}

/** Outside of functions an expression is a macro, which may declare anything, unless it is a lone semicolon. */
function addInvocation(walk: Walk, item: Item): void {
  if (item.node.namedChildCount > 0) addItemRecord(walk, item, [], true);
}

function addNamespace(walk: Walk, item: Item): void {
  const { node, scope, start } = item;
  const name = node.childForFieldName('name');
  const body = node.childForFieldName('body');
  if (name === null) {
    // Anonymous: for this file alone, unless others include it.
    enter(walk, body, { ...scope, path: within(scope.path, '(anonymous)::'), exported: false });
    return;
  }
  const parts = name.type === 'nested_namespace_specifier' ? name.namedChildren : [name];
  let { parent, path } = scope;
  for (const part of parts) {
    const text = walk.text.slice(part.startIndex, part.endIndex);
    const named = { text, start: part.startIndex, end: part.endIndex };
    parent = addSymbol(walk.sheet, 'namespace', named, { start, end: node.endIndex }, parent, scope.exported);
    path = within(path, `${text}::`);
  }
  enter(walk, body, { ...scope, parent, path });
}

/** `extern "C"` and `export`, before one declaration or a list in braces. */
function enterMarked(walk: Walk, { start, scope }: Item, body: Node | null, mark: string): void {
  if (body === null) return;
  if (body.type !== 'declaration_list') walk.pending.push({ node: body, start, scope });
  else enter(walk, body, { ...scope, guard: within(scope.guard, mark) });
}

function addImport(walk: Walk, { node }: Item): void {
  const name = node.childForFieldName('name') ?? node.childForFieldName('header') ?? node.firstNamedChild;
  if (name === null) return;
  const written = walk.text.slice(name.startIndex, name.endIndex);
  const kind = written.startsWith('<') ? 'include_system' : written.startsWith('"') ? 'include' : 'import';
  const specifier = kind === 'import' ? written : written.slice(1, -1);
  walk.sheet.imports.push({
    specifier,
    kind,
    literal: true,
    typeOnly: false,
    names: [],
    ...spanOf(node, node.startIndex),
  });
}

function addNamed(walk: Walk, item: Item, kind: SymbolKind): void {
  const name = item.node.childForFieldName('name');
  if (name === null) return;
  const text = walk.text.slice(name.startIndex, name.endIndex);
  const named = { text, start: name.startIndex, end: name.endIndex };
  addSymbol(walk.sheet, kind, named, spanOf(item.node, item.start), item.scope.parent, item.scope.exported);
  addItemRecord(walk, item, [text]);
}

/** Variables, fields, prototypes and type definitions, with the type that may be declared on the way. */
function addDeclaration(walk: Walk, item: Item): void {
  const { node, scope, start } = item;
  const { sheet, text } = walk;
  // `friend class X;` in a class that was taken for a function.
  if (scope.kind === 'class' && text.startsWith('friend ', node.startIndex)) return;
  const isTypedef = node.type === 'type_definition';
  const type = node.childForFieldName('type');
  const head = text.slice(start, type?.startIndex ?? start);
  const isStatic = scope.kind === 'file' && /\bstatic\b/.test(head);
  const exported = scope.exported && !isStatic;
  const declarators = node.childrenForFieldName('declarator');
  const names: string[] = [];
  let parent = scope.parent;
  for (const declarator of declarators) {
    const declared = findDeclared(declarator, text);
    if (declared === undefined) continue;
    names.push(declared.text);
    const kind = isTypedef
      ? 'type'
      : declared.isFunction
        ? functionKind(declared, scope, type)
        : variableKind(declared, scope, head);
    const symbol = addSymbol(sheet, kind, declared, spanOf(node, start), scope.parent, exported);
    if (parent === scope.parent) parent = symbol;
  }
  if (type !== null && isTypeSpecifier(type)) {
    // The members of a type without a name are those of what it types.
    const hasName = type.childForFieldName('name') !== null;
    names.push(...addTypeSpecifier(walk, type, type.startIndex, hasName ? scope : { ...scope, parent }));
  }
  if (scope.kind !== 'file') return;
  if (walk.isHeader || declarators.length === 0) addItemRecord(walk, item, names, hasPlaceholder(type, node));
  else addSourceRecords(walk, item, declarators, type, { exported, isTypedef, isExtern: /\bextern\b/.test(head) });
}

function addFunction(walk: Walk, item: Item): void {
  const { node, scope, start } = item;
  const { sheet, text } = walk;
  const declarator = node.childForFieldName('declarator');
  const body = node.childForFieldName('body');
  const type = node.childForFieldName('type');
  const declared = declarator === null ? undefined : findDeclared(declarator, text);
  if (declared === undefined) return;
  const isTyped = type !== null && isTypeSpecifier(type);
  if (isTyped && !declared.isFunction && type.childForFieldName('body') === null) {
    addMarkedClass(walk, item, declared, body);
    return;
  }
  if (isTyped) addTypeSpecifier(walk, type, type.startIndex, scope);
  const isStatic = scope.kind === 'file' && /\bstatic\b/.test(text.slice(start, declared.start));
  const exported = scope.exported && !isStatic;
  const kind = functionKind(declared, scope, type);
  const symbol = addSymbol(sheet, kind, declared, spanOf(node, start), scope.parent, exported);
  if (body !== null && scope.kind !== 'local') enterBody(walk, body, symbol);
  if (scope.kind !== 'file') return;
  const inferred = hasPlaceholder(type, node);
  if (walk.isHeader) addItemRecord(walk, item, [declared.text], inferred);
  else addSourceFunction(walk, item, declared.text, exported, inferred);
}

/** `class API_EXPORT Name { … }`: the macro is taken for the name, the name for a variable and the members for statements. */
function addMarkedClass(walk: Walk, item: Item, declared: Declared, body: Node | null): void {
  const { node, scope, start } = item;
  const isClass = walk.text.startsWith('class', node.startIndex);
  const kind = isClass ? 'class' : 'struct';
  const parent = addSymbol(walk.sheet, kind, declared, spanOf(node, start), scope.parent, scope.exported);
  addItemRecord(walk, item, [declared.text]);
  enter(walk, body, { ...scope, kind: 'class', name: declared.text, parent }, scope.exported && !isClass);
}

const mayHoldTypes = /\b(?:struct|class|enum|union)\b[^;(){}]{0,80}\{/;
const typeSpecifiers = ['struct_specifier', 'class_specifier', 'union_specifier', 'enum_specifier'];

function enterBody(walk: Walk, body: Node, parent: number): void {
  if (!mayHoldTypes.test(walk.text.slice(body.startIndex, body.endIndex))) return;
  const scope: Scope = { kind: 'local', name: '', parent, path: '', guard: '', exported: false };
  const items: Item[] = [];
  let end = -1;
  for (const node of body.descendantsOfType(typeSpecifiers)) {
    if (node === null || node.startIndex < end || node.childForFieldName('body') === null) continue;
    end = node.endIndex;
    items.push({ node, start: node.startIndex, scope });
  }
  for (const item of items.reverse()) walk.pending.push(item);
}

function isTypeSpecifier(node: Node): boolean {
  return typeSpecifiers.includes(node.type);
}

const specifierKinds: Readonly<Record<string, SymbolKind>> = {
  struct_specifier: 'struct',
  class_specifier: 'class',
  union_specifier: 'union',
  enum_specifier: 'enum',
};

/** The symbol of a type that is declared here with its members; a forward declaration is none. Answers the names it makes. */
function addTypeSpecifier(walk: Walk, node: Node, start: number, scope: Scope): string[] {
  const { sheet, text } = walk;
  const body = node.childForFieldName('body');
  const name = innermostName(node.childForFieldName('name'));
  const written = name === null ? '' : text.slice(name.startIndex, name.endIndex);
  const names = written === '' ? [] : [written];
  if (body === null) return names;
  const kind = specifierKinds[node.type] ?? 'struct';
  const named = { text: written, start: name?.startIndex ?? node.startIndex, end: name?.endIndex ?? node.startIndex };
  const symbol = addSymbol(sheet, kind, named, spanOf(node, start), scope.parent, scope.exported);
  if (kind !== 'enum') {
    const inner = scope.kind === 'local' ? 'local' : 'class';
    enter(walk, body, { ...scope, kind: inner, name: written, parent: symbol }, scope.exported && kind !== 'class');
    return names;
  }
  for (const member of body.namedChildren) {
    const label = member.type === 'enumerator' ? member.childForFieldName('name') : null;
    if (label === null) continue;
    const constant = {
      text: text.slice(label.startIndex, label.endIndex),
      start: label.startIndex,
      end: label.endIndex,
    };
    addSymbol(sheet, 'enum_member', constant, spanOf(member, member.startIndex), symbol, scope.exported);
    names.push(constant.text);
  }
  return names;
}

/** `Box` of `a::Box<int>`. */
function innermostName(name: Node | null): Node | null {
  let node = name;
  while (node?.type === 'template_type' || node?.type === 'qualified_identifier') node = node.childForFieldName('name');
  return node;
}

// Interface records (code-plane.md §3.3): of a header everything, of a source file what the linker sees.

/** All tokens of a declaration at the level of the file, for a header and for what a source file keeps to itself. */
function addItemRecord(walk: Walk, { node, start, scope }: Item, names: readonly string[], inferred = false): void {
  if (scope.kind !== 'file') return;
  const { endIndex } = node;
  const { sheet, text, isHeader } = walk;
  if (!isHeader) sheet.hidden.add(node.id);
  addRecord(
    sheet,
    names,
    isHeader,
    () => scope.guard + scope.path + normaliseC(text.slice(start, endIndex)),
    inferred && isHeader,
  );
}

/** Of a source file: variables that are defined here are seen by the linker; prototypes and types are not. */
function addSourceRecords(
  walk: Walk,
  { node, start, scope }: Item,
  declarators: readonly Node[],
  type: Node | null,
  is: { readonly exported: boolean; readonly isTypedef: boolean; readonly isExtern: boolean },
): void {
  const { sheet, text } = walk;
  if (!is.exported) sheet.hidden.add(node.id);
  const prefix = scope.guard + scope.path;
  const typeEnd = type?.endIndex ?? start;
  for (const declarator of declarators) {
    const declared = findDeclared(declarator, text);
    if (declared === undefined) continue;
    const value = declarator.type === 'init_declarator' ? declarator.childForFieldName('value') : null;
    const isDefinition = !is.isTypedef && !declared.isFunction && (!is.isExtern || value !== null);
    const inner = declarator.type === 'init_declarator' ? declarator.childForFieldName('declarator') : null;
    const inferred = value !== null && hasPlaceholder(type, node);
    const span = { start: declarator.startIndex, end: (inferred ? declarator : (inner ?? declarator)).endIndex };
    addRecord(
      sheet,
      [declared.text],
      is.exported && isDefinition,
      () => `${prefix}${normaliseC(text.slice(start, typeEnd))} ${normaliseC(text.slice(span.start, span.end))}`,
      inferred,
    );
  }
}

/** Of a source file: a function without its body, unless the body says what it returns. */
function addSourceFunction(
  walk: Walk,
  { node, start, scope }: Item,
  name: string,
  exported: boolean,
  inferred: boolean,
): void {
  const { sheet, text } = walk;
  if (!exported) sheet.hidden.add(node.id);
  const initializers = node.namedChildren.find((child) => child.type === 'field_initializer_list');
  const body = initializers ?? node.childForFieldName('body');
  const end = inferred || body === null ? node.endIndex : body.startIndex;
  addRecord(sheet, [name], exported, () => scope.guard + scope.path + normaliseC(text.slice(start, end)), inferred);
}

/** What a declarator declares, as far as the words around it tell. */
function functionKind(declared: Declared, scope: Scope, type: Node | null): SymbolKind {
  const owner = declared.qualifier === '' ? scope.name : declared.qualifier.replace(/<.*$/, '').replace(/^.*::/, '');
  if (owner === '') return 'function';
  return type === null && declared.text === owner ? 'constructor' : 'method';
}

function variableKind(declared: Declared, scope: Scope, head: string): SymbolKind {
  const isConstant = /\bconstexpr\b/.test(head) || (/\bconst\b/.test(head) && !declared.isPointer);
  const isField = scope.kind === 'class' || scope.kind === 'local';
  if (isConstant && (!isField || /\bstatic\b/.test(head))) return 'constant';
  return isField ? 'field' : 'variable';
}

/** `auto` or `decltype(auto)` without a type behind the arrow: the body or the value says what it is. */
function hasPlaceholder(type: Node | null, node: Node): boolean {
  if (type?.type !== 'placeholder_type_specifier') return false;
  const declarator = node.childForFieldName('declarator');
  return !declarator?.namedChildren.some((child) => child.type === 'trailing_return_type');
}

// The name inside a declarator. C writes types around names, `int *(*f(void))[3]`, so the name is looked for inwards; what stands
// next to it says whether a function or a variable is declared.

type Declared = {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** `a::B` of `a::B::c`, else empty. */
  readonly qualifier: string;
  readonly isFunction: boolean;
  readonly isPointer: boolean;
};

const wrappers = new Set([
  'pointer_declarator',
  'reference_declarator',
  'array_declarator',
  'function_declarator',
  'parenthesized_declarator',
  'init_declarator',
  'attributed_declarator',
  'pointer_type_declarator',
  'variadic_declarator',
  'bitfield_clause',
  'optional_type_declarator',
]);

function findDeclared(declarator: Node, text: string): Declared | undefined {
  let node = declarator;
  let nearest = '';
  let isPointer = false;
  while (wrappers.has(node.type)) {
    if (node.type !== 'parenthesized_declarator' && node.type !== 'attributed_declarator') nearest = node.type;
    if (node.type === 'pointer_declarator') isPointer = true;
    const inner = node.childForFieldName('declarator') ?? innerOf(node);
    if (inner === null) return undefined;
    node = inner;
  }
  const isFunction = nearest === 'function_declarator';
  const outer = node.startIndex;
  while (node.type === 'qualified_identifier' || node.type === 'template_function' || node.type === 'template_method') {
    const name = node.childForFieldName('name');
    if (name === null) return undefined;
    node = name;
  }
  const start = node.startIndex;
  const end =
    node.type === 'operator_cast' ? (node.childForFieldName('type')?.endIndex ?? node.endIndex) : node.endIndex;
  const name = squeeze(text.slice(start, end));
  if (!/^[~\w$\x80-\uffff]/.test(name)) return undefined;
  const qualifier = text.slice(outer, start).replace(/\s+/g, '').replace(/::$/, '');
  return { text: name, start, end, qualifier, isFunction: isFunction || node.type === 'operator_cast', isPointer };
}

/** Declarators without a field for what they hold: the first child that could be one. */
function innerOf(node: Node): Node | null {
  return (
    node.namedChildren.find(
      (child) => wrappers.has(child.type) || /(?:identifier|_name|operator_cast|template_function)$/.test(child.type),
    ) ?? null
  );
}

/** `operator ==` and `operator==` are one name; `operator new` keeps its space. */
function squeeze(name: string): string {
  return name.replace(/\s+/g, ' ').replace(/ (?=[^\w])|(?<=~) /g, '');
}

// Facts of preprocessor lines: what is included, which macros there are, and which of them make names out of parts.

/** A node of a line ends behind the line; its facts end with its last word. */
function addInclude(sheet: FactSheet, node: Node, text: string): void {
  const path = node.childForFieldName('path');
  if (path === null) return;
  const written = text.slice(path.startIndex, path.endIndex);
  const literal = path.type === 'string_literal' || path.type === 'system_lib_string';
  sheet.imports.push({
    specifier: literal ? written.slice(1, -1) : written,
    kind: path.type === 'system_lib_string' ? 'include_system' : 'include',
    literal,
    typeOnly: false,
    names: [],
    start: node.startIndex,
    end: path.endIndex,
  });
}

/** `#include_next` and `#import` are lines the grammar has no rule for; `#undef` takes a macro away from the includer. */
function addDirective(sheet: FactSheet, node: Node, text: string, guard: string, isHeader: boolean): void {
  const { startIndex: start } = node;
  const line = text.slice(start, node.endIndex).trimEnd();
  const end = start + line.length;
  const include = /^#\s*(?:include_next|import)\s*(?:"([^"\n]*)"|<([^>\n]*)>)/.exec(line);
  if (include !== null) {
    const kind = include[1] === undefined ? 'include_system' : 'include';
    const specifier = include[1] ?? include[2] ?? '';
    sheet.imports.push({ specifier, kind, literal: true, typeOnly: false, names: [], start, end });
  } else if (/^#\s*undef\b/.test(line)) {
    addRecord(sheet, [], isHeader, () => guard + normaliseC(line));
  }
}

function addMacro(sheet: FactSheet, node: Node, text: string, guard: string, isHeader: boolean): void {
  const name = node.childForFieldName('name');
  if (name === null) return;
  const parameters = node.childForFieldName('parameters');
  const value = node.childForFieldName('value');
  const named = { text: text.slice(name.startIndex, name.endIndex), start: name.startIndex, end: name.endIndex };
  const span = { start: node.startIndex, end: (value ?? parameters ?? name).endIndex };
  addSymbol(sheet, 'macro', named, span, -1, isHeader);
  const head = { start: name.startIndex, end: (parameters ?? name).endIndex };
  const body = value === null ? '' : text.slice(value.startIndex, value.endIndex);
  addRecord(
    sheet,
    [named.text],
    isHeader,
    // The space says that what follows are not parameters.
    () => `${guard}#define ${normaliseC(text.slice(head.start, head.end))} ${normaliseC(body)}`,
  );
  if (value !== null && body.includes('##')) {
    sheet.dynamicSites.push({ kind: 'reflection', name: null, start: value.startIndex, end: value.endIndex });
  }
}

/** The condition that what is inside depends on. */
function guardOf(node: Node, text: string): string {
  const condition = node.childForFieldName('condition') ?? node.childForFieldName('name');
  if (condition === null) return '#else ';
  return `${normaliseC(text.slice(node.startIndex, condition.endIndex))} `;
}

/** `#ifndef X` followed by `#define X`: the line that keeps a header from being read twice tells nothing. */
function isIncludeGuard(node: Node, around: Node, text: string): boolean {
  if (node.type !== 'preproc_def' || around.type !== 'preproc_ifdef' || node.childForFieldName('value') !== null)
    return false;
  const asked = around.childForFieldName('name');
  const made = node.childForFieldName('name');
  if (asked === null || made === null || !text.startsWith('#ifndef', around.startIndex)) return false;
  return text.slice(asked.startIndex, asked.endIndex) === text.slice(made.startIndex, made.endIndex);
}

// Calls that look a function up by its name in a string.

const lookup = /^(?:dlsym|dlvsym|GetProcAddress|g_module_symbol|SDL_LoadFunction)$/;
const anyLookup = /\b(?:dlsym|dlvsym|GetProcAddress|g_module_symbol|SDL_LoadFunction)\b/;

function findDynamicSymbols(root: Node, text: string): DynamicSite[] {
  if (!anyLookup.test(text)) return [];
  const sites: DynamicSite[] = [];
  for (const call of root.descendantsOfType('call_expression')) {
    const called = call?.childForFieldName('function');
    if (!call || !called || called.endIndex - called.startIndex > 64) continue;
    const name = text.slice(called.startIndex, called.endIndex).replace(/^::/, '');
    if (!lookup.test(name)) continue;
    const literal = call.childForFieldName('arguments')?.namedChildren.find((child) => child.type === 'string_literal');
    const written = literal === undefined ? '' : text.slice(literal.startIndex, literal.endIndex);
    const asked = /^"([^"\\]*)"$/.exec(written)?.[1] ?? null;
    sites.push({ kind: 'reflection', name: asked, start: call.startIndex, end: call.endIndex });
  }
  return sites;
}

/** How C and C++ write literals: raw strings name their own delimiter, and a quote between digits only separates them. */
function normaliseC(text: string): string {
  return normaliseSource(text, rules);
}

const rules: TokenRules = { literalEnd, nestedComments: false, directives: true };

function literalEnd(text: string, at: number): number {
  const before = text.slice(Math.max(0, at - 4), at);
  if (text[at] === "'")
    return /[\da-fA-F]$/.test(before) && !/(?:^|\W)u8?$/.test(before) ? at + 1 : quotedEnd(text, at);
  if (!/(?:^|\W)(?:u8|[uUL])?R$/.test(before)) return quotedEnd(text, at);
  const delimiter = /^"([^()\\\s]{0,16})\(/.exec(text.slice(at, at + 20))?.[1];
  return delimiter === undefined ? quotedEnd(text, at) : closedBy(text, at, `)${delimiter}"`);
}

// What the parts of the C extractor share: where a declaration stands and what is collected.

type Scope = {
  readonly kind: 'file' | 'class' | 'local';
  /** The class around, without template arguments. */
  readonly name: string;
  readonly parent: number;
  /** Namespaces around, written before the text of every record. */
  readonly path: string;
  readonly guard: string;
  /** What is declared here can be seen outside: no anonymous namespace, no `private`. */
  readonly exported: boolean;
};

/** A declaration, beginning with the `template <…>` or `friend` before it. */
type Item = { readonly node: Node; readonly start: number; readonly scope: Scope };

type Walk = {
  readonly sheet: FactSheet;
  readonly text: string;
  readonly isHeader: boolean;
  readonly pending: Item[];
};

function spanOf(node: Node, start: number): { start: number; end: number } {
  return { start, end: node.endIndex };
}
