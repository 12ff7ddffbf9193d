/** The record of a gather: enough to prove later that what lies on disk is what that run wrote (gather.md §8.4). */

import { arch, platform, release } from 'node:os';
import { blake3Hex, sha256Hex } from '../kernel/base/hash.ts';
import { canonicalJson, type Json, type JsonObject } from '../kernel/base/json.ts';
import { z } from '../kernel/base/schema.ts';
import { effectiveVersion } from './assemble-envelope.ts';
import { cacheStates, probeStatuses } from './envelope.ts';
import type { Execution } from './execution.ts';
import type { RedactedArtifact } from './redact.ts';

export type RunFacts = {
  readonly runId: string;
  readonly startedAt: string;
  readonly cliVersion: string;
  readonly gitCommit: string | null;
  readonly dirtyDigest: string;
  readonly task: { readonly type: string; readonly options: JsonObject };
  readonly config: Json;
};

export const runRecordSchema = z.strictObject({
  run_id: z.string(),
  started_at: z.string(),
  cli_version: z.string(),
  node_version: z.string(),
  platform_sha256: z.string(),
  repo: z.strictObject({ git_commit: z.string().nullable(), dirty_digest: z.string() }),
  task: z.strictObject({ type: z.string(), options: z.record(z.string(), z.json()) }),
  config_sha256: z.string(),
  tool_versions: z.array(z.strictObject({ name: z.string(), version: z.string() })),
  yaml_sha256: z.string(),
  report_sha256: z.string().nullable(),
  html_sha256: z.string().nullable(),
  artifacts: z.array(z.strictObject({ name: z.string(), sha256: z.string(), blake3: z.string(), size: z.int() })),
  probes: z.array(
    z.strictObject({
      name: z.string(),
      version: z.string(),
      status: z.enum(probeStatuses),
      cache: z.strictObject({ state: z.enum(cacheStates), key: z.string().nullable() }),
      output_sha256: z.string().nullable(),
      duration_ms: z.number(),
    }),
  ),
});
export type RunRecord = z.output<typeof runRecordSchema>;

export function buildRunRecord(
  of: RunFacts & {
    readonly yamlSha256: string;
    readonly reportSha256: string | null;
    readonly htmlSha256: string | null;
    readonly artifacts: readonly RedactedArtifact[];
    readonly executions: readonly Execution[];
  },
): RunRecord {
  const tools = new Map(
    of.executions.flatMap((execution) => execution.toolVersions.map((tool) => [tool.name, tool.version])),
  );
  return {
    run_id: of.runId,
    started_at: of.startedAt,
    cli_version: of.cliVersion,
    node_version: process.version,
    platform_sha256: sha256Hex(`${platform()}-${arch()}-${release()}`),
    repo: { git_commit: of.gitCommit, dirty_digest: of.dirtyDigest },
    task: { type: of.task.type, options: of.task.options as Record<string, never> },
    config_sha256: sha256Hex(canonicalJson(of.config)),
    tool_versions: [...tools].map(([name, version]) => ({ name, version })).sort((a, b) => (a.name < b.name ? -1 : 1)),
    yaml_sha256: of.yamlSha256,
    report_sha256: of.reportSha256,
    html_sha256: of.htmlSha256,
    artifacts: of.artifacts.map(({ name, bytes }) => ({
      name,
      sha256: sha256Hex(bytes),
      blake3: blake3Hex(bytes),
      size: bytes.length,
    })),
    probes: of.executions.map((execution) => ({
      name: execution.probe.name,
      version: effectiveVersion(execution),
      status: execution.status,
      cache: { state: execution.cache.state, key: execution.cache.key },
      output_sha256: execution.outputSha256,
      duration_ms: execution.durationMs,
    })),
  };
}
