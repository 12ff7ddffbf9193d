/**
 * One daemon from its start to its end (decision 0024). The holder of a root's writer lock is its daemon: the lock comes first, then the
 * socket, then everything else; it ends in the reverse order, so that nothing it started outlives it.
 */

import { chmodSync, lstatSync, rmSync } from 'node:fs';
import type { RefreshEvent } from '../../index/refresh/refresher.ts';
import type { IndexProgress } from '../../index/sync/reconcile.ts';
import type { SyncEvent, SyncTimes } from '../../index/sync/sync-loop.ts';
import { assert } from '../../kernel/base/assert.ts';
import { sha256Hex } from '../../kernel/base/hash.ts';
import { createTurns } from '../../kernel/base/turns.ts';
import { OutputRefused } from '../../kernel/base/write-file.ts';
import { createKeptCompilers } from '../../mutate/compiler/session/kept-compilers.ts';
import type { httpLimits, McpMount, Service } from '../http/create-app.ts';
import { createMetrics } from '../http/metrics.ts';
import { whyRefused } from '../operations/answer-words.ts';
import type { OpenDoor } from '../page/page-door.ts';
import { readSessionSettings } from '../workspace/local-workspace.ts';
import type { ConfigInvalid, LocalSettings, Workspace } from '../workspace/workspace.ts';
import { type CoreSettings, type IndexerRuns, openDaemonCore } from './daemon-core.ts';
import { createEventHub, relay } from './daemon-events.ts';
import { createIdle, createKeeper, createTreeWatch } from './daemon-lifetime.ts';
import { openDaemonLog } from './daemon-log.ts';
import { openSocketPath, socketPlaceOf } from './find-daemon.ts';
import { createProofJobs, proofWaitMs } from './proof-jobs.ts';
import { createSessionWorkspace, fitOf } from './session-workspace.ts';

export type DaemonSettings = LocalSettings & {
  readonly watch: boolean;
  readonly indexers: IndexerRuns;
  /** How long to wait for another process that writes the index. */
  readonly waitMs: number;
  /** Also on 127.0.0.1; 0 takes any free port. */
  readonly port: number | null;
  /** Without a terminal: it ends when it was not asked for long. */
  readonly background: boolean;
  readonly onListening: (at: Listening) => void;
  readonly onProgress: (progress: IndexProgress) => void;
  readonly onEvent: (event: SyncEvent) => void;
  readonly onRefresh: (event: RefreshEvent) => void;
  /** What answers at `/mcp`; made when it is first asked for. */
  readonly mcp?: ((of: McpWorld) => Promise<McpHandler>) | undefined;
  readonly largeTreeFiles?: number | undefined;
  readonly times?:
    | (Partial<SyncTimes> & { readonly idleMs?: number; readonly lookMs?: number; readonly proofMs?: number })
    | undefined;
  readonly limits?: Partial<Record<keyof typeof httpLimits, number>> | undefined;
  /** See `CoreSettings`. */
  readonly importThreads?: CoreSettings['importThreads'];
};

type McpWorld = {
  /** The façade for one call. */
  readonly open: (signal: AbortSignal) => Workspace;
  /** Ends every call. */
  readonly signal: AbortSignal;
  readonly onBug: (error: unknown) => void;
};

type McpHandler = { readonly handle: McpMount; readonly close: () => Promise<void> };

export type Listening = {
  readonly socket: string;
  readonly port: number | null;
  readonly tokenFile: string | null;
  /** Where the page for people is, with the token in it; null without a port. */
  readonly page: string | null;
};

export type DaemonOutcome =
  | { readonly kind: 'ended'; readonly why: string }
  | { readonly kind: 'busy' | 'refused'; readonly message: string }
  | ConfigInvalid;

const lookAfterTreeMs = 5_000;
/** Comparing so many files with the disk takes some tens of milliseconds. */
const largeTreeFiles = 2_000;
/** How long requests have to end by themselves when the daemon does. */
const graceMs = 500;

export async function runDaemon(settings: DaemonSettings): Promise<DaemonOutcome> {
  try {
    const ready = await readSessionSettings(settings, () => {});
    if (ready.kind === 'config_invalid') return ready;
    const idleMs = settings.times?.idleMs ?? (ready.idleExitMinutes === 0 ? null : ready.idleExitMinutes * 60_000);
    return await live(settings, ready.settings.stateDir, settings.background ? idleMs : null);
  } catch (error) {
    if (error instanceof OutputRefused) return { kind: 'refused', message: whyRefused(error) };
    throw error;
  }
}

