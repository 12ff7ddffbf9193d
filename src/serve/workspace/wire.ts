/**
 * How what is no JSON goes over the wire and comes back: probes by name, errors by message. Slices, artifacts and snapshots of a gather stay
 * where they are: everything in them is in the document, or on disk.
 */

import type { Probe } from '../../gather/contract.ts';
import type { GatherOutcome } from '../../gather/gather.ts';
import { blankExecution, type Execution } from '../../gather/run/execution.ts';
import type { Progress } from '../../gather/run/open-world.ts';
import type { RefreshEvent } from '../../index/refresh/refresher.ts';

type Kept = Omit<Execution, 'probe' | 'slice' | 'artifacts' | 'snapshot' | 'keyParts'>;
type WireExecution = Kept & { readonly probe: string };

function packExecution(execution: Execution): WireExecution {
  const { probe, slice: _, artifacts: __, snapshot: ___, keyParts: ____, ...kept } = execution;
  return { ...kept, probe: probe.name };
}

function unpackExecution(wire: WireExecution, probes: readonly Probe[]): Execution {
  const probe = probes.find(({ name }) => name === wire.probe);
  if (probe === undefined) throw new Error(`the daemon speaks of a probe '${wire.probe}' that is not known here`);
  return { ...blankExecution(probe, wire.selected), ...wire, probe };
}

export function packGather(outcome: GatherOutcome): object {
  return 'executions' in outcome ? { ...outcome, executions: outcome.executions.map(packExecution) } : outcome;
}

export function unpackGather(wire: unknown, probes: readonly Probe[]): GatherOutcome {
  const outcome = wire as GatherOutcome & { readonly executions?: readonly WireExecution[] };
  if (outcome.executions === undefined) return outcome;
  const executions = outcome.executions.map((execution) => unpackExecution(execution as WireExecution, probes));
  return { ...outcome, executions } as GatherOutcome;
}

export function packProgress(progress: Progress): object {
  if (progress.kind === 'first') return { ...progress, outcome: packGather(progress.outcome) };
  return progress.kind === 'settled' ? { ...progress, execution: packExecution(progress.execution) } : progress;
}

export function unpackProgress(wire: unknown, probes: readonly Probe[]): Progress {
  const progress = wire as Exclude<Progress, { kind: 'settled' }> | { kind: 'settled'; execution: WireExecution };
  if (progress.kind === 'first') return { ...progress, outcome: unpackGather(progress.outcome, probes) } as Progress;
  return progress.kind === 'settled'
    ? { kind: 'settled', execution: unpackExecution(progress.execution, probes) }
    : progress;
}

export function packRefresh(event: RefreshEvent): object {
  if (event.kind !== 'failed') return event;
  return { ...event, error: event.error instanceof Error ? event.error.message : String(event.error) };
}

export function unpackRefresh(wire: unknown): RefreshEvent {
  const event = wire as RefreshEvent;
  return event.kind === 'failed' ? { ...event, error: new Error(String(event.error)) } : event;
}
