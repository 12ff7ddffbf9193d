/**
 * The daemon of a root, if there is one that can be believed: the process that `run/writer.json` names is alive, and its socket answers
 * with the same nonce, root and version. Light, because every command asks.
 */

import { Buffer } from 'node:buffer';
import { lstatSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { basename, dirname } from 'node:path';
import { readWriterIdentity, type WriterIdentity } from '../../index/store/writer-identity.ts';
import { sha256Hex } from '../../kernel/base/hash.ts';
import { type OwnDirsPlace, ownDirsOf } from '../../kernel/base/own-dirs.ts';
import { processStart } from '../../kernel/base/processes.ts';
import { ensureOwnDirectory, lstatOwn, OutputRefused } from '../../kernel/base/write-file.ts';
import type { IndexerRuns } from './daemon-core.ts';

/** What a daemon says of itself at `/healthz`. */
export type Health = {
  readonly outcome: 'ok';
  readonly state: 'starting' | 'ready' | 'ending';
  readonly version: string;
  readonly pid: number;
  readonly root: string;
  readonly root_hash: string;
  /** That of the writer lock: a reader of `run/writer.json` knows that it speaks to the holder. */
  readonly nonce: string;
  readonly watch: string;
  readonly indexers: IndexerRuns;
  readonly started_at: string;
  /** Requests and streams that are open. */
  readonly clients: number;
  readonly port: number | null;
  readonly generation: number | null;
};

export type DaemonSearch =
  | { readonly kind: 'none' }
  | { readonly kind: 'found'; readonly socket: string; readonly health: Health }
  /** It answers, and is another version: it is left alone. */
  | { readonly kind: 'other_version'; readonly socket: string; readonly health: Health }
  /** It lives, and does not answer. */
  | { readonly kind: 'silent'; readonly pid: number };

const answerMs = 5_000;

export async function findDaemon(
  of: OwnDirsPlace & { readonly version: string; readonly signal: AbortSignal; readonly timeoutMs?: number },
): Promise<DaemonSearch> {
  const identity = findAnnounced(of);
  if (identity === undefined) return { kind: 'none' };
  const { askDaemon } = await import('../workspace/remote-workspace.ts');
  const { socket, pid } = identity;
  const reply = await askDaemon({
    socket,
    method: 'GET',
    path: '/healthz',
    signal: of.signal,
    timeoutMs: of.timeoutMs ?? answerMs,
  });
  if (reply.kind === 'unreachable') return { kind: 'none' };
  if (reply.kind !== 'result') return { kind: 'silent', pid };
  const health = reply.result as Health;
  const isIt = health.nonce === identity.nonce && health.root === of.root && health.state !== 'ending';
  if (!isIt) return { kind: 'none' };
  return { kind: health.version === of.version ? 'found' : 'other_version', socket, health };
}

/** The process that says it is the daemon, if it lives and names a socket that a daemon of this root would have. */
export function findAnnounced(of: OwnDirsPlace): (WriterIdentity & { readonly socket: string }) | undefined {
  try {
    const { stateDir } = ownDirsOf(of);
    const identity = readWriterIdentity(stateDir);
    if (identity === null || identity.socket === null) return undefined;
    const { socket } = identity;
    // Another process may have the number by now.
    const isAlive = processStart(identity.pid) === identity.started;
    return isAlive && isOurSocket(socket, socketPlaceOf(of.root, stateDir)) ? { ...identity, socket } : undefined;
  } catch {
    return undefined;
  }
}

/** What fits into the address of a unix socket. */
const maxPathBytes = 107;

export type SocketPlace = {
  readonly stateDir: string;
  readonly rootHash: string;
  readonly temporary: string;
  readonly uid: number;
};

export function socketPlaceOf(root: string, stateDir: string): SocketPlace {
  return { stateDir, rootHash: sha256Hex(root).slice(0, 16), temporary: tmpdir(), uid: userInfo().uid };
}

export function openSocketPath(of: SocketPlace): string {
  const path = socketPathOf(of);
  const directory = dirname(path);
  if (directory === `${of.stateDir}/run`) return path;
  ensureOwnDirectory(directory);
  // Where every user may make directories, one of this name may be another user's.
  const found = lstatOwn(directory);
  if (found === undefined || found.uid !== of.uid || (found.mode & 0o077) !== 0)
    throw new OutputRefused(directory, 'is not a directory of ours alone; move it away');
  return path;
}

/** P9: whatever the file says about sockets leads nowhere but to ours. */
function isOurSocket(path: string, of: SocketPlace): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  // The process that started the daemon may have another place for temporary files than a client.
  const isElsewhere = basename(path) === `${of.rootHash}.sock` && basename(dirname(path)) === `codegenie-${of.uid}`;
  return (
    (path === `${of.stateDir}/run/daemon.sock` || isElsewhere) && found?.isSocket() === true && found.uid === of.uid
  );
}

function socketPathOf(of: SocketPlace): string {
  const path = `${of.stateDir}/run/daemon.sock`;
  if (Buffer.byteLength(path) <= maxPathBytes) return path;
  return `${of.temporary}/codegenie-${of.uid}/${of.rootHash}.sock`;
}
