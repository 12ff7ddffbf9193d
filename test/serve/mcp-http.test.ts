/** The official client over streamable HTTP, on a plain node server: the handler is all there is. */

import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLocalFactory } from '../../src/serve/mcp/workspace-factory.ts';
import { settingsFor } from '../support/daemon-world.ts';
import type { FixtureRepo } from '../support/fixture-repo.ts';
import { connectHttp, type McpClient, serveHttp } from '../support/mcp-clients.ts';
import { createMcpProject } from '../support/mcp-project.ts';

let repo: FixtureRepo;
let server: Awaited<ReturnType<typeof serveHttp>>;
let clients: readonly McpClient[];

beforeAll(async () => {
  repo = createMcpProject();
  const factory = createLocalFactory(settingsFor(repo, new AbortController().signal));
  server = await serveHttp(factory.open);
  clients = [await connectHttp(server.url), await connectHttp(server.url)];
});
afterAll(async () => {
  for (const client of clients) await client.close();
  await server.close();
  repo.dispose();
});

test('two clients at once get the same tools and the same answers', async () => {
  const lists = await Promise.all(clients.map(({ client }) => client.listTools()));
  expect(lists[0]?.tools).toHaveLength(8);
  expect(lists[1]).toEqual(lists[0]);
  const answers = await Promise.all(
    clients.flatMap((client) => [
      client.call('search', { query: 'greet' }),
      client.call('navigate', { op: 'def', target: 'src/main.ts:3:21' }),
    ]),
  );
  expect(answers.map(({ answer }) => answer.outcome)).toEqual(['ok', 'ok', 'ok', 'ok']);
  expect(answers[2]?.answer.files).toEqual(answers[0]?.answer.files);
  expect(answers[3]?.answer.definitions).toEqual(answers[1]?.answer.definitions);
});

test('a plan of one client is committed by another, and undone by the first', async () => {
  const [one, two] = clients as [McpClient, McpClient];
  const before = repo.tree();
  const { answer } = await one.call('plan_refactor', { kind: 'rename', target: 'src/greet.ts:5:10', to: 'yell' });
  expect(answer.outcome.kind).toBe('ok');
  const { plan } = answer.outcome;
  const request = { plan_id: plan.id, plan_hash: plan.hash, root_hash: answer.repo.root_hash };
  const wrong = await two.call('commit_plan', {
    op: 'commit',
    ...request,
    plan_hash: 'x',
    selections: [plan.groups[0].id],
  });
  expect(wrong.answer.outcome).toMatchObject({ kind: 'refused', reason: 'plan_mismatch' });
  expect(repo.tree()).toEqual(before);
  const done = await two.call('commit_plan', { op: 'commit', ...request, selections: [plan.groups[0].id] });
  expect(done.answer.outcome).toMatchObject({ kind: 'ok', state: 'applied' });
  expect(repo.tree()['src/greet.ts']).toContain('yell');
  const undone = await one.call('commit_plan', { op: 'undo', plan_id: plan.id });
  expect(undone.answer.outcome).toMatchObject({ kind: 'ok', state: 'undone' });
  expect(repo.tree()).toEqual(before);
});

test.each([
  ['bad JSON', 'POST', 'application/json', '{"jsonrpc":', 400],
  ['another type of content', 'POST', 'text/plain', '{}', 415],
  ['a body that is too large', 'POST', 'application/json', `"${'x'.repeat(1_100_000)}"`, 413],
  ['a session that is not kept', 'DELETE', 'application/json', '', 405],
])('%s is a clear refusal', async (_, method, contentType, body, status) => {
  const { code, text } = await send(method, contentType, body);
  expect(code).toBe(status);
  expect(text).not.toMatch(/\bat .*\.(?:ts|mjs):\d+/);
});

test('a client that goes away in the middle leaves the server as it was', async () => {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'status', arguments: {} },
  });
  const gone = request(server.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  });
  await new Promise<void>((resolve) => {
    gone.once('error', () => resolve());
    gone.once('close', () => resolve());
    gone.end(body, () => gone.destroy());
  });
  expect((await clients[0]?.call('status'))?.answer.outcome).toBe('ok');
});

function send(method: string, contentType: string, body: string): Promise<{ code: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': contentType, accept: 'application/json, text/event-stream' };
    const sent = request(server.url, { method, headers }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ code: response.statusCode ?? 0, text }));
    });
    sent.once('error', reject);
    sent.end(body);
  });
}
