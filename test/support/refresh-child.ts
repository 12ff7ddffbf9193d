/**
 * A writer with a refresh job in its indexer, to be killed: `refresh-child.ts <root> <data dir>`. Prints the process group of the
 * indexer when it runs.
 */

import { openIndexSession } from '../../src/index/sync/index-session.ts';
import { sessionSettings } from './indexed-tree.ts';
import { createRigOver } from './refresh-rig.ts';
import { createSleepingIndexer } from './sleeping-indexer.ts';

const [root = '', stateDir = '', base = ''] = process.argv.slice(2);
const opened = await openIndexSession({ ...sessionSettings(root, stateDir, true), waitMs: 0 });
if (opened.kind !== 'open') throw new Error(opened.kind);
const parts = createSleepingIndexer((pgid) => process.stdout.write(`${pgid}\n`));
const { refresher } = createRigOver(
  { session: opened.session, root, stateDir, base },
  { owner: `child ${process.pid}`, parts },
);
await refresher.refreshContexts();
await refresher.runUntilIdle({ skipGuard: true, waitMs: null });
