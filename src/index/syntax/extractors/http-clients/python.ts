/** Clients in Python: requests, httpx, aiohttp, urllib, grpc channels and gql transports, called through their module's name. */

import type { Node } from 'web-tree-sitter';
import type { ParsedSource } from '../../parse-source.ts';
import { listChildren, walkTree } from '../../walk-tree.ts';
import type { HttpClientFact } from '../http-clients.ts';
import { type Address, grpcTarget, httpAddress, type WrittenText } from './address.ts';

const verbs = new Set(['get', 'post', 'put', 'patch', 'delete', 'head', 'options']);
const methodFirst = new Set(['request', 'stream']);
const clients = new Set(['Client', 'AsyncClient', 'ClientSession']);
const modules = new Set(['requests', 'httpx', 'aiohttp']);
const channels = /^grpc\.(aio\.)?(in)?secure_channel$/;
const transports = new Set(['RequestsHTTPTransport', 'AIOHTTPTransport', 'HTTPXTransport']);

export function findPythonClients({ root }: ParsedSource): HttpClientFact[] {
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
    if (verbs.has(name)) return http(module, given, 0, ['url']);
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
  if (named !== undefined) return writtenText(named.childForFieldName('value'));
  return writtenText(given.filter((node) => node.type !== 'keyword_argument')[position] ?? null);
}

function writtenText(node: Node | null): WrittenText | undefined {
  if (node?.type === 'binary_operator' || node?.type === 'concatenated_string') {
    let first: Node | null = node;
    for (let depth = 0; depth < 16 && first?.type === 'binary_operator'; depth += 1)
      first = first.childForFieldName('left');
    if (first?.type === 'concatenated_string') first = first.namedChildren[0] ?? null;
    const written = first?.type === 'string' ? writtenText(first) : undefined;
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
