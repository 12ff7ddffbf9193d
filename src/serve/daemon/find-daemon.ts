/**
 * The daemon of a root, if there is one that can be believed: the process that `run/writer.json` names is alive, and on its socket answers
 * somebody with the same nonce, root and version. Light, because every command asks.
 */

import { DATA_DIR } from '../../gather/data-dir.ts';
import { readWriterIdentity } from '../../index/store/writer-identity.ts';
import { processStart } from '../../kernel/base/process-start.ts';
import type { Health } from '../http/service.ts';

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
  const identity = findIdentity(`${of.root}/${DATA_DIR}`);
  if (identity === null || identity.socket === null || processStart(identity.pid) !== identity.started)
    return { kind: 'none' };
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

function findIdentity(dataDir: string) {
  try {
    return readWriterIdentity(dataDir);
  } catch {
    return null;
  }
}
