/**
 * What the JavaScript extractor must find, said the slow and obvious way: every node is visited and asked for its type. It knows no
 * text patterns and skips nothing, so where the two differ, the quick one is wrong (or this one's rule is). It recurses, and is
 * meant for sources without syntax errors.
 */

import type { DynamicSite, RawImport, SymbolKind } from '../../src/languages/facts.ts';
import type { Node } from '../../src/languages/parsing/syntax-node.ts';

/** A symbol with its container's name instead of its position. */
type WalkedSymbol = {
  readonly name: string;
  readonly kind: SymbolKind;
  readonly nameStart: number;
  readonly start: number;
  readonly end: number;
  readonly parent: WalkedSymbol | null;
};

export type Walked = {
  readonly symbols: readonly WalkedSymbol[];
  readonly imports: readonly RawImport[];
  readonly sites: readonly DynamicSite[];
};

const functionValues = new Set(['arrow_function', 'function_expression', 'generator_function']);
const declaredFunctions = new Set(['function_declaration', 'generator_function_declaration', 'function_signature']);
const declaredClasses = new Set(['class_declaration', 'abstract_class_declaration']);

export function walkJavaScript(root: Node): Walked {
  const symbols: WalkedSymbol[] = [];
  const imports: RawImport[] = [];
  const sites: DynamicSite[] = [];

  function add(
    name: Node,
    kind: SymbolKind,
    span: { readonly startIndex: number; readonly endIndex: number },
    parent: WalkedSymbol | null,
    as?: string,
  ): WalkedSymbol {
    const isQuoted = name.type === 'string' && name.text.length > 2;
    const symbol: WalkedSymbol = {
      name: as ?? (isQuoted ? name.text.slice(1, -1) : name.text),
      kind,
      nameStart: name.startIndex + (isQuoted ? 1 : 0),
      start: span.startIndex,
      end: span.endIndex,
      parent,
    };
    symbols.push(symbol);
    return symbol;
  }

  function children(node: Node, parent: WalkedSymbol | null): void {
    for (const child of node.children) visit(child, parent);
  }

  function visit(node: Node, parent: WalkedSymbol | null): void {
    noteImports(node, imports, sites);
    noteSites(node, sites);
    const name = node.childForFieldName('name');
    const { type } = node;
    if (type === 'class_body') classBody(node, parent);
    else if (declaredFunctions.has(type) && name !== null)
      children(node, add(name, 'function', statementOf(node), parent));
    else if (declaredClasses.has(type) && name !== null) classLike(node, add(name, 'class', statementOf(node), parent));
    else if (type === 'variable_declarator') declarator(node, parent);
    else if (type === 'interface_declaration' && name !== null) {
      typeMembers(node.childForFieldName('body'), add(name, 'interface', statementOf(node), parent));
    } else if (type === 'type_alias_declaration' && name !== null) {
      const symbol = add(name, 'type', statementOf(node), parent);
      const value = node.childForFieldName('value');
      if (value?.type === 'object_type') typeMembers(value, symbol);
      else children(node, symbol);
    } else if (type === 'enum_declaration' && name !== null) {
      const symbol = add(name, 'enum', statementOf(node), parent);
      for (const member of node.childForFieldName('body')?.namedChildren ?? []) {
        if (member.type === 'comment') continue;
        const own = member.type === 'enum_assignment' ? member.childForFieldName('name') : member;
        if (own !== null) children(member, add(own, 'enum_member', member, symbol));
      }
    } else if ((type === 'internal_module' || type === 'module') && name !== null) namespace(node, name, parent);
    else if (type === 'ambient_declaration' && node.children.some((child) => child.type === 'global')) {
      const word = node.children.find((child) => child.type === 'global');
      children(node, word === undefined ? parent : add(word, 'namespace', statementOf(node), parent));
    } else if (type === 'import_alias') {
      const own = node.namedChildren.find((child) => child.type === 'identifier');
      if (own !== undefined) add(own, 'variable', statementOf(node), parent);
      children(node, parent);
    } else if (functionValues.has(type) || type === 'class') value(node, name, parent);
    else children(node, parent);
  }

  /** A function or class that is not a declaration, nor given to a variable (that is the declarator's business). */
  function value(node: Node, name: Node | null, parent: WalkedSymbol | null): void {
    const kind = node.type === 'class' ? 'class' : 'function';
    const word =
      node.parent?.type === 'export_statement' ? node.parent.children.find((c) => c.type === 'default') : undefined;
    let symbol = parent;
    if (word !== undefined) symbol = add(word, kind, node.parent ?? node, parent, 'default');
    else if (name !== null && node.type !== 'arrow_function') symbol = add(name, kind, node, parent);
    if (symbol !== parent && symbol !== null && kind === 'class') classLike(node, symbol);
    else children(node, symbol);
  }

  function namespace(node: Node, name: Node, parent: WalkedSymbol | null): void {
    let symbol = parent;
    const span = statementOf(node);
    const identifiers =
      name.type === 'nested_identifier' ? name.descendantsOfType(['identifier', 'property_identifier']) : [name];
    for (const part of identifiers) symbol = add(part, 'namespace', span, symbol);
    children(node, symbol);
  }

  function declarator(node: Node, parent: WalkedSymbol | null): void {
    const name = node.childForFieldName('name');
    const given = node.childForFieldName('value');
    const statement = node.parent;
    if (name === null || statement === null) {
      children(node, parent);
      return;
    }
    const alone = statement.namedChildren.filter((child) => child.type === 'variable_declarator').length === 1;
    const isOuter = isStatement(statement);
    const span = alone ? (isOuter ? statementOf(statement) : statement) : node;
    const isFunction = given !== null && functionValues.has(given.type);
    const isClass = given?.type === 'class';
    const constant = statement.children[0]?.type === 'const';
    const plain = constant ? 'constant' : 'variable';
    if (name.type === 'identifier') {
      if (!isOuter && !isFunction && !isClass) {
        children(node, parent);
        return;
      }
      const symbol = add(name, isFunction ? 'function' : isClass ? 'class' : plain, span, parent);
      for (const child of node.children) {
        if (child.id !== given?.id) visit(child, symbol);
        else if (isClass) classLike(child, symbol);
        else if (isFunction) children(child, symbol);
        else visit(child, symbol);
      }
      return;
    }
    if (isOuter) for (const bound of boundIn(name)) add(bound, plain, span, parent);
    children(node, parent);
  }

  /** The class has a symbol, so its members have too. */
  function classLike(node: Node, symbol: WalkedSymbol): void {
    for (const child of node.children) {
      if (child.type === 'class_body') classBody(child, symbol, true);
      else visit(child, symbol);
    }
  }

  function classBody(body: Node, parent: WalkedSymbol | null, named = false): void {
    let decorators: Node[] = [];
    for (const member of body.children) {
      if (member.type === 'decorator') {
        decorators.push(member);
        continue;
      }
      if (member.type === 'comment') continue;
      const start = decorators[0]?.startIndex ?? member.startIndex;
      const symbol = named && parent !== null ? classMember(member, parent, start) : parent;
      for (const decorator of decorators) visit(decorator, symbol);
      decorators = [];
      if (member.type === 'method_definition' && named && parent !== null) method(member, parent, symbol);
      else children(member, symbol);
      if (member.childCount === 0) noteSites(member, sites);
    }
  }

  function classMember(member: Node, parent: WalkedSymbol, startIndex: number): WalkedSymbol {
    const name = member.childForFieldName('name') ?? member.childForFieldName('property');
    if (name === null || member.type === 'index_signature') return parent;
    const span = { startIndex, endIndex: member.endIndex };
    if (/field_definition$/.test(member.type)) return add(name, 'field', span, parent);
    const words = member.children.map((child) => child.type);
    const isStatic = words.includes('static');
    const kind = words.includes('get')
      ? 'getter'
      : words.includes('set')
        ? 'setter'
        : name.text === 'constructor' && !isStatic
          ? 'constructor'
          : 'method';
    return add(name, kind, span, parent);
  }

  function method(member: Node, parent: WalkedSymbol, symbol: WalkedSymbol | null): void {
    for (const child of member.children) {
      if (child.type !== 'formal_parameters') {
        visit(child, symbol);
        continue;
      }
      for (const parameter of child.children) {
        const modified = parameter.children.some((part) =>
          ['accessibility_modifier', 'readonly', 'override_modifier'].includes(part.type),
        );
        const pattern = parameter.childForFieldName('pattern');
        if (modified && pattern?.type === 'identifier') children(parameter, add(pattern, 'field', parameter, parent));
        else visit(parameter, symbol);
      }
    }
  }

  function typeMembers(body: Node | null, parent: WalkedSymbol): void {
    for (const member of body?.namedChildren ?? []) {
      const name = member.childForFieldName('name');
      const isMethod = member.type === 'method_signature';
      if (name !== null && (isMethod || member.type === 'property_signature')) {
        const words = member.children.map((child) => child.type);
        const kind = isMethod
          ? words.includes('get')
            ? 'getter'
            : words.includes('set')
              ? 'setter'
              : 'method'
          : 'property';
        add(name, kind, member, parent);
      }
      children(member, parent);
    }
  }

  visit(root, null);
  const byPlace = (a: { start: number; end: number }, b: { start: number; end: number }) =>
    a.start - b.start || a.end - b.end;
  return { symbols, imports: imports.sort(byPlace), sites: sites.sort(byPlace) };
}

