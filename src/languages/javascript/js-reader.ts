/**
 * What is gathered while one file is read. Symbols and interface records are drafts until the whole file is known, because an
 * `export { x }` at the end makes public what was declared at the beginning.
 */

import type { DynamicSite, RawExport, RawImport, SymbolKind, TextSpan } from '../facts.ts';
import type { Language, TreeCursor } from '../parsing/syntax-node.ts';
import { identifierValue, type Piece, stringValue } from './js-lexing.ts';

/** `own` by its own `export`; `inherit` as its container is; `never` not at all (private members, locals). */
export type Visibility = 'own' | 'inherit' | 'never';

/** A symbol of which `parent` and `exported` are not yet known. It becomes one in place: copies of all would cost as much again. */
export type SymbolDraft = {
  readonly name: string;
  readonly kind: SymbolKind;
  parent: number;
  exported: boolean;
  readonly nameStart: number;
  readonly nameEnd: number;
  readonly start: number;
  readonly end: number;
  /** The enclosing symbol; `undefined` where it follows from the spans; `null` at the top level. */
  readonly container: SymbolDraft | null | undefined;
  visibility: Visibility;
  /** Names of one pattern share a span, so none of them encloses anything. */
  encloses: boolean;
  /** Its place in the list of symbols, once that is in order. */
  position: number;
};

export type RecordDraft = {
  readonly names: readonly string[];
  readonly isPublic: boolean;
  readonly inferred: boolean;
  readonly pieces: readonly Piece[];
};

export type Reader = {
  readonly text: string;
  readonly cursor: TreeCursor;
  readonly codes: Uint8Array;
  /** JavaScript proper: no types, CommonJS counts. */
  readonly untyped: boolean;
  readonly symbols: SymbolDraft[];
  readonly records: RecordDraft[];
  readonly imports: RawImport[];
  readonly exports: RawExport[];
  readonly sites: DynamicSite[];
  readonly provides: string[];
  /** Local names that an export clause of this file makes public. */
  readonly exportedLocals: Set<string>;
  /** Where each function or class that already gave a symbol begins, and where its own name does. */
  readonly seen: Set<number>;
  /** Ranges of code, as pairs of numbers in order: expressions and nested declarations are looked for here. */
  readonly codeRanges: number[];
  /** Ranges that hold types only. */
  readonly typeRanges: number[];
  readonly hasErrors: boolean;
  /** The grammar has JSX and the text seems to use it. */
  readonly jsx: boolean;
  /** Where JSX text looks like the beginning of a comment. */
  readonly notComments: Set<number>;
  /** The statement being read has errors: what its text seems to say must be asked of the tree. */
  isBroken: boolean;
  /** Statements of the file that have errors, in order. */
  readonly broken: (TextSpan & { readonly isError: boolean })[];
  hasEffects: boolean;
  /** There are symbols whose container follows from the spans. */
  hasNested: boolean;
  isModule: boolean;
};

export function createReader(
  from: Pick<Reader, 'cursor' | 'text' | 'codes' | 'untyped' | 'hasErrors' | 'jsx'>,
): Reader {
  return {
    text: from.text,
    cursor: from.cursor,
    codes: from.codes,
    untyped: from.untyped,
    hasErrors: from.hasErrors,
    jsx: from.jsx,
    symbols: [],
    records: [],
    imports: [],
    exports: [],
    sites: [],
    provides: [],
    exportedLocals: new Set(),
    seen: new Set(),
    codeRanges: [],
    typeRanges: [],
    broken: [],
    notComments: new Set(),
    isBroken: false,
    hasEffects: false,
    hasNested: false,
    isModule: false,
  };
}

/** What a written name means: an identifier, a string or number, or a computed name in brackets. */
export function nameOf(text: string, start: number, end: number): string {
  const unit = text.charCodeAt(start);
  const raw = text.slice(start, end);
  return (unit === 34 || unit === 39) && raw.length > 2 ? stringValue(raw) : identifierValue(raw);
}

/** Overloads are one export, however many signatures there are. */
export function pushExport(reader: Reader, publicName: string, localName: string | null, typeOnly = false): void {
  const last = reader.exports.at(-1);
  if (last?.publicName === publicName && last.localName === localName && last.typeOnly === typeOnly) return;
  reader.exports.push({ publicName, localName, specifier: null, star: false, typeOnly });
}

export function pushSymbol(
  reader: Reader,
  container: SymbolDraft | null | undefined,
  kind: SymbolKind,
  name: string,
  nameStart: number,
  nameEnd: number,
  start: number,
  end: number,
  visibility: Visibility,
): SymbolDraft {
  const symbol: SymbolDraft = {
    name,
    kind,
    parent: -1,
    exported: false,
    nameStart,
    nameEnd,
    start,
    end,
    container,
    visibility,
    encloses: true,
    position: -1,
  };
  reader.symbols.push(symbol);
  if (container === undefined) reader.hasNested = true;
  return symbol;
}

// Node types as small numbers, one table per grammar. Types that the three grammars name differently but that mean the same here
// share a code, and comparing numbers spares a string from the parser for every node met.

