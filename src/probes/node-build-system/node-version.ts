/** Which Node a repository asks for, and whether the one that is there fits. */

import type { ProbeContext, ProbeRepo } from '../../gather/contract.ts';
import { isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';
import { limits } from '../../kernel/base/limits.ts';
import { decodeLenient } from '../../kernel/base/text.ts';
import { shown } from '../shared/manifest-facts.ts';
import { type Findings, type ManifestContext, readManifest } from '../shared/probe-reading.ts';

/** First non-empty line of .nvmrc or .node-version without its comment. */
export function pinnedInVersionFile(text: string): string | null {
  for (const line of text.split(/\r?\n/)) {
    const value = line.replace(/#.*$/, '').trim();
    if (value !== '') return shown(value);
  }
  return null;
}

/** `nodejs 20.11.0` (asdf) or `node 20` (mise); the first version of several. */
export function pinnedInToolVersions(text: string): string | null {
  for (const line of text.split(/\r?\n/)) {
    const [tool, version] = line.replace(/#.*$/, '').trim().split(/\s+/);
    if ((tool === 'nodejs' || tool === 'node') && version !== undefined && version !== '') return shown(version);
  }
  return null;
}

/** `[tools] node = "20"`, `node = ["20", "18"]` or `node = { version = "20" }`. */
export function pinnedInMise(document: JsonObject): string | null {
  const tools = document['tools'];
  if (!isJsonObject(tools)) return null;
  return versionText(tools['node']) ?? versionText(tools['nodejs']);
}

export function pinnedInVolta(manifest: JsonObject): string | null {
  const volta = manifest['volta'];
  return isJsonObject(volta) ? versionText(volta['node']) : null;
}

/** `v20`, `20.11`, `=20.1.0` as a range; aliases such as `lts/iron` name no number and compare with nothing. */
export function rangeOfPin(pin: string): string | null {
  const match = /^[v=]?(\d+(?:\.\d+){0,2})$/.exec(pin);
  return match?.[1] ?? null;
}

function versionText(value: Json | undefined): string | null {
  if (typeof value === 'string' && value.trim() !== '') return shown(value.trim());
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return versionText((value as readonly Json[])[0]);
  return isJsonObject(value) ? versionText(value['version']) : null;
}

// Reads the Node version a repository pins, asks the Node that is installed, and compares the two.

/** In order of precedence; volta's pin in package.json comes last. */
const textFiles: readonly (readonly [id: string, maxBytes: number, find: (text: string) => string | null])[] = [
  ['.nvmrc', limits.versionFileBytes, pinnedInVersionFile],
  ['.node-version', limits.versionFileBytes, pinnedInVersionFile],
  ['.tool-versions', limits.textBytes, pinnedInToolVersions],
];

export const nodeVersionInputs: readonly string[] = [...textFiles.map(([id]) => id), 'mise.toml'];

export async function readPinnedNode(
  repo: ProbeRepo,
  ctx: ManifestContext,
  rootManifest: JsonObject | null,
  findings: Findings,
): Promise<string | null> {
  for (const [id, maxBytes, find] of textFiles) {
    if (!repo.inputs.has(id)) continue;
    const outcome = await repo.inputs.read(id, maxBytes);
    const pinned = outcome.kind === 'read' ? find(decodeLenient(outcome.bytes)) : null;
    if (pinned !== null) return pinned;
    if (outcome.kind === 'failed')
      findings.warn('node.version_unparseable', { path: id, detail: outcome.failure.kind });
  }
  const mise = await readManifest(repo, ctx, 'mise.toml');
  if (mise.kind === 'failed') {
    findings.warn('node.version_unparseable', { path: 'mise.toml', detail: mise.failure.kind });
  }
  const pinned = mise.kind === 'read' ? pinnedInMise(mise.value) : null;
  return pinned ?? (rootManifest === null ? null : pinnedInVolta(rootManifest));
}

/** What `node --version` prints, `v` and all; null where there is no Node. */
export async function askLocalNode(
  repo: ProbeRepo,
  ctx: Pick<ProbeContext, 'exec'>,
  findings: Findings,
): Promise<string | null> {
  const outcome = await ctx.exec.runAllowlisted(['node', '--version'], {
    cwd: repo.root,
    timeoutS: limits.toolVersionTimeoutS,
  });
  if (outcome.kind === 'tool_missing') return null;
  const printed = outcome.kind === 'exited' && outcome.code === 0 ? outcome.stdout.toString('utf8').trim() : '';
  if (/^v\d+\.\d+\.\d+/.test(printed)) return shown(printed);
  findings.warn('node.version_unparseable', { detail: `node --version: ${outcome.kind}` });
  return null;
}

export async function compareNodeVersions(
  versions: { readonly pinned: string | null; readonly constraint: string | null; readonly resolved: string | null },
  findings: Findings,
): Promise<void> {
  const { pinned, constraint, resolved } = versions;
  const declared = [pinned === null ? null : rangeOfPin(pinned), constraint].filter((range) => range !== null);
  if (resolved === null || declared.length === 0) return;
  const { default: semver } = await import('semver');
  const unmet = declared.filter((range) => semver.validRange(range) !== null && !semver.satisfies(resolved, range));
  if (unmet.length === 0) return;
  findings.warn('node.version_declared_resolved_disagree', { detail: `${resolved} is not in ${unmet.join(' and ')}` });
}
