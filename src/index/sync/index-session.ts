/**
 * The writer's side of one root (code-plane.md §2 "Start-up order", §4.3): holds the writer lock, the stores, the workers and the
 * reconciler, for one command or for a daemon's life. A store that is missing, older, newer, damaged or of another root is rebuilt
 * beside the old one and becomes visible all at once.
 */

import { sha256Hex } from '../../kernel/base/hash.ts';
import { silentLogger } from '../../kernel/base/log.ts';
import type { Exec } from '../../kernel/exec/exec.ts';
import { createExecHost } from '../../kernel/exec/exec-host.ts';
import { gitConfigSignature } from '../../kernel/tree/git-facts.ts';
import { createTreeLister, listingUnsaved } from '../../kernel/tree/list-tree.ts';
import { foldsNames } from '../../kernel/tree/root.ts';
import { giveUpStore } from '../store/current-file.ts';
import { createFacts, type FactsBuild, openFactsForWrite, type WritableFacts } from '../store/facts-file.ts';
import { openLedger } from '../store/ledger/ledger.ts';
import { readOrCreateKey } from '../store/ledger/state-key.ts';
import { StoreFailed } from '../store/store-failed.ts';
import { takeWriterLock, type WriterIdentity, type WriterLock } from '../store/writer-lock.ts';
import { extractorIdentity } from '../text/file-record.ts';
import { type IndexPool, openIndexPool } from './index-pool.ts';
import type { IndexProgress, ReconcileAsk, ReconcileOutcome, Reconciler } from './reconcile.ts';
import { createReconcileQueue, createStoreHold, type StoreHold } from './store-turns.ts';
import type { WatchState } from './watch-tree.ts';

export type SessionSettings = {
  readonly root: string;
  readonly isGit: boolean;
  /** Of this tree, in the user's own directories (`kernel/base/own-dirs.ts`): ledger, keys, locks, journals. */
  readonly stateDir: string;
  /** Likewise: the index and kept outputs of indexers. */
  readonly cacheDir: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Extension → language, from the configuration. */
  readonly extraExtensions: ReadonlyMap<string, string>;
  readonly nowMs: () => number;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: IndexProgress) => void;
  readonly workers?: number | undefined;
  /** What the watcher says when it listens, which the first look at the tree waits for; `off` without one. */
  readonly watching?: Promise<WatchState> | undefined;
  /** Threads that are shared with other sessions of this process. */
  readonly pool?: IndexPool | undefined;
  /**
   * Finishes or takes back what a writer of the user's files left undone (mutation.md §8). Called with the writer lock held, before
   * a store is opened and a file is read.
   */
  readonly recover?: (() => void | Promise<void>) | undefined;
  /** Called as soon as the writer lock is held: for a daemon, which then says where it can be reached. */
  readonly onLock?: ((lock: HeldLock) => void | Promise<void>) | undefined;
  /** Called while threads read files that have changed: for a caller that can get meanwhile what it will need afterwards. */
  readonly onReading?: (() => void) | undefined;
  /** Called when a store that was there is open, before anything was compared with it. */
  readonly onStore?: ((facts: WritableFacts) => void) | undefined;
};

export type HeldLock = Pick<WriterLock, 'nonce' | 'announce'>;

export type OpenedSession =
  | { readonly kind: 'open'; readonly session: IndexSession }
  | { readonly kind: 'busy'; readonly holder: WriterIdentity | null }
  | { readonly kind: 'refused'; readonly path: string; readonly why: string };

export interface IndexSession {
  /** The live store; another object after a rebuild. */
  readonly facts: WritableFacts;
  /** Why the store had to be built anew when the session opened. */
  readonly rebuilt: string | null;
  readonly reconciler: Reconciler;
  reconcile(ask: ReconcileAsk): Promise<ReconcileOutcome>;
  /** Everything that is written besides reconciles goes through it. */
  readonly hold: StoreHold;
  /** The first reconcile of the session, which every session does. */
  readonly first: ReconcileOutcome;
  /** Why the set of files of the last reconcile may be incomplete. */
  readonly scopeProblem: string | null;
  setWatch(state: WatchState): void;
  /** Ends warm threads; the next change starts one again. */
  rest(): Promise<void>;
  close(): Promise<void>;
}

export async function openIndexSession(
  settings: SessionSettings & { readonly waitMs: number },
): Promise<OpenedSession> {
  const { stateDir, signal } = settings;
  const lock = await takeWriterLock({ stateDir, waitMs: settings.waitMs, signal });
  if (lock.kind !== 'taken') return lock;
  const ending: (() => void | Promise<void>)[] = [lock.release];
  const close = async () => {
    for (const end of ending.splice(0).reverse()) await end();
  };
  try {
    await settings.onLock?.(lock);
    const opened = await openOrRepair(settings, ending, close);
    if (opened.kind === 'refused') await close();
    return opened;
  } catch (error) {
    await close();
    throw error;
  }
}

/** A store that turns out to be damaged is derived data: it is given up, once, and built anew. */
async function openOrRepair(
  settings: SessionSettings,
  ending: (() => void | Promise<void>)[],
  close: () => Promise<void>,
): Promise<Stores> {
  const held = ending.length;
  try {
    return await openStores(settings, ending, close);
  } catch (error) {
    if (!(error instanceof StoreFailed && error.damaged)) throw error;
    for (const end of ending.splice(held).reverse()) await end();
    giveUpStore(settings.cacheDir);
    const opened = await openStores(settings, ending, close);
    if (opened.kind === 'open') Object.assign(opened.session, { rebuilt: 'damaged' });
    return opened;
  }
}

