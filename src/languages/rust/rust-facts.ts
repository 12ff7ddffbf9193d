/**
 * Facts of a Rust file. Items are visited container by container; the body of a function is entered only if its text says that an
 * item or a `use` may be inside. Invariants S2, S3: a record is an item without its bodies; what only macros could tell (the items
 * behind `name! { … }`) counts with all its tokens.
 */

import {
  addRecord,
  addSymbol,
  type FactSheet,
  finishSheet,
  type NamedSpan,
  nameOf,
  startSheet,
  within,
} from '../extraction/fact-sheet.ts';
import { closedBy, normaliseSource, quotedEnd, type TokenRules } from '../extraction/source-tokens.ts';
import type { ImportedName, RawFacts, SourceTree, SymbolKind } from '../facts.ts';
import type { Node } from '../parsing/syntax-node.ts';

export default function extractRust(source: SourceTree): RawFacts {
  const { text } = source;
  const walk: Walk = {
    sheet: startSheet(),
    text,
    pending: [],
    hiddenTypes: new Set(),
    usesSeen: new Set(),
    hasModFiles: false,
    hasBodyUses: false,
    hasGlob: false,
  };
  enter(walk, source.root, { kind: 'module', local: false, parent: -1, path: '', names: [], open: true, modules: [] });
  for (let item = walk.pending.pop(); item !== undefined; item = walk.pending.pop()) {
    visitors[item.node.type]?.(walk, item);
  }
  if (walk.hasBodyUses) addBodyUses(walk, source.root);
  const { sheet } = walk;
  if (!walk.hasModFiles) return finishSheet(sheet, source, canClose(walk));
  // Child modules in files of their own see what is private here.
  sheet.hidden.clear();
  const records = sheet.records.map((record) => ({ ...record, isPublic: true }));
  return finishSheet({ ...sheet, records }, source, canClose(walk));
}

/** A glob and a path from the crate's root bring in names that no import lists. */
function canClose({ hasGlob, sheet }: Walk): boolean {
  return !hasGlob && !sheet.records.some((record) => record.isPublic && /\b(?:crate|super|self)::/.test(record.text()));
}

const hideable = new Set(['struct_item', 'enum_item', 'union_item', 'trait_item', 'type_item']);

function enter(walk: Walk, container: Node, scope: Scope): void {
  const items: Item[] = [];
  let start = -1;
  let attributes = '';
  for (const node of container.namedChildren) {
    const { type } = node;
    if (type === 'line_comment' || type === 'block_comment') continue;
    if (type === 'attribute_item') {
      if (start < 0) start = node.startIndex;
      attributes += sliceOf(walk, node);
      continue;
    }
    if (hideable.has(type) && scope.kind === 'module' && !isVisible(walk, node))
      walk.hiddenTypes.add(bareName(walk, node).text);
    items.push({ node, start: start < 0 ? node.startIndex : start, attributes, scope });
    start = -1;
    attributes = '';
  }
  for (const item of items.reverse()) walk.pending.push(item);
}

type Visit = (walk: Walk, item: Item) => void;

const visitors: Readonly<Record<string, Visit>> = {
  function_item: addFunction,
  function_signature_item: addFunction,
  struct_item: addType,
  union_item: addType,
  enum_item: addType,
  trait_item: addTrait,
  impl_item: addImpl,
  mod_item: addModule,
  const_item: (walk, item) => addPlain(walk, item, 'constant', item.node.endIndex),
  static_item: (walk, item) =>
    addPlain(walk, item, 'variable', item.node.childForFieldName('type')?.endIndex ?? item.node.endIndex),
  type_item: (walk, item) => addPlain(walk, item, 'type', item.node.endIndex),
  associated_type: (walk, item) => addPlain(walk, item, 'type', item.node.endIndex),
  macro_definition: addMacro,
  macro_invocation: addInvocation,
  expression_statement: addInvocation,
  inner_attribute_item: addInnerAttribute,
  use_declaration: addUse,
  extern_crate_declaration: addUse,
  foreign_mod_item: enterForeign,
  declaration_list: (walk, { node, scope }) => enter(walk, node, scope),
  ERROR: (walk, { node, scope }) => enter(walk, node, scope),
};

function addFunction(walk: Walk, item: Item): void {
  const { node, scope } = item;
  const body = node.childForFieldName('body');
  const kind = isMember(scope) ? 'method' : 'function';
  const symbol = addPlain(walk, item, kind, body?.startIndex ?? node.endIndex);
  if (body !== null) enterBody(walk, body, symbol, scope);
}

