/**
 * One import in a process of its own: a store that holds the syntactic index, an index file that is already there, and the real refresh
 * machinery around both; only the indexer's run is replaced. Or the decoding of that file alone.
 */

import { statSync } from 'node:fs';
import { importParts } from '../../src/index/refresh/refresh-wiring.ts';
import { createRefresher } from '../../src/index/refresh/refresher.ts';
import { openIndexSession } from '../../src/index/sync/index-session.ts';
import { readScip } from '../../src/kernel/formats/read-scip.ts';

type ImportAsk = {
  readonly mode: 'decode' | 'import';
  readonly root: string;
  readonly stateDir: string;
  readonly output: string;
};
export type Decoded = { readonly ms: number; readonly rssMb: number; readonly documents: number };
export type Imported = {
  readonly prepareMs: number;
  readonly commitMs: number;
  /** The copy without secrets that is kept; not part of the import. */
  readonly redactMs: number;
  /** Before the import, after it, and at the end. */
  readonly openedMb: number;
  readonly rssMb: number;
  readonly endMb: number;
  readonly accepted: number;
  readonly jobs: number;
};

const ask = JSON.parse(process.argv[2] as string) as ImportAsk;
console.log(JSON.stringify(ask.mode === 'decode' ? decode() : await importOnce()));

function decode(): Decoded {
  let documents = 0;
  const started = performance.now();
  const outcome = readScip(ask.output, (part) => {
    if (part.kind === 'document') documents += 1;
  });
  const ms = performance.now() - started;
  if (outcome.kind !== 'read') throw new Error(outcome.detail);
  return { ms, rssMb: peakMb(), documents };
}

async function importOnce(): Promise<Imported> {
  const { root, stateDir, output } = ask;
  const common = {
    root,
    stateDir,
    cacheDir: stateDir,
    environment: process.env,
    nowMs: Date.now,
    signal: new AbortController().signal,
  };
  const settings = { ...common, isGit: true, extraExtensions: new Map(), onProgress: () => {}, waitMs: 0 };
  const opened = await openIndexSession(settings);
  if (opened.kind !== 'open') throw new Error(opened.kind);
  const { session } = opened;
  if (session.rebuilt !== null) throw new Error(`the store was built anew: ${session.rebuilt}`);
  const real = importParts(root);
  let [prepareMs, commitMs, redactMs, openedMb, rssMb] = [0, 0, 0, 0, 0];
  const refresher = createRefresher({
    ...common,
    session,
    owner: 'bench',
    toolPaths: {},
    maxFileMb: 4,
    onEvent: () => {},
    parts: {
      runIndexer: async () => ({
        kind: 'output',
        path: output,
        documentBase: '',
        ms: 0,
        log: '',
        globals: null,
        peakMb: 0,
      }),
      async prepareImport(asked) {
        openedMb = peakMb();
        const started = performance.now();
        const prepared = await real.prepareImport(asked);
        prepareMs += performance.now() - started;
        if (prepared.kind !== 'ready') return prepared;
        return {
          kind: 'ready',
          close: prepared.close,
          async commit(take) {
            const begun = performance.now();
            const committed = await prepared.commit(take);
            commitMs += performance.now() - begun;
            rssMb = peakMb();
            return committed;
          },
          async redactOutput(to) {
            const begun = performance.now();
            const isMade = await prepared.redactOutput(to);
            redactMs += performance.now() - begun;
            return isMade;
          },
        };
      },
    },
  });
  await refresher.refreshContexts();
  await refresher.enqueueUnsettled('bench');
  const { ran, failed } = await refresher.runUntilIdle({ skipGuard: true, waitMs: null });
  await refresher.close();
  await session.close();
  const [first] = ran;
  if (first?.status !== 'completed') {
    throw new Error(`nothing was imported of ${statSync(output).size} bytes: ${JSON.stringify({ ran, failed })}`);
  }
  return {
    ...{ prepareMs, commitMs, redactMs, openedMb, rssMb },
    endMb: peakMb(),
    accepted: first.accepted,
    jobs: ran.length,
  };
}

function peakMb(): number {
  return process.resourceUsage().maxRSS / 1024;
}
