/** What becomes of a probe's answer before anything is published or stored (P7, P8). */

import { assert } from '../../kernel/base/assert.ts';
import { blake3Hex, sha256Hex } from '../../kernel/base/hash.ts';
import { canonicalJson, type Json } from '../../kernel/base/json.ts';
import { limits } from '../../kernel/base/limits.ts';
import { singleLine, truncate } from '../../kernel/base/text.ts';
import type { ToolVersion } from '../../kernel/exec/exec.ts';
import { createDirectoryGuard, readRegular } from '../../kernel/tree/safe-read.ts';
import type { KeyParts } from '../cache/cache-key.ts';
import type { Diagnostic, Probe, ProbeOutput, RawArtifact } from '../contract.ts';
import type { CacheState } from '../publish/envelope.ts';
import { redactOutput, redactText } from '../publish/redact.ts';
import type { ScipRedactor } from '../publish/redact-artifact.ts';
import { createMention, createSanitiser } from '../publish/sanitise.ts';
import type { Execution } from './execution.ts';
import { changedBetween, recordInputs, type Snapshot } from './input-snapshot.ts';
import type { GatherWorld } from './open-world.ts';
import type { BuiltContext } from './probe-context.ts';
import { validateOutput } from './validate-output.ts';

type RanOutput = Extract<ProbeOutput, { kind: 'ran' }>;

/** What is known before the probe runs and stays true whatever becomes of it. */
export type Prepared = {
  readonly world: GatherWorld;
  readonly probe: Probe;
  readonly snapshot: Snapshot;
  readonly parts: KeyParts;
  readonly key: string;
  readonly tools: readonly ToolVersion[];
  readonly base: Execution;
};

/** Validate, redact, sanitise, brand, store: in this order, all in memory (gather.md §7). */
export async function settleOutput(
  prepared: Prepared,
  base: Execution,
  answered: ProbeOutput,
  context: BuiltContext,
): Promise<Execution> {
  const { world, probe } = prepared;
  const { output, tooLarge } = readWorkspaceArtifacts(answered, probe, context.workspaceIfMade());
  const valid = validateOutput(probe, output);
  if (!valid.ok) {
    const sanitise = createSanitiser({ root: world.repo.root, home: world.home, workspace: context.workspaceIfMade() });
    const detail = sanitise(redactText(valid.detail));
    world.logger.event('probe.output_refused', { probe: probe.name, id: valid.errorId, detail });
    return refused(base, { errorId: valid.errorId, detail });
  }
  return finish(prepared, base, valid.output, tooLarge, context);
}

/**
 * Artifacts that a tool left in the workspace become bytes here, before the workspace goes. Nothing outside it is read, and what
 * is over the budget is not read at all. The probe's answer is not validated yet: what is not shaped like an artifact is left as it is.
 */
function readWorkspaceArtifacts(
  output: ProbeOutput,
  probe: Probe,
  workspace: string | null,
): { readonly output: ProbeOutput; readonly tooLarge: readonly Diagnostic[] } {
  const tooLarge: Diagnostic[] = [];
  if (output?.kind !== 'ran' || !Array.isArray(output.rawArtifacts)) return { output, tooLarge };
  const capBytes = probe.budget.rawArtifactMb * 1024 * 1024;
  const rawArtifacts = (output.rawArtifacts as readonly RawArtifact[]).flatMap((artifact): RawArtifact[] => {
    const from: unknown = artifact?.from;
    if (typeof from !== 'object' || from === null || !('file' in from) || typeof from.file !== 'string')
      return [artifact];
    const { file } = from;
    assert(workspace !== null && file.startsWith(`${workspace}/`), `artifact ${artifact.name} is not in the workspace`);
    const outcome = readRegular(workspace, file.slice(workspace.length + 1), capBytes, createDirectoryGuard(workspace));
    if (outcome.kind === 'failed' && outcome.failure.kind === 'size_cap_exceeded') {
      const detail = redactText(`${artifact.name}: ${outcome.failure.bytes} bytes, budget ${capBytes}`);
      tooLarge.push({ id: 'artifact.too_large', detail });
      return [];
    }
    // Not as an argument of `assert`: it would be spelled whatever came of it, the bytes of the artifact too.
    if (outcome.kind !== 'read')
      throw new Error(`artifact ${artifact.name} cannot be read: ${JSON.stringify(outcome)}`);
    return [{ ...artifact, from: outcome.bytes }];
  });
  return { output: { ...output, rawArtifacts }, tooLarge };
}

