/**
 * Which source files are worth parsing for clients. Sharper than a look for the words alone, because license headers and comments
 * say `https` in every file of some repositories; as sound, because every expression asks for what the extractor itself needs:
 * a call, or the import of a module under any name.
 */

import type { GrammarName } from '../../../languages/parsing/parse-source.ts';

const javascript =
  /\b(?:fetch|axios|got|ky)\s{0,8}(?:[.(<]|\?\.)|['"`](?:axios|got|ky|urql|@urql\/core|graphql-request|undici|node-fetch|cross-fetch|isomorphic-fetch|(?:node:)?https?|grpc|@grpc\/grpc-js)['"`]|\bnew\s{1,8}(?:[\w$]{1,64}\.){0,4}URL\b|ApolloClient|GraphQLClient|HttpLink|GraphQLWsLink|createUploadLink|rocedure/;
const python =
  /\b(?:requests|httpx|aiohttp)\s{0,8}\.\s{0,8}(?:get|post|put|patch|delete|head|options|request|stream|Client|AsyncClient|ClientSession)\b|\burlopen\s{0,8}\(|\bgrpc\.(?:aio\.)?(?:in)?secure_channel|HTTPX?Transport/;
const go = /\.\s{0,8}(?:Get|Post|PostForm|Head|NewRequest|NewRequestWithContext|Dial|DialContext|NewClient)\s{0,8}\(/;
const goImports = /"(?:net\/http|google\.golang\.org\/grpc|[^"\n]{0,100}graphql[^"\n]{0,100})"/i;

export function mayHoldClients(grammar: GrammarName, bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  if (grammar === 'python') return python.test(text);
  if (grammar === 'go') return goImports.test(text) && go.test(text);
  return javascript.test(text);
}
