/** One tree with its index and its plans, open for many requests in this process. */

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { openPlanStore } from '../../src/mutate/plans/plan-store.ts';
import type { MutationWorld } from '../../src/mutate/world.ts';
import { openWorld } from '../../src/serve/changes/run-change.ts';
import { world as common, openIndex } from '../semantic/open-index.ts';

export type Worlds = {
  /** As one request finds it: every file compared with the disk. */
  open(): Promise<MutationWorld>;
  close(): Promise<void>;
};

export async function openWorlds(root: string): Promise<Worlds> {
  const session = await openIndex(root);
  const stateDir = join(root, '.codegenie');
  const stored = openPlanStore(stateDir);
  if (stored.kind !== 'open') throw new Error(stored.kind);
  const settings = {
    ...common,
    root,
    stateDir,
    cacheDir: stateDir,
    isGit: true,
    environment: process.env,
    extraExtensions: new Map<string, string>(),
    onProgress: () => {},
    waitMs: 0,
    random: () => randomBytes(8).toString('hex'),
    onStep: () => {},
  };
  return {
    open: () => openWorld(session, stored.plans, settings),
    async close() {
      stored.plans.close();
      await session.close();
    },
  };
}
