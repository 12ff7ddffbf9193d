/**
 * The daemon of a root, if there is one that can be believed: the process that `run/writer.json` names is alive, and on its socket answers
 * somebody with the same nonce, root and version. Light, because every command asks.
 */

import { DATA_DIR } from '../../gather/data-dir.ts';
import { readWriterIdentity, type WriterIdentity } from '../../index/store/writer-identity.ts';
import { processStart } from '../../kernel/base/process-start.ts';
import type { Health } from '../http/service.ts';
import { isOurSocket, socketPlaceOf } from './socket-path.ts';

export type DaemonSearch =
  | { readonly kind: 'none' }
  | { readonly kind: 'found'; readonly socket: string; readonly health: Health }
  /** It answers, and is another version: it is left alone. */
  | { readonly kind: 'other_version'; readonly socket: string; readonly health: Health }
  /** It lives, and does not answer. */
  | { readonly kind: 'silent'; readonly pid: number };

const answerMs = 5_000;

export async function findDaemon(of: {
  readonly root: string;
  readonly version: string;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
}): Promise<DaemonSearch> {
  const identity = findAnnounced(of.root);
  if (identity === undefined) return { kind: 'none' };
  const { askDaemon } = await import('../remote/ask-daemon.ts');
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

/** Who says that it is the daemon, lives, and names a socket that a daemon of this root would have. */
export function findAnnounced(root: string): (WriterIdentity & { readonly socket: string }) | undefined {
  const dataDir = `${root}/${DATA_DIR}`;
  try {
    const identity = readWriterIdentity(dataDir);
    if (identity === null || identity.socket === null) return undefined;
    const { socket } = identity;
    // The number alone may be somebody else's by now.
    const isAlive = processStart(identity.pid) === identity.started;
    return isAlive && isOurSocket(socket, socketPlaceOf(root, dataDir)) ? { ...identity, socket } : undefined;
  } catch {
    return undefined;
  }
}