/** The statement a declaration is the heart of: with `export`, `declare`, or what the grammar wraps a namespace in. */
function statementOf(node: Node): Node {
  let at = node;
  while (at.parent !== null && ['export_statement', 'ambient_declaration'].includes(at.parent.type)) at = at.parent;
  if (node.type === 'internal_module' && at.parent?.type === 'expression_statement') at = at.parent;
  return at;
}

/** Does it stand in the file itself or directly in a namespace? */
function isStatement(node: Node): boolean {
  const { parent } = statementOf(node);
  if (parent?.type === 'program') return true;
  const owner = parent?.type === 'statement_block' ? parent.parent?.type : undefined;
  return owner === 'internal_module' || owner === 'module' || owner === 'ambient_declaration';
}

function boundIn(pattern: Node): Node[] {
  if (pattern.type === 'identifier' || pattern.type === 'shorthand_property_identifier_pattern') return [pattern];
  if (pattern.type === 'pair_pattern') return listOf(pattern.childForFieldName('value')).flatMap(boundIn);
  if (/assignment_pattern$/.test(pattern.type)) return listOf(pattern.childForFieldName('left')).flatMap(boundIn);
  return pattern.namedChildren.flatMap(boundIn);
}

function listOf<T>(value: T | null): T[] {
  return value === null ? [] : [value];
}

