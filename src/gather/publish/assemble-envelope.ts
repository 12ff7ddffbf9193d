/** Executions → the one document that is published. Pure: same executions, same document. */

import { compareCodeUnits, type Json, type JsonObject } from '../../kernel/base/json.ts';
import { z } from '../../kernel/base/schema.ts';
import { PLACEHOLDER_SHAPE } from '../../kernel/secrets/patterns.ts';
import type { Probe } from '../contract.ts';
import { areTrusted, type Fact, trustFacts } from '../facts/fact.ts';
import { type Execution, isFailure } from '../run/execution.ts';
import { findFitted } from '../run/validate-output.ts';
import { ENVELOPE_VERSION, type Envelope, envelopeSchema, type ProbeRecord, splitSectionPath } from './envelope.ts';
import { digestsOf, type RedactedArtifact } from './redact.ts';

type EnvelopeFacts = {
  readonly repo: {
    id: string;
    root: string;
    git_commit: string | null;
    branch: string | null;
    dirty: boolean | null;
    dirty_files: number | null;
    component?: string;
  };
  readonly gatheredAt: string;
  readonly durationMs: number;
  readonly runId: string;
  readonly taskContext: {
    task_type: string;
    options: JsonObject;
    cli_version: string;
    sandbox: 'bwrap' | 'none';
    container_engine: 'podman' | 'docker' | 'none';
  };
  readonly warnings: readonly { readonly id: string; readonly detail: string }[];
  readonly facts: readonly Fact[];
  /** What the task class cannot do without; one that did not deliver makes the gather `partial`. */
  readonly requiredProbes: readonly string[];
};

export function assembleEnvelope(
  probes: readonly Probe[],
  executions: ReadonlyMap<string, Execution>,
  facts: EnvelopeFacts,
): Envelope {
  const ordered = inLayerOrder(probes).flatMap((probe) => executions.get(probe.name) ?? []);
  const delivered = ordered.filter((execution) => execution.slice !== null);
  const required = new Set(facts.requiredProbes);
  const failures = ordered.filter(
    (execution) =>
      isFailure(execution) ||
      (required.has(execution.probe.name) && execution.status !== 'ok' && execution.status !== 'pending'),
  );
  const isPending = ordered.some(({ status }) => status === 'pending');
  const head = {
    schema_version: ENVELOPE_VERSION,
    schema_versions: Object.assign({}, ...delivered.map((execution) => pickVersions(execution))) as Record<
      string,
      string
    >,
    repo: facts.repo,
    gathered_at: facts.gatheredAt,
    gather_duration_ms: facts.durationMs,
    run_id: facts.runId,
    gather_status: isPending
      ? ('pending' as const)
      : failures.length > 0
        ? ('partial' as const)
        : ('complete' as const),
    probe_failures: failures.map((execution) => ({
      probe: execution.probe.name,
      status: execution.status,
      reason: execution.skip?.reason ?? null,
      errors: [...execution.errors],
    })),
    not_looked: [],
    task_context: facts.taskContext,
    warnings: [...facts.warnings],
    redaction: { count: 0, fingerprints: [] as readonly string[] },
    raw_artifacts: ordered
      .flatMap((execution) =>
        execution.artifacts.map((artifact) => ({
          name: artifact.name,
          probe: execution.probe.name,
          kind: artifact.kind,
          size: artifact.bytes.length,
          blake3: digestsOf(artifact).blake3,
        })),
      )
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
    probes: Object.fromEntries(ordered.map((execution) => [execution.probe.name, probeRecord(execution)])),
    facts: facts.facts,
  };
  const document = { ...head, ...sectionsOf(delivered) };
  const artifacts = ordered.flatMap((execution) => execution.artifacts);
  return { ...document, redaction: countPlaceholders(document as unknown as Json, artifacts) } as unknown as Envelope;
}

/**
 * The placeholders that a reader meets: in the document, and in the artifacts beside it. Databases are left out, because
 * their pages hold one text many times.
 */
function countPlaceholders(
  document: Json,
  artifacts: readonly RedactedArtifact[],
): { readonly count: number; readonly fingerprints: readonly string[] } {
  const fingerprints = new Set<string>();
  let count = 0;
  const look = (text: string): void => {
    if (!text.includes('<REDACTED:')) return;
    for (const [, fingerprint = ''] of text.matchAll(placeholder)) {
      fingerprints.add(fingerprint);
      count += 1;
    }
  };
  const visit = (value: Json): void => {
    if (typeof value === 'string') look(value);
    else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) visit(inner);
  };
  visit(document);
  for (const { kind, bytes } of artifacts) {
    if (kind === 'sqlite') continue;
    // An index of megabytes is searched as it is, and becomes a text only where there is something to count.
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (buffer.includes('<REDACTED:')) look(buffer.toString('latin1'));
  }
  return { count, fingerprints: [...fingerprints].sort() };
}