const mayHoldItems = /\b(?:fn|struct|enum|union|trait|impl|mod|const|static|macro_rules)\b/;
const mayHoldUses = /\b(?:use|extern)\s/;
const bodyItems = [
  'function_item',
  'struct_item',
  'enum_item',
  'union_item',
  'trait_item',
  'impl_item',
  'mod_item',
  'const_item',
  'static_item',
  'type_item',
  'macro_definition',
];

/** Items of a body are found one level deep: a function inside a function inside a function is left out. */
function enterBody(walk: Walk, body: Node, parent: number, around: Scope): void {
  const text = sliceOf(walk, body);
  if (mayHoldUses.test(text)) walk.hasBodyUses = true;
  if (around.local || !mayHoldItems.test(text)) return;
  const scope: Scope = {
    kind: 'module',
    local: true,
    parent,
    path: '',
    names: [],
    open: false,
    modules: around.modules,
  };
  const items: Item[] = [];
  let end = -1;
  for (const node of body.descendantsOfType(bodyItems)) {
    if (node === null || node.startIndex < end) continue;
    end = node.endIndex;
    items.push({ node, start: node.startIndex, attributes: '', scope });
  }
  for (const item of items.reverse()) walk.pending.push(item);
}

function addType(walk: Walk, item: Item): void {
  const { node } = item;
  const kind = node.type === 'struct_item' ? 'struct' : node.type === 'union_item' ? 'union' : 'enum';
  const parent = addPlain(walk, item, kind, node.endIndex);
  const exported = walk.sheet.symbols[parent]?.exported ?? false;
  const body = node.childForFieldName('body');
  if (body !== null) addMembers(walk, body, parent, exported, node.type === 'enum_item');
}

/** Fields, variants, and the fields of variants, which are as deep as it goes. What an enum holds is as visible as the enum. */
function addMembers(walk: Walk, body: Node, parent: number, exported: boolean, ofEnum: boolean): void {
  let start = -1;
  for (const node of body.namedChildren) {
    if (node.type === 'attribute_item' && start < 0) start = node.startIndex;
    if (node.type !== 'field_declaration' && node.type !== 'enum_variant') continue;
    const span = { start: start < 0 ? node.startIndex : start, end: node.endIndex };
    start = -1;
    const isVariant = node.type === 'enum_variant';
    const visible = exported && (ofEnum || isVisible(walk, node));
    const symbol = addSymbol(
      walk.sheet,
      isVariant ? 'enum_member' : 'field',
      bareName(walk, node),
      span,
      parent,
      visible,
    );
    const inner = isVariant ? node.childForFieldName('body') : null;
    if (inner?.type === 'field_declaration_list') addMembers(walk, inner, symbol, visible, true);
  }
}

function addTrait(walk: Walk, item: Item): void {
  const { node, scope } = item;
  const body = node.childForFieldName('body');
  const parent = addPlain(walk, item, 'trait', body?.startIndex ?? node.endIndex);
  if (body === null) return;
  const name = bareName(walk, node).text;
  const open = scope.open && isVisible(walk, node);
  enter(walk, body, {
    kind: 'trait',
    local: scope.local,
    parent,
    path: within(scope.path, `${name}::`),
    names: [name],
    open,
    modules: scope.modules,
  });
}

function addImpl(walk: Walk, item: Item): void {
  const { node, scope, start } = item;
  const type = node.childForFieldName('type');
  const trait = node.childForFieldName('trait');
  const body = node.childForFieldName('body');
  if (type === null) return;
  const isHidden = (part: Node | null) => part !== null && walk.hiddenTypes.has(baseName(sliceOf(walk, part)));
  const open = scope.open && !isHidden(type) && !isHidden(trait);
  const written = normaliseRust(sliceOf(walk, type));
  const name = {
    text: sliceOf(walk, type).replace(/\s+/g, ' '),
    start: type.startIndex,
    end: type.endIndex,
  };
  const parent = addSymbol(walk.sheet, 'impl', name, { start, end: node.endIndex }, scope.parent, open);
  const names = [baseName(written)];
  const head = body?.startIndex ?? node.endIndex;
  if (!scope.local) addRecordOf(walk, item, names, open, head);
  if (!open) walk.sheet.hidden.add(node.id);
  if (body === null) return;
  const before = trait === null ? written : `${written} as ${normaliseRust(sliceOf(walk, trait))}`;
  const kind = trait === null ? 'impl' : 'trait_impl';
  enter(walk, body, { ...scope, kind, parent, path: within(scope.path, `<${before}>::`), names, open });
}

