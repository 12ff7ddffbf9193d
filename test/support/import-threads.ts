/** Imports in a thread of their own, whatever their size, and what stands in the way of such a thread (`troubled-import.ts`). */

import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';
import type { ImportThreads } from '../../src/index/refresh/import-thread.ts';
import { identityOf } from '../../src/index/sync/index-session.ts';

export type Trouble = {
  readonly at: 'start' | 'prepare' | 'begin' | 'commit';
  readonly does: 'hold' | 'exit' | 'throw' | 'memory' | 'full';
};

/** A thread that something happens to; `place` is an empty directory where `hold` is seen and ended. */
export function troubledWorker({ at, does }: Trouble, place: string): URL {
  const url = new URL('./troubled-import.ts', import.meta.url);
  url.search = new URLSearchParams({ at, does, place }).toString();
  // A thread forgets the parameters of the file that it starts from; a module that it imports has them.
  return new URL(`data:text/javascript,${encodeURIComponent(`await import(${JSON.stringify(url.href)})`)}`);
}

export function threadsOf(tree: { readonly root: string; readonly stateDir: string }, workerUrl?: URL): ImportThreads {
  const { root, stateDir } = tree;
  return { place: identityOf({ root, cacheDir: stateDir, extraExtensions: new Map() }), fromBytes: 0, workerUrl };
}

/** The thread that holds is where it holds. */
export function whenHeld(place: string): Promise<void> {
  return vi.waitFor(
    () => {
      if (!existsSync(join(place, 'reached'))) throw new Error('the thread has not come so far');
    },
    { timeout: 300_000, interval: 10 },
  );
}

export function goOn(place: string): void {
  writeFileSync(join(place, 'go'), '');
}
