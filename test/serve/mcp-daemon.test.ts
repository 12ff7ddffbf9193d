/** The official client at `/mcp` of a real daemon: by its port with its token, and not without. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMcpHttpHandler } from '../../src/serve/mcp/http-handler.ts';
import { type RunningDaemon, startTestDaemon } from '../support/daemon-world.ts';
import type { FixtureRepo } from '../support/fixture-repo.ts';
import { connectHttp, type McpClient } from '../support/mcp-clients.ts';
import { commitOf } from '../support/mcp-commit.ts';
import { createMcpProject } from '../support/mcp-project.ts';

let repo: FixtureRepo;
let daemon: RunningDaemon;
let mcp: McpClient;
let url: string;
let headers: Record<string, string>;

beforeAll(async () => {
  repo = createMcpProject();
  daemon = await startTestDaemon(repo, { port: 0, mcp: createMcpHttpHandler });
  url = `http://127.0.0.1:${daemon.at.port}/mcp`;
  const token = readFileSync(join(repo.stateDir, 'run/token'), 'utf8').trim();
  headers = { authorization: `Bearer ${token}`, 'x-codegenie-root': daemon.workspace().repo().root_hash };
  mcp = await connectHttp(url, headers);
});
afterAll(async () => {
  await mcp.close();
  await daemon.stop();
  repo.dispose();
});

test('tools, a question, a plan, its commit and its undo', async () => {
  const before = repo.tree();
  expect((await mcp.client.listTools()).tools).toHaveLength(8);
  expect((await mcp.call('search', { query: 'greet(' })).answer.count).toMatchObject({ value: 2, relation: 'eq' });
  const planned = await mcp.call('plan_refactor', { kind: 'rename', target: 'src/greet.ts:5:10', to: 'yell' });
  expect(planned.answer.outcome.kind).toBe('ok');
  const done = await mcp.call('commit_plan', commitOf(repo.root, [planned.answer], /./));
  expect(done.answer.outcome).toMatchObject({ kind: 'ok', state: 'applied' });
  expect((await mcp.call('search', { query: 'yell', word: true })).answer.count.value).toBe(2);
  const undone = await mcp.call('commit_plan', { op: 'undo', plan_id: done.answer.outcome.plan.id });
  expect(undone.answer.outcome).toMatchObject({ kind: 'ok', state: 'undone' });
  expect(repo.tree()).toEqual(before);
});

test.each([
  ['no token', () => ({ ...headers, authorization: '' })],
  ['another token', () => ({ ...headers, authorization: 'Bearer x' })],
  ['another root', () => ({ ...headers, 'x-codegenie-root': '0'.repeat(16) })],
  ['a page of another origin', () => ({ ...headers, origin: 'http://example.com' })],
])('%s: the client is not let in', async (_, wrong) => {
  await expect(connectHttp(url, wrong())).rejects.toThrow();
});

test('twenty clients at once', async () => {
  const clients = await Promise.all(Array.from({ length: 20 }, () => connectHttp(url, headers)));
  const answers = await Promise.all(
    clients.map((client, at) =>
      client.call(at % 2 === 0 ? 'status' : 'symbols', at % 2 === 0 ? {} : { query: 'greet' }),
    ),
  );
  expect(answers.map(({ answer }) => answer.outcome)).toEqual(Array.from({ length: 20 }, () => 'ok'));
  await Promise.all(clients.map((client) => client.close()));
});
