/**
 * Where a file talks to other services: HTTP, gRPC and GraphQL clients, and the tRPC procedures it offers.
 * Only what is written is reported. An address is known when its host is a literal (also as the fixed beginning of a template,
 * a concatenation or a format string); otherwise `literal` is false and the address unknown. Credentials in an address are dropped.
 */

import type { GrammarName } from '../../languages/languages.ts';
import type { ParsedSource } from '../../languages/parsing/parse-source.ts';
import type { Node } from '../../languages/parsing/syntax-node.ts';
import { listChildren, walkTree } from '../../languages/parsing/walk-tree.ts';

export type HttpClientFact = {
  readonly kind: 'http' | 'grpc' | 'graphql' | 'trpc_procedure';
  /** 1-based. */
  readonly line: number;
  /** Module or global the call belongs to: `axios`, `fetch`, `requests`, `net/http`, `@grpc/grpc-js` … */
  readonly library: string;
  /** `https://host[:port]`, for gRPC the target; null when there is no host in the source. */
  readonly base_url: string | null;
  /** The address is written in the source, even if it has no host (`'/api'`). */
  readonly literal: boolean;
  /** Procedure or client name. */
  readonly name?: string;
};

const findersByGrammar: Partial<Record<GrammarName, (source: ParsedSource) => HttpClientFact[]>> = {
  typescript: findJavascriptClients,
  tsx: findJavascriptClients,
  javascript: findJavascriptClients,
  python: findPythonClients,
  go: findGoClients,
};

export function extractHttpClients(source: ParsedSource): readonly HttpClientFact[] {
  return (findersByGrammar[source.grammar]?.(source) ?? []).sort((a, b) => a.line - b.line);
}

// Clients in JavaScript and TypeScript. Names are followed to the module they were imported from in the same file, no further.

type Site = { readonly callee: Node; readonly arguments: readonly Node[]; readonly line: number };
type Found = Omit<HttpClientFact, 'line'>;

