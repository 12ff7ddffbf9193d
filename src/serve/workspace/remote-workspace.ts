/**
 * The façade for a client of a daemon, equal to the local one in everything but where the work is done. Where the daemon turns out to be
 * gone before it was asked, the local one does the work.
 */

import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import type { Probe } from '../../gather/contract.ts';
import type { PublishedFiles } from '../../gather/publish/publish.ts';
import { sha256Hex } from '../../kernel/base/hash.ts';
import { unpackGather, unpackProgress, unpackRefresh } from './wire.ts';
import type { AskOptions, AskOutcome, ChangeOutcome, Workspace } from './workspace.ts';

export type RemoteSettings = {
  readonly root: string;
  readonly socket: string;
  readonly signal: AbortSignal;
  /** Only a gather needs them. */
  readonly probes: () => readonly Probe[] | Promise<readonly Probe[]>;
  /** Connections that others use too; without it, its own. */
  readonly agent?: Agent | undefined;
  /** For when the daemon is gone. */
  readonly local: () => Workspace | Promise<Workspace>;
};

type Line = Readonly<Record<string, unknown>>;

export function createDaemonAgent(): Agent {
  return new Agent({ keepAlive: true, maxSockets: 64 });
}

export function createRemoteWorkspace(settings: RemoteSettings): Workspace {
  const { root, socket, signal } = settings;
  const agent = settings.agent ?? createDaemonAgent();

  /** Undefined: the daemon is gone, and was not asked. */
  const send = async (method: string, body: object, onLine: (line: Line) => void = () => {}) => {
    const request = { socket, method: 'POST' as const, path: `/v1/workspace/${method}`, body, signal, onLine };
    let reply = await askDaemon({ ...request, agent });
    // A connection that was kept may have been closed meanwhile. What changes nothing is asked again over a new one.
    if (reply.kind === 'lost' && method !== 'change' && method !== 'gather') reply = await askDaemon(request);
    switch (reply.kind) {
      case 'result':
        return { kind: 'result' as const, result: reply.result };
      case 'unreachable':
        return undefined;
      case 'lost':
        return { kind: 'lost' as const, message: `the daemon of ${root} ended before it answered; ask again` };
      case 'problem':
        if (reply.outcome === 'ending' || reply.outcome === 'tree_gone') return undefined;
        if (reply.status === 503) return { kind: 'lost' as const, message: reply.message };
        throw new Error(`the daemon of ${root} answered ${reply.status}: ${reply.message}`);
    }
  };
  /** For questions that have no ending for "not now". */
  const fetch = async <T>(
    method: string,
    body: object,
    otherwise: (workspace: Workspace) => Promise<T>,
  ): Promise<T> => {
    const reply = await send(method, body);
    if (reply?.kind === 'result') return reply.result as T;
    // They only read: asked a second time nothing is done twice.
    return otherwise(await settings.local());
  };

  return {
    root,
    repo: () => ({ root, root_hash: sha256Hex(root).slice(0, 16), worktree: root, head: null, generation: null }),
    async gather(ask) {
      const { onProgress, maxConcurrency, ...rest } = ask;
      const probes = await settings.probes();
      let first: PublishedFiles | undefined;
      try {
        const reply = await send('gather', { ...rest, max_concurrency: maxConcurrency }, ({ progress }) => {
          if (progress === undefined) return;
          const step = unpackProgress(progress, probes);
          if (step.kind === 'first') first = step.outcome.files;
          onProgress(step);
        });
        if (reply?.kind === 'result') return unpackGather(reply.result, probes);
        if (reply?.kind === 'lost') return { kind: 'busy', owner: reply.message, executions: [] };
      } catch (error) {
        if (signal.aborted) return { kind: 'cancelled', first };
        throw error;
      }
      return (await settings.local()).gather(ask);
    },
    report: () => fetch('report', {}, (local) => local.report()),
    explain: (field) => fetch('explain', { field }, (local) => local.explain(field)),
    facts: (ask) => fetch('facts', ask, (local) => local.facts(ask)),
    audit: () => fetch('audit', {}, (local) => local.audit()),
    doctor: () => fetch('doctor', {}, (local) => local.doctor()),
    async ask(operation, input, options) {
      type Outcome = AskOutcome<ReturnType<typeof operation.output.parse>>;
      const { refresh } = options;
      const body = {
        operation: operation.name,
        input,
        wait_ms: Math.round(options.waitMs),
        ...(options.verify === undefined ? {} : { verify: options.verify }),
        refresh:
          refresh === undefined
            ? null
            : {
                wait_ms: refresh.waitMs,
                ...(refresh.again === undefined ? {} : { again: refresh.again }),
                ...(refresh.scopes === undefined ? {} : { scopes: refresh.scopes }),
              },
      };
      const reply = await send('ask', body, ({ progress, refresh: event }) => {
        if (progress !== undefined) options.onProgress(progress as Parameters<AskOptions['onProgress']>[0]);
        if (event !== undefined) options.onRefresh?.(unpackRefresh(event));
      });
      if (reply?.kind === 'result') return reply.result as Outcome;
      if (reply?.kind === 'lost') return { kind: 'busy', message: reply.message };
      return (await settings.local()).ask(operation, input, options);
    },
    async change(change, input, options) {
      type Outcome = ChangeOutcome<ReturnType<typeof change.output.parse>>;
      const body = { mutation: change.name, input, wait_ms: Math.round(options.waitMs) };
      const reply = await send('change', body, ({ progress, step }) => {
        if (progress !== undefined) options.onProgress(progress as Parameters<AskOptions['onProgress']>[0]);
        if (typeof step === 'string') options.onStep(step);
      });
      if (reply?.kind === 'result') {
        const outcome = reply.result as Outcome;
        if (outcome.kind !== 'answered') return outcome;
        const { openSourceLines } = await import('../changes/run-change.ts');
        return { ...outcome, look: openSourceLines(root) };
      }
      if (reply?.kind === 'lost')
        return { kind: 'busy', message: `${reply.message}; \`codegenie plan list\` shows what became of it` };
      return (await settings.local()).change(change, input, options);
    },
  };
}

