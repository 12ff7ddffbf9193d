/** Clients in JavaScript and TypeScript. Names are followed to the module they were imported from in the same file, no further. */

import type { Node } from 'web-tree-sitter';
import type { ParsedSource } from '../../parse-source.ts';
import { listChildren, walkTree } from '../../walk-tree.ts';
import type { HttpClientFact } from '../http-clients.ts';
import { type Address, grpcTarget, httpAddress, unknownAddress, type WrittenText } from './address.ts';
import { listBindings } from './javascript-bindings.ts';
import { listProcedures } from './trpc.ts';

type Site = { readonly callee: Node; readonly arguments: readonly Node[]; readonly line: number };
type Found = Omit<HttpClientFact, 'line'>;

const verbs = new Set(['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'request']);
const factories = new Set(['create', 'extend']);
const fetchModules = new Set(['node-fetch', 'undici', 'cross-fetch', 'isomorphic-fetch']);
const httpModules = new Set(['axios', 'got', 'ky', 'http', 'https', 'node:http', 'node:https']);
const graphqlConstructors = new Set(['ApolloClient', 'GraphQLClient', 'HttpLink', 'BatchHttpLink', 'GraphQLWsLink']);
const graphqlFunctions = new Set(['createHttpLink', 'createUploadLink']);
const grpcModules = new Set(['@grpc/grpc-js', 'grpc']);

export function findJavascriptClients({ root }: ParsedSource): HttpClientFact[] {
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
export function writtenText(node: Node | undefined): WrittenText | undefined {
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
