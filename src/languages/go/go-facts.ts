/**
 * Go. Only the top level declares anything that others see, so bodies are entered only for local types and for reflection.
 * A method belongs to its receiver's type where that is declared in the same file, before or after it; else it stands at the top
 * level. An interface record is the declaration without its body: Go writes every type down, except those of variables.
 */

import { finishRecord, mayHidePublic, type RecordDraft, type RecordPart } from '../extraction/record-draft.ts';
import type { DynamicSite, RawFacts, RawImport, RawSymbol, SourceTree, SymbolKind, TextSpan } from '../facts.ts';
import type { Node } from '../parsing/syntax-node.ts';
import { findMarks, hasMark, listChildren, pruneAlways, spanOf, walkMarked } from '../parsing/walk-tree.ts';

const promising = /\b(?:MethodByName|FieldByName(?:Func)?|Lookup)\b|\btype\s+[\p{L}_(]/gu;

/** Names of imports beyond these are not looked for in the text, which would take quadratic time. */
const maxGuessed = 500;

export default function extractGo({ root, text, hasErrors }: SourceTree): RawFacts {
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
    // Known by its type's name: a file that mentions a private type can call its methods. Private methods are out of reach.
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

const prunable = pruneAlways(
  `block expression_statement short_var_declaration assignment_statement if_statement for_statement return_statement
   expression_switch_statement type_switch_statement select_statement expression_case type_case default_case defer_statement
   go_statement var_declaration parameter_list argument_list literal_value struct_type interface_type`,
);

function isExported(name: string): boolean {
  return /^\p{Lu}/u.test(name);
}

function headerOf(node: Node): TextSpan {
  return { start: node.startIndex, end: node.childForFieldName('body')?.startIndex ?? node.endIndex };
}

// A type declaration with its fields and methods as symbols. Anonymous structs inside it are read too, below the field they type.

type AddSymbol = (name: Node, kind: SymbolKind, whole: TextSpan, parent: number) => number;

function addType(spec: Node, whole: TextSpan, parent: number, add: AddSymbol): number | undefined {
  const name = spec.childForFieldName('name');
  if (name === null || name.startIndex === name.endIndex) return undefined;
  const type = spec.childForFieldName('type');
  const symbol = add(name, kindOfType(type), whole, parent);
  if (type !== null) addMembers(type, symbol, add);
  return symbol;
}

function kindOfType(type: Node | null): SymbolKind {
  if (type?.type === 'struct_type') return 'struct';
  return type?.type === 'interface_type' ? 'interface' : 'type';
}

function addMembers(type: Node, owner: number, add: AddSymbol): void {
  const pending: [Node, number][] = [[type, owner]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [node, parent] = next;
    if (node.type === 'struct_type') {
      const fields = listChildren(node).flatMap((list) =>
        list.type === 'field_declaration_list' ? listChildren(list) : [],
      );
      const nested = fields.flatMap((field) => addField(field, parent, add));
      pending.push(...nested.reverse());
    } else if (node.type === 'interface_type') {
      for (const member of listChildren(node)) {
        const name = member.type === 'method_elem' ? member.childForFieldName('name') : null;
        if (name !== null && name.startIndex < name.endIndex)
          add(name, 'method', { start: member.startIndex, end: member.endIndex }, parent);
      }
    } else if (wrappers.has(node.type)) {
      pending.push(...listChildren(node).map((child): [Node, number] => [child, parent]));
    }
  }
}

const wrappers = new Set([
  'pointer_type',
  'slice_type',
  'array_type',
  'map_type',
  'channel_type',
  'parenthesized_type',
  'generic_type',
]);

/** An embedded field goes by the last name of its type. Answered are the types that may hold further fields. */
function addField(field: Node, parent: number, add: AddSymbol): [Node, number][] {
  if (field.type !== 'field_declaration') return [];
  const whole = { start: field.startIndex, end: field.endIndex };
  const type = field.childForFieldName('type');
  const written = field.childrenForFieldName('name').filter((name) => name.isNamed && name.startIndex < name.endIndex);
  if (written.length === 0) {
    const name = type === null ? undefined : lastTypeName(type);
    if (name !== undefined) add(name, 'field', whole, parent);
    return [];
  }
  const symbols = written.map((name) => add(name, 'field', whole, parent));
  const [first] = symbols;
  return type === null || first === undefined ? [] : [[type, first]];
}

/** `pkg.Name[T]` → the node of `Name`. */
function lastTypeName(type: Node): Node | undefined {
  let at: Node | null = type;
  for (let depth = 0; at !== null && depth < 8; depth += 1) {
    if (at.type === 'type_identifier') return at.startIndex < at.endIndex ? at : undefined;
    if (at.type === 'qualified_type') at = at.childForFieldName('name');
    else if (at.type === 'generic_type') at = at.childForFieldName('type');
    else if (at.type === 'pointer_type' || at.type === 'parenthesized_type') at = listChildren(at)[0] ?? null;
    else return undefined;
  }
  return undefined;
}

// Constants and variables. A constant's value is part of what others compile against, so `iota` and repeated values are spelt out.

type GoValue = {
  readonly names: readonly Node[];
  readonly spec: Node;
  readonly parts: readonly RecordPart[];
  readonly inferred: boolean;
};

function readConstants(declaration: Node, text: string): GoValue[] {
  let repeated: readonly RecordPart[] = [];
  let usesIota = false;
  return listChildren(declaration)
    .filter((spec) => spec.type === 'const_spec')
    .map((spec, iota) => {
      const type = spec.childForFieldName('type');
      const value = spec.childForFieldName('value');
      if (value !== null) {
        repeated = [...typePart(type), '=', spanOf(value)];
        usesIota = /\biota\b/.test(text.slice(value.startIndex, value.endIndex));
      }
      const names = namesOf(spec);
      const at = usesIota ? `@${iota}` : '';
      const parts = [`const ${textsOf(names, text)}`, ...repeated, at];
      return { names, spec, parts, inferred: false };
    });
}

function readVariables(declaration: Node, text: string): GoValue[] {
  return listChildren(declaration)
    .flatMap((child) => (child.type === 'var_spec_list' ? listChildren(child) : [child]))
    .filter((spec) => spec.type === 'var_spec')
    .map((spec) => {
      const names = namesOf(spec);
      const type = spec.childForFieldName('type');
      const value = spec.childForFieldName('value');
      const start = `var ${textsOf(names, text)}`;
      if (type !== null || value === null) return { names, spec, parts: [start, ...typePart(type)], inferred: false };
      return { names, spec, parts: [start, '=', spanOf(value)], inferred: true };
    });
}

function namesOf(spec: Node): Node[] {
  return spec.childrenForFieldName('name').filter((name) => name.type === 'identifier');
}

function textsOf(names: readonly Node[], text: string): string {
  return names.map((name) => text.slice(name.startIndex, name.endIndex)).join(',');
}

function typePart(type: Node | null): RecordPart[] {
  return type === null ? [] : [' ', spanOf(type)];
}

// Go's imports. A package may call itself something else than the last part of its path; the file shows which guess is right, since
// Go refuses imports that are not used.

type GoImport = RawImport & {
  /** Nothing in the file shows under which name the package is known. */
  readonly unknownName: boolean;
};

function readImportSpec(spec: Node, text: string, mayGuess: boolean): GoImport | undefined {
  const path = spec.childForFieldName('path');
  if (path === null || path.endIndex - path.startIndex < 2) return undefined;
  const specifier = text.slice(path.startIndex + 1, path.endIndex - 1);
  const name = spec.childForFieldName('name');
  const written = name === null ? null : text.slice(name.startIndex, name.endIndex);
  const base = { specifier, literal: true, typeOnly: false, start: spec.startIndex, end: spec.endIndex };
  const start = path.startIndex;
  if (written === '_') return { ...base, kind: 'side_effect', names: [], unknownName: false };
  if (written === '.')
    return { ...base, kind: 'import', names: [{ name: '*', alias: null, start }], unknownName: true };
  const guesses = guessNames(specifier);
  const used = written !== null ? guesses[0] : mayGuess ? guesses.find((guess) => isQualifier(guess, text)) : undefined;
  const names = [{ name: used ?? guesses[0] ?? specifier, alias: written, start }];
  return { ...base, kind: 'import', names, unknownName: used === undefined && written === null };
}

/** `gopkg.in/yaml.v3` → yaml; `github.com/mattn/go-sqlite3` → sqlite3; `example.com/shop/v2` → shop. Likeliest first. */
function guessNames(path: string): string[] {
  const parts = path.split('/').filter((part) => part !== '');
  const last = parts.at(-1) ?? path;
  const own = (/^v\d+$/.test(last) ? (parts.at(-2) ?? last) : last).replace(/\.v\d+$/, '');
  const pieces = own.split(/[-.]/).filter((piece) => piece !== '');
  return [
    ...new Set([
      own,
      own.replace(/^go[-.]?|[-.]?go$/g, ''),
      pieces.join(''),
      pieces.join('_'),
      ...pieces.toReversed(),
      last,
    ]),
  ].filter((guess) => /^[\p{L}_][\p{L}\p{N}_]*$/u.test(guess));
}

function isQualifier(name: string, text: string): boolean {
  for (let at = text.indexOf(`${name}.`); at !== -1; at = text.indexOf(`${name}.`, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}_.]/u.test(text.charAt(at - 1))) return true;
  }
  return false;
}

