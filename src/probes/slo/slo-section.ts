/** Where objectives are declared (files named after them, and where Prometheus rules usually live), and the section about them. */

import { namedOnly } from '../../gather/contract.ts';
import { z } from '../../kernel/base/schema.ts';

export const sloFileGlobs: readonly string[] = ['**/*.{slo,openslo}.{yaml,yml}'];

export const ruleFileGlobs: readonly string[] = [
  '**/*{rules,alerts}*.{yaml,yml}',
  '**/{prometheus,alerts,alerting}/**/*.{yaml,yml}',
];

const objective = z.strictObject({
  service: z.string().nullable(),
  name: z.string(),
  /** In percent. */
  target: z.number().nullable(),
  window: z.string().nullable(),
  /** Name or query of what is measured. */
  indicator: namedOnly(z.string()).nullable(),
  path: z.string(),
});
export type Objective = Readonly<z.output<typeof objective>>;

export const sloSection = z.strictObject({ objectives: z.array(objective) });
