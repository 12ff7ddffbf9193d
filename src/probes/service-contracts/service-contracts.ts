/**
 * What this repository offers to other services and which of them it calls. Contracts are read as they are written, code-first
 * schemas are not guessed; a client whose address is not in the source is counted as unresolved.
 */

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: one of the examples is such a program

import { defineProbe, namedOnly } from '../../gather/contract.ts';
import { z } from '../../kernel/base/schema.ts';
import { contractGlobs } from './service-contracts-section.ts';

const text = z.string();
/** Names of an API look random more often than not. */
const name = namedOnly(z.string());
const client = z.strictObject({
  path: text,
  line: z.int(),
  /** Scheme, host and port; null when the source has no host. */
  base_url: namedOnly(z.string()).nullable(),
  library: text,
});

const section = z.strictObject({
  provides: z.strictObject({
    openapi: z.array(
      z.strictObject({
        path: text,
        title: text.nullable(),
        version: name.nullable(),
        operations: z.array(z.strictObject({ method: text, path: name, operation_id: name.nullable() })),
      }),
    ),
    proto: z.array(
      z.strictObject({
        path: text,
        package: name.nullable(),
        services: z.array(
          z.strictObject({
            name,
            rpcs: z.array(
              z.strictObject({
                name,
                request: name,
                response: name,
                streaming: z.enum(['none', 'client', 'server', 'bidi']),
              }),
            ),
          }),
        ),
      }),
    ),
    graphql: z.array(
      z.strictObject({
        path: text,
        queries: z.array(name),
        mutations: z.array(name),
        subscriptions: z.array(name),
        types: z.int(),
      }),
    ),
    asyncapi: z.array(
      z.strictObject({
        path: text,
        title: text.nullable(),
        version: name.nullable(),
        operations: z.array(z.strictObject({ action: text, channel: name, operation_id: name.nullable() })),
      }),
    ),
    trpc: z.array(z.strictObject({ path: text, procedures: z.array(name) })),
  }),
  consumes: z.strictObject({
    http_clients: z.array(client),
    grpc_clients: z.array(client),
    graphql_clients: z.array(client),
    generated_clients: z.array(z.strictObject({ path: text, generator: text })),
  }),
  /** Clients whose address is computed; `gte` when a file could not be read as code. */
  unresolved: z.strictObject({ value: z.int(), relation: z.enum(['eq', 'gte']) }),
});