// Names that Go reaches at run time: `reflect` by name, symbols of a plugin.

/** `Lookup` is a common name of other things, so it counts only where plugins are loaded. */
function readReflection(call: Node, text: string, hasPlugins: boolean): DynamicSite | undefined {
  const callee = call.childForFieldName('function');
  const field = callee?.type === 'selector_expression' ? callee.childForFieldName('field') : null;
  if (field === null) return undefined;
  const method = text.slice(field.startIndex, field.endIndex);
  if (!/^(?:Method|Field)ByName$|^FieldByNameFunc$/.test(method) && !(hasPlugins && method === 'Lookup'))
    return undefined;
  const [argument] = listChildren(call.childForFieldName('arguments'));
  return { start: call.startIndex, end: call.endIndex, kind: 'reflection', name: stringLiteral(argument, text) };
}

function stringLiteral(node: Node | undefined, text: string): string | null {
  if (node?.type !== 'interpreted_string_literal' && node?.type !== 'raw_string_literal') return null;
  const written = text.slice(node.startIndex + 1, node.endIndex - 1);
  return node.type === 'interpreted_string_literal' && written.includes('\\') ? null : written;
}

// Go source as its tokens: no comments, no white space but what keeps words and operators apart. Line ends are where Go puts them
// into its grammar, as `;`, because `struct { A; B }` and `struct { A B }` differ in nothing else.

