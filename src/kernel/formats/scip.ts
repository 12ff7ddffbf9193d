/**
 * SCIP as values. What an index file holds, as its decoder gives it: one part at a time, strings decoded leniently, ranges as written;
 * how a symbol is spelled; and what it says of its kind and type. `read-scip.ts` and `write-scip.ts` have the bytes.
 */

export type ScipMetadata = {
  readonly toolName: string;
  readonly toolVersion: string;
  readonly projectRoot: string;
};

export type ScipOccurrence = {
  /** 3 ints `[line, start, end]` or 4 `[line, start, end line, end]`, in the document's units; anything else rejects the document. */
  readonly range: readonly number[];
  readonly enclosingRange: readonly number[];
  /** Empty for a range that only carries highlighting. */
  readonly symbol: string;
  readonly roles: number;
};

export type ScipRelationship = {
  readonly symbol: string;
  readonly isReference: boolean;
  readonly isImplementation: boolean;
  readonly isTypeDefinition: boolean;
  readonly isDefinition: boolean;
};

export type ScipSymbol = {
  readonly symbol: string;
  readonly documentation: readonly string[];
  readonly relationships: readonly ScipRelationship[];
  /** SCIP's number; 0 is unspecified. */
  readonly kind: number;
  readonly displayName: string;
  /** `signature_documentation.text`, `''` without one. */
  readonly signature: string;
  readonly enclosingSymbol: string;
};

export type ScipDocument = {
  readonly relativePath: string;
  readonly language: string;
  /** 0 unspecified, 1 UTF-8, 2 UTF-16, 3 UTF-32 code units. */
  readonly positionEncoding: number;
  readonly text: string;
  readonly occurrences: readonly ScipOccurrence[];
  readonly symbols: readonly ScipSymbol[];
  /** A string was not UTF-8: what was not is U+FFFD now. */
  readonly hadBadText: boolean;
};

export type ScipPart =
  | { readonly kind: 'metadata'; readonly metadata: ScipMetadata }
  | { readonly kind: 'document'; readonly document: ScipDocument }
  | { readonly kind: 'external'; readonly symbol: ScipSymbol };

export type ScipReadOutcome =
  | { readonly kind: 'read'; readonly documents: number; readonly externals: number; readonly bytes: number }
  | {
      readonly kind: 'failed';
      readonly reason: 'absent' | 'empty' | 'truncated' | 'undecodable' | 'too_large';
      readonly detail: string;
    };

/** SCIP's own bits. */
export const roleBits = { definition: 1, import: 2, write: 4, read: 8, generated: 16, test: 32, forward: 64 } as const;

// Symbols: SCIP's own spelling, both ways, hand-written after its grammar, which stands beside `message Symbol` in scip.proto:
//
// symbol  = scheme ' ' manager ' ' package ' ' version ' ' descriptor+  |  'local ' id
// fields before the descriptors write a space as two and nothing as '.'; names that are not plain stand in backticks, a backtick as two.
//
// As the reference parser does, and beyond the letter of the grammar, a plain name in backticks and letters or digits outside ASCII without
// them are understood; `render…` never writes either, so one name has one spelling. A field cannot begin with a space: the grammar has
// no way to write that.

export const descriptorSuffixes = [
  'namespace',
  'type',
  'term',
  'method',
  'type_parameter',
  'parameter',
  'meta',
  'macro',
] as const;
export type DescriptorSuffix = (typeof descriptorSuffixes)[number];

export type Descriptor = {
  readonly name: string;
  readonly suffix: DescriptorSuffix;
  /** Tells methods of one name apart; `''` for every other kind and mostly for methods too. */
  readonly disambiguator: string;
};

export type GlobalSymbol = {
  readonly kind: 'global';
  readonly scheme: string;
  readonly manager: string;
  readonly package: { readonly name: string; readonly version: string };
  readonly descriptors: readonly Descriptor[];
};

export type ParsedSymbol = { readonly kind: 'local'; readonly id: string } | GlobalSymbol;

const LOCAL = 'local ';

