/** The real program and the official client, over pipes. The script at the end knows the tools by their descriptions alone. */

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { entryFile } from '../../src/kernel/exec/start-self.ts';
import { stopDaemon } from '../../src/serve/daemon/daemon-process.ts';
import { answerBytes } from '../../src/serve/mcp/answer-pages.ts';
import { workspaceVariable } from '../../src/serve/setup/clients.ts';
import { placeOf } from '../support/daemon-world.ts';
import { connectStdio, type Loose } from '../support/mcp-clients.ts';
import { commitOf } from '../support/mcp-commit.ts';
import { createMcpProject, useMcpProject } from '../support/mcp-project.ts';
import { quickPath } from '../support/tools.ts';

const stopped = { waitMs: 30_000, signal: new AbortController().signal };

describe.each([
  ['in one process', ['--no-daemon']],
  ['with a daemon', []],
])('%s', (_, flags) => {
  const used = useMcpProject(flags);

  test('eight tools, and instructions that say where to begin', async () => {
    const { tools } = await used.mcp.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'repo_context',
      'status',
      'search',
      'symbols',
      'navigate',
      'slice',
      'plan_refactor',
      'commit_plan',
    ]);
    expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true).map(({ name }) => name)).toEqual([
      'commit_plan',
    ]);
    expect(used.mcp.client.getInstructions()).toContain('repo_context first');
  });

  test('an answer has the repository, its freshness and what to do next', async () => {
    const { answer, bytes, isError } = await used.mcp.call('navigate', { op: 'refs', target: 'src/greet.ts:1:17' });
    expect(isError).toBe(false);
    expect(bytes).toBeLessThanOrEqual(answerBytes);
    expect(answer).toMatchObject({ outcome: 'ok', repo: { root: used.repo.root }, freshness: { state: 'clean' } });
    expect(answer.files.map((file: Loose) => file.path)).toEqual(['src/greet.ts', 'src/index.ts', 'src/main.ts']);
    expect(answer.next).toContain('plan_refactor');
  });

  describe('a script that knows the descriptions', () => {
    test('gathers, searches, plans, answers a question, commits, and undoes', async () => {
      const before = used.repo.tree();

      const gathered = await used.mcp.call('repo_context', { gather: true });
      expect(gathered.answer.outcome).toBe('ok');
      const { sections } = (await used.mcp.call('repo_context', { section: '*' })).answer;
      const section = sections.find(({ bytes }: Loose) => bytes > 50).name;
      expect((await used.mcp.call('repo_context', { section })).answer.section).toBe(section);

      const found = await used.mcp.call('search', { query: 'greet(' });
      expect(found.answer.count.value).toBe(2);
      const [symbol] = (await used.mcp.call('symbols', { query: 'greet', exact: true })).answer.symbols;
      const target = `${symbol.path}:${symbol.line}:${symbol.col}`;

      const planned = await used.mcp.call('plan_refactor', { kind: 'rename', target, to: 'salute' });
      expect(planned.answer.outcome.kind).toBe('needs_decision');
      expect(planned.answer.next).toContain('commit_plan');
      expect(used.repo.tree()).toEqual(before);

      const request = commitOf(used.repo.root, [planned.answer], /renam/i);
      // What was not answered, and a proof that says nothing, are not committed.
      const open = await used.mcp.call('commit_plan', { plan: request.plan_id });
      expect(open.answer.outcome).toMatchObject({ kind: 'refused', reason: 'selection_invalid' });
      const proof = { identity: '', lines: [], anchors: [] };
      const guessed = await used.mcp.call('commit_plan', { ...request, proof });
      expect(guessed.answer.outcome).toMatchObject({ kind: 'refused', reason: 'proof_incomplete' });
      expect(used.repo.tree()).toEqual(before);

      const committed = await used.mcp.call('commit_plan', request);
      expect(committed.answer.outcome).toMatchObject({ kind: 'ok', state: 'applied' });
      expect(readFileSync(join(used.repo.root, 'src/main.ts'), 'utf8')).toBe(
        "import { salute } from './greet.js';\n\nexport const said = salute('world');\n",
      );
      expect((await used.mcp.call('search', { query: 'greet(' })).answer.count).toMatchObject({
        value: 0,
        relation: 'eq',
      });

      const undone = await used.mcp.call('commit_plan', { op: 'undo', plan_id: request.plan_id });
      expect(undone.answer.outcome).toMatchObject({ kind: 'ok', state: 'undone' });
      expect(used.repo.tree()).toEqual(before);
      const listed = await used.mcp.call('commit_plan', { op: 'list' });
      expect(listed.answer.plans[0]).toMatchObject({ id: request.plan_id, status: 'undone' });
    });

    test('resources are the sections and the report', async () => {
      await used.mcp.call('repo_context', { gather: true });
      const { resources } = await used.mcp.client.listResources();
      expect(resources[0]?.uri).toBe('codegenie://report');
      const report = await used.mcp.client.readResource({ uri: 'codegenie://report' });
      expect(report.contents[0]).toMatchObject({ mimeType: 'text/markdown' });
      const { uri = '' } = resources[1] ?? {};
      const section = await used.mcp.client.readResource({ uri });
      expect(JSON.parse((section.contents[0] as Loose).text)).toBeTruthy();
      await expect(used.mcp.client.readResource({ uri: 'codegenie://context/nothing' })).rejects.toThrow(/not found/i);
      await expect(used.mcp.client.readResource({ uri: 'file:///etc/passwd' })).rejects.toThrow(/not found/i);
      expect((await used.mcp.client.listResourceTemplates()).resourceTemplates[0]?.uriTemplate).toBe(
        'codegenie://context/{section}',
      );
    });
  });

  test('two clients at once: both are answered, one tree is changed once', async () => {
    const other = await connectStdio(used.repo, flags);
    try {
      const calls = [used.mcp, other].flatMap((client) => [
        client.call('search', { query: 'shout' }),
        client.call('symbols', { query: 'shout' }),
        client.call('navigate', { op: 'refs', target: 'src/greet.ts:5:10' }),
        client.call('status'),
      ]);
      for (const { answer } of await Promise.all(calls)) expect(answer.outcome).toBe('ok');
      const asks = { kind: 'rename', target: 'src/greet.ts:5:10', to: 'yell' };
      const plans = await Promise.all([used.mcp.call('plan_refactor', asks), other.call('plan_refactor', asks)]);
      const commits = await Promise.all(
        plans.map(
          ({ answer }, at) =>
            [used.mcp, other][at]?.call('commit_plan', commitOf(used.repo.root, [answer], /./)) as Promise<Loose>,
        ),
      );
      const kinds = commits.map(({ answer }) => answer.outcome.kind ?? answer.outcome).sort();
      expect(kinds.filter((kind) => kind === 'ok')).toHaveLength(1);
      expect(['blocked', 'refused', 'busy']).toContain(kinds.find((kind) => kind !== 'ok'));
      expect(readFileSync(join(used.repo.root, 'src/greet.ts'), 'utf8').match(/yell/g)).toHaveLength(2);
    } finally {
      await other.close();
    }
  });
});

