/** Where a daemon of a root listens (surfaces.md §4). `run/writer.json` names it; nobody has to work it out again. */

import { Buffer } from 'node:buffer';
import { ensureOwnDirectory, lstatOwn, OutputRefused } from '../../kernel/base/write-file.ts';

/** What fits into the address of a unix socket. */
const maxPathBytes = 107;

export function openSocketPath(of: {
  readonly dataDir: string;
  readonly rootHash: string;
  readonly temporary: string;
  readonly uid: number;
}): string {
  const path = `${of.dataDir}/run/daemon.sock`;
  if (Buffer.byteLength(path) <= maxPathBytes) return path;
  const directory = `${of.temporary}/codegenie-${of.uid}`;
  ensureOwnDirectory(directory);
  // In a place where everybody may make directories, one of this name may be somebody else's.
  const found = lstatOwn(directory);
  if (found === undefined || found.uid !== of.uid || (found.mode & 0o077) !== 0)
    throw new OutputRefused(directory, 'is not a directory of ours alone; move it away');
  return `${directory}/${of.rootHash}.sock`;
}
