/** The drill-down: for every probe that delivered something, what it said, how sure it is, and the evidence it named. */

import type { Confidence } from '../contract.ts';
import { cacheStates } from '../publish/envelope.ts';
import { asConfidence, describeDiagnostics } from './build-confidence.ts';
import { type EnvelopeView, recordOf, sectionOf, statusOf } from './envelope-view.ts';
import { at, entriesAt, linesAt, listAt, numberAt, textAt } from './loose-json.ts';
import { renderData } from './render-values.ts';

export type ProbeCard = {
  readonly name: string;
  readonly layer: string;
  /** The folder of a probe that is none of ours. */
  readonly foreign: string | null;
  readonly says: string | null;
  readonly status: string;
  readonly confidence: Confidence | null;
  readonly confidenceRule: string | null;
  readonly version: string | null;
  readonly tools: readonly string[];
  readonly inputs: { readonly digest: string | null; readonly files: number | null };
  readonly warnings: readonly string[];
  readonly errors: readonly string[];
  readonly diagnostics: readonly string[];
  readonly evidence: readonly string[];
  readonly sections: readonly { readonly path: string; readonly data: string }[];
};

export type ForeignProbe = { readonly name: string; readonly folder: string };

export type ArtifactRow = {
  readonly name: string;
  readonly probe: string;
  readonly kind: string;
  readonly size: number | null;
  readonly blake3: string;
};

/** Everything in the report that may differ between two gathers of the same bytes, apart from the index rows' times. */
export type RunFacts = {
  readonly gatheredAt: string | null;
  readonly durationMs: number | null;
  readonly runId: string | null;
  readonly timings: readonly {
    readonly probe: string;
    readonly ms: number;
    readonly cache: string;
    readonly status: string;
  }[];
};

const SECTION_CHARS = 12_000;
const EVIDENCE_SHOWN = 40;

export function listProbeCards(view: EnvelopeView): readonly ProbeCard[] {
  const cards = view.probeNames.flatMap((name): readonly ProbeCard[] => {
    const sections = [...view.owners]
      .filter(([, owner]) => owner === name)
      .flatMap(([path]) => {
        const found = sectionOf(view, path);
        return found === undefined ? [] : [{ path, data: renderData(found, { maxChars: SECTION_CHARS }) }];
      });
    if (sections.length === 0) return [];
    const record = recordOf(view, name);
    const meta = view.probes.get(name);
    return [
      {
        name,
        layer: meta?.layer ?? textAt(record, 'layer') ?? '?',
        foreign: textAt(record, 'foreign'),
        says: meta?.says ?? null,
        status: statusOf(view, name),
        confidence: asConfidence(at(record, 'confidence')),
        confidenceRule: meta?.confidenceRule ?? null,
        version: textAt(record, 'version'),
        tools: listAt(record, 'tool_versions').flatMap((tool) => {
          const tag = textAt(tool, 'name');
          return tag === null ? [] : [`${tag} ${textAt(tool, 'version') ?? 'unknown'}`];
        }),
        inputs: { digest: textAt(record, 'inputs', 'digest'), files: numberAt(record, 'inputs', 'files') },
        warnings: linesAt(record, 'warnings'),
        errors: linesAt(record, 'errors'),
        diagnostics: describeDiagnostics(record),
        evidence: describeEvidence(record),
        sections,
      },
    ];
  });
  return cards.sort((a, b) => (a.layer === b.layer ? 0 : a.layer < b.layer ? -1 : 1));
}

export function listForeign(view: EnvelopeView): readonly ForeignProbe[] {
  return view.probeNames.flatMap((name) => {
    const folder = textAt(recordOf(view, name), 'foreign');
    return folder === null ? [] : [{ name, folder }];
  });
}

export function describeEvidence(record: unknown, shown = EVIDENCE_SHOWN): readonly string[] {
  const all = listAt(record, 'evidence').flatMap((item) => {
    const artifact = textAt(item, 'artifact');
    if (artifact !== null) return [`raw/${artifact}`];
    const path = textAt(item, 'path');
    const [from, to] = [numberAt(item, 'lines', 0), numberAt(item, 'lines', 1)];
    const lines = from === null || to === null ? '' : from === to ? `:${from}` : `:${from}-${to}`;
    return path === null ? [] : [path + lines];
  });
  return all.length > shown ? [...all.slice(0, shown), `… and ${all.length - shown} more`] : all;
}

export function listArtifacts(view: EnvelopeView): readonly ArtifactRow[] {
  return listAt(view.envelope, 'raw_artifacts').flatMap((artifact) => {
    const name = textAt(artifact, 'name');
    if (name === null) return [];
    return [
      {
        name,
        probe: textAt(artifact, 'probe') ?? '?',
        kind: textAt(artifact, 'kind') ?? '?',
        size: numberAt(artifact, 'size'),
        blake3: textAt(artifact, 'blake3') ?? '',
      },
    ];
  });
}

export function readRun(view: EnvelopeView): RunFacts {
  const timings = entriesAt(view.envelope, 'probes').flatMap(([probe, record]) => {
    const ms = numberAt(record, 'duration_ms');
    const status = statusOf(view, probe);
    if (ms === null || ms < 0 || status === 'skipped') return [];
    return [
      { probe, ms, cache: cacheStates.find((state) => state === at(record, 'cache', 'state')) ?? 'unknown', status },
    ];
  });
  return {
    gatheredAt: textAt(view.envelope, 'gathered_at'),
    durationMs: numberAt(view.envelope, 'gather_duration_ms'),
    runId: textAt(view.envelope, 'run_id'),
    timings: timings.sort((a, b) => b.ms - a.ms),
  };
}
