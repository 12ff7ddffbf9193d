/** The published context: its fixed part as a schema, its sections added by the probes (gather.md §8.2). */

import { z } from '../../kernel/base/schema.ts';
import { artifactKinds, namedOnly, type Probe, skipReasons } from '../contract.ts';
import { factSchema } from '../facts/fact.ts';

export const ENVELOPE_VERSION = '1.2.0';

/** `pending`: it had not answered when the first publication of its run was made (gather.md §8.5). */
export const probeStatuses = ['ok', 'degraded', 'failed', 'timed_out', 'cancelled', 'skipped', 'pending'] as const;
export type ProbeStatus = (typeof probeStatuses)[number];
export const cacheStates = ['hit', 'miss', 'stale', 'unsealed', 'bypass', 'none'] as const;
export type CacheState = (typeof cacheStates)[number];

/** Fields that may differ between two gathers of the same bytes, by name anywhere in the document. */
export const volatileFields: readonly string[] = [
  'gathered_at',
  'gather_duration_ms',
  'run_id',
  'duration_ms',
  'cache',
  'produced_at',
  'indexed_at',
  'last_indexed_at',
  'last_traced_at',
  'scanned_at',
  'fetched_at',
  'reconciled_at',
  'wall_clock_ms',
];

export const diagnosticSchema = z.strictObject({
  id: z.string(),
  path: z.string().optional(),
  line: z.int().optional(),
  detail: z.string().optional(),
});
export const evidenceSchema = z.union([
  z.strictObject({
    path: namedOnly(z.string()),
    hash: namedOnly(z.string()).optional(),
    lines: z.tuple([z.int(), z.int()]).optional(),
  }),
  z.strictObject({ artifact: namedOnly(z.string()) }),
]);

export const toolVersionSchema = z.strictObject({ name: z.string(), version: z.string(), path: z.string().nullable() });

const probeRecordSchema = z.strictObject({
  status: z.enum(probeStatuses),
  skip: z.strictObject({ reason: z.enum(skipReasons), detail: z.string().nullable() }).nullable(),
  confidence: z.enum(['high', 'medium', 'low']).nullable(),
  version: z.string(),
  layer: z.enum(['A', 'B', 'C', 'D', 'E', 'F', 'G']),
  sections: z.array(z.string()),
  warnings: z.array(z.string()),
  errors: z.array(z.string()),
  diagnostics: z.array(diagnosticSchema),
  tool_versions: z.array(toolVersionSchema),
  evidence: z.array(evidenceSchema),
  /** The folder of a probe that is none of ours. */
  foreign: z.string().optional(),
  inputs: z.strictObject({ digest: z.string().nullable(), files: z.int() }),
  duration_ms: z.number(),
  cache: z.strictObject({ state: z.enum(cacheStates), key: z.string().nullable(), produced_at: z.string().nullable() }),
});
export type ProbeRecord = z.output<typeof probeRecordSchema>;

export const envelopeHeadSchema = z.strictObject({
  schema_version: z.string(),
  schema_versions: z.record(z.string(), z.string()),
  repo: z.strictObject({
    id: z.string(),
    root: z.string(),
    git_commit: z.string().nullable(),
    branch: z.string().nullable(),
    /** Null where git could not tell. */
    dirty: z.boolean().nullable(),
    dirty_files: z.int().nullable(),
    /** The one directory that was looked at, where it was not the whole tree. */
    component: z.string().optional(),
  }),
  gathered_at: z.string(),
  gather_duration_ms: z.number(),
  run_id: z.string().regex(/^[0-9a-f]{16}$/),
  gather_status: z.enum(['complete', 'partial', 'pending']),
  probe_failures: z.array(
    z.strictObject({
      probe: z.string(),
      status: z.enum(probeStatuses),
      reason: z.string().nullable(),
      errors: z.array(z.string()),
    }),
  ),
  /** What could not be looked at for want of something outside the repository, and how to get it. */
  not_looked: z.array(
    z.strictObject({
      probe: z.string(),
      reason: z.enum(skipReasons),
      /** Empty where it is no tool that is missing. */
      tools: z.array(z.string()),
      /** True where the probe delivered, and would have seen more. */
      delivered: z.boolean(),
      enable: z.string(),
    }),
  ),
  task_context: z.strictObject({
    task_type: z.string(),
    options: z.record(z.string(), z.json()),
    cli_version: z.string(),
    sandbox: z.enum(['bwrap', 'none']),
    container_engine: z.enum(['podman', 'docker', 'none']),
  }),
  warnings: z.array(z.strictObject({ id: z.string(), detail: z.string() })),
  redaction: z.strictObject({ count: z.int(), fingerprints: z.array(z.string()) }),
  raw_artifacts: z.array(
    z.strictObject({
      name: z.string(),
      probe: z.string(),
      kind: z.enum(artifactKinds),
      size: z.int(),
      blake3: z.string(),
    }),
  ),
  probes: z.record(z.string(), probeRecordSchema),
  /** By id and scope; each was derived from a section and its evidence was read. */
  facts: z.array(factSchema),
});
type EnvelopeHead = z.output<typeof envelopeHeadSchema>;

/** Head plus sections: `organizational.*` is nested one level, everything else is flat. */
export type Envelope = EnvelopeHead & { readonly [section: string]: unknown };

/** The schema of a whole document for a given set of probes; every section is optional, nothing else is admitted. */
/** `fitted`: sections that their schema has let through already. */
export function envelopeSchema(probes: readonly Probe[], fitted: ReadonlySet<string> = new Set()): z.ZodObject {
  const shape: Record<string, z.ZodType> = {};
  const nested = new Map<string, Record<string, z.ZodType>>();
  for (const probe of probes) {
    for (const [path, own] of Object.entries(probe.sections)) {
      const [top, leaf] = splitSectionPath(path);
      const schema = fitted.has(path) ? z.unknown() : own;
      if (leaf === undefined) shape[top] = schema.optional();
      else nested.set(top, { ...nested.get(top), [leaf]: schema.optional() });
    }
  }
  for (const [top, members] of nested) shape[top] = z.strictObject(members).optional();
  return envelopeHeadSchema.extend(shape);
}

export function splitSectionPath(path: string): readonly [string, string | undefined] {
  const dot = path.indexOf('.');
  return dot < 0 ? [path, undefined] : [path.slice(0, dot), path.slice(dot + 1)];
}
