/** The door `/mcp` of a daemon, and what tools are asked that must not be answered: no intruder gets in, nothing is written, others are served. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { structuredKey } from '../../src/serve/mcp/create-server.ts';
import { createMcpHttpHandler } from '../../src/serve/mcp/http-handler.ts';
import { createLinkedRepo, forbiddenPaths, type RunningDaemon, startTestDaemon } from '../support/daemon-world.ts';
import type { FixtureRepo } from '../support/fixture-repo.ts';
import type { Loose } from '../support/mcp-clients.ts';
import { floodChunks, sendFlood, sendRaw } from '../support/raw-http.ts';

const accept = { accept: 'application/json, text/event-stream' };

let repo: FixtureRepo;
let daemon: RunningDaemon;
let before: Readonly<Record<string, string>>;
beforeAll(async () => {
  repo = createLinkedRepo();
  before = repo.tree();
  daemon = await startTestDaemon(repo, { mcp: createMcpHttpHandler, limits: { requestMs: 3000, checkMs: 50 } });
});
afterAll(async () => {
  expect(repo.tree()).toEqual(before);
  await daemon.stop();
  repo.dispose();
});

async function send(method: string, params: object): Promise<{ readonly text: string; readonly message: Loose }> {
  const body = { jsonrpc: '2.0', id: 1, method, params };
  const { text } = await daemon.http('/mcp', { method: 'POST', body, headers: accept });
  const data = text.split('\n').find((line) => line.startsWith('data: {'));
  return { text, message: JSON.parse(data?.slice('data: '.length) ?? text) };
}

async function call(name: string, args: object): Promise<Loose> {
  const { message } = await send('tools/call', { name, arguments: args, _meta: { [structuredKey]: true } });
  return message.result.structuredContent;
}

describe('paths that lead out of the tree, or to what is not for reading', () => {
  test.each([...forbiddenPaths, '.codegenie/run/writer.json'])('%j is not read, and not written', async (path) => {
    for (const [name, args] of [
      ['symbols', { op: 'outline', file: path }],
      ['navigate', { op: 'deps', target: path }],
      ['navigate', { op: 'def', target: `${path}:1:1` }],
      ['slice', { kind: 'imports', target: path }],
    ] as const) {
      const answer = await call(name, args);
      expect(['invalid', 'not_found'], JSON.stringify([name, answer])).toContain(answer.outcome);
      expect(JSON.stringify(answer)).not.toContain('root:');
    }
    for (const args of [
      { kind: 'move', target: path, to: 'src/stolen.ts' },
      { kind: 'move', target: 'src/math.ts', to: path },
      { kind: 'rename', target: `${path}:1:1`, to: 'stolen' },
    ]) {
      const answer = await call('plan_refactor', args);
      expect(['ok', 'needs_decision'], JSON.stringify(answer)).not.toContain(answer.outcome.kind ?? answer.outcome);
    }
  });

  test.each([
    'codegenie://context/..%2f..%2fetc%2fpasswd',
    'codegenie://context/../../../etc/passwd',
    'file:///etc/passwd',
    'codegenie://report\0',
  ])('resource %j', async (uri) => {
    const { message } = await send('resources/read', { uri });
    expect(message).toHaveProperty('error.code');
    expect(JSON.stringify(message)).not.toContain('root:');
  });
});

describe('bodies', () => {
  const head =
    'POST /mcp HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\n';

  test('one of 100 MB is refused before it is there', async () => {
    const { status, written } = await sendFlood(daemon.at.socket, head);
    expect(status).toContain('413');
    expect(written).toBeLessThan(floodChunks);
  });

  test('one that never comes is not waited for', async () => {
    const answer = await sendRaw(daemon.at.socket, `${head}content-length: 20\r\n\r\n{"que`);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  });

  const ping = '"method":"ping"';
  test.each([
    ['a key twice', `{"jsonrpc":"2.0","id":1,"id":2,${ping}}`],
    ['a key twice further in', `{"jsonrpc":"2.0","id":1,${ping},"params":{"a":1,"a":2}}`],
    ['__proto__', `{"jsonrpc":"2.0","id":1,${ping},"__proto__":{"a":1}}`],
    ['__proto__ further in', `{"jsonrpc":"2.0","id":1,${ping},"params":{"a":[{"__proto__":1}]}}`],
    ['a batch', `[{"jsonrpc":"2.0","id":1,${ping}}]`],
    ['very deep', `{"jsonrpc":"2.0","id":1,${ping},"params":{"a":${'['.repeat(200)}${']'.repeat(200)}}}`],
    ['parameters that are a list', `{"jsonrpc":"2.0","id":1,${ping},"params":[1]}`],
    ['an id that is none', `{"jsonrpc":"2.0","id":{"a":1},${ping}}`],
    ['an id that is a token', `{"jsonrpc":"2.0","id":"ghp_abcdefghijklmnopqrstuvwxyz0123456789",${ping}}`],
    ['two messages', `{"jsonrpc":"2.0","id":1,${ping}}{"jsonrpc":"2.0","id":2,${ping}}`],
  ])('%s is refused', async (_, body) => {
    const headers = { ...accept, 'content-type': 'application/json' };
    const { status, json, text } = await daemon.http('/mcp', { method: 'POST', body, headers });
    expect({ status, json }, text).toMatchObject({ status: 400, json: { error: { code: expect.any(Number) } } });
    expect(text).not.toContain('ghp_');
  });

  test('others are served meanwhile and afterwards', async () => {
    expect((await call('status', {})).outcome).toBe('ok');
  });
});
