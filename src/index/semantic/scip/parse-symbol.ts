/**
 * SCIP's own spelling of a symbol, both ways. The grammar is the one beside `message Symbol` in scip.proto:
 *
 *   symbol  = scheme ' ' manager ' ' package ' ' version ' ' descriptor+  |  'local ' id
 *   fields before the descriptors write a space as two and nothing as '.'; names that are not plain stand in backticks, a backtick as two.
 *
 * As the reference parser does, and beyond the letter of the grammar, a plain name in backticks and letters or digits outside ASCII without
 * them are understood; `render…` never writes either, so one name has one spelling. A field cannot begin with a space: the grammar has
 * no way to write that.
 */

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
