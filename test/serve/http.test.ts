/** The HTTP side of a daemon: what each route answers, and that nothing wrong gets further than a clear refusal. */

import { lstatSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { request } from 'node:http';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sha256Hex } from '../../src/kernel/base/hash.ts';
import { routes } from '../../src/serve/http/routes.ts';
import {
  askHttp,
  createLinkedRepo,
  forbiddenPaths,
  type HttpAsk,
  type RunningDaemon,
  startTestDaemon,
  stateDirOf,
} from '../support/daemon-world.ts';
import type { FixtureRepo } from '../support/fixture-repo.ts';
import { floodChunks, sendFlood, sendRaw } from '../support/raw-http.ts';

let repo: FixtureRepo;
let daemon: RunningDaemon;
let before: Readonly<Record<string, string>>;

beforeAll(async () => {
  repo = createLinkedRepo();
  before = repo.tree();
  daemon = await startTestDaemon(repo, { port: 0, limits: { requestMs: 3000, checkMs: 50 } });
});
afterAll(async () => {
  expect(repo.tree()).toEqual(before);
  expect(await daemon.stop()).toMatchObject({ kind: 'ended', why: 'it was told to' });
  repo.dispose();
});

describe('routes', () => {
  test('questions', async () => {
    expect(await daemon.http('/v1/status')).toMatchObject({ status: 200, json: { outcome: 'ok', watch: 'off' } });
    expect(await daemon.http('/v1/status?skipped_limit=3')).toMatchObject({ status: 200 });
    expect((await daemon.post('/v1/search', { query: 'total' })).json).toMatchObject({ count: { value: 2 } });
    expect((await daemon.post('/v1/symbols', { query: 'Square' })).json).toMatchObject({ count: { value: 1 } });
    for (const [kind, more] of [
      ['def', { target: 'add' }],
      ['refs', { target: 'add' }],
      ['implementations', { target: 'src/shape.ts:2:18' }],
      ['deps', { path: 'src/shape.ts' }],
      ['outline', { path: 'src/shape.ts' }],
    ] as const)
      expect(await daemon.post('/v1/navigate', { kind, ...more }), kind).toMatchObject({
        status: 200,
        json: { outcome: 'ok', freshness: { state: 'clean' } },
      });
    expect((await daemon.post('/v1/slice', { target: 'src/math.ts:2:9', kind: 'def-use' })).status).toBe(200);
    expect((await daemon.post('/v1/index', {})).json).toMatchObject({ result: 'unchanged' });
  });

  test.each([
    ['GET', '/v1/status', {}],
    ['POST', '/v1/search', { query: 'total' }],
    ['POST', '/v1/symbols', { query: 'area' }],
    ['POST', '/v1/navigate', { kind: 'deps', path: 'src/math.ts', reverse: true }],
    ['POST', '/v1/navigate', { kind: 'refs', target: 'add' }],
    ['POST', '/v1/slice', { target: 'src/math.ts', kind: 'imports' }],
    ['POST', '/v1/map', { path: 'src', limit: 1 }],
    ['POST', '/v1/text', { path: 'src/math.ts', from: 2, lines: 1 }],
    ['POST', '/v1/index', {}],
    ['POST', '/v1/plans', { kind: 'move', file: 'src/math.ts', to: 'src/sums.ts' }],
    ['GET', '/v1/plans', {}],
  ])('%s %s %o answers what it promises', async (method, url, body) => {
    const route = routes.find((one) => one.url === url && one.method === method);
    const { json, status } = await daemon.http(url, method === 'GET' ? {} : { method, body });
    expect(status).toBe(200);
    expect(route?.answer.safeParse(json).error).toBeUndefined();
  });

  test('a name that means several things is an answer, one that means nothing is not found', async () => {
    const several = await daemon.post('/v1/navigate', { kind: 'refs', target: 'area' });
    expect(several).toMatchObject({ status: 200, json: { outcome: 'ambiguous' } });
    expect(await daemon.post('/v1/navigate', { kind: 'def', target: 'nowhere' })).toMatchObject({
      status: 404,
      json: { outcome: 'not_found' },
    });
  });

  test('a change: planned, listed, shown, refused, cancelled', async () => {
    const target = 'src/math.ts:2:9';
    const planned = await daemon.post('/v1/plans', { kind: 'rename', target, new_name: 'sum' });
    expect(planned).toMatchObject({ status: 200, json: { outcome: { kind: 'ok', state: 'planned' } } });
    const plan = planned.json?.['outcome'] as { plan: { id: string } } | undefined;
    const id = plan?.plan.id ?? '';
    expect((await daemon.http('/v1/plans?limit=1')).json).toMatchObject({ plans: [{ id }] });
    expect((await daemon.http(`/v1/plans/${id}`)).json).toMatchObject({ proof_template: expect.anything() });
    const commit = {
      plan_id: id,
      plan_hash: 'another',
      root_hash: 'another',
      selections: [],
      proof: { identity: '', lines: [], anchors: [] },
    };
    for (const path of ['/v1/decisions/commit', '/decisions/commit'])
      expect(await daemon.post(path, commit)).toMatchObject({ status: 200, json: { outcome: { kind: 'refused' } } });
    expect(await daemon.http(`/v1/plans/${id}/cancel`, { method: 'POST' })).toMatchObject({ status: 200 });
    expect((await daemon.http(`/v1/plans/${id}/undo`, { method: 'POST', body: {} })).json).toMatchObject({
      outcome: { kind: 'refused' },
    });
    expect((await daemon.post('/v1/renames', { target, new_name: 'class' })).json).toMatchObject({
      outcome: { kind: 'refused' },
    });
  });

  test('a gather, the report and sections of the context', async () => {
    expect(await daemon.http('/v1/report')).toMatchObject({ status: 404, json: { outcome: 'no_context' } });
    expect(await daemon.http('/v1/facts')).toMatchObject({ status: 404, json: { outcome: 'no_context' } });
    const gathered = await daemon.post('/v1/gather', { only: ['language_detection', 'components'] });
    expect(gathered).toMatchObject({ status: 200, json: { outcome: 'ok', probe_failures: [] } });
    expect((await daemon.http('/v1/report')).json).toMatchObject({ markdown: expect.stringContaining('#') });
    const text = await daemon.http('/v1/report', { headers: { accept: 'text/markdown' } });
    expect(text.headers['content-type']).toContain('text/markdown');
    expect(await daemon.http('/v1/context/language_stack')).toMatchObject({ status: 200 });
    expect(await daemon.http('/v1/context/language_stak')).toMatchObject({
      status: 404,
      json: { field: 'section', given: 'language_stak', nearest: 'language_stack' },
    });
    expect(await daemon.http('/v1/facts?id=language&scope=.&explain=true')).toMatchObject({
      status: 200,
      json: { outcome: 'ok', since: null, facts: [{ id: 'language.primary', value: 'TypeScript', lines: [{}] }, {}] },
    });
    expect(await daemon.http('/v1/facts?id=languag.primary')).toMatchObject({
      status: 404,
      json: { field: 'id', given: 'languag.primary', nearest: 'language.primary' },
    });
    expect(await daemon.http('/v1/facts?id=language.primary&scope=nowhere')).toMatchObject({
      status: 404,
      json: { field: 'scope', given: 'nowhere' },
    });
    expect(await daemon.post('/v1/gather', { only: ['language_detectio'] })).toMatchObject({
      status: 400,
      json: { nearest: 'language_detection' },
    });
  });

  test('G42 what was not there at the gather and may be now is stale, not nothing and not 404', async () => {
    await daemon.post('/v1/gather', { only: ['components', 'dockerfile'] });
    const fact = '/v1/facts?id=docker.final_base';
    const urls = [fact, `${fact}&scope=Dockerfile%23build`, '/v1/context/containerization'];
    expect((await daemon.http(fact)).json).toMatchObject({ outcome: 'ok', facts: [] });
    for (const url of urls.slice(1)) expect(await daemon.http(url)).toMatchObject({ status: 404 });
    repo.write('Dockerfile', 'FROM node:22 AS build\n');
    for (const url of urls)
      expect(await daemon.http(url)).toMatchObject({
        status: 200,
        json: { outcome: 'stale', since: { files: ['Dockerfile'] } },
      });
    expect(await daemon.http('/v1/facts?id=docker.finalbase')).toMatchObject({ status: 404 });
    rmSync(join(repo.root, 'Dockerfile'));
  });

  test('a gather of one directory says so, in the answer, the report and facts of anything else', async () => {
    const only = ['language_detection'];
    const whole = await daemon.post('/v1/gather', { only });
    expect(whole).toMatchObject({ status: 200, json: { component: null } });
    const part = await daemon.post('/v1/gather', { only, component: './src/' });
    expect(part).toMatchObject({ status: 200, json: { outcome: 'ok', component: 'src' } });
    const { json } = await daemon.http('/v1/report');
    expect(json).toMatchObject({ markdown: expect.stringMatching(/^# .*, `src` alone\n/) });
    expect(await daemon.http('/v1/facts?id=language.primary&scope=.')).toMatchObject({
      status: 200,
      json: { outcome: 'stale', since: { says: 'only src was gathered' } },
    });
    expect(await daemon.post('/v1/gather', { only, component: 'srcc' })).toMatchObject({
      status: 400,
      json: { field: 'component', given: 'srcc', nearest: 'src' },
    });
    // A file and a link are no directories: nothing lies in them, and "complete" would be said of nothing.
    for (const component of ['', 7, '../..', '/etc', 'src/math.ts', 'src/link.ts', 'src/linked', 'src/linked/.'])
      expect(await daemon.post('/v1/gather', { only, component })).toMatchObject({ status: 400 });
  });

  test('P9 a directory of the user that leads into the tree by now is told, and is no bug', async () => {
    const [cache, aside] = [join(repo.home, '.cache'), join(repo.base, 'aside')];
    renameSync(cache, aside);
    symlinkSync(repo.root, cache);
    try {
      for (const url of ['/v1/report', '/v1/facts', '/v1/context/ci'])
        expect(await daemon.http(url), url).toMatchObject({
          status: 409,
          json: { outcome: 'output_refused', message: expect.stringContaining('leads into the analysed tree') },
        });
    } finally {
      rmSync(cache);
      renameSync(aside, cache);
    }
  });

  test('progress comes as lines, the result last', async () => {
    const headers = { accept: 'application/x-ndjson' };
    const { text } = await daemon.http('/v1/gather', { method: 'POST', body: { only: ['ownership'] }, headers });
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.slice(0, -1).every((line) => 'progress' in line)).toBe(true);
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.at(-1)).toMatchObject({ result: { outcome: 'ok' } });
    const wrong = await daemon.http('/v1/search', { method: 'POST', body: {}, headers });
    expect(JSON.parse(wrong.text)).toMatchObject({ status: 400, problem: { field: 'query' } });
  });

  test('who it is, how it is, and what it can be asked', async () => {
    const { json } = await daemon.http('/healthz');
    expect(json).toMatchObject({ state: 'ready', root: repo.root, pid: process.pid, clients: 0 });
    expect(json?.['nonce']).toBe(JSON.parse(readFileSync(join(stateDirOf(repo), 'run/writer.json'), 'utf8')).nonce);
    const metrics = await daemon.http('/metrics');
    expect(metrics.text).toMatch(/^codegenie_http_requests_total\{route="\/healthz",status="200"\} [1-9]/m);
    expect(metrics.text).toMatch(/^codegenie_generation [1-9]\d+$/m);
    const { json: api } = await daemon.http('/openapi.json');
    expect(api).toMatchObject({ openapi: '3.1.0' });
    const paths = api?.['paths'] as Readonly<Record<string, object>>;
    for (const { url, method } of routes) expect(Object.keys(paths[url] ?? {})).toContain(method.toLowerCase());
    expect(Object.keys(paths['/v1/plans/{plan_id}/undo'] ?? {})).toEqual(['post']);
    const references = [...JSON.stringify(api).matchAll(/"\$ref":"([^"]+)"/g)].map((found) => found[1]);
    expect(new Set(references)).toEqual(new Set(['#/components/schemas/Problem']));
  });

  test('events are told as they happen', async () => {
    const events = await listen('/v1/events');
    await events.until('event: hello');
    expect((await daemon.http('/healthz')).json).toMatchObject({ clients: 1 });
    await daemon.post('/v1/gather', { only: ['ownership'] });
    await events.until('"outcome":"published"');
    await daemon.post('/v1/plans', { kind: 'rename', target: 'src/math.ts:2:9', new_name: 'sum2' });
    await events.until('"type":"plan","request":"rename","outcome":"ok"');
    events.end();
    await until(async () => (await daemon.http('/healthz')).json?.['clients'] === 0);
  });
});

describe('what is wrong with a request is said, and nothing is done', () => {
  const json = { 'content-type': 'application/json' };
  const wrong: readonly (readonly [says: string, path: string, ask: HttpAsk, status: number, said: object])[] = [
    ['no JSON', '/v1/search', { method: 'POST', body: '{"query":', headers: json }, 400, { outcome: 'invalid' }],
    ['no object', '/v1/search', { method: 'POST', body: '[1]', headers: json }, 400, { accepted: ['a JSON object'] }],
    ['not UTF-8', '/v1/search', { method: 'POST', body: Buffer.from([0x22, 0xff, 0x22]) }, 400, {}],
    ['very deep', '/v1/search', { method: 'POST', body: '{"a":'.repeat(90_000), headers: json }, 400, {}],
    ['nothing', '/v1/search', { method: 'POST' }, 400, { field: 'query', accepted: ['string'] }],
    [
      'an unknown field',
      '/v1/search',
      { method: 'POST', body: { querry: 'x' } },
      400,
      { field: 'querry', nearest: 'query' },
    ],
    ['a wrong type', '/v1/search', { method: 'POST', body: { query: 7 } }, 400, { field: 'query', given: '7' }],
    [
      'an unknown kind',
      '/v1/navigate',
      { method: 'POST', body: { kind: 'reefs' } },
      400,
      { field: 'kind', nearest: 'refs' },
    ],
    [
      'a field of another kind',
      '/v1/navigate',
      { method: 'POST', body: { kind: 'def', path: 'x' } },
      400,
      { field: 'path' },
    ],
    ['a proto', '/v1/search', { method: 'POST', body: '{"query":"x","__proto__":{"a":1}}', headers: json }, 400, {}],
    ['a field twice', '/v1/plans/p/undo', { method: 'POST', body: { plan_id: 'q' } }, 400, { field: 'plan_id' }],
    [
      'form data',
      '/v1/search',
      { method: 'POST', body: 'query=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      415,
      { accepted: ['application/json'] },
    ],
    [
      'plain text',
      '/v1/search',
      { method: 'POST', body: '{"query":"x"}', headers: { 'content-type': 'text/plain' } },
      415,
      {},
    ],
    ['a wrong method', '/v1/search', {}, 405, { outcome: 'wrong_method', accepted: ['POST'] }],
    ['a wrong address', '/v1/serch', { method: 'POST', body: {} }, 404, { nearest: '/v1/search' }],
    ['a way out', '/v1/../../etc/passwd', {}, 404, {}],
    ['an encoded way out', '/v1/context/..%2f..%2f..%2fetc%2fpasswd', {}, 404, {}],
    [
      'a long target',
      '/v1/navigate',
      { method: 'POST', body: { kind: 'refs', target: 'x'.repeat(130_000) } },
      400,
      { field: 'target' },
    ],
    [
      'a target that is nowhere',
      '/v1/navigate',
      { method: 'POST', body: { kind: 'refs', target: 'nowhereAtAll' } },
      404,
      { field: 'target' },
    ],
    [
      'no regular expression',
      '/v1/search',
      { method: 'POST', body: { query: '(', regex: true } },
      400,
      { field: 'query' },
    ],
    [
      'a long new name',
      '/v1/renames',
      { method: 'POST', body: { target: 'add', new_name: 'x'.repeat(20_000) } },
      400,
      { field: 'new_name' },
    ],
    ['a bad query', '/v1/status?skipped_limit=many', {}, 400, { field: 'skipped_limit' }],
    ['an unknown query', '/v1/plans?limt=3', {}, 400, { field: 'limt', nearest: 'limit' }],
    ['a long address', `/v1/context/${'x'.repeat(5_000)}`, {}, 400, { field: 'section' }],
    ['no address', '/v1/plans/%ff%zz', {}, 400, { outcome: 'invalid' }],
  ];
  test.each(wrong)('%s', async (_, path, ask, status, said) => {
    const answer = await daemon.http(path, ask);
    expect(answer).toMatchObject({ status, json: said });
    expect(answer.text).not.toMatch(/\bat .*\.ts:\d+|node_modules/);
  });

  test.each([...forbiddenPaths, '.codegenie/run/token'])('%s is not read', async (path) => {
    for (const body of [
      { kind: 'outline', path },
      { kind: 'deps', path },
      { kind: 'def', target: `${path}:1:1` },
    ]) {
      const { status, text } = await daemon.post('/v1/navigate', body);
      expect([400, 404], text).toContain(status);
      expect(text).not.toContain('root:');
    }
    const moved = await daemon.post('/v1/plans', { kind: 'move', file: 'src/math.ts', to: path });
    expect(moved.json?.['outcome']).not.toMatchObject({ kind: 'ok' });
  });

  test('a body of 100 MB is refused before it is there', async () => {
    const head = 'POST /v1/search HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n';
    const { status, written } = await sendFlood(daemon.at.socket, head);
    expect(status).toContain('413');
    expect(written).toBeLessThan(floodChunks);
    const declared = await daemon.http('/v1/search', {
      method: 'POST',
      body: '{}',
      headers: { 'content-length': String(100 * 1024 * 1024) },
    });
    expect(declared).toMatchObject({ status: 413, json: { outcome: 'too_large' } });
  });

  test.each([
    [
      'a body',
      'POST /v1/search HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 20\r\n\r\n{"que',
    ],
    ['headers', 'POST /v1/search HTTP/1.1\r\nhost: x\r\n'],
  ])('%s that never comes is not waited for', async (_, begun) => {
    expect(await sendRaw(daemon.at.socket, begun)).toMatch(/^HTTP\/1\.1 408 [\s\S]*too_slow/);
  });

  test.each([
    ['two Hosts', 'host: x\r\nhost: y\r\n', '{"query":"a"}', 400],
    ['another charset', 'host: x\r\ncontent-type: application/json; charset=utf-16\r\n', '{"query":"a"}', 415],
    ['another encoding', 'host: x\r\ncontent-encoding: gzip\r\n', '{"query":"a"}', 415],
    ['bytes that are no UTF-8', 'host: x\r\n', Buffer.from('{"query":"a\xff"}', 'latin1'), 400],
    ['a byte order mark', 'host: x\r\n', '\ufeff{"query":"a"}', 400],
    ['half a surrogate pair', 'host: x\r\n', '{"query":"a\\ud800"}', 400],
    ['half a surrogate pair further in', 'host: x\r\n', '{"query":"a","path":[{"\\udc00":1}]}', 400],
    ['a key twice', 'host: x\r\n', '{"query":"a","query":"b"}', 400],
    ['__proto__', 'host: x\r\n', '{"query":"a","__proto__":{"limit":1}}', 400],
    ['__proto__ further in', 'host: x\r\n', '{"query":"a","path":[{"__proto__":1}]}', 400],
  ])('%s is refused', async (_, headers, body, status) => {
    const type = headers.includes('content-type') ? '' : 'content-type: application/json\r\n';
    const length = `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n`;
    const begun = Buffer.concat([
      Buffer.from(`POST /v1/search HTTP/1.1\r\n${headers}${type}${length}`),
      Buffer.from(body),
    ]);
    expect(await sendRaw(daemon.at.socket, begun)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });

  test('navigate takes `op`, as agents call it, for `kind`', async () => {
    const asked = (name: string) =>
      sendRaw(
        daemon.at.socket,
        `POST /v1/navigate HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(`{"${name}":"refs","target":"nowhere.ts:1:1"}`)}\r\n\r\n{"${name}":"refs","target":"nowhere.ts:1:1"}`,
      );
    const [byKind, byOp] = [await asked('kind'), await asked('op')];
    expect(byKind).toContain('not_found');
    expect(byOp).toContain('not_found');
  });

  test('a field that is left out is called missing, on every route', async () => {
    for (const [url, body, message] of [
      ['/v1/navigate', {}, 'kind: is missing; accepted: def, refs, implementations, deps, outline'],
      ['/v1/plans', {}, 'kind: is missing; accepted: rename, move'],
      ['/v1/search', {}, 'query: is missing; expected string'],
      ['/v1/renames', { target: 'add' }, 'new_name: is missing; expected string'],
    ] as const)
      expect(await daemon.post(url, body)).toMatchObject({ status: 400, json: { outcome: 'invalid', message } });
    for (const { url, method } of routes.filter((route) => route.method === 'POST' && route.url !== '/v1/gather'))
      expect((await daemon.http(url, { method, body: {} })).text, url).not.toContain('undefined');
  });

  test('what is no HTTP', async () => {
    expect(await sendRaw(daemon.at.socket, '\x16\x03\x01 hello\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 400 [\s\S]*this is no HTTP request/,
    );
    expect(await sendRaw(daemon.at.socket, `GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 431 /,
    );
  });

  test('a client that goes away in the middle is forgotten, and others are served', async () => {
    const sent = request({
      socketPath: daemon.at.socket,
      path: '/v1/gather',
      method: 'POST',
      agent: false,
      headers: { ...json, accept: 'application/x-ndjson' },
    });
    sent.on('error', () => {});
    sent.end('{"cache":"no_cache"}');
    await new Promise<void>((resolve) => sent.once('response', (response) => response.once('data', () => resolve())));
    sent.destroy();
    await until(async () => (await daemon.http('/healthz')).json?.['clients'] === 0);
    expect((await daemon.post('/v1/search', { query: 'total' })).status).toBe(200);
  });
});

describe('over TCP', () => {
  const token = () => readFileSync(daemon.at.tokenFile as string, 'utf8').trim();
  const good = () => ({ authorization: `Bearer ${token()}`, 'x-codegenie-root': rootHash() });
  const rootHash = () => daemon.workspace().repo().root_hash;
  const ask = (path: string, given: HttpAsk = {}) =>
    askHttp({ host: '127.0.0.1', port: daemon.at.port as number }, path, given);

  test('a client with the token that means this root is served', async () => {
    expect(await ask('/v1/status', { headers: good() })).toMatchObject({ status: 200 });
    const host = `localhost:${daemon.at.port}`;
    expect(await ask('/healthz', { headers: { ...good(), host, origin: `http://${host}` } })).toMatchObject({
      status: 200,
    });
    expect(await ask('/healthz', { headers: { ...good(), host } })).not.toHaveProperty(
      'headers.access-control-allow-origin',
    );
  });

  test.each([
    ['without a token', { authorization: '' }, 401, 'unauthorized'],
    ['with a wrong token', { authorization: `Bearer ${'A'.repeat(43)}` }, 401, 'unauthorized'],
    ['with a token of another kind', { authorization: 'Basic QQ==' }, 401, 'unauthorized'],
    ['with a name of its own for us', { host: 'evil.example' }, 403, 'foreign_host'],
    ['with our address and another port', { host: '127.0.0.1:1' }, 403, 'foreign_host'],
    ['from a page of its own', { origin: 'https://evil.example' }, 403, 'foreign_origin'],
    ['from a page without origin', { origin: 'null' }, 403, 'foreign_origin'],
    ['for another root', { 'x-codegenie-root': '0000000000000000' }, 412, 'wrong_root'],
    ['for no root', { 'x-codegenie-root': '' }, 412, 'wrong_root'],
  ])('%s a client is not let in', async (_, headers, status, outcome) => {
    for (const path of ['/v1/status', '/healthz', '/metrics', '/openapi.json', '/v1/events', '/mcp', '/nothing'])
      expect(await ask(path, { headers: { ...good(), ...headers } }), path).toMatchObject({
        status,
        json: { outcome },
      });
    const preflight = await ask('/v1/gather', { method: 'OPTIONS', headers: { ...good(), ...headers } });
    expect(preflight).toMatchObject({ status });
    expect(Object.keys(preflight.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  const secret = () => `authorization: Bearer ${token()}`;
  const ours = () => `host: 127.0.0.1:${daemon.at.port}`;
  const root = () => `x-codegenie-root: ${rootHash()}`;
  const odd: Readonly<Record<string, () => readonly [line: string, status: number, ...headers: string[]]>> = {
    'the root twice': () => ['/v1/status', 412, ours(), secret(), root(), root()],
    'another root beside it': () => ['/v1/status', 412, ours(), secret(), root(), 'x-codegenie-root: 0000000000000000'],
    'a list of roots': () => ['/v1/status', 412, ours(), secret(), `${root()}, 0000000000000000`],
    'the root in capitals': () => [
      '/v1/status',
      412,
      ours(),
      secret(),
      `x-codegenie-root: ${rootHash().toUpperCase()}F`,
    ],
    'the path of the root': () => ['/v1/status', 412, ours(), secret(), `x-codegenie-root: ${repo.root}`],
    'the beginning of the root': () => ['/v1/status', 412, ours(), secret(), root().slice(0, -1)],
    'a byte behind the root': () => ['/v1/status', 412, ours(), secret(), `${root()}\xa0`],
    'the root in percent signs': () => [
      '/v1/status',
      412,
      ours(),
      secret(),
      `x-codegenie-root: ${[...rootHash()].map((char) => `%${char.charCodeAt(0).toString(16)}`).join('')}`,
    ],
    'a way to the root': () => ['/v1/status', 412, ours(), secret(), 'x-codegenie-root: .'],
    'the hash of another tree': () => [
      '/v1/status',
      412,
      ours(),
      secret(),
      `x-codegenie-root: ${sha256Hex(repo.home).slice(0, 16)}`,
    ],
    'a root that is folded': () => ['/v1/status', 400, ours(), secret(), `x-codegenie-root:\r\n ${rootHash()}`],
    'a NUL behind the root': () => ['/v1/status', 400, ours(), secret(), `${root()}\0`],
    '__proto__ for a header': () => ['/v1/status', 412, ours(), secret(), `__proto__: ${rootHash()}`],
    'the token twice': () => ['/v1/status', 400, ours(), secret(), secret(), root()],
    'more than the token': () => ['/v1/status', 401, ours(), `${secret()}x`, root()],
    'less than the token': () => ['/v1/status', 401, ours(), secret().slice(0, -1), root()],
    'the token in the address': () => [`/v1/status?token=${token()}`, 401, ours(), root()],
    'the token in a cookie': () => ['/v1/status', 401, ours(), root(), `cookie: token=${token()}`],
    'no host': () => ['/v1/status', 400, secret(), root()],
    'an empty host': () => ['/v1/status', 403, 'host:', secret(), root()],
    'a short address for a host': () => ['/v1/status', 403, `host: 127.1:${daemon.at.port}`, secret(), root()],
    'a host with a dot': () => ['/v1/status', 403, `host: localhost.:${daemon.at.port}`, secret(), root()],
    'a host with a user': () => ['/v1/status', 403, `host: evil@127.0.0.1:${daemon.at.port}`, secret(), root()],
    'a host without a port': () => ['/v1/status', 403, 'host: 127.0.0.1', secret(), root()],
    'two origins in one': () => [
      '/v1/status',
      403,
      ours(),
      secret(),
      root(),
      `origin: http://${ours().slice(6)} https://evil`,
    ],
    'another scheme of the origin': () => [
      '/v1/status',
      403,
      ours(),
      secret(),
      root(),
      `origin: https://${ours().slice(6)}`,
    ],
    'an address of another host': () => ['http://evil.example/v1/status', 400, ours(), secret(), root()],
    'an address of ours, whole': () => [`http://${ours().slice(6)}/v1/status`, 400, ours(), secret(), root()],
    'a way out in percent signs': () => ['/v1/%2e%2e/%2e%2e/etc/passwd', 404, ours(), secret(), root()],
    'bytes that are no UTF-8': () => ['/v1/context/%c0%ae%c0%ae%c0%afetc', 400, ours(), secret(), root()],
    'another case of the address': () => ['/V1/STATUS', 404, ours(), secret(), root()],
    'slashes in front': () => ['//v1//status', 404, ours(), secret(), root()],
    'a query twice': () => ['/v1/plans?limit=1&limit=2', 400, ours(), secret(), root()],
    '__proto__ in a query': () => ['/v1/plans?__proto__[limit]=1', 400, ours(), secret(), root()],
  };
  test.each(Object.entries(odd))('%s is refused', async (_, ask) => {
    const [target, status, ...headers] = ask();
    const text = `GET ${target} HTTP/1.1\r\n${headers.join('\r\n')}\r\nconnection: close\r\n\r\n`;
    const answer = await sendRaw({ port: daemon.at.port as number }, Buffer.from(text, 'latin1'));
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).not.toContain('root:x:');
    // Whatever refuses it, the program's own words say why.
    expect(answer).toMatch(/\r\n\r\n\{"outcome":"/);
  });

  test('the socket and the token are ours alone, and only this machine is listened to', async () => {
    expect(lstatSync(daemon.at.socket).mode & 0o777).toBe(0o600);
    expect(lstatSync(daemon.at.tokenFile as string).mode & 0o777).toBe(0o600);
    expect(Buffer.from(token(), 'base64url')).toHaveLength(32);
    const refused = await new Promise<string>((resolve) => {
      const socket = createConnection({ host: '127.0.0.2', port: daemon.at.port as number });
      socket.once('connect', () => resolve('connected'));
      socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
    });
    expect(refused).toBe('ECONNREFUSED');
  });
});

async function listen(path: string) {
  let text = '';
  let wake = () => {};
  const sent = request({ socketPath: daemon.at.socket, path, agent: false });
  sent.on('error', () => {});
  sent.on('response', (response) => {
    response.on('error', () => {});
    response.on('data', (chunk) => {
      text += chunk;
      wake();
    });
  });
  sent.end();
  return {
    async until(said: string) {
      while (!text.includes(said)) await new Promise<void>((resolve) => (wake = resolve));
    },
    end: () => sent.destroy(),
  };
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setImmediate(resolve));
}
