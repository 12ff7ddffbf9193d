/**
 * Jobs that a dead process left running go back to the queue (R27). Its indexers may have outlived it: a process group is ended if its
 * leader still is the process that was written down, and never by its number alone.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { processStart } from '../../../kernel/base/processes.ts';
import { isGroupAlive, signalGroup } from '../../../kernel/exec/run-process.ts';
import type { Job } from '../../store/jobs.ts';
import type { WritableFacts } from '../../store/open-facts.ts';

const endWithinMs = 5_000;
const lookAgainMs = 20;

/** The jobs as they were. Only for the holder of the writer lock: every other owner is dead. */
export async function recoverJobs(
  facts: WritableFacts,
  by: { readonly owner: string; readonly nowMs: number },
): Promise<readonly Job[]> {
  const left = facts.writer.remember(() => facts.jobs.recover(by));
  for (const { pgid, pgStart } of left) if (pgid !== null && pgStart !== null) await endGroup(pgid, pgStart);
  return left;
}

/** Where the system does not tell start times, nobody can say whose the number is now. */
async function endGroup(pgid: number, startTime: string): Promise<void> {
  if (!/^\d+$/.test(startTime) || processStart(pgid) !== startTime) return;
  signalGroup(pgid, 'SIGKILL');
  for (let waited = 0; waited < endWithinMs && isGroupAlive(pgid); waited += lookAgainMs) await delay(lookAgainMs);
}
