/** What the HTTP side needs of a daemon. */

import type { DaemonEvent } from '../daemon/event-hub.ts';
import type { Workspace } from '../workspace.ts';
import type { Metrics } from './metrics.ts';

export type Health = {
  readonly outcome: 'ok';
  readonly state: 'starting' | 'ready' | 'ending';
  readonly version: string;
  readonly pid: number;
  readonly root: string;
  readonly root_hash: string;
  /** That of the writer lock: whoever reads `run/writer.json` knows that it speaks to the holder. */
  readonly nonce: string;
  readonly watch: string;
  readonly started_at: string;
  /** Requests and streams that are open. */
  readonly clients: number;
  readonly port: number | null;
  readonly generation: number | null;
};

export type Service = {
  health(): Health;
  /** The façade for one request; the signal is the request's. */
  workspace(signal: AbortSignal): Workspace;
  listen(receive: (event: DaemonEvent) => void): () => void;
  readonly metrics: Metrics;
  /** Somebody is served until the answer is called: for as long the daemon is not idle. */
  noteClient(): () => void;
  /** The work tree is where it was; says why not. */
  whyGone(): string | null;
  /** Ends the daemon, after the answer. */
  stop(why: string): void;
  readonly signal: AbortSignal;
  log(line: string): void;
};
