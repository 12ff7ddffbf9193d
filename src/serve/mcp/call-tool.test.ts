import { expect, test } from 'vitest';
import { oneOf, z } from '../../kernel/base/schema.ts';
import { OutputRefused } from '../../kernel/base/write-file.ts';
import { callTool } from './call-tool.ts';
import { coerceInput, nameFields } from './read-arguments.ts';
import { tools } from './tool-list.ts';

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

test.each([
  ['navigate', { operation: 'refs', symbol: 'a' }, { op: 'refs', target: 'a' }],
  ['navigate', { action: 'def', file: 'a.ts', line: 3, column: 4 }, { op: 'def', target: 'a.ts:3:4' }],
  ['navigate', { op: 'deps', path: 'a.ts' }, { op: 'deps', target: 'a.ts' }],
  ['plan_refactor', { op: 'rename', target: 'a', new_name: 'b' }, { kind: 'rename', target: 'a', to: 'b' }],
  ['plan_refactor', { operation: 'move', file: 'a.ts', newPath: 'b.ts' }, { kind: 'move', target: 'a.ts', to: 'b.ts' }],
  ['plan_refactor', { kind: 'rename', oldName: 'a', newName: 'b' }, { kind: 'rename', target: 'a', to: 'b' }],
  ['search', { pattern: 'x', maxResults: 3, ignoreCase: true }, { query: 'x', limit: 3, ignore_case: true }],
  ['symbols', { name: 'x' }, { query: 'x' }],
  ['commit_plan', { id: 'p-1', decisions: { 1: 'rename' } }, { plan: 'p-1', answers: { 1: 'rename' } }],
  // What could be two things, or is known, stays: the schema says what is wrong.
  ['navigate', { op: 'refs', symbol: 'a', location: 'b.ts:1:1' }, { op: 'refs', symbol: 'a', location: 'b.ts:1:1' }],
  ['navigate', { op: 'refs', target: 'a', symbol: 'b' }, { op: 'refs', target: 'a', symbol: 'b' }],
  ['plan_refactor', { kind: 'rename', op: 'move' }, { kind: 'rename', op: 'move' }],
])('%s %j: fields by other names', (name, given, meant) => {
  const { input } = tools.find((tool) => tool.name === name) ?? {};
  expect(nameFields(input as NonNullable<typeof input>, given)).toEqual(meant);
});

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
    const { text, structured, isError } = await callTool(name, Object.fromEntries(args), open, (error) =>
      bugs.push(error),
    );
    expect(structured).toMatchObject({ outcome: 'output_refused', message: expect.stringContaining('/s/x') });
    expect(text).toMatch(/^output_refused: .*\/s\/x.*\nnext: /);
    expect([isError, bugs]).toEqual([true, []]);
  },
);
