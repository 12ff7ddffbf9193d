/**
 * Recovery at start-up, for every holder of the writer lock: nearly always there is nothing to do, and then nothing is opened.
 * It never stops a reader. What it cannot settle stays as it is, `doctor` shows it, and the next change asks again.
 */

import { StoreFailed } from '../../index/store/store-failed.ts';
import { errnoOf, listJournals } from './journal.ts';

export async function recoverRoot(of: {
  readonly root: string;
  readonly home?: string | undefined;
  readonly dataDir: string;
  readonly nowMs: () => number;
}): Promise<void> {
  if (listJournals(of.dataDir).length === 0) return;
  const { openPlanStore } = await import('../plans/plan-store.ts');
  const opened = openPlanStore(of.dataDir);
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
