/**
 * Where one field of the context comes from (`report --explain`, gather.md §9): who produced it, from which inputs, with which
 * tools, how sure, how fresh. Total over any document; a field that is absent because its probe did not run is explained too.
 */

import type { Json } from '../../kernel/base/json.ts';
import { listNearest, singleLine, truncate } from '../../kernel/base/text.ts';
import type { KeyParts } from '../cache/cache-key.ts';
import type { Confidence, Requirement, Slice } from '../contract.ts';
import { type Since, touchOf } from '../freshness/since.ts';
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
import { at, entriesAt, linesAt, listAt, numberAt, type Step, textAt } from './loose-json.ts';
import { renderData } from './render-values.ts';

export type ExplainRequest = {
  readonly envelope: unknown;
  readonly probes: readonly ReportProbe[];
  readonly fieldPath: string;
  /** Of the cache entry behind the section, when it is still there. */
  readonly keyParts?: Partial<KeyParts> | undefined;
  /** Index name → freshness as judged now; without it what the gather said is shown. */
  readonly freshnessNow?: Readonly<Record<string, unknown>> | undefined;
  /** What has changed since the gather. */
  readonly since?: Since | null | undefined;
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
  /** Why it may no longer be so; null where nothing that it was made from is known to have changed. */
  readonly stale: string | null;
};

type ProbeProvenance = {
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

type UpstreamUse = {
  readonly probe: string;
  readonly status: string;
  readonly optional: boolean;
  /** What this probe sees of the other one, computed from the document; undefined when it cannot be. */
  readonly projection: unknown;
  readonly whole: boolean;
  readonly artifacts: readonly string[];
};

export type UnknownField = {
  readonly kind: 'unknown';
  readonly path: string;
  readonly nearest: readonly string[];
  /** It is no field, and the id of a fact. */
  readonly isFact: boolean;
  /** Why there may be such a field by now. */
  readonly stale: string | null;
};

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
    stale: staleness(request.since ?? null, renderFieldPath(steps)),
  };
}

function staleness(since: Since | null, path: string): string | null {
  const touch = touchOf(since, path);
  if (touch === null || since === null) return null;
  return touch === 'changed' ? since.says : `what it rests on has changed: ${since.says}`;
}

/** `probes.<name>…` is written by the coordinator, and is about that probe. */
function describedProbe(steps: readonly Step[]): string | null {
  return steps[0] === 'probes' && typeof steps[1] === 'string' ? steps[1] : null;
}

