/** Who else could reach the page's side of a daemon, and what they get: nothing of the repository, and nothing written. */

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensurePageBuilt } from '../../src/serve/page/page-files.ts';
import {
  askHttp,
  createDaemonRepo,
  type HttpAsk,
  type RunningDaemon,
  startTestDaemon,
  stateDirOf,
} from '../support/daemon-world.ts';
import type { FixtureRepo } from '../support/fixture-repo.ts';
import { hasBrowser, openPageWorld, roomAt } from '../support/page-world.ts';

let repo: FixtureRepo;
let daemon: RunningDaemon;
let before: Readonly<Record<string, string>>;
let other: { readonly repo: FixtureRepo; readonly daemon: RunningDaemon };

beforeAll(async () => {
  await ensurePageBuilt(() => {});
  repo = createDaemonRepo();
  before = repo.tree();
  daemon = await startTestDaemon(repo, { port: 0 });
  const second = createDaemonRepo();
  other = { repo: second, daemon: await startTestDaemon(second, { port: 0 }) };
});
afterAll(async () => {
  expect(repo.tree()).toEqual(before);
  await Promise.all([daemon.stop(), other.daemon.stop()]);
  repo.dispose();
  other.repo.dispose();
});

const ask = (path: string, { headers, ...rest }: HttpAsk = {}) =>
  askHttp({ host: '127.0.0.1', port: daemon.at.port ?? 0 }, path, {
    ...rest,
    headers: { host: `127.0.0.1:${daemon.at.port}`, ...headers },
  });
const keyOf = (of: RunningDaemon) => {
  const [token = '', root = ''] = (of.at.page ?? '').split('#')[1]?.split('.') ?? [];
  return { authorization: `Bearer ${token}`, 'x-codegenie-root': root };
};

test('U1 without the token only the page itself is answered, and it holds nothing of the repository', async () => {
  const page = await ask('/');
  expect(page).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } });
  expect(page.text).not.toContain(repo.root);
  for (const path of [
    '/v1/status',
    '/v1/events',
    '/v1/facts',
    '/v1/plans',
    '/healthz',
    '/metrics',
    '/openapi.json',
    '/page/meet',
    '/mcp',
  ])
    expect(await ask(path), path).toMatchObject({ status: 401 });
  expect(await ask('/v1/renames', { method: 'POST', body: { target: 'add', new_name: 'sum' } })).toMatchObject({
    status: 401,
  });
  // The way to the token is open over the socket alone.
  expect(await ask('/v1/page', { method: 'POST', headers: keyOf(daemon), body: {} })).toMatchObject({ status: 404 });
});

