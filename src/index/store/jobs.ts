/** A refresh job as the store has it (code-plane.md §7). */

import type { Failure } from '../../languages/context-spec.ts';
import type { RefreshScope } from '../semantic/scope.ts';

export const jobStatuses = ['queued', 'running', 'completed', 'failed', 'superseded', 'cancelled'] as const;
export type JobStatus = (typeof jobStatuses)[number];

export type Job = {
  readonly id: number;
  readonly contextId: number;
  readonly status: JobStatus;
  readonly scope: RefreshScope;
  readonly trigger: string;
  readonly priority: number;
  readonly fingerprint: string | null;
  readonly head: string | null;
  readonly notBeforeMs: number;
  readonly attempt: number;
  readonly leaseOwner: string | null;
  readonly leaseUntilMs: number | null;
  readonly pgid: number | null;
  readonly pgStart: string | null;
  readonly createdMs: number;
  readonly startedMs: number | null;
  readonly finishedMs: number | null;
  readonly outputHash: string | null;
  readonly accepted: number | null;
  readonly rejected: number | null;
  readonly failure: Failure | null;
  readonly detail: string | null;
  readonly successorId: number | null;
};
