/**
 * MCP over streamable HTTP as one function of a node request and its response, for whichever server mounts it. It keeps nothing between
 * requests. Who may ask (socket, token, Host and Origin) is decided by the server before it comes here.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { createServer, type ServerSettings } from './create-server.ts';

export type McpHttpHandler = {
  /** `body`: where the server has read and parsed it already. */
  readonly handle: (request: IncomingMessage, response: ServerResponse, body?: unknown) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Larger than any proof; smaller than what would be a burden. */
const maxBodyBytes = 1024 * 1024;

export async function createMcpHttpHandler(settings: ServerSettings): Promise<McpHttpHandler> {
  const { createMcpHandler } = await import('@modelcontextprotocol/server');
  const handler = createMcpHandler(() => createServer(settings), {
    onerror: settings.onBug,
    maxRequestBodySize: maxBodyBytes,
  });
  return {
    async handle(request, response, body) {
      const gone = new AbortController();
      response.once('close', () => gone.abort(new Error('the client is gone')));
      try {
        const asked = toWebRequest(request, gone.signal, body);
        const answer = await handler.fetch(asked, body === undefined ? {} : { parsedBody: body });
        // What was not read of a refused body would be read as the next request.
        if (!request.complete) response.setHeader('connection', 'close');
        await sendWebResponse(answer, response);
      } catch (error) {
        if (!gone.signal.aborted) settings.onBug(error);
        if (response.headersSent) response.destroy();
        else response.writeHead(500, { 'content-type': 'application/json' }).end(internalError);
      }
    },
    close: () => handler.close(),
  };
}

const internalError = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32603, message: 'internal error' } });

function toWebRequest(request: IncomingMessage, signal: AbortSignal, body: unknown): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    // What begins with a colon is the wire's, not a header.
    if (value === undefined || name.startsWith(':')) continue;
    for (const one of Array.isArray(value) ? value : [value]) headers.append(name, one);
  }
  const { method = 'GET' } = request;
  const url = new URL(request.url ?? '/', 'http://localhost');
  if (method === 'GET' || method === 'HEAD' || body !== undefined) return new Request(url, { method, headers, signal });
  const stream = Readable.toWeb(request) as ReadableStream<Uint8Array>;
  return new Request(url, { method, headers, signal, body: stream, duplex: 'half' } as RequestInit);
}

async function sendWebResponse(answer: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body === null) {
    response.end();
    return;
  }
  for await (const chunk of answer.body) {
    if (response.destroyed) break;
    if (!response.write(chunk)) await new Promise<void>((resolve) => drained(response, resolve));
  }
  response.end();
}

function drained(response: ServerResponse, resolve: () => void): void {
  response.once('drain', resolve);
  response.once('close', resolve);
}
