/**
 * Where one field of the context comes from (`report --explain`, gather.md §9): who produced it, from which inputs, with which
 * tools, how sure, how fresh. Total over any document; a field that is absent because its probe did not run is explained too.
 */

import type { Json } from '../../kernel/base/json.ts';
import { listNearest } from '../../kernel/base/text.ts';
import type { KeyParts } from '../cache-key.ts';
import type { Confidence, Requirement, Slice } from '../contract.ts';
import {
  asConfidence,
  describeDiagnostics,
  type IndexRow,
  listChangedRows,
  listIndexRows,
} from './build-confidence.ts';
import { listMissing } from './build-missing.ts';
import { describeEvidence } from './build-probes.ts';
import {
  type EnvelopeView,
  type ReportProbe,
  reasonOf,
  recordOf,
  sectionOf,
  statusOf,
  viewEnvelope,
} from './envelope-view.ts';
import { listFieldPaths, parseFieldPath, readFieldPath, renderFieldPath } from './field-path.ts';
import { headFields } from './head-fields.ts';
import { at, entriesAt, linesAt, listAt, numberAt, type Step, textAt } from './loose-json.ts';

export type ExplainRequest = {
  readonly envelope: unknown;
  readonly probes: readonly ReportProbe[];
  readonly fieldPath: string;
  /** Of the cache entry behind the section, when it is still there. */
  readonly keyParts?: Partial<KeyParts> | undefined;
  /** Index name → freshness as judged now; what the gather said is shown where nobody asked again. */
  readonly freshnessNow?: Readonly<Record<string, unknown>> | undefined;
  /** The per-file list recorded with that entry: `[id, kind, hash]` each. */
  readonly recordedInputs?: Json | undefined;
};

export type Explanation = {
  readonly kind: 'explained';
  readonly path: string;
  /** Undefined when the probe that owes the field delivered no section. */
  readonly value: unknown;
  readonly section: string | null;
  /** The probe that owns the section, if it is a section. */
  readonly probe: string | null;
  readonly producedBy: string;
  readonly says: string | null;
  readonly provenance: ProbeProvenance | null;
};

export type ProbeProvenance = {
  readonly version: string | null;
  readonly tools: readonly { readonly name: string; readonly version: string; readonly path: string | null }[];
  readonly status: string;
  readonly reason: string | null;
  /** What to do, when there is no section. */
  readonly enable: string | null;
  readonly confidence: Confidence | null;
  readonly confidenceRule: string | null;
  readonly warnings: readonly string[];
  readonly diagnostics: readonly string[];
  readonly inputs: {
    readonly declared: readonly string[];
    readonly digest: string | null;
    readonly count: number | null;
    readonly files: readonly { readonly id: string; readonly hash: string }[];
    /** How many the cache entry lists, absent ones included; null when the list is gone. */
    readonly recorded: number | null;
  };
  readonly evidence: readonly string[];
  readonly upstream: readonly UpstreamUse[];
  readonly cache: { readonly state: string; readonly key: string | null; readonly producedAt: string | null };
  readonly keyParts: readonly (readonly [string, string])[];
  readonly freshness: IndexRow | null;
};

export type UpstreamUse = {
  readonly probe: string;
  readonly status: string;
  readonly optional: boolean;
  /** What this probe sees of the other one, computed from the document; undefined when it cannot be. */
  readonly projection: unknown;
  readonly whole: boolean;
  readonly artifacts: readonly string[];
};

export type UnknownField = { readonly kind: 'unknown'; readonly path: string; readonly nearest: readonly string[] };

const FILES_SHOWN = 20;
const NEAREST_SHOWN = 5;

export function explainField(request: ExplainRequest): Explanation | UnknownField {
  const view = viewEnvelope(request.envelope, request.probes);
  const steps = parseFieldPath(request.fieldPath.trim());
  if (steps === undefined) return unknownField(request, view);
  const read = readFieldPath(request.envelope, steps);
  const section = sectionBehind(view, steps);
  if (!read.found && (section === null || sectionOf(view, section) !== undefined)) return unknownField(request, view);

  const probe = section === null ? null : (view.owners.get(section) ?? null);
  const about = probe ?? describedProbe(steps);
  return {
    kind: 'explained',
    path: renderFieldPath(steps),
    value: read.value,
    section,
    probe,
    producedBy: producerOf(view, String(steps[0]), section, probe),
    says: probe === null ? (headFields.get(String(steps[0])) ?? null) : (view.probes.get(probe)?.says ?? null),
    provenance: about === null ? null : provenanceOf(view, about, request),
  };
}

/** `probes.<name>…` is written by the coordinator, and is about that probe. */
function describedProbe(steps: readonly Step[]): string | null {
  return steps[0] === 'probes' && typeof steps[1] === 'string' ? steps[1] : null;
}

function producerOf(view: EnvelopeView, top: string, section: string | null, probe: string | null): string {
  if (probe !== null) return `${probe}, section ${section}`;
  if (headFields.has(top)) return 'the coordinator';
  const group = [...view.owners.keys()].filter((path) => path.startsWith(`${top}.`));
  return group.length === 0
    ? 'nobody: no registered probe owns this field'
    : `several probes, sections ${group.join(', ')}`;
}

