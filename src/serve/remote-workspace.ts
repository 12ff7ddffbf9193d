/**
 * The façade for who asks a daemon. Equal to the local one in everything but where the work is done. Where the daemon turns out to be gone
 * before anything was asked of it, the local one does the work.
 */

import { Agent } from 'node:http';
import type { Probe } from '../gather/contract.ts';
import { sha256Hex } from '../kernel/base/hash.ts';
import { askDaemon } from './remote/ask-daemon.ts';
import { unpackGather, unpackProgress, unpackRefresh } from './remote/wire.ts';
import type { AskOptions, AskOutcome, ChangeOutcome, Workspace } from './workspace.ts';

export type RemoteSettings = {
  readonly root: string;
  readonly socket: string;
  readonly signal: AbortSignal;
  /** Only a gather needs them. */
  readonly probes: () => readonly Probe[] | Promise<readonly Probe[]>;
  /** Connections that others use too; without it, its own. */
  readonly agent?: Agent | undefined;
  /** For when nobody answers any more. */
  readonly local: () => Workspace | Promise<Workspace>;
};

type Line = Readonly<Record<string, unknown>>;

export function createDaemonAgent(): Agent {
  return new Agent({ keepAlive: true, maxSockets: 64 });
}

export function createRemoteWorkspace(settings: RemoteSettings): Workspace {
  const { root, socket, signal } = settings;
  const agent = settings.agent ?? createDaemonAgent();

  /** Undefined: the daemon is gone, and was not asked. */
  const send = async (method: string, body: object, onLine: (line: Line) => void = () => {}) => {
    const request = { socket, method: 'POST' as const, path: `/v1/workspace/${method}`, body, signal, onLine };
    let reply = await askDaemon({ ...request, agent });
    // A connection that was kept may have been closed meanwhile. What changes nothing is asked again over a new one.
    if (reply.kind === 'lost' && method !== 'change' && method !== 'gather') reply = await askDaemon(request);
    switch (reply.kind) {
      case 'result':
        return { kind: 'result' as const, result: reply.result };
      case 'unreachable':
        return undefined;
      case 'lost':
        return { kind: 'lost' as const, message: `the daemon of ${root} ended before it answered; ask again` };
      case 'problem':
        if (reply.outcome === 'ending' || reply.outcome === 'tree_gone') return undefined;
        if (reply.status === 503) return { kind: 'lost' as const, message: reply.message };
        throw new Error(`the daemon of ${root} answered ${reply.status}: ${reply.message}`);
    }
  };
  /** For questions that have no ending for "not now". */
  const fetch = async <T>(
    method: string,
    body: object,
    otherwise: (workspace: Workspace) => Promise<T>,
  ): Promise<T> => {
    const reply = await send(method, body);
    if (reply?.kind === 'result') return reply.result as T;
    // They only read: asked a second time nothing is done twice.
    return otherwise(await settings.local());
  };

  return {
    root,
    repo: () => ({ root, root_hash: sha256Hex(root).slice(0, 16), worktree: root, head: null, generation: null }),
    async gather(ask) {
      const { onProgress, maxConcurrency, ...rest } = ask;
      const probes = await settings.probes();
      try {
        const reply = await send('gather', { ...rest, max_concurrency: maxConcurrency }, ({ progress }) => {
          if (progress !== undefined) onProgress(unpackProgress(progress, probes));
        });
        if (reply?.kind === 'result') return unpackGather(reply.result, probes);
        if (reply?.kind === 'lost') return { kind: 'busy', owner: reply.message, executions: [] };
      } catch (error) {
        if (signal.aborted) return { kind: 'cancelled' };
        throw error;
      }
      return (await settings.local()).gather(ask);
    },
    report: () => fetch('report', {}, (local) => local.report()),
    explain: (field) => fetch('explain', { field }, (local) => local.explain(field)),
    audit: () => fetch('audit', {}, (local) => local.audit()),
    doctor: () => fetch('doctor', {}, (local) => local.doctor()),
    async ask(operation, input, options) {
      type Outcome = AskOutcome<ReturnType<typeof operation.output.parse>>;
      const { refresh } = options;
      const body = {
        operation: operation.name,
        input,
        wait_ms: Math.round(options.waitMs),
        ...(options.verify === undefined ? {} : { verify: options.verify }),
        refresh:
          refresh === undefined
            ? null
            : { wait_ms: refresh.waitMs, ...(refresh.again === undefined ? {} : { again: refresh.again }) },
      };
      const reply = await send('ask', body, ({ progress, refresh: event }) => {
        if (progress !== undefined) options.onProgress(progress as Parameters<AskOptions['onProgress']>[0]);
        if (event !== undefined) options.onRefresh?.(unpackRefresh(event));
      });
      if (reply?.kind === 'result') return reply.result as Outcome;
      if (reply?.kind === 'lost') return { kind: 'busy', message: reply.message };
      return (await settings.local()).ask(operation, input, options);
    },
    async change(mutation, input, options) {
      type Outcome = ChangeOutcome<ReturnType<typeof mutation.output.parse>>;
      const body = { mutation: mutation.name, input, wait_ms: Math.round(options.waitMs) };
      const reply = await send('change', body, ({ progress, step }) => {
        if (progress !== undefined) options.onProgress(progress as Parameters<AskOptions['onProgress']>[0]);
        if (typeof step === 'string') options.onStep(step);
      });
      if (reply?.kind === 'result') {
        const outcome = reply.result as Outcome;
        if (outcome.kind !== 'answered') return outcome;
        const { createLook } = await import('./run-mutation.ts');
        return { ...outcome, look: createLook(root) };
      }
      if (reply?.kind === 'lost')
        return { kind: 'busy', message: `${reply.message}; \`codegenie plan list\` shows what became of it` };
      return (await settings.local()).change(mutation, input, options);
    },
  };
}
