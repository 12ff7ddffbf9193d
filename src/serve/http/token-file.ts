/** The token of one life of a daemon on TCP: 256 random bits in a file that only its owner can read. */

import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { writeAtomically } from '../../kernel/base/write-file.ts';

export type TokenFile = { readonly path: string; readonly token: string; remove(): void };

export function createTokenFile(dataDir: string): TokenFile {
  const path = `${dataDir}/run/token`;
  const token = randomBytes(32).toString('base64url');
  writeAtomically(path, `${token}\n`, { durable: false });
  return { path, token, remove: () => rmSync(path, { force: true }) };
}
