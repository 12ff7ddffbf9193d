/** Every tool with input that is nearly right, and with anything at all: typed answers within the budget, no bug, no write. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerBytes } from '../../src/serve/mcp/answer-pages.ts';
import { callTool } from '../../src/serve/mcp/call-tool.ts';
import { listTool, tools } from '../../src/serve/mcp/tool-list.ts';
import type { Workspace } from '../../src/serve/workspace/workspace.ts';
import type { FixtureRepo } from '../support/fixture-repo.ts';
import type { Loose } from '../support/mcp-clients.ts';
import { createMcpProject } from '../support/mcp-project.ts';
import fc from '../support/properties.ts';

let repo: FixtureRepo;
let workspace: Workspace;
let before: Record<string, string>;

beforeAll(async () => {
  repo = createMcpProject({ 'src/odd \u202e name.ts': 'export const odd = 1;\n' });
  workspace = repo.workspace();
  await call('status', {});
  before = repo.tree();
});
afterAll(() => repo.dispose());

const outcomes = [
  ...['ok', 'invalid', 'not_found', 'ambiguous', 'busy', 'output_refused', 'no_context', 'incomplete', 'cancelled'],
  ...['ok_syntactic', 'blocked', 'needs_decision', 'refused', 'unsupported'],
];

async function call(name: string, args: unknown): Promise<void> {
  const bugs: unknown[] = [];
  const world = async () => ({ workspace, onStep: () => {} });
  const { text, structured } = await callTool(name, args, world, (error) => void bugs.push(error));
  expect(bugs).toEqual([]);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(answerBytes);
  const { outcome, next }: Loose = structured;
  expect(outcomes).toContain(typeof outcome === 'string' ? outcome : outcome.kind);
  expect(next).toMatch(/\S/);
  expect(text).not.toMatch(/ {4}at /);
}

type Schema = {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
};

const strange = fc.oneof(
  fc.constantFrom(
    ...['', ' ', '\0', '../../etc/passwd', '/etc/passwd', 'src/greet.ts', 'src/greet.ts:1:17', 'src/greet.ts:0:0'],
    ...['src/greet.ts:999999999:1', 'greet', 'greet/', '/', '[', '(', '.*', '(a+)+$', '**', '!', '\ud800', '__proto__'],
    ...[
      'src/odd \u202e name.ts',
      `${'a/'.repeat(2_000)}b`,
      `${'0'.repeat(12)}.1`,
      '-1',
      '1e9',
      'NaN',
      'p-1',
      '{',
      '[]',
    ],
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
);

/** What the schema asks for, or something else. `gather` is left out: it is a gather, and tested as one. */
function arbitraryOf(schema: Schema): fc.Arbitrary<unknown> {
  const fitting = (): fc.Arbitrary<unknown> => {
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
    switch (schema.type) {
      case 'string':
        return strange;
      case 'integer':
        return fc.oneof(fc.integer({ min: 0, max: 300 }), fc.constantFrom('7', -1, 1e12));
      case 'boolean':
        return fc.boolean();
      case 'array':
        return fc.array(arbitraryOf(schema.items ?? {}), { maxLength: 3 });
      case 'object':
        return arbitraryObject(schema);
      default:
        return fc.jsonValue();
    }
  };
  return fc.oneof({ weight: 9, arbitrary: fitting() }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) });
}

function arbitraryObject({ properties = {} }: Schema): fc.Arbitrary<unknown> {
  const { gather: _, ...fields } = properties;
  const shape = Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, arbitraryOf(schema)]));
  return fc.record(shape, {
    requiredKeys: Object.keys(shape).filter((name) => ['op', 'kind', 'target'].includes(name)),
  });
}

/** What a call costs; `status` takes nothing. */
const runs: Readonly<Record<string, number>> = { plan_refactor: 15, status: 5 };

test.each(tools.map((tool) => [tool.name, tool] as const))('%s: nearly right', async (name, tool) => {
  const schema = listTool(tool).inputSchema as Schema;
  await fc.assert(
    fc.asyncProperty(arbitraryObject(schema), (args) => call(name, { ...(args as object), wait_ms: undefined })),
    { numRuns: runs[name] ?? 80 },
  );
  expect(repo.tree()).toEqual(before);
});

test('anything at all, to any name', async () => {
  const names = fc.oneof(fc.constantFrom(...tools.map(({ name }) => name)), fc.string());
  await fc.assert(
    fc.asyncProperty(names, fc.jsonValue({ maxDepth: 3 }), (name, args) => call(name, args)),
    { numRuns: 200 },
  );
  expect(repo.tree()).toEqual(before);
});
