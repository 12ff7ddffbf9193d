/** Requests whose form two readers could understand differently, and connections that ask nothing, over TCP and with everything that lets a client in. */

import { readFileSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { httpLimits } from '../../src/serve/http/create-app.ts';
import { startTestDaemon } from '../support/daemon-world.ts';
import { createFixtureRepo, type FixtureRepo } from '../support/fixture-repo.ts';
import { sendRaw } from '../support/raw-http.ts';

let repo: FixtureRepo;
let daemon: Awaited<ReturnType<typeof startTestDaemon>>;
beforeAll(async () => {
  repo = createFixtureRepo({ 'a.ts': 'export const total = 1;\n' });
  daemon = await startTestDaemon(repo, { port: 0 });
});
afterAll(async () => {
  await daemon.stop();
  repo.dispose();
});

const at = () => ({ port: daemon.at.port as number });
const host = () => `host: 127.0.0.1:${daemon.at.port}`;
const body = '{"query":"total"}';
const length = `content-length: ${body.length}`;
const chunked = 'transfer-encoding: chunked';
const inChunks = (...parts: readonly string[]) =>
  [...parts, ''].map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('');

type Odd = { readonly line?: string; readonly headers?: readonly string[]; readonly body?: string };
function write({ line = 'POST /v1/search HTTP/1.1', headers = [], body: sent = body }: Odd): string {
  const token = readFileSync(daemon.at.tokenFile as string, 'utf8').trim();
  const good = [`authorization: Bearer ${token}`, `x-codegenie-root: ${daemon.workspace().repo().root_hash}`];
  const all = [host(), ...good, 'content-type: application/json', 'connection: close', ...headers];
  return `${line}\r\n${all.join('\r\n')}\r\n\r\n${sent}`;
}
const statusesOf = (answer: string) => [...answer.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status));

const none: Readonly<Record<string, Odd>> = {
  'chunks and a length': { headers: [chunked, length], body: inChunks(body) },
  'chunked twice': { headers: [chunked, chunked], body: inChunks(body) },
  'chunked, and then something else': { headers: [`${chunked}, identity`], body: inChunks(body) },
  'an unknown coding': { headers: ['transfer-encoding: xchunked'], body: inChunks(body) },
  'a blank before the colon': { headers: ['transfer-encoding : chunked'], body: inChunks(body) },
  'a chunk of a hexadecimal literal': { headers: [chunked], body: `0x11\r\n${body}\r\n0\r\n\r\n` },
  'a negative chunk': { headers: [chunked], body: `-11\r\n${body}\r\n0\r\n\r\n` },
  'a chunk larger than numbers': { headers: [chunked], body: `fffffffffffffffff\r\n${body}` },
  'a chunk with 40 000 words about it': {
    headers: [chunked],
    body: `11;${'a'.repeat(40_000)}\r\n${body}\r\n0\r\n\r\n`,
  },
  'chunks with bare line feeds': { headers: [chunked], body: `11\n${body}\n0\n\n` },
  'two lengths': { headers: [length, 'content-length: 3'] },
  'a list of lengths': { headers: [`${length}, ${body.length}`] },
  'a negative length': { headers: ['content-length: -1'] },
  'a length with a sign': { headers: [`content-length: +${body.length}`] },
  'a hexadecimal length': { headers: ['content-length: 0x11'] },
  'a length larger than numbers': { headers: ['content-length: 99999999999999999999'] },
  'a body behind an empty one': { headers: ['content-length: 0'] },
  'another version of the protocol': { line: 'POST /v1/search HTTP/9.9', headers: [length] },
  'the preface of version 2': { line: 'PRI * HTTP/2.0' },
  'a blank in the name of a header': { headers: ['x y: 1', length] },
  'a backslash for an address': { line: 'GET \\v1\\status HTTP/1.1' },
  'a star for an address': { line: 'OPTIONS * HTTP/1.1', body: '' },
  'a NUL in an address': { line: 'GET /v1/status%00 HTTP/1.1', body: '' },
  'a line end in an address': { line: 'GET /v1/status%0d%0ax:y HTTP/1.1', body: '' },
  'a parameter in an address': { line: 'GET /v1/status;a=b HTTP/1.1', body: '' },
  'a fragment in an address': { line: 'GET /v1/status#x HTTP/1.1', body: '' },
  TRACE: { line: 'TRACE /v1/status HTTP/1.1', body: '' },
  CONNECT: { line: 'CONNECT evil.example:80 HTTP/1.1', body: '' },
  '3 000 headers': { headers: [...Array.from({ length: 3000 }, (_, n) => `a${n}: b`), length] },
  '5 000 trailers': { headers: [chunked], body: `11\r\n${body}\r\n0\r\n${'a: b\r\n'.repeat(5_000)}\r\n` },
  'an expectation that it does not know': { headers: ['expect: 200-maybe', length] },
};
test.each(Object.entries(none))('%s is no request', async (_, odd) => {
  const answer = await sendRaw(at(), Buffer.from(write(odd), 'latin1'));
  for (const status of statusesOf(answer)) expect(status).toBeGreaterThanOrEqual(400);
  expect(answer).not.toContain('"outcome":"ok"');
});

