/** Fetching documents from a real https server on this machine, with a certificate made for the occasion. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProbeRepo } from '../../src/gather/contract.ts';
import { type FetchOptions, fetchDocument } from '../../src/probes/external-docs/fetch-document.ts';
import { collectDocuments } from '../../src/probes/external-docs/gather-external-docs.ts';

const never = new AbortController().signal;
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

describe.skipIf(!hasOpenssl)('against a real https server on this machine (needs openssl)', () => {
  let dir: string;
  let server: Server;
  let host: string;
  let options: FetchOptions;
  const seen: IncomingMessage[] = [];

  const pages: Readonly<Record<string, (response: ServerResponse) => void>> = {
    '/page': (response) =>
      response
        .setHeader('set-cookie', 'a=b')
        .setHeader('content-type', 'text/html; charset=latin1')
        .end(Buffer.from([0xe4])),
    '/guide?key=1': (response) =>
      response
        .setHeader('content-type', 'text/html')
        .end('<title>Guide</title><script>x</script><h1>Guide</h1><p>Read <a href="/page">this</a>.</p>'),
    '/here': (response) => response.writeHead(302, { location: '/page' }).end(),
    '/elsewhere': (response) => response.writeHead(302, { location: 'https://other.test/' }).end(),
    '/plain-http': (response) => response.writeHead(301, { location: `http://${host}/page` }).end(),
    '/loop': (response) => response.writeHead(302, { location: '/loop' }).end(),
    '/binary': (response) => response.setHeader('content-type', 'application/pdf').end('x'),
    '/gone': (response) => response.writeHead(404).end(),
    '/large': (response) => response.setHeader('content-type', 'text/plain').end('x'.repeat(5000)),
    '/zipped': (response) =>
      response.setHeader('content-type', 'text/plain').setHeader('content-encoding', 'gzip').end('x'),
    '/silent': () => {},
    '/cut': (response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '100' });
      response.write('x');
      response.socket?.destroy();
    },
  };

  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'fetch-document-'));
    const key = join(dir, 'key.pem');
    const cert = join(dir, 'cert.pem');
    const subject = ['-subj', '/CN=docs.test', '-addext', 'subjectAltName=DNS:docs.test'];
    const made = spawnSync('openssl', [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-keyout',
      key,
      '-out',
      cert,
      '-days',
      '2',
      ...subject,
    ]);
    if (made.status !== 0) throw new Error(made.stderr.toString());
    const ca = readFileSync(cert, 'utf8');
    server = createServer({ key: readFileSync(key), cert: ca }, (incoming, response) => {
      seen.push(incoming);
      (pages[incoming.url ?? ''] ?? pages['/gone'])?.(response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    host = `docs.test:${(server.address() as AddressInfo).port}`;
    options = {
      allowedHosts: [host],
      signal: never,
      ca,
      lookup: async () => [{ address: '127.0.0.1', family: 4 }],
      isForbiddenAddress: () => false,
    };
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    rmSync(dir, { recursive: true, force: true });
  });

  test('a page, also behind a redirect on the same host, decoded by its charset and without cookies', async () => {
    const expected = { kind: 'fetched', text: 'ä', mediaType: 'text/html' };
    expect(await fetchDocument(`https://${host}/page`, options)).toEqual(expected);
    expect(await fetchDocument(`https://${host}/here`, options)).toEqual(expected);
    expect(seen.every((incoming) => incoming.headers.cookie === undefined)).toBe(true);
  });

  test.each([
    ['/elsewhere', 'redirect_to_other_host'],
    ['/plain-http', 'redirect_to_other_host'],
    ['/loop', 'too_many_redirects'],
    ['/binary', 'content_type_not_text'],
    ['/gone', 'http_404'],
    ['/large', 'too_large'],
    ['/zipped', 'content_encoding_unsupported'],
    ['/silent', 'timeout'],
    ['/cut', 'connection_failed'],
  ])('G5 %s is refused: %s', async (path, reason) => {
    const timeoutMs = reason === 'timeout' ? 500 : 60_000;
    const outcome = await fetchDocument(`https://${host}${path}`, { ...options, maxBytes: 4096, timeoutMs });
    expect(outcome).toEqual({ kind: 'failed', reason });
  });

  test('G5 a certificate without an authority, and one for another name', async () => {
    const { ca: _ca, ...without } = options;
    expect(await fetchDocument(`https://${host}/page`, without)).toEqual({ kind: 'failed', reason: 'tls_failed' });
    const other = host.replace('docs.test', 'wrong.test');
    expect(await fetchDocument(`https://${other}/page`, { ...options, allowedHosts: [other] })).toEqual({
      kind: 'failed',
      reason: 'tls_failed',
    });
  });

  test('G5 with the default policy the same server cannot be reached', async () => {
    const { isForbiddenAddress: _policy, ...byDefault } = options;
    expect(await fetchDocument(`https://${host}/page`, byDefault)).toEqual({
      kind: 'failed',
      reason: 'address_forbidden',
    });
  });

  test('a list of addresses becomes documents, and each failure is told without its query', async () => {
    const repo = { root: '/repo', inputs: { list: () => [] } } as unknown as ProbeRepo;
    const urls = [`https://${host}/guide?key=1#top`, `https://${host}/gone?key=2`, 'https://elsewhere.test/x?key=3'];
    const { documents, failures } = await collectDocuments(repo, [{ type: 'url_list', urls }], options, never);
    expect(documents.map((document) => document.facts)).toMatchObject([
      { source: 'url_list', title: 'Guide', original_uri: `https://${host}/guide`, headings: ['Guide'], links: 1 },
    ]);
    expect(new TextDecoder().decode(documents[0]?.markdown)).toBe('# Guide\n\nRead [this](/page).\n');
    expect(failures).toEqual([
      { uri: `https://${host}/gone`, reason: 'http_404' },
      { uri: 'https://elsewhere.test/x', reason: 'host_not_allowed' },
    ]);
  });

  test('a cancelled probe stops waiting', async () => {
    const controller = new AbortController();
    const fetching = fetchDocument(`https://${host}/silent`, { ...options, signal: controller.signal });
    controller.abort(new Error('cancelled'));
    await expect(fetching).rejects.toThrow('cancelled');
  });
});
