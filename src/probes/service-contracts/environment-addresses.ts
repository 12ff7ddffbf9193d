/**
 * Addresses of neighbours in code: a host without a domain that is written out, the name that a declarative client is given, and those
 * that code takes from its environment: the variable, and the host that is used where it is not set
 * (`os.getenv('CART_HOST', 'cart')`, `process.env.CART_URL || 'http://cart:8080'`, `${CART_HOST:cart}`). Of a default only scheme, host and
 * port are kept. By text: what a comment says counts as well.
 */

import { lineNumberAt } from '../../kernel/tree/positions.ts';

export type EnvironmentAddress = {
  readonly line: number;
  /** Null where the address is written out. */
  readonly variable: string | null;
  readonly scheme: string | null;
  /** Used where the variable is not set; null where there is none. */
  readonly host: string | null;
  readonly port: number | null;
};

const variable =
  /\b[A-Z][A-Z0-9]{0,60}(?:_[A-Z0-9]{1,40}){0,6}_(?:ADDR|ADDRESS|HOST|HOSTNAME|URL|URI|ENDPOINT|SERVER|DSN)\b/g;
/** What stands between the name and its default: `"), "x"`, `'] || 'x'`, `") ?: 'x'`, `, "x"`; Spring writes `:x}`. */
const quotedDefault =
  /^["'`]?\]?\)?\s{0,40}(?:,|\|\||\?\?|\?:|\bor\b|==\s{0,4}(?:null|nil|None)\s{0,4}\?)\s{0,40}["'`]([^"'`\n]{1,300})["'`]/;
const bareDefault = /^:([^}"'`\s]{1,300})\}/;
const address =
  /^(?:([a-z][a-z0-9+.:-]{0,30}?):\/\/)?(?:[^\s/@]{0,200}@)?([A-Za-z][A-Za-z0-9-]{0,62})(?::(\d{1,5}))?(?:[/?;]|$)/;
/** `mysql:host=db;port=3306`. */
const dataSource = /^([a-z]{2,12}):(?:\w+=[^;]*;)*host=([A-Za-z][A-Za-z0-9-]{0,62})(?:;port=(\d{1,5}))?/;
/** `"http://stock:8080/x"`, `@FeignClient(name = "stock")`: a host of one word, which only a network of services knows. */
const written = /["'`]((?:https?|grpc|amqps?|rediss?|mongodb|postgres(?:ql)?|mysql|nats):\/\/[^"'`\s]{1,300})/g;
const declared = /@FeignClient\s*\(\s*(?:(?:name|value)\s*=\s*)?"([a-z][a-z0-9-]{0,62})"/g;
/** What stands before a text that is used where a variable is not set: `readTaken` tells it. */
const isDefault =
  /[A-Z0-9]_(?:ADDR|ADDRESS|HOST|HOSTNAME|URL|URI|ENDPOINT|SERVER|DSN)["'`]?\]?\)?\s{0,40}(?:,|\|\||\?\?|\?:|\bor\b|==\s{0,4}(?:null|nil|None)\s{0,4}\?)\s{0,40}$/;
const perFile = 100;

export function readNeighbours(text: string): readonly EnvironmentAddress[] {
  return [...readWritten(text), ...readTaken(text)].slice(0, perFile);
}

function readWritten(text: string): readonly EnvironmentAddress[] {
  if (!/:\/\/[A-Za-z]|@FeignClient/.test(text)) return [];
  const found = new Map<string, EnvironmentAddress>();
  for (const match of [...text.matchAll(written), ...text.matchAll(declared)]) {
    const isClient = match[0].startsWith('@');
    const [, scheme, host, port] = address.exec(isClient ? `http://${match[1]}` : (match[1] ?? '')) ?? [];
    if (host === undefined || /^localhost$/i.test(host) || found.has(host)) continue;
    if (isDefault.test(text.slice(Math.max(0, match.index - 160), match.index))) continue;
    const line = lineNumberAt(text, match.index + match[0].length - (match[1] ?? '').length);
    found.set(host, {
      ...{ line, variable: null, scheme: scheme ?? null, host },
      port: port === undefined ? null : Number(port),
    });
    if (found.size >= perFile) break;
  }
  return [...found.values()];
}

function readTaken(text: string): readonly EnvironmentAddress[] {
  if (!/[A-Z0-9]_(?:ADDR|HOST|URL|URI|ENDPOINT|SERVER|DSN)/.test(text)) return [];
  const found = new Map<string, EnvironmentAddress>();
  for (const match of text.matchAll(variable)) {
    const rest = text.slice(match.index + match[0].length, match.index + match[0].length + 420);
    const fallback = quotedDefault.exec(rest)?.[1] ?? bareDefault.exec(rest)?.[1] ?? '';
    const [, scheme, host, port] = dataSource.exec(fallback) ?? address.exec(fallback) ?? [];
    const known = found.get(match[0]);
    // A later place with a default says more than an earlier one without.
    if (known !== undefined && (known.host !== null || host === undefined)) continue;
    found.set(match[0], {
      line: lineNumberAt(text, match.index),
      variable: match[0],
      scheme: scheme ?? null,
      host: host ?? null,
      port: port === undefined ? null : Number(port),
    });
    if (found.size >= perFile) break;
  }
  return [...found.values()];
}

/** `'http://' + host`, `f"http://{host}/x"`: an address is put together as one of HTTP. */
export function composesHttp(text: string): boolean {
  return /https?:\/\/(?:["'`]|\$?\{|%[sv]|#\{)/.test(text);
}
