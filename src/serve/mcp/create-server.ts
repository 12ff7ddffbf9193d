/**
 * An MCP server over the façade, for one connection or one request. It knows the protocol and nothing else: what is asked and answered
 * is in `call-tool.ts`.
 */

import type { Server, ServerContext } from '@modelcontextprotocol/server';
import { outcomeSince } from '../../gather/freshness/since.ts';
import { packageVersion } from '../../kernel/base/package-files.ts';
import { visibleJson } from '../../kernel/secrets/outgoing.ts';
import { findInContext, readContext } from '../workspace/context-sections.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { callTool } from './call-tool.ts';
import { type ListedTool, listTool, tools } from './tool-list.ts';

/** A workspace for one call, which ends when the signal says so: in this process, or a client of a daemon. */
export type WorkspaceFactory = (signal: AbortSignal) => Workspace | Promise<Workspace>;

export type ServerSettings = {
  readonly open: WorkspaceFactory;
  /** Ends every call. */
  readonly signal: AbortSignal;
  /** What is wrong with us, not with the call: for a log, never for the wire. */
  readonly onBug: (error: unknown) => void;
};

/** In `_meta` of a call: the answer is wanted as one object, too. */
export const structuredKey = 'codegenie/structured';

const instructions =
  'Facts about one repository, verified against the disk: repo_context first; symbols, navigate and search instead of grep; plan_refactor and commit_plan instead of editing names by hand. Every answer has `next`: what to do with it.';

export async function createServer(settings: ServerSettings): Promise<Server> {
  const { ResourceNotFoundError, Server } = await import('@modelcontextprotocol/server');
  const server = new Server(
    { name: 'codegenie', version: packageVersion() },
    { capabilities: { tools: {}, resources: {} }, instructions },
  );
  const open = ({ mcpReq }: ServerContext) => settings.open(AbortSignal.any([settings.signal, mcpReq.signal]));

  server.setRequestHandler('tools/list', async () => ({ tools: [...listTools()] }));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const onStep = createStepNotes(context, settings.onBug);
    const world = async () => ({ workspace: await open(context), onStep });
    const onBug = (error: unknown) => {
      // Who cancelled is not told anything any more, and nothing is wrong.
      if (!context.mcpReq.signal.aborted) settings.onBug(error);
    };
    const { text, structured, isError } = await callTool(params.name, params.arguments, world, onBug);
    const isAsked = params._meta?.[structuredKey] === true;
    return {
      content: [{ type: 'text', text }],
      ...(isAsked ? { structuredContent: structured } : {}),
      ...(isError ? { isError } : {}),
    };
  });
  server.setRequestHandler('resources/list', async (_, context) => ({
    resources: [...(await listResources(await open(context)))],
  }));
  server.setRequestHandler('resources/templates/list', async () => ({ resourceTemplates: [...resourceTemplates] }));
  server.setRequestHandler('resources/read', async ({ params }, context) => {
    const found = await readResource(await open(context), params.uri);
    if (found === undefined) throw new ResourceNotFoundError(params.uri);
    return { contents: [found] };
  });
  return server;
}

let listed: readonly ListedTool[] | undefined;

/** The same for every connection, and over HTTP there is one for every request. */
function listTools(): readonly ListedTool[] {
  listed ??= tools.map(listTool);
  return listed;
}

const noteEveryMs = 500;

/** Progress, for a client that asked for it: not every step, or a large tree would be a flood. */
function createStepNotes({ mcpReq }: ServerContext, onBug: (error: unknown) => void): (says: string) => void {
  const token = mcpReq._meta?.progressToken;
  if (token === undefined) return () => {};
  let progress = 0;
  let lastMs = Number.NEGATIVE_INFINITY;
  return (message) => {
    const now = performance.now();
    if (now - lastMs < noteEveryMs) return;
    lastMs = now;
    progress += 1;
    const params = { progressToken: token, progress, message };
    mcpReq.notify({ method: 'notifications/progress', params }).catch(onBug);
  };
}

const reportUri = 'codegenie://report';
const contextUri = 'codegenie://context/';

type ListedResource = { readonly uri: string; readonly name: string; readonly mimeType: string };
type ResourceText = { readonly uri: string; readonly mimeType: string; readonly text: string };

const resourceTemplates = [
  {
    uriTemplate: `${contextUri}{section}`,
    name: 'section of the gathered context',
    mimeType: 'application/json',
  },
] as const;

/** Nothing, until there is a context. */
async function listResources(workspace: Workspace): Promise<readonly ListedResource[]> {
  const context = await readContext(workspace);
  if (context.kind !== 'context') return [];
  return [
    { uri: reportUri, name: 'report', mimeType: 'text/markdown' },
    ...context.sections.map(({ name }) => ({ uri: uriOf(name), name, mimeType: 'application/json' })),
  ];
}

/** Undefined for what there is not. */
async function readResource(workspace: Workspace, uri: string): Promise<ResourceText | undefined> {
  const section = uri.startsWith(contextUri) ? decode(uri.slice(contextUri.length)) : undefined;
  if (uri !== reportUri && (section === undefined || section === '')) return undefined;
  const context = await readContext(workspace);
  if (context.kind !== 'context') return undefined;
  if (section === undefined) return { uri, mimeType: 'text/markdown', text: context.markdown };
  const value = findInContext(context.envelope, section);
  if (value === undefined) return undefined;
  const { since } = context;
  const told = { outcome: outcomeSince(since, section), since, value };
  return { uri, mimeType: 'application/json', text: visibleJson(told, 2) };
}

/**
 * The gathered context as documents: `codegenie://context/<section>` (JSON) and `codegenie://report` (Markdown). A reader
 * gets the whole document; the tool `repo_context` gives the same in pieces.
 */
function uriOf(section: string): string {
  return `${contextUri}${encodeURIComponent(section)}`;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
