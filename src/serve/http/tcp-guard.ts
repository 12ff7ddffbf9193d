/**
 * Who may ask over TCP (surfaces.md §4): a caller who can read the token file, means this root, and did not come through a foreign web
 * page. A page that makes a browser resolve its own name to 127.0.0.1 has the wrong Host; one that asks directly has the wrong Origin.
 */

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { rmSync } from 'node:fs';
import { writeAtomically } from '../../kernel/base/write-file.ts';
import { Refusal } from './route.ts';

export type TcpGuard = {
  readonly token: string;
  readonly rootHash: string;
  readonly port: () => number;
};

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

export const rootHeader = 'x-codegenie-root';

/** Whoever asks: the request was meant for this daemon, and no foreign page made a browser send it. */
export function checkOrigin(guard: TcpGuard, headers: Headers): void {
  const hosts = ['127.0.0.1', 'localhost'].map((name) => `${name}:${guard.port()}`);
  const { host, origin } = headers;
  if (typeof host !== 'string' || !hosts.includes(host.toLowerCase()))
    throw new Refusal(403, 'foreign_host', 'Host: not a name of this daemon', { field: 'host', accepted: hosts });
  const origins = hosts.map((name) => `http://${name}`);
  if (origin !== undefined && !(typeof origin === 'string' && origins.includes(origin.toLowerCase())))
    throw new Refusal(403, 'foreign_origin', 'Origin: not a page of this daemon', { field: 'origin' });
}

/** Over and above that: who can read the token, and means this root. */
export function checkTcp(guard: TcpGuard, headers: Headers): void {
  checkOrigin(guard, headers);
  const { authorization } = headers;
  const site = headers['sec-fetch-site'];
  // A browser says it of every request, also where it sends no Origin.
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    throw new Refusal(403, 'foreign_origin', 'Sec-Fetch-Site: not a page of this daemon', { field: 'sec-fetch-site' });
  const given = typeof authorization === 'string' ? /^Bearer ([\x21-\x7e]+)$/i.exec(authorization)?.[1] : undefined;
  if (given === undefined || !equal(given, guard.token))
    throw new Refusal(401, 'unauthorized', 'Authorization: the bearer token of `run/token` is needed', {
      field: 'authorization',
    });
  if (headers[rootHeader] !== guard.rootHash)
    throw new Refusal(412, 'wrong_root', `${rootHeader}: the hash of the root is needed, as in \`repo.root_hash\``, {
      field: rootHeader,
    });
}

/** Takes as long whatever is given. */
function equal(given: string, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}

export type TokenFile = { readonly path: string; readonly token: string; remove(): void };

/** The token of one life of a daemon on TCP: 256 random bits in a file that only its owner can read. */
export function createTokenFile(stateDir: string): TokenFile {
  const path = `${stateDir}/run/token`;
  const token = randomBytes(32).toString('base64url');
  writeAtomically(path, `${token}\n`, { durable: false });
  return { path, token, remove: () => rmSync(path, { force: true }) };
}