test('nothing but the protocol is on stdout, and the program ends with its input', async () => {
  const repo = createMcpProject();
  const child = spawn(process.execPath, [entryFile, '-C', repo.root, 'mcp', '--no-daemon'], {
    env: { PATH: quickPath(), HOME: repo.home },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const said = listen(child);
  const send = (message: unknown) => child.stdin.write(`${JSON.stringify(message)}\n`);
  const clientInfo = { name: 'raw', version: '1' };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  send({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  child.stdin.write('this is no message\n');
  send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'search', arguments: { query: 'text' } } });
  await new Promise<void>((resolve) => {
    const look = () => (said.stdout.includes('"id":2') ? resolve() : undefined);
    child.stdout.on('data', look);
    child.once('exit', () => resolve());
  });
  child.stdin.end();
  expect(await exited).toBe(0);
  for (const line of said.stdout.trim().split('\n')) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
  expect(said.stderr).toBe('');
  repo.dispose();
});

test('what is no message is answered with an error, and the next one is heard', async () => {
  const repo = createMcpProject();
  const child = spawn(process.execPath, [entryFile, '-C', repo.root, 'mcp', '--no-daemon'], {
    env: { PATH: quickPath(), HOME: repo.home },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const said = listen(child);
  const ping = { jsonrpc: '2.0', method: 'ping' };
  const token = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';
  const search = '"method":"tools/call","params":{"name":"search"';
  /** Each with the id and the code of its answer: who knows what its message was called is not left waiting. */
  const bad: readonly (readonly [message: unknown, id: unknown, code: number])[] = [
    ['{bad', null, -32700],
    ['42', null, -32600],
    ['[]', null, -32600],
    [[ping], null, -32600],
    [`[${'['.repeat(50_000)}`, null, -32600],
    [{ ...ping, id: null }, null, -32600],
    [{ ...ping, id: { a: 1 } }, null, -32600],
    [{ ...ping, id: 1.5 }, null, -32600],
    [{ ...ping, id: true }, null, -32600],
    ['{"jsonrpc":"2.0","id":1e400,"method":"ping"}', null, -32700],
    // The answer would bear another id: no token leaves.
    [{ ...ping, id: token }, null, -32600],
    [{ jsonrpc: '1.0', id: 3, method: 'ping' }, null, -32600],
    [{ jsonrpc: '2.0', id: 3 }, 3, -32600],
    [{ jsonrpc: '2.0', id: 3, method: 7 }, 3, -32600],
    [{ ...ping, id: 3, params: [1] }, 3, -32600],
    [{ ...ping, id: 3, params: null }, 3, -32600],
    [{ ...ping, id: 3, params: 'a' }, 3, -32600],
    [{ ...ping, id: 3, params: { _meta: 1 } }, 3, -32600],
    [{ ...ping, id: 3, params: { _meta: { progressToken: { a: 1 } } } }, 3, -32600],
    ['{"jsonrpc":"2.0","id":"a","id":"b","method":"ping"}', 'b', -32600],
    [`{"jsonrpc":"2.0","id":3,${search},"arguments":{"query":"a","query":"b"}}}`, 3, -32600],
    [`{"jsonrpc":"2.0","id":3,${search},"arguments":{"query":"a","__proto__":{"limit":1}}}}`, 3, -32600],
    ['{"jsonrpc":"2.0","id":3,"method":"ping","__proto__":{"a":1}}', 3, -32600],
    [`{"jsonrpc":"2.0","id":3,"method":"ping","params":{"a":${'['.repeat(200)}${']'.repeat(200)}}}`, null, -32600],
    ['{"jsonrpc":"2.0","id":3,"method":"ping"}{"jsonrpc":"2.0","id":4,"method":"ping"}', null, -32700],
    ['{"jsonrpc":"2.0","id":3,"method":"pi\0ng"}', null, -32700],
  ];
  for (const [message] of bad)
    child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
  child.stdin.write(Buffer.from([0x22, 0xff, 0x22, 0x0a]));
  child.stdin.write(`\ufeff${JSON.stringify(ping)}\n`);
  child.stdin.write(`${JSON.stringify({ ...ping, params: { a: ['\ud800'] } })}\n`);
  child.stdin.write(`${JSON.stringify({ ...ping, id: 'a\u202eb\u200b' })}\n`);
  child.stdin.write(`${JSON.stringify({ ...ping, id: 7 })}\n`);
  await new Promise<void>((resolve) => {
    child.stdout.on('data', () => (said.stdout.includes('"id":7') ? resolve() : undefined));
  });
  child.stdin.end();
  await new Promise((resolve) => child.once('close', resolve));
  const answers = said.stdout
    .trim()
    .split('\n')
    .map((line): Loose => JSON.parse(line));
  // G28: the protocol's own writer shows what hides as well.
  expect(said.stdout).toContain('"id":"a\\u202eb\\u200b"');
  expect(said.stdout).not.toMatch(/[\u200b\u202e]/);
  const errors = answers.filter(({ error }) => error !== undefined);
  expect(errors.map(({ id, error }) => [id, error.code])).toEqual([
    ...bad.map(([, id, code]) => [id, code]),
    [null, -32700],
    [null, -32700],
    [null, -32700],
  ]);
  repo.dispose();
});

test.each([
  ['the client goes away', undefined],
  ['it is told to end', 'SIGTERM' as const],
])('%s in the middle of a call: the program ends, and nothing is half written', async (_, signal) => {
  const repo = createMcpProject();
  const child = spawn(process.execPath, [entryFile, '-C', repo.root, 'mcp', '--no-daemon'], {
    env: { PATH: quickPath(), HOME: repo.home },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const clientInfo = { name: 'raw', version: '1' };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  send({ id: 1, method: 'initialize', params });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  send({ method: 'notifications/initialized' });
  const call = { name: 'repo_context', arguments: { gather: true }, _meta: { progressToken: 1 } };
  send({ id: 2, method: 'tools/call', params: call });
  // The first note of progress: the gather is under way.
  await new Promise((resolve) => child.stdout.once('data', resolve));
  if (signal === undefined) child.stdin.end();
  else child.kill(signal);
  expect(await exited).toBe(0);
  expect(Object.keys(repo.written()).filter((path) => path.endsWith('.tmp'))).toEqual([]);
  expect(Object.keys(repo.written())).not.toContain('context/repo-context.yaml');
  repo.dispose();
});

test('a directory that is not there is said on stderr, with the code for usage', async () => {
  const repo = createMcpProject();
  const child = spawn(process.execPath, [entryFile, '-C', join(repo.root, 'nowhere'), 'mcp'], { stdio: 'pipe' });
  const said = listen(child);
  expect(await new Promise((resolve) => child.once('close', resolve))).toBe(2);
  expect(said.stdout).toBe('');
  expect(said.stderr).toContain('does not exist');
  repo.dispose();
});

test('a daemon that has ended is started again, and an answer does not know', async () => {
  const repo = createMcpProject();
  const mcp = await connectStdio(repo);
  try {
    const ask = { op: 'refs', target: 'src/greet.ts:1:17' };
    const first = await mcp.call('navigate', ask);
    expect(await stopDaemon(placeOf(repo), stopped)).toMatchObject({ kind: 'stopped' });
    const second = await mcp.call('navigate', ask);
    expect(second.answer.files).toEqual(first.answer.files);
    expect(await stopDaemon(placeOf(repo), stopped)).toMatchObject({ kind: 'stopped' });
  } finally {
    await mcp.close();
    await stopDaemon(placeOf(repo), stopped);
    repo.dispose();
  }
});

test('what an editor leaves in place of its open folder is where it started us', async () => {
  const repo = createMcpProject();
  const mcp = await connectStdio({ ...repo, root: repo.root }, ['--no-daemon', '-C', workspaceVariable]);
  expect((await mcp.call('status')).answer.repo.root).toBe(repo.root);
  await mcp.close();
  repo.dispose();
});

function listen(child: ChildProcessWithoutNullStreams): { readonly stdout: string; readonly stderr: string } {
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].on('data', (chunk) => {
      said[stream] += chunk;
    });
  }
  return said;
}
