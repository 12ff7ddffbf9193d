/** Python's import statements. Dots of a relative import stay in the specifier; the resolver knows the file's package. */

import type { DynamicKind, DynamicSite, ImportedName, RawImport } from '../facts.ts';
import type { Node } from '../parsing/syntax-node.ts';
import { listChildren } from '../parsing/walk-tree.ts';

/** `import a.b, c as d`: one import per module. `import a.b` binds `a`, so that is the alias under which everything is known. */
export function readImportStatement(node: Node, text: string, typeOnly: boolean): RawImport[] {
  const span = { start: node.startIndex, end: node.endIndex };
  return node.namedChildren.flatMap((child) => {
    const found = readName(child, text);
    if (found === undefined) return [];
    const { name: specifier, start } = found;
    const names = [{ name: '*', alias: found.alias ?? specifier.replace(/\..*/s, ''), start }];
    return [{ specifier, kind: 'import', literal: true, typeOnly, names, ...span }];
  });
}

export function readFromStatement(node: Node, text: string, typeOnly: boolean): RawImport | undefined {
  const children = node.namedChildren;
  const isFuture = node.type === 'future_import_statement';
  const module = isFuture
    ? undefined
    : children.find(({ type }) => type === 'dotted_name' || type === 'relative_import');
  const specifier = isFuture ? '__future__' : module && dottedName(module, text);
  if (!specifier) return undefined;
  const names: ImportedName[] = [];
  for (const child of children) {
    if (child.type === 'wildcard_import') names.push({ name: '*', alias: null, start: child.startIndex });
    const found = child === module ? undefined : readName(child, text);
    if (found !== undefined) names.push(found);
  }
  return { specifier, kind: 'from', literal: true, typeOnly, names, start: node.startIndex, end: node.endIndex };
}

function readName(node: Node, text: string): ImportedName | undefined {
  const isAliased = node.type === 'aliased_import';
  const named = isAliased ? node.childForFieldName('name') : node;
  if (named?.type !== 'dotted_name') return undefined;
  const name = dottedName(named, text);
  const alias = isAliased ? node.childForFieldName('alias') : null;
  const written = alias === null ? '' : text.slice(alias.startIndex, alias.endIndex);
  return name === '' ? undefined : { name, alias: written === '' ? null : written, start: named.startIndex };
}

/** `a . b` is `a.b`. */
function dottedName(node: Node, text: string): string {
  return text.slice(node.startIndex, node.endIndex).replace(/#[^\n]*|[\s\\]+/g, '');
}

// Calls and subscripts that reach for names at run time.

/** Built-in → kind and the position of the name it reaches for. */
const reachingCalls: Readonly<Record<string, readonly [DynamicKind, number]>> = {
  getattr: ['getattr', 1],
  setattr: ['getattr', 1],
  hasattr: ['getattr', 1],
  delattr: ['getattr', 1],
  attrgetter: ['getattr', 0],
  methodcaller: ['getattr', 0],
  eval: ['eval', -1],
  exec: ['eval', -1],
};

/** Also found as members: of `operator`, `builtins` and `importlib`. A member of anything else is a method of the program. */
const modulesOf: Readonly<Record<string, RegExp>> = {
  attrgetter: /^operator$/,
  methodcaller: /^operator$/,
  import_module: /^importlib$/,
  __import__: /^(?:builtins|importlib)$/,
  getattr: /^builtins$/,
  setattr: /^builtins$/,
  eval: /^builtins$/,
  exec: /^builtins$/,
};

type DynamicFact = { readonly site?: DynamicSite; readonly load?: RawImport };

export function readCall(node: Node, text: string): DynamicFact {
  const name = calledName(node.childForFieldName('function'), text);
  if (name === undefined) return {};
  const span = { start: node.startIndex, end: node.endIndex };
  if (name === 'import_module' || name === '__import__') return readModuleCall(node, text, name);
  const reaching = Object.hasOwn(reachingCalls, name) ? reachingCalls[name] : undefined;
  if (reaching === undefined) return {};
  const [kind, position] = reaching;
  const argument = listChildren(node.childForFieldName('arguments'))[position];
  const written = stringLiteral(argument, text);
  // `attrgetter("a.b")` reaches for several names, so it is not called by one.
  return { site: { ...span, kind, name: written?.includes('.') ? null : written } };
}

/** `globals()["x"]`, `vars(y)["x"]`, `y.__dict__["x"]`. */
export function readSubscript(node: Node, text: string): DynamicSite | undefined {
  const value = node.childForFieldName('value');
  const reaches =
    (value?.type === 'call' && /^(?:globals|locals|vars)$/.test(textOf(value.childForFieldName('function'), text))) ||
    (value?.type === 'attribute' && textOf(value.childForFieldName('attribute'), text) === '__dict__');
  if (!reaches) return undefined;
  const name = stringLiteral(node.childForFieldName('subscript'), text);
  return { start: node.startIndex, end: node.endIndex, kind: 'computed_member', name };
}

/** A relative name counts from the package that is given, which is this file's own where it says `__package__` or `__name__`. */
function readModuleCall(node: Node, text: string, name: string): DynamicFact {
  const span = { start: node.startIndex, end: node.endIndex };
  const given = listChildren(node.childForFieldName('arguments'));
  const module = argumentAt(given, 0, 'name', text);
  const written = stringLiteral(module, text);
  const base = { kind: 'dynamic', typeOnly: false, names: [], ...span } as const;
  const anchor = name === 'import_module' ? argumentAt(given, 1, 'package', text) : undefined;
  const fromPackage = stringLiteral(anchor, text);
  if (written !== null && (!written.startsWith('.') || /^__(?:package|name)__$/.test(textOf(anchor ?? null, text)))) {
    return { load: { ...base, specifier: written, literal: true } };
  }
  if (written !== null && fromPackage !== null && /^\.[^.]/.test(written)) {
    return { load: { ...base, specifier: `${fromPackage}${written}`, literal: true } };
  }
  const specifier = written ?? textOf(module ?? null, text);
  return { load: { ...base, specifier, literal: false }, site: { ...span, kind: 'dynamic_import', name: null } };
}

function argumentAt(given: readonly Node[], position: number, keyword: string, text: string): Node | undefined {
  const named = given.find(
    (child) => child.type === 'keyword_argument' && textOf(child.childForFieldName('name'), text) === keyword,
  );
  if (named !== undefined) return named.childForFieldName('value') ?? undefined;
  const positional = given[position];
  return positional?.type === 'keyword_argument' ? undefined : positional;
}

function calledName(callee: Node | null, text: string): string | undefined {
  if (callee?.type === 'identifier') return textOf(callee, text);
  if (callee?.type !== 'attribute') return undefined;
  const name = textOf(callee.childForFieldName('attribute'), text);
  const owner = Object.hasOwn(modulesOf, name) ? modulesOf[name] : undefined;
  return owner?.test(textOf(callee.childForFieldName('object'), text)) ? name : undefined;
}

function textOf(node: Node | null, text: string): string {
  return node === null ? '' : text.slice(node.startIndex, node.endIndex);
}

/** The value of a Python string that is nothing but text: no interpolation, no bytes, no escapes, no concatenation. */
export function stringLiteral(node: Node | null | undefined, text: string): string | null {
  if (node?.type !== 'string') return null;
  const written = /^[rRuU]?("""|'''|"|')([^\\]*)\1$/s.exec(text.slice(node.startIndex, node.endIndex));
  return written?.[2] ?? null;
}