const placeholder = new RegExp(PLACEHOLDER_SHAPE, 'g');

type CheckedEnvelope =
  | { readonly ok: true; readonly envelope: Envelope }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Validates the document and puts its keys into the order of the schema: the same text, whether a section ran or was replayed. */
export function checkEnvelope(probes: readonly Probe[], envelope: Envelope): CheckedEnvelope {
  // What was taken from the cache has passed its schema a moment ago, and is not parsed again.
  const document: Record<string, unknown> = { ...(envelope as unknown as Record<string, unknown>) };
  const fitted = new Set<string>();
  for (const path of probes.flatMap((probe) => Object.keys(probe.sections))) {
    const [top, leaf] = splitSectionPath(path);
    const held = leaf === undefined ? document[top] : (document[top] as Record<string, unknown> | undefined)?.[leaf];
    const value = findFitted(held);
    if (value === undefined) continue;
    fitted.add(path);
    document[top] = leaf === undefined ? value : { ...(document[top] as Record<string, unknown>), [leaf]: value };
  }
  const schema = envelopeSchema(probes, fitted);
  const checked = (areTrusted(envelope.facts) ? schema.extend({ facts: z.unknown() }) : schema).safeParse(document);
  if (checked.success) {
    const fit = checked.data as unknown as Envelope;
    trustFacts(fit.facts);
    return { ok: true, envelope: fit };
  }
  return { ok: false, problems: checked.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`) };
}

/** `1.2.0+git-2.39.5+node-20.1.0`: the logic's version and every declared tool's. */
export function effectiveVersion(execution: Pick<Execution, 'probe' | 'toolVersions'>): string {
  const tools = [...execution.toolVersions].sort((a, b) => (a.name < b.name ? -1 : 1));
  return [execution.probe.version, ...tools.map((tool) => `${tool.name}-${tool.version}`)].join('+');
}

function probeRecord(execution: Execution): ProbeRecord {
  const { probe, snapshot } = execution;
  return {
    status: execution.status,
    skip: execution.skip,
    confidence: execution.confidence,
    version: effectiveVersion(execution),
    layer: probe.layer,
    sections: execution.slice === null ? [] : Object.keys(execution.slice.slice),
    warnings: [...execution.warnings],
    errors: [...execution.errors],
    diagnostics: execution.diagnostics.map((diagnostic) => ({ ...diagnostic })) as ProbeRecord['diagnostics'],
    tool_versions: execution.toolVersions.map(({ name, version, path }) => ({ name, version, path })),
    evidence: execution.evidence.map((entry) => ({ ...entry })) as ProbeRecord['evidence'],
    ...(probe.foreign === undefined ? {} : { foreign: probe.foreign }),
    inputs: { digest: execution.inputsDigest, files: countPresent(snapshot) },
    duration_ms: execution.durationMs,
    cache: { state: execution.cache.state, key: execution.cache.key, produced_at: execution.cache.producedAt },
  };
}

function countPresent(snapshot: Execution['snapshot']): number {
  let count = 0;
  for (const input of snapshot?.inputs.values() ?? []) if (input.kind !== 'absent') count += 1;
  return count;
}

function pickVersions(execution: Execution): Record<string, string> {
  const paths = Object.keys(execution.slice?.slice ?? {});
  return Object.fromEntries(paths.map((path) => [path, execution.probe.sectionVersions[path] ?? '1.0.0']));
}

function sectionsOf(delivered: readonly Execution[]): JsonObject {
  const sections: Record<string, Json> = {};
  for (const execution of delivered) {
    for (const [path, value] of Object.entries((execution.slice?.slice ?? {}) as JsonObject)) {
      const [top, leaf] = splitSectionPath(path);
      // What a schema has seen comes from the cache, which stores sorted keys; a copy of it would have to pass the schema again.
      const canonical = findFitted(value) === undefined ? sortKeys(value) : value;
      if (leaf === undefined) sections[top] = canonical;
      else sections[top] = { ...(sections[top] as JsonObject | undefined), [leaf]: canonical };
    }
  }
  return sections;
}

/** Layer, then registration: the order of the document. */
function inLayerOrder(probes: readonly Probe[]): readonly Probe[] {
  return [...probes].sort((a, b) => (a.layer < b.layer ? -1 : a.layer > b.layer ? 1 : 0));
}

/** Keys that no schema orders (maps) stand in code-unit order. */
function sortKeys(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const object = value as JsonObject;
  return Object.fromEntries(
    Object.keys(object)
      .sort(compareCodeUnits)
      .map((key) => [key, sortKeys(object[key] as Json)]),
  );
}
