/**
 * `state/key`: 32 random bytes, this root's own, under which secret-shaped strings are hashed before anything derived from them is
 * stored (code-plane.md §1.4). Made once; never in a database.
 */

import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import {
  createKeyFile,
  ensureOwnDirectory,
  keyBytes,
  lstatOwn,
  OutputRefused,
} from '../../../kernel/base/write-file.ts';
import { orRefused, type Refused } from '../open-database.ts';

type KeyOutcome = { readonly kind: 'key'; readonly key: Uint8Array } | Refused;

export function readOrCreateKey(stateDir: string): KeyOutcome {
  return orRefused((): KeyOutcome => {
    ensureOwnDirectory(stateDir);
    ensureOwnDirectory(`${stateDir}/state`);
    const path = `${stateDir}/state/key`;
    if (lstatOwn(path) === undefined) createKeyFile(path);
    return { kind: 'key', key: readKey(path) };
  });
}

/** For a copy of the store elsewhere, whose rows hold hashes under this key. False where there is none yet, or none that can be used. */
export function copyKey(stateDir: string, toStateDir: string): boolean {
  const key = findKey(stateDir);
  if (key === undefined) return false;
  ensureOwnDirectory(`${toStateDir}/state`);
  writeFileSync(`${toStateDir}/state/key`, key, { mode: 0o600, flag: 'wx' });
  return true;
}

/** Creates nothing: undefined where there is none, or none that can be used. */
export function findKey(stateDir: string): Uint8Array | undefined {
  const path = `${stateDir}/state/key`;
  if (lstatOwn(`${stateDir}/state`)?.isDirectory() !== true || lstatOwn(path) === undefined) return undefined;
  const found = orRefused((): KeyOutcome => ({ kind: 'key', key: readKey(path) }));
  return found.kind === 'key' ? found.key : undefined;
}

function readKey(path: string): Uint8Array {
  const found = lstatOwn(path);
  if (found?.isFile() !== true) throw new OutputRefused(path, 'is not a regular file');
  // A key of another length was not made here; replacing it would silently part old hashes from new ones.
  if (found.size !== keyBytes) throw new OutputRefused(path, `does not have ${keyBytes} bytes`);
  if ((found.mode & 0o777) !== 0o600) chmodSync(path, 0o600);
  return new Uint8Array(readFileSync(path));
}
