import { expect, test } from 'vitest';
import { oneOf, z } from '../../kernel/base/schema.ts';
import { OutputRefused } from '../../kernel/base/write-file.ts';
import { callTool, coerceInput } from './call-tool.ts';

const schema = z.strictObject({
  target: z.string().optional(),
  limit: z.number().int().optional(),
  exact: z.boolean().default(false),
  path: z.array(z.string()).optional(),
  kind: oneOf(['def-use', 'imports']).optional(),
  proof: z.strictObject({ lines: z.array(z.object({ line: z.number() })) }).optional(),
});

test.each([
  ['a number as a string', { limit: '20' }, { limit: 20 }],
  ['no number', { limit: 'many' }, { limit: 'many' }],
  ['a boolean as a string', { exact: 'true' }, { exact: true }],
  ['one string for a list', { path: 'src/*.ts' }, { path: ['src/*.ts'] }],
  ['a list as its JSON', { path: '["a","b"]' }, { path: ['a', 'b'] }],
  ['an object as its JSON', { proof: '{"lines":[{"line":"3"}]}' }, { proof: { lines: [{ line: 3 }] } }],
  ['broken JSON is left to the schema', { proof: '{"lines"' }, { proof: '{"lines"' }],
  ['null for nothing', { limit: null, target: 'x' }, { target: 'x' }],
  ['a place as an object', { target: { path: 'a.ts', line: '3', col: 4 } }, { target: 'a.ts:3:4' }],
  ['a place by other names', { target: { file: 'a.ts', line: 3, column: 4 } }, { target: 'a.ts:3:4' }],
  ['a line alone', { target: { path: 'a.ts', line: 3 } }, { target: 'a.ts:3' }],
  ['a column without a line is nothing', { target: { path: 'a.ts', col: 3 } }, { target: { path: 'a.ts', col: 3 } }],
  ['another spelling of a word', { kind: 'Def_Use' }, { kind: 'def-use' }],
  ['an unknown field is kept, to be refused by name', { limt: 3 }, { limt: 3 }],
  ['a number for a text', { target: 42 }, { target: '42' }],
])('%s', (_, given, read) => expect(coerceInput(schema, given)).toEqual(read));

test('nothing is an empty object, and the whole may come as JSON', () => {
  expect(coerceInput(schema, undefined)).toEqual({});
  expect(coerceInput(schema, '{"limit":"2"}')).toEqual({ limit: 2 });
  expect(coerceInput(schema, 7)).toBe(7);
});

test('names of the prototype are fields like any other', () => {
  const given = JSON.parse('{"__proto__": "x", "constructor": "y"}') as unknown;
  expect(schema.safeParse(coerceInput(schema, given)).success).toBe(false);
});

test.each(['repo_context', 'status', 'search', 'plan_refactor', 'commit_plan'])(
  'P9 %s: a directory of the user that is refused is told by its name, and is no bug',
  async (name) => {
    const given = { query: 'x', kind: 'rename', target: 'x', to: 'y', op: 'list' };
    const fields = { search: ['query'], plan_refactor: ['kind', 'target', 'to'], commit_plan: ['op'] } as const;
    const args = (fields[name as keyof typeof fields] ?? []).map((field) => [field, given[field]]);
    const bugs: unknown[] = [];
    const open = async () => {
      throw new OutputRefused('/s/x', 'belongs to another user; set CODEGENIE_STATE_DIR to a directory of your own');
    };
    const { text, isError } = await callTool(name, Object.fromEntries(args), open, (error) => bugs.push(error));
    expect(JSON.parse(text)).toMatchObject({ outcome: 'output_refused', message: expect.stringContaining('/s/x') });
    expect([isError, bugs]).toEqual([true, []]);
  },
);