const place = (node: Node) => ({ start: node.startIndex, end: node.endIndex });
const unquoted = (node: Node) => node.text.slice(1, -1);

function isLiteral(node: Node): boolean {
  return (
    node.type === 'string' ||
    (node.type === 'template_string' && node.namedChildren.every((c) => c.type !== 'template_substitution'))
  );
}

function noteImports(node: Node, imports: RawImport[], sites: DynamicSite[]): void {
  const source = node.childForFieldName('source');
  if (node.type === 'import_statement') {
    const typeWord = node.children.some((child) => child.type === 'type');
    const clause = node.namedChildren.find((child) => child.type === 'import_clause');
    const equals = node.namedChildren.find((child) => child.type === 'import_require_clause');
    if (equals !== undefined) {
      const name = equals.namedChildren[0];
      const from = equals.childForFieldName('source');
      if (name === undefined || from === null) return;
      const names = [{ name: '*', alias: name.text, start: name.startIndex }];
      imports.push({
        specifier: unquoted(from),
        kind: 'require',
        literal: true,
        typeOnly: typeWord,
        names,
        ...place(node),
      });
      return;
    }
    if (source === null) return;
    const names: { name: string; alias: string | null; start: number }[] = [];
    const typed: boolean[] = [];
    for (const part of clause?.namedChildren ?? []) {
      if (part.type === 'identifier') names.push({ name: 'default', alias: part.text, start: part.startIndex });
      else if (part.type === 'namespace_import') {
        names.push({ name: '*', alias: part.namedChildren.at(-1)?.text ?? null, start: part.startIndex });
      } else for (const specifier of part.namedChildren) noteSpecifier(specifier, names, typed);
    }
    const kind = clause === undefined ? 'side_effect' : 'import';
    const allTyped = typed.length > 0 && typed.length === names.length && typed.every(Boolean);
    imports.push({
      specifier: unquoted(source),
      kind,
      literal: true,
      typeOnly: typeWord || allTyped,
      names,
      ...place(node),
    });
  } else if (node.type === 'export_statement' && source !== null) {
    const typeWord = node.children.some((child) => child.type === 'type');
    const names: { name: string; alias: string | null; start: number }[] = [];
    const typed: boolean[] = [];
    for (const part of node.children) {
      if (part.type === '*') names.push({ name: '*', alias: null, start: part.startIndex });
      else if (part.type === 'namespace_export') {
        names.push({ name: '*', alias: part.namedChildren[0]?.text ?? null, start: part.startIndex });
      } else if (part.type === 'export_clause') {
        for (const specifier of part.namedChildren) noteSpecifier(specifier, names, typed);
      }
    }
    const allTyped = typed.length > 0 && typed.every(Boolean);
    imports.push({
      specifier: unquoted(source),
      kind: 'reexport',
      literal: true,
      typeOnly: typeWord || allTyped,
      names,
      ...place(node),
    });
  } else if (node.type === 'call_expression') noteModuleCall(node, imports, sites);
}

