/**
 * PHP. Declarations are known by their full names (`php:Acme\Shop\Order`), because that is how other files ask for them. A namespace
 * without braces reaches to the next one. Class members cannot be closed over: any name may be reached by a string.
 */

import { finishOpenSheet, type RecordPart, startOpenSheet } from '../extraction/record-draft.ts';
import { spansWithoutComments } from '../extraction/source-tokens.ts';
import type { DynamicKind, DynamicSite, RawFacts, RawImport, SourceTree, SymbolKind } from '../facts.ts';
import type { Node, TreeCursor } from '../parsing/syntax-node.ts';
import { type CursorVisitors, findMarks, listChildren, pruneAlways, walkMarked } from '../parsing/walk-tree.ts';

const promising =
  /\b(?:function|public|protected|private|readonly|class|interface|trait|enum|const|case|define|namespace|use|include|include_once|require|require_once|call_user_func|call_user_func_array|forward_static_call|method_exists|property_exists|is_callable|constant|eval|extract|compact|Reflection[A-Za-z]+)\b|(?:->|::)\s*[${]|\$[${]|\bnew\s*\(?\s*[$\\R]|\$[\w\u0080-\uffff]+\s*\(|[\])]\s*\(/gi;

type Scope = {
  readonly kind: 'file' | 'class' | 'function';
  readonly symbol: number;
  /** Full name of the class, `Acme\Shop\Order`. */
  readonly path: string;
};

export default function extractPhp(source: SourceTree): RawFacts {
  const { text } = source;
  const sheet = startOpenSheet();
  const { symbols, imports, dynamicSites, records, provides } = sheet;
  const globals = new Set<string>();
  const scopes: Scope[] = [{ kind: 'file', symbol: -1, path: '' }];
  const scope = (): Scope => scopes.at(-1) as Scope;
  /** The namespace in force, as name and symbol. */
  let namespace = { name: '', symbol: -1 };
  /** Declarations inside functions come to life only when these run. */
  let functions = 0;
  let defineEnd = -1;

  const member = (cursor: TreeCursor) => note(readMember(cursor.currentNode, 'computed_member', text));
  const call = (cursor: TreeCursor) => note(readMember(cursor.currentNode, 'send', text));
  const include = (cursor: TreeCursor) => addInclude(cursor.currentNode);
  const visitors: CursorVisitors = {
    namespace_definition: ({ currentNode }) => enterNamespace(currentNode),
    namespace_use_declaration({ currentNode }) {
      imports.push(...readUse(currentNode, text));
      return 'skip';
    },
    class_declaration: ({ currentNode }) => enterType(currentNode, 'class'),
    interface_declaration: ({ currentNode }) => enterType(currentNode, 'interface'),
    trait_declaration: ({ currentNode }) => enterType(currentNode, 'trait'),
    enum_declaration: ({ currentNode }) => enterType(currentNode, 'enum'),
    anonymous_class: () => enter({ kind: 'class', symbol: scope().symbol, path: '' }),
    function_definition: ({ currentNode }) => enterFunction(currentNode),
    method_declaration: ({ currentNode }) => enterFunction(currentNode),
    anonymous_function: () => enterBody(scope().symbol),
    arrow_function: () => enterBody(scope().symbol),
    property_promotion_parameter: ({ currentNode }) => addPromoted(currentNode),
    property_declaration: ({ currentNode }) => addProperties(currentNode),
    const_declaration: ({ currentNode }) => addConstants(currentNode),
    enum_case: ({ currentNode }) => addCase(currentNode),
    use_declaration: ({ currentNode }) => addTraitUse(currentNode),
    expression_statement(cursor) {
      if (functions === 0 && scope().kind === 'file') addGlobal(cursor.currentNode);
      return undefined;
    },
    function_call_expression({ currentNode }) {
      dynamicSites.push(...readFunctionCall(currentNode, text));
      addDefine(currentNode);
      return undefined;
    },
    member_access_expression: member,
    nullsafe_member_access_expression: member,
    class_constant_access_expression: member,
    member_call_expression: call,
    nullsafe_member_call_expression: call,
    scoped_call_expression: call,
    object_creation_expression: ({ currentNode }) => note(readCreation(currentNode, text)),
    dynamic_variable_name: ({ currentNode }) => note(readVariableVariable(currentNode, text)),
    include_expression: include,
    include_once_expression: include,
    require_expression: include,
    require_once_expression: include,
  };
  walkMarked(source.root, visitors, findMarks(text, promising), prunable);

  return finishOpenSheet(sheet, source);

  function enter(next: Scope): () => void {
    scopes.push(next);
    return () => void scopes.pop();
  }

  function enterBody(symbol: number): () => void {
    functions += 1;
    const leave = enter({ kind: 'function', symbol, path: scope().path });
    return () => {
      functions -= 1;
      leave();
    };
  }

  function enterNamespace(node: Node): (() => void) | undefined {
    const name = node.childForFieldName('name');
    const isBlock = node.childForFieldName('body') !== null;
    const before = symbols[namespace.symbol];
    if (before !== undefined && before.end === text.length) before.end = node.startIndex;
    if (name === null || name.startIndex === name.endIndex) {
      namespace = { name: '', symbol: -1 };
    } else {
      const span = { startIndex: node.startIndex, endIndex: isBlock ? node.endIndex : text.length };
      const written = sliceOf(name).replace(/\s+/g, '');
      namespace = { name: written, symbol: addSymbol(written, name, 'namespace', span, -1, true) };
    }
    if (!isBlock) return undefined;
    return () => {
      namespace = { name: '', symbol: -1 };
    };
  }

  function enterType(node: Node, kind: 'class' | 'interface' | 'trait' | 'enum'): (() => void) | undefined {
    const name = writtenName(node);
    if (name === undefined) return undefined;
    const path = fullName(sliceOf(name));
    const symbol = addSymbol(sliceOf(name), name, kind, node, ownerSymbol(), functions === 0);
    if (functions === 0) provides.add(`php:${path}`);
    addRecord([sliceOf(name)], node, `${path} `, node.childForFieldName('body')?.startIndex);
    return enter({ kind: 'class', symbol, path });
  }

  function enterFunction(node: Node): (() => void) | undefined {
    const name = writtenName(node);
    if (name === undefined) return undefined;
    const around = scope();
    const written = sliceOf(name);
    const isMethod = node.type === 'method_declaration';
    const kind = isMethod ? (written.toLowerCase() === '__construct' ? 'constructor' : 'method') : 'function';
    const symbol = addSymbol(written, name, kind, node, ownerSymbol(), functions === 0 && !isPrivate(node));
    if (!isMethod && functions === 0) provides.add(`php:${fullName(written)}`);
    const path = isMethod ? `${around.path}::` : `${fullName(written)} `;
    addRecord([written], node, path, node.childForFieldName('body')?.startIndex);
    return enterBody(symbol);
  }

  /** A constructor's parameter that is a property as well: of the class, whose symbol is two scopes up. */
  function addPromoted(node: Node): undefined {
    const name = variableName(node.childForFieldName('name'));
    const owner = scopes.at(-2);
    if (name === undefined || owner?.kind !== 'class') return;
    addSymbol(sliceOf(name), name, 'property', node, owner.symbol, functions === 1 && !isPrivate(node));
  }

  function addProperties(node: Node): undefined {
    const hooks = listChildren(node).find(({ type }) => type === 'property_hook_list');
    for (const element of listChildren(node)) {
      const name = element.type === 'property_element' ? variableName(element.childForFieldName('name')) : undefined;
      if (name !== undefined) addSymbol(sliceOf(name), name, 'property', node, scope().symbol, isOpen(node));
    }
    const hookNames = listChildren(hooks ?? null).flatMap(
      (hook) => listChildren(hook).find(({ type }) => type === 'name') ?? [],
    );
    addRecord([], node, `${scope().path}::`, hooks?.startIndex, hookNames.map(sliceOf).join(','));
  }

  function addConstants(node: Node): undefined {
    const isMember = scope().kind === 'class';
    const prefix = isMember ? `${scope().path}::` : namespace.name === '' ? '' : `${namespace.name}\\`;
    const names: string[] = [];
    for (const element of listChildren(node)) {
      const name = element.type === 'const_element' ? (listChildren(element)[0] ?? null) : null;
      if (name === null || name.startIndex === name.endIndex) continue;
      addSymbol(sliceOf(name), name, 'constant', node, ownerSymbol(), isOpen(node));
      names.push(sliceOf(name));
      if (!isMember && functions === 0) provides.add(`php:${prefix}${sliceOf(name)}`);
    }
    addRecord(names, node, prefix, undefined, '', true);
  }

  function addCase(node: Node): undefined {
    const name = writtenName(node);
    if (name === undefined) return;
    addSymbol(sliceOf(name), name, 'enum_member', node, scope().symbol, functions === 0);
    addRecord([sliceOf(name)], node, `${scope().path}::`);
  }

  function addTraitUse(node: Node): 'skip' {
    addRecord([], node, `${scope().path}::`);
    return 'skip';
  }

  /** `define('NAME', …)`: always global, whatever the namespace it stands in. */
  function addDefine(node: Node): void {
    const callee = node.childForFieldName('function');
    if (callee === null || !/^\\?define$/i.test(sliceOf(callee))) return;
    const [first] = listChildren(node.childForFieldName('arguments'));
    const string = listChildren(first ?? null).at(-1);
    const written = stringLiteral(string, text)?.replace(/^\\/, '');
    if (!written || string === undefined) return;
    const name = written.slice(written.lastIndexOf('\\') + 1);
    const nameStart = string.endIndex - 1 - name.length;
    const span = { startIndex: nameStart, endIndex: nameStart + name.length };
    if (name === '') return;
    addSymbol(name, span, 'constant', node, functions === 0 ? -1 : scope().symbol, functions === 0);
    if (functions > 0) return;
    provides.add(`php:${written}`);
    // One inside another is written out there.
    if (node.startIndex >= defineEnd) addRecord([name], node, '', undefined, '', true);
    defineEnd = Math.max(defineEnd, node.endIndex);
  }

  function addGlobal(statement: Node): void {
    const [assignment] = listChildren(statement);
    const left = assignment?.type === 'assignment_expression' ? assignment.childForFieldName('left') : null;
    const name = variableName(left);
    if (name === undefined || globals.has(sliceOf(name))) return;
    globals.add(sliceOf(name));
    addSymbol(sliceOf(name), name, 'variable', statement, namespace.symbol, true);
  }

  function addInclude(node: Node): undefined {
    const found = readInclude(node, text);
    imports.push(found);
    if (!found.literal) note({ start: found.start, end: found.end, kind: 'dynamic_import', name: null });
  }

  function note(site: DynamicSite | undefined): undefined {
    if (site !== undefined) dynamicSites.push(site);
  }

  function addSymbol(
    name: string,
    at: { readonly startIndex: number; readonly endIndex: number },
    kind: SymbolKind,
    whole: { readonly startIndex: number; readonly endIndex: number },
    parent: number,
    exported: boolean,
  ): number {
    const span = { nameStart: at.startIndex, nameEnd: at.endIndex, start: whole.startIndex, end: whole.endIndex };
    return symbols.push({ name, kind, parent, exported, ...span }) - 1;
  }

  /** Nothing inside a function is declared for others. */
  function addRecord(
    names: readonly string[],
    node: Node,
    path: string,
    end?: number,
    more = '',
    inferred = false,
  ): void {
    if (functions > 0) return;
    const parts: RecordPart[] = [path, ...spansWithoutComments(node, text, end), more];
    records.push({ names, isPublic: true, inferred, parts, start: node.startIndex, end: node.endIndex });
  }

  function ownerSymbol(): number {
    return scope().kind === 'file' ? namespace.symbol : scope().symbol;
  }

  function fullName(name: string): string {
    return namespace.name === '' ? name : `${namespace.name}\\${name}`;
  }

  function isOpen(node: Node): boolean {
    return functions === 0 && !isPrivate(node);
  }

  function isPrivate(node: Node): boolean {
    return listChildren(node).some(
      (child) => child.type === 'visibility_modifier' && /^private$/i.test(sliceOf(child)),
    );
  }

  function sliceOf(node: Node): string {
    return text.slice(node.startIndex, node.endIndex);
  }
}

function writtenName(node: Node): Node | undefined {
  const name = node.childForFieldName('name');
  return name !== null && name.startIndex < name.endIndex ? name : undefined;
}

/** The name of `$name`, without the sign. */
function variableName(variable: Node | null): Node | undefined {
  const name = variable?.type === 'variable_name' ? variable.firstNamedChild : null;
  return name !== null && name !== undefined && name.startIndex < name.endIndex ? name : undefined;
}

const prunable = pruneAlways(
  `arguments array_creation_expression assignment_expression binary_expression case_statement compound_statement echo_statement
   else_clause else_if_clause encapsed_string expression_statement for_statement foreach_statement formal_parameters
   function_call_expression if_statement match_expression member_call_expression object_creation_expression return_statement
   scoped_call_expression switch_statement throw_expression try_statement catch_clause unset_statement while_statement`,
);

// `use` in all its forms, and `include`/`require`.

/** One import per name: each may lie in another file. */
function readUse(declaration: Node, text: string): RawImport[] {
  const span = { start: declaration.startIndex, end: declaration.endIndex };
  const children = listChildren(declaration);
  const group = children.find(({ type }) => type === 'namespace_use_group');
  const prefixNode = children.find(({ type }) => type === 'namespace_name');
  const prefix = group === undefined || prefixNode === undefined ? '' : `${nameText(prefixNode, text)}\\`;
  const clauses = (group === undefined ? children : listChildren(group)).filter(
    ({ type }) => type === 'namespace_use_clause',
  );
  return clauses.flatMap((clause) => {
    const named = listChildren(clause).find(({ type }) => type === 'qualified_name' || type === 'name');
    if (named === undefined || named.startIndex === named.endIndex) return [];
    const specifier = `${prefix}${nameText(named, text)}`.replace(/^\\/, '');
    const name = specifier.slice(specifier.lastIndexOf('\\') + 1);
    const alias = clause.childForFieldName('alias');
    const names = [{ name, alias: alias && nameText(alias, text), start: named.endIndex - name.length }];
    return [{ specifier, kind: 'use', literal: true, typeOnly: false, names, ...span }];
  });
}

/** `__DIR__ . '/x.php'` is the file beside this one, `./x.php`; a bare literal is looked for along the include path. */
function readInclude(expression: Node, text: string): RawImport {
  const [argument] = listChildren(expression);
  const inner = argument?.type === 'parenthesized_expression' ? listChildren(argument)[0] : argument;
  const literal = stringLiteral(inner, text) ?? besideThis(inner, text);
  return {
    specifier: literal ?? (inner === undefined ? '' : text.slice(inner.startIndex, inner.endIndex)),
    kind: expression.type.startsWith('require') ? 'require' : 'include',
    literal: literal !== null,
    typeOnly: false,
    names: [],
    start: expression.startIndex,
    end: expression.endIndex,
  };
}

function besideThis(node: Node | undefined, text: string): string | null {
  if (node?.type !== 'binary_expression') return null;
  const left = node.childForFieldName('left');
  const path = stringLiteral(node.childForFieldName('right'), text);
  if (left === null || !path?.startsWith('/')) return null;
  const base = text.slice(left.startIndex, left.endIndex).replace(/\s+/g, '');
  if (base === '__DIR__' || base === 'dirname(__FILE__)') return `.${path}`;
  return base === 'dirname(__DIR__)' ? `..${path}` : null;
}

function nameText(node: Node, text: string): string {
  return text.slice(node.startIndex, node.endIndex).replace(/\s+/g, '');
}

// Names that PHP reaches at run time: variable variables, functions, methods, properties and classes, and calls that take a name.

/** Function → kind and the position of the name. */
const reachingCalls: Readonly<Record<string, readonly [DynamicKind, number]>> = {
  call_user_func: ['send', 0],
  call_user_func_array: ['send', 0],
  forward_static_call: ['send', 0],
  is_callable: ['send', 0],
  method_exists: ['reflection', 1],
  property_exists: ['reflection', 1],
  constant: ['reflection', 0],
  eval: ['eval', -1],
  extract: ['computed_member', -1],
  compact: ['computed_member', 0],
};

const reflectionClass = /^\\?Reflection(?:Class|Object|Method|Property|Function|ClassConstant|Enum)$/i;

function readFunctionCall(call: Node, text: string): DynamicSite[] {
  const callee = call.childForFieldName('function');
  if (callee === null) return [];
  const given = listArguments(call.childForFieldName('arguments'));
  if (callee.type !== 'name' && callee.type !== 'qualified_name') {
    // `foo()()` and `(fn() => 1)()` call a value, not a name.
    const callsValue = /call_expression$|^parenthesized_expression$|function$/.test(callee.type);
    return callsValue ? [] : [siteAt(call, 'send', callableName(callee, text))];
  }
  const name = text.slice(callee.startIndex, callee.endIndex).replace(/^\\/, '').toLowerCase();
  const reaching = Object.hasOwn(reachingCalls, name) ? reachingCalls[name] : undefined;
  if (reaching === undefined) return [];
  const [kind, position] = reaching;
  if (name === 'compact' && given.length > 0) return given.map((item) => siteAt(call, kind, stringLiteral(item, text)));
  return [siteAt(call, kind, position < 0 ? null : callableName(given[position], text))];
}

/** `->$name`, `->{'x'}`, `::{$x}`: a member whose name is not written as one. */
function readMember(node: Node, kind: DynamicKind, text: string): DynamicSite | undefined {
  const name = node.childForFieldName('name');
  if (name === null || name.type === 'name') return undefined;
  // `Foo::$count` is how a static property is written.
  if (node.type === 'scoped_property_access_expression') return undefined;
  return siteAt(node, kind, stringLiteral(name, text));
}

/** `new $class`, and reflection by name. */
function readCreation(node: Node, text: string): DynamicSite | undefined {
  const [made, second] = listChildren(node);
  if (made === undefined || made.type === 'anonymous_class' || made.type === 'arguments') return undefined;
  if (made.type !== 'name' && made.type !== 'qualified_name') return siteAt(node, 'reflection', null);
  const name = text.slice(made.startIndex, made.endIndex);
  if (!reflectionClass.test(name)) return undefined;
  const given = listArguments(second?.type === 'arguments' ? second : null);
  return siteAt(node, 'reflection', stringLiteral(given[/Method|Property|Constant/i.test(name) ? 1 : 0], text));
}

function readVariableVariable(node: Node, text: string): DynamicSite {
  return siteAt(node, 'computed_member', stringLiteral(listChildren(node)[0], text));
}

/** `'name'`, or the method of `[$object, 'name']`. */
function callableName(node: Node | undefined, text: string): string | null {
  if (node?.type !== 'array_creation_expression') return stringLiteral(node, text);
  const items = listChildren(node);
  return items.length === 2 ? stringLiteral(listChildren(items[1] ?? null)[0], text) : null;
}

function listArguments(node: Node | null): Node[] {
  return listChildren(node).flatMap((argument) => listChildren(argument).at(-1) ?? []);
}

/** Of `Acme\Order::total` the name that is reached for is `total`. */
function siteAt(node: Node, kind: DynamicKind, written: string | null): DynamicSite {
  const name = written === null ? null : written.replace(/^.*(?:\\|::)/s, '') || null;
  return { start: node.startIndex, end: node.endIndex, kind, name };
}

/** A PHP string that is nothing but text. */
function stringLiteral(node: Node | null | undefined, text: string): string | null {
  if (node?.type !== 'string' && node?.type !== 'encapsed_string') return null;
  const written = text.slice(node.startIndex, node.endIndex);
  if (node.type === 'string') return /^'((?:[^'\\]|\\[^'])*)'$/.exec(written)?.[1]?.replace(/\\\\/g, '\\') ?? null;
  return /^"([^"\\${]*)"$/.exec(written)?.[1] ?? null;
}
