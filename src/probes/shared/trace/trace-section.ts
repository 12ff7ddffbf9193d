/** The section `runtime_trace`, exactly these keys (probes.md). */

import { namedOnly } from '../../../gather/contract.ts';
import { z } from '../../../kernel/base/schema.ts';
import { coverageLevels } from './coverage.ts';
import { scenarioResult } from './scenario-result.ts';
import { traceMethods } from './trace-methods.ts';

const paths = z.array(namedOnly(z.string()));
const uri = namedOnly(z.string());

export const traceSection = z.strictObject({
  artifact_uri: uri,
  /** Every scenario, null where it left no trace. */
  per_scenario_artifacts: z.record(z.string(), uri.nullable()),
  /** Completed, in the order they were run. */
  scenarios_run: z.array(z.string()),
  /** Skipped ones are in neither list. */
  scenarios_failed: z.array(z.string()),
  scenario_results: z.array(scenarioResult),
  binaries_executed: paths,
  shared_libs_loaded: paths,
  cert_paths_read: paths,
  files_read_at_runtime: z.strictObject({
    summary: z.strictObject({
      count: z.int(),
      /** Below the working directory or outside the system's directories; each file is of one class. */
      app_files: z.int(),
      node_modules_files: z.int(),
      config_files: z.int(),
      cert_files: z.int(),
      /** The first 50. */
      inlined: paths.max(50),
    }),
    full_list_uri: uri.nullable(),
  }),
  shell_invocations: z.int(),
  network_endpoints_touched: z.strictObject({ outbound: paths, inbound: paths }),
  /** Null where no container ran, as the three below. */
  trace_method: z.enum(traceMethods).nullable(),
  read_only: z.boolean().nullable(),
  built_image_digest: namedOnly(z.string()).nullable(),
  last_traced_image_digest: namedOnly(z.string()).nullable(),
  last_traced_at: z.string().nullable(),
  trace_coverage_confidence: z.enum(coverageLevels),
});
export type TraceSection = z.output<typeof traceSection>;
