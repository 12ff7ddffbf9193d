/**
 * The routes that `config/routes.rb` of a Rails application draws, and the files that it draws from `config/routes/`. By text: the file is a
 * program, of which the words of the router are read as `rails routes` would list them. What other words make, and what is mounted, is a
 * gap that is named and never counted. Formats (`(.:format)`) are left out.
 */

import type { HttpRoute } from './route-text.ts';

export type RailsRoutes = {
  readonly routes: readonly (HttpRoute & { readonly file: string })[];
  readonly gaps: readonly { readonly file: string; readonly line: number; readonly what: string }[];
};

export type RailsApplication = {
  /** `config/routes.rb`. */
  readonly path: string;
  readonly textOf: (path: string) => string | undefined;
  /** `config.api_only`: without forms to make and edit. */
  readonly isApi: boolean;
};

export function readRailsRoutes({ path, textOf, isApi }: RailsApplication): RailsRoutes {
  const routes: (HttpRoute & { readonly file: string })[] = [];
  const gaps: RailsRoutes['gaps'][number][] = [];
  const concerns = new Map<string, Block>();
  const folder = path.replace(/\.rb$/, '');
  const drawing = new Set<string>();

  function drawFile(file: string, scope: Scope, from: Place): void {
    const text = drawing.has(file) ? undefined : textOf(file);
    if (text === undefined) {
      gaps.push({ ...from, what: `draw ${file}` });
      return;
    }
    drawing.add(file);
    drawAll({ file, statements: parseStatements(text) }, scope);
    drawing.delete(file);
  }

  function drawAll({ file, statements }: Block, scope: Scope): void {
    for (const statement of statements) drawOne(file, statement, scope);
  }

  function add(methods: readonly string[], written: string | undefined, scope: Scope, at: Place): void {
    const whole = scope.whole && written !== undefined && !/#\{/.test(written);
    const route = join(scope.prefix, written ?? '').replace(/\(\.:format\)$/, '');
    if (routes.length < routesPerApplication)
      for (const method of methods) routes.push({ ...at, method, path: route, whole });
  }

  function drawOne(file: string, { text, line, block }: Statement, scope: Scope): void {
    const at = { file, line };
    const inside: Block = { file, statements: block ?? [] };
    const [, word = '', rest = ''] = /^([\w.:]+[?!]?)\s*(.*)$/s.exec(text) ?? [];
    const call = { word, rest, ...readArguments(rest), inside, scope, at };
    const draw = router.get(word);
    if (draw !== undefined) draw(call);
    else if (plain.test(word)) drawAll(inside, scope);
    // An engine is mounted somewhere.
    else if (/\broutes\.\w+$/.test(word)) drawAll(inside, /^Rails\./.test(word) ? scope : { ...scope, whole: false });
    else if (!silent.test(word) && !/^[A-Za-z_@$]\w*\s*(?:\|\|)?=[^=>~]/.test(text)) {
      gaps.push({ ...at, what: word === '' ? 'a computed call' : word });
      if (word !== 'def') drawAll(inside, { ...scope, whole: false });
    }
  }

  /** The words of the router that make routes, or say where they lie. */
  const router: ReadonlyMap<string, (call: Call) => void> = new Map([
    ...[...verbs, 'match'].map((word) => [word, drawVerb] as const),
    ['root', ({ scope, at }) => add(['GET'], '', scope, at)],
    ['resources', drawResources],
    ['resource', drawResources],
    [
      'namespace',
      ({ positional: [first], named, inside, scope }) =>
        drawAll(inside, below(scope, literal(named.has('path') ? named.get('path') : first))),
    ],
    [
      'scope',
      ({ positional, named, inside, scope }) => {
        const given = positional.length > 0 ? positional : [named.get('path') ?? "''"];
        drawAll(
          inside,
          given.reduce((around, one) => below(around, literal(one)), scope),
        );
      },
    ],
    ['member', ({ inside, scope }) => drawAll(inside, { ...scope, prefix: scope.resource?.member ?? scope.prefix })],
    ['collection', ({ inside, scope }) => drawAll(inside, { ...scope, prefix: allOf(scope) })],
    ['new', ({ inside, scope }) => drawAll(inside, { ...scope, prefix: join(allOf(scope), 'new') })],
    // Where the parts of a shallow resource lie depends on what they are.
    ['shallow', ({ inside, scope }) => drawAll(inside, { ...scope, whole: false })],
    ['concern', ({ positional: [first], inside }) => concerns.set(literal(first) ?? '', inside)],
    ['concerns', ({ positional, scope, at }) => drawConcerns(positional.flatMap(symbols), scope, at)],
    [
      'draw',
      ({ positional: [first], scope, at }) =>
        drawFile(`${folder}/${literal(first) ?? 'a computed name'}.rb`, scope, at),
    ],
    ['mount', ({ rest, at }) => gaps.push({ ...at, what: `mount ${/^\(?([\w:.]*)/.exec(rest)?.[1] ?? ''}` })],
  ]);

  function drawVerb({ word, positional, named, scope, at }: Call): void {
    const via = symbols(named.get('via') ?? ':all');
    const methods = word !== 'match' ? [word.toUpperCase()] : via.includes('all') ? ['ANY'] : via.map(upper);
    const on = symbols(named.get('on') ?? '')[0];
    const { member } = scope.resource ?? { member: scope.prefix };
    const prefix =
      on === undefined ? scope.prefix : on === 'member' ? member : join(allOf(scope), on === 'new' ? 'new' : '');
    for (const written of positional) add(methods, literal(written), { ...scope, prefix }, at);
  }

  function drawResources(call: Call): void {
    for (const name of call.positional) drawResource(literal(name), call);
  }

  function drawResource(name: string | undefined, { word, named, inside, scope, at }: Call): void {
    const segment = named.has('path') ? literal(named.get('path')) : name;
    const around = below(named.get('shallow') === 'true' ? { ...scope, whole: false } : scope, segment);
    const param = literal(named.get('param')) ?? 'id';
    const collection = around.prefix;
    const isOne = word === 'resource';
    const member = isOne ? collection : join(collection, `:${param}`);
    const only = named.has('only') ? symbols(named.get('only') ?? '') : undefined;
    const except = symbols(named.get('except') ?? '');
    for (const [action, method, where] of actions) {
      if (isOne && action === 'index') continue;
      if (isApi && (action === 'new' || action === 'edit') && only === undefined) continue;
      if (except.includes(action) || (only !== undefined && !only.includes(action))) continue;
      const prefix = where === 'member' || where === 'edit' ? member : collection;
      add([method], where === 'new' || where === 'edit' ? where : '', { ...around, prefix }, at);
    }
    const prefix = isOne ? collection : join(collection, `:${singular(name ?? '')}_${param}`);
    const parts = { ...around, prefix, resource: { member, collection } };
    drawAll(inside, parts);
    drawConcerns(symbols(named.get('concerns') ?? ''), parts, at);
  }

  function drawConcerns(names: readonly string[], scope: Scope, at: Place): void {
    for (const name of names) {
      const concern = concerns.get(name);
      // One that includes itself would have no end.
      if (concern === undefined || drawing.has(`concern ${name}`)) gaps.push({ ...at, what: `concern ${name}` });
      else {
        drawing.add(`concern ${name}`);
        drawAll(concern, scope);
        drawing.delete(`concern ${name}`);
      }
    }
  }

  drawFile(path, { prefix: '', whole: true }, { file: path, line: 1 });
  return { routes, gaps };
}