export function parseScipSymbol(text: string): ParsedSymbol | undefined {
  if (text.startsWith(LOCAL)) {
    const id = text.slice(LOCAL.length);
    return isPlain(id) ? { kind: 'local', id } : undefined;
  }
  const fields: string[] = [];
  let at = 0;
  while (fields.length < 4) {
    const field = readDoubled(text, at, SPACE);
    if (field === undefined || field.text === '') return undefined;
    fields.push(field.text);
    at = field.next;
  }
  const [scheme = '', manager = '', name = '', version = ''] = fields;
  if (scheme.startsWith('local')) return undefined;
  const descriptors = readDescriptors(text, at);
  if (descriptors === undefined || descriptors.length === 0) return undefined;
  return {
    kind: 'global',
    scheme,
    manager: fromField(manager),
    package: { name: fromField(name), version: fromField(version) },
    descriptors,
  };
}

/** The descriptors alone, as in a symbol's tail; undefined if any is none. */
export function parseDescriptors(text: string): readonly Descriptor[] | undefined {
  return readDescriptors(text, 0);
}

export function renderScipSymbol(symbol: ParsedSymbol): string {
  if (symbol.kind === 'local') return LOCAL + symbol.id;
  const { scheme, manager, package: named, descriptors } = symbol;
  const fields = [scheme, manager || '.', named.name || '.', named.version || '.'];
  return `${fields.map((field) => field.replaceAll(' ', '  ')).join(' ')} ${renderDescriptors(descriptors)}`;
}

/** Canonical: backticks where a name needs them and nowhere else. */
export function renderDescriptors(descriptors: readonly Descriptor[]): string {
  let text = '';
  for (const descriptor of descriptors) text += renderDescriptor(descriptor);
  return text;
}

const renderers: Readonly<Record<DescriptorSuffix, (name: string, disambiguator: string) => string>> = {
  namespace: (name) => `${name}/`,
  type: (name) => `${name}#`,
  term: (name) => `${name}.`,
  method: (name, disambiguator) => `${name}(${disambiguator}).`,
  type_parameter: (name) => `[${name}]`,
  parameter: (name) => `(${name})`,
  meta: (name) => `${name}:`,
  macro: (name) => `${name}!`,
};

function renderDescriptor({ name, suffix, disambiguator }: Descriptor): string {
  return renderers[suffix](renderName(name), disambiguator === '' ? '' : renderName(disambiguator));
}

function renderName(name: string): string {
  return isPlain(name) ? name : `\`${name.replaceAll('`', '``')}\``;
}

/** `<simple-identifier>`. */
function isPlain(name: string): boolean {
  return /^[A-Za-z0-9_+$-]+$/.test(name);
}

function fromField(field: string): string {
  return field === '.' ? '' : field;
}

const SPACE = ' ';
const BACKTICK = '`';

/** Up to a single `mark`; two of them stand for one. Undefined if it does not end. */
function readDoubled(text: string, start: number, mark: string): { text: string; next: number } | undefined {
  let doubled = false;
  for (let at = text.indexOf(mark, start); at !== -1; at = text.indexOf(mark, at + 2)) {
    if (text[at + 1] !== mark) {
      const raw = text.slice(start, at);
      return { text: doubled ? raw.replaceAll(mark + mark, mark) : raw, next: at + 1 };
    }
    doubled = true;
  }
  return undefined;
}

const suffixOf: Readonly<Record<string, DescriptorSuffix>> = {
  '/': 'namespace',
  '#': 'type',
  '.': 'term',
  ':': 'meta',
  '!': 'macro',
};

function readDescriptors(text: string, start: number): readonly Descriptor[] | undefined {
  const descriptors: Descriptor[] = [];
  let at = start;
  while (at < text.length) {
    const bracket = text[at] === '(' ? ')' : text[at] === '[' ? ']' : '';
    const name = readName(text, bracket === '' ? at : at + 1);
    if (name === undefined) return undefined;
    at = name.next + 1;
    const mark = text[name.next];
    if (bracket !== '') {
      if (mark !== bracket) return undefined;
      descriptors.push({
        name: name.text,
        suffix: bracket === ')' ? 'parameter' : 'type_parameter',
        disambiguator: '',
      });
    } else if (mark === '(') {
      const disambiguator = text[at] === ')' ? { text: '', next: at } : readName(text, at);
      if (disambiguator === undefined || !text.startsWith(').', disambiguator.next)) return undefined;
      descriptors.push({ name: name.text, suffix: 'method', disambiguator: disambiguator.text });
      at = disambiguator.next + 2;
    } else {
      const suffix = mark === undefined ? undefined : suffixOf[mark];
      if (suffix === undefined) return undefined;
      descriptors.push({ name: name.text, suffix, disambiguator: '' });
    }
  }
  return descriptors;
}

