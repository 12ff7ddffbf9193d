/**
 * Which files may hold a contract or a client, and the section about them. Contracts in YAML and JSON are known by content, so all of
 * those files are candidates.
 */

import { namedOnly } from '../../gather/contract.ts';
import { z } from '../../kernel/base/schema.ts';
import { isFixturePath, isTestFile } from '../../kernel/tree/file-roles.ts';

export const documentGlobs: readonly string[] = ['**/*.{yaml,yml,json}'];
export const protoGlobs: readonly string[] = ['**/*.proto'];
export const graphqlGlobs: readonly string[] = ['**/*.{graphql,gql,graphqls}'];
export const clientGlobs: readonly string[] = ['**/*.{ts,tsx,js,jsx,mjs,cjs,mts,cts,py,go}'];

export const routeGlobs: readonly string[] = ['**/*.{java,kt,py,js,mjs,cjs,ts,mts,cts,go,cs,rs,php}'];
/** Rails keeps all routes in one place; what the application is decides some of them. */
export const railsGlobs: readonly string[] = [
  '**/config/routes.rb',
  '**/config/routes/**/*.rb',
  '**/config/application.rb',
];
/** Manifests that name commands and modules for others. */
export const surfaceGlobs: readonly string[] = ['**/{package.json,pyproject.toml,Cargo.toml}'];
/** Programs of a Go module have the name of their directory. */
export const goMains: readonly string[] = ['**/cmd/*/main.go'];
/** Which binaries a crate has follows from files being there. */
export const crateMains = 'names:**/src/{main.rs,bin/*.rs,bin/*/main.rs}';

export const contractGlobs: readonly string[] = [
  ...documentGlobs,
  ...protoGlobs,
  ...graphqlGlobs,
  ...clientGlobs,
  ...routeGlobs,
  ...railsGlobs,
  ...surfaceGlobs,
  ...goMains,
];

const never =
  /(?:^|\/)(?:package(?:-lock)?\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|deno\.lock|bun\.lock|composer\.json|tsconfig[^/]*\.json)$/;

/** What tests and fixtures of tests describe is not what the service offers or calls. */
export function mayHoldContract(path: string): boolean {
  return !never.test(path) && !isTestFile(path) && !isFixturePath(path);
}

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

export type ClientRow = Readonly<z.output<typeof client>>;

const operation = z.strictObject({ method: text, path: name, operation_id: name.nullable() });
export type Operation = Readonly<z.output<typeof operation>>;

const asyncOperation = z.strictObject({ action: text, channel: name, operation_id: name.nullable() });
export type AsyncOperation = Readonly<z.output<typeof asyncOperation>>;

const rpc = z.strictObject({
  name,
  request: name,
  response: name,
  streaming: z.enum(['none', 'client', 'server', 'bidi']),
});
export type Rpc = Readonly<z.output<typeof rpc>>;

const generatedClient = z.strictObject({ path: text, generator: text });
export type GeneratedRow = Readonly<z.output<typeof generatedClient>>;

const environmentAddress = z.strictObject({
  path: text,
  line: z.int(),
  variable: namedOnly(z.string()).nullable(),
  scheme: text.nullable(),
  host: namedOnly(z.string()).nullable(),
  port: z.int().nullable(),
  /** The file puts addresses of HTTP together. */
  http: z.boolean(),
});
export type EnvironmentRow = Readonly<z.output<typeof environmentAddress>>;

export const interServiceSection = z.strictObject({
  provides: z.strictObject({
    openapi: z.array(
      z.strictObject({
        path: text,
        title: text.nullable(),
        version: name.nullable(),
        operations: z.array(operation),
      }),
    ),
    proto: z.array(
      z.strictObject({
        path: text,
        package: name.nullable(),
        services: z.array(z.strictObject({ name, rpcs: z.array(rpc) })),
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
        operations: z.array(asyncOperation),
      }),
    ),
    trpc: z.array(z.strictObject({ path: text, procedures: z.array(name) })),
    /** Routes that the code registers. */
    routes: z.array(
      z.strictObject({
        file: text,
        line: z.int(),
        method: text,
        path: name,
        /** Nothing can stand before the path. */
        whole: z.boolean(),
      }),
    ),
    /** Places that make routes in a way that is not read: what is mounted, words of plugins, loops. */
    route_gaps: z.array(z.strictObject({ file: text, line: z.int(), what: name })),
    /** Frameworks of the product that serve HTTP; `read`: how they register routes is understood, as far as it is one expression. */
    web_frameworks: z.array(
      z.strictObject({ framework: text, directory: text, manifest: text, shows: name, read: z.boolean() }),
    ),
    /** Keys of manifests that others use: modules to import, commands to run. */
    manifests: z.array(
      z.strictObject({
        file: text,
        key: z.enum(['exports', 'bin', 'scripts']),
        entries: z.array(z.strictObject({ name, target: name.nullable() })),
      }),
    ),
  }),
  consumes: z.strictObject({
    http_clients: z.array(client),
    grpc_clients: z.array(client),
    graphql_clients: z.array(client),
    generated_clients: z.array(generatedClient),
    /** Addresses of neighbours: written out (no variable), or taken from the environment, with what is taken where it is not set. */
    environment: z.array(environmentAddress),
  }),
  /** Clients whose address is computed; `gte` when a file could not be read as code. */
  unresolved: z.strictObject({ value: z.int(), relation: z.enum(['eq', 'gte']) }),
});
