import { expect, test } from 'vitest';
import type { GrammarName } from '../../languages/languages.ts';
import { withParsedSource } from '../../languages/parsing/parse-source.ts';
import { mayHoldClients } from './contract-clients.ts';
import { extractHttpClients } from './http-clients.ts';

const clients: readonly (readonly [GrammarName, string])[] = [
  ['typescript', "fetch('https://a.example/x')"],
  ['typescript', "globalThis.fetch ('/x')"],
  ['typescript', "import axios from 'axios'; axios<string>('https://a.example')"],
  ['typescript', "import client from 'axios'; client.create({ baseURL: 'https://a.example' })"],
  ['typescript', 'import http from "node:https"; http.get(url)'],
  ['typescript', "const { request: send } = require('undici'); send('https://a.example')"],
  ['typescript', "new URL('https://a.example')"],
  ['typescript', 'new url.URL(input)'],
  ['typescript', "got.extend({ prefixUrl: 'https://a.example' })"],
  ['typescript', "ky('https://a.example')"],
  ['typescript', "import { GraphQLClient } from 'graphql-request'; new GraphQLClient('https://a.example')"],
  ['typescript', "createHttpLink({ uri: 'https://a.example' })"],
  ['typescript', "import { createClient } from 'urql'; createClient({ url: 'https://a.example' })"],
  ['typescript', "import * as g from '@grpc/grpc-js'; new CartClient('cart:50051', g.credentials.createInsecure())"],
  ['typescript', 'const r = router({ list: publicProcedure.query(() => 1) })'],
  ['python', "requests.get('https://a.example')"],
  ['python', "httpx.AsyncClient(base_url='https://a.example')"],
  ['python', "aiohttp.ClientSession('https://a.example')"],
  ['python', "urllib.request.urlopen('https://a.example')"],
  ['python', "grpc.aio.insecure_channel('a:1')"],
  ['python', "RequestsHTTPTransport(url='https://a.example')"],
  ['python', "gql.AIOHTTPTransport(url='https://a.example')"],
  ['python', "HTTPXTransport(url='https://a.example')"],
  ['go', 'package a\nimport "net/http"\nfunc f() { http.Get("https://a.example") }'],
  ['go', 'package a\nimport g "google.golang.org/grpc"\nfunc f() { g.Dial("a:1") }'],
  ['go', 'package a\nimport "github.com/shurcooL/graphql"\nfunc f() { graphql.NewClient("https://a.example", nil) }'],
];

test.each(clients)('a file with a client is not passed over: %s %s', async (grammar, source) => {
  const bytes = new TextEncoder().encode(source);
  const facts = await withParsedSource(grammar, bytes, (parsed) => [...extractHttpClients(parsed)]);
  expect(facts.length).toBeGreaterThan(0);
  expect(mayHoldClients(grammar, bytes)).toBe(true);
});

test.each<readonly [GrammarName, string]>([
  ['typescript', '// Licensed under http://www.apache.org/licenses; we got it and fetch it later\nexport const a = 1;'],
  ['python', '# requests. See https://a.example\nx = 1'],
  ['go', 'package a\nimport "net/http"\nfunc f(w http.ResponseWriter) {}'],
])('comments and servers are not parsed: %s %s', (grammar, source) => {
  expect(mayHoldClients(grammar, new TextEncoder().encode(source))).toBe(false);
});

test('G16 5 000 beginnings of a match', () => {
  for (const piece of ['new a.', 'new ', 'fetch ', '"graphql', 'requests . ', '. NewClient ']) {
    const bytes = new TextEncoder().encode(piece.repeat(5_000));
    for (const grammar of ['typescript', 'python', 'go'] as const) expect(mayHoldClients(grammar, bytes)).toBe(false);
  }
});