function producerOf(view: EnvelopeView, top: string, section: string | null, probe: string | null): string {
  if (probe !== null) return `${probe}, section ${section}`;
  if (headFields.has(top)) return 'the coordinator';
  const group = [...view.owners.keys()].filter((path) => path.startsWith(`${top}.`));
  return group.length === 0 ? 'no registered probe owns this field' : `several probes, sections ${group.join(', ')}`;
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
  return {
    kind: 'unknown',
    path: given,
    nearest: listNearest(given, shown, NEAREST_SHOWN),
    isFact: request.probes.some(({ facts = [] }) => facts.some(({ id }) => id === given)),
    stale: staleness(request.since ?? null, given),
  };
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

/** Undefined when the text is no path. */
export function parseFieldPath(text: string): readonly Step[] | undefined {
  const steps: Step[] = [];
  const token = /\.?([^.[\]"]+)|\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]/y;
  while (token.lastIndex < text.length) {
    const from = token.lastIndex;
    const found = token.exec(text);
    if (found === null) return undefined;
    if (found[1] !== undefined && found[0].startsWith('.') !== from > 0) return undefined;
    steps.push(found[2] !== undefined ? Number(found[2]) : (found[1] ?? (found[3] ?? '').replace(/\\(.)/g, '$1')));
  }
  return steps.length === 0 ? undefined : steps;
}

/** Paths into a document as people type them: `a.b[3].c`, and `a["x.y"]` for a key that holds a dot or a bracket. */
export function renderFieldPath(steps: readonly Step[]): string {
  return steps.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    if (/[.[\]"\\]/.test(step) || step === '') return `${text}["${step.replace(/["\\]/g, '\\$&')}"]`;
    return text === '' ? step : `${text}.${step}`;
  }, '');
}

/** Reads a step of a list only by number and a member only by name, as the path was written. */
export function readFieldPath(
  value: unknown,
  steps: readonly Step[],
): { readonly found: boolean; readonly value: unknown } {
  let here = value;
  for (const step of steps) {
    if (Array.isArray(here) !== (typeof step === 'number')) return { found: false, value: undefined };
    const next = at(here, step);
    if (next === undefined) return { found: false, value: undefined };
    here = next;
  }
  return { found: true, value: here };
}

/** Paths that exist, breadth first, so that a bound cuts the deep ones; of a list only the first members are named. */
export function listFieldPaths(value: unknown, bound = 20_000): readonly string[] {
  const paths: string[] = [];
  let level: readonly { readonly steps: readonly Step[]; readonly value: unknown }[] = [{ steps: [], value }];
  while (level.length > 0 && paths.length < bound) {
    const next: { steps: readonly Step[]; value: unknown }[] = [];
    for (const node of level) {
      if (typeof node.value !== 'object' || node.value === null || node.steps.length > 24) continue;
      const members: readonly (readonly [Step, unknown])[] = Array.isArray(node.value)
        ? node.value.slice(0, 3).map((item, position) => [position, item] as const)
        : Object.entries(node.value);
      for (const [step, item] of members) {
        const steps = [...node.steps, step];
        paths.push(renderFieldPath(steps));
        next.push({ steps, value: item });
        if (paths.length >= bound) return paths;
      }
    }
    level = next;
  }
  return paths;
}

/**
 * The fields of the envelope that no probe owns, and how the coordinator came by each. A test holds this equal to the schema.
 */
export const headFields: ReadonlyMap<string, string> = new Map([
  ['schema_version', 'the version of the envelope this program writes'],
  ['schema_versions', 'the version of each delivered section, as its probe declares it'],
  [
    'repo',
    'read from git before the first probe ran: origin without credentials, HEAD, branch, and the files that differ from HEAD',
  ],
  ['gathered_at', 'the clock when the gather started; differs from run to run'],
  ['gather_duration_ms', 'measured over the whole gather; differs from run to run'],
  ['run_id', 'drawn at random for this gather; it is on every line of its log'],
  [
    'gather_status',
    '`pending`: heavy probes had not answered yet when this was published. `partial` iff a probe failed or ran out of time, or the task lacks a probe that it requires.',
  ],
  ['probe_failures', 'exactly the probes that make the gather partial'],
  ['not_looked', 'What could not be looked at for want of something outside the repository, and how to get it.'],
  [
    'task_context',
    'the task that was asked for, and what this machine offered: program version, sandbox, container engine',
  ],
  ['warnings', 'what was noticed about configuration and publishing, outside any probe'],
  ['redaction', 'counted while every probe output was redacted, before anything was written'],
  ['raw_artifacts', 'the artifacts published with this context, hashed as they were written'],
  ['probes', 'what became of every registered probe, recorded around its run'],
  ['facts', 'derived from the sections, each with evidence that was read; `codegenie facts --explain` shows the lines'],
]);

const WIDTH = 14;
const VALUE_CHARS = 4_000;

/** An explanation as plain text for a terminal: one labelled line per fact, nothing that could steer the terminal. */
export function renderExplanation(explanation: Explanation | UnknownField): string {
  if (explanation.kind === 'unknown') {
    const { isFact, stale } = explanation;
    const path = singleLine(explanation.path);
    if (isFact) return `${path} is a fact: codegenie facts ${path} --explain`;
    const nearest = explanation.nearest.map((name) => `  ${singleLine(name)}`);
    const since = stale === null ? [] : [`It may be there now, gather again: ${singleLine(stale)}`];
    return [`There is no field ${path}. Nearest:`, ...nearest, ...since].join('\n');
  }
  const lines = [explanation.path, ''];
  const put = (label: string, ...values: readonly string[]) => {
    values.forEach((value, position) => {
      lines.push(`${(position === 0 ? label : '').padEnd(WIDTH)}${value}`);
    });
  };
  put('value', ...describeValue(explanation.value));
  if (explanation.stale !== null) put('stale', explanation.stale);
  put('produced by', explanation.producedBy);
  if (explanation.says !== null) put('', explanation.says);
  const { provenance } = explanation;
  if (provenance !== null) putProvenance(put, provenance);
  return lines.map(singleLine).join('\n');
}

type Put = (label: string, ...values: readonly string[]) => void;

function putProvenance(put: Put, of: ProbeProvenance): void {
  put(
    'version',
    of.version ?? 'unknown',
    ...of.tools.map((tool) => `${tool.name} ${tool.version}${tool.path === null ? '' : ` at ${tool.path}`}`),
  );
  put(
    'status',
    of.reason === null ? of.status : `${of.status}: ${of.reason}`,
    ...(of.enable === null ? [] : [of.enable]),
  );
  put('confidence', of.confidence ?? 'none', ...(of.confidenceRule === null ? [] : [`rule: ${of.confidenceRule}`]));
  put('said', ...of.warnings, ...of.diagnostics.slice(0, 10));
  putInputs(put, of.inputs);
  put('evidence', ...(of.evidence.length === 0 ? ['none named'] : of.evidence));
  put('upstream', ...(of.upstream.length === 0 ? ['none'] : of.upstream.flatMap(describeUpstream)));
  const made = of.cache.producedAt === null ? '' : `, produced at ${of.cache.producedAt}`;
  put('cache', `${of.cache.state}${made}`, ...(of.cache.key === null ? [] : [`key ${of.cache.key}`]));
  put(
    '',
    ...of.keyParts
      .filter(([, value]) => value !== '')
      .map(([name, value]) => `${name} = ${truncate(singleLine(value), 160)}`),
  );
  put('freshness', of.freshness === null ? 'no index behind it' : of.freshness.line.replace(/^- /, ''));
}

function putInputs(put: Put, inputs: ProbeProvenance['inputs']): void {
  const declared = inputs.declared.length === 0 ? 'none declared' : inputs.declared.join(', ');
  put('inputs', truncate(singleLine(declared), 300), `${inputs.count ?? '?'} files, digest ${inputs.digest ?? 'none'}`);
  put('', ...inputs.files.map((file) => `${file.id} ${file.hash}`));
  if (inputs.recorded === null) put('', 'the list of files is not in the cache');
  else if (inputs.recorded > inputs.files.length) put('', `… and ${inputs.recorded - inputs.files.length} more`);
}

function describeUpstream(use: UpstreamUse): readonly string[] {
  const seen = use.whole
    ? 'its whole slice'
    : use.projection === undefined
      ? 'a selection'
      : `selects ${compact(use.projection)}`;
  const parts = [`${use.probe} (${use.status}${use.optional ? ', optional' : ''}): ${seen}`];
  return use.artifacts.length === 0 ? parts : [...parts, `  artifacts ${use.artifacts.join(', ')}`];
}

function compact(value: unknown): string {
  return truncate(singleLine(renderData(value, { maxChars: 400, volatile: 'kept' })).replace(/ {2,}/g, ' '), 200);
}

function describeValue(value: unknown): readonly string[] {
  if (value === undefined) return ['absent: the section was not delivered'];
  return renderData(value, { maxChars: VALUE_CHARS, volatile: 'kept' }).split('\n');
}