test('lines that end in a line feed alone are no request', async () => {
  const answer = await sendRaw(at(), write({ headers: [length] }).replaceAll('\r\n', '\n'));
  expect(statusesOf(answer)).toEqual([400]);
});

test.each(['127.0.0.1.nip.io', 'localhost.evil.example', '[::1]', '2130706433', '0x7f000001', '127.0.0.1.', '0'])(
  'a name that may lead here is not ours: %s',
  async (name) => {
    const asked = write({ headers: [length] }).replace(host(), `host: ${name}:${daemon.at.port}`);
    expect(statusesOf(await sendRaw(at(), asked))).toEqual([403]);
  },
);

const one: Readonly<Record<string, Odd>> = {
  'a body in one chunk': { headers: [chunked], body: inChunks(body) },
  'a byte a chunk': { headers: [chunked], body: inChunks(...body) },
  'trailers that name another client': {
    headers: [chunked, 'trailer: authorization'],
    body: `11\r\n${body}\r\n0\r\nauthorization: Bearer x\r\nx-codegenie-root: 0\r\n\r\n`,
  },
  'a method beside the method': { headers: ['x-http-method-override: DELETE', length] },
  'a host that was forwarded': { headers: ['x-forwarded-host: evil.example', 'x-original-url: /v1/plans', length] },
};
test.each(Object.entries(one))('%s is one request', async (_, odd) => {
  const answer = await sendRaw(at(), write(odd));
  expect(statusesOf(answer)).toEqual([200]);
  expect(answer).toContain('"outcome":"ok"');
});

test('a request behind one that closes is not answered', async () => {
  const answer = await sendRaw(
    at(),
    write({ headers: [length] }) + write({ line: 'GET /v1/plans HTTP/1.1', body: '' }),
  );
  expect(statusesOf(answer)).toHaveLength(1);
  expect(answer).not.toContain('"plans"');
});

test('connections that say nothing are no more than a number, and the socket of the user answers meanwhile', async () => {
  const sockets: Socket[] = [];
  let open = 0;
  const settled = Array.from({ length: 2 * httpLimits.connections }, () => {
    const socket = createConnection({ host: '127.0.0.1', ...at() });
    sockets.push(socket);
    socket.on('error', () => {});
    return new Promise<void>((resolve) => {
      // What is let in says so by answering; what is not is closed.
      socket.once('connect', () => socket.write(`GET /healthz HTTP/1.1\r\n${host()}\r\n\r\n`));
      socket.once('data', () => {
        open += 1;
        resolve();
      });
      socket.once('close', () => resolve());
    });
  });
  await Promise.all(settled);
  expect(open).toBeGreaterThan(0);
  expect(open).toBeLessThanOrEqual(httpLimits.connections);
  expect((await daemon.post('/v1/search', { query: 'total' })).status).toBe(200);
  for (const socket of sockets) socket.destroy();
});
