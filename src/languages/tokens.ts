/**
 * Every identifier of a file with its class (code-plane.md §3.2): names in code, and the identifier runs inside strings, templates,
 * comments and regular expressions. Text inside an `ERROR` node has class `error` and nothing else, whatever it looks like.
 * For every token, the normalised text of its span is its `text`; tokens are in document order and do not overlap.
 */

import { assert } from '../kernel/base/assert.ts';
import type { SourceTree, TextSpan } from './facts.ts';
import { listIdentifierRuns, normaliseIdentifier } from './identifiers.ts';
import { type FlatTree, firstChild, flattenTree, isNamed, textOf } from './parsing/flat-tree.ts';

export const tokenClasses = ['code', 'string', 'comment', 'regex', 'error'] as const;
export type TokenClass = (typeof tokenClasses)[number];

export type Token = TextSpan & {
  readonly text: string;
  readonly class: TokenClass;
  readonly role?: TokenRole;
};

/** `language` is a key of `syntaxLanguages`. */
export function listTokens(source: SourceTree, language: string): readonly Token[] {
  const table = tokenTables[language];
  assert(table !== undefined, `${language} has a token table`);
  const tree = flattenTree(source);
  const classOf = new Uint8Array(tree.count);
  const roleOf = new Map<number, TokenRole>();
  const tokens: Token[] = [];

  for (let node = 0; node < tree.count; node++) {
    const type = tree.type[node] ?? '';
    const parent = tree.parent[node] ?? -1;
    const inherited = parent < 0 ? 0 : (classOf[parent] ?? 0);
    const own = ownClass(table, type, inherited);
    classOf[node] = own;
    if (own === 0) {
      if (addCode(node, type)) node = (tree.after[node] ?? node + 1) - 1;
      continue;
    }
    const role = roleOf.get(parent) ?? roleOfText(tree, node, type, language);
    if (role !== undefined) roleOf.set(node, role);
    if (own === errorClass || own === commentClass || firstChild(tree, node) < 0) {
      if (!isDelimiter(type, own)) addRuns(tree.start[node] ?? 0, tree.end[node] ?? 0, own, role);
      node = (tree.after[node] ?? node + 1) - 1;
    } else addGaps(node, own, role);
  }
  return tokens.sort((a, b) => a.start - b.start);

  /** True for a name: what is below it is part of it. */
  function addCode(node: number, type: string): boolean {
    if (table?.rawCode.has(type) === true) {
      addRuns(tree.start[node] ?? 0, tree.end[node] ?? 0, 0, undefined);
      return true;
    }
    const role = table !== undefined && Object.hasOwn(table.names, type) ? table.names[type] : undefined;
    if (role === undefined) return false;
    const written = textOf(tree, node);
    const text = normaliseIdentifier(written, language);
    if (text === '' || (type === 'primitive_type' && typeKeywords.has(written))) return true;
    const start = tree.start[node] ?? 0;
    tokens.push({ start, end: start + written.length, text, class: 'code', role: refine(tree, node, role) });
    return true;
  }

  /** The text between the children of a string belongs to the string. */
  function addGaps(node: number, own: number, role: TokenRole | undefined): void {
    let from = tree.start[node] ?? 0;
    for (let child = firstChild(tree, node); child >= 0; child = tree.next[child] ?? -1) {
      addRuns(from, tree.start[child] ?? from, own, role);
      from = tree.end[child] ?? from;
    }
    addRuns(from, tree.end[node] ?? from, own, role);
  }

  function addRuns(start: number, end: number, own: number, role: TokenRole | undefined): void {
    if (end <= start) return;
    for (const run of listIdentifierRuns(tree.text.slice(start, end), language))
      tokens.push({
        start: start + run.start,
        end: start + run.end,
        text: run.name,
        class: tokenClasses[own] ?? 'code',
        ...(role === undefined ? {} : { role }),
      });
  }
}

/** The class of the text at an index, from its ancestors alone: for the few places of a file that nobody has bound. */
export function classAt({ root }: SourceTree, language: string, index: number): TokenClass {
  const table = tokenTables[language];
  assert(table !== undefined, `${language} has a token table`);
  const types: string[] = [];
  for (let node = root.descendantForIndex(index, index + 1); node !== null; node = node.parent) types.push(node.type);
  const own = types.reduceRight((inherited, type) => ownClass(table, type, inherited), 0);
  return tokenClasses[own] ?? 'code';
}