/** More than a person writes by hand. */
const routesPerApplication = 5_000;

type Place = { readonly file: string; readonly line: number };
type Block = { readonly file: string; readonly statements: readonly Statement[] };
type Scope = {
  readonly prefix: string;
  readonly whole: boolean;
  /** Of the resource around: the path of one, and of all. */
  readonly resource?: { readonly member: string; readonly collection: string };
};
type Named = ReadonlyMap<string, string>;
type Call = {
  readonly word: string;
  /** Everything behind the word. */
  readonly rest: string;
  readonly positional: readonly string[];
  readonly named: Named;
  readonly inside: Block;
  readonly scope: Scope;
  readonly at: Place;
};

const verbs: ReadonlySet<string> = new Set(['get', 'post', 'put', 'patch', 'delete', 'options', 'head']);

/** As `rails routes` lists them; an update is two. */
const actions: readonly (readonly [action: string, method: string, where: 'all' | 'new' | 'edit' | 'member'])[] = [
  ['index', 'GET', 'all'],
  ['create', 'POST', 'all'],
  ['new', 'GET', 'new'],
  ['edit', 'GET', 'edit'],
  ['show', 'GET', 'member'],
  ['update', 'PATCH', 'member'],
  ['update', 'PUT', 'member'],
  ['destroy', 'DELETE', 'member'],
];

