// biome-ignore-all lint/suspicious/noTemplateCurlyInString: source text of the languages under test

import { expect, test } from 'vitest';

import type { GrammarName } from '../../languages/languages.ts';
import { withParsedSource } from '../../languages/parsing/parse-source.ts';
import { mayHoldClients } from './contract-clients.ts';
import { extractHttpClients, type HttpClientFact } from './http-clients.ts';

/** `kind library base_url|relative|? [name]`, one line per fact, in source order. */
async function listed(grammar: GrammarName, text: string): Promise<string[]> {
  const facts = await withParsedSource(grammar, new TextEncoder().encode(text), extractHttpClients);
  expect(facts.length === 0 || mayHoldClients(grammar, new TextEncoder().encode(text))).toBe(true);
  return facts.map(describeFact);
}

function describeFact(fact: HttpClientFact): string {
  const address = fact.base_url ?? (fact.literal ? 'relative' : '?');
  return [fact.kind, fact.library, address, fact.name].filter((part) => part !== undefined).join(' ');
}

test('axios, got and ky: instances, calls, options and renamed imports', async () => {
  const source = `
import http from 'axios';
const got = require('got');
import { default as ky } from 'ky';
http.create({ baseURL: 'https://api.example.com/v1', timeout: 5 });
http.get('https://a.example.com/users');
http({ url: 'https://b.example.com:8443/x', method: 'post' });
http.create({ baseURL: process.env.API });
got('https://c.example.com');
ky.create({ prefixUrl: "https://d.example.com/" });
http.isAxiosError(e);
`;
  expect(await listed('typescript', source)).toEqual([
    'http axios https://api.example.com',
    'http axios https://a.example.com',
    'http axios https://b.example.com:8443',
    'http axios ?',
    'http got https://c.example.com',
    'http ky https://d.example.com',
  ]);
});

test('fetch: literal hosts, templates and concatenations with a fixed host, relative and unknown addresses', async () => {
  const source = [
    "fetch('https://a.example.com/x');",
    'fetch(`https://b.example.com/users/${id}`);',
    'fetch(`https://${host}/users`);',
    "fetch('https://c.example.com/' + id);",
    "fetch('/api/users');",
    'fetch(`/api/users/${id}`);',
    'fetch(url, { method });',
    "globalThis.fetch(new URL('https://d.example.com/x'));",
    "repository.fetch('https://no.example.com');",
  ].join('\n');
  const facts = await withParsedSource('javascript', new TextEncoder().encode(source), extractHttpClients);
  const ofFetch = facts.filter((fact) => fact.library === 'fetch');
  expect(ofFetch.map((fact) => [fact.line, fact.base_url, fact.literal])).toEqual([
    [1, 'https://a.example.com', true],
    [2, 'https://b.example.com', true],
    [3, null, false],
    [4, 'https://c.example.com', true],
    [5, null, true],
    [6, null, true],
    [7, null, false],
    [8, 'https://d.example.com', true],
  ]);
});

test('P8 credentials in an address are not part of the fact', async () => {
  const [fact] = await listed('javascript', `fetch('https://user:hunter2secret@a.example.com/x')`);
  expect(fact).toBe('http fetch https://a.example.com');
});

test('new URL: absolute addresses and unknown ones, not local files', async () => {
  const source = `
new URL('https://a.example.com/x');
new URL('/x', 'https://b.example.com');
new URL('./worker.js', import.meta.url);
new URL('file:///etc/hosts');
new URL(request.url);
`;
  expect(await listed('typescript', source)).toEqual([
    'http URL https://a.example.com',
    'http URL https://b.example.com',
    'http URL ?',
  ]);
});

test('gRPC clients in a file that imports grpc-js, and nowhere else', async () => {
  const source = `
import * as grpc from '@grpc/grpc-js';
import { GreeterClient } from './gen/greeter_grpc_pb';
const a = new GreeterClient('localhost:50051', grpc.credentials.createInsecure());
const b = new proto.Orders(process.env.ORDERS, grpc.credentials.createInsecure());
`;
  expect(await listed('typescript', source)).toEqual([
    'grpc @grpc/grpc-js localhost:50051 GreeterClient',
    'grpc @grpc/grpc-js ? Orders',
  ]);
  expect(await listed('typescript', `const c = new MongoClient('mongodb://db');`)).toEqual([]);
});

test('GraphQL clients', async () => {
  const source = `
import { request } from 'graphql-request';
new ApolloClient({ uri: 'https://a.example.com/graphql', cache });
new ApolloClient({ link, cache });
new HttpLink({ uri: config.uri });
new GraphQLClient('https://b.example.com/graphql');
request('https://c.example.com/graphql', query);
`;
  expect(await listed('typescript', source)).toEqual([
    'graphql @apollo/client https://a.example.com',
    'graphql @apollo/client ?',
    'graphql graphql-request https://b.example.com',
    'graphql graphql-request https://c.example.com',
  ]);
});

test('tRPC procedures, nested routers with dotted names', async () => {
  const source = `
export const appRouter = router({
  greeting: publicProcedure.input(z.string()).query(({ input }) => input),
  user: t.router({
    byId: t.procedure.query(() => 1),
    'rename': protectedProcedure.mutation(() => 2),
  }),
  posts: postsRouter,
  helper: makeHelper(),
});
express.Router({ strict: true });
`;
  expect(await listed('typescript', source)).toEqual([
    'trpc_procedure @trpc/server relative greeting',
    'trpc_procedure @trpc/server relative user.byId',
    'trpc_procedure @trpc/server relative user.rename',
  ]);
});

test('Python: requests, httpx, urllib, grpc, gql', async () => {
  const source = `
requests.get('https://a.example.com/x', timeout=3)
requests.request("POST", url="https://b.example.com")
requests.post(f"https://c.example.com/{id}")
requests.get(f"https://{host}/")
httpx.AsyncClient(base_url="https://d.example.com")
httpx.Client()
requests.get(BASE + '/x')
urllib.request.urlopen('https://e.example.com')
grpc.insecure_channel('orders:50051')
RequestsHTTPTransport(url='https://f.example.com/graphql')
dictionary.get('https://no.example.com')
`;
  expect(await listed('python', source)).toEqual([
    'http requests https://a.example.com',
    'http requests https://b.example.com',
    'http requests https://c.example.com',
    'http requests ?',
    'http httpx https://d.example.com',
    'http requests ?',
    'http urllib https://e.example.com',
    'grpc grpc orders:50051',
    'graphql gql https://f.example.com',
  ]);
});

test('Go: net/http and grpc under any import name', async () => {
  const source = `package a
import (
  nh "net/http"
  "google.golang.org/grpc"
)
func f() {
  nh.Get("https://a.example.com/x")
  nh.NewRequest("GET", "https://b.example.com/" + id, nil)
  nh.NewRequestWithContext(ctx, "GET", url, nil)
  nh.Get(fmt.Sprintf("https://c.example.com/%s", id))
  grpc.NewClient("orders:50051")
  http.Get("https://no.example.com")
}
`;
  expect(await listed('go', source)).toEqual([
    'http net/http https://a.example.com',
    'http net/http https://b.example.com',
    'http net/http ?',
    'http net/http https://c.example.com',
    'grpc google.golang.org/grpc orders:50051',
  ]);
});

test('other languages have no clients, and broken files keep what can be read', async () => {
  expect(await listed('rust', 'fn main() { reqwest::get("https://a"); }')).toEqual([]);
  expect(await listed('javascript', "fetch('https://a.example.com');\nconst = ;")).toEqual([
    'http fetch https://a.example.com',
  ]);
});