function noteSpecifier(
  specifier: Node,
  names: { name: string; alias: string | null; start: number }[],
  typed: boolean[],
): void {
  const name = specifier.childForFieldName('name');
  if (name === null) return;
  const alias = specifier.childForFieldName('alias');
  const written = (node: Node) => (node.type === 'string' ? unquoted(node) : node.text);
  names.push({ name: written(name), alias: alias === null ? null : written(alias), start: name.startIndex });
  typed.push(specifier.children[0]?.type === 'type' && specifier.children[0].id !== name.id);
}

function noteModuleCall(node: Node, imports: RawImport[], sites: DynamicSite[]): void {
  const callee = node.childForFieldName('function');
  const isImport = callee?.type === 'import';
  const isRequire =
    (callee?.type === 'identifier' && callee.text === 'require') ||
    (callee?.type === 'member_expression' && /^require\s*\??\.\s*resolve$/.test(callee.text));
  if (!isImport && !isRequire) return;
  const argument = node.childForFieldName('arguments')?.namedChildren.find((child) => child.type !== 'comment');
  if (argument === undefined) return;
  const literal = isLiteral(argument);
  const isType = isImport && isTypePosition(node);
  const kind = isType ? 'import' : isImport ? 'dynamic' : 'require';
  const specifier = literal ? unquoted(argument) : argument.text;
  imports.push({ specifier, kind, literal, typeOnly: isType, names: namesTaken(node), ...place(node) });
  if (!literal && !isType) sites.push({ kind: 'dynamic_import', name: null, ...place(node) });
}

function isTypePosition(node: Node): boolean {
  let at = node;
  while (at.parent !== null && ['member_expression', 'nested_identifier'].includes(at.parent.type)) at = at.parent;
  const { parent } = at;
  if (parent === null) return false;
  if (parent.type === 'as_expression' || parent.type === 'satisfies_expression')
    return parent.children[0]?.id !== at.id;
  return /(?:^|_)type(?:_|$)|^(?:constraint|asserts|type_predicate|type_annotation|implements_clause)$/.test(
    parent.type,
  );
}

