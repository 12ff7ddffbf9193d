/**
 * The page's connection to its daemon: the token, requests, and the stream of what happens. The token comes in the fragment of the address,
 * which no request and no log holds, and leaves the address at once. It is a header and never a cookie: cookies ignore ports, and another
 * program of this machine would be sent them.
 */

import type { DaemonEvent } from '../src/serve/daemon/daemon-events.ts';

export type Connection =
  | 'connecting'
  | 'live'
  /** The daemon does not answer; it is looked for. */
  | 'gone'
  /** There is no token, or one that is not taken. */
  | 'locked';

export type Happening =
  | DaemonEvent
  | { readonly type: 'hello'; readonly state: string; readonly generation: number | null };

/** What was answered instead. */
export class Problem extends Error {
  readonly status: number;
  readonly outcome: string;
  readonly accepted: readonly string[];
  constructor(status: number, body: Readonly<Record<string, unknown>>) {
    super(String(body['message'] ?? 'the daemon did not answer'));
    this.status = status;
    this.outcome = String(body['outcome'] ?? 'gone');
    this.accepted = Array.isArray(body['accepted']) ? body['accepted'].map(String) : [];
  }
}

type Key = { readonly id: string; readonly key: Uint8Array<ArrayBuffer> };

const place = 'codegenie';
let token = '';
let root = '';
/** In memory alone: what a page leaves in storage could be read by whoever has the port after the daemon. */
let lent: Key | undefined;
let connection: Connection = 'connecting';
const watchers = new Set<() => void>();
const listeners = new Set<(event: Happening) => void>();

export const connectionNow = (): Connection => connection;
export function watchConnection(receive: () => void): () => void {
  watchers.add(receive);
  return () => void watchers.delete(receive);
}
export function listen(receive: (event: Happening) => void): () => void {
  listeners.add(receive);
  return () => void listeners.delete(receive);
}

function setConnection(next: Connection): void {
  if (next === connection) return;
  connection = next;
  for (const receive of [...watchers]) receive();
}

/** Takes the token out of the address, or from where this tab left it. */
export function begin(): void {
  const [given = '', hash = ''] = location.hash.slice(1).split('.');
  if (/^[\w-]{20,}$/.test(given) && /^[0-9a-f]{16}$/.test(hash)) {
    sessionStorage.setItem(place, `${given}.${hash}`);
    history.replaceState(null, '', `${location.pathname}${location.search}`);
  }
  [token = '', root = ''] = (sessionStorage.getItem(place) ?? '').split('.');
  if (token === '') setConnection('locked');
  else void follow();
}

export type Sent = {
  readonly body?: object | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Lines that come before the result. */
  readonly onLine?: ((line: Readonly<Record<string, unknown>>) => void) | undefined;
};

export async function send<T>(method: 'GET' | 'POST', path: string, { body, signal, onLine }: Sent = {}): Promise<T> {
  const response = await request(method, path, {
    body,
    signal,
    accept: onLine === undefined ? 'application/json' : 'application/x-ndjson',
  });
  if (onLine === undefined || response.headers.get('content-type')?.startsWith('application/x-ndjson') !== true) {
    const value = (await response.json()) as Readonly<Record<string, unknown>>;
    if (response.status !== 200) throw new Problem(response.status, value);
    return value as T;
  }
  for await (const line of linesOf(response)) {
    const said = JSON.parse(line) as Readonly<Record<string, unknown>>;
    if ('result' in said) return said['result'] as T;
    if ('problem' in said)
      throw new Problem(Number(said['status']), said['problem'] as Readonly<Record<string, unknown>>);
    onLine(said);
  }
  throw new Problem(0, { message: 'the daemon ended before it answered' });
}

async function request(
  method: string,
  path: string,
  {
    body,
    signal,
    accept,
  }: { readonly body?: object | undefined; readonly signal?: AbortSignal | undefined; readonly accept: string },
): Promise<Response> {
  const headers: Record<string, string> = { authorization: `Bearer ${token}`, 'x-codegenie-root': root, accept };
  if (body !== undefined) headers['content-type'] = 'application/json';
  const init: RequestInit = { method, headers, cache: 'no-store', credentials: 'omit', referrerPolicy: 'no-referrer' };
  if (body !== undefined) init.body = JSON.stringify(body);
  if (signal !== undefined) init.signal = signal;
  try {
    return await fetch(path, init);
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw new Problem(0, { message: 'the daemon does not answer' });
  }
}

async function* linesOf(response: Response): AsyncGenerator<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
    const lines = (rest + part.value).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

/** For as long as the page lives: hears what happens, notices that the daemon is gone, and finds it again. */
async function follow(): Promise<void> {
  let wasHeard = false;
  for (let failures = 0; ; failures += 1) {
    // A page that nobody sees holds no connection: browsers have six for each address.
    if (document.visibilityState === 'hidden') await untilSeen();
    try {
      const response = await request('GET', '/v1/events', { accept: 'text/event-stream', signal: untilHidden() });
      if (response.status === 401 || response.status === 412) {
        if (!(await renew())) {
          setConnection(lent === undefined ? 'locked' : 'gone');
          if (lent === undefined) return;
        }
      } else if (response.status === 200) {
        failures = 0;
        lent ??= await meet();
        setConnection('live');
        for await (const line of linesOf(response)) {
          if (!line.startsWith('data: ')) continue;
          const event = JSON.parse(line.slice(6)) as Happening;
          // The first greeting tells nothing new; a later one is of a daemon that was away.
          if (event.type === 'hello' && !wasHeard) wasHeard = true;
          else for (const receive of [...listeners]) receive(event);
        }
      }
    } catch {
      // Whatever broke, it is asked again.
    }
    if (document.visibilityState === 'hidden') continue;
    if (connection === 'live') setConnection('connecting');
    else if (failures > 0 && connection === 'connecting') setConnection('gone');
    await new Promise((resolve) => setTimeout(resolve, Math.min(200 * 2 ** failures, 2_000)));
  }
}

function untilSeen(): Promise<void> {
  return new Promise((resolve) => document.addEventListener('visibilitychange', () => resolve(), { once: true }));
}

function untilHidden(): AbortSignal {
  const hidden = new AbortController();
  document.addEventListener('visibilitychange', () => hidden.abort(), { once: true });
  return hidden.signal;
}

async function meet(): Promise<Key> {
  const { id, key } = await send<{ readonly id: string; readonly key: string }>('POST', '/page/meet', { body: {} });
  return { id, key: bytesOf(key) };
}

/** Only the daemon that lent the key can say what this one opens; whoever else answers here has said nothing. */
async function renew(): Promise<boolean> {
  if (lent === undefined) return false;
  const nonce = [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
  const answer = await fetch(`/page/renew?id=${encodeURIComponent(lent.id)}&nonce=${nonce}`, {
    credentials: 'omit',
    cache: 'no-store',
  });
  if (answer.status !== 200) return false;
  const { iv, sealed } = (await answer.json()) as { readonly iv: string; readonly sealed: string };
  const key = await crypto.subtle.importKey('raw', lent.key, 'AES-GCM', false, ['decrypt']);
  const additionalData = new TextEncoder().encode(`${nonce}.${location.port}`);
  const opened = await crypto.subtle.decrypt(
    { name: 'AES-GCM', iv: bytesOf(iv), additionalData },
    key,
    bytesOf(sealed),
  );
  token = new TextDecoder().decode(opened);
  sessionStorage.setItem(place, `${token}.${root}`);
  return true;
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (one) => one.charCodeAt(0));
}
