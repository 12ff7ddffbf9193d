/** The whole schema within 2,000 tokens of a common tokenizer, o200k (surfaces.md §3), and no field that nothing takes. */

import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import type { z } from '../../src/kernel/base/schema.ts';
import { changes } from '../../src/serve/changes/changes.gen.ts';
import { listTool, schemaTokens, tools } from '../../src/serve/mcp/tool-list.ts';
import { operations } from '../../src/serve/operations/operations.gen.ts';

const listed = JSON.stringify({ tools: tools.map(listTool) });

test('all tools together are small', () => {
  expect(tools.length).toBeLessThanOrEqual(8);
  expect(countTokens(listed)).toBeLessThanOrEqual(schemaTokens);
});

test('every tool says when to call it, and what an outcome asks for', () => {
  const said = tools.map(({ says }) => says).join('\n');
  for (const word of ['instead of', 'needs_decision', 'blocked', 'refused', 'unsupported', 'ambiguous', 'no_context'])
    expect(said).toContain(word);
});

/** Fields that are the tool's own: they choose what is asked, or have another name there. */
const own: Readonly<Record<string, readonly string[]>> = {
  repo_context: ['section', 'facts', 'explain', 'gather', 'component', 'task', 'continue'],
  status: ['continue'],
  symbols: ['op', 'file'],
  navigate: ['op'],
  slice: ['continue'],
  plan_refactor: ['kind', 'to'],
  commit_plan: ['op', 'plan', 'continue'],
};

test('every other field is a field of the question that it is passed on to', () => {
  const known = new Set([...operations, ...changes].flatMap(({ input }) => Object.keys((input as z.ZodObject).shape)));
  const strange = tools.flatMap(({ name, input }) =>
    Object.keys(input.shape).filter((field) => !known.has(field) && !own[name]?.includes(field)),
  );
  expect(strange).toEqual([]);
});

test('every operation and mutation has its tool, but for the index, which tools bring up to date by themselves, the text of files and of their edits, which agents read themselves, and the map, which is a picture', () => {
  const reached = ['status', 'search', 'symbols', 'slice', 'outline', 'def', 'refs', 'implementations', 'deps'];
  const changed = ['rename', 'move', 'plan_commit', 'plan_show', 'plan_cancel', 'plan_undo', 'plan_list'];
  expect([...operations, ...changes].map(({ name }) => name).sort()).toEqual(
    [...reached, ...changed, 'index', 'map', 'text', 'plan_file'].sort(),
  );
});