export default defineProbe({
  name: 'service_contracts',
  version: '0.1.0',
  layer: 'E',
  says: 'OpenAPI, AsyncAPI, proto, GraphQL and tRPC contracts the repository offers, and the HTTP, gRPC and GraphQL clients in its code.',
  heaviness: 'medium',
  sections: { inter_service: section },
  declaredInputs: contractGlobs,
  timeoutSeconds: 60,
  artifacts: ['service-contracts.json'],
  warningIds: ['service_contracts.parse_error', 'service_contracts.ref_outside_repo', 'service_contracts.truncated'],
  confidenceRule: 'high when a contract or client was found and every contract was parsed; medium otherwise',
  applies: (repo) => repo.scope.match(contractGlobs).length > 0 || 'not_applicable',
  async run(repo, ctx) {
    const { gatherContracts } = await import('./gather-service-contracts.ts');
    return gatherContracts(repo, ctx);
  },
  examples: [
    {
      shows: 'one of each: OpenAPI, AsyncAPI, proto, GraphQL, tRPC, and clients of every kind',
      files: {
        'api/openapi.yaml':
          'openapi: 3.1.0\ninfo: {title: Shop, version: 1.10}\npaths:\n  /carts/{id}:\n    get: {operationId: getCart, responses: {}}\n    delete: {responses: {}}\n  /items: {$ref: "./items.yaml#/items"}\n',
        'api/items.yaml': 'items: {post: {operationId: addItem}}\n',
        'api/legacy.json': '{"swagger":"2.0","info":{"title":"Old","version":"1"},"paths":{"/ping":{"get":{}}}}',
        'api/events.yml':
          'asyncapi: 2.6.0\ninfo: {title: Events, version: "2"}\nchannels:\n  cart.created: {publish: {operationId: onCart}}\n',
        'proto/cart.proto':
          'syntax = "proto3";\npackage shop.v1;\nservice Carts {\n  rpc Get (GetRequest) returns (Cart);\n  rpc Watch (stream Q) returns (stream Cart) {}\n}\nmessage Cart {}\n',
        'schema.graphql': 'type Query { cart(id: ID!): Cart }\ntype Mutation { add: Cart }\ntype Cart { id: ID! }\n',
        'queries.graphql': 'query Q { cart(id: 1) { id } }\n',
        'src/router.ts':
          'export const app = router({ list: publicProcedure.query(() => 1), cart: router({ add: t.procedure.mutation(() => 1) }) });\n',
        'src/clients.ts':
          "import axios from 'axios';\nexport const a = axios.create({ baseURL: 'https://user:pw@stock.example.com/v1' });\nexport const b = () => fetch(`https://prices.example.com/${id}`);\nexport const c = () => fetch(process.env.API);\n",
        'src/grpc.ts':
          "import * as grpc from '@grpc/grpc-js';\nexport const c = new CartClient('cart:50051', grpc.credentials.createInsecure());\n",
        'src/gql.py': "transport = RequestsHTTPTransport(url='https://graph.example.com/graphql')\n",
        'src/gen/api.ts': '/* This file was generated by openapi-generator. Do not edit. */\nexport {};\n',
        'src/clients.test.ts': "fetch('https://only-in-tests.example.com');\n",
      },
      gives: {
        inter_service: {
          provides: {
            openapi: [
              {
                path: 'api/legacy.json',
                title: 'Old',
                version: '1',
                operations: [{ method: 'GET', path: '/ping', operation_id: null }],
              },
              {
                path: 'api/openapi.yaml',
                title: 'Shop',
                version: '1.10',
                operations: [
                  { method: 'GET', path: '/carts/{id}', operation_id: 'getCart' },
                  { method: 'DELETE', path: '/carts/{id}', operation_id: null },
                  { method: 'POST', path: '/items', operation_id: 'addItem' },
                ],
              },
            ],
            proto: [
              {
                path: 'proto/cart.proto',
                package: 'shop.v1',
                services: [
                  {
                    name: 'Carts',
                    rpcs: [
                      { name: 'Get', request: 'GetRequest', response: 'Cart', streaming: 'none' },
                      { name: 'Watch', request: 'Q', response: 'Cart', streaming: 'bidi' },
                    ],
                  },
                ],
              },
            ],
            graphql: [{ path: 'schema.graphql', queries: ['cart'], mutations: ['add'], subscriptions: [], types: 3 }],
            asyncapi: [
              {
                path: 'api/events.yml',
                title: 'Events',
                version: '2',
                operations: [{ action: 'publish', channel: 'cart.created', operation_id: 'onCart' }],
              },
            ],
            trpc: [{ path: 'src/router.ts', procedures: ['cart.add', 'list'] }],
          },
          consumes: {
            http_clients: [
              { path: 'src/clients.ts', line: 2, base_url: 'https://stock.example.com', library: 'axios' },
              { path: 'src/clients.ts', line: 3, base_url: 'https://prices.example.com', library: 'fetch' },
              { path: 'src/clients.ts', line: 4, base_url: null, library: 'fetch' },
            ],
            grpc_clients: [{ path: 'src/grpc.ts', line: 2, base_url: 'cart:50051', library: '@grpc/grpc-js' }],
            graphql_clients: [{ path: 'src/gql.py', line: 1, base_url: 'https://graph.example.com', library: 'gql' }],
            generated_clients: [{ path: 'src/gen/api.ts', generator: 'openapi-generator' }],
          },
          unresolved: { value: 1, relation: 'eq' },
        },
      },
      warnings: [],
      confidence: 'high',
    },
    {
      shows: 'references that leave the repository are said and not followed; circles end',
      files: {
        'openapi.yaml':
          'openapi: 3.0.3\ninfo: {title: A, version: "1"}\npaths:\n  /a: {$ref: ../../etc/paths.yaml}\n  /b: {$ref: "https://example.com/paths.yaml"}\n  /c: {$ref: "#/paths/~1c"}\n  /d: {$ref: gone.yaml}\n  /e: {get: {}}\n',
      },
      gives: {
        inter_service: {
          provides: {
            openapi: [
              {
                path: 'openapi.yaml',
                title: 'A',
                version: '1',
                operations: [{ method: 'GET', path: '/e', operation_id: null }],
              },
            ],
          },
        },
      },
      warnings: ['service_contracts.ref_outside_repo'],
      confidence: 'high',
    },
    {
      shows: 'contracts that do not parse are said, the others are read; AsyncAPI 3 and a schema over two files',
      files: {
        'a.yaml': 'openapi: 3.0.0\npaths: [\n',
        'b.proto': 'service X { rpc A (B) returns',
        'c.graphql': 'type A {',
        'events.json':
          '{"asyncapi":"3.0.0","info":{"title":"E","version":"1"},"channels":{"c":{"address":"carts/{id}"}},"operations":{"send":{"action":"send","channel":{"$ref":"#/channels/c"}}}}',
        'schema/roots.graphqls': 'schema { query: Root }\n',
        'schema/root.gql': 'type Root { a: Int }\nextend type Root { b: Int }\n',
        'settings.yaml': 'docs:\n  openapi: 3.0.0\n',
      },
      gives: {
        inter_service: {
          provides: {
            openapi: [],
            proto: [],
            asyncapi: [
              {
                path: 'events.json',
                title: 'E',
                version: '1',
                operations: [{ action: 'send', channel: 'carts/{id}', operation_id: 'send' }],
              },
            ],
            graphql: [
              { path: 'schema/root.gql', queries: ['a', 'b'], mutations: [], subscriptions: [], types: 1 },
              { path: 'schema/roots.graphqls', queries: [], mutations: [], subscriptions: [], types: 0 },
            ],
          },
        },
      },
      warnings: ['service_contracts.parse_error'],
      confidence: 'medium',
    },
    {
      shows: 'code without a contract or a client; a file with syntax errors makes the count a lower bound',
      files: { 'src/a.ts': 'export const a = 1;\n', 'src/b.ts': 'const = fetch((;\n', 'package.json': '{}' },
      gives: {
        inter_service: {
          provides: { openapi: [], proto: [], graphql: [], asyncapi: [], trpc: [] },
          consumes: { grpc_clients: [], graphql_clients: [], generated_clients: [] },
          unresolved: { relation: 'gte' },
        },
      },
      warnings: [],
    },
    { shows: 'no candidate at all', files: { 'a.txt': 'x' }, gives: {}, skipped: 'not_applicable' },
  ],
});
