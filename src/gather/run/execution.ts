/** What became of one probe in one gather: the facts from which envelope, run record and report are made. */

import type { ToolVersion } from '../../kernel/exec/exec.ts';
import type { KeyParts } from '../cache/cache-key.ts';
import type { Confidence, Diagnostic, Evidence, Probe, SkipReason } from '../contract.ts';
import type { CacheState, ProbeStatus } from '../publish/envelope.ts';
import type { RedactedArtifact, RedactedSlice } from '../publish/redact.ts';
import type { Snapshot } from './input-snapshot.ts';

export type Execution = {
  readonly probe: Probe;
  readonly selected: boolean;
  readonly status: ProbeStatus;
  readonly skip: { readonly reason: SkipReason; readonly detail: string | null } | null;
  readonly confidence: Confidence | null;
  readonly slice: RedactedSlice | null;
  readonly artifacts: readonly RedactedArtifact[];
  readonly warnings: readonly string[];
  readonly errors: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  readonly evidence: readonly Evidence[];
  readonly toolVersions: readonly ToolVersion[];
  readonly snapshot: Snapshot | null;
  readonly inputsDigest: string | null;
  readonly keyParts: KeyParts | null;
  readonly cache: { readonly state: CacheState; readonly key: string | null; readonly producedAt: string | null };
  readonly outputSha256: string | null;
  readonly durationMs: number;
};

/** Everything still unknown: the start from which an execution is filled in. */
export function blankExecution(probe: Probe, selected: boolean): Execution {
  return {
    probe,
    selected,
    status: 'skipped',
    skip: null,
    confidence: null,
    slice: null,
    artifacts: [],
    warnings: [],
    errors: [],
    diagnostics: [],
    evidence: [],
    toolVersions: [],
    snapshot: null,
    inputsDigest: null,
    keyParts: null,
    cache: { state: 'none', key: null, producedAt: null },
    outputSha256: null,
    durationMs: 0,
  };
}

export function skippedExecution(
  probe: Probe,
  selected: boolean,
  reason: SkipReason,
  detail: string | null = null,
): Execution {
  return { ...blankExecution(probe, selected), skip: { reason, detail } };
}

/** It has not answered yet: what the first publication of a run says of it. */
export function pendingExecution(probe: Probe): Execution {
  return { ...blankExecution(probe, true), status: 'pending' };
}

/** "We could not look" for want of something outside the repository, as opposed to "there is nothing to look at": told as `not_looked`. */
export const blindSkips: ReadonlySet<SkipReason> = new Set([
  'tool_missing',
  'tool_unhealthy',
  'db_unavailable',
  'upstream_unavailable',
]);

/** Did this probe not run to its end, though it could have? A gather with one is `partial`. */
export function isFailure({ selected, status, skip }: Pick<Execution, 'status' | 'skip' | 'selected'>): boolean {
  if (!selected || status === 'pending') return false;
  return status === 'skipped' ? skip?.reason === 'cache_only_miss' : status !== 'ok';
}
