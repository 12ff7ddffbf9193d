/**
 * The HTTP side of a daemon: routes become handlers, and every way a request can be wrong becomes one shape of answer. One app serves the
 * unix socket, a second one TCP behind its guard.
 */

import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Fastify from 'fastify';
import { beginsWithBom, holdsKey, isUnicodeJson } from '../../kernel/base/json.ts';
import { findNearest } from '../../kernel/base/text.ts';
import { OutputRefused } from '../../kernel/base/write-file.ts';
import { parseJsonObject } from '../../kernel/formats/parse-json.ts';
import { visibleJson, visibleText } from '../../kernel/secrets/outgoing.ts';
import type { DaemonEvent } from '../daemon/daemon-events.ts';
import type { Health } from '../daemon/find-daemon.ts';
import { whyRefused } from '../operations/answer-words.ts';
import type { OpenDoor, PageMount } from '../page/page-door.ts';
import { guardAnswer, isOpenAddress, mountPage } from '../page/serve-page.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Metrics } from './metrics.ts';
import { Refusal, type Reply, type Route, type Tell } from './route.ts';
import { routes } from './routes.ts';
import { checkOrigin, checkTcp, type TcpGuard } from './tcp-guard.ts';

/** What the HTTP side needs of a daemon. */
export type Service = {
  health(): Health;
  /** The façade for one request; the signal is the request's. */
  workspace(signal: AbortSignal): Workspace;
  listen(receive: (event: DaemonEvent) => void): () => void;
  readonly metrics: Metrics;
  /** A client is served until the answer is called: for as long the daemon is not idle. */
  noteClient(): () => void;
  /** The work tree is where it was; says why not. */
  whyGone(): string | null;
  /** Opens 127.0.0.1 for the page for people, where that is not open. */
  openPage(): Promise<OpenDoor>;
  /** Ends the daemon, after the answer. */
  stop(why: string): void;
  readonly signal: AbortSignal;
  log(line: string): void;
};

/** Where streamable HTTP of MCP is answered. The body has not been read. */
export type McpMount = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export type AppSettings = {
  readonly service: Service;
  /** With a guard: what a browser is served. */
  readonly page?: PageMount | undefined;
  readonly guard?: TcpGuard | undefined;
  readonly mcp?: McpMount | undefined;
  readonly limits?: Partial<Record<keyof typeof httpLimits, number>> | undefined;
};

/** What a request may cost before it is understood. */
export const httpLimits = {
  bodyBytes: 1024 * 1024,
  bodyDepth: 32,
  headerBytes: 16 * 1024,
  /** For the whole request, headers and body; the answer takes as long as it takes. */
  requestMs: 10_000,
  /** How often slow requests are looked for. */
  checkMs: 1_000,
  keepAliveMs: 5_000,
  /** At once, before any of them has said who it is: what is open costs a descriptor, and reading files needs those. */
  connections: 256,
  /** A stream that is not read is ended when this much waits to be sent. */
  streamBacklogBytes: 1024 * 1024,
  heartbeatMs: 15_000,
} as const satisfies Record<string, number>;

