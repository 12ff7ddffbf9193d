/**
 * The thread that imports an indexer's output while the one that keeps the root answers questions. It has a connection of its own and
 * writes only in `commit`, for which the store is lent to it (`store-turns.ts`). What it needs to know of the tree it reads from the store.
 *
 * R28  It asks `phase` between documents and a last time before it commits: what was stopped until then is undone.
 * What only a bug can throw is not caught: the thread dies, its connection is closed with it, and SQLite undoes what was not committed.
 */

import { parentPort, workerData } from 'node:worker_threads';
import { assert, unreachable } from '../../kernel/base/assert.ts';
import type { PreparedImport } from '../semantic/prepare-import.ts';
import { openFactsBeside, type WritableFacts } from '../store/facts-file.ts';
import { StoreFailed } from '../store/store-failed.ts';
import { allProvides } from '../store/stored-imports.ts';
import { loadFileTable } from '../sync/file-table.ts';
import { createNameProviders, createTreeWorld } from '../sync/tree-world.ts';
import {
  commitOutput,
  type ImportAnswer,
  type ImportRequest,
  type ImportStart,
  importPhase,
  prepareOutput,
} from './import-thread.ts';

const port = parentPort;
assert(port !== null, 'import-worker runs as a worker thread');
const { root, place, phase, ask } = workerData as ImportStart;
const say = (answer: ImportAnswer) => port.postMessage(answer);

await orStoreFailed(async () => {
  const facts = openStore();
  const prepared = await prepare(facts);
  if (prepared.kind === 'failed') return say(prepared);
  port.on('message', (request: ImportRequest) => orStoreFailed(() => say(answer(facts, prepared, request))));
  say({ kind: 'prepared' });
});

function openStore(): WritableFacts {
  const opened = openFactsBeside(place);
  if (opened.kind === 'open') return opened.facts;
  throw new StoreFailed(opened.kind === 'refused' ? `${opened.path} ${opened.why}` : opened.detail);
}

function prepare(facts: WritableFacts) {
  const { table, provides } = facts.read((session) => ({
    table: loadFileTable(session),
    provides: allProvides(session),
  }));
  return prepareOutput(root, {
    ...ask,
    resolve: createTreeWorld(root, table, createNameProviders(provides).filesProviding),
    canonicalOf: (path) => table.get(path)?.canonicalPath ?? path,
    facts,
    signal: {
      get aborted() {
        return Atomics.load(phase, 0) === importPhase.stopped;
      },
    },
  });
}

function answer(facts: WritableFacts, prepared: PreparedImport, request: ImportRequest): ImportAnswer {
  switch (request.kind) {
    case 'commit': {
      facts.catchUp();
      facts.jobs.catchUp(request.nextJobId);
      const outcome = commitOutput(facts, prepared, request.ask, mayGoOn);
      // Identities that no file speaks of any more; no answer has them.
      if (outcome.kind === 'committed' && outcome.accepted > 0) {
        facts.writer.remember(() => facts.semantic.removeUnusedIdentities(request.sweep));
      }
      return { kind: 'ended', outcome };
    }
    case 'redact':
      return { kind: 'redacted', isMade: prepared.redactOutput(request.to) };
    default:
      return unreachable(request);
  }
}

function mayGoOn(isLast: boolean): boolean {
  if (!isLast) return Atomics.load(phase, 0) === importPhase.open;
  return Atomics.compareExchange(phase, 0, importPhase.open, importPhase.committing) === importPhase.open;
}

async function orStoreFailed(act: () => void | Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof StoreFailed)) throw error;
    say({ kind: 'store_failed', detail: error.detail, damaged: error.damaged });
  }
}
