/**
 * Fetches one document from an allowed host, and is the only code of a gather that opens a connection.
 * Promises: https with a verified certificate; the address that was checked is the address that is connected to; no redirect to
 * another host; no cookies, no credentials; bounded in time and size; text only. Every refusal is a value.
 */

import { lookup as dnsLookup } from 'node:dns/promises';
import type { IncomingMessage } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

type FetchFailureReason =
  | 'invalid_url'
  | 'not_https'
  | 'credentials_in_url'
  | 'host_not_allowed'
  | 'address_forbidden'
  | 'dns_failed'
  | 'connection_failed'
  | 'tls_failed'
  | 'redirect_to_other_host'
  | 'too_many_redirects'
  | 'timeout'
  | 'too_large'
  | 'content_type_not_text'
  | 'content_encoding_unsupported'
  | `http_${number}`;

type FetchOutcome =
  | { readonly kind: 'fetched'; readonly text: string; readonly mediaType: string }
  | { readonly kind: 'failed'; readonly reason: FetchFailureReason };

type Address = { readonly address: string; readonly family: number };

export type FetchOptions = {
  /** `host`, or `host:port` where it is not 443. */
  readonly allowedHosts: readonly string[];
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
  // The following exist for tests against a server on this machine; a gather never sets them.
  readonly lookup?: (host: string) => Promise<readonly Address[]>;
  readonly isForbiddenAddress?: (address: string) => boolean;
  readonly ca?: string;
};

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 5 * 1024 * 1024;
const REDIRECTS_MAX = 5;

export async function fetchDocument(address: string, options: FetchOptions): Promise<FetchOutcome> {
  const deadline = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
  const signal = AbortSignal.any([deadline, options.signal]);
  let url = parseUrl(address);
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects += 1) {
    const refusal = refuseUrl(url, options.allowedHosts);
    if (url === undefined || refusal !== undefined) return failed(refusal ?? 'invalid_url');
    const pinned = await resolveAddress(url, options, signal);
    options.signal.throwIfAborted();
    if (typeof pinned === 'string') return failed(deadline.aborted ? 'timeout' : pinned);
    const step = await getOnce(url, pinned, { ...options, signal });
    options.signal.throwIfAborted();
    if (step.kind === 'fetched') return step;
    if (step.kind === 'failed') return failed(deadline.aborted ? 'timeout' : step.reason);
    const next = URL.parse(step.location, url.href) ?? undefined;
    if (next === undefined || next.protocol !== 'https:' || next.host !== url.host)
      return failed('redirect_to_other_host');
    url = next;
  }
  return failed('too_many_redirects');
}

function parseUrl(address: string): URL | undefined {
  return URL.parse(address) ?? undefined;
}

function refuseUrl(url: URL | undefined, allowedHosts: readonly string[]): FetchFailureReason | undefined {
  if (url === undefined) return 'invalid_url';
  if (url.protocol !== 'https:') return 'not_https';
  if (url.username !== '' || url.password !== '') return 'credentials_in_url';
  return allowedHosts.some((host) => host.toLowerCase() === url.host) ? undefined : 'host_not_allowed';
}

/** One address to connect to. A name with even one forbidden address is refused: which one is used must not be luck. */
async function resolveAddress(
  url: URL,
  options: FetchOptions,
  signal: AbortSignal,
): Promise<Address | 'dns_failed' | 'address_forbidden'> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const family = isIP(host);
  const addresses = family === 0 ? await lookUp(host, options, signal) : [{ address: host, family }];
  const [first] = addresses;
  if (first === undefined) return 'dns_failed';
  const isForbidden = options.isForbiddenAddress ?? isForbiddenAddress;
  return addresses.some(({ address }) => isForbidden(address)) ? 'address_forbidden' : first;
}

async function lookUp(host: string, options: FetchOptions, signal: AbortSignal): Promise<readonly Address[]> {
  const lookup = options.lookup ?? ((name: string) => dnsLookup(name, { all: true, verbatim: true }));
  const aborted = new Promise<readonly Address[]>((resolve) => {
    signal.addEventListener('abort', () => resolve([]), { once: true });
  });
  // A name that does not resolve, for whatever reason, is a name without addresses.
  return Promise.race([lookup(host).catch(() => []), aborted]);
}

