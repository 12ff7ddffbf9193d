/** One call is given up: what works for it ends, the compiler's process included, and nothing else does. */

import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { packageVersion } from '../../src/kernel/base/package-files.ts';
import { planList } from '../../src/serve/changes/plan-requests.ts';
import rename from '../../src/serve/changes/rename.ts';
import { createMcpHttpHandler } from '../../src/serve/mcp/http-handler.ts';
import { listCompilers } from '../support/compiler-processes.ts';
import { type RunningDaemon, startTestDaemon } from '../support/daemon-world.ts';
import type { FixtureRepo } from '../support/fixture-repo.ts';
import { connectHttp, connectStdio, type McpClient } from '../support/mcp-clients.ts';
import { createMcpProject } from '../support/mcp-project.ts';

const waiting = { timeout: 300_000, interval: 20 } as const;
const options = { waitMs: 60_000, onProgress: () => {}, onStep: () => {} };
const input = { target: 'src/greet.ts:5:10', new_name: 'yell' };

let repo: FixtureRepo;
let daemon: RunningDaemon;
const clients: McpClient[] = [];
beforeAll(async () => {
  repo = createMcpProject();
  // The version of the program, so that its clients join.
  daemon = await startTestDaemon(repo, { cliVersion: packageVersion(), mcp: createMcpHttpHandler, port: 0 });
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});
afterAll(async () => {
  await daemon.stop();
  repo.dispose();
});

/** As soon as there is a compiler it is stopped where it is: the call it works for takes for ever. */
async function holdCompiler(): Promise<readonly number[]> {
  const held = await vi.waitFor(() => {
    const found = listCompilers(repo.root);
    expect(found.length).toBeGreaterThan(0);
    return found;
  }, waiting);
  for (const pid of held) process.kill(pid, 'SIGSTOP');
  return held;
}

async function nothingIsLeft(): Promise<void> {
  await vi.waitFor(() => expect(listCompilers(repo.root)).toEqual([]), waiting);
  await vi.waitFor(async () => expect((await daemon.http('/healthz')).json?.['clients']).toBe(0), waiting);
  const listed = await daemon.workspace().change(planList, {}, options);
  expect(listed.kind === 'answered' ? listed.answer.plans : listed).toEqual([]);
}

describe('a call whose compiler never answers', () => {
  test('cancelled by the official client over pipes; another client’s call goes on, and is answered', async () => {
    const [one, other] = [await connectStdio(repo), await connectStdio(repo)];
    clients.push(one, other);
    const cancel = new AbortController();
    const call = one.client.callTool(
      { name: 'plan_refactor', arguments: { kind: 'rename', target: input.target, to: input.new_name } },
      { signal: cancel.signal, timeout: 300_000 },
    );
    const refused = expect(call).rejects.toThrow(/enough/);
    await holdCompiler();
    // It waits for its turn behind the one that never ends.
    const next = other.call('commit_plan', { op: 'list' });
    expect((await other.call('status')).answer.outcome).toBe('ok');
    cancel.abort(new Error('enough'));
    await refused;
    expect((await next).answer).toMatchObject({ outcome: 'ok', plans: [] });
    expect((await one.call('status')).answer.outcome).toBe('ok');
    expect(one.stderr()).not.toContain('Error');
    await nothingIsLeft();
  });

  test('its client is killed', async () => {
    const client = await connectStdio(repo);
    const call = client.call('plan_refactor', { kind: 'rename', target: input.target, to: input.new_name });
    const lost = expect(call).rejects.toThrow();
    await holdCompiler();
    process.kill(client.pid() as number, 'SIGKILL');
    await lost;
    await nothingIsLeft();
  });

  test('its asker stops asking the daemon', async () => {
    const cancel = new AbortController();
    const asked = daemon.workspace(cancel.signal).change(rename, input, options);
    const refused = expect(asked).rejects.toThrow('enough');
    await holdCompiler();
    cancel.abort(new Error('enough'));
    await refused;
    await nothingIsLeft();
  });

  test('cancelled by the official client over HTTP', async () => {
    const token = readFileSync(`${repo.stateDir}/run/token`, 'utf8').trim();
    const headers = { authorization: `Bearer ${token}`, 'x-codegenie-root': daemon.workspace().repo().root_hash };
    const client = await connectHttp(`http://127.0.0.1:${daemon.at.port}/mcp`, headers);
    clients.push(client);
    const cancel = new AbortController();
    const call = client.client.callTool(
      { name: 'plan_refactor', arguments: { kind: 'rename', target: input.target, to: input.new_name } },
      { signal: cancel.signal, timeout: 300_000 },
    );
    const refused = expect(call).rejects.toThrow(/enough/);
    await holdCompiler();
    cancel.abort(new Error('enough'));
    await refused;
    await nothingIsLeft();
  });

  test('its connection to /mcp is closed', async () => {
    const body = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'plan_refactor', arguments: { kind: 'rename', target: input.target, to: input.new_name } },
    };
    const { request } = await import('node:http');
    const sent = request({
      socketPath: daemon.at.socket,
      path: '/mcp',
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    });
    sent.on('error', () => {});
    sent.end(JSON.stringify(body));
    await holdCompiler();
    sent.destroy();
    await nothingIsLeft();
  });
});

test('a gather that is cancelled publishes nothing', async () => {
  const client = await connectStdio(repo);
  clients.push(client);
  const cancel = new AbortController();
  const call = client.client.callTool(
    { name: 'repo_context', arguments: { gather: true } },
    { signal: cancel.signal, timeout: 300_000, onprogress: () => cancel.abort(new Error('enough')) },
  );
  await expect(call).rejects.toThrow(/enough/);
  await vi.waitFor(async () => expect((await daemon.http('/healthz')).json?.['clients']).toBe(0), waiting);
  expect((await client.call('repo_context', {})).answer.outcome).toBe('no_context');
});
