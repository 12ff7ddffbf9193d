/**
 * MCP over streamable HTTP as one function of a node request and its response, for the server that mounts it. It keeps nothing between
 * requests. The server decides who may ask (socket, token, Host and Origin) before a request comes here.
 */

import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { isJsonObject } from '../../kernel/base/json.ts';
import { visibleJson, visibleText } from '../../kernel/secrets/outgoing.ts';
import { createServer, type ServerSettings } from './create-server.ts';
import { readMessage } from './read-message.ts';

export type McpHttpHandler = {
  /** `body`: where the server has read and parsed it already. */
  readonly handle: (request: IncomingMessage, response: ServerResponse, body?: unknown) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Larger than any proof; smaller than what would be a burden. */
const maxBodyBytes = 1024 * 1024;

export async function createMcpHttpHandler(settings: ServerSettings): Promise<McpHttpHandler> {
  const { createMcpHandler, isJsonContentType, isSpecType } = await import('@modelcontextprotocol/server');
  const handler = createMcpHandler(() => createServer(settings), {
    onerror: settings.onBug,
    maxRequestBodySize: maxBodyBytes,
  });
  /** Calls under way, by the name that their client was given and the number it gave them. */
  const underWay = new Map<string, AbortController>();
  return {
    async handle(request, response, body) {
      const gone = new AbortController();
      response.once('close', () => gone.abort(new Error('the client is gone')));
      let call: string | undefined;
      try {
        const bytes = body === undefined ? await readBytes(request) : undefined;
        const type = request.headers['content-type'] ?? null;
        // Of a body that is empty, too large or of another type the protocol says what is wrong.
        const hasMessage = bytes !== undefined && bytes.length > 0 && isJsonContentType(type);
        const read = hasMessage ? readMessage(bytes, isSpecType.JSONRPCMessage) : { message: body };
        if ('problem' in read) {
          const refusal = visibleJson({ jsonrpc: '2.0', ...read.problem });
          response.writeHead(400, { 'content-type': 'application/json' }).end(refusal);
          return;
        }
        call = noteCall(underWay, request, response, read.message, gone);
        const asked = toWebRequest(request, gone.signal, bytes);
        const answer = await handler.fetch(asked, body === undefined ? {} : { parsedBody: body });
        // What was not read of a refused body would be read as the next request.
        if (!request.complete) response.setHeader('connection', 'close');
        await sendWebResponse(answer, response);
      } catch (error) {
        if (!gone.signal.aborted) settings.onBug(error);
        if (response.headersSent) response.destroy();
        else response.writeHead(500, { 'content-type': 'application/json' }).end(internalError);
      } finally {
        if (call !== undefined && underWay.get(call) === gone) underWay.delete(call);
      }
    },
    close: () => handler.close(),
  };
}

/**
 * Until its version of 2026 the protocol cancels a call in a request of its own, by the call's number, and numbers are each client's own: so
 * a client that says hello is given a name. It opens nothing and holds nothing.
 */
function noteCall(
  underWay: Map<string, AbortController>,
  request: IncomingMessage,
  response: ServerResponse,
  message: unknown,
  gone: AbortController,
): string | undefined {
  if (!isJsonObject(message)) return undefined;
  const { id, method, params } = message;
  if (method === 'initialize') response.setHeader('mcp-session-id', randomUUID());
  const client = request.headers['mcp-session-id'];
  if (typeof client !== 'string') return undefined;
  const nameOf = (number: unknown) => visibleJson([client, number]);
  if (method === 'notifications/cancelled' && isJsonObject(params))
    underWay.get(nameOf(params['requestId']))?.abort(new Error('the client cancelled the call'));
  if (id === undefined) return undefined;
  underWay.set(nameOf(id), gone);
  return nameOf(id);
}

/** The whole body; undefined for one that is too large, of which what was read is put back for the handler that refuses it. */
async function readBytes(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size <= maxBodyBytes) continue;
    request.unshift(Buffer.concat(chunks));
    return undefined;
  }
  return Buffer.concat(chunks);
}

const internalError = visibleJson({ jsonrpc: '2.0', id: null, error: { code: -32603, message: 'internal error' } });

function toWebRequest(request: IncomingMessage, signal: AbortSignal, bytes: Buffer | undefined): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    // What begins with a colon is the wire's, not a header.
    if (value === undefined || name.startsWith(':')) continue;
    for (const one of Array.isArray(value) ? value : [value]) headers.append(name, one);
  }
  const { method = 'GET' } = request;
  const url = new URL(request.url ?? '/', 'http://localhost');
  if (method === 'GET' || method === 'HEAD' || (bytes === undefined && request.readableEnded))
    return new Request(url, { method, headers, signal });
  const body = bytes ?? Readable.toWeb(request);
  return new Request(url, { method, headers, signal, body, duplex: 'half' } as RequestInit);
}

/** Messages as JSON, or as events that hold JSON. */
async function sendWebResponse(answer: Response, response: ServerResponse): Promise<void> {
  answer.headers.delete('content-length');
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body === null) {
    response.end();
    return;
  }
  // Judged by whole lines: a token may stand across two pieces.
  let rest = '';
  for await (const text of answer.body.pipeThrough(new TextDecoderStream())) {
    if (response.destroyed) break;
    const end = text.lastIndexOf('\n') + 1;
    const lines = end === 0 ? '' : rest + text.slice(0, end);
    rest = end === 0 ? rest + text : text.slice(end);
    if (lines !== '' && !response.write(visibleText(lines)))
      await new Promise<void>((resolve) => drained(response, resolve));
  }
  response.end(visibleText(rest));
}

function drained(response: ServerResponse, resolve: () => void): void {
  response.once('drain', resolve);
  response.once('close', resolve);
}
