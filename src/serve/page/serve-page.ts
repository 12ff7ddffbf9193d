/**
 * What a browser is served at the daemon's TCP side. The files are the same for everybody and hold nothing of the repository, so they need
 * no token; everything else does. A policy forbids whatever the page does not do: scripts and styles that are no files of it, frames, forms,
 * addresses elsewhere, and text that becomes markup.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../http/route.ts';
import type { PageMount } from './page-door.ts';

const rooms = ['/', '/facts', '/map', '/ask', '/change', '/health'] as const;
const renewAddress = '/page/renew';

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** What a browser may be answered without the token: the page itself, and a token that only its own page can open. */
export function isOpenAddress({ method }: Pick<IncomingMessage, 'method'>, path: string): boolean {
  if (method !== 'GET') return false;
  return (rooms as readonly string[]).includes(path) || path.startsWith('/assets/') || path === renewAddress;
}

/** On every answer of the TCP side, streams too. */
export function guardAnswer(response: ServerResponse): void {
  response.setHeader('content-security-policy', policy);
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('x-frame-options', 'DENY');
  response.setHeader('referrer-policy', 'no-referrer');
  response.setHeader('cross-origin-opener-policy', 'same-origin');
  response.setHeader('cross-origin-resource-policy', 'same-origin');
  response.setHeader('cache-control', 'no-store');
}

export function mountPage(app: FastifyInstance, page: PageMount): void {
  const serve = (request: FastifyRequest, reply: FastifyReply) => {
    const files = page.files();
    if (files === undefined)
      throw new Refusal(503, 'not_built', 'the page is not built yet; `codegenie ui` builds and opens it');
    const [path = ''] = request.url.split('?', 1);
    const isRoom = (rooms as readonly string[]).includes(path);
    const file = files.get(isRoom ? '/' : path);
    if (file === undefined) throw new Refusal(404, 'not_found', 'the page has no such file');
    // Names of these files change with what is in them.
    if (!isRoom) reply.header('cache-control', 'private, max-age=31536000, immutable');
    return reply.type(file.type).send(file.bytes);
  };
  for (const room of rooms) app.get(room, serve);
  app.get('/assets/*', serve);
  app.post('/page/meet', async () => page.meet());
  app.get(renewAddress, async (request) => {
    const { id, nonce } = request.query as Readonly<Record<string, unknown>>;
    const isAsked = typeof id === 'string' && typeof nonce === 'string' && /^[\w-]{16,64}$/.test(nonce);
    const sealed = isAsked ? page.seal(id, nonce) : undefined;
    if (sealed === undefined) throw new Refusal(404, 'not_found', 'no page of this id is known here');
    return sealed;
  });
}
