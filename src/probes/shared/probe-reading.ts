/** What every probe does with its inputs: read and parse them, with failures as ids of the probe's own family, and say what was found. */

import type { Diagnostic, Evidence, ProbeContext, ProbeRepo } from '../../gather/contract.ts';
import { compareCodeUnits, type JsonObject } from '../../kernel/base/json.ts';
import { limits } from '../../kernel/base/limits.ts';
import { singleLine } from '../../kernel/base/text.ts';
import {
  failedParse,
  type ParseFailure,
  type ParseLimits,
  type ParseOutcome,
} from '../../kernel/formats/parse-outcome.ts';

type ReadParsed<T> = ParseOutcome<T> | { readonly ok: false; readonly absent: true };

export async function readParsed<T>(
  repo: ProbeRepo,
  id: string,
  maxBytes: number,
  parse: (bytes: Uint8Array) => ParseOutcome<T>,
): Promise<ReadParsed<T>> {
  const outcome = await repo.inputs.read(id, maxBytes);
  if (outcome.kind === 'absent') return { ok: false, absent: true };
  if (outcome.kind === 'failed') return failedParse(outcome.failure);
  return parse(outcome.bytes);
}

/** `package_json` + malformed → `package_json.malformed`; the less common failures fold into the four ids every family has. */
function failureId(family: string, failure: ParseFailure): string {
  const leaf = {
    size_cap_exceeded: 'size_cap_exceeded',
    depth_cap_exceeded: 'depth_cap_exceeded',
    expansion_cap_exceeded: 'depth_cap_exceeded',
    malformed: 'malformed',
    symlink_refused: 'symlink_refused',
    not_regular: 'malformed',
    io: 'malformed',
  } as const satisfies Record<ParseFailure['kind'], string>;
  return `${family}.${leaf[failure.kind]}`;
}

/** The four ids of a family, for `errorIds`. */
export function familyIds(family: string): string[] {
  return ['size_cap_exceeded', 'malformed', 'depth_cap_exceeded', 'symlink_refused'].map((leaf) => `${family}.${leaf}`);
}

// Reading manifests once per gather: the shared memo answers first, and only a file it could not parse is read again for the reason.

export type ManifestRead =
  | { readonly kind: 'read'; readonly value: JsonObject }
  | { readonly kind: 'absent' }
  | { readonly kind: 'failed'; readonly failure: ParseFailure };

/** The part of a probe's context that reading needs. */
export type ManifestContext = Pick<ProbeContext, 'parsedManifest'>;

export const manifestLimits: ParseLimits = { maxBytes: limits.manifestBytes, maxDepth: limits.parseDepth };

/** package.json, tsconfig*.json and pnpm-workspace.yaml come from the memo. An undeclared file reads as absent. */
export async function readManifest(repo: ProbeRepo, ctx: ManifestContext, id: string): Promise<ManifestRead> {
  if (!repo.inputs.has(id)) return { kind: 'absent' };
  const remembered = isMemoised(id) ? await ctx.parsedManifest(id) : null;
  if (remembered !== null) return { kind: 'read', value: remembered };
  const outcome = await readParsed(repo, id, limits.manifestBytes, await parserFor(id));
  if ('absent' in outcome) return { kind: 'absent' };
  return outcome.ok ? { kind: 'read', value: outcome.value } : { kind: 'failed', failure: outcome.failure };
}

/** The document, or null with the failure reported under the family's ids; absence is no failure. */
export async function readOrReport(
  repo: ProbeRepo,
  ctx: ManifestContext,
  id: string,
  family: string,
  findings: Findings,
): Promise<JsonObject | null> {
  const outcome = await readManifest(repo, ctx, id);
  if (outcome.kind === 'failed') findings.failed(family, id, outcome.failure);
  return outcome.kind === 'read' ? outcome.value : null;
}

function isMemoised(id: string): boolean {
  return /^(package\.json|tsconfig[^/]*\.json|pnpm-workspace\.yaml)$/s.test(id.slice(id.lastIndexOf('/') + 1));
}

async function parserFor(id: string): Promise<(bytes: Uint8Array) => ParseOutcome<JsonObject>> {
  if (/\.ya?ml$/.test(id)) {
    const { parseYamlObject } = await import('../../kernel/formats/yaml.ts');
    return (bytes) => parseYamlObject(bytes, manifestLimits);
  }
  if (id.endsWith('.toml')) {
    const { parseToml } = await import('../../kernel/formats/toml.ts');
    return (bytes) => parseToml(bytes, manifestLimits);
  }
  if (/(^|\/)(package|composer|lerna)\.json$/.test(id)) {
    const { parseJsonObject } = await import('../../kernel/formats/parse-json.ts');
    return (bytes) => parseJsonObject(bytes, manifestLimits);
  }
  const { parseJsonc } = await import('../../kernel/formats/parse-json.ts');
  return (bytes) => parseJsonc(bytes, manifestLimits);
}

// What a probe has to say besides its data: ids, each once and in order, with diagnostics that say where.

type Place = { readonly path?: string; readonly line?: number; readonly detail?: string };

export type Findings = {
  warn(id: string, place?: Place): void;
  fail(id: string, place?: Place): void;
  /** A file of a family that could not be read: an error, at the line the parser knows, never with the text around it. */
  failed(family: string, path: string, failure: ParseFailure): void;
  warned(id: string): boolean;
  hasErrors(): boolean;
  /** The three lists of a probe's output. */
  report(): { readonly warnings: string[]; readonly errors: string[]; readonly diagnostics: Diagnostic[] };
};

export function createFindings(): Findings {
  const warnings = new Set<string>();
  const errors = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  const note = (id: string, { detail, ...where }: Place) =>
    void diagnostics.push({ id, ...where, ...(detail === undefined ? {} : { detail: singleLine(detail) }) });
  return {
    warn(id, place) {
      warnings.add(id);
      if (place !== undefined) note(id, place);
    },
    fail(id, place) {
      errors.add(id);
      if (place !== undefined) note(id, place);
    },
    failed(family, path, failure) {
      const id = failureId(family, failure);
      errors.add(id);
      note(id, { path, ...(failure.kind === 'malformed' && failure.line !== undefined ? { line: failure.line } : {}) });
    },
    warned: (id) => warnings.has(id),
    hasErrors: () => errors.size > 0,
    report: () => ({
      warnings: [...warnings].sort(compareCodeUnits),
      errors: [...errors].sort(compareCodeUnits),
      diagnostics,
    }),
  };
}

/** The files an answer rests on, with the hash they had; what is absent or refused is no evidence. */
export function evidenceOf(repo: ProbeRepo, ids: readonly (string | null)[]): readonly Evidence[] {
  return [...new Set(ids)].flatMap((id) => {
    const hash = id === null ? undefined : repo.inputs.fingerprint(id)?.contentHash;
    return id !== null && hash?.startsWith('blake3:') ? [{ path: id, hash }] : [];
  });
}

/** A raw artifact that people may open: JSON, indented, with a final newline. Large ones are indented less. */
export function jsonBytes(value: unknown, indent: 1 | 2 = 2): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(value, null, indent)}\n`);
}

// Shortens text before it is redacted without ever leaving part of a word: half a secret is no longer recognised as one.
// `…` marks the cut; a single word that is longer than the limit goes as a whole.

export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = text.slice(0, limit);
  const space = head.search(/\s\S*$/);
  const kept = head.slice(0, Math.max(0, space)).trimEnd();
  return kept === '' ? '…' : `${kept} …`;
}
