/** Reading manifests once per gather: the shared memo answers first, and only a file it could not parse is read again for the reason. */

import type { ProbeContext, ProbeRepo } from '../../gather/contract.ts';
import type { JsonObject } from '../../kernel/base/json.ts';
import { limits } from '../../kernel/base/limits.ts';
import type { ParseFailure, ParseLimits, ParseOutcome } from '../../kernel/formats/parse-outcome.ts';
import type { Findings } from './findings.ts';
import { readParsed } from './read.ts';

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
