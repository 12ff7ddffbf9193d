/**
 * One envelope together with what is known about its probes: the questions every part of a report asks.
 * Absence is never shown as "none": a missing section always comes with the probe that owes it and what became of that probe.
 */

import { compareCodeUnits } from '../../kernel/base/json.ts';
import type { Probe } from '../contract.ts';
import { splitSectionPath } from '../publish/envelope.ts';
import { at, entriesAt, linesAt, textAt } from './loose-json.ts';

/** What a report needs to know of a probe; a registered `Probe` is one. */
export type ReportProbe = Pick<
  Probe,
  | 'name'
  | 'says'
  | 'layer'
  | 'sections'
  | 'tools'
  | 'configKeys'
  | 'requires'
  | 'declaredInputs'
  | 'confidenceRule'
  | 'appliesToTasks'
  | 'appliesToLanguages'
> & {
  readonly index?: { readonly name: string } | undefined;
  readonly facts?: readonly { readonly id: string }[];
};

export type Absence = { readonly probe: string | null; readonly status: string; readonly reason: string | null };

export type EnvelopeView = {
  readonly envelope: unknown;
  readonly probes: ReadonlyMap<string, ReportProbe>;
  /** Section path → name of the probe that owns it. */
  readonly owners: ReadonlyMap<string, string>;
  /** Every probe of the document or the registry, by name, in code-unit order. */
  readonly probeNames: readonly string[];
};

export function viewEnvelope(envelope: unknown, probes: readonly ReportProbe[]): EnvelopeView {
  const owners = new Map<string, string>();
  for (const probe of probes) for (const path of Object.keys(probe.sections)) owners.set(path, probe.name);
  const recorded = entriesAt(envelope, 'probes');
  for (const [name, record] of recorded) {
    for (const path of linesAt(record, 'sections')) if (!owners.has(path)) owners.set(path, name);
  }
  const names = new Set([...probes.map((probe) => probe.name), ...recorded.map(([name]) => name)]);
  return {
    envelope,
    probes: new Map(probes.map((probe) => [probe.name, probe])),
    owners,
    probeNames: [...names].sort(compareCodeUnits),
  };
}

export function sectionOf(view: EnvelopeView, path: string): unknown {
  const [top, leaf] = splitSectionPath(path);
  return leaf === undefined ? at(view.envelope, top) : at(view.envelope, top, leaf);
}

export function recordOf(view: EnvelopeView, probe: string): unknown {
  return at(view.envelope, 'probes', probe);
}

export function statusOf(view: EnvelopeView, probe: string): string {
  return textAt(recordOf(view, probe), 'status') ?? 'not_gathered';
}

/** The short reason beside a status: the skip reason, or the first error. */
export function reasonOf(view: EnvelopeView, probe: string): string | null {
  const record = recordOf(view, probe);
  return textAt(record, 'skip', 'reason') ?? linesAt(record, 'errors')[0] ?? null;
}

export function absenceOf(view: EnvelopeView, section: string): Absence {
  const probe = view.owners.get(section) ?? null;
  if (probe === null) return { probe, status: 'not_gathered', reason: null };
  return { probe, status: statusOf(view, probe), reason: reasonOf(view, probe) };
}

/** `image_build skipped: tool_missing`, the words a reader finds in place of a value. */
export function describeAbsence(absence: Absence): string {
  if (absence.probe === null) return 'not gathered';
  if (absence.status === 'ok') return `${absence.probe} delivered no such section`;
  const status = absence.status.replaceAll('_', ' ');
  return `${absence.probe} ${status}${absence.reason === null ? '' : `: ${absence.reason}`}`;
}

/** Skips that say something about the repository: there is nothing here for the probe to look at. */
const nothingToSee: ReadonlySet<string> = new Set(['language_mismatch', 'not_applicable', 'not_configured']);
/** Skips that say what the user asked for. */
const chosen: ReadonlySet<string> = new Set(['not_selected', 'disabled', 'task_mismatch']);

export function isNothingToSee(reason: string | null): boolean {
  return reason !== null && nothingToSee.has(reason);
}

/** Nothing is wrong and no action is needed. */
export function isOrdinarySkip(reason: string | null): boolean {
  return reason !== null && (nothingToSee.has(reason) || chosen.has(reason));
}
