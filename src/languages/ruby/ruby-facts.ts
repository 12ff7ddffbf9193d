/**
 * Ruby. Classes are open and methods can be made by calls, so what is written down is only part of the truth: the interface is never
 * closed. Every statement without a promising word is left out of the walk.
 * `private` and its kin are calls that hold for what follows or name what came before; both are followed.
 */

import { finishOpenSheet, type RecordPart, startOpenSheet } from '../extraction/record-draft.ts';
import { spansWithoutComments } from '../extraction/source-tokens.ts';
import type { DynamicKind, DynamicSite, ImportKind, RawFacts, RawImport, SourceTree, SymbolKind } from '../facts.ts';
import type { Node, TreeCursor } from '../parsing/syntax-node.ts';
import { findMarks, listChildren, pruneAlways, walkMarked } from '../parsing/walk-tree.ts';

const promising =
  /\b(?:def|class|module|alias|alias_method|attr|attr_accessor|attr_reader|attr_writer|define_method|define_singleton_method|require|require_relative|load|autoload|private|protected|public|module_function|private_class_method|private_constant|include|extend|prepend|send|public_send|__send__|method|public_method|instance_method|respond_to|const_get|const_set|const_defined|(?:instance|class)_variable_(?:get|set|defined)|eval|instance_eval|class_eval|module_eval|undef_method|remove_method)\b|&:|[@$\p{Lu}][\p{L}\p{N}_]*\s*(?:\|\||&&)?=(?![=~>])/gu;

type Visibility = 'public' | 'protected' | 'private';
type Scope = {
  readonly kind: 'top' | 'class' | 'method';
  readonly symbol: number;
  /** `Shop::Order`, empty at the top. */
  readonly path: string;
  /** `.` for what is called on the class itself, `#` for its instances. */
  readonly separator: '#' | '.';
  readonly bound: Set<string>;
  /** The class or module to which methods and constants belong here; itself unless this is a method. */
  readonly home: Scope | undefined;
  visibility: Visibility;
};