function addModule(walk: Walk, item: Item): void {
  const { node, scope, start } = item;
  const body = node.childForFieldName('body');
  const parent = addPlain(walk, item, 'namespace', body?.startIndex ?? node.endIndex);
  const name = bareName(walk, node);
  if (body === null) {
    if (name.text === '') return;
    walk.hasModFiles = true;
    const path = /#\s*\[\s*path\s*=\s*"([^"]*)"/.exec(item.attributes)?.[1];
    walk.sheet.imports.push({
      specifier: path === undefined ? [...scope.modules, name.text].join('::') : `path:${path}`,
      kind: 'mod',
      literal: true,
      typeOnly: false,
      names: [{ name: name.text, alias: null, start: name.start }],
      start,
      end: node.endIndex,
    });
    return;
  }
  enter(walk, body, {
    kind: 'module',
    local: scope.local,
    parent,
    path: within(scope.path, `${name.text}::`),
    names: [...scope.names.slice(-3), name.text],
    open: scope.open && isVisible(walk, node),
    modules: [...scope.modules, name.text].slice(-16),
  });
}

/** Other files may use a macro by its place in the text, without any mark of export: its tokens always count. */
function addMacro(walk: Walk, item: Item): void {
  const { node, scope } = item;
  const name = bareName(walk, node);
  const exported = !scope.local && /#\s*\[\s*macro_export\b/.test(item.attributes);
  addSymbol(walk.sheet, 'macro', name, { start: item.start, end: node.endIndex }, scope.parent, exported);
  if (!scope.local) addRecordOf(walk, item, [name.text], true, node.endIndex);
}

function addInnerAttribute(walk: Walk, item: Item): void {
  const { node, scope } = item;
  if (!scope.local) addRecordOf(walk, item, scope.names, scope.open, node.endIndex);
}

/** `extern "C" { … }`: what is inside is declared beside it. */
function enterForeign(walk: Walk, { node, scope, start }: Item): void {
  const body = node.childForFieldName('body');
  if (body === null) return;
  const head = normaliseRust(walk.text.slice(start, body.startIndex));
  enter(walk, body, { ...scope, kind: 'foreign', path: within(scope.path, `${head} `) });
}

