/** The official MCP client at the door of a real daemon: over TCP, with the token, beside a client at the socket. */

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMcpHttpHandler } from '../../src/serve/mcp/http-handler.ts';
import { askHttp, createDaemonRepo, type RunningDaemon, startTestDaemon } from '../support/daemon-world.ts';
import type { FixtureRepo } from '../support/fixture-repo.ts';
import { connectHttp, type McpClient } from '../support/mcp-clients.ts';

let repo: FixtureRepo;
let daemon: RunningDaemon;
let client: McpClient;

beforeAll(async () => {
  repo = createDaemonRepo();
  daemon = await startTestDaemon(repo, { port: 0, mcp: createMcpHttpHandler });
  const token = readFileSync(daemon.at.tokenFile as string, 'utf8').trim();
  client = await connectHttp(`http://127.0.0.1:${daemon.at.port}/mcp`, {
    authorization: `Bearer ${token}`,
    'x-codegenie-root': daemon.workspace().repo().root_hash,
  });
});
afterAll(async () => {
  await client.close();
  expect(await daemon.stop()).toMatchObject({ kind: 'ended' });
  repo.dispose();
});

test('what one plans over MCP another commits over HTTP', async () => {
  expect((await client.client.listTools()).tools).toHaveLength(8);
  expect((await client.call('search', { query: 'total' })).answer).toMatchObject({ outcome: 'ok' });
  const { answer } = await client.call('plan_refactor', { kind: 'rename', target: 'src/math.ts:1:17', to: 'plus' });
  const { plan } = answer.outcome;
  const committed = await daemon.post('/v1/decisions/commit', {
    plan_id: plan.id,
    plan_hash: plan.hash,
    root_hash: answer.repo.root_hash,
    selections: [plan.groups[0].id],
    proof: { identity: '', lines: [], anchors: [] },
  });
  expect(committed.json).toMatchObject({ outcome: { kind: 'ok', state: 'applied' } });
  expect(repo.tree()['src/shape.ts']).toContain('plus');
  expect((await client.call('symbols', { query: 'plus' })).answer.symbols).toHaveLength(1);
});

test('without the token there is no tool', async () => {
  const where = { host: '127.0.0.1', port: daemon.at.port as number };
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  expect(await askHttp(where, '/mcp', { method: 'POST', body })).toMatchObject({
    status: 401,
    json: { outcome: 'unauthorized' },
  });
});