export type DaemonReply =
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'problem'; readonly status: number; readonly outcome: string; readonly message: string }
  /** No daemon answers: nothing has been asked. */
  | { readonly kind: 'unreachable' }
  /** The connection broke before there was an answer. */
  | { readonly kind: 'lost' };

export type DaemonAsk = {
  readonly socket: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
  readonly signal: AbortSignal;
  readonly agent?: Agent | undefined;
  readonly onLine?: ((line: Readonly<Record<string, unknown>>) => void) | undefined;
  readonly timeoutMs?: number | undefined;
};

const neverBegun: readonly (string | undefined)[] = ['ECONNREFUSED', 'ENOENT', 'EACCES', 'EPIPE', 'ENOTSOCK'];

/**
 * One request to a daemon over its unix socket. Lines that come before the result are told as they come. Ending the signal closes the
 * connection, which tells the daemon to stop.
 */
export function askDaemon(ask: DaemonAsk): Promise<DaemonReply> {
  const { promise, resolve, reject } = Promise.withResolvers<DaemonReply>();
  const { signal } = ask;
  const body = ask.body === undefined ? undefined : JSON.stringify(ask.body);
  const sent = httpRequest({
    socketPath: ask.socket,
    method: ask.method,
    path: ask.path,
    agent: ask.agent,
    headers: {
      host: 'localhost',
      accept: ask.method === 'POST' ? 'application/x-ndjson' : 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    },
  });
  const giveUp = () => {
    reject(signal.reason);
    sent.destroy();
  };
  if (signal.aborted) giveUp();
  signal.addEventListener('abort', giveUp, { once: true });
  if (ask.timeoutMs !== undefined) sent.setTimeout(ask.timeoutMs, () => sent.destroy());
  sent.once('error', (error: NodeJS.ErrnoException) =>
    resolve(neverBegun.includes(error.code) ? { kind: 'unreachable' } : { kind: 'lost' }),
  );
  sent.once('response', (response) => {
    readReply(response, ask.onLine ?? (() => {})).then(resolve, (error: unknown) => {
      // A listener that throws is a bug; a broken connection is not.
      if (response.complete) reject(error);
      else resolve({ kind: 'lost' });
    });
  });
  sent.end(body);
  return promise.finally(() => signal.removeEventListener('abort', giveUp));
}

async function readReply(
  response: IncomingMessage,
  onLine: (line: Readonly<Record<string, unknown>>) => void,
): Promise<DaemonReply> {
  const isStream = response.headers['content-type']?.startsWith('application/x-ndjson') === true;
  let rest: Buffer[] = [];
  let last: Readonly<Record<string, unknown>> = {};
  const take = (text: string) => {
    last = JSON.parse(text) as Readonly<Record<string, unknown>>;
    if (!('result' in last) && !('problem' in last)) onLine(last);
  };
  for await (const chunk of response as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = chunk.indexOf(10); isStream && end >= 0; end = chunk.indexOf(10, from)) {
      take(Buffer.concat([...rest, chunk.subarray(from, end)]).toString());
      rest = [];
      from = end + 1;
    }
    rest.push(chunk.subarray(from));
  }
  const status = response.statusCode ?? 0;
  if (isStream) {
    if ('result' in last) return { kind: 'result', result: last['result'] };
    return 'problem' in last ? problemOf(Number(last['status']), last['problem']) : { kind: 'lost' };
  }
  const value: unknown = JSON.parse(Buffer.concat(rest).toString());
  return status === 200 ? { kind: 'result', result: value } : problemOf(status, value);
}

function problemOf(status: number, problem: unknown): DaemonReply {
  const { outcome, message } = problem as { readonly outcome?: unknown; readonly message?: unknown };
  return { kind: 'problem', status, outcome: String(outcome), message: String(message) };
}
