/**
 * Recovery at start-up, for every holder of the writer lock: nearly always there is nothing to do, and then nothing is opened.
 * It never stops a reader. What it cannot settle stays as it is, `doctor` shows it, and the next change asks again.
 */

import { cpSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { StoreFailed } from '../../index/store/store-failed.ts';
import { ensureOwnDirectory, lstatOwn } from '../../kernel/base/write-file.ts';
import { treeLockName } from '../../kernel/tree/scope-layers.ts';
import { errnoOf, journalDir, journalRoot, listJournals, readJournal } from './journal.ts';
import { findSeal } from './seal.ts';

export async function recoverRoot(of: {
  readonly root: string;
  readonly home?: string | undefined;
  readonly stateDir: string;
  readonly nowMs: () => number;
}): Promise<void> {
  adoptJournals(of);
  if (lstatOwn(`${of.root}/${treeLockName}`) !== undefined) {
    const { removeGoneLock } = await import('./tree-lock.ts');
    removeGoneLock(of.root);
  }
  if (listJournals(of.stateDir).length === 0) return;
  const { openPlanStore } = await import('../plans/plan-store.ts');
  const opened = openPlanStore(of.stateDir, findSeal(of));
  // Without a ledger there is no place to say what became of the plan.
  if (opened.kind !== 'open') return;
  try {
    const { recoverJournals } = await import('./recover.ts');
    recoverJournals({ ...of, plans: opened.plans });
  } catch (error) {
    // The disk would not let us, now: the journal is still there.
    if (!(error instanceof StoreFailed) && errnoOf(error) === undefined) throw error;
  } finally {
    opened.plans.close();
  }
}

/**
 * Versions before this one kept journals in the tree. Of what lies there only a journal with this user's seal for this root (decision 0021) is
 * taken over; its copies of files are believed by their hashes, as everywhere.
 */
function adoptJournals(of: {
  readonly root: string;
  readonly home?: string | undefined;
  readonly stateDir: string;
}): void {
  const inTree = `${of.root}/.codegenie`;
  if (of.stateDir === inTree) return;
  const seal = findSeal(of);
  for (const planId of listJournals(inTree)) {
    const from = journalDir(inTree, planId);
    const to = journalDir(of.stateDir, planId);
    if (lstatOwn(to) !== undefined || readJournal(seal, from) === undefined) continue;
    for (const made of [dirname(journalRoot(of.stateDir)), journalRoot(of.stateDir)]) ensureOwnDirectory(made);
    // Whole under another name first: half a journal would be read as one.
    const copy = `${to}.tmp`;
    rmSync(copy, { recursive: true, force: true });
    cpSync(from, copy, { recursive: true, verbatimSymlinks: true });
    renameSync(copy, to);
    rmSync(from, { recursive: true, force: true });
  }
}
