/** What the node types of each grammar say about the text below them. Types that a grammar does not have do no harm, so one table serves a family. */

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