async function live(settings: DaemonSettings, stateDir: string, idleMs: number | null): Promise<DaemonOutcome> {
  const { root, nowMs } = settings;
  const log = openDaemonLog(stateDir, nowMs);
  const ending = new AbortController();
  let whyEnded = '';
  const stop = (why: string) => {
    if (ending.signal.aborted) return;
    whyEnded = why;
    log(`ending: ${why}`);
    ending.abort(new Error(why));
  };
  const told = () => stop('it was told to');
  if (settings.signal.aborted) told();
  settings.signal.addEventListener('abort', told, { once: true });

  const hub = createEventHub();
  const metrics = createMetrics();
  const idle = createIdle(idleMs, () => stop('no question for a while'));
  // Building an index may take longer than the idle time.
  const started = idle.enter();
  const tree = createTreeWatch(root, stateDir);
  const startedAt = new Date(nowMs()).toISOString();
  const rootHash = sha256Hex(root).slice(0, 16);
  let nonce = '';
  let watch = 'off';
  let isReady = false;
  let http: Awaited<ReturnType<typeof listen>> | undefined;

  const relayed = relay({ hub, metrics, log });
  const onEvent = (event: SyncEvent) => {
    if (event.kind === 'watch') watch = event.state;
    relayed.sync(event);
    settings.onEvent(event);
  };
  const onRefresh = (event: RefreshEvent) => {
    relayed.refresh(event);
    settings.onRefresh(event);
  };
  const own = { ...settings, signal: ending.signal };
  const keeper = createKeeper(async (onReads) => {
    const ready = await readSessionSettings(own, (progress) => {
      hub.progress.emit(progress);
      settings.onProgress(progress);
    });
    if (ready.kind === 'config_invalid') {
      const message = ready.problems.map(({ file, message: says }) => `${file}: ${says}`).join('; ');
      return { opened: { kind: 'refused' as const, message }, fits: '' };
    }
    const fits = fitOf(ready);
    const opened = await openDaemonCore({
      ...ready.settings,
      ...settings,
      signal: ending.signal,
      onProgress: ready.settings.onProgress,
      semantic: ready.semantic,
      listen: async (lock) => {
        nonce = lock.nonce;
        http ??= await listen(settings, stateDir, rootHash, service);
        return http.at.socket;
      },
      onReads: (reads) => onReads(reads, fits),
      onEvent,
      onRefresh,
    });
    return { opened, fits };
  });
  const generation = () => keeper.peek()?.session.facts.writer.generation ?? null;
  const onBug = (error: unknown) => log(`bug: ${error instanceof Error ? (error.stack ?? '') : String(error)}`);
  const proofs = createProofJobs({
    waitMs: settings.times?.proofMs ?? proofWaitMs,
    signal: ending.signal,
    noteWork: () => idle.enter(),
    onBug,
  });
  const compilers = createKeptCompilers();
  const world = {
    settings: own,
    keeper,
    hub,
    changes: createTurns(),
    proofs,
    compilers,
    indexers: settings.indexers,
    largeTreeFiles: settings.largeTreeFiles ?? largeTreeFiles,
  };
  const service: Service = {
    health: () => ({
      outcome: 'ok',
      state: ending.signal.aborted ? 'ending' : isReady ? 'ready' : 'starting',
      version: settings.cliVersion,
      pid: process.pid,
      root,
      root_hash: rootHash,
      nonce,
      watch,
      indexers: settings.indexers,
      started_at: startedAt,
      clients: idle.open - (isReady ? 0 : 1),
      port: http?.door.port() ?? null,
      generation: generation(),
    }),
    workspace: (signal) => createSessionWorkspace(world, signal),
    listen: hub.events.listen,
    metrics,
    noteClient: () => idle.enter(),
    whyGone: () => tree.whyGone(null),
    openPage() {
      assert(http !== undefined, 'a request came in, so it listens');
      return http.door.open(null);
    },
    stop,
    signal: ending.signal,
    log,
  };
  // A process without a terminal shows no one what it dies of: the log does.
  const dying = (error: Error) => log(`bug: ${error.stack ?? error.message}`);
  if (settings.background) process.on('uncaughtExceptionMonitor', dying);
  log(`starting: codegenie ${settings.cliVersion} for ${root}`);
  let look: NodeJS.Timeout | undefined;
  /** Whatever fails in a tree that is gone, fails for that. */
  const hasLostTree = (): boolean => {
    const gone = tree.whyGone(null);
    if (gone !== null) stop(gone);
    return gone !== null;
  };
  try {
    // From the first moment on: a tree can vanish while its index is being built.
    look = setInterval(() => {
      const gone = tree.whyGone(keeper.peek()?.identity.nonce ?? null);
      if (gone !== null) stop(gone);
    }, settings.times?.lookMs ?? lookAfterTreeMs);
    const opened = await keeper.current();
    if (opened.kind !== 'open') {
      if (hasLostTree()) return { kind: 'ended', why: whyEnded };
      log(`not started: ${opened.message}`);
      return opened;
    }
    isReady = true;
    started();
    log(`ready: generation ${generation() ?? 'unknown'}, watcher ${watch}, socket ${http?.at.socket ?? 'none'}`);
    await ended(ending.signal);
    return { kind: 'ended', why: whyEnded };
  } catch (error) {
    if (!isReady && hasLostTree()) return { kind: 'ended', why: whyEnded };
    // Stopped while it started: that is no failure.
    if (!ending.signal.aborted)
      log(`failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    throw error;
  } finally {
    clearInterval(look);
    process.off('uncaughtExceptionMonitor', dying);
    settings.signal.removeEventListener('abort', told);
    stop('it could not go on');
    idle.close();
    await http?.close();
    await proofs.close();
    await compilers.close();
    await keeper.close().catch((error: unknown) => log(`while ending: ${String(error)}`));
    log('ended');
  }
}

/** The socket, and TCP where it was asked for. Only the holder of the writer lock comes here. */
async function listen(settings: DaemonSettings, stateDir: string, rootHash: string, service: Service) {
  // Heavy, and clients do not need it.
  const { createApp } = await import('../http/create-app.ts');
  const { createPageDoor } = await import('../page/page-door.ts');
  const mcp = settings.mcp === undefined ? undefined : createMount(settings.mcp, service);
  const socket = openSocketPath(socketPlaceOf(settings.root, stateDir));
  const app = createApp({ service, mcp: mcp?.mount, limits: settings.limits });
  removeStale(socket);
  await app.listen({ path: socket });
  chmodSync(socket, 0o600);
  const door = createPageDoor({
    stateDir,
    rootHash,
    nowMs: settings.nowMs,
    async listen(guard, page, port) {
      const tcp = createApp({ service, mcp: mcp?.mount, guard, page, limits: settings.limits });
      try {
        await tcp.listen({ host: '127.0.0.1', port });
      } catch (error) {
        await tcp.close();
        const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
        throw new OutputRefused(`127.0.0.1:${port}`, `cannot be listened at (${code}); take another port`);
      }
      const address = tcp.server.address();
      return {
        port: typeof address === 'object' && address !== null ? address.port : port,
        close: () => tcp.close(),
        cut: () => tcp.server.closeAllConnections(),
      };
    },
  });
  const close = async () => {
    const cut = setTimeout(() => {
      app.server.closeAllConnections();
      door.cut();
    }, graceMs);
    await Promise.all([mcp?.close(), app.close(), door.close()]);
    clearTimeout(cut);
  };
  let open: OpenDoor | undefined;
  try {
    if (settings.port !== null) open = await door.open(settings.port === 0 ? null : settings.port);
    else if (await door.openAgain()) open = await door.open(null);
  } catch (error) {
    await close();
    throw error;
  }
  settings.onListening({
    socket,
    port: open?.port ?? null,
    tokenFile: open?.tokenFile ?? null,
    page: open?.address ?? null,
  });
  return { at: { socket }, door, close };
}

function createMount(make: NonNullable<DaemonSettings['mcp']>, service: Service) {
  let made: Promise<McpHandler> | undefined;
  const onBug = (error: unknown) => service.log(`bug: ${error instanceof Error ? (error.stack ?? '') : String(error)}`);
  const mount: McpMount = async (request, response) => {
    made ??= make({ open: service.workspace, signal: service.signal, onBug });
    await (await made).handle(request, response);
  };
  return { mount, close: async () => (await made)?.close() };
}

/** A socket that a killed daemon left. What is no socket is not ours to remove. */
function removeStale(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isSocket()) throw new OutputRefused(path, 'is not a socket');
  rmSync(path);
}

function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
