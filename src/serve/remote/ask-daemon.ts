/**
 * One request to a daemon over its unix socket. Lines that come before the result are told as they come. Ending the signal closes the
 * connection, which is how the daemon learns that nobody waits any more.
 */

import { type Agent, request as httpRequest, type IncomingMessage } from 'node:http';

export type DaemonReply =
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'problem'; readonly status: number; readonly outcome: string; readonly message: string }
  /** Nobody is there: nothing has been asked. */
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
      // What a listener of ours throws is ours; a broken connection is not.
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
