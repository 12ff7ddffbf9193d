/**
 * Go. Only the top level declares anything that others see, so bodies are entered only for local types and for reflection.
 * A method belongs to its receiver's type where that is declared in the same file, before or after it; else it stands at the top
 * level. An interface record is the declaration without its body: Go writes every type down, except those of variables.
 */

import type { Node } from 'web-tree-sitter';
import type { DynamicSite, RawFacts, RawSymbol, SourceTree, SymbolKind, TextSpan } from '../facts.ts';

import { listChildren } from '../walk-tree.ts';
import { readReflection } from './go/dynamic.ts';
import { type GoImport, readImportSpec } from './go/imports.ts';
import { normaliseGo } from './go/normalise-go.ts';
import { type AddSymbol, addType, lastTypeName } from './go/types.ts';
import { type GoValue, readConstants, readVariables } from './go/values.ts';
import { finishRecord, mayHidePublic, type RecordDraft, type RecordPart } from './shared/record-draft.ts';
import { findMarks, hasMark, walkMarked } from './shared/walk-marked.ts';

const promising = /\b(?:MethodByName|FieldByName(?:Func)?|Lookup)\b|\btype\s+[\p{L}_(]/gu;

/** Names of imports beyond these are not looked for in the text, which would take quadratic time. */
const maxGuessed = 500;

export function extractGo({ root, text, hasErrors }: SourceTree): RawFacts {
  const symbols: RawSymbol[] = [];
  const imports: GoImport[] = [];
  const dynamicSites: DynamicSite[] = [];
  const records: RecordDraft[] = [];
  const typeSymbols = new Map<string, number>();
  const marks = findMarks(text, promising);
  const topLevel = root.namedChildren;
  let inBody = false;

  // Types first: a method may stand above the type it belongs to, and a parent comes earlier in the list.
  for (const node of topLevel) if (node.type === 'type_declaration') readTypes(node, -1);
  for (const node of topLevel) {
    if (node.type === 'import_declaration') readImports(node);
    else if (node.type === 'const_declaration') addValues(node, readConstants(node, text), 'constant');
    else if (node.type === 'var_declaration') addValues(node, readVariables(node, text), 'variable');
    else if (node.type === 'function_declaration') readFunction(node);
    else if (node.type === 'method_declaration') readMethod(node);
    else if (node.type === 'package_clause') addRecord([], true, node, [packageClause(node)]);
    if (node.type !== 'import_declaration') searchInside(node);
  }

  const publicNames = symbols.filter(({ parent, exported, kind }) => parent === -1 && exported && kind !== 'method');
  const unknown = hasErrors && mayHidePublic(root, records);
  return {
    symbols,
    imports: imports.map(({ unknownName: _, ...found }) => found),
    exports: publicNames.map(({ name }) => ({
      publicName: name,
      localName: name,
      specifier: null,
      star: false,
      typeOnly: false,
    })),
    dynamicSites,
    interfaceRecords: unknown ? null : records.map((record) => finishRecord(record, (span) => normaliseGo(text, span))),
    canClose: true,
    provides: [],
  };

  function addSymbol(...[name, kind, { start, end }, parent]: Parameters<AddSymbol>): number {
    const written = sliceOf(name);
    // A blank field has no name to be found by; what it holds hangs below its owner.
    if (written === '_') return parent;
    const span = { nameStart: name.startIndex, nameEnd: name.endIndex, start, end };
    return symbols.push({ name: written, kind, parent, exported: !inBody && isExported(written), ...span }) - 1;
  }

  function readImports(declaration: Node): void {
    const lists = listChildren(declaration);
    const specs = lists.flatMap((child) => (child.type === 'import_spec_list' ? listChildren(child) : [child]));
    for (const spec of specs) {
      const found = spec.type === 'import_spec' ? readImportSpec(spec, text, imports.length < maxGuessed) : undefined;
      if (found === undefined) continue;
      imports.push(found);
      // What it stands for in the records below is unknown, so they are tied to the path itself.
      if (found.unknownName) addRecord([], true, spec, [`import ${found.specifier}`], true);
    }
  }

  function readTypes(declaration: Node, parent: number): void {
    const specs = listChildren(declaration).filter(({ type }) => type === 'type_spec' || type === 'type_alias');
    for (const spec of specs) {
      const symbol = addType(spec, spanOf(specs.length === 1 ? declaration : spec), parent, addSymbol);
      const name = symbol === undefined ? undefined : symbols[symbol]?.name;
      if (symbol === undefined || name === undefined || parent !== -1) continue;
      if (!typeSymbols.has(name)) typeSymbols.set(name, symbol);
      addRecord([name], isExported(name), declaration, ['type ', spanOf(spec)]);
    }
  }

  function addValues(declaration: Node, values: readonly GoValue[], kind: SymbolKind): void {
    for (const { names, spec, parts, inferred } of values) {
      const whole = spanOf(values.length === 1 ? declaration : spec);
      const written = [...new Set(names.map(sliceOf))].filter((name) => name !== '_' && name !== '');
      for (const name of names) if (sliceOf(name) !== '') addSymbol(name, kind, whole, -1);
      if (written.length > 0) addRecord(written, written.some(isExported), declaration, parts, inferred);
    }
  }

  function readFunction(node: Node): void {
    const name = node.childForFieldName('name');
    const written = name === null ? '_' : sliceOf(name);
    if (name === null || written === '_' || written === '') return;
    addSymbol(name, 'function', spanOf(node), -1);
    addRecord([written], isExported(written), node, [headerOf(node)]);
  }

  function readMethod(node: Node): void {
    const name = node.childForFieldName('name');
    if (name === null || sliceOf(name) === '') return;
    const [receiver] = listChildren(node.childForFieldName('receiver'));
    const type = receiver?.childForFieldName('type') ?? null;
    const owner = type === null ? undefined : lastTypeName(type);
    const ownerName = owner === undefined ? '' : sliceOf(owner);
    addSymbol(name, 'method', spanOf(node), typeSymbols.get(ownerName) ?? -1);
    const isPublic = isExported(sliceOf(name)) && isExported(ownerName);
    // Known by its type's name: whoever mentions a private type can call its methods. Private ones are out of everyone's reach.
    addRecord(isExported(sliceOf(name)) ? [ownerName] : [], isPublic, node, [headerOf(node)]);
  }

  /** Local types, and names that are reached at run time. */
  function searchInside(node: Node): void {
    if (!hasMark(marks, node.startIndex, node.endIndex)) return;
    const hasPlugins = imports.some(({ specifier }) => specifier === 'plugin');
    const isBody = node.type === 'function_declaration' || node.type === 'method_declaration';
    const owner = isBody ? symbols.length - 1 : -1;
    inBody = true;
    walkMarked(
      node,
      {
        type_declaration({ currentNode }) {
          if (owner !== -1) readTypes(currentNode, owner);
          return undefined;
        },
        call_expression({ currentNode }) {
          const site = readReflection(currentNode, text, hasPlugins);
          if (site !== undefined) dynamicSites.push(site);
          return undefined;
        },
      },
      marks,
      prunable,
    );
    inBody = false;
  }

  function addRecord(
    names: readonly string[],
    isPublic: boolean,
    node: Node,
    parts: readonly RecordPart[],
    inferred = false,
  ): void {
    records.push({ names, isPublic, inferred, parts: [...parts], ...spanOf(node) });
  }

  /** A build constraint decides whether the file is there at all. */
  function packageClause(node: Node): string {
    const constraint = /^\/\/go:build[^\n]*/m.exec(text.slice(0, node.startIndex))?.[0] ?? '';
    return `${sliceOf(node).replace(/\s+/g, ' ')}${constraint.replace(/\s+/g, ' ')}`;
  }

  function sliceOf(node: Node): string {
    return text.slice(node.startIndex, node.endIndex);
  }
}

const always = () => true;
const prunable = Object.fromEntries(
  [
    'block',
    'expression_statement',
    'short_var_declaration',
    'assignment_statement',
    'if_statement',
    'for_statement',
    'return_statement',
    'expression_switch_statement',
    'type_switch_statement',
    'select_statement',
    'expression_case',
    'type_case',
    'default_case',
    'defer_statement',
    'go_statement',
    'var_declaration',
    'parameter_list',
    'argument_list',
    'literal_value',
    'struct_type',
    'interface_type',
  ].map((type) => [type, always]),
);

function isExported(name: string): boolean {
  return /^\p{Lu}/u.test(name);
}

function headerOf(node: Node): TextSpan {
  return { start: node.startIndex, end: node.childForFieldName('body')?.startIndex ?? node.endIndex };
}

function spanOf(node: Node): TextSpan {
  return { start: node.startIndex, end: node.endIndex };
}