export function createApp({ service, guard, page, mcp, limits: given }: AppSettings): FastifyInstance {
  const limits = { ...httpLimits, ...given };
  const app = Fastify({
    bodyLimit: limits.bodyBytes,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
    // No longer than headers may be: the route says what is too long.
    routerOptions: { maxParamLength: limits.headerBytes },
    frameworkErrors: (error, _, reply) => {
      const refusal = new Refusal(error.statusCode ?? 400, 'invalid', 'this is no address');
      (reply as unknown as FastifyReply).code(refusal.status).send(refusal.problem);
    },
    http: {
      headersTimeout: limits.requestMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: limits.checkMs,
      maxHeaderSize: limits.headerBytes,
      // Node's own refusal has no body.
      requireHostHeader: false,
    },
    clientErrorHandler: refuseMalformed,
  });
  app.server.maxConnections = limits.connections;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_: FastifyRequest, bytes: Buffer) =>
    parseBody(bytes),
  );

  app.addHook('onRequest', async (request, reply) => {
    const path = pathOf(request);
    if (guard !== undefined) guardAnswer(reply.raw);
    checkForm(request.raw);
    if (guard !== undefined) {
      if (page !== undefined && isOpenAddress(request.raw, path)) checkOrigin(guard, request.headers);
      else checkTcp(guard, request.headers);
    }
    if (path === '/healthz' || path === '/metrics') return;
    reply.raw.once('close', service.noteClient());
    if (service.signal.aborted) throw new Refusal(503, 'ending', 'the daemon is ending; ask again');
    const gone = service.whyGone();
    if (gone !== null) {
      service.stop(gone);
      throw new Refusal(410, 'tree_gone', gone);
    }
  });
  // Whatever made it, an answer leaves by this door; what is streamed is written line by line through the same.
  app.addHook('onSend', async (_request, _reply, payload) =>
    typeof payload === 'string' ? visibleText(payload) : payload,
  );
  app.addHook('onResponse', async (request, reply) => {
    service.metrics.observe(request.routeOptions.url ?? 'none', reply.statusCode, reply.elapsedTime / 1000);
  });
  app.setErrorHandler((error: FastifyError | Refusal, _, reply) => {
    const { status, problem } = error instanceof Refusal ? error : refusalOf(error, service, limits.bodyBytes);
    return reply.code(status).send(problem);
  });
  app.setNotFoundHandler((request) => {
    throw unknownRoute(request);
  });

  app.get('/healthz', async () => service.health());
  app.get('/metrics', async (_, reply) => {
    reply.type('text/plain; version=0.0.4; charset=utf-8');
    return renderMetrics(service);
  });
  app.get('/openapi.json', async () => {
    const { describeApi } = await import('./openapi.ts');
    return describeApi(service.health().version);
  });
  app.get('/v1/events', async (_, reply) => {
    reply.hijack();
    streamEvents(service, reply.raw);
  });
  if (page !== undefined) mountPage(app, page);
  // Over the socket alone: who may read the token is told the address that holds it.
  if (guard === undefined) app.post('/v1/page', async () => service.openPage());
  if (mcp !== undefined) app.register(async (scope) => mountMcp(scope, mcp, service));
  for (const route of routes)
    for (const url of [route.url, ...(route.also ?? [])])
      app.route({ method: route.method, url: url.replace(/\{(\w+)\}/g, ':$1'), handler: handlerOf(route, service) });
  return app;
}

/** The protocol has its own words for what is wrong with a body, so it reads that itself. */
function mountMcp(scope: FastifyInstance, mcp: McpMount, service: Service): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
  scope.route({
    method: ['GET', 'POST', 'DELETE'],
    url: '/mcp',
    handler: async (request, reply) => {
      reply.hijack();
      await mcp(request.raw, reply.raw).catch((error: unknown) => endBroken(error, reply, service));
    },
  });
}

function handlerOf(route: Route, service: Service) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const gone = new AbortController();
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) gone.abort(new Error('the client went away'));
    });
    const signal = AbortSignal.any([gone.signal, service.signal]);
    const workspace = service.workspace(signal);
    const given = readGiven(route, request);
    const accepts = (type: string) =>
      (request.headers.accept ?? '').split(',').some((one) => one.trim().startsWith(type));
    if (!accepts('application/x-ndjson')) {
      const answer = await route.run(given, { workspace, tell: () => {}, accepts });
      return send(reply, answer);
    }
    reply.hijack();
    await streamAnswer(reply, service, (tell) => route.run(given, { workspace, tell, accepts: () => false }));
    return reply;
  };
}

function send(reply: FastifyReply, { status, body, type }: Reply): FastifyReply {
  if (status === 503) reply.header('retry-after', '1');
  return reply
    .code(status)
    .type(type ?? 'application/json; charset=utf-8')
    .send(body);
}

