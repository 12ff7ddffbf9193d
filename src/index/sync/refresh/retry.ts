/**
 * What follows a failed job (code-plane.md §7 "Retry"): another try after a pause, one more try with less to do, or nothing until
 * the inputs or the tool change. A table, because every failure must have an answer.
 */

import type { Failure } from '../../../languages/context-spec.ts';
import type { RefreshScope } from '../../semantic/scope.ts';
import type { WidenedScope } from './widen-scope.ts';

export type Retry =
  | { readonly kind: 'again'; readonly afterMs: number; readonly scope: RefreshScope | undefined }
  /** No successor until the fingerprint or the probe changes. */
  | { readonly kind: 'terminal' };

/** Pauses before the second, third, fourth and fifth try. */
export const backOffMs = [5_000, 30_000, 120_000, 600_000] as const;

type Policy = 'back_off' | 'once_smaller' | 'never';

export const policies: Readonly<Record<Failure, Policy>> = {
  tool_crashed: 'back_off',
  io_error: 'back_off',
  decode_error: 'back_off',
  no_output: 'back_off',
  too_few_documents: 'back_off',
  internal_error: 'back_off',
  tool_timeout: 'once_smaller',
  out_of_memory: 'once_smaller',
  missing_tool: 'never',
  bad_version: 'never',
  sandbox_missing: 'never',
  config_error: 'never',
};

/** `attempt`: which try has just failed, from 1. `widened`: what it was about. */
export function planRetry(failure: Failure, attempt: number, widened: WidenedScope): Retry {
  switch (policies[failure]) {
    case 'never':
      return { kind: 'terminal' };
    case 'back_off': {
      const afterMs = backOffMs[attempt - 1];
      return afterMs === undefined ? { kind: 'terminal' } : { kind: 'again', afterMs, scope: undefined };
    }
    case 'once_smaller':
      if (attempt > 1) return { kind: 'terminal' };
      return { kind: 'again', afterMs: backOffMs[0], scope: halve(widened) };
  }
}

/** The first half of the members; what is left out has facts that are no better than before and is asked for again by that. */
function halve({ granularity, members }: WidenedScope): RefreshScope | undefined {
  // A project is run as a whole or not at all, and a package may well be the half of itself.
  if (granularity !== 'file' || members.length < 2) return undefined;
  return { files: members.slice(0, Math.ceil(members.length / 2)), packages: [] };
}
