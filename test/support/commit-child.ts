/**
 * Another process that commits: `commit-child.ts <root> <data dir> <request as JSON>`. Waits for the writer lock like any client, and
 * prints how its commit ended.
 */

import { openIndexSession } from '../../src/index/sync/index-session.ts';
import type { CommitRequest } from '../../src/mutate/answer.ts';
import { commitPlan } from '../../src/mutate/plans/commit.ts';
import { type IndexedTree, sessionSettings } from './indexed-tree.ts';
import { openPlanWorld } from './plan-world.ts';

const [root = '', stateDir = '', json = ''] = process.argv.slice(2);
const opened = await openIndexSession({ ...sessionSettings(root, stateDir, false), waitMs: 100_000 });
if (opened.kind !== 'open') throw new Error(opened.kind);
const { session } = opened;
const tree = { root, stateDir, session: async () => session, dispose: () => session.close() } as unknown as IndexedTree;
const { world, replan, close } = await openPlanWorld({}, { tree });
const { outcome } = await commitPlan(world, JSON.parse(json) as CommitRequest, replan);
await close();
const how = outcome.kind === 'refused' || outcome.kind === 'blocked' ? outcome.reason : outcome.kind;
process.stdout.write(`${how}\n`);
process.exit(0);