type Stores = Exclude<OpenedSession, { kind: 'busy' }>;

/** What is opened is pushed on `ending`, so that a failure half-way closes exactly what is open. */
async function openStores(
  settings: SessionSettings,
  ending: (() => void | Promise<void>)[],
  close: () => Promise<void>,
): Promise<Stores> {
  const { root, stateDir, signal } = settings;
  const git = createGit(settings);
  await settings.recover?.();
  const key = readOrCreateKey(stateDir);
  if (key.kind === 'refused') return key;
  const openPool = () => openIndexPool({ signal, workers: settings.workers });
  let pool: IndexPool = settings.pool ?? openPool();
  // A pool that was lent is not ours to close.
  ending.push(() => (pool === settings.pool ? undefined : pool.close()));
  let watch: WatchState = 'off';
  const listening = async () => {
    watch = (await settings.watching) ?? 'off';
  };
  const common = {
    ...settings,
    key: key.key,
    lister: listingUnsaved(root, createTreeLister(root, git)),
    pathKey: pathKeyFor(root),
    watch: () => watch,
  };
  const stores = await openOrBuild(settings, async (build) => {
    const { createReconciler } = await import('./reconcile.ts');
    await listening();
    return createReconciler({ ...common, pool, facts: build, bulk: true }).reconcile('all');
  });
  if (stores.kind === 'refused') return stores;
  const { facts } = stores;
  const { rebuilt } = stores;
  ending.push(() => facts.close());
  if (stores.first === undefined) {
    settings.onStore?.(facts);
    await listening();
  }
  // All parsers and resolvers: loaded after a process that only reads was told so.
  const { createReconciler } = await import('./reconcile.ts');
  const makeReconciler = () => createReconciler({ ...common, pool, facts, bulk: false });
  let reconciler = makeReconciler();
  const queue = createReconcileQueue(async (ask) => {
    try {
      return await reconciler.reconcile(ask);
    } catch (error) {
      // What it holds in memory may be ahead of the store, and its threads may be gone: both are made anew.
      if (!signal.aborted) {
        if (pool !== settings.pool) await pool.close();
        pool = openPool();
        reconciler = makeReconciler();
      }
      throw error;
    }
  });
  ending.push(() => queue.settled());
  const first = stores.first ?? (await queue.request('all'));
  const session: IndexSession = {
    facts,
    rebuilt,
    first,
    get reconciler() {
      return reconciler;
    },
    get scopeProblem() {
      return (reconciler.listing ?? { problem: first.scopeProblem }).problem;
    },
    reconcile: (ask) => queue.request(ask),
    hold: createStoreHold(queue, facts),
    setWatch: (state) => {
      watch = state;
    },
    rest: () => pool.rest(),
    close,
  };
  return { kind: 'open', session };
}

type Built =
  | {
      readonly kind: 'open';
      readonly facts: WritableFacts;
      readonly rebuilt: string | null;
      readonly first: ReconcileOutcome | undefined;
    }
  | { readonly kind: 'refused'; readonly path: string; readonly why: string };

async function openOrBuild(
  settings: SessionSettings,
  fill: (build: FactsBuild) => Promise<ReconcileOutcome>,
): Promise<Built> {
  const { stateDir } = settings;
  const identity = identityOf(settings);
  const opened = openFactsForWrite(identity);
  if (opened.kind === 'refused') return opened;
  if (opened.kind === 'open') return { kind: 'open', facts: opened.facts, rebuilt: null, first: undefined };
  const ledger = openLedger(stateDir);
  if (ledger.kind === 'refused') return ledger;
  if (ledger.kind === 'unusable') return { kind: 'refused', path: `${stateDir}/state/ledger.db`, why: ledger.detail };
  try {
    const created = createFacts({ ...identity, ledger: ledger.ledger });
    if (created.kind === 'refused') return created;
    try {
      const first = await fill(created.build);
      return { kind: 'open', facts: created.build.publish(), rebuilt: opened.reason, first };
    } catch (error) {
      created.build.abandon();
      throw error;
    }
  } finally {
    ledger.ledger.close();
  }
}

/** Of which root, and by which reading of files, a store is. */
export function identityOf(settings: Pick<SessionSettings, 'root' | 'cacheDir' | 'extraExtensions'>): {
  readonly cacheDir: string;
  readonly rootHash: string;
  readonly extractor: string;
} {
  return {
    cacheDir: settings.cacheDir,
    rootHash: sha256Hex(settings.root).slice(0, 16),
    extractor: extractorIdentity(settings.extraExtensions),
  };
}

type GitSettings = Pick<SessionSettings, 'root' | 'isGit' | 'environment' | 'signal'>;

/** The git of a work tree, to be asked for anew each time; undefined where there is none. */
export function createGit(settings: GitSettings): (() => Exec['git']) | undefined {
  const { root, signal, environment } = settings;
  if (!settings.isGit) return undefined;
  let known: { readonly signature: string; readonly git: Exec['git'] } | undefined;
  // A hardened git knows the configuration of the moment it was made in, and asking for that costs two processes.
  return () => {
    const signature = gitConfigSignature(root);
    if (known?.signature !== signature) {
      const host = createExecHost({ root, environment, toolPaths: {}, logger: silentLogger });
      known = { signature, git: host.bind({ name: 'index', signal, workspace: root }).git };
    }
    return known.git;
  };
}

function pathKeyFor(root: string): (path: string) => string {
  return foldsNames(root) ? (path) => path.normalize('NFC').toLowerCase() : (path) => path;
}
