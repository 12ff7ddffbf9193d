/** One session over one tree for many renames: requests share a compiler for as long as the tree is as it was when that was opened. */

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { openIndexSession } from '../../src/index/sync/index-session.ts';
import type { Answer } from '../../src/mutate/answer.ts';
import { openCompiler } from '../../src/mutate/compiler/session/open-compiler.ts';
import { planChange } from '../../src/mutate/plan-change.ts';
import type { Plan } from '../../src/mutate/plans/plan.ts';
import { openPlanStore } from '../../src/mutate/plans/plan-store.ts';
import { undoPlan } from '../../src/mutate/plans/undo-plan.ts';
import { openWorld } from '../../src/serve/changes/run-change.ts';
import { quietSettings } from '../conformance/case-tree.ts';
import { createRecordingCompilers } from '../conformance/recording-compilers.ts';

type Asked = {
  readonly path: string;
  readonly line: number;
  readonly col: number;
  readonly newName: string;
  readonly aliasPolicy: 'through' | 'keep_local';
  /** Renamed with the rest where it is not said. */
  readonly publicNames?: 'ask' | undefined;
};

export type FuzzWorld = {
  /** `fresh`: the tree is not as it was at first, so another compiler has to look at it. */
  rename(asked: Asked, apply: boolean, tree: 'first' | 'fresh'): Promise<Answer['outcome']>;
  /** Planned and not applied. */
  move(file: string, to: string): Promise<Answer['outcome']>;
  undo(planId: string): Promise<Answer['outcome']>;
  plan(id: string): Plan | undefined;
  /** What a finished change may not leave. */
  leftovers(): readonly string[];
  close(): Promise<void>;
};

/** Each holds a program of a gigabyte or so. */
const maxCompilers = 3;

export async function openFuzzWorld(root: string, stateDir: string): Promise<FuzzWorld> {
  const { signal } = new AbortController();
  // A proof that is shared opens the programs in another process each time; the one that is kept has them open.
  const limits = { timeoutS: 14_400, sharedFiles: Number.POSITIVE_INFINITY };
  const openNew = (programs: Parameters<typeof compilers.open>[0]) =>
    openCompiler({ root, programs, environment: process.env, signal, limits });
  const compilers = createRecordingCompilers(openNew, maxCompilers);
  const settings = quietSettings(root, stateDir, existsSync(join(root, '.git')), signal);
  const opened = await openIndexSession(settings);
  if (opened.kind !== 'open') throw new Error(`the index did not open: ${JSON.stringify(opened)}`);
  const { session } = opened;
  const stored = openPlanStore(stateDir);
  if (stored.kind !== 'open') throw new Error(`the plans did not open: ${JSON.stringify(stored)}`);
  const { plans } = stored;
  const openTree = (tree: 'first' | 'fresh') =>
    openWorld(session, plans, { ...settings, openCompiler: tree === 'first' ? compilers.open : openNew });
  return {
    async rename({ path, line, col, newName, aliasPolicy, publicNames = 'rename' }, apply, tree) {
      const world = await openTree(tree);
      const { outcome } = await planChange(world, 'rename', {
        target: `${path}:${line}:${col}`,
        new_name: newName,
        mode: 'semantic',
        public_names: publicNames,
        alias_policy: aliasPolicy,
        wait_ms: 10_000,
        apply,
      });
      return outcome;
    },
    async move(file, to) {
      const { outcome } = await planChange(await openTree('fresh'), 'move_file', {
        file,
        to,
        wait_ms: 10_000,
        apply: false,
      });
      return outcome;
    },
    async undo(planId) {
      const { outcome } = await undoPlan(await openWorld(session, plans, settings), { plan_id: planId });
      return outcome;
    },
    plan: (id) => plans.find(id),
    leftovers() {
      const journal = join(stateDir, 'state', 'journal');
      return existsSync(journal) ? readdirSync(journal) : [];
    },
    async close() {
      await compilers.close();
      plans.close();
      await session.close();
    },
  };
}
