/** Which sources the probe reads, and its section. */

import { namedOnly } from '../../gather/contract.ts';
import { z } from '../../kernel/base/schema.ts';

export const reflectionSourceGlobs: readonly string[] = ['**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}'];

export const reflectionSection = z.strictObject({
  eval_usage: z.int(),
  function_constructor_usage: z.int(),
  /** Of a name that is no literal. */
  dynamic_require_count: z.int(),
  dynamic_import_count: z.int(),
  /** Subscripts by anything but a literal, a number or a constant of the file. */
  dynamic_property_access_count: z.int(),
  /** Of these, the ones that are called. */
  dynamic_call_count: z.int(),
  prototype_manipulation_count: z.int(),
  decorator_usage: z.strictObject({
    nestjs: z.boolean(),
    typeorm: z.boolean(),
    class_validator: z.boolean(),
    /** Uses of decorators that come from no package the repository depends on. */
    custom_decorators_detected: z.int(),
  }),
  middleware_chains: z.int(),
  env_var_reads: z.strictObject({
    count: z.int(),
    /** Within four levels of a condition. */
    code_path_affecting: z.int(),
    names: z.array(namedOnly(z.string())),
  }),
  confidence_impact: z.enum(['high', 'medium', 'low']),
  /** Files in which anything was counted. */
  affected_files: z.array(namedOnly(z.string())),
  /** Files that may hold something of this and have syntax errors or could not be parsed. */
  parse_errors: z.int(),
});
