/**
 * Facts of a C or C++ file. Declarations are visited container by container; of function bodies only the types declared in them are
 * looked for. Invariants S2, S3: whoever includes a header sees all its tokens, so each of its declarations is a record with bodies
 * and all; of a source file the linker sees external definitions, which count without bodies and initialisers.
 */

import type { Node } from 'web-tree-sitter';
import type { RawFacts, SourceTree, SymbolKind } from '../facts.ts';
import { type Declared, findDeclared } from './c/declarators.ts';
import { functionKind, hasPlaceholder, variableKind } from './c/declared-kinds.ts';
import { findDynamicSymbols } from './c/dynamic-symbols.ts';
import { addDirective, addInclude, addMacro, guardOf, isIncludeGuard } from './c/preprocessor.ts';
import { addItemRecord, addSourceFunction, addSourceRecords } from './c/records.ts';
import { type Item, type Scope, spanOf, type Walk } from './c/walk.ts';
import { addSymbol, finishSheet, startSheet, within } from './shared/fact-sheet.ts';

export function extractC(source: SourceTree): RawFacts {
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