/** Lines as things happen, then one with the result. What cannot be sent at once is left out: progress is not worth memory. */
async function streamAnswer(reply: FastifyReply, service: Service, run: (tell: Tell) => Promise<Reply>): Promise<void> {
  const { raw } = reply;
  raw.writeHead(200, { 'content-type': 'application/x-ndjson; charset=utf-8', 'cache-control': 'no-store' });
  raw.flushHeaders();
  const tell: Tell = (line) => {
    if (!raw.writableNeedDrain && !raw.destroyed) raw.write(`${visibleJson(line)}\n`);
  };
  try {
    const { status, body } = await run(tell);
    raw.end(`${visibleJson(status === 200 ? { result: body } : { problem: body, status })}\n`);
  } catch (error) {
    const { status, problem } = error instanceof Refusal ? error : refusalOf(error, service, 0);
    raw.end(`${visibleJson({ problem, status })}\n`);
  }
}

function readGiven(route: Route, request: FastifyRequest): Readonly<Record<string, unknown>> {
  const params = request.params as Readonly<Record<string, string>>;
  const rest = route.method === 'GET' ? readQuery(request.query) : ((request.body ?? {}) as Record<string, unknown>);
  for (const name of route.params)
    if (Object.hasOwn(rest, name))
      throw new Refusal(400, 'invalid', `${name}: it is in the address already`, { field: name });
  return { ...rest, ...Object.fromEntries(route.params.map((name) => [name, params[name]])) };
}

/** A query has no numbers; what looks like one is meant as one. */
function readQuery(query: unknown): Record<string, unknown> {
  const pairs = Object.entries(query as Readonly<Record<string, unknown>>);
  return Object.fromEntries(
    pairs.map(([name, value]) => [
      name,
      typeof value === 'string' && /^-?\d{1,9}$/.test(value) ? Number(value) : value,
    ]),
  );
}

/** What two readers of one request could understand differently is refused: which Host it has, and what its bytes mean. */
function checkForm({ rawHeaders, headers, httpVersion, url = '' }: IncomingMessage): void {
  // A whole address names a host of its own, which would count instead of the one that is checked.
  if (!url.startsWith('/')) throw new Refusal(400, 'invalid', 'this is no address', { accepted: ['a path'] });
  const names = rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
  const twice = ['host', 'content-type', 'content-length', 'content-encoding', 'authorization', 'origin'].find(
    (name) => names.indexOf(name) !== names.lastIndexOf(name),
  );
  if (twice !== undefined) throw new Refusal(400, 'invalid', `${twice}: given twice`, { field: twice });
  if (httpVersion === '1.1' && headers.host === undefined)
    throw new Refusal(400, 'invalid', 'host: is missing', { field: 'host' });
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw new Refusal(415, 'wrong_type', 'Content-Encoding: not taken here', {
      field: 'content-encoding',
      accepted: ['identity'],
    });
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(headers['content-type'] ?? '')?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset))
    throw new Refusal(415, 'wrong_type', 'Content-Type: the charset is UTF-8', {
      field: 'content-type',
      accepted: ['application/json; charset=utf-8'],
    });
}

function parseBody(bytes: Buffer): object {
  if (bytes.length === 0) return {};
  if (!isUtf8(bytes)) throw new Refusal(400, 'invalid', 'the body is not UTF-8', { accepted: ['a JSON object'] });
  if (beginsWithBom(bytes))
    throw new Refusal(400, 'invalid', 'the body begins with a byte order mark', { accepted: ['a JSON object'] });
  const parsed = parseJsonObject(bytes, { maxBytes: httpLimits.bodyBytes, maxDepth: httpLimits.bodyDepth });
  if (parsed.ok) {
    if (parsed.notes.length > 0)
      throw new Refusal(400, 'invalid', 'the body has a key twice', { accepted: ['each key once'] });
    if (!isUnicodeJson(parsed.value))
      throw new Refusal(400, 'invalid', 'the body has half a surrogate pair, which is no text', {
        accepted: ['a JSON object'],
      });
    if (holdsKey(parsed.value, '__proto__'))
      throw new Refusal(400, 'invalid', '__proto__: no such field', { field: '__proto__' });
    return parsed.value;
  }
  throw new Refusal(400, 'invalid', `the body is no JSON object (${parsed.failure.kind})`, {
    accepted: ['a JSON object'],
  });
}