/** The section a path leads into; null for the head of the document, which the coordinator writes. */
function sectionBehind(view: EnvelopeView, steps: readonly Step[]): string | null {
  const [top, leaf] = steps;
  if (typeof top !== 'string' || headFields.has(top)) return null;
  if (view.owners.has(top)) return top;
  return typeof leaf === 'string' && view.owners.has(`${top}.${leaf}`) ? `${top}.${leaf}` : null;
}

/** What begins like the given path comes first, then what holds it, then the nearest by spelling. */
function unknownField(request: ExplainRequest, view: EnvelopeView): UnknownField {
  const given = request.fieldPath.trim().slice(0, 200);
  const known = new Set([...listFieldPaths(view.envelope, 5_000), ...view.owners.keys()]);
  const shown = [...known].filter((path) => path.length <= 200);
  return { kind: 'unknown', path: given, nearest: listNearest(given, shown, NEAREST_SHOWN) };
}

function provenanceOf(view: EnvelopeView, name: string, request: ExplainRequest): ProbeProvenance {
  const record = recordOf(view, name);
  const meta = view.probes.get(name);
  const index = meta?.index?.name;
  return {
    version: textAt(record, 'version'),
    tools: listAt(record, 'tool_versions').flatMap((tool) => {
      const tag = textAt(tool, 'name');
      return tag === null
        ? []
        : [{ name: tag, version: textAt(tool, 'version') ?? 'unknown', path: textAt(tool, 'path') }];
    }),
    status: statusOf(view, name),
    reason: reasonOf(view, name),
    enable: listMissing(view).find((part) => part.probe === name)?.enable ?? null,
    confidence: asConfidence(at(record, 'confidence')),
    confidenceRule: meta?.confidenceRule ?? null,
    warnings: [...linesAt(record, 'errors'), ...linesAt(record, 'warnings')],
    diagnostics: describeDiagnostics(record),
    inputs: {
      declared: meta?.declaredInputs ?? [],
      digest: textAt(record, 'inputs', 'digest'),
      count: numberAt(record, 'inputs', 'files'),
      files: listAt(request.recordedInputs)
        .slice(0, FILES_SHOWN)
        .flatMap((entry) => {
          const id = textAt(entry, 0);
          return id === null ? [] : [{ id, hash: textAt(entry, 2) ?? textAt(entry, 1) ?? '' }];
        }),
      recorded: Array.isArray(request.recordedInputs) ? request.recordedInputs.length : null,
    },
    evidence: describeEvidence(record),
    upstream: (meta?.requires ?? []).map((need) => upstreamUse(view, need)),
    cache: {
      state: textAt(record, 'cache', 'state') ?? 'unknown',
      key: textAt(record, 'cache', 'key'),
      producedAt: textAt(record, 'cache', 'produced_at'),
    },
    keyParts: entriesAt(request.keyParts).flatMap(([part, value]) =>
      typeof value === 'string' ? [[part, value] as const] : [],
    ),
    freshness: index === undefined ? null : freshnessOf(view, index, request.freshnessNow?.[index]),
  };
}

/** The verdict of now where there is one (P1), else the one of the gather. */
function freshnessOf(view: EnvelopeView, index: string, now: unknown): IndexRow | null {
  const stored = listIndexRows(view).filter((row) => row.name === index);
  const changed = now === undefined ? [] : listChangedRows(stored, { [index]: now });
  return changed[0] ?? stored[0] ?? null;
}

function upstreamUse(view: EnvelopeView, need: Requirement): UpstreamUse {
  const { probe, select, artifacts = [], optional = false } = typeof need === 'string' ? { probe: need } : need;
  return {
    probe,
    status: statusOf(view, probe),
    optional,
    projection: select === undefined ? undefined : project(sliceOf(view, probe), select),
    whole: select === undefined,
    artifacts,
  };
}

function sliceOf(view: EnvelopeView, probe: string): Slice | null {
  const members = [...view.owners]
    .filter(([path, owner]) => owner === probe && sectionOf(view, path) !== undefined)
    .map(([path]) => [path, sectionOf(view, path) as Json] as const);
  return members.length === 0 ? null : Object.fromEntries(members);
}

/** A projection is written for slices that passed their schema; what is on disk may be anything, so its failure is an answer. */
function project(slice: Slice | null, select: (slice: Slice) => Json): unknown {
  if (slice === null) return null;
  try {
    return select(slice);
  } catch {
    return undefined;
  }
}

/** Whose cache entry holds the key parts and the recorded inputs of a field. */
export function probeBehind(envelope: unknown, probes: readonly ReportProbe[], fieldPath: string): string | null {
  const view = viewEnvelope(envelope, probes);
  const steps = parseFieldPath(fieldPath.trim()) ?? [];
  const section = sectionBehind(view, steps);
  return section === null ? describedProbe(steps) : (view.owners.get(section) ?? null);
}
