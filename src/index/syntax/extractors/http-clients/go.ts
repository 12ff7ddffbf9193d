/** Clients in Go: net/http, grpc and the usual GraphQL packages, under whatever name the file imports them. */

import type { Node } from 'web-tree-sitter';
import type { ParsedSource } from '../../parse-source.ts';
import { listChildren, walkTree } from '../../walk-tree.ts';
import type { HttpClientFact } from '../http-clients.ts';
import { grpcTarget, httpAddress, type WrittenText } from './address.ts';

/** Package → function → position of the address. */
const addressPosition: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'net/http': { Get: 0, Post: 0, PostForm: 0, Head: 0, NewRequest: 1, NewRequestWithContext: 2 },
  'google.golang.org/grpc': { Dial: 0, NewClient: 0, DialContext: 1 },
  'github.com/machinebox/graphql': { NewClient: 0 },
  'github.com/hasura/go-graphql-client': { NewClient: 0 },
  'github.com/shurcooL/graphql': { NewClient: 0 },
  'github.com/Khan/genqlient/graphql': { NewClient: 0 },
};

export function findGoClients({ root }: ParsedSource): HttpClientFact[] {
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
      const written = writtenText(listChildren(node.childForFieldName('arguments'))[position]);
      const line = node.startPosition.row + 1;
      if (path === 'net/http') facts.push({ kind: 'http', line, library: path, ...httpAddress(written) });
      else if (path.endsWith('/grpc')) facts.push({ kind: 'grpc', line, library: path, ...grpcTarget(written) });
      else facts.push({ kind: 'graphql', line, library: path, ...httpAddress(written) });
      return undefined;
    },
  });
  return facts;
}

function writtenText(node: Node | undefined): WrittenText | undefined {
  if (node?.type === 'interpreted_string_literal' || node?.type === 'raw_string_literal') {
    return { text: node.text.slice(1, -1), complete: true };
  }
  if (node?.type === 'binary_expression') {
    let left = node.childForFieldName('left');
    for (let depth = 0; depth < 16 && left?.type === 'binary_expression'; depth += 1)
      left = left.childForFieldName('left');
    const written = left?.type === 'interpreted_string_literal' ? writtenText(left) : undefined;
    return written && { ...written, complete: false };
  }
  // `fmt.Sprintf("https://host/%s", id)`: fixed up to the first verb.
  if (node?.type === 'call_expression' && node.childForFieldName('function')?.text === 'fmt.Sprintf') {
    const format = writtenText(listChildren(node.childForFieldName('arguments'))[0]);
    const verb = format?.text.indexOf('%') ?? -1;
    return format && (verb < 0 ? format : { text: format.text.slice(0, verb), complete: false });
  }
  return undefined;
}
