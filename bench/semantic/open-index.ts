/** A session over the index that a tree has, settled: what was written a moment ago is not looked at again. */

import { type IndexSession, openIndexSession } from '../../src/index/sync/index-session.ts';
import { stateOf } from '../build-program.ts';

export const world = { signal: new AbortController().signal, nowMs: Date.now };

/** Files that are younger than this when they are read are read again the next time. */
const racyMs = 2_500;

export async function openIndex(root: string): Promise<IndexSession> {
  const opened = await openIndexSession({
    ...world,
    root,
    isGit: true,
    stateDir: stateOf(root),
    cacheDir: stateOf(root),
    environment: process.env,
    extraExtensions: new Map(),
    onProgress: () => {},
    waitMs: 0,
  });
  if (opened.kind !== 'open') throw new Error(opened.kind);
  await new Promise((resolve) => setTimeout(resolve, racyMs));
  await opened.session.reconcile('all');
  return opened.session;
}