function refusalOf(error: unknown, service: Service, bodyBytes: number): Refusal {
  const { code, statusCode } = error as Partial<FastifyError>;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new Refusal(413, 'too_large', `the body is larger than ${bodyBytes} bytes`);
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new Refusal(415, 'wrong_type', 'Content-Type: not taken here', {
      field: 'content-type',
      accepted: ['application/json'],
    });
  const message = error instanceof Error ? error.message : String(error);
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500)
    return new Refusal(statusCode, 'invalid', message);
  if (service.signal.aborted) return new Refusal(503, 'ending', 'the daemon is ending; ask again');
  if (error instanceof OutputRefused) return new Refusal(409, 'output_refused', whyRefused(error));
  // The isolation edge of one request: a bug becomes an answer and a line in the log, and nothing else of it gets out.
  if (message !== 'the client went away')
    service.log(`bug: ${error instanceof Error ? (error.stack ?? message) : message}`);
  return new Refusal(500, 'internal', 'an internal error: a bug in codegenie; the log of the daemon has more');
}

function unknownRoute(request: FastifyRequest): Refusal {
  const path = pathOf(request);
  const known = routes.flatMap(({ url, also = [], method }) => [url, ...also].map((one) => ({ url: one, method })));
  const matches = known.filter(({ url }) => new RegExp(`^${url.replace(/\{\w+\}/g, '[^/]+')}$`).test(path));
  if (matches.length > 0)
    return new Refusal(405, 'wrong_method', `${request.method} is not taken here`, {
      field: 'method',
      given: request.method,
      accepted: matches.map(({ method }) => method),
    });
  const urls = known.map(({ url }) => url);
  return new Refusal(404, 'not_found', 'there is nothing at this address; /openapi.json lists what there is', {
    field: 'path',
    given: path.slice(0, 200),
    nearest: findNearest(path, urls) ?? null,
  });
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] as string;
}

function endBroken(error: unknown, reply: FastifyReply, service: Service): void {
  service.log(`bug: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  if (!reply.raw.headersSent) reply.raw.writeHead(500);
  reply.raw.end();
}

/** What is no HTTP, or comes too slowly, before there is a request. */
function refuseMalformed(error: NodeJS.ErrnoException, socket: import('node:net').Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, outcome, message] =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? (['408 Request Timeout', 'too_slow', 'the request did not arrive in time'] as const)
      : error.code === 'HPE_HEADER_OVERFLOW'
        ? (['431 Request Header Fields Too Large', 'too_large', 'the headers are too large'] as const)
        : (['400 Bad Request', 'invalid', 'this is no HTTP request'] as const);
  const body = visibleJson(new Refusal(400, outcome, message).problem);
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

function renderMetrics(service: Service): string {
  const { clients, watch, started_at, generation } = service.health();
  return service.metrics.render({
    codegenie_uptime_seconds: Math.round((Date.now() - Date.parse(started_at)) / 1000),
    codegenie_resident_memory_bytes: process.memoryUsage.rss(),
    codegenie_clients: clients,
    codegenie_generation: generation ?? 0,
    codegenie_watch_ok: watch === 'ok' ? 1 : 0,
  });
}

// `GET /v1/events`: server-sent events for as long as the client listens and the daemon lives.

function streamEvents(service: Service, response: ServerResponse): void {
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  const write = (text: string) => {
    if (response.writableLength > httpLimits.streamBacklogBytes) response.destroy();
    else if (!response.destroyed) response.write(text);
  };
  const { state, generation } = service.health();
  write(`event: hello\ndata: ${visibleJson({ type: 'hello', state, generation })}\n\n`);
  const unlisten = service.listen((event) => write(`event: ${event.type}\ndata: ${visibleJson(event)}\n\n`));
  const heartbeat = setInterval(() => write(': still here\n\n'), httpLimits.heartbeatMs);
  const end = () => {
    unlisten();
    clearInterval(heartbeat);
    service.signal.removeEventListener('abort', end);
    response.end();
  };
  service.signal.addEventListener('abort', end, { once: true });
  response.once('close', end);
}