/** What a macro makes is unknown, so all it is given counts. `include!` is how one file is part of another. */
function addInvocation(walk: Walk, item: Item): void {
  const { node, scope, start } = item;
  if (scope.local) return;
  addRecordOf(walk, item, scope.names, scope.open, node.endIndex, true);
  const included = /^include\s*!\s*[([{]\s*"([^"\\]+)"/.exec(sliceOf(walk, node))?.[1];
  if (included === undefined) return;
  const span = { start, end: node.endIndex };
  walk.sheet.imports.push({ specifier: included, kind: 'include', literal: true, typeOnly: false, names: [], ...span });
}

/** A symbol and a record of the text up to `textEnd`. Answers the symbol. */
function addPlain(walk: Walk, item: Item, kind: SymbolKind, textEnd: number): number {
  const { node, scope, start } = item;
  const name = bareName(walk, node);
  const own = scope.kind === 'trait' || scope.kind === 'trait_impl' || isVisible(walk, node);
  const exported = !scope.local && own && (scope.open || scope.kind === 'module' || scope.kind === 'impl');
  const symbol = addSymbol(walk.sheet, kind, name, { start, end: node.endIndex }, scope.parent, exported);
  if (scope.local) return symbol;
  if (!(own && scope.open)) walk.sheet.hidden.add(node.id);
  const names = !own ? [name.text] : isMember(scope) ? scope.names : [...scope.names, name.text];
  addRecordOf(walk, item, names, own && scope.open, textEnd);
  return symbol;
}

function isMember(scope: Scope): boolean {
  return scope.kind === 'impl' || scope.kind === 'trait' || scope.kind === 'trait_impl';
}

/** `a::B<T>` → `B`, `&'a mut B` → `B`. */
function baseName(type: string): string {
  return /^(?:&|'\w+|mut\b|dyn\b|\s)*(?:[\w#]+\s*::\s*)*([\w#]+)/.exec(type)?.[1] ?? type;
}

/** `use` and `extern crate`, at the level of items and inside bodies, and what `pub use` hands on. */
function addUse(walk: Walk, item: Item): void {
  const { node, scope } = item;
  walk.usesSeen.add(node.startIndex);
  const leaves = addUses(walk, node, item.start, scope.modules);
  if (scope.local) return;
  if (leaves.some(({ name, path }) => name === '*' && !closedGlob.test(path))) walk.hasGlob = true;
  if (!isVisible(walk, node)) return;
  addRecordOf(walk, item, [...scope.names, ...leaves.map(({ local }) => local)], scope.open, node.endIndex);
  for (const { path, local, name } of leaves) {
    walk.sheet.exports.push({
      publicName: local,
      localName: name === '*' ? null : name,
      specifier: path,
      star: name === '*',
      typeOnly: false,
    });
  }
}

/** Globs over this file itself or the standard library: nothing unknown comes in. */
const closedGlob = /^(?:self$|(?:::)?(?:std|core|alloc)\b)/;

type UsedName = { readonly path: string; readonly name: string; readonly local: string };

function addUses(walk: Walk, node: Node, start: number, modules: readonly string[]): UsedName[] {
  const used: UsedName[] = [];
  for (const { path: written, name } of listLeaves(walk, node)) {
    const path = fromFile(written, modules);
    walk.sheet.imports.push({
      specifier: path,
      kind: 'use',
      literal: true,
      typeOnly: false,
      names: [name],
      start,
      end: node.endIndex,
    });
    used.push({ path, name: name.name, local: name.alias ?? name.name });
  }
  return used;
}

/** Uses inside bodies, at any depth. The inline modules around them are followed as both come in the order of the text. */
function addBodyUses(walk: Walk, root: Node): void {
  const around: { readonly name: string; readonly end: number }[] = [];
  for (const node of root.descendantsOfType(['use_declaration', 'extern_crate_declaration', 'mod_item'])) {
    if (node === null) continue;
    while ((around.at(-1)?.end ?? Number.POSITIVE_INFINITY) <= node.startIndex) around.pop();
    if (node.type === 'mod_item') around.push({ name: bareName(walk, node).text, end: node.endIndex });
    else if (!walk.usesSeen.has(node.startIndex)) {
      addUses(
        walk,
        node,
        node.startIndex,
        around.slice(-16).map(({ name }) => name),
      );
    }
  }
  walk.sheet.imports.sort((a, b) => a.start - b.start);
}

/** A path as the file's own module would write it: inside `mod a { … }`, `super::x` is `self::x` and `self::x` is `self::a::x`. */
function fromFile(path: string, modules: readonly string[]): string {
  const [first = '', ...rest] = modules.length === 0 ? [] : path.split('::');
  if (first !== 'self' && first !== 'super') return path;
  const segments = first === 'self' ? rest : path.split('::');
  let left = modules.length;
  while (left > 0 && segments[0] === 'super') {
    segments.shift();
    left -= 1;
  }
  return [...(segments[0] === 'super' ? [] : ['self']), ...modules.slice(0, left), ...segments].join('::');
}

function listLeaves(walk: Walk, node: Node): UseLeaf[] {
  if (node.type === 'use_declaration') {
    const argument = node.childForFieldName('argument');
    return argument === null ? [] : listUseLeaves(argument, walk.text);
  }
  const name = bareName(walk, node);
  const alias = node.childForFieldName('alias');
  if (name.text === '') return [];
  return [{ path: name.text, name: { name: name.text, alias: alias && sliceOf(walk, alias), start: name.start } }];
}

// A `use` tree as one import per leaf. `use a::{b as c, d::*}` gives `a::b` with the name `b as c` and `a::d` with the name `*`.
// Trees nested deeper than anyone writes are cut: every leaf repeats its whole path, so their size would grow with the square.

type UseLeaf = { readonly path: string; readonly name: ImportedName };

const maxDepth = 16;

function listUseLeaves(argument: Node, text: string): UseLeaf[] {
  const leaves: UseLeaf[] = [];
  const pending: { node: Node; prefix: string; depth: number }[] = [{ node: argument, prefix: '', depth: 0 }];
  const pathOf = (node: Node | null) => (node === null ? '' : squeeze(text.slice(node.startIndex, node.endIndex)));
  const add = (path: string, start: number, alias: string | null = null, name = lastSegment(path)) => {
    if (name !== '') leaves.push({ path, name: { name, alias, start } });
  };
  for (let task = pending.pop(); task !== undefined; task = pending.pop()) {
    const { node, prefix, depth } = task;
    if (depth > maxDepth) continue;
    switch (node.type) {
      case 'scoped_use_list': {
        const list = node.childForFieldName('list');
        const inner = join(prefix, pathOf(node.childForFieldName('path')), text[node.startIndex] === ':');
        if (list !== null) pending.push({ node: list, prefix: inner, depth: depth + 1 });
        break;
      }
      case 'use_list':
        for (const child of node.namedChildren.toReversed()) pending.push({ node: child, prefix, depth });
        break;
      case 'use_wildcard': {
        const path = join(prefix, pathOf(node).replace(/(?:::)?\*$/, ''), false);
        add(path, node.endIndex - 1, null, '*');
        break;
      }
      case 'use_as_clause': {
        const path = node.childForFieldName('path');
        if (path === null) break;
        const alias = pathOf(node.childForFieldName('alias'));
        add(leafPath(prefix, pathOf(path)), nameStart(path), alias === '' ? null : alias);
        break;
      }
      case 'identifier':
      case 'scoped_identifier':
      case 'self':
      case 'crate':
      case 'super':
      case 'metavariable':
        add(leafPath(prefix, pathOf(node)), nameStart(node));
        break;
    }
  }
  return leaves;
}

/** `a::{self}` means `a`. */
function leafPath(prefix: string, path: string): string {
  return path === 'self' && prefix !== '' ? prefix : join(prefix, path, false);
}

function join(prefix: string, path: string, absolute: boolean): string {
  if (prefix === '') return absolute && !path.startsWith('::') ? `::${path}` : path;
  return path === '' ? prefix : `${prefix}::${path.replace(/^::/, '')}`;
}

function nameStart(path: Node): number {
  return (path.type === 'scoped_identifier' ? path.childForFieldName('name') : null)?.startIndex ?? path.startIndex;
}

function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf(':') + 1).replace(/^r#/, '');
}

function squeeze(text: string): string {
  return /[\s/]/.test(text) ? text.replace(/\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|\s+/g, '') : text;
}

// What the parts of the Rust extractor share: where an item stands, what is collected, and how an item is read.

type Scope = {
  readonly kind: 'module' | 'trait' | 'impl' | 'trait_impl' | 'foreign';
  /** Inside the body of a function: symbols, but no records. */
  readonly local: boolean;
  readonly parent: number;
  /** Written before the text of every record inside. */
  readonly path: string;
  /** Records inside are also meant by these names: the inline modules or the type around them. */
  readonly names: readonly string[];
  /** Everything around is visible to other files. */
  readonly open: boolean;
  /** The inline modules around, which `super` leaves one by one. */
  readonly modules: readonly string[];
};

/** An item with the attributes before it. */
type Item = { readonly node: Node; readonly start: number; readonly attributes: string; readonly scope: Scope };

type Walk = {
  readonly sheet: FactSheet;
  readonly text: string;
  readonly pending: Item[];
  readonly hiddenTypes: Set<string>;
  readonly usesSeen: Set<number>;
  hasModFiles: boolean;
  hasBodyUses: boolean;
  /** Some `use x::*` brings in names that no import lists. */
  hasGlob: boolean;
};

function addRecordOf(
  walk: Walk,
  item: Item,
  names: readonly string[],
  isPublic: boolean,
  end: number,
  inferred = false,
): void {
  const { start, scope } = item;
  const { text } = walk;
  addRecord(walk.sheet, names, isPublic, () => scope.path + normaliseRust(text.slice(start, end)), inferred);
}

function isVisible(walk: Walk, node: Node): boolean {
  const first = node.firstNamedChild;
  return first?.type === 'visibility_modifier' && !/^pub\s*\(\s*self/.test(sliceOf(walk, first));
}

/** The name without `r#`, which only says that it is no keyword here. */
function bareName(walk: Walk, node: Node): NamedSpan {
  const name = nameOf(walk, node);
  return { ...name, text: name.text.replace(/^r#/, '') };
}

function sliceOf(walk: Walk, node: Node): string {
  return walk.text.slice(node.startIndex, node.endIndex);
}

/** How Rust writes literals: raw strings count their hashes, a quote may begin a lifetime, comments nest. */
function normaliseRust(text: string): string {
  return normaliseSource(text, rules);
}

const rules: TokenRules = { literalEnd, nestedComments: true, directives: false };
const character = /'(?:\\[^\n]{1,9}?|[^'\\\n\uD800-\uDFFF]|[\uD800-\uDBFF][\uDC00-\uDFFF])'/y;

function literalEnd(text: string, at: number): number {
  if (text[at] === "'") {
    character.lastIndex = at;
    return character.test(text) ? character.lastIndex : at + 1;
  }
  let before = at;
  while (text[before - 1] === '#') before -= 1;
  if (text[before - 1] === 'r' && !/\w/.test(text.slice(before - 2, before - 1).replace(/[bc]/, ''))) {
    return closedBy(text, at + 1, `"${'#'.repeat(at - before)}`);
  }
  return quotedEnd(text, at, true);
}