test('U2 every answer forbids what the page does not do', async () => {
  for (const path of ['/', '/v1/status', '/assets/none.js']) {
    const { headers } = await ask(path, { headers: keyOf(daemon) });
    const policy = String(headers['content-security-policy']);
    for (const part of [
      "default-src 'none'",
      "script-src 'self'",
      "frame-ancestors 'none'",
      "form-action 'none'",
      "base-uri 'none'",
    ])
      expect(policy, path).toContain(part);
    expect(policy).not.toMatch(/unsafe|\*|https?:|data:/);
    expect(headers, path).toMatchObject({
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    expect(headers['set-cookie']).toBeUndefined();
    expect(headers['access-control-allow-origin']).toBeUndefined();
  }
});

describe('U2 requests that were not made by the page are refused, with the token too', () => {
  const write = { method: 'POST', body: { target: 'add', new_name: 'stolen', apply: true } } as const;
  test.each([
    ['another host', { host: 'evil.example' }],
    ['a host that only begins like this one', { host: '127.0.0.1.evil.example' }],
    ['another origin', { origin: 'http://evil.example' }],
    ['an origin of another port', { origin: 'http://127.0.0.1:1' }],
    ['no origin, as of a file or a sandboxed frame', { origin: 'null' }],
    ['a site that the browser calls another', { 'sec-fetch-site': 'cross-site' }],
    ['a site that is this machine on another port', { 'sec-fetch-site': 'same-site' }],
  ])('%s', async (_, headers) => {
    expect((await ask('/v1/renames', { ...write, headers: { ...keyOf(daemon), ...headers } })).status).toBe(403);
  });

  test('a form, which cannot send JSON or headers', async () => {
    const form = {
      method: 'POST',
      body: 'target=add&new_name=stolen',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://evil.example' },
    };
    expect((await ask('/v1/renames', form)).status).toBe(403);
    const sameSite = { ...form, headers: { ...keyOf(daemon), 'content-type': 'text/plain' } };
    expect((await ask('/v1/renames', sameSite)).status).toBe(415);
  });

  test('the key of another repository', async () => {
    expect((await ask('/v1/status', { headers: keyOf(other.daemon) })).status).toBe(401);
    const mixed = { ...keyOf(daemon), 'x-codegenie-root': keyOf(other.daemon)['x-codegenie-root'] };
    expect((await ask('/v1/status', { headers: mixed })).status).toBe(412);
  });
});

test('U5 a token is given away sealed: only to a page that was met, for this question and this port', async () => {
  const nonce = 'a'.repeat(32);
  expect((await ask(`/page/renew?id=nobody&nonce=${nonce}`)).status).toBe(404);
  const met = await ask('/page/meet', { method: 'POST', headers: keyOf(daemon), body: {} });
  const { id, key } = met.json as { readonly id: string; readonly key: string };
  const renewed = await ask(`/page/renew?id=${id}&nonce=${nonce}`);
  expect(renewed.status).toBe(200);
  const token = keyOf(daemon).authorization.slice('Bearer '.length);
  expect(renewed.text).not.toContain(token);
  const { iv, sealed } = renewed.json as { readonly iv: string; readonly sealed: string };
  const open = async (aad: string) => {
    const made = await crypto.subtle.importKey('raw', Buffer.from(key, 'base64url'), 'AES-GCM', false, ['decrypt']);
    const additionalData = Buffer.from(aad);
    const opened = await crypto.subtle.decrypt(
      { name: 'AES-GCM', iv: Buffer.from(iv, 'base64url'), additionalData },
      made,
      Buffer.from(sealed, 'base64url'),
    );
    return Buffer.from(opened).toString();
  };
  expect(await open(`${nonce}.${daemon.at.port}`)).toBe(token);
  await expect(open(`${nonce}.1`)).rejects.toThrow();
  await expect(open(`${'b'.repeat(32)}.${daemon.at.port}`)).rejects.toThrow();
});

test('U2 a thousand requests without a token are a thousand refusals, and the page is still answered', async () => {
  const answers = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const statuses: number[] = [];
      for (let at = 0; at < 100; at += 1)
        statuses.push(
          (await ask('/v1/renames', { method: 'POST', body: { target: 'add', new_name: `x${at}` } })).status,
        );
      return statuses;
    }),
  );
  expect(new Set(answers.flat())).toEqual(new Set([401]));
  expect((await ask('/v1/status', { headers: keyOf(daemon) })).status).toBe(200);
});

test('U1 the log of the daemon does not hold the token', () => {
  const token = keyOf(daemon).authorization.slice('Bearer '.length);
  expect(readFileSync(`${stateDirOf(repo)}/run/token`, 'utf8')).toContain(token);
  expect(readFileSync(`${stateDirOf(repo)}/logs/daemon.log`, 'utf8')).not.toContain(token);
});

test.skipIf(!hasBrowser)(
  'U2 a page of another place can neither frame it, nor ask it, nor send it a form (needs chromium)',
  async () => {
    const world = await openPageWorld();
    const address = roomAt(daemon, '/facts');
    const { authorization } = keyOf(daemon);
    const server = createServer((_, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(
        `<!doctype html><iframe id="frame" src="${address}"></iframe><form id="form" method="post" action="http://127.0.0.1:${daemon.at.port}/v1/renames" target="sink"><input name="target" value="add"></form><iframe name="sink"></iframe>`,
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { readonly port: number };
    const { page, close } = await world.open(`http://127.0.0.1:${port}/`);
    // What was refused is shown as an error of the browser, which has no document that could be read.
    const frame = page.frames().find((one) => one.url().startsWith('chrome-error:'));
    expect(frame).toBeDefined();
    const asked = await page.evaluate(
      async ([url, key]) => {
        try {
          await fetch(url as string, { headers: { authorization: key as string } });
          return 'answered';
        } catch {
          return 'refused';
        }
      },
      [`http://127.0.0.1:${daemon.at.port}/v1/status`, authorization],
    );
    expect(asked).toBe('refused');
    const answered = page.waitForResponse((response) => response.url().endsWith('/v1/renames'));
    await page.evaluate("document.getElementById('form').submit()");
    expect((await answered).status()).toBe(403);
    await close();
    await world.close();
    server.close();
  },
);