export const code = {
  /** Punctuation and keywords: nothing of interest lies inside. */
  token: 0,
  /** Anything else that is named, errors included. */
  other: 1,
  comment: 2,
  import: 3,
  importAlias: 4,
  export: 5,
  ambient: 6,
  function: 7,
  class: 8,
  variables: 9,
  interface: 10,
  alias: 11,
  enum: 12,
  namespace: 13,
  expression: 14,
  declarator: 15,
  functionValue: 16,
  classValue: 17,
  identifier: 18,
  propertyName: 19,
  privateName: 20,
  stringName: 21,
  numberName: 22,
  computedName: 23,
  pattern: 24,
  parameters: 25,
  parameter: 26,
  typeAnnotation: 27,
  block: 28,
  classBody: 29,
  objectType: 30,
  enumBody: 31,
  method: 32,
  methodSignature: 33,
  field: 34,
  propertySignature: 35,
  staticBlock: 36,
  memberSignature: 37,
  enumAssignment: 38,
  decorator: 39,
  access: 40,
  equals: 41,
  get: 42,
  set: 43,
  readonly: 44,
  call: 45,
  new: 46,
  member: 47,
  subscript: 48,
  with: 49,
  bracket: 50,
  importKeyword: 51,
  type: 52,
  as: 53,
  await: 54,
  arguments: 55,
  semicolon: 56,
  arrow: 57,
  override: 58,
  assignmentPattern: 59,
  nestedName: 60,
  empty: 61,
  parentheses: 62,
  jsxText: 63,
} as const;
type NodeCode = (typeof code)[keyof typeof code];

const named: Readonly<Record<string, NodeCode>> = {
  comment: code.comment,
  html_comment: code.comment,
  hash_bang_line: code.comment,
  import_statement: code.import,
  import_alias: code.importAlias,
  export_statement: code.export,
  ambient_declaration: code.ambient,
  function_declaration: code.function,
  generator_function_declaration: code.function,
  function_signature: code.function,
  class_declaration: code.class,
  abstract_class_declaration: code.class,
  lexical_declaration: code.variables,
  variable_declaration: code.variables,
  interface_declaration: code.interface,
  type_alias_declaration: code.alias,
  enum_declaration: code.enum,
  internal_module: code.namespace,
  module: code.namespace,
  expression_statement: code.expression,
  empty_statement: code.empty,
  variable_declarator: code.declarator,
  arrow_function: code.functionValue,
  function_expression: code.functionValue,
  generator_function: code.functionValue,
  class: code.classValue,
  identifier: code.identifier,
  type_identifier: code.identifier,
  shorthand_property_identifier_pattern: code.identifier,
  property_identifier: code.propertyName,
  private_property_identifier: code.privateName,
  string: code.stringName,
  number: code.numberName,
  computed_property_name: code.computedName,
  object_pattern: code.pattern,
  array_pattern: code.pattern,
  formal_parameters: code.parameters,
  required_parameter: code.parameter,
  optional_parameter: code.parameter,
  assignment_pattern: code.assignmentPattern,
  type_annotation: code.typeAnnotation,
  asserts_annotation: code.typeAnnotation,
  type_predicate_annotation: code.typeAnnotation,
  statement_block: code.block,
  class_body: code.classBody,
  interface_body: code.objectType,
  object_type: code.objectType,
  enum_body: code.enumBody,
  method_definition: code.method,
  method_signature: code.methodSignature,
  abstract_method_signature: code.methodSignature,
  public_field_definition: code.field,
  field_definition: code.field,
  property_signature: code.propertySignature,
  class_static_block: code.staticBlock,
  index_signature: code.memberSignature,
  enum_assignment: code.enumAssignment,
  decorator: code.decorator,
  accessibility_modifier: code.access,
  override_modifier: code.override,
  call_expression: code.call,
  new_expression: code.new,
  member_expression: code.member,
  subscript_expression: code.subscript,
  with_statement: code.with,
  as_expression: code.as,
  satisfies_expression: code.as,
  await_expression: code.await,
  arguments: code.arguments,
  nested_identifier: code.nestedName,
  implements_clause: code.type,
  import: code.importKeyword,
  parenthesized_expression: code.parentheses,
  jsx_text: code.jsxText,
};

const tokens: Readonly<Record<string, NodeCode>> = {
  '=': code.equals,
  '=>': code.arrow,
  get: code.get,
  set: code.set,
  readonly: code.readonly,
  '[': code.bracket,
  ';': code.semicolon,
};

const tables = new WeakMap<Language, Uint8Array>();

/** The code of each node type id. An id beyond the table is that of an error: `code.other`. */
export function codesOf(language: Language): Uint8Array {
  let table = tables.get(language);
  if (table === undefined) {
    table = Uint8Array.from(language.types, (type, id) =>
      language.nodeTypeIsNamed(id) ? (own(named, type) ?? codeOfType(type)) : (own(tokens, type) ?? code.token),
    );
    tables.set(language, table);
  }
  return table;
}

/** Node types that only occur within types, whatever else they are. */
function codeOfType(type: string): NodeCode {
  return /(?:^|_)type(?:_|$)|^(?:constraint|asserts|type_predicate)$/.test(type) && type !== 'type_assertion'
    ? code.type
    : code.other;
}

function own(table: Readonly<Record<string, NodeCode>>, key: string): NodeCode | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
