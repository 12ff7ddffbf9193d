/** What `--json` says about a daemon. */

import type { Health } from '../serve/daemon/find-daemon.ts';

export function describeDaemon({ socket, health }: { readonly socket: string; readonly health: Health }): object {
  const { state, version, pid, root, root_hash, watch, started_at, clients, port, generation } = health;
  return { state, version, pid, root, root_hash, socket, port, watch, generation, started_at, clients };
}