function namesTaken(call: Node): { name: string; alias: string | null; start: number }[] {
  let at = call;
  while (at.parent !== null && ['await_expression', 'parenthesized_expression'].includes(at.parent.type))
    at = at.parent;
  const { parent } = at;
  if (parent?.type === 'member_expression' && parent.childForFieldName('object')?.id === at.id) {
    const property = parent.childForFieldName('property');
    return property === null ? [] : [{ name: property.text, alias: null, start: property.startIndex }];
  }
  const pattern = parent?.type === 'variable_declarator' ? parent.childForFieldName('name') : null;
  if (pattern?.type === 'identifier') return [{ name: '*', alias: pattern.text, start: pattern.startIndex }];
  if (pattern?.type !== 'object_pattern') return [];
  return pattern.namedChildren.flatMap((part) => {
    if (part.type === 'shorthand_property_identifier_pattern') {
      return [{ name: part.text, alias: null, start: part.startIndex }];
    }
    const key = part.childForFieldName(part.type === 'pair_pattern' ? 'key' : 'left');
    if (key === null || key.type === 'computed_property_name') return [];
    let bound = part.type === 'pair_pattern' ? part.childForFieldName('value') : null;
    if (bound?.type === 'assignment_pattern') bound = bound.childForFieldName('left');
    const name = key.type === 'string' ? unquoted(key) : key.text;
    return [{ name, alias: bound?.type === 'identifier' ? bound.text : null, start: key.startIndex }];
  });
}

function noteSites(node: Node, sites: DynamicSite[]): void {
  const { type } = node;
  if (type === 'subscript_expression') {
    const index = node.childForFieldName('index') ?? undefined;
    const open = node.children.find((child) => child.type === '[');
    let outer = node.parent;
    while (outer?.type === 'subscript_expression' || outer?.type === 'member_expression') outer = outer.parent;
    const isNumber =
      index?.type === 'number' ||
      (index?.type === 'unary_expression' && index.childForFieldName('argument')?.type === 'number');
    if (open === undefined || isNumber || outer?.type === 'type_query') return;
    const name = index !== undefined && isLiteral(index) ? unquoted(index) : null;
    sites.push({ start: open.startIndex, end: node.endIndex, kind: 'computed_member', name });
  } else if (type === 'with_statement') sites.push({ kind: 'eval', name: null, ...place(node) });
  else if (type === 'identifier' && node.text === 'eval') {
    const call = node.parent?.childForFieldName('function')?.id === node.id ? node.parent : node;
    sites.push({ kind: 'eval', name: null, ...place(call) });
  } else if (type === 'new_expression' && isWord(node.childForFieldName('constructor'), 'Function')) {
    sites.push({ kind: 'eval', name: null, ...place(node) });
  } else if (type === 'call_expression') {
    const callee = node.childForFieldName('function');
    const object = callee?.childForFieldName('object') ?? null;
    const property = callee?.childForFieldName('property')?.text;
    const globals = ['globalThis', 'window', 'self', 'global'];
    if (isWord(callee, 'Function')) sites.push({ kind: 'eval', name: null, ...place(node) });
    else if (callee?.type !== 'member_expression' || object?.type !== 'identifier') return;
    else if (property === 'eval' && globals.includes(object.text))
      sites.push({ kind: 'eval', name: null, ...place(node) });
    else if (object.text === 'Reflect' || (object.text === 'Object' && property === 'defineProperty')) {
      const second = node.childForFieldName('arguments')?.namedChildren.filter((c) => c.type !== 'comment')[1];
      sites.push({
        kind: 'reflection',
        name: second !== undefined && isLiteral(second) ? unquoted(second) : null,
        ...place(node),
      });
    }
  }
}

function isWord(node: Node | null | undefined, word: string): boolean {
  return node?.type === 'identifier' && node.text === word;
}
