/** OpenAPI 3.1, from the zod schemas that requests are checked with and answers are made of. */

import type { Json, JsonObject } from '../../kernel/base/json.ts';
import { z } from '../../kernel/base/schema.ts';
import { Problem, type Route } from './route.ts';
import { routes } from './routes.ts';

export function describeApi(version: string): JsonObject {
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes) {
    for (const url of [route.url, ...(route.also ?? [])]) {
      const path = paths[url] ?? {};
      path[route.method.toLowerCase()] = describeRoute(route, url);
      paths[url] = path;
    }
  }
  for (const [url, says, type] of plainRoutes)
    paths[url] = { get: { summary: says, responses: { 200: { description: 'ok', content: { [type]: {} } } } } };
  return {
    openapi: '3.1.0',
    info: {
      title: 'codegenie',
      version,
      description:
        'One honest source of facts about a repository. On the unix socket of the work tree; over TCP with the token of `run/token` and the root hash in `x-codegenie-root`. With `Accept: application/x-ndjson` a route answers with lines `{"progress": …}` and then one `{"result": …}` or `{"problem": …, "status": …}`.',
    },
    paths,
    components: {
      schemas: { Problem: schemaOf(Problem, 'output') },
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        root: { type: 'apiKey', in: 'header', name: 'x-codegenie-root' },
      },
    },
    security: [{ token: [], root: [] }, {}],
  };
}

export const plainRoutes: readonly (readonly [url: string, says: string, type: string])[] = [
  ['/v1/events', 'What happens in the daemon: jobs, reconciles, gathers, plans', 'text/event-stream'],
  ['/healthz', 'Who answers here, and whether it is ready', 'application/json'],
  ['/metrics', 'Counters in Prometheus text form', 'text/plain'],
  ['/openapi.json', 'This document', 'application/json'],
];

function describeRoute({ method, says, params, input, answer }: Route, url: string): JsonObject {
  const schema = schemaOf(input, 'input');
  const fields = (schema['properties'] ?? {}) as Readonly<Record<string, JsonObject>>;
  const inPath = params.map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: fields[name] ?? { type: 'string' },
  }));
  const rest = Object.entries(fields).filter(([name]) => !params.includes(name));
  const inQuery = rest.map(([name, of]) => ({ name, in: 'query', required: false, schema: of }));
  const problem = { content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } } };
  return {
    operationId: `${method.toLowerCase()}${url.replace(/[^a-z0-9]+/gi, '_')}`,
    summary: says,
    parameters: method === 'GET' ? [...inPath, ...inQuery] : inPath,
    ...(method === 'GET'
      ? {}
      : { requestBody: { content: { 'application/json': { schema: withoutFields(schema, params) } } } }),
    responses: {
      200: { description: 'the answer', content: { 'application/json': { schema: schemaOf(answer, 'output') } } },
      '4XX': { description: 'what is wrong with the request', ...problem },
      '5XX': { description: 'not now, or a bug', ...problem },
    },
  };
}

function withoutFields(schema: JsonObject, names: readonly string[]): JsonObject {
  if (names.length === 0 || typeof schema['properties'] !== 'object') return schema;
  const properties = Object.entries(schema['properties'] as JsonObject).filter(([name]) => !names.includes(name));
  const required = ((schema['required'] ?? []) as string[]).filter((name) => !names.includes(name));
  return { ...schema, properties: Object.fromEntries(properties), required };
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const { $schema: _, ...body } = z.toJSONSchema(schema, { target: 'draft-2020-12', io, unrepresentable: 'any' });
  return JSON.parse(JSON.stringify(body)) as JsonObject;
}
