/** The section `shell_usage`. */

import { namedOnly } from '../../gather/contract.ts';
import { z } from '../../kernel/base/schema.ts';
import { forms } from '../dockerfile/dockerfile-section.ts';

const text = namedOnly(z.string());

const touchpoint = z.strictObject({
  /** `Dockerfile CMD`, `docker/run.sh:12`, `package.json scripts.start`, `runtime trace`. */
  where: text,
  text,
  /** A class of the catalog, `spawned_by_program` for shells that only the trace shows, or `unknown`. */
  classification: text,
  replacement_known: z.enum(['yes', 'no', 'depends', 'unknown']),
  replacement: text.nullable(),
});
export type Touchpoint = Readonly<z.output<typeof touchpoint>>;

export const shellUsageSection = z.strictObject({
  /** One row for the final stage of each Dockerfile. */
  static_analysis: z.array(
    z.strictObject({
      dockerfile: text,
      entrypoint_form: z.enum(forms),
      cmd_form: z.enum(forms),
      final_stage_run_commands: z.array(z.strictObject({ command: text, runs_at: z.literal('build_time') })),
      startup_script_invoked: text.nullable(),
      healthcheck_uses_shell: z.boolean(),
    }),
  ),
  runtime_trace: z.strictObject({ sh_executions: z.int(), bash_executions: z.int(), total: z.int() }).nullable(),
  shell_dependent_features: z.strictObject({
    env_var_interpolation_in_entrypoint: z.boolean(),
    glob_expansion_in_entrypoint: z.boolean(),
    chained_commands_in_entrypoint: z.boolean(),
  }),
  touchpoints: z.array(touchpoint),
  classification_summary: z.strictObject({
    fully_replaceable: z.int(),
    partial_or_uncertain: z.int(),
    blocking: z.int(),
    unknown: z.int(),
  }),
});
