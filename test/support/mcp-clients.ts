/** The official client at work: over the pipes of a real `codegenie mcp`, and over HTTP to a server of this process. */

import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { entryFile } from '../../src/kernel/exec/start-self.ts';
import { structuredKey, type WorkspaceFactory } from '../../src/serve/mcp/create-server.ts';
import { createMcpHttpHandler } from '../../src/serve/mcp/http-handler.ts';
import { quickPath } from './tools.ts';

type Called = {
  readonly isError: boolean;
  readonly bytes: number;
  /** What a model reads. */
  readonly text: string;
  readonly answer: Loose;
};
// biome-ignore lint/suspicious/noExplicitAny: an answer as a script sees it, who knows no types.
export type Loose = any;

export type McpClient = {
  readonly client: Client;
  readonly stderr: () => string;
  readonly pid: () => number | null;
  call(name: string, args?: unknown): Promise<Called>;
  close(): Promise<void>;
};

export async function connectStdio(
  repo: { readonly root: string; readonly home: string },
  flags: readonly string[] = [],
  entry: string = entryFile,
): Promise<McpClient> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [entry, '-C', repo.root, 'mcp', ...flags],
    cwd: repo.root,
    env: { PATH: quickPath(), HOME: repo.home, CODEGENIE_DEBUG: '1' },
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    stderr += String(chunk);
  });
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
  return { ...wrap(client), stderr: () => stderr, pid: () => transport.pid };
}

export async function connectHttp(url: string, headers: Readonly<Record<string, string>> = {}): Promise<McpClient> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return { ...wrap(client), stderr: () => '', pid: () => null };
}

function wrap(client: Client): Pick<McpClient, 'client' | 'call' | 'close'> {
  return {
    client,
    async call(name, args = {}) {
      const asked = { name, arguments: args as Record<string, unknown>, _meta: { [structuredKey]: true } };
      const result = await client.callTool(asked, { timeout: 300_000 });
      const [content] = result.content as readonly { readonly type: string; readonly text: string }[];
      const text = content?.text ?? '';
      const answer = result.structuredContent as Loose;
      return { isError: result.isError === true, bytes: Buffer.byteLength(JSON.stringify(answer)), text, answer };
    },
    close: () => client.close(),
  };
}

/** A plain node server with nothing but the handler. */
export async function serveHttp(open: WorkspaceFactory): Promise<{ readonly url: string; close(): Promise<void> }> {
  const ending = new AbortController();
  const bugs: unknown[] = [];
  const handler = await createMcpHttpHandler({
    open,
    signal: ending.signal,
    onBug: (error) => void bugs.push(error),
  });
  const server = createHttpServer((request, response) => void handler.handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async close() {
      ending.abort();
      await handler.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