const verbs = new Set(['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'request']);
const factories = new Set(['create', 'extend']);
const fetchModules = new Set(['node-fetch', 'undici', 'cross-fetch', 'isomorphic-fetch']);
const httpModules = new Set(['axios', 'got', 'ky', 'http', 'https', 'node:http', 'node:https']);
const graphqlConstructors = new Set(['ApolloClient', 'GraphQLClient', 'HttpLink', 'BatchHttpLink', 'GraphQLWsLink']);
const graphqlFunctions = new Set(['createHttpLink', 'createUploadLink']);
const grpcModules = new Set(['@grpc/grpc-js', 'grpc']);

function findJavascriptClients({ root }: ParsedSource): HttpClientFact[] {
  const calls: Site[] = [];
  const constructions: Site[] = [];
  const imports: Node[] = [];
  const declarators: Node[] = [];
  walkTree(root, {
    call_expression: (node) => void collect(calls, node, 'function'),
    new_expression: (node) => void collect(constructions, node, 'constructor'),
    import_statement: (node) => void imports.push(node),
    variable_declarator: (node) => void declarators.push(node),
  });
  const bindings = listBindings(imports, declarators);
  const usesGrpc = [...bindings.values()].some((module) => grpcModules.has(module));

  const facts: HttpClientFact[] = [];
  const add = (site: Site, found: Found | undefined) => {
    if (found !== undefined) facts.push({ ...found, line: site.line });
  };
  for (const site of constructions) add(site, classifyNew(site, usesGrpc));
  for (const site of calls) add(site, classifyCall(site, bindings));
  facts.push(...listProcedures(calls));
  return facts;
}

function collect(sites: Site[], node: Node, field: 'function' | 'constructor'): void {
  const callee = node.childForFieldName(field);
  const parameters = node.childForFieldName('arguments');
  if (callee === null || (parameters !== null && parameters.type !== 'arguments')) return;
  sites.push({ callee, arguments: listChildren(parameters), line: node.startPosition.row + 1 });
}

function classifyNew({ callee, arguments: given }: Site, usesGrpc: boolean): Found | undefined {
  const name = callee.type === 'member_expression' ? (callee.childForFieldName('property')?.text ?? '') : callee.text;
  if (name === 'URL') return classifyUrl(given);
  if (graphqlConstructors.has(name)) {
    const library = name === 'GraphQLClient' ? 'graphql-request' : '@apollo/client';
    const address =
      name === 'GraphQLClient' ? httpAddress(writtenText(given[0])) : optionAddress(given[0], ['uri', 'url']);
    // With `link:` the address stands in the link, which is a site of its own.
    if (name === 'ApolloClient' && !address.literal && findOption(given[0], ['uri']) === undefined) return undefined;
    return { kind: 'graphql', library, ...address };
  }
  if (!usesGrpc) return undefined;
  const isClient =
    name.endsWith('Client') || /\bcredentials\b|\bChannelCredentials\b/.test(given[1]?.text.slice(0, 200) ?? '');
  return isClient ? { kind: 'grpc', library: '@grpc/grpc-js', ...grpcTarget(writtenText(given[0])), name } : undefined;
}

/** `new URL` parses as often as it addresses: only an absolute address, or one that is not known, says something. */
function classifyUrl(given: readonly Node[]): Found | undefined {
  const [first, base] = given.map((argument) => httpAddress(writtenText(argument)));
  if (first === undefined || given.some((argument) => argument.text === 'import.meta.url')) return undefined;
  const best = first.base_url === null && base !== undefined ? base : first;
  if (best.base_url !== null)
    return /^(https?|wss?):/i.test(best.base_url) ? { kind: 'http', library: 'URL', ...best } : undefined;
  return best.literal ? undefined : { kind: 'http', library: 'URL', ...unknownAddress };
}

function classifyCall({ callee, arguments: given }: Site, bindings: ReadonlyMap<string, string>): Found | undefined {
  if (callee.type !== 'identifier' && callee.type !== 'member_expression') return undefined;
  const object = callee.type === 'member_expression' ? callee.childForFieldName('object') : callee;
  if (object?.type !== 'identifier') return undefined;
  const property = callee.type === 'member_expression' ? (callee.childForFieldName('property')?.text ?? '') : null;
  const local = object.text;
  const module = bindings.get(local);

  const isGlobalFetch = (property === null && local === 'fetch') || (property === 'fetch' && globals.has(local));
  if (isGlobalFetch || (property === null && module !== undefined && fetchModules.has(module))) {
    return { kind: 'http', library: module ?? 'fetch', ...requestAddress(given[0]) };
  }
  if (property === null && module === 'graphql-request' && local === 'request') {
    return { kind: 'graphql', library: module, ...httpAddress(writtenText(given[0])) };
  }
  if (property === null && graphqlFunctions.has(local)) {
    return { kind: 'graphql', library: '@apollo/client', ...optionAddress(given[0], ['uri']) };
  }
  if (property === null && local === 'createClient' && (module === 'urql' || module === '@urql/core')) {
    return { kind: 'graphql', library: module, ...optionAddress(given[0], ['url']) };
  }
  const library = module ?? (local === 'axios' || local === 'got' || local === 'ky' ? local : undefined);
  if (library === undefined || !httpModules.has(library)) return undefined;
  if (property === null || verbs.has(property)) return { kind: 'http', library, ...requestAddress(given[0]) };
  return factories.has(property) ? { kind: 'http', library, ...optionAddress(given[0], baseOptions) } : undefined;
}

const globals = new Set(['globalThis', 'window', 'self']);
const baseOptions = ['baseURL', 'prefixUrl', 'baseUrl'];

/** A request takes an address, a `URL` made on the spot, or options that name one. */
function requestAddress(argument: Node | undefined): Address {
  if (argument?.type === 'object') return optionAddress(argument, [...baseOptions, 'url']);
  if (argument?.type === 'new_expression' && argument.childForFieldName('constructor')?.text === 'URL') {
    const given = listChildren(argument.childForFieldName('arguments')).map((part) => httpAddress(writtenText(part)));
    return given.find((address) => address.base_url !== null) ?? unknownAddress;
  }
  return httpAddress(writtenText(argument));
}

function optionAddress(options: Node | undefined, names: readonly string[]): Address {
  return httpAddress(writtenText(findOption(options, names)));
}

function findOption(options: Node | undefined, names: readonly string[]): Node | undefined {
  if (options?.type !== 'object') return undefined;
  for (const name of names) {
    for (const pair of options.namedChildren) {
      if (pair.type !== 'pair') continue;
      if (pair.childForFieldName('key')?.text.replace(/['"]/g, '') === name)
        return pair.childForFieldName('value') ?? undefined;
    }
  }
  return undefined;
}

/** The fixed text at the beginning of a string, template or concatenation. */
function writtenText(node: Node | undefined): WrittenText | undefined {
  if (node?.type === 'string') return { text: node.text.slice(1, -1), complete: true };
  if (node?.type === 'template_string') {
    const hole = node.namedChildren.find((child) => child.type === 'template_substitution');
    if (hole === undefined) return { text: node.text.slice(1, -1), complete: true };
    return { text: node.text.slice(1, hole.startIndex - node.startIndex), complete: false };
  }
  if (node?.type === 'binary_expression') {
    let left = node.childForFieldName('left');
    for (let depth = 0; depth < 16 && left?.type === 'binary_expression'; depth += 1)
      left = left.childForFieldName('left');
    const written = left === null ? undefined : left.type === 'string' ? writtenText(left) : undefined;
    return written && { ...written, complete: false };
  }
  return undefined;
}

// Clients in Python: requests, httpx, aiohttp, urllib, grpc channels and gql transports, called through their module's name.

const pythonVerbs = new Set(['get', 'post', 'put', 'patch', 'delete', 'head', 'options']);
const methodFirst = new Set(['request', 'stream']);
const clients = new Set(['Client', 'AsyncClient', 'ClientSession']);
const modules = new Set(['requests', 'httpx', 'aiohttp']);
const channels = /^grpc\.(aio\.)?(in)?secure_channel$/;
const transports = new Set(['RequestsHTTPTransport', 'AIOHTTPTransport', 'HTTPXTransport']);

function findPythonClients({ root }: ParsedSource): HttpClientFact[] {
  const facts: HttpClientFact[] = [];
  walkTree(root, {
    call(node) {
      const callee = node.childForFieldName('function');
      if (callee === null || (callee.type !== 'attribute' && callee.type !== 'identifier')) return undefined;
      const found = classify(callee.text, listChildren(node.childForFieldName('arguments')));
      if (found !== undefined) facts.push({ ...found, line: node.startPosition.row + 1 });
      return undefined;
    },
  });
  return facts;
}

function classify(callee: string, given: readonly Node[]): Omit<HttpClientFact, 'line'> | undefined {
  const [module = '', name = '', ...rest] = callee.split('.');
  if (channels.test(callee)) return { kind: 'grpc', library: 'grpc', ...grpcTarget(argument(given, 0, ['target'])) };
  if (callee === 'urllib.request.urlopen' || callee === 'urlopen') return http('urllib', given, 0, ['url']);
  if (rest.length === 0 && modules.has(module)) {
    if (pythonVerbs.has(name)) return http(module, given, 0, ['url']);
    if (methodFirst.has(name)) return http(module, given, 1, ['url']);
    if (!clients.has(name)) return undefined;
    const base = argument(given, module === 'aiohttp' ? 0 : Number.POSITIVE_INFINITY, ['base_url']);
    return base === undefined ? undefined : { kind: 'http', library: module, ...httpAddress(base) };
  }
  if (transports.has(name === '' ? module : name)) {
    return { kind: 'graphql', library: 'gql', ...httpAddress(argument(given, 0, ['url'])) };
  }
  return undefined;
}

function http(library: string, given: readonly Node[], position: number, names: readonly string[]) {
  const address: Address = httpAddress(argument(given, position, names));
  return { kind: 'http', library, ...address } as const;
}

function argument(given: readonly Node[], position: number, names: readonly string[]): WrittenText | undefined {
  const named = given.find(
    (node) => node.type === 'keyword_argument' && names.includes(node.childForFieldName('name')?.text ?? ''),
  );
  if (named !== undefined) return writtenInPython(named.childForFieldName('value'));
  return writtenInPython(given.filter((node) => node.type !== 'keyword_argument')[position] ?? null);
}

function writtenInPython(node: Node | null): WrittenText | undefined {
  if (node?.type === 'binary_operator' || node?.type === 'concatenated_string') {
    let first: Node | null = node;
    for (let depth = 0; depth < 16 && first?.type === 'binary_operator'; depth += 1)
      first = first.childForFieldName('left');
    if (first?.type === 'concatenated_string') first = first.namedChildren[0] ?? null;
    const written = first?.type === 'string' ? writtenInPython(first) : undefined;
    return written && { ...written, complete: false };
  }
  if (node?.type !== 'string') return undefined;
  const start = node.namedChildren.find((child) => child.type === 'string_start')?.endIndex;
  const end = node.namedChildren.find((child) => child.type === 'string_end')?.startIndex;
  const hole = node.namedChildren.find((child) => child.type === 'interpolation')?.startIndex;
  if (start === undefined || end === undefined) return undefined;
  return {
    text: node.text.slice(start - node.startIndex, (hole ?? end) - node.startIndex),
    complete: hole === undefined,
  };
}

// Clients in Go: net/http, grpc and the usual GraphQL packages, under whatever name the file imports them.

/** Package → function → position of the address. */
const addressPosition: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'net/http': { Get: 0, Post: 0, PostForm: 0, Head: 0, NewRequest: 1, NewRequestWithContext: 2 },
  'google.golang.org/grpc': { Dial: 0, NewClient: 0, DialContext: 1 },
  'github.com/machinebox/graphql': { NewClient: 0 },
  'github.com/hasura/go-graphql-client': { NewClient: 0 },
  'github.com/shurcooL/graphql': { NewClient: 0 },
  'github.com/Khan/genqlient/graphql': { NewClient: 0 },
};

function findGoClients({ root }: ParsedSource): HttpClientFact[] {
  const packages = new Map<string, string>();
  const facts: HttpClientFact[] = [];
  walkTree(root, {
    import_spec(node) {
      const path = node.childForFieldName('path')?.text.slice(1, -1) ?? '';
      const own = path.replace(/\/v\d+$/, '');
      packages.set(node.childForFieldName('name')?.text ?? own.slice(own.lastIndexOf('/') + 1), path);
      return undefined;
    },
    call_expression(node) {
      const callee = node.childForFieldName('function');
      if (callee?.type !== 'selector_expression') return undefined;
      const path = packages.get(callee.childForFieldName('operand')?.text ?? '') ?? '';
      const name = callee.childForFieldName('field')?.text ?? '';
      const position = Object.hasOwn(addressPosition, path) ? addressPosition[path]?.[name] : undefined;
      if (position === undefined) return undefined;
      const written = writtenInGo(listChildren(node.childForFieldName('arguments'))[position]);
      const line = node.startPosition.row + 1;
      if (path === 'net/http') facts.push({ kind: 'http', line, library: path, ...httpAddress(written) });
      else if (path.endsWith('/grpc')) facts.push({ kind: 'grpc', line, library: path, ...grpcTarget(written) });
      else facts.push({ kind: 'graphql', line, library: path, ...httpAddress(written) });
      return undefined;
    },
  });
  return facts;
}

function writtenInGo(node: Node | undefined): WrittenText | undefined {
  if (node?.type === 'interpreted_string_literal' || node?.type === 'raw_string_literal') {
    return { text: node.text.slice(1, -1), complete: true };
  }
  if (node?.type === 'binary_expression') {
    let left = node.childForFieldName('left');
    for (let depth = 0; depth < 16 && left?.type === 'binary_expression'; depth += 1)
      left = left.childForFieldName('left');
    const written = left?.type === 'interpreted_string_literal' ? writtenInGo(left) : undefined;
    return written && { ...written, complete: false };
  }
  // `fmt.Sprintf("https://host/%s", id)`: fixed up to the first verb.
  if (node?.type === 'call_expression' && node.childForFieldName('function')?.text === 'fmt.Sprintf') {
    const format = writtenInGo(listChildren(node.childForFieldName('arguments'))[0]);
    const verb = format?.text.indexOf('%') ?? -1;
    return format && (verb < 0 ? format : { text: format.text.slice(0, verb), complete: false });
  }
  return undefined;
}

/** Local name → module, for imports and `require` at any level of one file. Named imports map to their module as well. */
function listBindings(imports: readonly Node[], declarators: readonly Node[]): Map<string, string> {
  const bindings = new Map<string, string>();
  for (const statement of imports) {
    const module = statement.childForFieldName('source')?.text.slice(1, -1);
    const clause = statement.namedChildren.find((child) => child.type === 'import_clause');
    if (module === undefined || clause === undefined) continue;
    for (const name of listLocalNames(clause)) bindings.set(name, module);
  }
  for (const declarator of declarators) {
    const module = requiredModule(declarator.childForFieldName('value'));
    const target = declarator.childForFieldName('name');
    if (module === undefined || target === null) continue;
    for (const name of target.type === 'identifier' ? [target.text] : listPatternNames(target))
      bindings.set(name, module);
  }
  return bindings;
}

function listLocalNames(clause: Node): string[] {
  return clause.namedChildren.flatMap((part) => {
    if (part.type === 'identifier') return [part.text];
    if (part.type === 'namespace_import') return part.namedChildren.map((name) => name.text);
    return part.namedChildren
      .filter((specifier) => specifier.type === 'import_specifier')
      .map((specifier) => (specifier.childForFieldName('alias') ?? specifier.childForFieldName('name'))?.text ?? '');
  });
}

function listPatternNames(pattern: Node): string[] {
  return pattern.namedChildren.flatMap((part) => {
    if (part.type === 'shorthand_property_identifier_pattern') return [part.text];
    return part.type === 'pair_pattern' ? [part.childForFieldName('value')?.text ?? ''] : [];
  });
}

/** `require('x')`, also `require('x').default` and `await import('x')`. */
function requiredModule(value: Node | null): string | undefined {
  let node = value;
  if (node?.type === 'member_expression') node = node.childForFieldName('object');
  if (node?.type === 'await_expression') node = node.namedChildren[0] ?? null;
  if (node?.type !== 'call_expression') return undefined;
  const callee = node.childForFieldName('function');
  if (callee?.text !== 'require' && callee?.type !== 'import') return undefined;
  const argument = node.childForFieldName('arguments')?.namedChildren[0];
  return argument?.type === 'string' ? argument.text.slice(1, -1) : undefined;
}

// tRPC procedures: members of `router({ … })` whose value is built from a procedure; nested routers give dotted names.

type Call = { readonly callee: Node; readonly arguments: readonly Node[] };

const maxNesting = 8;

function listProcedures(calls: readonly Call[]): HttpClientFact[] {
  const nested = new Set<number>();
  const facts: HttpClientFact[] = [];
  for (const { callee, arguments: given } of calls) {
    const [members] = given;
    if (members?.type !== 'object' || nested.has(members.id) || !isRouter(callee)) continue;
    collectProcedures(members, '', 0);
  }
  return facts;

  function collectProcedures(members: Node, prefix: string, depth: number): void {
    nested.add(members.id);
    for (const pair of members.namedChildren) {
      const key = pair.type === 'pair' ? pair.childForFieldName('key')?.text.replace(/['"]/g, '') : undefined;
      const value = pair.childForFieldName('value');
      if (key === undefined || value?.type !== 'call_expression') continue;
      const callee = value.childForFieldName('function');
      const inner = listChildren(value.childForFieldName('arguments'))[0];
      if (callee !== null && isRouter(callee) && inner?.type === 'object') {
        if (depth < maxNesting) collectProcedures(inner, `${prefix}${key}.`, depth + 1);
      } else if (isProcedure(value)) {
        const line = pair.startPosition.row + 1;
        facts.push({
          kind: 'trpc_procedure',
          line,
          library: '@trpc/server',
          base_url: null,
          literal: true,
          name: prefix + key,
        });
      }
    }
  }
}

function isRouter(callee: Node): boolean {
  const name = callee.type === 'member_expression' ? callee.childForFieldName('property')?.text : callee.text;
  return name === 'router' || name === 'createTRPCRouter' || name === 'createRouter' || name === 'mergeRouters';
}

/** `publicProcedure.input(…).query(…)`, `t.procedure.mutation(…)`: somewhere down the chain stands a procedure. */
function isProcedure(value: Node): boolean {
  let node: Node | null = value;
  for (let step = 0; step < 40 && node !== null; step += 1) {
    if (node.type === 'call_expression') node = node.childForFieldName('function');
    else if (node.type === 'member_expression') {
      if (/[pP]rocedure$/.test(node.childForFieldName('property')?.text ?? '')) return true;
      node = node.childForFieldName('object');
    } else return node.type === 'identifier' && /[pP]rocedure$/.test(node.text);
  }
  return false;
}

// The address in an argument, as far as it is written down.

type Address = { readonly literal: boolean; readonly base_url: string | null };

/** Text of an argument: all of it, or what stands before the first part that is computed. */
type WrittenText = { readonly text: string; readonly complete: boolean };

const unknownAddress: Address = { literal: false, base_url: null };

const withHost = /^([a-z][a-z0-9+.-]{0,20}:\/\/)([^/?#\s]{1,253})([/?#]?)/i;

/** `https://user:pw@api.example.com/v1/${id}` → `https://api.example.com`. */
function httpAddress(written: WrittenText | undefined): Address {
  if (written === undefined) return unknownAddress;
  const match = withHost.exec(written.text);
  if (match === null) {
    // `/users/${id}` is relative and as such written down; `${base}/users` is not.
    return { literal: written.complete || written.text.startsWith('/'), base_url: null };
  }
  const [, scheme = '', authority = '', end] = match;
  if (!written.complete && end === '') return unknownAddress;
  return { literal: true, base_url: scheme + authority.slice(authority.lastIndexOf('@') + 1) };
}

/** gRPC targets have no scheme of their own: `localhost:50051`, `dns:///api:443`. */
function grpcTarget(written: WrittenText | undefined): Address {
  return written?.complete ? { literal: true, base_url: written.text } : unknownAddress;
}
