/**
 * Addresses that code takes from its environment: the variable, and the host that is used where it is not set
 * (`os.getenv('CART_HOST', 'cart')`, `process.env.CART_URL || 'http://cart:8080'`, `${CART_HOST:cart}`). Of a default only scheme, host and
 * port are kept. By text: what a comment says counts as well.
 */

import { lineNumberAt } from '../../kernel/tree/positions.ts';

export type EnvironmentAddress = {
  readonly line: number;
  readonly variable: string;
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
const perFile = 100;

export function readEnvironmentAddresses(text: string): readonly EnvironmentAddress[] {
  if (!/[A-Z0-9]_(?:ADDR|HOST|URL|URI|ENDPOINT|SERVER|DSN)/.test(text)) return [];
  const found = new Map<string, EnvironmentAddress>();
  for (const match of text.matchAll(variable)) {
    const rest = text.slice(match.index + match[0].length, match.index + match[0].length + 420);
    const written = quotedDefault.exec(rest)?.[1] ?? bareDefault.exec(rest)?.[1] ?? '';
    const [, scheme, host, port] = dataSource.exec(written) ?? address.exec(written) ?? [];
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