async function finish(
  prepared: Prepared,
  base: Execution,
  output: ProbeOutput,
  tooLarge: readonly Diagnostic[],
  context: BuiltContext,
): Promise<Execution> {
  const { world, probe } = prepared;
  const sanitise = createSanitiser({ root: world.repo.root, home: world.home, workspace: context.workspaceIfMade() });
  const redacted = await redactOutput({
    ...redactionOf(prepared, output, sanitise),
    redactScip: await scipRedactorFor(output, world, context.workspaceIfMade()),
  });
  if (!redacted.ok) return refused(base, redacted);
  if (redacted.findingsCount > 0) {
    const { fingerprints } = redacted.slice;
    world.logger.event('raw_artifacts.redacted', { probe: probe.name, count: redacted.findingsCount, fingerprints });
  }
  if (redacted.droppedDocuments > 0) {
    world.logger.event('raw_artifacts.documents_dropped', { probe: probe.name, count: redacted.droppedDocuments });
  }
  if (output.kind === 'skipped') {
    const detail = output.detail === undefined ? null : sanitise(redactText(output.detail));
    const slice = output.slice === undefined ? null : redacted.slice;
    return { ...base, skip: { reason: output.reason, detail }, slice, warnings: output.warnings ?? [] };
  }
  const dropped = tooLarge.map((diagnostic) => diagnostic.id);
  const errors = [...new Set([...(output.errors ?? []), ...redacted.errors, ...dropped])];
  const edited = new Set([...context.inputs.changed, ...(await changedForPrograms(prepared, context))]);
  const changed = [...edited].map((path) => ({ id: 'input.changed', path: redactText(path) }));
  // G45: another run may have the time that this one lacked.
  const late = [...context.outOfTime].map((program) => ({ id: 'probe.out_of_time', detail: `${program} was ended` }));
  const notes = [...context.notes.values()].map((note) => cleanNote(note, sanitise));
  const execution: Execution = {
    ...base,
    status: errors.length > 0 ? 'degraded' : 'ok',
    confidence: output.confidence,
    slice: redacted.slice,
    artifacts: redacted.artifacts,
    warnings: output.warnings ?? [],
    errors,
    diagnostics: [...changed, ...late, ...tooLarge, ...notes, ...redacted.diagnostics].slice(
      0,
      limits.diagnosticsPerProbe,
    ),
    evidence: redacted.evidence,
    outputSha256: sha256Hex(canonicalJson(redacted.slice.slice as unknown as Json)),
  };
  const writes = writingStates.has(base.cache.state);
  return writes && errors.length === 0 && changed.length === 0 && late.length === 0
    ? store(prepared, execution)
    : execution;
}

/** Looked for in the cache and not taken from it. */
const writingStates: ReadonlySet<CacheState> = new Set(['miss', 'stale', 'unsealed']);

/** G43: a program reads the disk by itself, so all inputs are compared before and after; what it read in between is not known to be either. */
async function changedForPrograms({ world, snapshot }: Prepared, context: BuiltContext): Promise<readonly string[]> {
  if (!context.readElsewhere()) return [];
  return changedBetween(snapshot, (await world.snapshotsAgain()).take(snapshot.patterns));
}

function cleanNote(note: Diagnostic, sanitise: (text: string) => string): Diagnostic {
  const detail = truncate(singleLine(sanitise(redactText(note.detail ?? ''))), limits.diagnosticDetailChars);
  return { ...note, path: redactText(note.path ?? ''), detail };
}

/** An output that may not be published leaves its reason and nothing else. */
function refused(base: Execution, why: { readonly errorId: string; readonly detail: string }): Execution {
  const diagnostics = [{ id: why.errorId, detail: why.detail }];
  return { ...base, status: 'failed', confidence: 'low', errors: [why.errorId], diagnostics };
}

function redactionOf(prepared: Prepared, output: ProbeOutput, sanitiser: (text: string) => string) {
  const ran: Partial<RanOutput> = output.kind === 'ran' ? output : {};
  return {
    probe: prepared.probe,
    slice: output.slice ?? {},
    diagnostics: ran.diagnostics ?? [],
    evidence: ran.evidence ?? [],
    artifacts: (ran.rawArtifacts ?? []).map(({ name, kind, from }) => ({ name, kind, bytes: from as Uint8Array })),
    sanitiser,
    isBuilderMade: prepared.world.isBuilderMade,
  };
}

/** Few probes publish an index, and its decoder is not small. */
async function scipRedactorFor(
  output: ProbeOutput,
  { repo, home, extracted }: GatherWorld,
  workspace: string | null,
): Promise<ScipRedactor | undefined> {
  if (output.kind !== 'ran' || !(output.rawArtifacts ?? []).some(({ kind }) => kind === 'scip')) return undefined;
  const { isRedactedHere, redactScipBytes } = await import('../../kernel/formats/rewrite-scip.ts');
  const mentions = createMention({ root: repo.root, home, workspace });
  // By these very bytes and rules: the memo is sealed with the version of what redacts.
  const isClean = (document: Uint8Array): boolean => {
    const hash = blake3Hex(document);
    if (!isRedactedHere(hash) && extracted.find(cleanDocuments, '1', hash) !== true) return false;
    extracted.remember(cleanDocuments, '1', hash, true);
    return !mentions(document);
  };
  return async (bytes, redact) => {
    const outcome = await redactScipBytes(bytes, (text) => redact(text).text, isClean);
    if (outcome.kind === 'failed')
      return { ok: false, detail: `not a SCIP index (${outcome.reason}): ${outcome.detail}` };
    return { ok: true, bytes: outcome.bytes, droppedDocuments: outcome.dropped };
  };
}

/** In the memo: documents in which nothing is left to redact. */
const cleanDocuments = 'redacted-documents';

/** The parts as they may be written: configuration, options and the repository's name are text that a person wrote. */
function publicParts(parts: KeyParts): KeyParts {
  const { config, task, tokens } = parts;
  return { ...parts, config: redactText(config), task: redactText(task), tokens: redactText(tokens) };
}

function store({ world, probe, key, parts, snapshot }: Prepared, execution: Execution): Execution {
  const { slice } = execution;
  if (slice === null) return execution;
  try {
    const entry = world.cache.put({
      key,
      parts: publicParts(parts),
      probe: probe.name,
      version: probe.version,
      slice,
      facts: {
        confidence: execution.confidence ?? 'low',
        warnings: execution.warnings,
        diagnostics: execution.diagnostics,
        evidence: execution.evidence,
        toolVersions: execution.toolVersions,
      },
      artifacts: execution.artifacts,
      inputs: recordInputs(snapshot.inputs.values()),
    });
    return { ...execution, outputSha256: entry.output_sha256 };
  } catch (error) {
    // A cache that cannot be written costs time at the next gather; this one is whole.
    world.logger.event('cache.write_failed', { probe: probe.name, message: (error as Error).message });
    return execution;
  }
}