const operators = String.raw`<<=|>>=|&\^=|\.\.\.|&&|\|\||<-|\+\+|--|==|!=|<=|>=|:=|[-+*/%&|^]=|<<|>>|&\^|[-+*/%&|^<>=!:.~]`;
const literals = String.raw`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\x60[^\x60]*\x60`;
const comments = String.raw`//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/`;
/** Groups: a comment, white space, a word, a literal, an operator. */
const token = new RegExp(String.raw`(${comments})|(\s+)|([\p{L}\p{N}_]+)|(${literals})|(${operators})|[\s\S]`, 'gu');

function normaliseGo(text: string, { start, end }: TextSpan): string {
  let out = '';
  let last: 'word' | 'operator' | 'other' = 'other';
  let endsLine = false;
  let semicolon = false;
  for (const [found, comment, space, word, literal, operator] of text.slice(start, end).matchAll(token)) {
    if (comment !== undefined || space !== undefined) {
      semicolon ||= endsLine && found.includes('\n');
      continue;
    }
    if (semicolon && found !== '}' && found !== ')' && found !== ';') {
      out += ';';
      last = 'other';
    }
    semicolon = false;
    const kind = word !== undefined ? 'word' : operator !== undefined ? 'operator' : 'other';
    out += kind !== 'other' && kind === last ? ` ${found}` : found;
    last = kind;
    endsLine = word !== undefined || literal !== undefined || /^(?:[)\]}]|\+\+|--)$/.test(found);
  }
  return out;
}
