/**
 * Every route with input made of its own schema and of what such input should not be: only typed answers, no crash, and not one byte of the
 * tree is changed.
 */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from '../../src/kernel/base/schema.ts';
import type { Route } from '../../src/serve/http/route.ts';
import { routes } from '../../src/serve/http/routes.ts';
import { createDaemonRepo, type RunningDaemon, startTestDaemon } from '../support/daemon-world.ts';
import type { FixtureRepo } from '../support/fixture-repo.ts';
import fc from '../support/properties.ts';

let repo: FixtureRepo;
let daemon: RunningDaemon;
let before: Readonly<Record<string, string>>;

beforeAll(async () => {
  repo = createDaemonRepo();
  before = repo.tree();
  daemon = await startTestDaemon(repo);
});
afterAll(async () => {
  await daemon.stop();
  repo.dispose();
});

const hostile = fc.constantFrom(
  '',
  '\0',
  'src/math.ts\0',
  '../../../../etc/passwd',
  '/etc/passwd',
  'C:\\Windows\\win.ini',
  '%2e%2e%2f',
  '\u202etxt.exe',
  '\ud800',
  '𐍈'.repeat(50),
  'x'.repeat(5_000),
  "'; DROP TABLE files; --",
  '$(id)`id`',
  '(a+)+$',
  '[',
  '!(**/**)',
  '__proto__',
  'constructor',
  'src/math.ts:999999:1',
  'src/math.ts:0:0',
  'src/math.ts:-1:1e9',
  '-1',
  'NaN',
  'p-0000',
);
const text = fc.oneof(
  hostile,
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom('src/math.ts', 'area', 'def'),
);
const junk = fc.oneof(text, fc.jsonValue({ maxDepth: 2 }), fc.integer(), fc.double(), fc.constant(null));

type Schema = {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
};

/** Mostly what the schema takes, sometimes not. */
function made(schema: Schema): fc.Arbitrary<unknown> {
  const fitting = (): fc.Arbitrary<unknown> => {
    if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(made));
    if (schema.const !== undefined) return fc.constant(schema.const);
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
    switch (schema.type) {
      case 'object': {
        const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => [name, made(field)]);
        return fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>, {
          requiredKeys: [...(schema.required ?? [])],
        });
      }
      case 'array':
        return fc.array(made(schema.items ?? {}), { maxLength: 4 });
      case 'integer':
      case 'number':
        return fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer(), fc.double());
      case 'boolean':
        return fc.boolean();
      case 'string':
        return text;
      default:
        return junk;
    }
  };
  return fc.oneof({ weight: 9, arbitrary: fitting() }, { weight: 1, arbitrary: junk });
}

function bodyOf(route: Route): fc.Arbitrary<unknown> {
  const schema = z.toJSONSchema(route.input, { io: 'input', unrepresentable: 'any' }) as Schema;
  const extra = fc.option(fc.tuple(text, junk), { freq: 5, nil: undefined });
  return fc
    .tuple(made(schema), extra)
    .map(([body, more]) =>
      more === undefined || typeof body !== 'object' || body === null || Array.isArray(body)
        ? body
        : { ...body, [more[0]]: more[1] },
    );
}

/** What takes seconds, and is tested elsewhere: here it is only asked in ways that are refused. */
const slow = /\/(?:gather|doctor|index)$/;

const known = [
  'invalid',
  'not_found',
  'ambiguous',
  'ok',
  'no_context',
  'busy',
  'too_large',
  'wrong_method',
  'wrong_type',
];

test.each(routes.map((route) => [`${route.method} ${route.url}`, route] as const))('%s', async (_, route) => {
  await fc.assert(
    fc.asyncProperty(bodyOf(route), fc.array(text, { minLength: 2, maxLength: 2 }), async (given, parts) => {
      const body = slow.test(route.url) ? { ...(given as object), unknown_field: 1 } : withoutRefresh(given);
      let at = 0;
      const path = route.url.replace(/\{\w+\}/g, () => encodeURIComponent(safe(parts[at++] ?? '')) || 'x');
      const query = route.method === 'GET' ? `?${queryOf(body)}` : '';
      const ask = route.method === 'GET' ? {} : { method: 'POST', body: JSON.stringify(body) ?? 'undefined' };
      const answer = await daemon.http(`${path}${query}`, ask);
      expect(answer.json, answer.text).toBeDefined();
      expect([200, 400, 404, 409, 413], answer.text).toContain(answer.status);
      const { outcome, kind } = answer.json as { outcome?: unknown; kind?: unknown };
      if (typeof outcome === 'string') expect(known).toContain(outcome);
      else expect(outcome ?? kind, answer.text).toBeDefined();
      expect(answer.text).not.toMatch(/\bat \S+ \(|node_modules|internal error/);
    }),
    { numRuns: 25 },
  );
  expect(repo.tree()).toEqual(before);
  expect((await daemon.http('/healthz')).json).toMatchObject({ state: 'ready' });
});

/** A lone surrogate cannot stand in an address. */
function safe(part: string): string {
  return part.toWellFormed();
}

function queryOf(body: unknown): string {
  if (typeof body !== 'object' || body === null) return '';
  return Object.entries(body)
    .map(([name, value]) => `${encodeURIComponent(safe(name))}=${encodeURIComponent(safe(textOf(value)))}`)
    .join('&')
    .slice(0, 3_000);
}

/** `String` asks an object for a `toString` of its own, which may be anything. */
function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Indexers are real. */
function withoutRefresh(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'refresh' in body ? { ...body, refresh: null } : body;
}
