/**
 * Redact → sanitise → brand: the one way from a probe's output to anything that is written (gather.md §7.2–7.4, P8).
 * R1 Only this file makes a `RedactedSlice` or a `RedactedArtifact`; a cast elsewhere compiles and fails the check at run time.
 * R2 `findingsCount ≥ fingerprints.length`; fingerprints are unique, sorted, eight hex digits.
 * R3 A branded slice is frozen: nothing can be put into it afterwards.
 */

import { assert } from '../../kernel/base/assert.ts';
import { blake3Hex, sha256Hex } from '../../kernel/base/hash.ts';
import { compareCodeUnits, deepFreeze, type Json } from '../../kernel/base/json.ts';
import { limits } from '../../kernel/base/limits.ts';
import { truncate } from '../../kernel/base/text.ts';
import { redactString, type SecretFinding } from '../../kernel/secrets/redact-string.ts';
import type { ArtifactKind, Diagnostic, Evidence, Probe, Slice } from '../contract.ts';
import { type ArtifactBytes, redactArtifact, type ScipRedactor } from './redact-artifact.ts';
import { cursorAt, redactJsonValue } from './redact-json.ts';
import type { Sanitiser } from './sanitise.ts';

declare const redacted: unique symbol;

/** Sections without secrets. The numbers are those of the whole output, artifacts and diagnostics included. */
export type RedactedSlice = {
  readonly [redacted]: true;
  readonly slice: Slice;
  readonly findingsCount: number;
  readonly fingerprints: readonly string[];
};
export type RedactedArtifact = {
  readonly [redacted]: true;
  readonly name: string;
  readonly kind: ArtifactKind;
  readonly bytes: Uint8Array;
};

/** In memory only; logs get the count and the fingerprints. */
type Finding = SecretFinding & { readonly probe: string };

export type RedactionInput = {
  readonly probe: Probe;
  readonly slice: Slice;
  readonly diagnostics: readonly Diagnostic[];
  readonly evidence: readonly Evidence[];
  readonly artifacts: readonly ArtifactBytes[];
  readonly sanitiser: Sanitiser;
  /** Knows the SQLite files of our own builder; without it every one is refused. */
  readonly isBuilderMade?: ((bytes: Uint8Array) => boolean) | undefined;
  /** Decodes SCIP; without it every index is refused. */
  readonly redactScip?: ScipRedactor | undefined;
};

type RedactedOutput =
  | {
      readonly ok: true;
      readonly slice: RedactedSlice;
      readonly artifacts: readonly RedactedArtifact[];
      /** Cut to their limits, with one more per dropped artifact. */
      readonly diagnostics: readonly Diagnostic[];
      readonly evidence: readonly Evidence[];
      /** `artifact.too_large` if an artifact was dropped. */
      readonly errors: readonly string[];
      readonly findingsCount: number;
      readonly findings: readonly Finding[];
      /** Of SCIP artifacts: documents that could not be decoded, and are not published. */
      readonly droppedDocuments: number;
    }
  | { readonly ok: false; readonly errorId: 'output.invalid'; readonly detail: string };

const made = new WeakSet<object>();

/** Large artifacts are redacted in steps: a signal is heard between two of them. */
export async function redactOutput(input: RedactionInput): Promise<RedactedOutput> {
  const { probe, sanitiser: sanitise } = input;
  const findings: Finding[] = [];
  const take = (found: readonly SecretFinding[]): void => {
    for (const finding of found) findings.push({ probe: probe.name, ...finding });
  };

  const slice: Record<string, Json> = {};
  for (const [path, section] of Object.entries(input.slice)) {
    const schema = probe.sections[path];
    const result = redactJsonValue(section, {
      sanitise,
      ...(schema === undefined ? {} : { cursor: cursorAt(schema) }),
    });
    if (result.secretKeys.length > 0) return refuse(`a key is a secret: ${path}.${result.secretKeys[0]}`);
    take(result.findings);
    slice[path] = result.value;
  }

  const redactLine = (text: string, entropy: boolean): string => {
    const result = redactString(text, { entropy });
    take(result.findings);
    return sanitise(result.text);
  };
  const diagnostics = input.diagnostics.map((given) => redactDiagnostic(given, redactLine));
  const evidence = input.evidence.map((given) => redactEvidence(given, redactLine));

  const artifacts: RedactedArtifact[] = [];
  const errors = new Set<string>();
  let droppedDocuments = 0;
  for (const { name, kind, bytes } of input.artifacts) {
    const { isBuilderMade, redactScip } = input;
    const outcome = await redactArtifact(
      { name, kind, bytes },
      { sanitise, budget: probe.budget, isBuilderMade, redactScip },
    );
    if (outcome.kind === 'refused') return refuse(`artifact ${name}: ${outcome.detail}`);
    if (outcome.kind === 'dropped') {
      errors.add('artifact.too_large');
      diagnostics.push({
        id: 'artifact.too_large',
        detail: `${name}: ${outcome.bytes} bytes, budget ${outcome.budgetBytes}`,
      });
    } else {
      take(outcome.findings);
      droppedDocuments += outcome.droppedDocuments ?? 0;
      artifacts.push(brandArtifact({ name, kind, bytes: outcome.bytes }));
    }
  }
  const fingerprints = findings.map((finding) => finding.fingerprint);
  return {
    ok: true,
    slice: brandSlice(slice, findings.length, fingerprints),
    artifacts,
    diagnostics: diagnostics.slice(-limits.diagnosticsPerProbe),
    evidence,
    errors: [...errors],
    findingsCount: findings.length,
    findings,
    droppedDocuments,
  };
}

