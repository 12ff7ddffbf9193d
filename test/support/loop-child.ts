/** A process that keeps the index of a tree: `loop-child.ts <root> <data dir> <watch|poll>`. Prints a line when it is ready. */

import { startSyncLoop } from '../../src/index/sync/sync-loop.ts';
import { sessionSettings } from './indexed-tree.ts';

const [root = '', stateDir = '', how = 'watch'] = process.argv.slice(2);
const started = await startSyncLoop({
  ...sessionSettings(root, stateDir, true),
  waitMs: 0,
  watch: how === 'watch',
  onEvent: (event) => process.stdout.write(`${event.kind}\n`),
});
if (started.kind !== 'started') throw new Error(started.kind);