/** They change for whom and to what a route leads, not where it lies. */
const plain =
  /^(?:constraints|defaults|controller|with_options|authenticate|authenticated|unauthenticated|devise_scope|if|unless|elsif|else|case|when|begin|rescue|ensure)$/;
/** They make no routes. */
const silent = /^(?:require|require_relative|include|load|direct|resolve|puts|raise|return|next|break|use|filter)$/;

const allOf = ({ prefix, resource }: Scope): string => resource?.collection ?? prefix;

function below(scope: Scope, segment: string | undefined): Scope {
  const { resource: _, ...around } = scope;
  return {
    ...around,
    prefix: join(scope.prefix, segment ?? ''),
    whole: scope.whole && segment !== undefined && !segment.includes('#{'),
  };
}

function join(prefix: string, path: string): string {
  return `/${[prefix, path]
    .map((one) => one.replace(/^\/+|\/+$/g, ''))
    .filter((one) => one !== '')
    .join('/')}`;
}

const upper = (word: string): string => word.toUpperCase();

/** `:a`, `'a'`, `"a"`; undefined for what is computed. */
function literal(written: string | undefined): string | undefined {
  const [, symbol, , quoted] = /^(?::(\w+[?!]?)|:?(["'])(.*)\2)$/s.exec(written?.trim() ?? '') ?? [];
  return symbol ?? quoted;
}

/** `:a`, `[:a, 'b']`, `%i[a b]`. */
function symbols(written: string): readonly string[] {
  const [, words] = /^%[iIwW][[({]([^\])}]*)/.exec(written.trim()) ?? [];
  if (words !== undefined) return words.split(/\s+/).filter((word) => word !== '');
  return [...written.matchAll(/:(\w+)|["'](\w+)["']/g)].map(([, a, b]) => a ?? b ?? '');
}

/** Rails knows more plurals than these; the name of a parameter is all that hangs on it. */
function singular(name: string): string {
  const last = name.slice(name.lastIndexOf('_') + 1);
  const odd = { people: 'person', children: 'child', men: 'man', series: 'series', news: 'news' }[last];
  if (odd !== undefined) return name.slice(0, name.length - last.length) + odd;
  return name
    .replace(/ies$/, 'y')
    .replace(/(ss|x|ch|sh|zz|us)es$/, '$1')
    .replace(/(?<![su])s$/, '');
}

/** What a call is given: values in order, and those with a name. A path that leads somewhere (`"a" => "b#c"`) is a value. */
function readArguments(written: string): { readonly positional: readonly string[]; readonly named: Named } {
  const isWrapped = written.startsWith('(') && closing(written, 0) === written.trimEnd().length - 1;
  const text = isWrapped ? written.trimEnd().slice(1, -1) : written.replace(/\s(?:if|unless)\s[^'"]*$/s, '');
  const positional: string[] = [];
  const named = new Map<string, string>();
  for (const part of splitArguments(text)) {
    const [, older, newer, value = ''] = /^(?::(\w+)\s*=>|(\w+):(?!:))\s*(.*)$/s.exec(part) ?? [];
    const name = newer ?? older;
    const [, target] = /^((["']).*?\2)\s*=>/s.exec(part) ?? [];
    if (target !== undefined) positional.push(target);
    else if (name !== undefined && (newer !== undefined || options.has(name) || positional.length > 0))
      named.set(name, value.trim());
    else positional.push(/^([^"'\s]+)\s*=>/.exec(part)?.[1] ?? part);
  }
  return { positional: positional.filter((one) => one !== ''), named };
}

/** Names that options have in the older spelling, `:via => :all`; any other symbol before the first arrow is a path. */
const options: ReadonlySet<string> = new Set(
  'via as to on only except path param format constraints controller action defaults module concerns shallow path_names protocol host subdomain anchor'.split(
    ' ',
  ),
);

function splitArguments(text: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    const skipped = skip(text, at);
    if (skipped !== undefined) at = skipped;
    else if (text.charAt(at) === ',') {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)].map((part) => part.trim());
}

type Statement = { readonly text: string; readonly line: number; readonly block?: readonly Statement[] };

/** Routes that a person writes are never so deep. */
const maxDepth = 40;

/** Statements, each with those up to the `end` that closes it. Total: what is left open ends with the text. */
function parseStatements(text: string): readonly Statement[] {
  let at = 0;
  let [line, counted] = [1, 0];
  const parse = (depth: number): readonly Statement[] => {
    const statements: Statement[] = [];
    while (at < text.length) {
      const { start, end, next, opens } = readStatement(text, at);
      const own = text.slice(start, end).trim();
      for (; counted < start; counted += 1) if (text.charAt(counted) === '\n') line += 1;
      at = next;
      if (/^end\b/.test(own)) return statements;
      const isOpen = opens || /^(?:if|unless|case|begin|def|class|module|while|for)\b/.test(own);
      const place = line;
      if (isOpen && depth < maxDepth) statements.push({ text: own, line: place, block: parse(depth + 1) });
      else if (own !== '') statements.push({ text: own, line: place });
    }
    return statements;
  };
  return parse(0);
}

function readStatement(text: string, from: number) {
  let start = from;
  while (/[\s;]/.test(text.charAt(start))) start += 1;
  for (let at = start; at < text.length; at += 1) {
    const skipped = skip(text, at);
    if (skipped !== undefined) {
      at = skipped;
      continue;
    }
    const char = text.charAt(at);
    if (char === '#') {
      const end = text.indexOf('\n', at);
      const isGoingOn = goesOn.test(text.slice(start, at).trimEnd());
      if (at === start || !isGoingOn) return { start, end: at, next: end < 0 ? text.length : end, opens: false };
      at = end < 0 ? text.length : end;
    } else if (char === ';' || (char === '\n' && !goesOn.test(text.slice(start, at).trimEnd())))
      return { start, end: at, next: at + 1, opens: false };
    else if (char === 'd' && at > start) {
      const [block] = /^do\b(?:\s*\|[^|\n]*\|)?/.exec(text.slice(at, at + 200)) ?? [];
      if (block !== undefined && /\s|\)/.test(text.charAt(at - 1)))
        return { start, end: at, next: at + block.length, opens: true };
    }
  }
  return { start, end: text.length, next: text.length, opens: false };
}

const goesOn = /(?:,|\\|=>|&&|\|\||[+.])$/;

/** Behind a string, a pattern or a pair of brackets that begins here; undefined where none does. */
function skip(text: string, at: number): number | undefined {
  const char = text.charAt(at);
  if (char === '"' || char === "'") return stringEnd(text, at, char);
  if (char === '/' && /[=(,[{:>~]\s*$/.test(text.slice(Math.max(0, at - 20), at))) return stringEnd(text, at, '/');
  return char === '(' || char === '[' || char === '{' ? closing(text, at) : undefined;
}

function stringEnd(text: string, at: number, quote: string): number {
  for (let index = at + 1; index < text.length; index += 1) {
    const char = text.charAt(index);
    if (char === '\\') index += 1;
    else if (char === quote || (char === '\n' && quote === '/')) return index;
  }
  return text.length;
}

const pairs: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** Not recursive: a hostile file may open ten thousand. */
function closing(text: string, at: number): number {
  const open: string[] = [];
  for (let index = at; index < text.length; index += 1) {
    const char = text.charAt(index);
    if (char === '"' || char === "'") index = stringEnd(text, index, char);
    else if (char === '/' && /[=(,[{:>~]\s*$/.test(text.slice(Math.max(0, index - 20), index)))
      index = stringEnd(text, index, '/');
    else if (char === '#' && /\s/.test(text.charAt(index - 1))) {
      const end = text.indexOf('\n', index);
      index = end < 0 ? text.length : end;
    } else if (pairs[char] !== undefined) open.push(pairs[char]);
    else if (char === open.at(-1)) {
      open.pop();
      if (open.length === 0) return index;
    }
  }
  return text.length;
}