/** For what the cache wrote after redaction and has read back and verified by hash. Nothing else may call this. */
export function rebrandStored(stored: {
  readonly slice: Slice;
  readonly findingsCount: number;
  readonly fingerprints: readonly string[];
  readonly artifacts: readonly ArtifactBytes[];
}): { readonly slice: RedactedSlice; readonly artifacts: readonly RedactedArtifact[] } {
  return {
    slice: brandSlice(stored.slice, stored.findingsCount, stored.fingerprints),
    artifacts: stored.artifacts.map(brandArtifact),
  };
}

/** For logs, run records and reports. Text that was redacted before comes back as it is. */
export function redactText(text: string): string {
  return redactString(text, { entropy: true }).text;
}

export function redactJson(value: Json): Json {
  return redactJsonValue(value, { sanitise: (text) => text }).value;
}

export function isRedactedSlice(value: unknown): value is RedactedSlice {
  return typeof value === 'object' && value !== null && made.has(value) && 'slice' in value;
}

export function isRedactedArtifact(value: unknown): value is RedactedArtifact {
  return typeof value === 'object' && value !== null && made.has(value) && 'bytes' in value;
}

export function assertRedactedSlice(value: unknown): asserts value is RedactedSlice {
  assert(isRedactedSlice(value), 'only a slice that passed the redactor may be written');
}

export function assertRedactedArtifact(value: unknown): asserts value is RedactedArtifact {
  assert(isRedactedArtifact(value), 'only an artifact that passed the redactor may be written');
}

function redactDiagnostic(given: Diagnostic, redactLine: (text: string, entropy: boolean) => string): Diagnostic {
  const { id, path, line, detail } = given;
  return {
    id,
    ...(path === undefined ? {} : { path: redactLine(path, true) }),
    ...(line === undefined ? {} : { line }),
    ...(detail === undefined ? {} : { detail: truncate(redactLine(detail, true), limits.diagnosticDetailChars) }),
  };
}

function redactEvidence(given: Evidence, redactLine: (text: string, entropy: boolean) => string): Evidence {
  if ('artifact' in given) return given;
  const { path, hash, lines } = given;
  return {
    path: redactLine(path, true),
    ...(hash === undefined ? {} : { hash: redactLine(hash, false) }),
    ...(lines === undefined ? {} : { lines }),
  };
}

function brandSlice(slice: Slice, findingsCount: number, fingerprints: readonly string[]): RedactedSlice {
  const unique = [...new Set(fingerprints)].sort(compareCodeUnits);
  assert(findingsCount >= unique.length, 'R2: every fingerprint stands for a finding');
  assert(
    unique.every((print) => /^[0-9a-f]{8}$/.test(print)),
    'R2: a fingerprint is eight hex digits',
  );
  const branded = deepFreeze({ slice, findingsCount, fingerprints: unique });
  made.add(branded);
  return branded as unknown as RedactedSlice;
}

type Digests = { readonly blake3: string; readonly sha256: string };
const digests = new WeakMap<Uint8Array, Digests>();

/** Made once: the document, its run record, the cache and the keys of other probes ask for them, and an index has megabytes. */
export function digestsOf({ bytes }: Pick<RedactedArtifact, 'bytes'>): Digests {
  return digests.get(bytes) ?? noteDigests(bytes, { blake3: blake3Hex(bytes), sha256: sha256Hex(bytes) });
}

/** Of bytes that were compared with one of them, where the other is known with it. */
export function noteDigests(bytes: Uint8Array, known: Digests): Digests {
  digests.set(bytes, known);
  return known;
}

function brandArtifact({ name, kind, bytes }: ArtifactBytes): RedactedArtifact {
  const branded = Object.freeze({ name, kind, bytes });
  made.add(branded);
  return branded as unknown as RedactedArtifact;
}

function refuse(detail: string): RedactedOutput {
  return { ok: false, errorId: 'output.invalid', detail: truncate(redactText(detail), limits.diagnosticDetailChars) };
}