const plainRun = /[\p{L}\p{Nd}_+$-]+/uy;

function readName(text: string, start: number): { text: string; next: number } | undefined {
  if (text[start] === BACKTICK) {
    const escaped = readDoubled(text, start + 1, BACKTICK);
    return escaped === undefined || escaped.text === '' ? undefined : escaped;
  }
  plainRun.lastIndex = start;
  const name = plainRun.exec(text)?.[0];
  return name === undefined ? undefined : { text: name, next: start + name.length };
}

/** SCIP's numbers for what a symbol is (`SymbolInformation.Kind`) as words: position = number; 0 is unspecified. */
const words: readonly (string | null)[] = [
  null,
  'array',
  'assertion',
  'associated_type',
  'attribute',
  'axiom',
  'boolean',
  'class',
  'constant',
  'constructor',
  'data_family',
  'enum',
  'enum_member',
  'event',
  'fact',
  'field',
  'file',
  'function',
  'getter',
  'grammar',
  'instance',
  'interface',
  'key',
  'lang',
  'lemma',
  'macro',
  'method',
  'method_receiver',
  'message',
  'module',
  'namespace',
  'null',
  'number',
  'object',
  'operator',
  'package',
  'package_object',
  'parameter',
  'parameter_label',
  'pattern',
  'predicate',
  'property',
  'protocol',
  'quasiquoter',
  'self_parameter',
  'setter',
  'signature',
  'subscript',
  'string',
  'struct',
  'tactic',
  'theorem',
  'this_parameter',
  'trait',
  'type',
  'type_alias',
  'type_class',
  'type_family',
  'type_parameter',
  'union',
  'value',
  'variable',
  'contract',
  'error',
  'library',
  'modifier',
  'abstract_method',
  'method_specification',
  'protocol_method',
  'pure_virtual_method',
  'trait_method',
  'type_class_method',
  'accessor',
  'delegate',
  'method_alias',
  'singleton_class',
  'singleton_method',
  'static_data_member',
  'static_event',
  'static_field',
  'static_method',
  'static_property',
  'static_variable',
  null,
  'extension',
  'mixin',
  'concept',
];

/** Numbers that are newer than the list have no word. */
export function kindName(kind: number): string | null {
  return words[kind] ?? null;
}

/** What the spelling alone says: a term may be a variable, a property or a constant, a type a class or an interface. */
const bySuffix: Readonly<Record<DescriptorSuffix, string | null>> = {
  namespace: 'namespace',
  type: 'type',
  term: 'term',
  method: 'method',
  type_parameter: 'type_parameter',
  parameter: 'parameter',
  meta: null,
  macro: 'macro',
};

export function kindOfDescriptor({ suffix }: Pick<Descriptor, 'suffix'>): string | null {
  return bySuffix[suffix];
}

// What an indexer says about a symbol's type, as one line of text, and where the TypeScript compiler cut it.

const fenced = /^```[\w-]*\n([\s\S]*?)\n?```/;

/** From `signature_documentation`, else from the first code block of the documentation; white space normalised. `null`: none is given. */
export function signatureOf({
  signature,
  documentation,
}: Pick<ScipSymbol, 'signature' | 'documentation'>): string | null {
  const said = signature === '' ? fenced.exec(documentation[0] ?? '')?.[1] : signature;
  if (said === undefined) return null;
  const line = (/\s\s|[\t\n\r]/.test(said) ? said.replace(/\s+/g, ' ') : said).trim();
  return line === '' ? null : line;
}

/** Where the TypeScript compiler cut a type. */
export const cutDots = /\.\.\.(?![\p{ID_Start}$_[({'"`\\.])/u;

/** What a symbol says of which nothing is known: the format has no absent fields. */
export const blankSymbol: Omit<ScipSymbol, 'symbol'> = {
  documentation: [],
  relationships: [],
  kind: 0,
  displayName: '',
  signature: '',
  enclosingSymbol: '',
};