const stringClass = tokenClasses.indexOf('string');
const commentClass = tokenClasses.indexOf('comment');
const regexClass = tokenClasses.indexOf('regex');
const errorClass = tokenClasses.indexOf('error');

function ownClass(table: TokenTable, type: string, inherited: number): number {
  if (inherited === errorClass || type === 'ERROR') return errorClass;
  if (inherited === commentClass) return commentClass;
  if (!isNamed(type)) return inherited;
  if (inherited === stringClass && table.insertions.has(type)) return 0;
  if (table.strings.has(type)) return stringClass;
  if (table.comments.has(type)) return commentClass;
  if (table.regexes.has(type)) return regexClass;
  if (inherited === regexClass && table.insertions.has(type)) return 0;
  return inherited;
}

/** Quotes with their prefixes, escapes and flags are part of a string but no text of it. */
const delimiters = new Set([
  'escape_sequence',
  'string_start',
  'string_end',
  'interpolation_start',
  'interpolation_quote',
  'interpolation_brace',
  'raw_string_delimiter',
  'string_literal_encoding',
  'regex_flags',
]);

function isDelimiter(type: string, own: number): boolean {
  return (own === stringClass || own === regexClass) && (!isNamed(type) || delimiters.has(type));
}

function refine(tree: FlatTree, node: number, role: TokenRole): TokenRole {
  if (role !== 'name') return role;
  const parent = tree.type[tree.parent[node] ?? -1] ?? '';
  if (parent.startsWith('jsx_') && parent !== 'jsx_expression') return 'jsx';
  return propertyPlaces.has(`${parent}.${tree.field[node]}`) ? 'property' : role;
}

/** A string that is a statement of its own is documentation in Python; a symbol names something in Ruby. */
function roleOfText(tree: FlatTree, node: number, type: string, language: string): TokenRole | undefined {
  if (type === 'simple_symbol') return 'symbol';
  if (language !== 'python' || type !== 'string') return undefined;
  return tree.type[tree.parent[node] ?? -1] === 'expression_statement' ? 'docstring' : undefined;
}

// What the node types of each grammar say about the text below them. Types that a grammar does not have do no harm, so one table serves a family.

export type TokenTable = {
  /** A name by itself; the second word is its role. */
  readonly names: Readonly<Record<string, TokenRole>>;
  readonly strings: ReadonlySet<string>;
  readonly comments: ReadonlySet<string>;
  readonly regexes: ReadonlySet<string>;
  /** Code inside a string. */
  readonly insertions: ReadonlySet<string>;
  /** Leaves the grammar does not look into although they are code: the body of a macro. */
  readonly rawCode: ReadonlySet<string>;
};

export const tokenRoles = [
  'name',
  'property',
  'private',
  'type',
  'label',
  'shorthand',
  'jsx',
  'symbol',
  'docstring',
] as const;
export type TokenRole = (typeof tokenRoles)[number];

const slashComments = ['comment', 'line_comment', 'block_comment', 'doc_comment'];

const javascript: TokenTable = {
  names: {
    identifier: 'name',
    undefined: 'name',
    property_identifier: 'property',
    private_property_identifier: 'private',
    shorthand_property_identifier: 'shorthand',
    shorthand_property_identifier_pattern: 'shorthand',
    type_identifier: 'type',
    statement_identifier: 'label',
  },
  strings: new Set(['string', 'template_string', 'template_literal_type', 'jsx_text']),
  comments: new Set(['comment', 'html_comment', 'hash_bang_line']),
  regexes: new Set(['regex']),
  insertions: new Set(['template_substitution', 'template_type']),
  rawCode: new Set(),
};

const python: TokenTable = {
  names: { identifier: 'name' },
  strings: new Set(['string']),
  comments: new Set(['comment']),
  regexes: new Set(),
  insertions: new Set(['interpolation']),
  rawCode: new Set(),
};

