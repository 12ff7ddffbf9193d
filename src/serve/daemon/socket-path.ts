/** Where a daemon of a root listens (surfaces.md §4). `run/writer.json` names it; nobody has to work it out again. */

import { Buffer } from 'node:buffer';
import { lstatSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { basename, dirname } from 'node:path';
import { sha256Hex } from '../../kernel/base/hash.ts';
import { ensureOwnDirectory, lstatOwn, OutputRefused } from '../../kernel/base/write-file.ts';

/** What fits into the address of a unix socket. */
const maxPathBytes = 107;

export type SocketPlace = {
  readonly dataDir: string;
  readonly rootHash: string;
  readonly temporary: string;
  readonly uid: number;
};

export function socketPlaceOf(root: string, dataDir: string): SocketPlace {
  return { dataDir, rootHash: sha256Hex(root).slice(0, 16), temporary: tmpdir(), uid: userInfo().uid };
}

export function openSocketPath(of: SocketPlace): string {
  const path = socketPathOf(of);
  const directory = dirname(path);
  if (directory === `${of.dataDir}/run`) return path;
  ensureOwnDirectory(directory);
  // In a place where everybody may make directories, one of this name may be somebody else's.
  const found = lstatOwn(directory);
  if (found === undefined || found.uid !== of.uid || (found.mode & 0o077) !== 0)
    throw new OutputRefused(directory, 'is not a directory of ours alone; move it away');
  return path;
}

/** P9: a data dir may have come with the repository, and what it says about sockets leads nowhere but to ours. */
export function isOurSocket(path: string, of: SocketPlace): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  // Who starts a daemon may have another place for temporary files than who asks it.
  const isElsewhere = basename(path) === `${of.rootHash}.sock` && basename(dirname(path)) === `codegenie-${of.uid}`;
  return (
    (path === `${of.dataDir}/run/daemon.sock` || isElsewhere) && found?.isSocket() === true && found.uid === of.uid
  );
}

function socketPathOf(of: SocketPlace): string {
  const path = `${of.dataDir}/run/daemon.sock`;
  if (Buffer.byteLength(path) <= maxPathBytes) return path;
  return `${of.temporary}/codegenie-${of.uid}/${of.rootHash}.sock`;
}
