/** M41 Two users of one tree, each with a state of their own, commit at once: the second is checked against what the first wrote. */

import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openIndexSession } from '../../src/index/sync/index-session.ts';
import type { Answer } from '../../src/mutate/answer.ts';
import { commitPlan } from '../../src/mutate/plans/commit.ts';
import { undoPlan } from '../../src/mutate/plans/undo-plan.ts';
import type { MutationWorld } from '../../src/mutate/world.ts';
import { createIndexedTree, type IndexedTree, sessionSettings } from '../support/indexed-tree.ts';
import { openPlanWorld, type PlanWorld } from '../support/plan-world.ts';

const files = { 'a.py': 'first = 1\n', 'b.py': 'second = 2\n' };
let users: PlanWorld[] = [];
afterEach(async () => {
  for (const user of users.splice(0).reverse()) await user.close();
  users = [];
});

/** The same tree, seen by another user. */
async function otherUser(tree: IndexedTree): Promise<IndexedTree> {
  const stateDir = join(tree.base, 'other-user');
  mkdirSync(stateDir, { mode: 0o700 });
  const opened = await openIndexSession({ ...sessionSettings(tree.root, stateDir, false), waitMs: 0 });
  if (opened.kind !== 'open') throw new Error(opened.kind);
  const { session } = opened;
  return { ...tree, stateDir, session: async () => session, dispose: () => session.close() };
}

async function openUser(tree: IndexedTree, overrides: Partial<MutationWorld> = {}): Promise<PlanWorld> {
  const user = await openPlanWorld(files, { tree, overrides: { lockWaitMs: 0, ...overrides } });
  users.push(user);
  return user;
}

const said = ({ outcome }: Answer) => ('reason' in outcome ? outcome.reason : 'state' in outcome ? outcome.state : '');

test('M41 between the last look of one commit and its writing no other user commits or undoes', async () => {
  const tree = createIndexedTree(files, { git: false });
  const alice = await openUser(tree);
  const bob = await openUser(await otherUser(tree));
  const [hers, his] = [
    alice.plan({ from: 'first', to: 'same', main: ['a.py'] }),
    bob.plan({ from: 'second', to: 'same', main: ['b.py'] }),
  ];
  let replanned = 0;
  const commitHis = () =>
    commitPlan(bob.world, bob.request(his), (...given) => {
      replanned += 1;
      return bob.replan(...given);
    });
  const meanwhile: string[] = [];
  const world: MutationWorld = {
    ...alice.world,
    async sweep() {
      const view = await alice.world.sweep();
      meanwhile.push(said(await commitHis()), said(await undoPlan(bob.world, { plan_id: his.id })));
      return view;
    },
  };
  expect(said(await commitPlan(world, alice.request(hers), alice.replan))).toBe('applied');
  expect(meanwhile).toEqual(['tree_busy', 'tree_busy']);
  expect([alice.read('a.py'), alice.read('b.py'), replanned]).toEqual(['same = 1\n', files['b.py'], 0]);
  // His plan was made before hers was written: it is planned again on what is there now.
  expect(said(await commitHis())).toBe('applied');
  expect([alice.read('b.py'), replanned]).toEqual(['same = 2\n', 1]);
  expect(existsSync(join(tree.root, '.codegenie.lock'))).toBe(false);
});