type Step = FetchOutcome | { readonly kind: 'redirect'; readonly location: string };

function getOnce(url: URL, pinned: Address, options: FetchOptions): Promise<Step> {
  return new Promise((resolve) => {
    const get = request(
      url,
      {
        agent: false,
        signal: options.signal,
        lookup: pinLookup(pinned),
        ...(options.ca === undefined ? {} : { ca: options.ca }),
        headers: {
          accept: 'text/markdown, text/html;q=0.9, text/plain;q=0.9, text/*;q=0.8',
          'accept-encoding': 'identity',
          'user-agent': 'codegenie',
        },
      },
      (response) => {
        readResponse(response, options.maxBytes ?? MAX_BYTES).then((step) => {
          get.destroy();
          resolve(step);
        });
      },
    );
    get.on('error', (error) => resolve(failed(connectionFailure(error))));
    get.end();
  });
}

/** The name is not looked up a second time: between two answers it could have moved to another address. */
function pinLookup(pinned: Address): NonNullable<RequestOptions['lookup']> {
  return (_host, options, callback) => {
    if (options.all === true) callback(null, [{ address: pinned.address, family: pinned.family }]);
    else callback(null, pinned.address, pinned.family);
  };
}

async function readResponse(response: IncomingMessage, maxBytes: number): Promise<Step> {
  const status = response.statusCode ?? 0;
  const { location } = response.headers;
  if (status >= 300 && status < 400 && location !== undefined) return { kind: 'redirect', location };
  if (status !== 200) return failed(`http_${status}`);
  const [mediaType = '', ...parameters] = (response.headers['content-type'] ?? '').toLowerCase().split(';');
  if (!mediaType.trim().startsWith('text/')) return failed('content_type_not_text');
  if ((response.headers['content-encoding'] ?? 'identity') !== 'identity')
    return failed('content_encoding_unsupported');
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) return failed('too_large');
      chunks.push(chunk);
    }
  } catch {
    return failed('connection_failed');
  }
  const charset = parameters.map((parameter) => /^\s*charset="?([\w-]+)/.exec(parameter)?.[1]).find(Boolean);
  return { kind: 'fetched', text: decode(Buffer.concat(chunks), charset), mediaType: mediaType.trim() };
}

function decode(bytes: Uint8Array, charset: string | undefined): string {
  try {
    return new TextDecoder(charset ?? 'utf-8').decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

function connectionFailure(error: NodeJS.ErrnoException): 'tls_failed' | 'connection_failed' {
  return /^(?:ERR_TLS|ERR_SSL|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(error.code ?? '')
    ? 'tls_failed'
    : 'connection_failed';
}

function failed(reason: FetchFailureReason): { readonly kind: 'failed'; readonly reason: FetchFailureReason } {
  return { kind: 'failed', reason };
}

// Which addresses a document may be fetched from: the public internet, and nothing that belongs to this machine or its networks.
// A host name in configuration says nothing about where it resolves to; this is asked of every resolved address.

/** Everything IANA lists as not globally reachable, with multicast and the reserved end. */
const forbiddenV4 = blockList('ipv4', [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]);

const globalV6 = blockList('ipv6', [['2000::', 3]]);
/** Inside the global range, but special: Teredo and its like, documentation, 6to4 (which embeds any IPv4 address). */
const forbiddenV6 = blockList('ipv6', [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]);

/** Also true for what is no address at all. IPv4 inside IPv6 (`::ffff:…`, NAT64) is outside the global range and so refused. */
export function isForbiddenAddress(address: string): boolean {
  if (isIPv4(address)) return forbiddenV4.check(address, 'ipv4');
  if (!isIPv6(address) || address.includes('%')) return true;
  return !globalV6.check(address, 'ipv6') || forbiddenV6.check(address, 'ipv6');
}

function blockList(family: 'ipv4' | 'ipv6', subnets: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of subnets) list.addSubnet(network, prefix, family);
  return list;
}