const go: TokenTable = {
  names: {
    identifier: 'name',
    type_identifier: 'type',
    field_identifier: 'property',
    package_identifier: 'name',
    label_name: 'label',
  },
  strings: new Set(['interpreted_string_literal', 'raw_string_literal', 'rune_literal']),
  comments: new Set(['comment']),
  regexes: new Set(),
  insertions: new Set(),
  rawCode: new Set(),
};

const rust: TokenTable = {
  names: {
    identifier: 'name',
    type_identifier: 'type',
    primitive_type: 'type',
    field_identifier: 'property',
    shorthand_field_identifier: 'shorthand',
  },
  strings: new Set(['string_literal', 'raw_string_literal', 'char_literal']),
  comments: new Set(slashComments),
  regexes: new Set(),
  insertions: new Set(),
  rawCode: new Set(['metavariable']),
};

const java: TokenTable = {
  names: { identifier: 'name', type_identifier: 'type' },
  strings: new Set(['string_literal', 'character_literal']),
  comments: new Set(slashComments),
  regexes: new Set(),
  insertions: new Set(['string_interpolation']),
  rawCode: new Set(),
};

const c: TokenTable = {
  names: {
    identifier: 'name',
    type_identifier: 'type',
    primitive_type: 'type',
    field_identifier: 'property',
    namespace_identifier: 'name',
    statement_identifier: 'label',
  },
  strings: new Set(['string_literal', 'char_literal', 'raw_string_literal', 'system_lib_string']),
  comments: new Set(slashComments),
  regexes: new Set(),
  insertions: new Set(),
  rawCode: new Set(['preproc_arg']),
};

const csharp: TokenTable = {
  names: { identifier: 'name', implicit_parameter: 'name' },
  strings: new Set([
    'string_literal',
    'character_literal',
    'verbatim_string_literal',
    'raw_string_literal',
    'interpolated_string_expression',
  ]),
  comments: new Set([...slashComments, 'shebang_directive']),
  regexes: new Set(),
  insertions: new Set(['interpolation']),
  rawCode: new Set(['preproc_arg']),
};

const ruby: TokenTable = {
  names: {
    identifier: 'name',
    constant: 'name',
    instance_variable: 'name',
    class_variable: 'name',
    global_variable: 'name',
    hash_key_symbol: 'property',
  },
  strings: new Set([
    'string',
    'string_array',
    'symbol_array',
    'subshell',
    'heredoc_body',
    'heredoc_beginning',
    'character',
    'simple_symbol',
    'delimited_symbol',
  ]),
  comments: new Set(['comment', 'uninterpreted']),
  regexes: new Set(['regex']),
  insertions: new Set(['interpolation']),
  rawCode: new Set(),
};

const php: TokenTable = {
  names: { name: 'name' },
  strings: new Set(['string', 'encapsed_string', 'heredoc', 'nowdoc', 'shell_command_expression', 'text']),
  comments: new Set(['comment']),
  regexes: new Set(),
  insertions: new Set([
    'variable_name',
    'dynamic_variable_name',
    'member_access_expression',
    'nullsafe_member_access_expression',
    'subscript_expression',
    'member_call_expression',
    'scoped_property_access_expression',
    'scoped_call_expression',
    'function_call_expression',
    'class_constant_access_expression',
  ]),
  rawCode: new Set(),
};

export const tokenTables: Readonly<Record<string, TokenTable>> = {
  typescript: javascript,
  javascript,
  python,
  go,
  rust,
  java,
  c,
  cpp: c,
  csharp,
  ruby,
  php,
};

/** Places (`parent.field`) where a plain identifier names a member. */
export const propertyPlaces: ReadonlySet<string> = new Set([
  'attribute.attribute',
  'keyword_argument.name',
  'field_access.field',
  'method_invocation.name',
  'member_access_expression.name',
  'member_binding_expression.name',
  'nullsafe_member_access_expression.name',
  'member_call_expression.name',
  'call.method',
]);

/** What C calls primitive types although they are names like any other is not here. */
export const typeKeywords: ReadonlySet<string> = new Set([
  'void',
  'char',
  'int',
  'float',
  'double',
  'bool',
  'short',
  'long',
  'signed',
  'unsigned',
]);