export default function extractRuby(source: SourceTree): RawFacts {
  const { text } = source;
  const sheet = startOpenSheet();
  const { symbols, imports, dynamicSites, records, provides } = sheet;
  const byPath = new Map<string, number>();
  /** Owner and name → the latest symbol of that name. */
  const latest = new Map<string, number>();
  /** Where the value of the outermost constant ends. */
  let valueEnd = -1;
  const scopes: Scope[] = [classScope(-1, '', '#', 'top')];
  const scope = (): Scope => scopes.at(-1) as Scope;
  const home = (): Scope => scope().home ?? scope();

  walkMarked(
    source.root,
    {
      module: ({ currentNode }) => enterNamed(currentNode, 'namespace'),
      class: ({ currentNode }) => enterNamed(currentNode, 'class'),
      singleton_class() {
        const { symbol, path } = home();
        return enter(classScope(symbol, path, '.'));
      },
      method: ({ currentNode }) => enterMethod(currentNode, home().separator),
      singleton_method: ({ currentNode }) => enterMethod(currentNode, '.'),
      assignment: ({ currentNode }) => assign(currentNode),
      operator_assignment: ({ currentNode }) => assign(currentNode),
      alias({ currentNode }) {
        const name = currentNode.childForFieldName('name');
        if (name !== null && name.type === 'identifier')
          addMethod(nameAt(name), currentNode, spansWithoutComments(currentNode, text));
        return 'skip';
      },
      identifier: bareWord,
      call: ({ currentNode }) => call(currentNode),
      block_argument({ currentNode }) {
        const site = readBlockSymbol(currentNode, text);
        if (site !== undefined) dynamicSites.push(site);
        return undefined;
      },
    },
    findMarks(text, promising),
    prunable,
  );

  return finishOpenSheet(sheet, source);

  function enter(next: Scope): () => void {
    scopes.push(next);
    return () => void scopes.pop();
  }

  /** `class A::B`: below `A` if this file has it, and always known as `A::B`. */
  function enterNamed(node: Node, kind: 'class' | 'namespace'): (() => void) | undefined {
    const name = node.childForFieldName('name');
    const last = name?.type === 'scope_resolution' ? name.childForFieldName('name') : name;
    if (name === null || last === null || last === undefined || last.startIndex === last.endIndex) return undefined;
    const { path, symbol: parent } = pathOf(name);
    const symbol = addSymbol(nameAt(last), kind, node, parent, scope().kind !== 'method');
    if (!byPath.has(path)) byPath.set(path, symbol);
    provides.add(`ruby:${path}`);
    const superclass = node.childForFieldName('superclass');
    addRecord([nameAt(last).name], node, [
      `${kind === 'class' ? 'class' : 'module'} ${path}`,
      ...(superclass ? spansWithoutComments(superclass, text) : []),
    ]);
    return enter(classScope(symbol, path, '#'));
  }

  function enterMethod(node: Node, separator: '#' | '.'): (() => void) | undefined {
    const name = node.childForFieldName('name');
    if (name === null || name.startIndex === name.endIndex) return undefined;
    const written = nameAt(name);
    const parameters = node.childForFieldName('parameters');
    const isNested = scope().kind === 'method';
    const parts = parameters === null ? [] : spansWithoutComments(parameters, text);
    const symbol = addMethod(written, node, parts, separator);
    if (written.name === 'method_missing') {
      dynamicSites.push({ start: written.start, end: written.end, kind: 'send', name: null });
    }
    const around = home();
    const bound = isNested ? new Set<string>() : around.bound;
    return enter({ kind: 'method', symbol, path: around.path, separator, bound, home: around, visibility: 'public' });
  }

  function addMethod(
    written: WrittenName,
    node: Node,
    parts: readonly RecordPart[],
    separator: '#' | '.' = home().separator,
  ): number {
    const { symbol: parent, path, visibility, kind } = scope();
    // `private` does not touch what is defined on the class itself.
    const holds = separator === home().separator ? visibility : 'public';
    const exported = holds !== 'private' && kind !== 'method';
    const symbol = addSymbol(written, methodKind(written.name, kind), node, parent, exported);
    if (kind !== 'method')
      addRecord([written.name], node, [
        `${holds === 'public' ? '' : `${holds} `}def ${path}${separator}${written.name} `,
        ...parts,
      ]);
    return symbol;
  }

  function assign(node: Node): (() => void) | undefined {
    const left = node.childForFieldName('left');
    const right = node.childForFieldName('right');
    if (left === null) return undefined;
    const targets = left.type === 'left_assignment_list' ? listChildren(left) : [left];
    const isClass = targets.length === 1 && right?.type === 'call' && makesClass(right);
    for (const target of targets) {
      if (target.type === 'constant' || target.type === 'scope_resolution') {
        const constant = addConstant(target, node, isClass === true);
        if (constant !== undefined && isClass && right !== null) return enterMadeClass(right, constant);
      } else if (variableTypes.has(target.type)) addVariable(target, node);
    }
    return undefined;
  }

  function addConstant(target: Node, node: Node, isClass: boolean): { path: string; symbol: number } | undefined {
    const last = target.type === 'scope_resolution' ? target.childForFieldName('name') : target;
    if (scope().kind === 'method' || last === null || last.startIndex === last.endIndex) return undefined;
    const { path, symbol: parent } = pathOf(target);
    const written = nameAt(last);
    const symbol = addSymbol(written, isClass ? 'class' : 'constant', node, parent, true);
    if (isClass) provides.add(`ruby:${path}`);
    const right = isClass ? node.childForFieldName('right') : null;
    const end = right?.childForFieldName('block')?.startIndex;
    // A constant inside the value of another is written out there.
    const isInner = node.startIndex < valueEnd;
    valueEnd = Math.max(valueEnd, end ?? node.endIndex);
    const value = isInner ? [] : spansWithoutComments(node, text, end).map(after(target.endIndex));
    addRecord([written.name], node, [path, ...value], true);
    return { path, symbol };
  }

  /** `Point = Struct.new(:x, :y) do … end`: the block is the body of a class. */
  function enterMadeClass(made: Node, { path, symbol }: { path: string; symbol: number }): () => void {
    for (const argument of listChildren(made.childForFieldName('arguments'))) {
      const written = writtenName(argument, text);
      if (written !== undefined && argument.type === 'simple_symbol')
        addSymbol(written, 'property', argument, symbol, true);
    }
    return enter(classScope(symbol, path, '#'));
  }

  function makesClass(node: Node): boolean {
    const receiver = node.childForFieldName('receiver');
    const method = node.childForFieldName('method');
    if (receiver === null || method === null) return false;
    return /^(?:(?:Class|Module|Struct)\.new|Data\.define)$/.test(`${sliceOf(receiver)}.${sliceOf(method)}`);
  }

  /** `@x` belongs to its class wherever it is set first; `$x` to no class. */
  function addVariable(target: Node, node: Node): void {
    const written = nameAt(target);
    const { bound, symbol } = target.type === 'global_variable' ? (scopes[0] as Scope) : home();
    if (bound.has(written.name) || written.name === '') return;
    bound.add(written.name);
    const isGlobal = target.type === 'global_variable';
    addSymbol(written, isGlobal ? 'variable' : 'field', node, isGlobal ? -1 : symbol, isGlobal);
  }

  /** `private` on a line of its own. */
  function bareWord(cursor: TreeCursor): undefined {
    const { startIndex, endIndex } = cursor;
    if (scope().kind !== 'class' || endIndex - startIndex > 9) return;
    const word = text.slice(startIndex, endIndex);
    if (word !== 'private' && word !== 'protected' && word !== 'public') return;
    let before = startIndex - 1;
    while (text[before] === ' ' || text[before] === '\t') before -= 1;
    const isAlone = /^[ \t]*(?:[#;\r\n]|$)/.test(text.slice(endIndex, endIndex + 80));
    if (isAlone && (before < 0 || text[before] === '\n' || text[before] === ';')) scope().visibility = word;
  }

  function call(node: Node): (() => void) | undefined {
    const method = node.childForFieldName('method');
    if (method === null) return undefined;
    const name = sliceOf(method);
    const given = listChildren(node.childForFieldName('arguments'));
    const load = readRequire(node, name, given, text);
    if (load !== undefined) {
      imports.push(load);
      if (!load.literal) dynamicSites.push({ start: load.start, end: load.end, kind: 'dynamic_import', name: null });
    }
    const site = readReach(node, name, given, text);
    if (site !== undefined) dynamicSites.push(site);
    return scope().kind === 'method' || node.childForFieldName('receiver') !== null
      ? undefined
      : declare(node, name, given);
  }

  /** Calls in a class body that declare something. */
  function declare(node: Node, name: string, given: readonly Node[]): (() => void) | undefined {
    const names = given.flatMap((argument) => writtenName(argument, text) ?? []);
    if (/^attr(?:_accessor|_reader|_writer)?$/.test(name)) {
      for (const written of names) {
        const { symbol, visibility, path, separator } = home();
        addSymbol(written, 'property', node, symbol, visibility !== 'private');
        addRecord([written.name], node, [`${name} ${path}${separator}${written.name}`]);
      }
    } else if (name === 'alias_method' || name === 'define_method' || name === 'define_singleton_method') {
      const [first] = names;
      if (first !== undefined && writtenName(given[0], text) !== undefined) {
        addMethod(first, node, [], name === 'define_singleton_method' ? '.' : home().separator);
      }
    } else if (name === 'include' || name === 'extend' || name === 'prepend') {
      const { path } = home();
      if (given.length > 0) addRecord([], node, [`${path} `, ...spansWithoutComments(node, text)]);
    } else if (name === 'private' || name === 'protected' || name === 'public' || name === 'module_function') {
      if (name !== 'module_function') hide(node, name, names);
      const wraps = given.some(({ type }) => type === 'method' || type === 'singleton_method' || type === 'call');
      if (wraps && name !== 'module_function') return holdVisibility(name);
    } else if (name === 'private_class_method' || name === 'private_constant') {
      hide(node, name, names);
    }
    return undefined;
  }

  /** `private def x`: holds for what is inside the call. */
  function holdVisibility(visibility: Visibility): () => void {
    const around = scope();
    const before = around.visibility;
    around.visibility = visibility;
    return () => {
      around.visibility = before;
    };
  }

  /** Names what came before: the latest of that name in this class. */
  function hide(node: Node, method: string, names: readonly WrittenName[]): void {
    const { symbol: parent, path } = home();
    for (const { name } of names) {
      const found = symbols[latest.get(`${parent} ${name}`) ?? -1];
      if (found !== undefined) found.exported = method === 'public' || method === 'protected';
    }
    if (names.length > 0) addRecord([], node, [`${method} ${path} ${names.map(({ name }) => name).join(',')}`]);
  }

  function pathOf(name: Node): { path: string; symbol: number } {
    const { path: around, symbol } = home();
    const written = sliceOf(name).replace(/\s+/g, '');
    if (written.startsWith('::')) return { path: written.slice(2), symbol: -1 };
    // Nesting that no person wrote must not make paths of quadratic size.
    const path = around === '' || around.length > 1000 ? written : `${around}::${written}`;
    const owner = path.slice(0, path.lastIndexOf('::'));
    return { path, symbol: written.includes('::') ? (byPath.get(owner) ?? symbol) : symbol };
  }

  function addSymbol(written: WrittenName, kind: SymbolKind, whole: Node, parent: number, exported: boolean): number {
    const span = { nameStart: written.start, nameEnd: written.end, start: whole.startIndex, end: whole.endIndex };
    const symbol = symbols.push({ name: written.name, kind, parent, exported, ...span }) - 1;
    latest.set(`${parent} ${written.name}`, symbol);
    return symbol;
  }

  function addRecord(names: readonly string[], node: Node, parts: readonly RecordPart[], inferred = false): void {
    const span = { start: node.startIndex, end: node.endIndex };
    records.push({ names, isPublic: true, inferred, parts: [...parts], ...span });
  }

  function nameAt(node: Node): WrittenName {
    return { name: sliceOf(node), start: node.startIndex, end: node.endIndex };
  }

  function sliceOf(node: Node): string {
    return text.slice(node.startIndex, node.endIndex);
  }
}

function classScope(symbol: number, path: string, separator: '#' | '.', kind: 'class' | 'top' = 'class'): Scope {
  return { kind, symbol, path, separator, bound: new Set(), home: undefined, visibility: 'public' };
}

const variableTypes = new Set(['instance_variable', 'class_variable', 'global_variable']);

function methodKind(name: string, around: Scope['kind']): SymbolKind {
  if (around !== 'class') return 'function';
  if (name === 'initialize') return 'constructor';
  return /^\p{L}.*=$|^_.*=$/u.test(name) ? 'setter' : 'method';
}

/** Cuts a span so that it begins after `start`. */
function after(start: number): (span: { start: number; end: number }) => { start: number; end: number } {
  return (span) => ({ start: Math.max(span.start, start), end: Math.max(span.end, start) });
}

const prunable = pruneAlways(
  `argument_list array assignment begin binary block body_statement call case conditional do_block else elsif ensure for hash
   heredoc_body if if_modifier method_parameters operator_assignment rescue return string superclass then unless
   unless_modifier until when while yield`,
);

// `require`, `require_relative`, `load` and `autoload`.

const importKindOf: Readonly<Record<string, ImportKind>> = {
  require: 'require',
  load: 'require',
  require_relative: 'require_relative',
  autoload: 'autoload',
};

function readRequire(call: Node, method: string, given: readonly Node[], text: string): RawImport | undefined {
  const kind = Object.hasOwn(importKindOf, method) ? importKindOf[method] : undefined;
  const receiver = call.childForFieldName('receiver');
  const isKernel = receiver === null || text.slice(receiver.startIndex, receiver.endIndex) === 'Kernel';
  if (kind === undefined || !(isKernel || kind === 'autoload')) return undefined;
  const target = given[kind === 'autoload' ? 1 : 0];
  if (target === undefined) return undefined;
  const written = target.type === 'string' ? writtenName(target, text) : undefined;
  const constant = kind === 'autoload' ? writtenName(given[0], text) : undefined;
  return {
    specifier: written?.name ?? text.slice(target.startIndex, target.endIndex),
    kind,
    literal: written !== undefined,
    typeOnly: false,
    names: constant === undefined ? [] : [{ name: constant.name, alias: null, start: constant.start }],
    start: call.startIndex,
    end: call.endIndex,
  };
}

// Calls that reach for methods, constants and variables by a name that is computed or quoted.

const dynamicKindOf: Readonly<Record<string, DynamicKind>> = {
  send: 'send',
  public_send: 'send',
  __send__: 'send',
  method: 'send',
  public_method: 'send',
  instance_method: 'send',
  'respond_to?': 'send',
  define_method: 'reflection',
  define_singleton_method: 'reflection',
  remove_method: 'reflection',
  undef_method: 'reflection',
  const_get: 'reflection',
  const_set: 'reflection',
  'const_defined?': 'reflection',
  instance_variable_get: 'reflection',
  instance_variable_set: 'reflection',
  'instance_variable_defined?': 'reflection',
  class_variable_get: 'reflection',
  class_variable_set: 'reflection',
  eval: 'eval',
  instance_eval: 'eval',
  class_eval: 'eval',
  module_eval: 'eval',
};

/** With a block alone `instance_eval` runs code that can be read; only with a string does it run one that cannot. */
function readReach(call: Node, method: string, given: readonly Node[], text: string): DynamicSite | undefined {
  const kind = Object.hasOwn(dynamicKindOf, method) ? dynamicKindOf[method] : undefined;
  if (kind === undefined || given.length === 0) return undefined;
  const name = kind === 'eval' ? null : (writtenName(given[0], text)?.name.replace(/^.*::/s, '') ?? null);
  return { start: call.startIndex, end: call.endIndex, kind, name };
}

/** `map(&:name)` sends `name`. */
function readBlockSymbol(argument: Node, text: string): DynamicSite | undefined {
  const written = writtenName(listChildren(argument)[0], text);
  return written && { start: argument.startIndex, end: argument.endIndex, kind: 'send', name: written.name };
}

// A name that is written down: `:name`, `"name"` without interpolation. The position is that of the name itself.

type WrittenName = { readonly name: string; readonly start: number; readonly end: number };

function writtenName(node: Node | undefined | null, text: string): WrittenName | undefined {
  if (node?.type === 'simple_symbol') return nameAt(node.startIndex + 1, node.endIndex, text);
  if (node?.type !== 'string' && node?.type !== 'delimited_symbol') return undefined;
  const { namedChildren } = node;
  const [content] = namedChildren;
  if (content?.type !== 'string_content' || namedChildren.length !== 1) return undefined;
  return nameAt(content.startIndex, content.endIndex, text);
}

function nameAt(start: number, end: number, text: string): WrittenName | undefined {
  return start < end ? { name: text.slice(start, end), start, end } : undefined;
}
